"""pickle, protocol 5, in batches of 1000 rows like PySpark; Pyrolite on the JVM."""

import pickle
from collections.abc import Sequence

from demo.contestants import BATCH
from demo.contestants.contestant import Contestant, batches
from demo.rows import Message, Rows


class PickleBatches(Contestant):
    """One pickled list per batch."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        """Returns one pickle per batch."""
        return [pickle.dumps(batch, 5) for batch in batches(rows, BATCH)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Returns the joined lists."""
        rows: Rows = []
        for message in messages:
            rows.extend(pickle.loads(message))
        return rows
