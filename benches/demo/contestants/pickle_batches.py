"""pickle, protocol 5, in batches of 1000 rows as PySpark has it; Pyrolite on the JVM."""

import pickle
from collections.abc import Sequence

from demo.contestants import BATCH
from demo.contestants.contestant import Contestant, batches
from demo.rows import Message, Rows


class PickleBatches(Contestant):
    """One pickled list a batch."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        """A pickle a batch."""
        return [pickle.dumps(batch, 5) for batch in batches(rows, BATCH)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """The lists, joined."""
        rows: Rows = []
        for message in messages:
            rows.extend(pickle.loads(message))
        return rows
