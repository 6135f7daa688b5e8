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
        self._wire = wire
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
        """Returns a single record per row; in frames, a whole message with header and checksum."""
        if self._wire == "row":
            encode_one = self._codec.encode_one
            return [encode_one(row) for batch in batches for row in batch]
        encode = self._codec.encode
        return [encode([row]) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each single record, or of each message."""
        if self._wire == "row":
            decode_one = self._codec.decode_one
            return [decode_one(record) for record in messages]
        decode = self._codec.decode
        return [decode(message)[0] for message in messages]

    has_functions = True

    def dumps(self, lists: Batches) -> list[Message]:
        """Returns a message of each list. serow infers its schema."""
        dumps, wire = serow.dumps, self._wire
        return [dumps(rows, wire=wire) for rows in lists]

    def loads(self, messages: Sequence[Message]) -> list[Sequence[Any]]:
        """Returns the list of each message."""
        loads = serow.loads
        return [loads(message) for message in messages]


class SerowDefault(SerowCodec):
    """`dumps` without a wire, so that the size of the message decides. Only for small messages."""

    only_small = True

    def __init__(self, workload: Workload, compiled: bool) -> None:
        """Small messages are on the row wire, so the code for that is compiled."""
        super().__init__(workload, "row", compiled)

    def dumps(self, lists: Batches) -> list[Message]:
        """Returns a message of each list."""
        dumps = serow.dumps
        return [dumps(rows) for rows in lists]
