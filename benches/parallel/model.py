"""The time that n threads take for a message: T/n + H*n.

T is the time of the work, and H what each thread costs. The sum is least for n = sqrt(T/H). The
work is cut into frames only: if three frames are for two threads, one thread has two of them, so T
is divided by 3/2 and not by 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from parallel.results import Series
from parallel.settings import AUTO


@dataclass(frozen=True)
class Model:
    """T and H, in seconds, and the frames of the message."""

    work: float
    each: float
    frames: int

    def seconds(self, threads: int) -> float:
        """Returns the time of so many threads."""
        return self.work * share(threads, self.frames) + self.each * started(threads, self.frames)

    def speedup(self, threads: int) -> float:
        """Returns the time of one thread, divided by that of more."""
        return self.seconds(1) / self.seconds(threads)

    @property
    def ideal(self) -> float | None:
        """Returns sqrt(T/H), unless threads cost nothing."""
        return sqrt(self.work / self.each) if self.each > 0 else None


def share(threads: int, frames: int) -> float:
    """Returns the part of the work that the busiest of the threads does."""
    return -(-frames // threads) / frames


def started(threads: int, frames: int) -> int:
    """Returns the threads that cost something. A single one is the caller and costs nothing."""
    busy = min(threads, frames)
    return busy if busy > 1 else 0


def fit(series: Series) -> Model | None:
    """Returns T and H from the measured times; None if the times can't tell.

    They make the sum of the squares of the relative errors least.
    """
    frames = series.one.frames
    points = [
        (share(int(name), frames) / one.least, started(int(name), frames) / one.least)
        for name, one in series.by_threads.items()
        if name != AUTO
    ]
    if len({y for _, y in points}) < 2:
        return None
    return _least_squares(points, frames)


def _least_squares(points: Sequence[tuple[float, float]], frames: int) -> Model:
    """Solves the normal equations of `T*x + H*y = 1`."""
    a = sum(x * x for x, _ in points)
    b = sum(x * y for x, y in points)
    c = sum(y * y for _, y in points)
    p = sum(x for x, _ in points)
    q = sum(y for _, y in points)
    determinant = a * c - b * b
    return Model((p * c - q * b) / determinant, (a * q - b * p) / determinant, frames)
