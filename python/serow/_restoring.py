"""Decides how objects are restored from their fields, without calling their classes.

An object that is decoded was made by its class before it was encoded. So its fields are stored as
they were, as pickle does, and neither constructors nor validators run again.
"""

import inspect
import sys
from collections.abc import Callable, Sequence
from types import MemberDescriptorType
from typing import Any, NamedTuple

from serow._classes import FIELDS_SET, Default, Field, is_base_of_structs, is_model
from serow._constructors import is_of_library, stored_by

#: Attributes, each with what makes its value, or None for the value None.
Beside = tuple[tuple[str, Callable[[], Any] | None], ...]

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


def restoration(cls: Any, fields: Sequence[Field]) -> Restoration | None:
    """Give how objects with these fields are restored; None if their class must be called."""
    names = tuple(sys.intern(field.name) for field in fields)
    is_plain = (
        _is_called_plainly(cls)
        and cls.__new__ is object.__new__
        and not cls.__flags__ & IS_ABSTRACT
        and _is_generated(cls)
        and all(_is_stored(cls, name) for name in names)
    )
    beside: Beside = ()
    all_given = None
    if is_model(cls) and hasattr(cls, FIELDS_SET):
        is_plain = is_plain and _is_slot(cls, FIELDS_SET)
        beside, all_given = _of_model(cls), set(names)
        private = cls.__private_attributes__.values()
        is_plain = is_plain and not any(
            getattr(attribute, "default_factory_takes_validated_data", False)
            for attribute in private
        )
    is_plain = is_plain and stored_by(cls)[0] <= {*names, *(name for name, _ in beside)}
    if not is_plain:
        return None
    defaults, functions = tuple(field.default for field in fields), (cls.__new__, cls.__setattr__)
    return Restoration(cls, names, defaults, beside, all_given, functions)


def _is_called_plainly(cls: Any) -> bool:
    """Tell whether the metaclass's `__call__` is Python's, or that of msgspec for all Structs."""
    owner = next(base for base in type(cls).__mro__ if "__call__" in vars(base))
    return owner is type or is_base_of_structs(owner)


def _is_generated(cls: Any) -> bool:
    """Tell whether `__setattr__` is that of `object`, or one that a library made."""
    owner = next(base for base in cls.__mro__ if "__setattr__" in vars(base))
    parameters = vars(owner).get("__dataclass_params__")
    return (
        owner is object
        or (parameters is not None and parameters.frozen)
        or vars(owner).get("__attrs_own_setattr__", False)
        or is_base_of_structs(owner)
        or is_of_library(vars(owner)["__setattr__"])
    )


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
