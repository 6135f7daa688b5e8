"""Pydantic models whose private attributes have a factory, which is Python code.

The encoder knows by itself whether a private attribute has a default that is a value.
"""

import inspect
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from serow import _naming
from serow._classes import FIELDS_SET
from serow._foreign.results import Holds, NoPlainValue
from serow._records import record_class

#: Classes whose values a factory may make as well. The factory is called only for one of them, or
#: for an empty container: factories of locks, files or connections do more than make a value.
_ATOMS = frozenset([type(None), bool, int, float, complex, str, bytes])


def have_factories(kind: type) -> bool:
    """Tell whether a class is a model with a factory for a private attribute."""
    private = getattr(kind, "__private_attributes__", None)
    return type(private) is dict and any(
        getattr(attribute, "default_factory", None) is not None for attribute in private.values()
    )


def plain(value: Any) -> Any:
    """Give the record of a model whose private attributes are as its class makes them."""
    kind = type(value)
    fields, given = kind.model_fields, value.__pydantic_fields_set__
    for name in value.__pydantic_extra__ or ():
        raise _lost(kind, f"extra field {name} is not declared", "declare it")
    for name in _changed(kind.__private_attributes__, value.__pydantic_private__ or {}):
        raise _lost(kind, f"private attribute {name} is not the default", "make it a field")
    for name in value.__dict__:
        beside = inspect.getattr_static(kind, name, None)
        if name not in fields and not isinstance(beside, cached_property):
            raise _lost(kind, f"attribute {name} is not a field of the class", "remove it")
    for name in fields:
        if name not in value.__dict__:
            raise NoPlainValue(f"its field {name} is not set; set it before encoding")
    names, values = [*fields], [value.__dict__[name] for name in fields]
    if any(not field.is_required() for field in fields.values()):
        names.append(FIELDS_SET)
        values.append(None if given == fields.keys() else given)
    elif given != fields.keys():
        raise NoPlainValue("its model_fields_set is not all fields; add the names of all to it")
    name, called = _naming.written(kind)
    names = [called.get(name, name) for name in names]
    return Holds(record_class(name, tuple(names))._make(values))


def _lost(kind: type, what: str, instead: str) -> NoPlainValue:
    return NoPlainValue(
        f"its {what} and would be lost; {instead}, or register what to encode: "
        f"serow.register({kind.__name__}, to=..., from_=...)"
    )


def _changed(private: dict[str, Any], held: dict[str, Any]) -> Iterator[str]:
    """Give the names of the private attributes that differ from what the class makes."""
    unset = object()
    for name, attribute in private.items():
        found, made = held.get(name, unset), unset
        if attribute.default_factory is None:
            if type(attribute.default).__name__ != "PydanticUndefinedType":
                made = attribute.get_default()
        elif type(found) in _ATOMS or (hasattr(type(found), "__len__") and len(found) == 0):
            made = attribute.default_factory()
        if (found is not unset or made is not unset) and not _same(found, made):
            yield name
    yield from held.keys() - private.keys()


def _same(found: Any, made: Any) -> bool:
    # 1, 1.0 and True are equal, and their representations differ.
    is_equal = type(found) is type(made) and bool(found == made)
    return found is made or (is_equal and repr(found) == repr(made))
