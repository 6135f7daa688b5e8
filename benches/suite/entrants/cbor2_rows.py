"""cbor2's C encoder. Dates and decimals use CBOR's own tags."""

from collections.abc import Sequence
from typing import Any

import cbor2

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class Cbor2Rows(Entrant):
    """One CBOR array per batch. CBOR has no tuples, so tuples are made from its lists."""

    def __init__(self, workload: Workload) -> None:
        """Inspects the type of rows."""
        super().__init__(workload)
        self._is_tuple = isinstance(workload.tricky[0], tuple)

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [cbor2.dumps(batch) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the joined lists."""
        rows: list[Any] = []
        for message in messages:
            batch = cbor2.loads(message)
            rows += map(tuple, batch) if self._is_tuple else batch
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        return [cbor2.dumps(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        rows = [cbor2.loads(message) for message in messages]
        return list(map(tuple, rows)) if self._is_tuple else rows
