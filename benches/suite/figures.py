"""What is said of several measurements of one thing, and of two things measured in turns."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One thing, measured several times."""

    least: float
    median: float


def figure(rounds: Sequence[float]) -> Figure:
    """The least, which noise has disturbed least, and the median, which says how much it did."""
    return Figure(min(rounds), statistics.median(rounds))


@dataclass(frozen=True)
class Ratio:
    """How many times as fast one thing is as another."""

    of_least: float
    """The slow one's least over the fast one's: the figure that is reported."""

    low: float
    high: float
    """The spread: the least and the greatest ratio of any one round."""


def ratio(slow: Sequence[float], fast: Sequence[float]) -> Ratio:
    """Of times in rounds, in which both took turns, so that a round's times go together."""
    pairs = [a / b for a, b in zip(slow, fast, strict=True)]
    return Ratio(min(slow) / min(fast), min(pairs), max(pairs))


def text(one: Ratio) -> str:
    """Such as `2.10x (1.95 to 2.20)`."""
    return f"{one.of_least:.2f}x ({one.low:.2f} to {one.high:.2f})"
