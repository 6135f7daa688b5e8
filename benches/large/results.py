"""Seconds, bytes and memory of each thing that is measured, and the CSV."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from suite import csv_file

ENCODE, DECODE, KEPT = "encode", "decode", "decode-kept"
VERBS = (ENCODE, DECODE, KEPT)
WRITE, READ = "write", "read"
STREAM, MESSAGE = "stream", "message"


@dataclass(frozen=True)
class Key:
    """The identity of a measured thing."""

    workload: str
    """Rows, or `stream` or `message`."""

    contestant: str
    compression: str
    verb: str


@dataclass(frozen=True)
class Record:
    """A key and its results."""

    key: Key
    rows: int
    bytes: int
    memory: int
    """The most bytes of memory that the process had in any round; 0 if that is not measured."""

    rounds: tuple[float, ...]
    """Seconds for all rows, for every round."""

    @property
    def least(self) -> float:
        """Returns the least seconds."""
        return min(self.rounds)

    @property
    def each(self) -> list[float]:
        """Returns the seconds for a row, for every round."""
        return [one / self.rows for one in self.rounds]


Results = Mapping[Key, Record]

COLUMNS = (*(field.name for field in fields(Key)), "rows", "bytes", "memory", "seconds_rounds")


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, COLUMNS, map(_line, records))


def _line(one: Record) -> Sequence[object]:
    rounds = " ".join(f"{each:.4g}" for each in one.rounds)
    return (*astuple(one.key), one.rows, one.bytes, one.memory, rounds)


def read(path: Path) -> tuple[dict[str, str], Results]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, by_key(map(_parse, lines))


def by_key(records: Iterable[Record]) -> Results:
    """Returns the records by their keys, in their order."""
    return {one.key: one for one in records}


def _parse(line: Mapping[str, str]) -> Record:
    return Record(
        Key(*(line[field.name] for field in fields(Key))),
        int(line["rows"]),
        int(line["bytes"]),
        int(line["memory"]),
        tuple(map(float, line["seconds_rounds"].split())),
    )
