"""A row in the demo is any tuple. Part's rows are tuples of nine scalars."""

from typing import TypeAlias

Row: TypeAlias = tuple[object, ...]
Rows: TypeAlias = list[Row]
Message: TypeAlias = bytes | bytearray
