"""How instances of the caller's classes are made of the values of their fields."""

from types import FunctionType
from typing import Any, NamedTuple


class Maker(NamedTuple):
    """How a record's instances are made: by calling a class with the values of its fields."""

    make: Any
    #: The keyword that each field is given by; None for one that is set after the call.
    keywords: tuple[str | None, ...]
    #: Whether a field may be left out.
    defaults: tuple[bool, ...]
    #: If the class takes the values in the order of the fields as well: its `__new__` and
    #: `__init__`, with which it does.
    in_order: tuple[Any, Any] | None
    #: If so, the function that takes the values, which has the defaults of the last of them.
    function: Any
    #: The class, if an instance is the tuple of the values and a call comes to nothing else.
    tuple_class: type | None


def maker(cls: Any, keywords: tuple[str | None, ...], defaults: tuple[bool, ...]) -> Maker:
    """Give the maker of a class."""
    # A metaclass may have it be called in its own way.
    is_plain = type(cls).__call__ is type.__call__
    is_tuple = is_plain and _is_named_tuple(cls, keywords)
    in_order = is_tuple or (
        is_plain and cls.__new__ is object.__new__ and _parameters(cls.__init__) == keywords
    )
    functions = (cls.__new__, cls.__init__) if in_order else None
    function = None if not in_order else cls.__new__ if is_tuple else cls.__init__
    return Maker(cls, keywords, defaults, functions, function, cls if is_tuple else None)


def _parameters(function: Any) -> tuple[str, ...] | None:
    # The code that is going to run is asked, since a signature may be another function's.
    if type(function) is not FunctionType:
        return None
    return function.__code__.co_varnames[1 : function.__code__.co_argcount]


def _is_named_tuple(cls: Any, keywords: tuple[str | None, ...]) -> bool:
    if not issubclass(cls, tuple) or cls.__init__ is not object.__init__:
        return False
    if _parameters(cls.__new__) != keywords:
        return False
    # What `collections.namedtuple` makes sees nothing but this.
    seen = dict(cls.__new__.__globals__)
    return (seen.pop("_tuple_new", None), seen.pop("__builtins__", None), [*seen]) == (
        tuple.__new__,
        {},
        ["__name__"],
    )
