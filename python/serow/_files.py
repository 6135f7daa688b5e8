"""The files that a program gives to streams, and how they are read."""

import io
import mmap
import os
import stat
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing_extensions import Self

#: Bytes that a reader of a path reads at once.
READ_AHEAD = 1 << 16

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


class Seekable(Readable, Protocol):
    """What an `IndexedReader` can read."""

    def seek(self, offset: int, whence: int = 0, /) -> object:
        """Move to an offset."""


def is_path(file: Any) -> bool:
    """Tell paths from files."""
    if isinstance(file, bytes | bytearray | memoryview):
        raise TypeError(f"file is {type(file).__name__}; for bytes in memory use io.BytesIO")
    return isinstance(file, str | os.PathLike)


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


class PositionReader:
    """Reads a file at positions, for threads and forked children where the file allows it."""

    def __init__(self, file: Any) -> None:
        """Read `file`, which has `seek` and `read`."""
        self._file = file
        self._process = os.getpid()
        # One lock for each process, because another thread may hold the lock during a fork.
        self._locks: dict[int, threading.Lock] = {}
        # What is in memory is not shared with a child.
        self._is_private = isinstance(file, io.BytesIO | mmap.mmap)
        # Other files may have a descriptor whose bytes are not theirs, as those of gzip do.
        raw = file.raw if type(file) in (io.BufferedReader, io.BufferedRandom) else file
        self._raw = raw if type(raw) is io.FileIO else None

    def length(self) -> int:
        """Give the length of the file, and move to its end."""
        length: int | None = self._file.seek(0, os.SEEK_END)
        # Memory that is mapped says nothing before Python 3.13.
        return self._file.tell() if length is None else length

    def read(self, offset: int, count: int) -> bytes:
        """Read bytes; fewer only at the end of the file."""
        data: bytes
        if self._raw is not None:
            data = os.pread(self._raw.fileno(), count, offset)
            while len(data) < count and (
                more := os.pread(self._raw.fileno(), count - len(data), offset + len(data))
            ):
                data += more
            return data
        process = os.getpid()
        if process != self._process and not self._is_private:
            raise RuntimeError(
                "this IndexedReader reads a file object whose position a forked child shares with "
                "its parent; open an IndexedReader in the child, or give it a path"
            )
        with self._locks.setdefault(process, threading.Lock()):
            self._file.seek(offset)
            data = self._file.read(count)
            while len(data) < count and (more := self._file.read(count - len(data))):
                data += more
            return data


class SequentialReader:
    """Reads a file from its beginning to its end, in the process that has opened it."""

    def __init__(self, file: Any, is_own: bool) -> None:
        """Read `file`, which has `read`. Its position is known if it `is_own`."""
        self._file = file
        self._process = os.getpid()
        self._is_private = isinstance(file, io.BytesIO)
        self._at = 0 if is_own and file.seekable() else None
        # Bytes before this position that were read ahead, because frames may be small.
        self._ahead = b""
        self._given = 0

    def read(self, count: int) -> bytes | None:
        """Read up to so many bytes."""
        if self._at is not None:
            if self._given < len(self._ahead):
                data = self._ahead[self._given : self._given + count]
                self._given += len(data)
                return data
            data = os.pread(self._file.fileno(), max(count, READ_AHEAD), self._at)
            self._at += len(data)
            if len(data) > count:
                self._ahead, self._given = data, count
                data = data[:count]
            return data
        if os.getpid() != self._process and not self._is_private:
            raise RuntimeError(
                "this Reader reads a file whose position a forked child shares with its parent, so "
                "each would miss what the other reads; open a Reader in the child"
            )
        given: bytes | None = self._file.read(count)
        return given


class Opened:
    """A reader's file, which it closes if it has opened it."""

    __slots__ = ()

    _file: Any
    _is_own: bool

    def close(self) -> None:
        """Close the file if the reader has opened it.

        >>> import io, serow
        >>> reader = serow.Reader(io.BytesIO(serow.dumps([7])))
        >>> list(reader)
        [7]
        >>> reader.close()
        """
        if self._is_own:
            self._file.close()

    def __enter__(self) -> "Self":
        """Return the reader."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the reader."""
        self.close()
