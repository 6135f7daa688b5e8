"""Lets everyone take turns, each time in a new process, and compares their results."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from demo.errors import DemoError
from demo.progress import Progress
from spark.contestants import CONTESTANTS
from spark.results import Key, Record
from spark.settings import Settings
from spark.tasks import TASKS

if TYPE_CHECKING:
    from spark.one import Answer, Found

CLOCKS: Sequence[Literal["seconds", "busy"]] = ("seconds", "busy")
"""The measured quantities: wall time, and CPU time."""


@dataclass(frozen=True)
class Place:
    """The environment and data of contestants."""

    python: Path
    """A Python with PySpark and serow."""

    large: Path
    small: Path


class Compared:
    """The results so far. They must be the same for all contestants."""

    def __init__(self) -> None:  # noqa: D107
        self._found: dict[tuple[str, str, str], tuple[str, str]] = {}

    def add(self, found: "Found") -> None:
        """Raises DemoError if another contestant had a different result."""
        how: Literal["exactly", "plainly"]
        for how in ("exactly", "plainly"):
            seen = found[how]
            if seen is None:
                continue
            key = (found["group"], found["task"], how)
            who, first = self._found.setdefault(key, (found["contestant"], seen))
            if first != seen:
                raise DemoError(
                    f"{found['group']}, {found['task']}: {found['contestant']} finds {seen}, "
                    f"and {who} {first}"
                )


def turns(
    groups: Sequence[str], names: Sequence[str], settings: Settings
) -> list[tuple[int, str, str]]:
    """Returns the number, the group and the contestant of each turn. Rounds are counted from 0.

    Everyone does a group before the next begins.
    """
    return [
        (number, group, name)
        for number in range(settings.rounds)
        for group in groups
        for name in names
        if group in CONTESTANTS[name].groups
        and (number < settings.rounds_of_others or name in compared_by_goals(group))
    ]


def compared_by_goals(group: str) -> set[str]:
    """Returns the contestants that the goals of a group compare."""
    wanted = (one for task in TASKS[group] for one in task.wanted)
    return {name for one in wanted for name in (one.fast, one.slow)}


def measure(
    scale: Decimal,
    groups: Sequence[str],
    settings: Settings,
    place: Place,
    names: Sequence[str],
    progress: Progress,
) -> tuple[list[Record], Mapping[str, str]]:
    """Returns the records of all jobs of these groups, and the versions of the packages."""
    measured: dict[Key, list[float]] = defaultdict(list)
    compared = Compared()
    versions: Mapping[str, str] = {}
    for number, group, name in turns(groups, names, settings):
        progress.now(f"SF={scale}, round {number + 1}, {group}: {name}")
        answer = _answer(name, group, settings, number == 0, place)
        versions = answer["versions"]
        for found in answer["found"]:
            compared.add(found)
            job = (str(scale), found["group"], found["task"], found["contestant"])
            for clock in CLOCKS:
                measured[Key(*job, clock)].append(min(found[clock]))
        progress.step()
    return [Record(key, tuple(rounds)) for key, rounds in measured.items()], versions


def _answer(name: str, group: str, settings: Settings, check: bool, place: Place) -> "Answer":
    """Returns the answer of a process of this contestant."""
    order = {
        "contestant": name,
        "group": group,
        "large": str(place.large),
        "small": str(place.small),
        "rows": settings.rows,
        "nested_rows": settings.nested_rows,
        "most_times": settings.most_times,
        "enough_seconds": settings.enough_seconds,
        "check": check,
    }
    program = Path(__file__).with_name("one.py")
    ran = subprocess.run(
        [str(place.python), str(program), json.dumps(order)],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise DemoError(f"{name} failed:\n{ran.stderr.strip()}")
    answer: Answer = json.loads(ran.stdout.splitlines()[-1])
    return answer
