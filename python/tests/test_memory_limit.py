"""`max_memory` counts what Python's objects take, for every type and wire."""

from __future__ import annotations

import datetime as dt
import gc
import tracemalloc
import uuid
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
import serow

COUNT = 1_500
SMILES = "\U0001f600 " * 9
UTC = dt.timezone.utc
ROUND = dt.datetime(2024, 5, 17, 12, 30)


class Point(NamedTuple):
    x: int
    y: float


def zone(i: int) -> dt.timezone:
    return dt.timezone(dt.timedelta(seconds=i), f"zone {i}")


VALUES: dict[str, Any] = {
    "ints": [2**40 + i for i in range(COUNT)],
    "large ints": [(-3) ** 200 * i for i in range(2, COUNT)],
    "equal large ints": [7**300] * COUNT,
    "floats": [i / 7 for i in range(COUNT)],
    "ascii": [f"text {i}" for i in range(COUNT)],
    "latin": [f"größe {i}" for i in range(COUNT)],
    "two bytes a character": [f"größe Δ {i}" + "a" * 50 for i in range(COUNT)],
    "four bytes a character": ["\U0001f600" + "a" * 200 + str(i) for i in range(COUNT)],
    "a dictionary of wide text": ["\U0001f600" + "a" * 9_000 + str(i % 50) for i in range(COUNT)],
    "words": [f"almond blue {SMILES} {i}" for i in range(COUNT)],
    "bytes": [b"x" * 50 + b"%d" % i for i in range(COUNT)],
    "equal bytes": [b"x" * 5_000] * COUNT,
    "bytearrays": [bytearray(b"x" * 50 + b"%d" % i) for i in range(COUNT)],
    "equal bytearrays": [bytearray(b"x" * 5_000)] * COUNT,
    "dates": [dt.date(1990, 1, 1) + dt.timedelta(i) for i in range(COUNT)],
    "times": [(ROUND + dt.timedelta(microseconds=i)).time() for i in range(COUNT)],
    "times with zones": [ROUND.replace(tzinfo=zone(i)).timetz() for i in range(COUNT)],
    "timestamps": [ROUND + dt.timedelta(seconds=i) for i in range(COUNT)],
    "timestamps in UTC": [
        ROUND.replace(tzinfo=UTC) + dt.timedelta(seconds=i) for i in range(COUNT)
    ],
    "timestamps of many zones": [ROUND.replace(tzinfo=zone(i)) for i in range(COUNT)],
    "durations": [dt.timedelta(seconds=i, microseconds=i) for i in range(COUNT)],
    "decimals": [Decimal(i).scaleb(-2) for i in range(COUNT)],
    "large decimals": [Decimal(7**200 + i) for i in range(COUNT)],
    "uuids": [uuid.UUID(int=i * 2**90 + i) for i in range(COUNT)],
    "complex": [complex(i, -i) for i in range(COUNT)],
    "lists": [[None] * (i % 20) for i in range(COUNT)],
    "empty lists": [[[] for _ in range(20)] for _ in range(COUNT // 10)],
    "tuples": [(None, True, (i % 5,)) for i in range(COUNT)],
    "records": [Point(2**40 + i, i / 7) for i in range(COUNT)],
    "dicts": [{"a": 2**40 + i, "b": None, "c": True} for i in range(COUNT)],
    "one long set": [set(range(2**40, 2**40 + 100_000))],
}
for n in (1, 4, 5, 9, 19, 77, 307):
    VALUES[f"sets of {n}"] = [{2**40 + i + j for j in range(n)} for i in range(COUNT // n + 1)]
    VALUES[f"frozensets of {n}"] = [frozenset(each) for each in VALUES[f"sets of {n}"]]
    VALUES[f"maps of {n}"] = [
        dict.fromkeys(each, i) for i, each in enumerate(VALUES[f"sets of {n}"])
    ]


def memory_of(message: bytes) -> int:
    """Return the most memory that Python's allocators give for the rows."""
    serow.loads(message)
    gc.collect()
    tracemalloc.start()
    try:
        rows = serow.loads(message)
        return tracemalloc.get_traced_memory()[1] if rows else 0
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("rows", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("compression", [None, "zstd"])
def test_rows_take_no_more_than_was_counted(rows: list[Any], compression: Any, wire: Any) -> None:
    message = serow.dumps(rows, wire=wire, compression=compression)
    taken = memory_of(message)
    with pytest.raises(serow.LimitError, match="max_memory"):
        serow.loads(message, max_memory=taken * 98 // 100)
    # It is an upper bound, but a useful one. What reading takes counts too, such as joined text.
    assert serow.loads(message, max_memory=4 * taken + 200_000) == rows
