"""How the decoder instantiates the caller's classes from the values of their fields."""

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple


class Maker(NamedTuple):
    """How to instantiate a record: call a class with the values of its fields."""

    make: Any
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
    #: stays as the class makes it: all fields.
    has_fields_set: bool


#: The slot where pydantic stores the names of the fields that were given.
FIELDS_SET = "__pydantic_fields_set__"


def maker(
    cls: Any,
    names: tuple[str, ...],
    keywords: tuple[str | None, ...],
    defaults: tuple[bool, ...],
    converters: dict[str, Callable[[Any], Any]],
) -> Maker:
    """Give the maker of a class with these fields.

    `converters` are those of some fields, by keyword.
    """
    has_fields_set = names[-1:] == (FIELDS_SET,)
    if converters:
        converting = _ConvertingClass(cls, converters)
        return Maker(converting, keywords, defaults, None, None, None, has_fields_set)
    # A metaclass may override `__call__`.
    is_plain = type(cls).__call__ is type.__call__
    is_tuple = is_plain and _is_named_tuple(cls, keywords)
    in_order = is_tuple or (
        is_plain and cls.__new__ is object.__new__ and _parameters(cls.__init__) == keywords
    )
    functions = (cls.__new__, cls.__init__) if in_order else None
    function = None if not in_order else cls.__new__ if is_tuple else cls.__init__
    tuple_class = cls if is_tuple else None
    return Maker(cls, keywords, defaults, functions, function, tuple_class, has_fields_set)


class _ConvertingClass:
    """Calls a class with some of its fields converted."""

    def __init__(self, cls: type, converters: dict[str, Callable[[Any], Any]]) -> None:
        self.cls = cls
        self.converters = converters
        self.__qualname__ = cls.__qualname__

    def __call__(self, **given: Any) -> Any:
        for keyword, convert in self.converters.items():
            if keyword in given:
                given[keyword] = convert(given[keyword])
        return self.cls(**given)


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
