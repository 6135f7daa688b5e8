"""Decides how objects are restored from their fields, without calling their classes.

An object that is decoded was made by its class before it was encoded. So its fields are stored as
they were, as pickle does, and neither constructors nor validators run again.
"""

import dis
import inspect
import sys
from collections.abc import Callable, Collection, Iterable
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any, NamedTuple

#: The value of a field that a row lacks, or what is called to make it.
Default = tuple[bool, Any]

#: Attributes, each with what makes its value, or None for the value None.
Beside = tuple[tuple[str, Callable[[], Any] | None], ...]

#: Functions that run when an object is made.
CONSTRUCTORS = (
    "__init__",
    "__post_init__",
    "__attrs_init__",
    "__attrs_pre_init__",
    "__attrs_post_init__",
    "model_post_init",
)

#: The libraries whose own functions store nothing but fields, and what `Restoration.beside` lists.
LIBRARIES = ("pydantic", "attr", "attrs", "dataclasses")

#: Names in code that stores attributes by their names, as that of frozen classes does. The last is
#: in code that attrs generates.
SETTERS = {"__setattr__", "setattr", "__dict__", "_cached_setattr_get"}

#: The flag of a class with abstract methods.
IS_ABSTRACT = 1 << 20


class Restoration(NamedTuple):
    """How to restore an object of a class."""

    cls: type
    #: The attributes that are fields.
    names: tuple[str, ...]
    #: The default of each; None if only the class can tell.
    defaults: tuple[Default | None, ...]
    #: Attributes that are no fields.
    beside: Beside
    #: What `__pydantic_fields_set__` is if all fields were given.
    all_given: set[str] | None
    #: `__new__` and `__setattr__` of the class. If it has others, it may not be restored.
    functions: tuple[Any, Any]


def restoration(
    cls: Any, names: tuple[str, ...], defaults: tuple[Default | None, ...]
) -> Restoration | None:
    """Give how objects with these fields are restored; None if their class must be called."""
    is_plain = (
        type(cls).__call__ is type.__call__
        and cls.__new__ is object.__new__
        and not cls.__flags__ & IS_ABSTRACT
        and _is_generated(cls)
        and all(_is_stored(cls, name) for name in names)
    )
    beside: Beside = ()
    all_given = None
    if "__pydantic_core_schema__" in vars(cls) and hasattr(cls, "__pydantic_fields_set__"):
        beside, all_given = _of_model(cls), set(names)
        private = cls.__private_attributes__.values()
        is_plain = is_plain and not any(
            getattr(attribute, "default_factory_takes_validated_data", False)
            for attribute in private
        )
    if not is_plain or _stores_more(cls, {*names, *(name for name, _ in beside)}):
        return None
    names = tuple(map(sys.intern, names))
    return Restoration(cls, names, defaults, beside, all_given, (cls.__new__, cls.__setattr__))


def _is_generated(cls: Any) -> bool:
    """Tell whether `__setattr__` is that of `object`, or one that a library made."""
    owner = next(base for base in cls.__mro__ if "__setattr__" in vars(base))
    parameters = vars(owner).get("__dataclass_params__")
    return (
        owner is object
        or (parameters is not None and parameters.frozen)
        or "__attrs_own_setattr__" in vars(owner)
        or _is_of_library(vars(owner)["__setattr__"])
    )


def _is_of_library(function: Any) -> bool:
    return (getattr(function, "__module__", None) or "").partition(".")[0] in LIBRARIES


def _is_stored(cls: Any, name: str) -> bool:
    """Tell whether instances store an attribute in a slot or in their dict."""
    declared = inspect.getattr_static(cls, name, None)
    return _is_slot(cls, name) or (
        cls.__dictoffset__ != 0 and not hasattr(type(declared), "__set__")
    )


def _is_slot(cls: Any, name: str) -> bool:
    return isinstance(inspect.getattr_static(cls, name, None), MemberDescriptorType)


def _of_model(cls: Any) -> Beside:
    """Give what a pydantic model has beside its fields: what pydantic makes for a new one."""
    undefined = sys.modules["pydantic_core"].PydanticUndefined
    private = cls.__private_attributes__

    def make_private() -> dict[str, Any]:
        made = {
            name: (attribute.default_factory or attribute.get_default)()
            for name, attribute in private.items()
        }
        return {name: value for name, value in made.items() if value is not undefined}

    made = (
        ("__pydantic_extra__", dict if cls.model_config.get("extra") == "allow" else None),
        ("__pydantic_private__", make_private if private else None),
    )
    # A RootModel has the value None of some in the class.
    return tuple((name, make) for name, make in made if _is_slot(cls, name))


def _stores_more(cls: Any, stored: Collection[str]) -> bool:
    """Tell whether a constructor's code stores attributes that are not in `stored`."""
    seen: set[CodeType] = set()
    functions = [
        vars(base).get(name) for base in cls.__mro__ if base is not object for name in CONSTRUCTORS
    ]
    return any(_code_stores_more(cls, function, stored, seen) for function in functions)


def _code_stores_more(
    cls: Any, function: Any, stored: Collection[str], seen: set[CodeType]
) -> bool:
    if isinstance(function, (classmethod, staticmethod)):
        function = function.__func__
    if not isinstance(function, FunctionType) or _is_of_library(function):
        return False
    if hasattr(function, "__wrapped__") and _code_stores_more(
        cls, function.__wrapped__, stored, seen
    ):
        return True
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        if code in seen:
            continue
        seen.add(code)
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        if any(name not in stored for name in _stored_by(code)):
            return True
        # What it calls may be a method of the class.
        for name in code.co_names:
            method = inspect.getattr_static(cls, name, None)
            if method is not None and _code_stores_more(cls, method, stored, seen):
                return True
    return False


def _stored_by(code: CodeType) -> Iterable[str]:
    """Give the attributes that code may store, of any object."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_ATTR":
            yield instruction.argval
    if SETTERS & {*code.co_names}:
        texts = [constant for constant in code.co_consts if isinstance(constant, str)]
        yield from (text for text in texts if text.isidentifier() and text != code.co_name)
