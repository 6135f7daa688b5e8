"""Times on each Python, their ratios, and the CSV with a header of comments."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from suite import csv_file
from suite.results import Key, clock

LIMIT = 1.05
"""The goal: a newer Python takes no more than this times the time of the first."""


@dataclass(frozen=True)
class Measured:
    """One row of the benchmark on one Python."""

    key: Key
    python: str
    tier: str
    processes: tuple[tuple[float, ...], ...]
    """Nanoseconds per row, for every round in every process."""

    @property
    def leasts(self) -> list[float]:
        """Returns the least time in each process."""
        return [min(rounds) for rounds in self.processes]

    @property
    def nanoseconds(self) -> float:
        """Returns the median of the least times."""
        return statistics.median(self.leasts)


@dataclass(frozen=True)
class Compared:
    """One row of the benchmark on a newer Python and on the first."""

    first: Measured
    newer: Measured

    @property
    def key(self) -> Key:
        """Returns what was measured."""
        return self.first.key

    @property
    def ratio(self) -> float:
        """Returns the newer Python's time, divided by the first's. Below 1 the newer is faster."""
        return self.newer.nanoseconds / self.first.nanoseconds

    @property
    def spread(self) -> tuple[float, float]:
        """Returns the smallest and the largest ratio of processes that took turns."""
        pairs = zip(self.newer.leasts, self.first.leasts, strict=True)
        ratios = [newer / first for newer, first in pairs]
        return min(ratios), max(ratios)

    @property
    def is_met(self) -> bool:
        """Returns whether the row reaches the goal."""
        return self.ratio <= LIMIT


def compare(measured: Sequence[Measured]) -> Mapping[str, list[Compared]]:
    """Returns the comparisons of each newer Python with the first of all."""
    pythons = list(dict.fromkeys(one.python for one in measured))
    first = {one.key: one for one in measured if one.python == pythons[0]}
    return {
        python: [Compared(first[one.key], one) for one in measured if one.python == python]
        for python in pythons[1:]
    }


COLUMNS = (
    *(field.name for field in fields(Key)),
    "tier",
    "clock",
    "python",
    "ns_per_row",
    "ns_per_row_rounds",
)


def write(path: Path, header: Mapping[str, str], measured: Iterable[Measured]) -> None:
    """Writes the file completely or not at all. A semicolon separates the rounds of processes."""
    csv_file.write(path, header, COLUMNS, map(_line, measured))


def _line(one: Measured) -> Sequence[object]:
    return (
        *(getattr(one.key, field.name) for field in fields(Key)),
        one.tier,
        clock(one.key.scenario),
        one.python,
        f"{one.nanoseconds:.2f}",
        "; ".join(" ".join(f"{each:.2f}" for each in all_) for all_ in one.processes),
    )


def read(path: Path) -> tuple[dict[str, str], list[Measured]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [_parse(line) for line in lines]


def _parse(row: Mapping[str, str]) -> Measured:
    processes = row["ns_per_row_rounds"].split(";")
    return Measured(
        Key(**{field.name: row[field.name] for field in fields(Key)}),
        row["python"],
        row["tier"],
        tuple(tuple(map(float, rounds.split())) for rounds in processes),
    )
