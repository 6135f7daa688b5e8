"""The times and the memory of each contestant, and the CSV with a header of comments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arrow.contests import CONTESTS, SEROW, Contest
from suite import csv_file

COLUMNS = ("task", "rows", "who", "ns_per_row_rounds", "peak_bytes_per_row")


@dataclass(frozen=True)
class Record:
    """One contestant in one contest."""

    task: str
    rows: str
    who: str
    rounds: tuple[float, ...]
    """Nanoseconds per row, the least of each round."""

    memory: float
    """Bytes per row by which the process grew at most."""


def write(path: Path, header: Mapping[str, str], records: Iterable[Record]) -> None:
    """Writes the file completely or not at all."""
    csv_file.write(path, header, COLUMNS, map(_line, records))


def _line(one: Record) -> tuple[str, ...]:
    rounds = " ".join(f"{each:.2f}" for each in one.rounds)
    return one.task, one.rows, one.who, rounds, f"{one.memory:.0f}"


def read(path: Path) -> tuple[dict[str, str], list[Record]]:
    """Reads what `write` wrote."""
    header, lines = csv_file.read(path)
    return header, [
        Record(
            line["task"],
            line["rows"],
            line["who"],
            tuple(map(float, line["ns_per_row_rounds"].split())),
            float(line["peak_bytes_per_row"]),
        )
        for line in lines
    ]


@dataclass(frozen=True)
class Decided:
    """A contest with two records: one of serow and one of the fastest peer."""

    contest: Contest
    serow: Record
    peer: Record


def decide(records: Iterable[Record]) -> list[Decided]:
    """Returns the contests that were measured, in their order."""
    by_place = {(one.task, one.rows, one.who): one for one in records}
    decided = []
    for contest in CONTESTS:
        of = {
            who: by_place[contest.task, contest.rows, who]
            for who in (SEROW, *contest.peers)
            if (contest.task, contest.rows, who) in by_place
        }
        peers = [one for who, one in of.items() if who != SEROW]
        if SEROW in of and peers:
            fastest = min(peers, key=lambda one: min(one.rounds))
            decided.append(Decided(contest, of[SEROW], fastest))
    return decided
