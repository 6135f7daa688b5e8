"""Plain values of rows that databases' libraries give.

A row is a record named `Row`, with a field for each column. If columns have the same name, it is a
tuple.
"""

import sys
from typing import Any

from serow._foreign import subclasses
from serow._foreign.results import UNKNOWN, Holds, NoPlainValue
from serow._records import record_class


def of_sqlite(value: Any) -> Any:
    """Give the row of the module `sqlite3`."""
    if type(value) is sys.modules["sqlite3"].Row:
        return _record(tuple(value.keys()), tuple(value))
    raise NoPlainValue(UNKNOWN)


def of_sqlalchemy(value: Any) -> Any:
    """Give the row, the mapping or the text of SQLAlchemy."""
    kind = type(value)
    if kind.__name__ == "Row" and hasattr(value, "_mapping"):
        return _record(tuple(value._fields), tuple(value))
    if kind.__name__ == "RowMapping":
        return Holds(dict(value))
    convert = subclasses.conversion(kind)
    if convert is not None:
        return convert(value)
    raise NoPlainValue(UNKNOWN)


def _record(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    if len(set(names)) != len(values):
        return Holds(values)
    return Holds(record_class("Row", names)._make(values))
