"""The compared part of a result: its length and a checksum of every tenth row."""

import zlib
from collections.abc import Iterable
from typing import Any

_STEP = 10


def exactly(result: Any) -> str:
    """A checksum of values and types: `repr` distinguishes 1, 1.0 and True, Row and tuple."""
    if not isinstance(result, list):
        return f"{type(result).__name__} {result!r}"
    return f"list of {len(result)}, {_checksum(result[::_STEP])}"


def plainly(result: Any) -> str:
    """A checksum of values alone: some contestants give dicts or a pandas frame instead of Rows."""
    if hasattr(result, "itertuples"):
        rows = list(result.iloc[::_STEP].itertuples(index=False, name=None))
    elif isinstance(result, list):
        rows = result[::_STEP]
    else:
        return repr(result)
    return f"{len(result)}, {_checksum(map(_values, rows))}"


def _checksum(rows: Iterable[Any]) -> str:
    checksum = 0
    for row in rows:
        checksum = zlib.crc32(repr(row).encode(), checksum)
    return f"{checksum:08x}"


def _values(row: Any) -> list[Any]:
    """Returns the values of a Row, or of its substitute, in order."""
    return [_plain(each) for each in (row.values() if isinstance(row, dict) else row)]


def _plain(one: Any) -> Any:
    """Converts arrays to lists, and structs and maps to sorted pairs.

    A struct is a Row in Spark, and a dict elsewhere; a map is a dict, and in Arrow a list of
    tuples.
    """
    if hasattr(one, "asDict"):
        one = one.asDict()
    if isinstance(one, dict):
        return sorted((key, _plain(each)) for key, each in one.items())
    if hasattr(one, "tolist"):
        one = one.tolist()
    if isinstance(one, list | tuple):
        plain = [_plain(each) for each in one]
        return sorted(map(tuple, plain)) if _is_map(one) else plain
    return one


def _is_map(one: Any) -> bool:
    return isinstance(one, list) and bool(one) and type(one[0]) is tuple
