"""What was carried by serow, and what was left to Spark and why."""

import threading
from collections import OrderedDict

from pyspark.sql.types import DataType

#: So many different notes are kept, the latest ones.
_MOST = 100
#: So long are the columns of a note.
_WIDEST = 60

_lock = threading.Lock()
_notes: OrderedDict[tuple[str, str, str], int] = OrderedDict()


def add(call: str, schema: DataType | None, how: str) -> None:
    """Note how the rows of a call were carried; there is no schema if Spark is to infer it."""
    columns = "columns to be inferred" if schema is None else schema.simpleString()
    if len(columns) > _WIDEST:
        columns = columns[: _WIDEST - 1] + "…"
    note = (call, columns, how)
    with _lock:
        _notes[note] = _notes.pop(note, 0) + 1
        if len(_notes) > _MOST:
            _notes.popitem(last=False)


def lines() -> list[str]:
    """A line for each kind of call there was, the latest last."""
    with _lock:
        return [
            f"{call} of {columns}: {how}" + (f" ({count} times)" if count > 1 else "")
            for (call, columns, how), count in _notes.items()
        ]
