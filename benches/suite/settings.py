"""The amount of work, in a full run and in a quick one."""

from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    scales: tuple[Decimal, ...]
    """Scale factors of Part. Everything but the six scenarios is only measured at the first."""

    portion: int = 200_000
    """Rows in memory at a time. A scale factor above 1 is measured in several portions."""

    rounds: int = 7
    """The number of times that everything is measured. The entrants take turns."""

    hot_rows: int = 1000
    """Rows that fit in the cache and are converted again and again."""

    hot_times: int = 100
    """The number of times that they are converted in a round."""

    other_rows: int = 50_000
    """Rows of the workloads other than Part."""

    wider_rounds: int = 5
    """The number of times that the wider workloads are measured. They have many entrants."""

    wider_rows: int = 50_000
    """Rows of each of the wider workloads."""

    wider_hot_times: int = 100
    """The number of times that their hot rows are converted in a round."""

    wider_warm_up_rows: int = 200_000
    """Rows of them that each JVM converts in every way before anything is timed."""

    warm_up_rows: int = 400_000
    """Rows that each JVM converts in every way before anything is timed."""

    starts: int = 15
    """The number of fresh processes that time `import serow`."""


def full(scales: tuple[Decimal, ...]) -> Settings:
    """Returns the settings of `make bench`."""
    return Settings(scales)


def quick(scales: tuple[Decimal, ...]) -> Settings:
    """Returns the settings of `make bench QUICK=1`: everything, but little of it."""
    return replace(
        full(scales),
        portion=20_000,
        rounds=3,
        hot_times=20,
        other_rows=10_000,
        wider_rounds=2,
        wider_rows=5_000,
        wider_hot_times=5,
        wider_warm_up_rows=20_000,
        warm_up_rows=60_000,
        starts=5,
    )
