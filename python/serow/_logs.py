"""Files that grow: what a writer that was killed leaves, and readers that wait for more rows."""

import enum
import fcntl
import logging
import os
import stat
import threading
import time
import weakref
from typing import Any, NamedTuple

from serow import _native
from serow._files import absolute, open_regular

_LOGGER = logging.getLogger("serow")

#: Bytes that are copied at once.
_CHUNK = 1 << 20

#: Seconds between two looks at a file that a reader follows.
_POLL = 0.05

#: Bytes of a file that stand for a hole in it.
_ZEROS = bytes(_CHUNK)

#: Seconds after which a thread that flushes looks whether its writer is still there.
_LOOK = 1.0


class Recovered(NamedTuple):
    """What `serow.recover` has found and kept."""

    rows: int
    """The number of rows in the file now, by the headers of its frames."""
    bytes: int
    """The length of the file now."""
    cut_bytes: int
    """The number of bytes at its end that were no whole frame; 0 if it was whole."""
    cut_path: str | None
    """The file that has these bytes now."""
    damaged_bytes: int
    """The number of damaged bytes between whole frames. They stay, and readers find them."""


def recover(path: str | os.PathLike[str]) -> Recovered:
    """Make a file of streams whole after its writer was killed.

    All whole frames stay. Bytes after them, such as a frame that was cut, go to a file beside it,
    `<path>.cut-<offset>`. Then the last stream gets its end, so that every reader reads the file
    and `Writer(path, append=True)`, which does all this by itself, can append to it. A file that
    is whole does not change. It waits while a writer with `append=True` writes. Do not call it
    while another writer writes to the file.

    Raises DecodeError, and changes nothing, if the file is none of serow's or of a later version.

        >>> import os, serow, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "log")
        >>> with serow.Writer(path) as writer:
        ...     writer.write((1, "bolt"))
        ...     writer.flush()
        ...     writer.write((2, "nut"))
        >>> whole = os.path.getsize(path)
        >>> os.truncate(path, whole - 100)
        >>> found = serow.recover(path)
        >>> found.rows, found.cut_bytes > 0, list(serow.Reader(path))
        (1, True, [(1, 'bolt')])
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{os.fsdecode(path)} is a pipe or device; only files are recovered")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return _repair(descriptor, path)[0]
    finally:
        os.close(descriptor)


def _repair(descriptor: int, path: Any) -> tuple[Recovered, tuple[int, int]]:
    """Make a file whole that nobody else writes meanwhile.

    Give also where a stream begins that follows: the salt of its log, and the number of rows.
    """
    length = os.fstat(descriptor).st_size
    keep, index, rows, damaged, end = _native.salvage(descriptor)
    cut, cut_path = length - keep, None
    if cut:
        # If this is killed before the end, the bytes are in both files.
        cut_path = _put_aside(descriptor, os.fsdecode(path), keep, length)
        os.ftruncate(descriptor, keep)
    rest = memoryview(index)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    if cut or index:
        put = f"; the {cut} bytes after them, no whole frame, are in {cut_path}" if cut else ""
        _LOGGER.warning(
            "%s did not end with a whole stream, because its writer was killed or an error stopped "
            "it: %d rows stay%s",
            os.fsdecode(path),
            rows,
            put,
        )
    return Recovered(rows, keep + len(index), cut, cut_path, damaged), end


def _put_aside(descriptor: int, path: str, begin: int, end: int) -> str:
    """Copy bytes of a file to a new one beside it. Give its path."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o777
    name, number = f"{path}.cut-{begin}", 1
    while True:
        try:
            to = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            break
        except FileExistsError:
            number += 1
            name = f"{path}.cut-{begin}-{number}"
    with open(to, "wb") as file:
        while begin < end and (data := os.pread(descriptor, min(_CHUNK, end - begin), begin)):
            if data == _ZEROS[: len(data)]:
                file.seek(len(data), os.SEEK_CUR)
            else:
                file.write(data)
            begin += len(data)
        file.truncate()
        os.fsync(file.fileno())
    return name


os.register_at_fork(after_in_child=_native.leave_logs)


class _Change(enum.Enum):
    """What has become of a file that a reader follows."""

    GROWN = enum.auto()
    REPLACED = enum.auto()
    NONE = enum.auto()


class _Followed:
    """Reads the file at a path as it grows, and the file that takes its place.

    A file takes its place if the path is that of another one, or if it becomes shorter than what
    was read.
    """

    def __init__(self, path: Any, *, from_end: bool) -> None:
        """Open the file.

        With `from_end`, `read` gives the bytes that are there from the beginning of a stream that
        has not ended, which tell what later bytes of the stream mean, until `pass_over`.
        """
        self._name = os.fsdecode(path)
        self._path = absolute(path)
        self._file = open_regular(self._path, "follow")
        #: The number of bytes that were read from earlier files.
        self._before = 0
        self._at = 0
        #: The length and time of the file before it was read last.
        self._seen: tuple[int, int] | None = None
        #: Where `read` ends until `pass_over`.
        self._until: int | None = None
        if from_end:
            try:
                self._until = os.fstat(self._file.fileno()).st_size
                self._at = _native.end_of_messages(self._file.fileno(), self._until)
            except BaseException:
                self._file.close()
                raise
            self._before = -self._at
        self._is_closed = threading.Event()
        # Another thread may close the file.
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The path as it was given."""
        return self._name

    def read(self, count: int) -> bytes:
        """Read up to so many bytes."""
        with self._lock:
            if self._is_closed.is_set():
                return b""
            if self._until is not None:
                count = min(count, self._until - self._at)
            data = os.pread(self._file.fileno(), count, self._at)
            self._at += len(data)
            return data

    def pass_over(self, done: int) -> None:
        """Go on after the first `done` bytes."""
        self._at, self._until = done - self._before, None

    def wait(self, done: int, deadline: float | None) -> _Change:
        """Wait for bytes after the first `done` that the reader needs no more, or for another file.

        Give NONE at the deadline, or if the file was closed.
        """
        self._at = done - self._before
        while not self._is_closed.is_set():
            if (change := self._change(done)) is not _Change.NONE:
                return change
            left = _POLL if deadline is None else min(_POLL, deadline - time.monotonic())
            if left <= 0:
                break
            self._is_closed.wait(left)
        return _Change.NONE

    def _change(self, done: int) -> _Change:
        """Look once."""
        with self._lock:
            if self._is_closed.is_set():
                return _Change.NONE
            # The path first: what was written to the file until somebody renamed it is seen then.
            other = self._other()
            status = os.fstat(self._file.fileno())
            seen = (status.st_size, status.st_mtime_ns)
            if status.st_size < self._at:
                _LOGGER.info("%s has become shorter; reading it from its beginning", self._path)
            elif seen != self._seen:
                self._seen = seen
                if other is not None:
                    other.close()
                return _Change.GROWN
            elif other is None:
                return _Change.NONE
            elif status.st_size > self._at:
                _LOGGER.warning(
                    "%s is another file now; the last %d bytes of that before are no whole frame",
                    self._path,
                    status.st_size - self._at,
                )
            if other is not None:
                self._file.close()
                self._file = other
            self._before, self._at, self._seen = done, 0, None
            return _Change.REPLACED

    def _other(self) -> Any:
        """Open the file at the path, if it is another one."""
        try:
            there, here = os.stat(self._path), os.fstat(self._file.fileno())
            if (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino):
                return None
            return open_regular(self._path, "follow")
        except FileNotFoundError:
            # Its writer will make another one.
            return None

    def close(self) -> None:
        """Close the file, and end `wait` in another thread."""
        self._is_closed.set()
        with self._lock:
            self._file.close()


def _flush_in_time(writer: Any, seconds: float) -> None:
    """Start a thread that flushes the rows of a writer that have waited for so long."""
    reference = weakref.ref(writer)

    def work() -> None:
        delay: float | None = seconds
        while delay is not None:
            time.sleep(min(delay, _LOOK))
            there = reference()
            if there is None:
                return
            delay = there._flush_due()
            del there

    threading.Thread(target=work, name="serow-flush", daemon=True).start()
