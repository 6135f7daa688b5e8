"""pymongo's C extension with dicts, its natural rows: nothing is converted before."""

from collections.abc import Sequence
from typing import Any

import bson

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant


class BsonDicts(Entrant):
    """One document per batch of rows, which are documents."""

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one document per batch."""
        return [bson.encode({"rows": batch}) for batch in batches]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the documents."""
        rows: list[Any] = []
        for message in messages:
            rows += bson.decode(message)["rows"]
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one document per row."""
        return [bson.encode(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the document of each message."""
        return [bson.decode(message) for message in messages]
