"""How much is measured, in a full run and in a quick one."""

from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    scales: tuple[Decimal, ...]
    """Scale factors of Part; everything but the six scenarios is measured at the first only."""

    portion: int = 200_000
    """Rows in memory at a time; a scale factor above 1 is measured in several portions."""

    rounds: int = 7
    """Times that everything is measured, the contestants taking turns."""

    hot_rows: int = 1000
    """Rows that stay in the cache when they are converted again and again."""

    hot_times: int = 100
    """How often they are converted in a round."""

    other_rows: int = 50_000
    """Rows of the workloads beside Part."""

    wider_rounds: int = 5
    """Times that the wider workloads are measured, of which there are many contestants."""

    wider_rows: int = 50_000
    """Rows of each of the wider workloads."""

    wider_hot_times: int = 10
    """How often hot rows of those are converted in a round."""

    wider_warm_up_rows: int = 200_000
    """Rows of those that each JVM converts in every way before anything is timed."""

    warm_up_rows: int = 400_000
    """Rows that each JVM converts in every way before anything is timed."""

    starts: int = 15
    """Fresh processes whose `import serow` is timed."""


def full(scales: tuple[Decimal, ...]) -> Settings:
    """What `make bench` measures."""
    return Settings(scales)


def quick(scales: tuple[Decimal, ...]) -> Settings:
    """What `make bench QUICK=1` measures: everything, but little of it."""
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
