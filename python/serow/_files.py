"""The files that a program gives to streams, and how they are read."""

import io
import mmap
import os
import stat
import threading
from bisect import bisect_right
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
    """What a `View` can read."""

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
                "this view reads a file object whose position a forked child shares with its "
                "parent; open a view in the child, or give it a path"
            )
        with self._locks.setdefault(process, threading.Lock()):
            self._file.seek(offset)
            data = self._file.read(count)
            while len(data) < count and (more := self._file.read(count - len(data))):
                data += more
            return data


class MemoryReader:
    """Reads bytes in memory at positions."""

    def __init__(self, data: Any, name: str = "data") -> None:
        """Read a buffer, which was given by this name."""
        try:
            view = memoryview(data)
        except TypeError:
            raise TypeError(
                f"{name} must be a path, a buffer or a file with read() and seek(), not "
                f"{kind(data)}"
            ) from None
        if not view.c_contiguous:
            raise ValueError(f"{name} must be one piece of memory; give bytes({name})")
        self._bytes = view.cast("B")

    def length(self) -> int:
        """Give the number of bytes."""
        return len(self._bytes)

    def read(self, offset: int, count: int) -> bytes:
        """Read bytes; fewer only at the end."""
        return bytes(self._bytes[offset : offset + count])


class Files:
    """Paths, buffers and files with `seek` and `read`, read at positions as if they were one."""

    def __init__(self, data: Any) -> None:
        """Open one of them, or a list or tuple of them."""
        self._data = [
            absolute(it) if isinstance(it, str | os.PathLike) else it
            for it in (data if isinstance(data, list | tuple) else [data])
        ]
        self._opened: list[Any] = []
        self._readers: list[PositionReader | MemoryReader] = []
        self._ends = [0]
        try:
            for it in self._data:
                reader = self._reader(it)
                self._readers.append(reader)
                self._ends.append(self._ends[-1] + reader.length())
        except BaseException:
            self.close()
            raise
        #: The number of bytes of all.
        self.length: int = self._ends[-1]
        #: Reads a number of bytes from an offset; fewer only at the end.
        self.read = self._readers[0].read if len(self._readers) == 1 else self._read

    def _reader(self, data: Any) -> PositionReader | MemoryReader:
        if isinstance(data, str):
            # By position, a buffer is of no use.
            self._opened.append(open(data, "rb", buffering=0))  # noqa: SIM115 (close closes it)
            return PositionReader(self._opened[-1])
        return PositionReader(data) if hasattr(data, "seek") else MemoryReader(data)

    def _read(self, offset: int, count: int) -> bytes:
        parts = []
        for reader, begin, end in zip(self._readers, self._ends[:-1], self._ends[1:], strict=True):
            start, stop = max(offset, begin), min(offset + count, end)
            if start < stop:
                parts.append(reader.read(start - begin, stop - start))
        return b"".join(parts)

    def again(self) -> list[Any]:
        """Give what opens all of them in another process."""
        for it in self._data:
            if hasattr(it, "seek"):
                raise TypeError(f"a view of {kind(it)} does not pickle; open it by its path")
        return [it if isinstance(it, str) else bytes(it) for it in self._data]

    def told(self, error: BaseException) -> BaseException:
        """Give an error that says in which of several files it is."""
        at = getattr(error, "offset", None)
        if len(self._readers) == 1 or at is None:
            return error
        number = min(bisect_right(self._ends, at), len(self._readers)) - 1
        it = self._data[number]
        name = it if isinstance(it, str) else f"item {number}"
        told = type(error)(f"{name}, at its byte {at - self._ends[number]}: {error}")
        told.__dict__.update(vars(error))
        return told

    def close(self) -> None:
        """Close what was opened."""
        for file in self._opened:
            file.close()

    def __str__(self) -> str:
        """Name them."""
        names = [it if isinstance(it, str) else kind(it) for it in self._data]
        return names[0] if len(names) == 1 else f"{len(names)} files"


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
