"""How the decoder makes objects of the caller's classes from the values of their fields."""

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from serow._classes import FIELDS_SET, ByName, Field
from serow._restoring import Restoration, restoration


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
    cls: Any, fields: Sequence[Field], converters: tuple[tuple[int, Callable[[Any], Any]], ...]
) -> Maker:
    """Give the maker of a class with these fields.

    `converters` are those of some fields, by index.
    """
    has_fields_set = fields[-1].name == FIELDS_SET if fields else False
    make, keywords = _called(cls, fields)
    # A metaclass may override `__call__`.
    is_plain = type(cls).__call__ is type.__call__
    is_tuple = is_plain and _is_named_tuple(cls, keywords)
    in_order = is_tuple or (
        is_plain and cls.__new__ is object.__new__ and _parameters(cls.__init__) == keywords
    )
    return Maker(
        make,
        tuple(field.name for field in fields),
        keywords,
        tuple(field.has_default for field in fields),
        (cls.__new__, cls.__init__) if in_order else None,
        None if not in_order else cls.__new__ if is_tuple else cls.__init__,
        cls if is_tuple else None,
        has_fields_set,
        converters,
        restoration(cls, fields[:-1] if has_fields_set else fields),
    )


def _called(cls: Any, fields: Sequence[Field]) -> tuple[Any, tuple[str | None, ...]]:
    """Give what makes an instance, and the keyword that it takes for each field."""
    keywords = tuple(field.keyword for field in fields)
    plain = tuple(keyword for keyword in keywords if not isinstance(keyword, ByName))
    if len(plain) == len(keywords):
        return cls, plain

    def make(**values: Any) -> Any:
        return cls.__pydantic_validator__.validate_python(values, by_name=True)

    make.__qualname__ = cls.__qualname__
    return make, tuple(None if field.keyword is None else field.name for field in fields)


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
