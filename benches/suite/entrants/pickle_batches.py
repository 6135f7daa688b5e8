"""The demo's pickle: protocol 5 in batches of 1000 rows, since its memo collapses on long lists."""

import pickle
from collections.abc import Sequence
from typing import Any

from demo.contestants import pickle_batches
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class PickleBatches(Entrant):
    """A pickle a batch."""

    def __init__(self, workload: Workload) -> None:
        """Take the demo's contestant."""
        super().__init__(workload)
        self._contestant = pickle_batches.PickleBatches()

    def encode(self, batches: Batches) -> list[Message]:
        """A pickle a batch."""
        return [message for batch in batches for message in self._contestant.encode(list(batch))]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """The lists, joined."""
        return self._contestant.decode(messages)

    def encode_rows(self, batches: Batches) -> list[Message]:
        """A pickle a row."""
        return [pickle.dumps(row, 5) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """The row of each."""
        return [pickle.loads(message) for message in messages]
