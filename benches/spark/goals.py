"""The goals, and the measured figures."""

from collections.abc import Iterator
from dataclasses import dataclass

from spark.results import Key, Results, where
from spark.task import Wanted
from spark.tasks import TASKS, TITLES
from suite.figures import ratio, text


@dataclass(frozen=True)
class Goal:
    """A line of the table. It has no figure if it was not measured."""

    job: str
    wanted: str
    reached: str
    slow: str
    fast: str
    """Seconds of the contestant that it is compared with, and of serow."""

    is_met: bool


def judge(results: Results) -> Iterator[Goal]:
    """Yields all goals, at every measured scale factor."""
    for group, tasks in TASKS.items():
        scales = results.scales(group)
        for scale in scales:
            for task in tasks:
                for wanted in task.wanted:
                    slow, fast = (
                        results.get(Key(scale, group, task.name, name))
                        for name in (wanted.slow, wanted.fast)
                    )
                    if slow is None or fast is None:
                        continue
                    one = ratio(slow.rounds, fast.rounds)
                    yield Goal(
                        f"{TITLES[group]}{where(group, scale)}: {task.name}{_beside(wanted)}",
                        f">= {wanted.times}x",
                        text(one),
                        f"{slow.figure.least:.2f}",
                        f"{fast.figure.least:.2f}",
                        one.of_least >= wanted.times,
                    )


def _beside(wanted: Wanted) -> str:
    """Describes the comparison, if it is not with stock PySpark and its defaults."""
    if wanted.slow == "stock":
        return ""
    return ", gc off" if wanted.slow.endswith("gc off") else f", against {wanted.slow}"
