"""msgspec's Structs for the wider rows, as for Part: arrays that the garbage collector ignores."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import msgspec

from suite.entrants.msgspec_tuples import MsgspecTuples


class Lineitem(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A row of lineitem."""

    orderkey: int
    partkey: int
    suppkey: int
    linenumber: int
    quantity: Decimal
    extendedprice: Decimal
    discount: Decimal
    tax: Decimal
    returnflag: str
    linestatus: str
    shipdate: date
    commitdate: date
    receiptdate: date
    shipinstruct: str
    shipmode: str
    comment: str


class Sensor(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """The sensor of a reading."""

    name: str
    room: int
    indoors: bool


class Reading(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A row of readings."""

    key: int
    sensor: Sensor
    samples: list[float]
    mean: float
    note: str | None
    day: date
    cost: Decimal


class LineitemStructs(MsgspecTuples):
    """One Struct per row."""

    def row_type(self) -> Any:
        """Returns the Struct."""
        return Lineitem

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns Structs of the rows."""
        return [Lineitem(*row) for row in rows]

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Returns the Structs' fields."""
        return [msgspec.structs.astuple(row) for row in rows]


class ReadingStructs(MsgspecTuples):
    """One Struct per row, with an inner one instead of the dict."""

    def row_type(self) -> Any:
        """Returns the Struct."""
        return Reading

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns Structs of the rows."""
        return [Reading(key, Sensor(**sensor), *more) for key, sensor, *more in rows]

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Returns the Structs' fields. The inner Struct becomes a dict."""
        return [
            (key, msgspec.structs.asdict(sensor), *more)
            for key, sensor, *more in map(msgspec.structs.astuple, rows)
        ]
