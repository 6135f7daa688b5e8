"""pymongo's C extension on dicts, which are what it is made for: nothing is converted before."""

from collections.abc import Sequence
from typing import Any

import bson

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant


class BsonDicts(Entrant):
    """A document around every batch of rows, which are documents."""

    def encode(self, batches: Batches) -> list[Message]:
        """A document a batch."""
        return [bson.encode({"rows": batch}) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The documents."""
        rows: list[Any] = []
        for message in messages:
            rows += bson.decode(message)["rows"]
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A document a row."""
        return [bson.encode(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The document of each."""
        return [bson.decode(message) for message in messages]
