"""The amount of work, in a full run and in a quick one."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

AUTO = "auto"
ONE = "1"
COMPRESSIONS = ("none", "zstd")
VERBS = ("encode", "decode")

MOST_EACH = 8
"""Up to this number each number of threads is measured, and above it only powers of two."""


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    sizes: Sequence[int]
    """Bytes of the messages without compression."""

    rounds: int
    """Everything is measured in each round."""

    bytes_at_a_time: int
    """Smaller messages are converted several times in a round: this divided by their size."""

    most_times: int = 300

    @property
    def scale(self) -> Decimal:
        """Returns the scale factor at which Part has the rows of the largest message."""
        return max(Decimal("0.0001"), Decimal(max(self.sizes)) / 10_000_000)

    def times(self, size: int) -> int:
        """Returns how often a message of this size is converted in a round."""
        return max(1, min(self.most_times, self.bytes_at_a_time // size))


def full() -> Settings:
    """Returns the settings of `make bench-parallel`."""
    return Settings([10**power for power in range(4, 9)], rounds=9, bytes_at_a_time=20_000_000)


def quick() -> Settings:
    """Returns the settings of `make bench-parallel QUICK=1`."""
    return Settings([10_000, 100_000, 10_000_000], rounds=3, bytes_at_a_time=10_000_000)


def numbers_of_threads(processors: int) -> list[str]:
    """Returns the numbers of threads to measure. The last is `auto`."""
    powers = [2**power for power in range(processors.bit_length())]
    found = {*range(1, min(processors, MOST_EACH) + 1), *powers, processors}
    return [*map(str, sorted(found)), AUTO]


def processors() -> int:
    """Returns the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))
