"""cbor2's C encoder: dates and decimals by CBOR's own tags."""

from collections.abc import Sequence
from typing import Any

import cbor2

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class Cbor2Rows(Entrant):
    """A CBOR array a batch. CBOR has no tuples, so rows that are tuples are made of its lists."""

    def __init__(self, workload: Workload) -> None:
        """Look at what a row is."""
        super().__init__(workload)
        self._is_tuple = isinstance(workload.tricky[0], tuple)

    def encode(self, batches: Batches) -> list[Message]:
        """A message a batch."""
        return [cbor2.dumps(batch) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The lists, joined."""
        rows: list[Any] = []
        for message in messages:
            batch = cbor2.loads(message)
            rows += map(tuple, batch) if self._is_tuple else batch
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A message a row."""
        return [cbor2.dumps(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The row of each."""
        rows = [cbor2.loads(message) for message in messages]
        return list(map(tuple, rows)) if self._is_tuple else rows
