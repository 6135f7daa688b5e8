"""The amount of work, in a full run and in a quick one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    rounds: int = 3
    """The number of processes of each contestant that a goal compares, for each group of jobs."""

    rounds_of_others: int = 1
    """The same for all other contestants."""

    most_times: int = 4
    """The largest number of runs of a job in a process, after one on a tenth of the data."""

    enough_seconds: float = 3.0
    """Seconds after which a job is not run again."""

    rows: int = 1_000_000
    """Rows of the DataFrame with plain columns."""

    nested_rows: int = 300_000
    """Rows of the DataFrame with an array, a map and a struct."""


FULL = Settings()
"""The settings of `make bench-spark`."""

QUICK = Settings(rounds=1, most_times=1, rows=100_000, nested_rows=30_000)
"""The settings of `make bench-spark QUICK=1`: everything, but little of it."""
