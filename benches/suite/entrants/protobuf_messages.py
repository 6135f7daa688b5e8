"""The demo's Protocol Buffers: upb, to and from tuples."""

from collections.abc import Sequence
from typing import Any

from demo.contestants import protobuf_messages
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class ProtobufMessages(Entrant):
    """A `Parts` a batch, a `Part` a row."""

    def __init__(self, workload: Workload) -> None:
        """Take the demo's contestant."""
        super().__init__(workload)
        self._contestant = protobuf_messages.ProtobufMessages()

    def encode(self, batches: Batches) -> list[Message]:
        """A `Parts` a batch."""
        return [message for batch in batches for message in self._contestant.encode(list(batch))]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The fields of every part."""
        return self._contestant.decode(messages)

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A `Part` a row."""
        return self._contestant.encode_rows([row for batch in batches for row in batch])

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The fields of each."""
        return self._contestant.decode_rows(messages)
