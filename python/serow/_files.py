"""What streams demand of the files that a program gives them, for type checkers."""

import io
import os
import stat
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


def absolute(path: Path) -> str:
    """Give a path that leads to the same file after the process has changed its folder."""
    name: str = os.fsdecode(path)
    return name if os.path.isabs(name) else os.path.join(os.getcwd(), name)


def open_regular(path: Path, use: str) -> io.FileIO:
    """Open a file to read it. It does not wait for the writer of a pipe.

    Raises ValueError for a pipe or device. The message names the `use`, which takes only files.
    """

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NONBLOCK)

    file = io.FileIO(path, "rb", opener=opener)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError(f"{os.fsdecode(path)} is a pipe or device; {use} is for files")
    return file


def kind(file: Any) -> str:
    """Name what is no file."""
    return type(file).__name__


def named(file: Any) -> str:
    """Name what is no file, and say what to do with a socket."""
    return kind(file) + ("; use its makefile('rwb')" if hasattr(file, "makefile") else "")


def can_seek(file: Any) -> bool:
    """Tell whether a file can be read at any place."""
    try:
        return bool(file.seekable())
    except (AttributeError, ValueError):
        return False
