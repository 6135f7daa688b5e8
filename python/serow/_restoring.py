"""Decides how objects are restored from their fields, without calling their classes.

An object that is decoded was made by its class before it was encoded. So its fields are stored as
they were, as pickle does, and neither constructors nor validators run again.
"""

import dis
import inspect
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any, NamedTuple

from serow import _structs

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
LIBRARIES = ("pydantic", "attr", "attrs", "dataclasses", "typing", "typing_extensions")

#: Names in code that stores attributes by their names, as that of frozen classes does.
SETTERS = {"__setattr__", "setattr", "__dict__"}

#: The slot where pydantic stores the names of the fields that were given.
FIELDS_SET = "__pydantic_fields_set__"

#: Where attrs stores the hash of an instance that keeps it.
ATTRS_HASH = "_attrs_cached_hash"

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
        _is_called_plainly(cls)
        and cls.__new__ is object.__new__
        and not cls.__flags__ & IS_ABSTRACT
        and _is_generated(cls)
        and all(_is_stored(cls, name) for name in names)
    )
    beside: Beside = ()
    all_given = None
    if "__pydantic_core_schema__" in vars(cls) and hasattr(cls, FIELDS_SET):
        is_plain = is_plain and _is_slot(cls, FIELDS_SET)
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


def _is_called_plainly(cls: Any) -> bool:
    """Tell whether the metaclass's `__call__` is Python's, or that of msgspec for all Structs."""
    owner = next(base for base in type(cls).__mro__ if "__call__" in vars(base))
    return owner is type or _structs.is_of_msgspec(owner)


def _is_generated(cls: Any) -> bool:
    """Tell whether `__setattr__` is that of `object`, or one that a library made."""
    owner = next(base for base in cls.__mro__ if "__setattr__" in vars(base))
    parameters = vars(owner).get("__dataclass_params__")
    return (
        owner is object
        or (parameters is not None and parameters.frozen)
        or vars(owner).get("__attrs_own_setattr__", False)
        or _structs.is_of_msgspec(owner)
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
    declared = inspect.getattr_static(cls, name, None)
    # The slot of another class is not in these instances.
    return isinstance(declared, MemberDescriptorType) and issubclass(cls, declared.__objclass__)


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
    """Tell whether a constructor's code stores attributes of `self` that are not in `stored`.

    Only code that certainly does counts: then an object that was encoded has none of them, because
    the encoder refuses it otherwise.
    """
    seen: set[CodeType] = set()
    functions = [
        vars(base).get(name) for base in cls.__mro__ if base is not object for name in CONSTRUCTORS
    ]
    return any(_function_stores_more(cls, function, stored, seen) for function in functions)


def _function_stores_more(
    cls: Any, function: Any, stored: Collection[str], seen: set[CodeType]
) -> bool:
    if isinstance(function, (classmethod, staticmethod)):
        function = function.__func__
    if not isinstance(function, FunctionType) or function.__code__ in seen:
        return False
    seen.add(function.__code__)
    # A wrapper calls what it wraps, which it has in its closure.
    inner = [getattr(function, "__wrapped__", None)]
    for cell in function.__closure__ or ():
        with suppress(ValueError):
            inner.append(cell.cell_contents)
    if any(_function_stores_more(cls, one, stored, seen) for one in inner):
        return True
    return not _is_of_library(function) and _code_stores_more(cls, function.__code__, stored, seen)


def _code_stores_more(
    cls: Any, code: CodeType, stored: Collection[str], seen: set[CodeType]
) -> bool:
    if ATTRS_HASH in (*code.co_names, *code.co_consts):
        return True
    of_self = code.co_varnames[:1]
    has_setter = bool(SETTERS & {*code.co_names})
    is_self, before = False, ""
    for instruction in dis.get_instructions(code):
        name, argument = instruction.opname, instruction.argval
        if name in ("CACHE", "PUSH_NULL", "PRECALL", "NOP", "EXTENDED_ARG"):
            continue
        is_called_super = before == "super" or name.startswith("LOAD_SUPER")
        if name == "STORE_ATTR":
            if is_self and argument not in stored:
                return True
        elif name == "LOAD_CONST":
            # `object.__setattr__(self, "name", …)`, `self.__dict__["name"] = …`
            is_name = has_setter and isinstance(argument, str) and (is_self or before in SETTERS)
            if is_name and argument not in stored:
                return True
        elif name.startswith(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER")):
            method = inspect.getattr_static(cls, argument, None)
            if (is_self or is_called_super) and _function_stores_more(cls, method, stored, seen):
                return True
        # From 3.13 on, one instruction may load several variables; the last is on top.
        last = argument[-1:] if isinstance(argument, tuple) else (argument,)
        is_self = (
            name.startswith(("LOAD_FAST", "LOAD_DEREF", "STORE_FAST_LOAD")) and last == of_self
        )
        if name.startswith("CALL"):
            before = "super" if "super" in code.co_names else ""
        else:
            before = argument if isinstance(argument, str) else ""
    return False
