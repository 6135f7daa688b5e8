"""What streams demand of the files that a program gives them, for type checkers."""

import os
from typing import Any, Protocol

#: A file's path.
Path = str | os.PathLike[Any]


class Writable(Protocol):
    """What a `Writer` can write to."""

    def write(self, data: memoryview, /) -> object:
        """Take all of the bytes, or give the number of those that were taken."""


class Readable(Protocol):
    """What a `Reader` can read."""

    def read(self, size: int, /) -> bytes | None:
        """Give at most so many bytes, and none at the end."""


class Seekable(Protocol):
    """What an `IndexedReader` can read."""

    def read(self, size: int, /) -> bytes | None:
        """Give at most so many bytes, and none at the end."""

    def seek(self, offset: int, whence: int = 0, /) -> object:
        """Move to an offset."""
