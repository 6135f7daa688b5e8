"""What a job is, and what is wanted of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spark.data import Data

Run = Callable[[Data], Any]
"""Does a job and gives what it found."""


@dataclass(frozen=True)
class Wanted:
    """A goal: how many times as fast as another contestant one is to be."""

    times: float
    fast: str = "serow"
    slow: str = "stock"


@dataclass(frozen=True)
class Task:
    """A job."""

    name: str
    run: Run
    wanted: tuple[Wanted, ...]

    needs: tuple[str, ...] = ()
    """What of the data is made before anything is timed."""

    others: Mapping[str, Run] = field(default_factory=dict)
    """What a user could do instead, by what it is called in the results."""

    found: Run | None = None
    """What is compared between contestants, if it is not what `run` gives. It is not timed."""

    others_need: tuple[str, ...] = ()
    """As `needs`, by the others."""

    common: Callable[[Any], Any] = lambda result: result
    """What the results of `others` and of the job itself have in common."""
