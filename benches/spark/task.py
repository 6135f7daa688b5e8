"""A job and its goals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spark.data import Data

Run = Callable[[Data], Any]
"""Runs a job and returns its result."""


@dataclass(frozen=True)
class Wanted:
    """A goal: the least ratio of the times of another contestant and this one."""

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
    """The data to make before anything is timed."""

    others: Mapping[str, Run] = field(default_factory=dict)
    """Alternatives that a user has, by their names in the results."""

    found: Run | None = None
    """The compared part of the result, if it is not all of it. It is not timed."""

    others_need: tuple[str, ...] = ()
    """Like `needs`, for the alternatives."""

    common: Callable[[Any], Any] = lambda result: result
    """The compared part of the results of `others` and of the job itself."""
