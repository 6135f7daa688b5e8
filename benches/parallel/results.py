"""Seconds of each message on each number of threads, and the CSV."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from suite import csv_file
from suite.figures import Ratio, ratio


@dataclass(frozen=True)
class Key:
    """The identity of a measured thing."""

    language: str
    compression: str
    verb: str
    size: int
    """The bytes that the message was to have without compression."""

    threads: str
    """A number, or `auto`."""


@dataclass(frozen=True)
class Record:
    """A key and its results."""

    key: Key
    rows: int
    frames: int
    bytes: int
    rounds: tuple[float, ...]
    """Seconds for a message, for every round."""

    @property
    def least(self) -> float:
        """Returns the least seconds."""
        return min(self.rounds)


COLUMNS = (*(field.name for field in fields(Key)), "rows", "frames", "bytes", "seconds_rounds")


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, COLUMNS, map(_line, records))


def _line(one: Record) -> Sequence[object]:
    rounds = " ".join(f"{each:.4g}" for each in one.rounds)
    return (*astuple(one.key), one.rows, one.frames, one.bytes, rounds)


def read(path: Path) -> tuple[dict[str, str], list[Record]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [_parse(line) for line in lines]


def _parse(line: Mapping[str, str]) -> Record:
    size = int(line["size"])
    texts = {name: line[name] for name in ("language", "compression", "verb", "threads")}
    return Record(
        Key(**texts, size=size),
        int(line["rows"]),
        int(line["frames"]),
        int(line["bytes"]),
        tuple(map(float, line["seconds_rounds"].split())),
    )


@dataclass(frozen=True)
class Series:
    """All numbers of threads with one message, in one language and one direction."""

    language: str
    compression: str
    verb: str
    size: int
    by_threads: Mapping[str, Record]
    """They begin with one thread."""

    @property
    def one(self) -> Record:
        """Returns the times on one thread."""
        return next(iter(self.by_threads.values()))

    def speedup(self, threads: str) -> Ratio:
        """Returns the time of one thread, divided by that of more."""
        return ratio(self.one.rounds, self.by_threads[threads].rounds)


def series(records: Iterable[Record]) -> list[Series]:
    """Returns the series, in the order of the records."""
    found: dict[tuple[str, str, str, int], dict[str, Record]] = {}
    for one in records:
        key = one.key
        name = (key.language, key.compression, key.verb, key.size)
        found.setdefault(name, {})[key.threads] = one
    return [Series(*name, by_threads) for name, by_threads in found.items()]
