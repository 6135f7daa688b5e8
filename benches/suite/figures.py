"""Summaries of several measurements of one thing, and of two things measured in turns."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One thing, measured several times."""

    least: float
    median: float


def figure(rounds: Sequence[float]) -> Figure:
    """The least time, with the least noise, and the median, which shows the amount of noise."""
    return Figure(min(rounds), statistics.median(rounds))


@dataclass(frozen=True)
class Ratio:
    """The ratio of the speeds of two things."""

    of_least: float
    """The ratio of the two least times. This figure is reported."""

    low: float
    high: float
    """The spread: the smallest and the largest ratio within one round."""


def ratio(slow: Sequence[float], fast: Sequence[float]) -> Ratio:
    """Makes a ratio of times in rounds. Both took turns, so the times of a round go together."""
    pairs = [a / b for a, b in zip(slow, fast, strict=True)]
    return Ratio(min(slow) / min(fast), min(pairs), max(pairs))


def text(one: Ratio) -> str:
    """Returns a text such as `2.10x (1.95 to 2.20)`."""
    return f"{one.of_least:.2f}x ({one.low:.2f} to {one.high:.2f})"
