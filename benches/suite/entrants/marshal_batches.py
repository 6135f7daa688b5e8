"""marshal, what CPython keeps its own bytecode in, in batches of 1000 rows."""

import marshal
from collections.abc import Sequence
from typing import Any, cast

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant


class MarshalBatches(Entrant):
    """The default format, which looks for objects that are used twice.

    It takes the reference counts for that, so nobody else may hold the rows. The format without
    takes half as long to decode again and twice as long to encode.
    """

    def encode(self, batches: Batches) -> list[Message]:
        """A message a batch."""
        return [marshal.dumps(cast(list[Any], batch)) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The lists, joined."""
        rows: list[Any] = []
        for message in messages:
            rows += marshal.loads(message)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A message a row."""
        return [marshal.dumps(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The row of each."""
        return [marshal.loads(message) for message in messages]
