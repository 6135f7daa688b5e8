"""marshal, CPython's format for its own bytecode, in batches of 1000 rows."""

import marshal
from collections.abc import Sequence
from typing import Any, cast

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant


class MarshalBatches(Entrant):
    """The default format, which looks for objects that occur twice.

    It takes the reference counts for that, so nobody else may hold the rows. The format without
    takes half as long to decode again and twice as long to encode.
    """

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [marshal.dumps(cast(list[Any], batch)) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the joined lists."""
        rows: list[Any] = []
        for message in messages:
            rows += marshal.loads(message)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        return [marshal.dumps(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        return [marshal.loads(message) for message in messages]
