"""The measurements of a round, and the summary of several rounds and portions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from statistics import median


@dataclass(frozen=True)
class Round:
    """One round of one contestant with one portion of the rows. Times are seconds of wall time."""

    python_encode: float
    to_java: float
    java_decode: float
    java_encode: float
    to_python: float
    python_decode_cold: float
    python_decode_warm: float
    own_decode_cold: float
    own_decode_warm: float
    """Python decodes what Python encoded, besides the trip: the JVM's pickles are longer."""


TIMES = tuple(field.name for field in fields(Round))


@dataclass(frozen=True)
class Outcome:
    """One contestant's share of one portion: its size, and each round's times."""

    rows: int
    python_bytes: int
    java_bytes: int
    rounds: Sequence[Round]


@dataclass(frozen=True)
class Summary:
    """One contestant's figures for the whole table."""

    rows: int
    python_bytes: int
    java_bytes: int
    fastest: Round
    median: Round


def summarize(outcomes: Sequence[Outcome]) -> Summary:
    """Returns the sums over portions of each portion's fastest and of its median times.

    Each piece of work has its fastest time of its own, which may come from different rounds.
    """
    return Summary(
        rows=sum(outcome.rows for outcome in outcomes),
        python_bytes=sum(outcome.python_bytes for outcome in outcomes),
        java_bytes=sum(outcome.java_bytes for outcome in outcomes),
        fastest=_combine(outcomes, min),
        median=_combine(outcomes, median),
    )


def _combine(outcomes: Sequence[Outcome], pick: Callable[[Iterable[float]], float]) -> Round:
    return Round(
        **{
            name: sum(pick([getattr(one, name) for one in outcome.rounds]) for outcome in outcomes)
            for name in TIMES
        }
    )
