"""serow with a codec of the workload's schema. All rows are in one message."""

from collections.abc import Sequence
from typing import Any, Literal

import serow

from demo.errors import DemoError
from demo.rows import Message
from suite import compiler
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class SerowCodec(Entrant):
    """One of serow's wires with one of its tiers."""

    batch = None
    stream_batch = 10_000
    retains_memory = True

    def __init__(self, workload: Workload, wire: Literal["row", "frame"], compiled: bool) -> None:
        """Makes the codec, and waits for machine code if it must be `compiled`."""
        super().__init__(workload)
        self._codec = serow.Codec(workload.schema, wire=wire)
        self._compiled = compiled
        if compiled:
            compiler.compile_all(self._codec)

    @property
    def tier(self) -> str:  # type: ignore[override]
        """Returns the tier that converts rows now. Raises if this entrant must not measure it."""
        tier = compiler.tier(self._codec)
        if (tier == "jit") != self._compiled:
            raise DemoError(f"rows are converted by the {tier} tier, and should not be")
        return tier

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one message per batch."""
        return [self._codec.encode(batch) for batch in batches]

    def encode_into(self, batches: Batches, buffer: bytearray) -> int:
        """Writes one message after another."""
        return sum([self._codec.encode_into(batch, buffer) for batch in batches])

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the rows. One message gives its own list, without a copy."""
        rows = self._codec.decode(messages[0])
        for message in messages[1:]:
            rows += self._codec.decode(message)
        return rows

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns a whole message per row, with header and checksum."""
        encode = self._codec.encode
        return [encode([row]) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the only row of each message."""
        decode = self._codec.decode
        return [decode(message)[0] for message in messages]
