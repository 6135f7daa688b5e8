"""serow with a codec that is compiled before the first row."""

from collections.abc import Mapping, Sequence
from time import perf_counter_ns
from typing import Any

import serow

from demo.contestants.contestant import About, Contestant
from demo.rows import Message, Rows


class SerowCompiled(Contestant):
    """A codec for the schema of the first rows. It waits in `compile()` for its machine code."""

    def __init__(self) -> None:
        """Has no schema yet."""
        self._codec: serow.Codec[Any] | None = None
        self._compiled_in = 0.0

    def _compiled(self, rows: Rows) -> serow.Codec[Any]:
        if self._codec is None:
            self._codec = serow.Codec.infer(rows)
            begun = perf_counter_ns()
            self._codec.compile()
            self._compiled_in = (perf_counter_ns() - begun) / 1e6
        return self._codec

    def encode(self, rows: Rows) -> Sequence[Message]:
        """Returns one message."""
        return [self._compiled(rows).encode(rows)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Returns its rows. The first time, reads them once more to learn their schema."""
        codec = self._codec or self._compiled(serow.loads(messages[0]))
        rows: Rows = codec.decode(messages[0])
        for message in messages[1:]:
            rows.extend(codec.decode(message))
        return rows

    def about(self, rows: Rows, java: Mapping[str, str]) -> About:
        """Returns the compile time."""
        codec = self._compiled(rows)
        note = (
            f"serow-compiled calls compile() before it is timed: {self._compiled_in:.1f} ms here, "
            f"{java['compiled in']} ms in the JVM"
        )
        return About(codec.tier, [note])
