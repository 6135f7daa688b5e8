"""Contestants with one fault each. The demo must notice every one of them."""

import os
from collections.abc import Sequence

from demo.contestants.pickle_batches import PickleBatches
from demo.contestants.serow_rows import SerowRows
from demo.rows import Message, Rows


class ChangedOnTheWay(PickleBatches):
    """Encodes one row with another value: the JVM's digest must differ."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        changed = [*rows]
        changed[len(rows) // 2] = (*rows[len(rows) // 2][:-1], "something else")
        return super().encode(changed)


class WrongType(PickleBatches):
    """Decodes one integer as a float, which is equal but has another type."""

    def decode(self, messages: Sequence[Message]) -> Rows:
        rows = super().decode(messages)
        key, *others = rows[-1]
        assert isinstance(key, int)
        rows[-1] = (float(key), *others)
        return rows


class LostRow(PickleBatches):
    """Loses the last row."""

    def decode(self, messages: Sequence[Message]) -> Rows:
        return super().decode(messages)[:-1]


class Raises(PickleBatches):
    """Fails in decode like a library."""

    def decode(self, messages: Sequence[Message]) -> Rows:
        raise EOFError("ran out of input")


class Damaged(SerowRows):
    """Flips one bit of its message."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        message = bytearray(super().encode(rows)[0])
        message[len(message) // 2] ^= 1
        return [message]


class Dies(PickleBatches):
    """Ends its process."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        os._exit(7)
