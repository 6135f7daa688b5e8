"""How the decoder makes objects of the caller's classes from the values of their fields."""

import enum
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from serow._restoring import FIELDS_SET, Default, Restoration, restoration


class ByName(enum.Enum):
    """Stands for the keyword of a field of pydantic that no keyword of the constructor gives."""

    BY_NAME = enum.auto()


BY_NAME = ByName.BY_NAME


class Maker(NamedTuple):
    """How to make a record of a class: restore it, or call the class with its fields."""

    make: Any
    #: The attribute of each field.
    names: tuple[str, ...]
    #: The keyword of each field; None for a field that is set after the call.
    keywords: tuple[str | None, ...]
    #: Whether each field has a default.
    defaults: tuple[bool, ...]
    #: `__new__` and `__init__` of the class, if it also accepts the values by position.
    in_order: tuple[Any, Any] | None
    #: The function of these that takes the values. It has the defaults of the last fields.
    function: Any
    #: The class, if an instance is just the tuple of the values and calling it does nothing else.
    tuple_class: type | None
    #: Whether the last field is the `__pydantic_fields_set__` of a model. If it is None, the set
    #: is that of all fields.
    has_fields_set: bool
    #: The indices of fields whose values are converted first, and what converts them.
    converters: tuple[tuple[int, Callable[[Any], Any]], ...]
    #: How to restore an object without calling the class, if that is possible.
    restoration: Restoration | None


def maker(
    cls: Any,
    names: tuple[str, ...],
    keywords: tuple[str | ByName | None, ...],
    has_default: tuple[bool, ...],
    defaults: tuple[Default | None, ...],
    converters: tuple[tuple[int, Callable[[Any], Any]], ...],
) -> Maker:
    """Give the maker of a class with these fields.

    `defaults` are those of the fields that are known without calling the class. `converters` are
    those of some fields, by index.
    """
    has_fields_set = names[-1:] == (FIELDS_SET,)
    make, keywords = _called(cls, names, keywords)
    stored = names[:-1] if has_fields_set else names
    # A metaclass may override `__call__`.
    is_plain = type(cls).__call__ is type.__call__
    is_tuple = is_plain and _is_named_tuple(cls, keywords)
    in_order = is_tuple or (
        is_plain and cls.__new__ is object.__new__ and _parameters(cls.__init__) == keywords
    )
    return Maker(
        make,
        names,
        keywords,
        has_default,
        (cls.__new__, cls.__init__) if in_order else None,
        None if not in_order else cls.__new__ if is_tuple else cls.__init__,
        cls if is_tuple else None,
        has_fields_set,
        converters,
        restoration(cls, stored, defaults[: len(stored)]),
    )


def _called(
    cls: Any, names: tuple[str, ...], keywords: tuple[str | ByName | None, ...]
) -> tuple[Any, tuple[str | None, ...]]:
    """Give what makes an instance, and the keyword that it takes for each field."""
    plain = tuple(keyword for keyword in keywords if not isinstance(keyword, ByName))
    if len(plain) == len(keywords):
        return cls, plain

    def make(**fields: Any) -> Any:
        return cls.__pydantic_validator__.validate_python(fields, by_name=True)

    make.__qualname__ = cls.__qualname__
    of_names = zip(names, keywords, strict=True)
    return make, tuple(None if keyword is None else name for name, keyword in of_names)


def _parameters(function: Any) -> tuple[str, ...] | None:
    # Look at the code that runs: `inspect.signature` may show another function's parameters.
    if type(function) is not FunctionType:
        return None
    return function.__code__.co_varnames[1 : function.__code__.co_argcount]


def _is_named_tuple(cls: Any, keywords: tuple[str | None, ...]) -> bool:
    if not issubclass(cls, tuple) or cls.__init__ is not object.__init__:
        return False
    if _parameters(cls.__new__) != keywords:
        return False
    # The globals of a `__new__` that `collections.namedtuple` makes contain nothing else.
    seen = dict(cls.__new__.__globals__)
    return (seen.pop("_tuple_new", None), seen.pop("__builtins__", None), [*seen]) == (
        tuple.__new__,
        {},
        ["__name__"],
    )
