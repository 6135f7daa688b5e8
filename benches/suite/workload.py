"""What a workload is: rows of one schema."""

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
    """The rows' type as msgspec takes it."""

    tricky: list[Any]
    """Rows that are easily got wrong, and that every contestant can carry."""

    make: Maker | None = None
    """One row out of random numbers; without it the rows are of a table, that is a file of text."""

    parse: Parser | None = None
    """One row out of a line of the table; without it the table is Part's."""
