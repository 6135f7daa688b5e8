"""The results: one record for each measured thing, in a CSV with a header of comments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from suite import csv_file
from suite.figures import Figure, figure


@dataclass(frozen=True)
class Key:
    """The identity of a measured thing."""

    scale: str
    group: str
    task: str
    contestant: str
    clock: str = "seconds"
    """`seconds` of wall time, or `busy` seconds of the processors."""


@dataclass(frozen=True)
class Record:
    """A key and its results."""

    key: Key
    rounds: tuple[float, ...]
    """Seconds, for every round."""

    @property
    def figure(self) -> Figure:
        """Returns the least and the median seconds."""
        return figure(self.rounds)


_COLUMNS = (*(field.name for field in fields(Key)), "least", "median", "rounds")


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, _COLUMNS, map(_line, records))


def _line(one: Record) -> Sequence[object]:
    rounds = " ".join(f"{each:.4f}" for each in one.rounds)
    return (*astuple(one.key), f"{one.figure.least:.4f}", f"{one.figure.median:.4f}", rounds)


def read(path: Path) -> tuple[dict[str, str], list[Record]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [
        Record(
            Key(**{field.name: line[field.name] for field in fields(Key)}),
            tuple(map(float, line["rounds"].split())),
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

    def scales(self, group: str) -> list[str]:
        """Returns the scale factors at which a group was measured, in order."""
        return list(dict.fromkeys(key.scale for key in self._by_key if key.group == group))

    def contestants(self, group: str) -> list[str]:
        """Returns the contestants of a group: in the order of the jobs, gc on before gc off."""
        found = dict.fromkeys(key.contestant for key in self._by_key if key.group == group)
        return sorted(found, key=without_gc)


def where(group: str, scale: str) -> str:
    """Returns the text of a scale factor after a group's name. Groups without texts have none."""
    return "" if group in ("dataframe", "udf", "connect") else f", SF={scale}"


def without_gc(contestant: str) -> bool:
    """Returns whether its garbage is not collected."""
    return contestant.endswith("gc off")
