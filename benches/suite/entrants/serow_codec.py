"""serow by a codec of the workload's schema, all rows in one message."""

from collections.abc import Sequence
from typing import Any, Literal

import serow

from demo.errors import DemoError
from demo.rows import Message
from suite import compiler
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class SerowCodec(Entrant):
    """One wire of serow's, run by one of its tiers."""

    batch = None
    stream_batch = 10_000
    retains_memory = True

    def __init__(self, workload: Workload, wire: Literal["row", "frame"], compiled: bool) -> None:
        """Make the codec, and wait for machine code if it is to be `compiled`."""
        super().__init__(workload)
        self._codec = serow.Codec(workload.schema, wire=wire)
        self._compiled = compiled
        if compiled:
            compiler.compile_all(self._codec)

    @property
    def tier(self) -> str:  # type: ignore[override]
        """What converts rows now; raises if that is not what this entrant is to be measured for."""
        tier = compiler.tier(self._codec)
        if (tier == "jit") != self._compiled:
            raise DemoError(f"rows are converted by the {tier} tier, and should not be")
        return tier

    def encode(self, batches: Batches) -> list[Message]:
        """A message a batch."""
        return [self._codec.encode(batch) for batch in batches]

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """One message after another."""
        return sum([self._codec.encode_into(batch, buffer) for batch in batches])

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The rows; those of one message as they come."""
        rows = self._codec.decode(messages[0])
        for message in messages[1:]:
            rows += self._codec.decode(message)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A whole message a row, header and checksum included."""
        encode = self._codec.encode
        return [encode([row]) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The only row of each."""
        decode = self._codec.decode
        return [decode(message)[0] for message in messages]
