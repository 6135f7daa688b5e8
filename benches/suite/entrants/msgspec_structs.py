"""msgspec with its own Structs, as arrays that the garbage collector ignores: its fastest way.

The rows are Structs before and after. The time to convert tuples to Structs is not measured.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from suite.entrants.msgspec_tuples import MsgspecTuples


class Part(msgspec.Struct, array_like=True, gc=False, frozen=True):
    """A row of Part."""

    partkey: int
    name: str
    mfgr: str
    brand: str
    type: str
    size: int
    container: str
    retailprice: float
    comment: str


class MsgspecStructs(MsgspecTuples):
    """Like the entrant with tuples. The bytes are the same."""

    def row_type(self) -> Any:
        """Uses the Struct as the decoder's type."""
        return Part

    def prepared(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Returns Structs of the rows."""
        make: Any = Part
        return [make(*row) for row in rows]

    def tuples(self, rows: Sequence[Any]) -> list[Any]:
        """Returns the Structs' fields."""
        return [msgspec.structs.astuple(row) for row in rows]
