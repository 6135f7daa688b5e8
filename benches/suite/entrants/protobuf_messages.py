"""The demo's Protocol Buffers: upb, to and from tuples."""

from collections.abc import Sequence
from typing import Any

from demo.contestants import protobuf_messages
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class ProtobufMessages(Entrant):
    """One `Parts` per batch, one `Part` per row."""

    def __init__(self, workload: Workload) -> None:
        """Uses the demo's contestant."""
        super().__init__(workload)
        self._contestant = protobuf_messages.ProtobufMessages()

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one `Parts` per batch."""
        return [message for batch in batches for message in self._contestant.encode(list(batch))]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the fields of every part."""
        return self._contestant.decode(messages)

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one `Part` per row."""
        return self._contestant.encode_rows([row for batch in batches for row in batch])

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the fields of each message."""
        return self._contestant.decode_rows(messages)
