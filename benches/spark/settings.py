"""How much is measured, in a full run and in a quick one."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    rounds: int = 3
    """Processes of each contestant."""

    times: Mapping[str, int] = field(default_factory=lambda: {"text": 2, "rdd": 2, "dataframe": 1})
    """How often a job of each group is run in a process, after once that is not counted."""

    rows: int = 1_000_000
    """Rows of the DataFrames."""


FULL = Settings()
"""What `make bench-spark` measures."""

QUICK = Settings(rounds=2, times={"text": 1, "rdd": 1, "dataframe": 1}, rows=100_000)
"""What `make bench-spark QUICK=1` measures: everything, but little of it."""
