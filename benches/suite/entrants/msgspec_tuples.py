"""msgspec's MessagePack with typed tuples: the decoder knows the rows' type."""

from collections.abc import Sequence
from typing import Any

import msgspec

from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class MsgspecTuples(Entrant):
    """All rows in one message. Measurements showed that batches are not faster."""

    batch = None
    retains_memory = True

    def __init__(self, workload: Workload) -> None:
        """Makes encoder and decoders."""
        super().__init__(workload)
        row = self.row_type()
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(list[row])  # type: ignore[valid-type]
        self._row_decoder = msgspec.msgpack.Decoder(row)

    def row_type(self) -> Any:
        """Returns the type of a decoded row."""
        return self.workload.type

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [self._encoder.encode(batch) for batch in batches]

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """Writes each message over the last. msgspec resizes the buffer to the message."""
        length = 0
        for batch in batches:
            self._encoder.encode_into(batch, buffer)
            length += len(buffer)
        return length

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows. One message gives its own list, without a copy."""
        rows: list[Any] = self._decoder.decode(messages[0])
        for message in messages[1:]:
            rows += self._decoder.decode(message)
        return rows

    has_functions = True

    def dumps(self, lists: Batches) -> list[Message]:
        """Returns a message of each list. A reused encoder is faster than the function."""
        encode = self._encoder.encode
        return [encode(rows) for rows in lists]

    def loads(self, messages: Sequence[Message]) -> list[Sequence[Any]]:
        """Returns the list of each message. A reused decoder is faster than the function."""
        decode = self._decoder.decode
        return [decode(message) for message in messages]

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one message per row."""
        encode = self._encoder.encode
        return [encode(row) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        decode = self._row_decoder.decode
        return [decode(message) for message in messages]
