"""Streams: rows written to a file and read from it, frame by frame."""

import operator
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

from serow import _native

if TYPE_CHECKING:
    from typing_extensions import Self

#: Rows of an iterable that are taken at once: at first, in the first frame, and at most.
_FIRST_BATCH, _MIDDLE_BATCH, _MOST_BATCH = 64, 1 << 13, 1 << 17

#: At most as many rows as in this many frames are taken at once.
_BATCH_FRAMES = 4

#: Called with numbers of rows and bytes.
_Progress = Callable[[int, int], object]


def _is_path(file: Any) -> bool:
    """Tell paths from files."""
    if isinstance(file, bytes | bytearray | memoryview):
        raise TypeError(f"file is {type(file).__name__}; for bytes in memory use io.BytesIO")
    return isinstance(file, str | os.PathLike)


def _named(file: Any) -> str:
    """Name what is no file, and say what to do with a socket."""
    hint = "; use its makefile('rwb')" if hasattr(file, "makefile") else ""
    return type(file).__name__ + hint


def _check_end(path: Any) -> None:
    """Check that rows which are appended to a file can be read."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return
    try:
        with IndexedReader(path):
            return
    except _native.DecodeError:
        pass
    # There is no index if the last message is no stream. It may be whole all the same.
    try:
        with Reader(path) as reader:
            for _ in reader.frames():
                pass
    except _native.DecodeError as error:
        raise ValueError(
            f"{os.fspath(path)} does not end with a whole message, so readers would not find what "
            "is appended; write its rows, which a Reader gives, to another file"
        ) from error


class _Sink:
    """Where a writer's bytes go."""

    def __init__(self, file: Any, is_own: bool) -> None:
        """Put bytes into `file`, which is an unbuffered file of this process if it `is_own`."""
        self.file, self.is_own = file, is_own

    def put(self, data: bytes) -> None:
        """Write all bytes, or raise an error. Then an own file has no part of them."""
        view = memoryview(data)
        begin = self.file.tell() if self.is_own and self.file.seekable() else None
        try:
            while view:
                written = self.file.write(view)
                if written == 0:
                    raise OSError("the file takes no bytes: write() returned 0")
                if written is None and self.is_raw:
                    raise BlockingIOError("the file takes no data now; use one that waits")
                view = view[len(view) if written is None else written :]
        except BaseException:
            if begin is not None:
                self.file.truncate(begin)
            raise

    @property
    def is_raw(self) -> bool:
        """Whether the file may write less than it is given."""
        return hasattr(self.file, "readinto") and not hasattr(self.file, "raw")

    def flush(self) -> None:
        """Flush the file, if it can be flushed."""
        flush = getattr(self.file, "flush", None)
        if flush is not None:
            flush()

    def close(self) -> None:
        """Close an own file, and flush another one."""
        if self.is_own:
            self.file.close()
        else:
            self.flush()


class Writer(_native.StreamWriter):
    """Writes rows to a stream: a file, a pipe, a socket's file, or any object with `write`.

    `file` is a path, which is created or overwritten (or, with `append=True`, appended to), or an
    object with a method `write(bytes)`, which is flushed but not closed. Memory is bounded by a
    frame: at most 65,536 rows and about 16 MiB. `schema` is the schema of all rows; without one it
    is inferred, and widens when a row does not fit. `wire`, `compression`, `level` and `threads`
    are as for `dumps`; threads hold two frames each. `progress` is called with the
    numbers of rows and of bytes written, after each batch of `write_rows` and at the end.

    Use it in a `with` statement, whose end ends the stream. After an exception in it the stream is
    ended too, with all rows until then. One thread at a time may use it.

        >>> import io, serow
        >>> file = io.BytesIO()
        >>> with serow.Writer(file, compression="zstd") as writer:
        ...     writer.write((1, "bolt"))
        ...     writer.write_rows([(2, "nut"), (3, None)])
        >>> _ = file.seek(0)
        >>> list(serow.Reader(file))
        [(1, 'bolt'), (2, 'nut'), (3, None)]
    """

    _sink: _Sink
    _is_closed: bool
    _progress: _Progress | None

    def __new__(
        cls,
        file: Any,
        schema: "_native.Schema | str | None" = None,
        *,
        wire: Literal["frame", "row"] = "frame",
        compression: Literal["zstd", "lz4"] | None = None,
        level: int | None = None,
        threads: int | Literal["auto"] | None = None,
        append: bool = False,
        progress: _Progress | None = None,
    ) -> "Writer":
        """Begin a stream."""
        is_own = _is_path(file)
        if append and not is_own:
            raise ValueError("append is for paths; open the file with 'ab' instead")
        if not is_own and not hasattr(file, "write"):
            raise TypeError(f"file must be a path or have write(), but it is {_named(file)}")
        if append:
            _check_end(file)
        opened = open(file, "ab" if append else "wb", buffering=0) if is_own else file  # noqa: SIM115
        sink = _Sink(opened, is_own)
        try:
            self = super().__new__(cls, sink.put, schema, wire, compression, level, threads)
        except BaseException:
            if is_own:
                opened.close()
            raise
        self._sink, self._progress, self._is_closed = sink, progress, False
        return self

    def write_rows(self, rows: Iterable[Any]) -> None:
        """Append rows. If the iterable raises an error, the rows before it are in the stream.

        Raises EncodeError for the first row that does not fit or has no type, with its index among
        `rows`. All rows before it are in the stream, and the stream can go on.
        """
        if isinstance(rows, list | tuple):
            self.append(rows)
            self._report()
            return
        iterator, done = iter(rows), 0
        while batch := self._taken(iterator, self._batch(done)):
            self.append(batch, done)
            done += len(batch)
            self._report()

    def _batch(self, done: int) -> int:
        """Give the number of rows to take after `done` rows: many, unless they are long."""
        if frames := self.frames_written:
            # Frames of long rows have few.
            return max(1, min(_BATCH_FRAMES * self.rows // frames, _MOST_BATCH))
        # The batches end where a frame of short rows does.
        return max(_FIRST_BATCH, min(done, _MIDDLE_BATCH))

    def _taken(self, iterator: Iterator[Any], size: int) -> list[Any]:
        """Take rows. If the iterator fails, the rows that it gave are appended."""
        batch: list[Any] = []
        try:
            batch.extend(islice(iterator, size))
        except BaseException:
            self.append(batch)
            raise
        return batch

    def _report(self) -> None:
        if self._progress is not None:
            self._progress(self.rows, self.bytes_written)

    def flush(self) -> None:
        """End the frame and flush the file, so that readers get all rows until now."""
        self.end_frame()
        self._sink.flush()

    def close(self) -> None:
        """End the stream, and close the file if the writer has opened it."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if not self.is_ended:
                self.finish()
                self._report()
        finally:
            self._sink.close()

    def __enter__(self) -> "Writer":
        """Return the writer."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the writer."""
        self.close()


class _Opened:
    """A reader's file, which it closes if it has opened it."""

    _file: Any
    _is_own: bool

    def close(self) -> None:
        """Close the file if the reader has opened it."""
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


class Reader(_native.StreamReader, _Opened):
    """Reads rows from a stream: a path, or an object with `read(n)`, such as a file or a pipe.

    Iteration gives rows, and `frames` gives lists of rows. Both go on where the other has stopped.
    Streams one after another read as one; with `one_stream=True` the reader stops after the first
    and reads no byte after it. `type` and `max_memory`, which is for each frame, are as for
    `loads`. `progress` is called with the numbers of rows given and of bytes read, after each
    frame. `threads` is as for `loads`: up to two compressed frames for each thread are read and
    decompressed before the rows of the first are given. Other frames are read one at a time.

    Raises DecodeError where the stream is cut or damaged, after all whole frames before that place,
    and again at each later attempt to read.
    """

    _progress: _Progress | None
    # The rows of the last frame that were not given yet.
    _rest: Iterator[Any]

    def __new__(
        cls,
        file: Any,
        *,
        type: Any = None,
        max_memory: int | None = None,
        one_stream: bool = False,
        threads: int | Literal["auto"] | None = None,
        progress: _Progress | None = None,
    ) -> "Reader":
        """Open a stream. Nothing is read yet."""
        is_own = _is_path(file)
        if not is_own and not hasattr(file, "read"):
            raise TypeError(f"file must be a path or have read(), but it is {_named(file)}")
        opened = open(file, "rb") if is_own else file  # noqa: SIM115 (close closes it)
        try:
            self = super().__new__(cls, opened.read, type, max_memory, one_stream, threads)
        except BaseException:
            if is_own:
                opened.close()
            raise
        self._file, self._is_own, self._progress = opened, is_own, progress
        self._rest = iter(())
        return self

    def frames(self) -> Iterator[list[Any]]:
        """Iterate over the rows of each frame."""
        while True:
            rows: list[Any] | None = list(self._rest)
            if not rows:
                rows = self._next()
            if rows is None:
                return
            yield rows

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        while True:
            yield from self._rest
            rows = self._next()
            if rows is None:
                return
            self._rest = iter(rows)
            del rows

    def _next(self) -> list[Any] | None:
        rows = self.next_frame()
        if rows is not None and self._progress is not None:
            self._progress(self.rows, self.bytes_read)
        return rows


class IndexedReader(Sequence[Any], _Opened):
    """The rows of a file of streams, in any order.

    A sequence: `len`, indices and slices. `file` is a path, or a file with `seek` and `read`. Its
    streams must end with an index, as a Writer ends them. `type` and `max_memory`, which is for
    each frame, are as for `loads`. Reading a row decodes its frame. The rows of the last frame are
    kept, so reading a row again may give the same object.

    Raises DecodeError if the file has no index or is damaged.

        >>> import io, serow
        >>> file = io.BytesIO()
        >>> with serow.Writer(file) as writer:
        ...     writer.write_rows((n, n * n) for n in range(100_000))
        >>> rows = serow.IndexedReader(file)
        >>> len(rows), rows[70_000], rows[-1]
        (100000, (70000, 4900000000), (99999, 9999800001))
    """

    def __init__(self, file: Any, *, type: Any = None, max_memory: int | None = None) -> None:
        """Read the index."""
        self._is_own = _is_path(file)
        if not self._is_own and not (hasattr(file, "read") and hasattr(file, "seek")):
            raise TypeError(f"file must be a path or have seek(), but it is {_named(file)}")
        self._file = open(file, "rb") if self._is_own else file  # noqa: SIM115 (close closes it)
        try:
            length = self._file.seek(0, os.SEEK_END)
            self._index = _native.StreamIndex(self._read_at, length, type, max_memory)
        except BaseException:
            self.close()
            raise
        self._last: tuple[int, list[Any]] = (-1, [])

    def _read_at(self, offset: int, count: int) -> bytes:
        """Read bytes; fewer only at the end of the file."""
        self._file.seek(offset)
        data: bytes = self._file.read(count)
        while len(data) < count and (more := self._file.read(count - len(data))):
            data += more
        return data

    @property
    def frame_count(self) -> int:
        """The number of frames."""
        return self._index.frame_count

    def frame(self, number: int) -> list[Any]:
        """Give the rows of a frame, by its number from 0."""
        if not 0 <= number < self.frame_count:
            raise IndexError(f"there is no frame {number}: the file has {self.frame_count}")
        return self._index.frame(number)

    def __len__(self) -> int:
        """Give the number of rows."""
        return self._index.rows

    @overload
    def __getitem__(self, row: int) -> Any: ...
    @overload
    def __getitem__(self, row: slice) -> list[Any]: ...
    def __getitem__(self, row: int | slice) -> Any:
        """Give a row, or the list of the rows of a slice."""
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        number = operator.index(row)
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no row {row}: the file has {len(self)}")
        frame, first = self._index.frame_of(number)
        if self._last[0] != frame:
            self._last = (frame, self.frame(frame))
        return self._last[1][number - first]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""
        for number in range(self.frame_count):
            yield from self.frame(number)
