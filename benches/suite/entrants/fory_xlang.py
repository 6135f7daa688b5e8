"""Apache Fory's format for all languages, by pyfory's compiled extension.

Rows are dataclasses that are registered, which it writes without names and smaller than dicts or
tuples: who has those would have to convert them first. Rows that are dicts stay dicts.

Its compatible mode, which is its default too, describes a class once a message. In batches it is
smaller than the strict mode, which has a hash in every object.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Optional

import pyfory  # type: ignore[import-untyped]

from demo.errors import DemoError
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


@dataclass(slots=True)
class Lineitem:
    """A row of lineitem."""

    orderkey: pyfory.Int64
    partkey: pyfory.Int64
    suppkey: pyfory.Int64
    linenumber: pyfory.Int64
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


@dataclass(slots=True)
class Sensor:
    """The sensor of a reading."""

    name: str
    room: pyfory.Int64
    indoors: bool


@dataclass(slots=True)
class Reading:
    """A row of readings."""

    key: pyfory.Int64
    sensor: Sensor
    samples: list[pyfory.Float64]
    mean: pyfory.Float64
    note: Optional[str]  # noqa: UP045 - pyfory does not support the other spelling
    day: date
    cost: Decimal


@dataclass(frozen=True)
class Form:
    """The definition of a workload's rows."""

    classes: Sequence[type[Any]]
    prepared: Callable[[Any], Any]
    row: Callable[[Any], Any]


def _reading(row: Any) -> Reading:
    key, sensor, *more = row
    return Reading(key, Sensor(**sensor), *more)


def _reading_row(reading: Reading) -> tuple[object, ...]:
    key, sensor, *more = (getattr(reading, name) for name in Reading.__dataclass_fields__)
    return key, dict(zip(Sensor.__dataclass_fields__, astuple(sensor), strict=True)), *more


FORMS: Mapping[str, Form] = {
    "lineitem": Form([Lineitem], lambda row: Lineitem(*row), astuple),
    "readings": Form([Reading, Sensor], _reading, _reading_row),
    "dicts": Form([], lambda row: row, lambda row: row),
}


class ForyXlang(Entrant):
    """One list per batch, without references."""

    retains_memory = True

    def __init__(self, workload: Workload) -> None:
        """Registers the classes."""
        super().__init__(workload)
        if not pyfory.ENABLE_FORY_CYTHON_SERIALIZATION:
            raise DemoError("pyfory was installed without its compiled extension")
        self._form = FORMS[workload.name]
        self._fory = pyfory.Fory(xlang=True, ref=False, strict=True, compatible=True)
        for number, row_class in enumerate(self._form.classes):
            self._fory.register_type(row_class, type_id=100 + number)

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns dataclasses of the rows."""
        return list(map(self._form.prepared, rows))

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Returns the contents of the dataclasses."""
        return list(map(self._form.row, rows))

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [self._fory.serialize(batch) for batch in batches]

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """Writes one message after another."""
        out = pyfory.Buffer(buffer)
        for batch in batches:
            self._fory.serialize(batch, buffer=out)
        return int(out.get_writer_index())

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the joined lists."""
        rows: list[Any] = []
        for message in messages:
            rows += self._fory.deserialize(pyfory.Buffer(message))
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        return [self._fory.serialize(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        return [self._fory.deserialize(message) for message in messages]
