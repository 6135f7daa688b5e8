"""How much is measured, in a full run and in a quick one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    rounds: int = 3
    """Processes of each contestant."""

    most_times: int = 4
    """How often a job is run in a process at most, after once on a tenth of it, not counted."""

    enough_seconds: float = 3.0
    """Seconds after which a job is not run again."""

    rows: int = 1_000_000
    """Rows of the DataFrame of plain columns."""

    nested_rows: int = 300_000
    """Rows of the one that has an array, a map and a struct."""


FULL = Settings()
"""What `make bench-spark` measures."""

QUICK = Settings(rounds=1, most_times=1, rows=100_000, nested_rows=30_000)
"""What `make bench-spark QUICK=1` measures: everything, but little of it."""
