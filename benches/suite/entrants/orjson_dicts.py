"""orjson, for rows that JSON supports: no infinities, and no integers beyond 64 bits."""

from collections.abc import Sequence
from typing import Any

import orjson

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant


class OrjsonDicts(Entrant):
    """One JSON array per batch."""

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [orjson.dumps(batch) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the joined lists."""
        rows: list[Any] = []
        for message in messages:
            rows += orjson.loads(message)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        return [orjson.dumps(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        return [orjson.loads(message) for message in messages]
