"""The amount of work, in a full run and in a quick one."""

from dataclasses import dataclass
from decimal import Decimal

LINEITEMS_AT_SCALE_1 = 6_000_000
"""About the size of lineitem at scale factor 1."""

BLOCKS = (5, 500)
"""Sizes of blocks in a map status."""


@dataclass(frozen=True)
class Settings:
    """The size of a run."""

    rows: int
    """Rows of each table of TPC-H."""

    outputs: int
    """Map statuses."""

    rounds: int
    """Every contestant is measured in each round."""

    least_seconds: float
    """Short work is repeated in a round until it has taken this long."""

    stream_bytes: float
    """The least number of bytes of the stream."""

    message_bytes: float
    """The bytes of a single message, with which the stream is compared."""

    stream_rounds: int
    portion: int = 65_536
    """Rows in the memory of a stream's writer, which writes them again and again."""

    @property
    def part_scale(self) -> Decimal:
        """Returns the scale factor at which Part has enough rows."""
        return max(Decimal("0.0001"), Decimal(max(self.rows, self.portion)) / 200_000)

    @property
    def lineitem_scale(self) -> Decimal:
        """Returns the scale factor at which lineitem has enough rows."""
        hundredths = -(-self.rows * 110 // LINEITEMS_AT_SCALE_1)  # a tenth more than needed
        return max(Decimal("0.0001"), Decimal(hundredths) / 100)


def full(stream_bytes: float = 2e9) -> Settings:
    """Returns the settings of `make bench-large`."""
    return Settings(
        rows=200_000,
        outputs=20_000,
        rounds=5,
        least_seconds=0.1,
        stream_bytes=stream_bytes,
        message_bytes=100e6,
        stream_rounds=3,
    )


def quick(stream_bytes: float = 2e8) -> Settings:
    """Returns the settings of `make bench-large QUICK=1`."""
    return Settings(
        rows=50_000,
        outputs=2_000,
        rounds=3,
        least_seconds=0.0,
        stream_bytes=stream_bytes,
        message_bytes=20e6,
        stream_rounds=2,
    )
