"""The amount of work, in a full run and in a quick one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    rounds: int = 3
    """The number of processes of each contestant that a goal compares, for each of its groups."""

    rounds_of_others: int = 1
    """The number of processes of other contestants, and in groups without goals."""

    warm_ups: int = 4
    """The least number of runs of a job in a process before its runs are timed."""

    runs: int = 3
    """The least number of timed runs of a job in a process."""

    seconds: float = 2.0
    """The least seconds of all warm-ups of a job in a process, and of all its runs.

    The runs end earlier after 20 of them.
    """

    most_seconds: float = 10.0
    """The seconds of warm-ups after which runs are timed although they still get faster.

    On a slow machine a JVM needs that long to compile a job of Spark.
    """

    rows: int = 400_000
    """Rows of Part. Jobs on smaller rows have more of them, and jobs on larger rows fewer."""


FULL = Settings()
"""The settings of `make bench-spark`."""

QUICK = Settings(rounds=1, warm_ups=1, runs=1, seconds=0.0, most_seconds=0.0, rows=20_000)
"""The settings of `make bench-spark QUICK=1`: everything, but little of it."""
