"""A workload: rows of one schema."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from demo.rows import Row

Maker: TypeAlias = Callable[[random.Random], Row]
Parser: TypeAlias = Callable[[str], Any]


@dataclass(frozen=True)
class Workload:
    """Rows of one schema."""

    name: str
    schema: str
    type: Any
    """The rows' type for msgspec."""

    tricky: list[Any]
    """Rows that are easy to get wrong and that every entrant supports."""

    make: Maker | None = None
    """Makes a row from random numbers. Without it the rows come from a text file."""

    parse: Parser | None = None
    """Makes a row from a line of the table. Without it the table is Part's."""
