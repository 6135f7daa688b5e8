"""serow as its users call it: `dumps` and `loads`, with no schema given to anyone."""

from collections.abc import Sequence

import serow

from demo.contestants.contestant import Contestant
from demo.rows import Message, Rows


class SerowRows(Contestant):
    """One message for all rows; it holds its schema and is cut into frames by serow itself."""

    def encode(self, rows: Rows) -> Sequence[Message]:
        """One message."""
        return [serow.dumps(rows)]

    def decode(self, messages: Sequence[Message]) -> Rows:
        """Its rows."""
        if len(messages) == 1:
            return serow.loads(messages[0])
        return [row for message in messages for row in serow.loads(message)]
