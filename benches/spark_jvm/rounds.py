"""Lets everyone take turns, each time in a new JVM, and compares their results."""

import json
import os
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.errors import DemoError
from demo.progress import Progress
from spark_jvm.contestants import CONTESTANTS, Contestant
from spark_jvm.goals import WANTED
from spark_jvm.groups import GROUPS
from spark_jvm.results import Key, Record
from spark_jvm.settings import Settings
from suite.json_process import rotated

MAIN = "io.github.serow.sparkbench.Main"

HEAP = "3g"
JVM_OPTIONS = (f"-Xms{HEAP}", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch")
"""Every JVM gets all its memory before anything is timed, and the same collector."""

CONF = {
    "spark.master": "local[2]",
    "spark.driver.memory": HEAP,
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}

_LOG_END = 2000
"""Characters of a process's output in an error."""


@dataclass(frozen=True)
class Place:
    """The programs of a run."""

    spark: Path
    """The folder of Spark, with `bin/spark-submit`."""

    jars: Sequence[Path]
    """The jars of the jobs and of the serializers. The first one has the jobs."""


@dataclass
class Measured:
    """All that is known so far."""

    spark: str = ""
    """The version of Spark."""

    seconds: dict[Key, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))
    gc_seconds: dict[Key, list[tuple[float, ...]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    bytes: dict[Key, int] = field(default_factory=dict)

    failed: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """The reasons why contestants are left out, by group, job and contestant."""

    _found: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)
    """The first contestant and its result, by job and what is compared."""

    def add(self, group: str, contestant: Contestant, job: Mapping[str, Any]) -> None:
        """Adds what a process says about a job.

        Raises DemoError if it failed or if another contestant had a different result.
        """
        name = job["job"]
        if job["failed"] is not None:
            if not contestant.may_fail:
                raise DemoError(f"{group}, {name}: {contestant.name} failed: {job['failed']}")
            self.failed[group, name, contestant.name] = job["failed"]
            return
        if job["digest"] is not None:
            self._compare(group, name, "rows", contestant, job["digest"])
        for step in job["steps"]:
            self._compare(group, name, step["step"], contestant, str(step["result"]))
            key = Key(group, name, step["step"], contestant.name)
            self.seconds[key].append(tuple(step["seconds"]))
            self.gc_seconds[key].append(tuple(step["gc"]))
            self.bytes[key] = step["bytes"]

    def _compare(self, group: str, job: str, what: str, contestant: Contestant, found: str) -> None:
        # The same job must have the same result in all groups with it.
        key = (GROUPS[group].jobs, job, what)
        who, first = self._found.setdefault(key, (contestant.name, found))
        if first != found:
            raise DemoError(
                f"{group}, {job}, {what}: {contestant.name} finds {found}, and {who} {first}"
            )

    def records(self) -> list[Record]:
        """Returns the records of all contestants that no job of the group left out."""
        return [
            Record(key, self.bytes[key], tuple(rounds), tuple(self.gc_seconds[key]))
            for key, rounds in self.seconds.items()
            if (key.group, key.job, key.contestant) not in self.failed
        ]


def turns(
    number: int, groups: Sequence[str], names: Sequence[str], settings: Settings
) -> list[tuple[str, Contestant]]:
    """Returns groups and contestants of a round, which is counted from 0.

    All do a group before the next begins. Each round begins with another contestant.
    """

    def takes_part(group: str, one: Contestant) -> bool:
        is_compared = one.is_in_goals and group in WANTED
        return group in one.groups and (is_compared or number < settings.rounds_of_others)

    contestants = [CONTESTANTS[name] for name in names]
    return [
        (group, one)
        for group in groups
        for one in rotated([each for each in contestants if takes_part(group, each)], number)
    ]


def measure(
    groups: Sequence[str],
    names: Sequence[str],
    settings: Settings,
    place: Place,
) -> Measured:
    """Runs all jobs of these groups with all these contestants."""
    measured = Measured()
    all_turns = [
        (number, *turn)
        for number in range(settings.rounds)
        for turn in turns(number, groups, names, settings)
    ]
    with closing(Progress(len(all_turns))) as progress:
        for number, group, contestant in all_turns:
            progress.now(f"round {number + 1}, {group}: {contestant.name}")
            answer = _answer(group, contestant, settings, number == 0, place)
            measured.spark = answer["spark"]
            for job in answer["jobs"]:
                measured.add(group, contestant, job)
            progress.step()
    return measured


def command(
    group: str, contestant: Contestant, settings: Settings, check: bool, place: Place, folder: Path
) -> list[str]:
    """Returns the command of a process, which writes its answer into the folder.

    `spark-submit` gives it the options that Spark needs to open Java's modules.
    """
    conf = {
        **CONF,
        **GROUPS[group].conf,
        **contestant.conf,
        "spark.serializer": contestant.serializer,
        "spark.local.dir": str(folder),
        "spark.driver.extraClassPath": os.pathsep.join(map(str, place.jars)),
        "spark.driver.extraJavaOptions": " ".join(JVM_OPTIONS),
    }
    asked = {
        "group": GROUPS[group].jobs,
        "rows": settings.rows,
        "warm-ups": settings.warm_ups,
        "runs": settings.runs,
        "seconds": settings.seconds,
        "most-seconds": settings.most_seconds,
        "check": str(check).lower(),
        "registered": str(contestant.is_registered).lower(),
        "out": folder / "answer.json",
    }
    settings_of_spark = (
        word for name, value in conf.items() for word in ("--conf", f"{name}={value}")
    )
    return [
        str(place.spark / "bin" / "spark-submit"),
        *settings_of_spark,
        *("--class", MAIN, str(place.jars[0])),
        *(f"{name}={value}" for name, value in asked.items()),
    ]


def _answer(
    group: str, contestant: Contestant, settings: Settings, check: bool, place: Place
) -> Any:
    """Returns the answer of a process of this contestant."""
    with tempfile.TemporaryDirectory(prefix="serow-bench-") as name:
        folder = Path(name)
        ran = subprocess.run(
            command(group, contestant, settings, check, place, folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "SPARK_HOME": str(place.spark), "SPARK_LOCAL_IP": "127.0.0.1"},
        )
        answer = folder / "answer.json"
        if ran.returncode != 0 or not answer.exists():
            raise DemoError(f"{group}: {contestant.name} failed:\n{ran.stdout[-_LOG_END:].strip()}")
        return json.loads(answer.read_text(encoding="utf-8"))
