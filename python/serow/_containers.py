"""The containers that annotations name, and what makes those that are not plain."""

import collections
import collections.abc as abc
import typing
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

#: Plain containers with any number of elements, as text of a schema.
PLAIN: dict[Any, str] = {
    list: "[{}]",
    set: "{{{}}}",
    frozenset: "frozenset{{{}}}",
    dict: "{{{}: {}}}",
}

#: Classes that a `defaultdict` calls for a key that it lacks, if its annotation names them.
_FACTORIES = {
    *(*PLAIN, tuple, bool, int, float, complex, str, bytes, bytearray, Decimal),
    *(collections.deque, collections.Counter),
}


# Type checkers take no variable for an argument of these classes themselves.
_LIST: Any = list
_TUPLE: Any = tuple
_SET: Any = set
_FROZENSET: Any = frozenset
_DICT: Any = dict

#: Gives the annotation of plain containers that stands for a container with these arguments, and
#: what makes the container of a plain one; None if it stays plain.
Other = Callable[..., tuple[Any, Callable[[Any], Any] | None]]

#: An abstract class is decoded as the plain classes that programs take for it. A tuple where a
#: sequence is declared, and a frozenset where a set is, come back as they were.
OTHERS: dict[Any, Other] = {
    abc.Sequence: lambda of: (_LIST[of] | _TUPLE[of, ...], None),
    abc.MutableSequence: lambda of: (_LIST[of], None),
    abc.Set: lambda of: (_SET[of] | _FROZENSET[of], None),
    abc.MutableSet: lambda of: (_SET[of], None),
    abc.Mapping: lambda key, of: (_DICT[key, of], None),
    abc.MutableMapping: lambda key, of: (_DICT[key, of], None),
    collections.deque: lambda of: (_LIST[of], collections.deque),
    collections.Counter: lambda key: (_DICT[key, int], _counter),
    collections.defaultdict: lambda key, of: (_DICT[key, of], _default_dict(of)),
}


def has(cls: type) -> bool:
    """Tell whether a class is one of these containers, or a tuple."""
    return cls is tuple or cls in PLAIN or cls in OTHERS


def arguments(cls: Any) -> int:
    """Give the number of arguments of a container."""
    return 2 if cls in (dict, abc.Mapping, abc.MutableMapping, collections.defaultdict) else 1


def _counter(items: dict[Any, int]) -> "collections.Counter[Any]":
    # Updating an empty Counter would add the numbers one by one.
    made: collections.Counter[Any] = collections.Counter()
    dict.update(made, items)
    return made


def _default_dict(of: Any) -> Callable[[Any], Any]:
    return partial(collections.defaultdict, _factory(of))


def _factory(of: Any) -> Callable[[], Any] | None:
    """Give what makes an empty value of an annotation; None if it names no such class."""
    bare = typing.get_origin(of) or of
    if bare is collections.defaultdict:
        args = typing.get_args(of)
        return partial(collections.defaultdict, _factory(args[1]) if args else None)
    return bare if isinstance(bare, type) and bare in _FACTORIES else None
