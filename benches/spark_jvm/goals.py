"""The goals, and the measured figures."""

from collections.abc import Iterator
from dataclasses import dataclass

from spark_jvm.contestants import PEER, SEROW, SORTING
from spark_jvm.groups import GROUPS
from spark_jvm.results import Record, Results
from suite.figures import ratio, text
from suite.goals import Goal


@dataclass(frozen=True)
class Wanted:
    """What serow shall reach in all jobs of a group, against Kryo with the same registrations."""

    times: float
    """The time of a job with Kryo over the time of the same job with serow, of all steps."""

    bytes: float | None = None
    """serow's bytes, divided by Kryo's."""


WANTED = {
    "programs": Wanted(0.97),
    "cache": Wanted(1.5, 0.5),
    "uncompressed": Wanted(1.5, 0.5),
    "shuffle": Wanted(1.2, 0.6),
    "kryo": Wanted(0.97),
}
"""By group. The goals of cached rows are about memory: see `_has_goals`."""


def judge(results: Results) -> Iterator[Goal]:
    """Yields all goals of the jobs that were measured."""
    for group, wanted in WANTED.items():
        for job in dict.fromkeys(job for job, _ in results.steps(group)):
            kryo = results.of_job(group, job, PEER)
            if not kryo or not _has_goals(job):
                continue
            title = f"{GROUPS[group].title}: {job}"
            for name in (SEROW, SORTING):
                if serow := results.of_job(group, job, name):
                    yield from _judged(f"{title}{name.removeprefix(SEROW)}", wanted, kryo, serow)


def _judged(title: str, wanted: Wanted, kryo: list[Record], serow: list[Record]) -> Iterator[Goal]:
    """Yields the goals of a job."""
    times = ratio(job_rounds(kryo), job_rounds(serow))
    yield Goal(
        f"{title}{_steps(kryo)}",
        f">= {wanted.times}x",
        text(times),
        times.of_least >= wanted.times,
    )
    if wanted.bytes is not None:
        share = sum(one.bytes for one in serow) / sum(one.bytes for one in kryo)
        yield Goal(f"{title}, bytes", f"<= {wanted.bytes}", f"{share:.2f}", share <= wanted.bytes)


def job_rounds(steps: list[Record]) -> list[float]:
    """Returns the seconds of all steps of a job, for each round."""
    return [sum(each) for each in zip(*(one.rounds for one in steps), strict=True)]


def _has_goals(job: str) -> bool:
    return not job.endswith(" on disk")


def _steps(steps: list[Record]) -> str:
    """Names the steps whose times are added."""
    return f", {' + '.join(one.key.step for one in steps)}" if len(steps) > 1 else ""
