"""Finds the conversion of a foreign class."""

import sys
from collections.abc import Mapping
from enum import Enum, Flag
from typing import Any

from serow._foreign import (
    containers,
    database_rows,
    models,
    numpy_values,
    pandas_values,
    subclasses,
)
from serow._foreign.results import UNKNOWN, Conversion, Holds, NoPlainValue
from serow._known import registered
from serow._registered import Registered

#: The conversions of libraries' classes, by the first part of the class's module.
_LIBRARIES: Mapping[str, Conversion] = {
    "array": containers.of_array,
    "numpy": numpy_values.plain,
    "pandas": pandas_values.plain,
    "sqlalchemy": database_rows.of_sqlalchemy,
    "sqlite3": database_rows.of_sqlite,
}


def _refuse(_: Any) -> Any:
    raise NoPlainValue(UNKNOWN)


def _registered(kind: type, of: Registered, value: Any) -> Any:
    plain = of.to(value)
    if type(plain) is kind:
        name = kind.__qualname__
        raise NoPlainValue(f"the registered to of {name} gives a {name} again, not another value")
    return Holds(plain)


def _member_or_value(flags: Any) -> Any:
    is_member = type(flags).__members__.get(flags.name or "") is flags
    return flags if is_member else flags._value_


def conversion(kind: type) -> Conversion | None:
    """Give the conversion of instances of a class; None if they are not foreign.

    Conversions that the caller has registered come first, and then those of known classes. Members
    of enums, named tuples and PySpark's `Row`s are not foreign. A combination of flags is, because
    it has no name.
    """
    known = registered(kind)
    if known is not None:
        return lambda value: _registered(kind, known, value)
    if issubclass(kind, Flag):
        return _member_or_value
    if issubclass(kind, Enum) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return None
    if models.have_factories(kind):
        return models.plain
    library = str(kind.__module__).partition(".")[0]
    if library == "pyspark":
        return None
    if library in _LIBRARIES:
        return _LIBRARIES[library] if sys.modules.get(library) is not None else _refuse
    return containers.STANDARD.get(kind) or subclasses.conversion(kind)
