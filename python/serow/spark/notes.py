"""A log of the calls whose rows serow carried or left to Spark, with the reason."""

import threading
from collections import OrderedDict

from pyspark.sql.types import DataType

#: Maximum number of different notes; the oldest are dropped.
_MOST = 100
#: Maximum length of the columns in a note, in characters.
_WIDEST = 60

_lock = threading.Lock()
_notes: OrderedDict[tuple[str, str, str], int] = OrderedDict()


def add(call: str, schema: DataType | None, how: str) -> None:
    """Note how the rows of a call were carried; `schema` is None if it is not inferred yet."""
    columns = "columns to be inferred" if schema is None else schema.simpleString()
    if len(columns) > _WIDEST:
        columns = columns[: _WIDEST - 1] + "…"
    note = (call, columns, how)
    with _lock:
        _notes[note] = _notes.pop(note, 0) + 1
        if len(_notes) > _MOST:
            _notes.popitem(last=False)


def lines() -> list[str]:
    """Give one line for each kind of call, the latest last."""
    with _lock:
        return [
            f"{call} of {columns}: {how}" + (f" ({count} times)" if count > 1 else "")
            for (call, columns, how), count in _notes.items()
        ]
