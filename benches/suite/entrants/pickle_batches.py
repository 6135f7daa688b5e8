"""The demo's pickle: protocol 5 in batches of 1000 rows, because its memo is slow on long lists."""

import pickle
from collections.abc import Sequence
from typing import Any

from demo.contestants import pickle_batches
from demo.rows import Message
from suite.entrants.entrant import Batches, Entrant
from suite.workload import Workload


class PickleBatches(Entrant):
    """One pickle per batch."""

    def __init__(self, workload: Workload) -> None:
        """Uses the demo's contestant."""
        super().__init__(workload)
        self._contestant = pickle_batches.PickleBatches()

    def encode(self, batches: Batches) -> list[Message]:
        """Returns one pickle per batch."""
        return [message for batch in batches for message in self._contestant.encode(list(batch))]

    def decode(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the joined lists."""
        return self._contestant.decode(messages)

    def encode_rows(self, batches: Batches) -> list[Message]:
        """Returns one pickle per row."""
        return [pickle.dumps(row, 5) for batch in batches for row in batch]

    def decode_rows(self, messages: Sequence[Message]) -> list[Any]:
        """Returns the row of each message."""
        return [pickle.loads(message) for message in messages]
