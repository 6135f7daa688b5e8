"""The demo's BSON: pymongo's C extension, to and from tuples."""

from collections.abc import Sequence
from typing import Any

from demo.contestants import bson_documents
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class BsonDocuments(Entrant):
    """One document per row, inside one document per batch."""

    def __init__(self, workload: Workload) -> None:
        """Uses the demo's contestant."""
        super().__init__(workload)
        self._contestant = bson_documents.BsonDocuments()

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one document per batch."""
        return [message for batch in batches for message in self._contestant.encode(list(batch))]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the documents' values."""
        return self._contestant.decode(messages)

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one document per row."""
        return self._contestant.encode_rows([row for batch in batches for row in batch])

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the values of each message."""
        return self._contestant.decode_rows(messages)
