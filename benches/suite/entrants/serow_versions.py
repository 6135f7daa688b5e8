"""serow with dataclasses, in messages of the same version of a class or of an earlier one.

Whichever version wrote the messages, decoded rows are of the current one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import serow

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


@dataclass
class Part:
    """The current version of the class, in the order of the workload's rows."""

    comment: str
    retailprice: float
    partkey: int
    name: str
    brand: str
    type: str
    size: int
    note: str | None = None


@dataclass
class EarlierPart:
    """The version before: Part's columns in their order. The current one lacks two of them."""

    partkey: int
    name: str
    mfgr: str
    brand: str
    type: str
    size: int
    container: str
    retailprice: float
    comment: str


def _earlier(row: Sequence[Any]) -> EarlierPart:
    comment, retailprice, partkey, name, brand, kind, size = row
    return EarlierPart(
        *(partkey, name, "Manufacturer#1", brand, kind, size, "JUMBO PKG", retailprice, comment)
    )


_WRITERS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "current": lambda row: Part(*row),
    "earlier": _earlier,
}


class SerowVersions(Entrant):
    """`dumps` of one version, `loads` as the current one. SEROW_TIER says who converts rows."""

    batch = None

    def __init__(
        self,
        workload: Workload,
        wire: Literal["row", "frame"],
        written_by: Literal["current", "earlier"],
    ) -> None:
        """Chooses the wire and the version of the class that messages are written from."""
        super().__init__(workload)
        self._wire = wire
        self._make = _WRITERS[written_by]

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns objects of the writer's version."""
        return [self._make(row) for row in rows]

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Returns the fields that both versions have."""
        return [
            (row.comment, row.retailprice, row.partkey, row.name, row.brand, row.type, row.size)
            for row in rows
            if type(row) is Part and row.note is None
        ]

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [serow.dumps(batch, wire=self._wire) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows. One message gives its own list, without a copy."""
        rows = serow.loads(messages[0], type=Part)
        for message in messages[1:]:
            rows += serow.loads(message, type=Part)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns a whole message per row, with header and checksum."""
        return [serow.dumps([row], wire=self._wire) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the only row of each message."""
        return [serow.loads(message, type=Part)[0] for message in messages]
