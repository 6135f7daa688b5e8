"""Says what to do about values that have no equal plain value."""

import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import timezone
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, SimpleNamespace
from typing import Any

from serow._foreign import subclasses
from serow._foreign.conversions import conversion
from serow._foreign.results import Holds, NoPlainValue, converted
from serow._foreign.zones import has_foreign_zone, with_plain_zone
from serow._known import secret_advice

_SHARED = (
    "its plain value, or one beside it, has no hash, or equals another element of its set or "
    "another key of its dict; convert them"
)

#: What to use instead of instances of a class. The first class that fits counts.
_INSTEAD: tuple[tuple[tuple[type, ...], str], ...] = (
    ((timezone, PurePath), "use str(value)"),
    ((SimpleNamespace,), "use vars(value)"),
    ((Mapping,), "use dict(value)"),
    ((Set,), "use set(value)"),
    ((Sequence, Iterable), "use list(value)"),
)

#: Classes and functions.
_NAMED = (type, FunctionType, BuiltinFunctionType)


def advice(value: Any) -> str | None:
    """Explain why a value is still in the copied rows; None if nothing is known about it."""
    try:
        if has_foreign_zone(value):
            with_plain_zone(value)
            return _SHARED
        convert = conversion(type(value))
        if convert is not None:
            plain = converted(convert, value)
            return advice(plain.value) if _has_zone(plain) else _SHARED
    except NoPlainValue as why:
        return str(why)
    return _instead(value)


def _has_zone(plain: Any) -> bool:
    return type(plain) is Holds and has_foreign_zone(plain.value)


def _instead(value: Any) -> str | None:
    """Name what to use instead of a value of a class that is not plain."""
    if type(value) in subclasses.PLAIN:
        return None
    if isinstance(value, _NAMED):
        return "serow encodes data, not code; use value.__qualname__"
    if type(value) is getattr(sys.modules.get("msgspec"), "UnsetType", None):
        return "a record has all its fields; use None"
    if hasattr(type(value), "__mapper__"):
        return (
            "use a dict of its columns: {a.key: getattr(value, a.key) for a in "
            "sqlalchemy.inspect(value).mapper.column_attrs}"
        )
    if hasattr(type(value), "__fields__") and hasattr(type(value), "dict"):
        # A model of pydantic's first version.
        return "use value.dict()"
    secret = secret_advice(type(value))
    if secret is not None:
        return secret
    if str(type(value).__module__).partition(".")[0] in ("pydantic", "pydantic_core"):
        return "use str(value)"
    known = next((what for kinds, what in _INSTEAD if isinstance(value, kinds)), None)
    if known is not None:
        return known
    if type(value).__module__ == "builtins":
        return "convert it to a plain value: numbers, str, bytes, times, lists, tuples, sets, dicts"
    return f"register its class with serow.register({type(value).__qualname__}, to=...)"
