"""The results: one record for each step of a job, in a CSV with a header of comments."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import chain
from pathlib import Path

from suite import csv_file

Rounds = tuple[tuple[float, ...], ...]
"""For every round, the seconds of its runs."""


@dataclass(frozen=True)
class Key:
    """The identity of a measured thing."""

    group: str
    job: str
    step: str
    contestant: str


@dataclass(frozen=True)
class Record:
    """A key and its results."""

    key: Key
    bytes: int
    """Shuffled, cached or serialized bytes. 0 if the step makes none."""

    seconds: Rounds
    gc_seconds: Rounds
    """Seconds within `seconds` in which the garbage collector worked."""

    @property
    def rounds(self) -> tuple[float, ...]:
        """Returns the least seconds of each round."""
        return tuple(map(min, self.seconds))

    @property
    def least(self) -> float:
        """Returns the least seconds of all runs."""
        return min(self.rounds)

    @property
    def median(self) -> float:
        """Returns the median of the seconds of all runs."""
        return statistics.median(chain.from_iterable(self.seconds))

    @property
    def gc(self) -> float:
        """Returns the median of the garbage collector's seconds."""
        return statistics.median(chain.from_iterable(self.gc_seconds))


_COLUMNS = (
    *(field.name for field in fields(Key)),
    *("bytes", "least", "median", "median_gc", "seconds", "gc_seconds"),
)


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, _COLUMNS, map(_line, records))


def _line(one: Record) -> Sequence[object]:
    summary = (f"{each:.7f}" for each in (one.least, one.median, one.gc))
    return (*astuple(one.key), one.bytes, *summary, _text(one.seconds), _text(one.gc_seconds))


def _text(rounds: Rounds) -> str:
    """Returns a text such as `1.1 1.2; 1.0 1.3`."""
    return "; ".join(" ".join(f"{each:.7f}" for each in runs) for runs in rounds)


def _parsed(text: str) -> Rounds:
    return tuple(tuple(map(float, runs.split())) for runs in text.split(";"))


def read(path: Path) -> tuple[dict[str, str], list[Record]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [
        Record(
            Key(**{field.name: line[field.name] for field in fields(Key)}),
            int(line["bytes"]),
            _parsed(line["seconds"]),
            _parsed(line["gc_seconds"]),
        )
        for line in lines
    ]


class Results:
    """Records, by key."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Takes records with distinct keys."""
        self._by_key = {one.key: one for one in records}

    def get(self, key: Key) -> Record | None:
        """Returns the record, if the thing was measured."""
        return self._by_key.get(key)

    def steps(self, group: str) -> list[tuple[str, str]]:
        """Returns the jobs of a group with their steps."""
        return list(
            dict.fromkeys((key.job, key.step) for key in self._by_key if key.group == group)
        )

    def of_job(self, group: str, job: str, contestant: str) -> list[Record]:
        """Returns the records of a contestant's steps in a job."""
        keys = (
            Key(group, job, step, contestant) for name, step in self.steps(group) if name == job
        )
        return [one for key in keys if (one := self.get(key))]

    def contestants(self, group: str) -> list[str]:
        """Returns the contestants of a group, in the order in which they were first measured."""
        return list(dict.fromkeys(key.contestant for key in self._by_key if key.group == group))
