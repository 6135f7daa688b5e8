"""Arrow's columns: rows become columns and come back, and columns a message and back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import serow

from demo import part
from demo.clock import collector_off, timed
from demo.progress import Progress
from demo.rows import Rows
from demo.trip import check

try:
    import pyarrow as pa
except ModuleNotFoundError:  # It has no wheels for the newest Python.
    pa = None

STEPS = ("rows to columns", "columns to rows", "columns to message", "message to columns")


@dataclass(frozen=True)
class Converted:
    """The fastest seconds of each step that a contestant can do."""

    name: str
    rows: int
    fastest: Mapping[str, float]


def convert(table: Path, rounds: int) -> list[Converted]:
    """Converts the first portion of the table. Raises if a row differs."""
    rows = next(part.portions(table, part.PORTION))
    ways = {"serow": _serow(rows)} | ({"pyarrow": _pyarrow(rows)} if pa is not None else {})
    fastest: dict[str, dict[str, float]] = {name: {} for name in ways}
    progress = Progress(len(ways) * rounds)
    try:
        for number in range(1, rounds + 1):
            for name, steps in ways.items():
                progress.now(f"Arrow's columns, round {number} of {rounds}: {name}")
                for step, seconds in _round(rows, name, steps).items():
                    fastest[name][step] = min(seconds, fastest[name].get(step, seconds))
                progress.step()
    finally:
        progress.close()
    return [Converted(name, len(rows), times) for name, times in fastest.items()]


_Steps = Sequence[Callable[[Any], Any]]
"""What is done in each step to what the step before has given; at first to the rows."""


def _serow(rows: Rows) -> _Steps:
    codec = serow.Codec.infer(rows)

    def to_rows(columns: Any) -> tuple[Any, Rows]:
        return columns, serow.from_arrow(columns)

    def to_message(both: Any) -> bytes:
        return codec.encode(both[0])

    return serow.to_arrow, to_rows, to_message, codec.decode_arrow


def _pyarrow(rows: Rows) -> _Steps:
    names = [str(column) for column in range(len(rows[0]))]

    def to_columns(rows: Rows) -> Any:
        return pa.table([pa.array(column) for column in zip(*rows, strict=True)], names=names)

    def to_rows(columns: Any) -> tuple[Any, Rows]:
        return columns, list(zip(*(column.to_pylist() for column in columns), strict=True))

    return to_columns, to_rows


def _round(rows: Rows, name: str, steps: _Steps) -> dict[str, float]:
    given: Any = rows
    seconds = {}
    for step, work in zip(STEPS, steps, strict=False):
        with collector_off():
            given, seconds[step] = timed(partial(work, given))
        if step == "columns to rows":
            check(rows, given[1], f"{name}, columns to rows")
    if name == "serow":
        check(rows, serow.from_arrow(given), f"{name}, message to columns")
    return seconds
