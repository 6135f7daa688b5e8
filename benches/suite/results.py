"""The results: one record for each measured thing, in a CSV with a header of comments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from suite import csv_file
from suite.figures import Figure, figure
from suite.work import WORKS, Sample


@dataclass(frozen=True)
class Key:
    """The identity of a measured thing."""

    scale: str
    workload: str
    scenario: str
    """A text such as `Python encode` or `JVM to Python`."""

    entrant: str
    unit: str = "batch"
    order: str = "in order"
    memory: str = "retained"


@dataclass(frozen=True)
class Record:
    """A key and its results."""

    key: Key
    tier: str
    rows: int
    bytes: int
    rounds: tuple[float, ...]
    """Nanoseconds per row, for every round."""

    allocated: int = 0
    """Bytes per row that the JVM's thread allocated on the heap, in the round with the fewest."""

    @property
    def figure(self) -> Figure:
        """Returns the least and the median nanoseconds per row."""
        return figure(self.rounds)


def key(scale: str, workload: str, where: str, name: str, work: str, order: str) -> Key:
    """Returns the key of a piece of work that is timed in one language."""
    one = WORKS[work]
    return Key(scale, workload, f"{where} {one.verb}", name, one.unit, order, one.memory)


def record(key: Key, tier: str, samples: Iterable[Sample], times: int = 1) -> Record:
    """Returns the record of one sample per round. The rows were converted `times` times in each."""
    rounds = list(samples)
    return Record(
        key,
        tier,
        rounds[0].rows // times,
        rounds[0].bytes,
        tuple(round(sample.nanoseconds / sample.rows, 2) for sample in rounds),
        min(round(sample.allocated / sample.rows) for sample in rounds),
    )


COLUMNS = (
    *(field.name for field in fields(Key)),
    "tier",
    "rows",
    "bytes",
    "allocated_per_row",
    "clock",
    "ns_per_row_least",
    "ns_per_row_median",
    "ns_per_row_rounds",
)


def clock(scenario: str) -> str:
    """Returns the clock: CPU time of one thread, or wall time where two programs work."""
    if scenario in ("compile", "compile first", "first record", "warm-up"):
        return "process-CPU"
    is_wall = " to " in scenario or scenario.split()[0] in ("import", "first", "compile")
    return "wall" if is_wall else "thread-CPU"


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, COLUMNS, map(_line, records))


def _line(one: Record) -> Sequence[object]:
    return (
        *(getattr(one.key, field.name) for field in fields(Key)),
        one.tier,
        one.rows,
        one.bytes,
        one.allocated,
        clock(one.key.scenario),
        f"{one.figure.least:.2f}",
        f"{one.figure.median:.2f}",
        " ".join(f"{each:.2f}" for each in one.rounds),
    )


def read(path: Path) -> tuple[dict[str, str], list[Record]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [_parse(line) for line in lines]


def _parse(row: Mapping[str, str]) -> Record:
    return Record(
        Key(**{field.name: row[field.name] for field in fields(Key)}),
        row["tier"],
        int(row["rows"]),
        int(row["bytes"]),
        tuple(map(float, row["ns_per_row_rounds"].split())),
        int(row["allocated_per_row"]),
    )


class Results:
    """Records, by key."""

    def __init__(self, records: Iterable[Record]) -> None:
        """Takes records with distinct keys."""
        self.records = list(records)
        self._by_key = {one.key: one for one in self.records}

    def get(self, key: Key) -> Record | None:
        """Returns the record, if the thing was measured."""
        return self._by_key.get(key)

    def scales(self) -> list[str]:
        """Returns the scale factors, in the order of measurement."""
        return list(dict.fromkeys(one.key.scale for one in self.records))
