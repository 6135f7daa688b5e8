"""Gives the content of a value for comparison: its class and its elements in order."""

import dataclasses
import struct
from datetime import datetime, time
from typing import Any


def is_nan(value: Any) -> bool:
    """Tell whether a value contains a NaN, whose hash differs for each object."""
    if isinstance(value, tuple | frozenset):
        return any(map(is_nan, value))
    if dataclasses.is_dataclass(value):
        return any(is_nan(getattr(value, field.name)) for field in dataclasses.fields(value))
    return bool(value != value)


def shown(value: Any) -> Any:
    """Give equal results for two values that no program can distinguish except by `is`."""
    of = type(value)
    if isinstance(value, list | tuple):
        fields = getattr(value, "__fields__", None)
        return of, [shown(item) for item in value], fields
    if isinstance(value, set | frozenset):
        items = [shown(item) for item in value]
        return of, sorted(items, key=repr) if any(map(is_nan, value)) else items
    if isinstance(value, dict):
        return of, [(shown(key), shown(item)) for key, item in value.items()]
    if of is float:
        return of, struct.pack("d", value)
    if of is complex:
        return of, struct.pack("dd", value.real, value.imag)
    if isinstance(value, datetime | time):
        return of, repr(value), value.fold, repr(value.tzinfo), type(value.tzinfo)
    if dataclasses.is_dataclass(value):
        return of, [shown(getattr(value, field.name)) for field in dataclasses.fields(value)]
    return of, repr(value)
