"""Streams: rows written to a file and read from it, frame by frame or all at once."""

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

from serow import _native
from serow._files import (
    Opened,
    Path,
    Readable,
    SequentialReader,
    Writable,
    can_seek,
    is_path,
    named,
)
from serow._options import Signature
from serow._schemas import schema_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from serow._logs import _Followed

_Row = TypeVar("_Row")

#: Called with numbers of rows and bytes.
_Progress = Callable[[int, int], object]


class Writer(_native.StreamWriter, Generic[_Row]):
    """Writes rows to a stream: a file, a pipe, a socket's file, or any object with `write`.

    `file` is a path, which is created or overwritten (or, with `append=True`, appended to), or an
    object with a method `write(bytes)`, which is flushed but not closed. Memory is bounded by a
    frame: at most 65,536 rows and about 16 MiB. `schema` is the schema of all rows; without one it
    is inferred, and widens when a row does not fit. `ints_as_floats` is as for `Codec`, and needs a
    schema. `wire`, `compression`, `level`, `threads` and `times` are as for `dumps`; threads hold
    two frames each. `metadata` is texts by their names, 1 MiB at most, which `Reader.metadata`
    gives. `progress` is called with the numbers of rows and of bytes written, after each batch of
    `write_rows` and at the end.

    Use it in a `with` statement, whose end ends the stream. After an exception in it the rows until
    then are in the stream, but not its end: a reader gives them and then an error. After Ctrl-C the
    stream is ended. One thread at a time may use it. In a forked child it writes nothing and raises
    a RuntimeError.

    Rows wait until a frame is full, or until `flush`. `flush_rows`, `flush_bytes` and
    `flush_seconds` flush by themselves: when so many rows or about so many bytes wait, or when the
    first of them has waited for so long. A list in `write_rows` is written before any of them
    counts. For `flush_seconds` a thread flushes files by path. For pipes, devices and objects the
    next `write` does.

    With `append=True`, each flush and each full frame appends a whole stream, so that an exception
    and a lost process leave whole rows, and several processes may append to one file in turns, by
    a lock (`flock`). If the file was renamed or removed, they go on with a new one at the path.
    What a killed writer has left of a frame goes to a file beside it, as `serow.recover` says, and
    a warning of the logger "serow" says so. Raises DecodeError if the file is none of serow's, and
    ValueError for a pipe or device.

        >>> import io, serow
        >>> file = io.BytesIO()
        >>> with serow.Writer(file, compression="zstd") as writer:
        ...     writer.write((1, "bolt"))
        ...     writer.write_rows([(2, "nut"), (3, None)])
        >>> _ = file.seek(0)
        >>> list(serow.Reader(file))
        [(1, 'bolt'), (2, 'nut'), (3, None)]
    """

    # An instance without a dict is made whole or not at all, also where memory runs out.
    __slots__ = ("__weakref__", "_appends")

    _appends: bool

    if TYPE_CHECKING:

        def write(self, row: _Row) -> None:
            """Append one row."""

        def write_rows(
            self,
            rows: Iterable[_Row] | _native._HasArrays,
            *,
            extensions: Literal["storage"] | None = None,
        ) -> None:
            """Append rows."""

    __signature__: ClassVar[Any] = Signature(_native.StreamWriter)

    @overload
    def __new__(
        cls,
        file: Path | Writable,
        schema: type[_Row],
        *,
        append: bool = False,
        **options: "Unpack[_native._WriterOptions]",
    ) -> "Writer[_Row]": ...
    @overload
    def __new__(
        cls,
        file: Path | Writable,
        schema: Any = None,
        *,
        append: bool = False,
        **options: "Unpack[_native._WriterOptions]",
    ) -> "Writer[Any]": ...
    def __new__(
        cls,
        file: Path | Writable,
        schema: Any = None,
        *,
        append: bool = False,
        **options: Any,
    ) -> "Writer[Any]":
        """Begin a stream."""
        is_own = is_path(file)
        if append and not is_own:
            raise ValueError("append is for paths; open the file with 'ab' instead")
        if not is_own and not hasattr(file, "write"):
            raise TypeError(f"file must be a path or have write(), but it is {named(file)}")
        opened: Any = file
        flush_seconds = options.get("flush_seconds")
        if append or flush_seconds is not None:
            # Few programs need it, and `logging`, which it imports, takes long to import.
            from serow import _logs
        if is_own:
            opened = None if append else open(opened, "wb", buffering=0)  # noqa: SIM115
        try:
            self = super().__new__(cls, opened, file if is_own else None, schema, **options)
        except BaseException:
            if is_own and opened is not None:
                opened.close()
            raise
        self._appends = append
        if flush_seconds is not None:
            _logs._flush_in_time(self, flush_seconds)
        return self

    def __del__(self) -> None:
        """Write the rows that wait, and warn, if the writer was not closed."""
        unwritten = self._unwritten()
        if unwritten is None:
            return
        lost, name = unwritten
        try:
            self.abort()
            what = f"the last {lost} of its {self.rows} rows were written only now"
            if not self._appends:
                what += ", and without the stream's end, so readers will say that it is cut"
        except Exception as error:
            what = f"{lost} of its {self.rows} rows are not in the file ({error})"
        warnings.warn(
            f"a serow.Writer of {name} was dropped before it was closed: {what}; use it in a with "
            "statement, or call close()",
            ResourceWarning,
            source=self,
            stacklevel=2,
        )


class Reader(_native.StreamReader, Opened, Generic[_Row]):
    """Reads rows from a stream: a path, or an object with `read(n)`, such as a file or a pipe.

    Iteration gives rows, and `frames` gives lists of rows. Both go on where the other has stopped.
    Streams one after another read as one; with `one_stream=True` the reader stops after the first
    and reads no byte after it. `type`, `times`, `arrays`, `validate`, `records` and `max_memory`,
    for each frame, are as for `loads`. `progress` is called with the numbers of rows given and of
    bytes read, after each frame. `threads` is as for `loads`: up to two compressed frames for each
    thread are read and decompressed before the rows of the first are given. Other frames are read
    one at a time. `schema` is the schema of the rows read last, as the stream has it.

    With `follow=True` a reader of a path waits for more rows at the end of the file, and goes on
    with the file that takes its place: another one at the path, or the same after it was
    truncated. Iteration ends when no row has come for `timeout` seconds, and may go on later, or
    when another thread calls `close`. With `from_end=True` it begins at the end that the file has
    when the reader is made, and gives only rows that are written later. `rows` and `bytes_read`
    then count from there, or from the beginning of a stream that has not ended there.

    Raises DecodeError where the stream is cut or damaged, after all whole frames before that place,
    and again at each later attempt to read. With `on_damage="skip"` damaged frames, and the part of
    a frame at the end of a cut stream, are left out; `rows_lost` and `bytes_lost` say how much.
    """

    # As for `Writer`.
    __slots__ = (
        "__weakref__",
        "_begin",
        "_file",
        "_followed",
        "_is_own",
        "_known_lost",
        "_progress",
        "_rest",
        "_timeout",
    )

    _progress: _Progress | None
    #: The path's file, if the reader waits for more.
    _followed: "_Followed | None"
    _timeout: float | None
    #: The bytes that were lost when the log was written last.
    _known_lost: int
    # The rows of the last frame that were not given yet.
    _rest: Iterator[_Row]
    _begin: int | None

    __signature__: ClassVar[Any] = Signature(_native.StreamReader)

    @overload
    def __new__(
        cls,
        file: Path | Readable,
        *,
        type: "type[_Row] | _native.Codec[_Row]",
        threads: int | Literal["auto"] | None = None,
        one_stream: bool = False,
        on_damage: Literal["error", "skip"] = "error",
        follow: bool = False,
        from_end: bool = False,
        timeout: float | None = None,
        progress: _Progress | None = None,
        **options: "Unpack[_native._FrameOptions]",
    ) -> "Reader[_Row]": ...
    @overload
    def __new__(
        cls,
        file: Path | Readable,
        *,
        type: Any = None,
        threads: int | Literal["auto"] | None = None,
        one_stream: bool = False,
        on_damage: Literal["error", "skip"] = "error",
        follow: bool = False,
        from_end: bool = False,
        timeout: float | None = None,
        progress: _Progress | None = None,
        **options: "Unpack[_native._FrameOptions]",
    ) -> "Reader[Any]": ...
    def __new__(
        cls,
        file: Path | Readable,
        *,
        threads: int | Literal["auto"] | None = None,
        one_stream: bool = False,
        on_damage: Literal["error", "skip"] = "error",
        follow: bool = False,
        from_end: bool = False,
        timeout: float | None = None,
        progress: _Progress | None = None,
        **options: Any,
    ) -> "Reader[Any]":
        """Open a stream. Nothing is read yet."""
        is_own = is_path(file)
        if not is_own and not hasattr(file, "read"):
            raise TypeError(f"file must be a path or have read(), but it is {named(file)}")
        if on_damage not in ("error", "skip"):
            raise ValueError(f'on_damage must be "error" or "skip", but it is {on_damage!r}')
        if follow and (not is_own or one_stream):
            raise ValueError("follow is for paths, and not for one_stream")
        if (timeout is not None or from_end) and not follow:
            raise ValueError(f"{'from_end' if from_end else 'timeout'} is for follow=True")
        opened: Any = file
        followed = None
        if follow:
            from serow._logs import _Followed

            opened = followed = _Followed(file, from_end=from_end)
        elif is_own:
            opened = open(opened, "rb", buffering=0)  # noqa: SIM115 (close closes it)
        try:
            source = SequentialReader(opened, is_own) if followed is None else followed
            skip, path = on_damage == "skip", repr(os.fsdecode(opened.name)) if is_own else None
            self = super().__new__(
                cls, source.read, threads, one_stream, skip, follow, path, **options
            )
            if followed is not None and from_end:
                self._pass_frames()
                followed.pass_over(self.bytes_read)
        except BaseException:
            if is_own:
                opened.close()
            raise
        self._file, self._is_own, self._progress = opened, is_own, progress
        self._followed, self._timeout, self._known_lost = followed, timeout, 0
        is_typed = options.get("type") is not None
        can_look = not (is_typed or one_stream or follow) and can_seek(opened)
        self._begin = opened.tell() if can_look else None
        self._rest = iter(())
        return self

    def frames(self) -> Iterator[list[_Row]]:
        """Iterate over the rows of each frame.

        Raises what the reader raises.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> with serow.Writer(file) as writer:
            ...     writer.write_rows(range(100_000))
            >>> _ = file.seek(0)
            >>> [len(rows) for rows in serow.Reader(file).frames()]
            [65536, 34464]
        """
        return iter(self._frame, None)

    def _frame(self) -> list[_Row] | None:
        return list(self._rest) or self._next()

    def __iter__(self) -> Iterator[_Row]:
        """Iterate over the rows. After an error of the file the iterator can go on."""
        return _native.RowsIterator(self)

    def arrow(self, *, schema: "_native._HasSchema | None" = None) -> "_native.ArrowStream":
        """Give the frames that follow as Arrow's batches, without making rows.

        Their columns are those of `schema`, as for `to_arrow`, or of the Reader's `type`. Without
        them, the columns are of the type that fits all frames, if the file can seek and none was
        read, and otherwise those of the first frame. A frame is read when a library asks for its
        batch.

        Raises ValueError if the rows of a frame were read in part.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> with serow.Writer(file) as writer:
            ...     writer.write_rows([(1, "bolt"), (2, None)])
            >>> _ = file.seek(0)
            >>> serow.from_arrow(serow.Reader(file).arrow())
            [(1, 'bolt'), (2, None)]
        """
        rest = list(self._rest)
        self._rest = iter(rest)
        if rest:
            raise ValueError(
                f"{len(rest)} rows of a frame that was read are left; read them before, or call "
                "arrow() first"
            )
        rows = self._type_of_all() if schema is None and self._begin is not None else None
        return self._arrow(rows, schema, self._progress)

    def _type_of_all(self) -> "_native.Schema | None":
        """Give the schema that fits all frames, by their headers, if no frame was read."""
        if self.bytes_read > 0:
            return None
        at = self._file.tell()
        try:
            self._file.seek(self._begin)
            return schema_of(self._file)
        except _native.DecodeError:
            # Reading the rows says what is wrong, where it is.
            return None
        finally:
            self._file.seek(at)

    def _next(self) -> list[_Row] | None:
        rows = self._next_frame()
        if rows is None and self._followed is not None:
            rows = self._wait(self._followed)
        if self.bytes_lost != self._known_lost:
            lost, self._known_lost = self.bytes_lost - self._known_lost, self.bytes_lost
            from serow._logs import _LOGGER

            _LOGGER.warning(
                "%s: %d damaged bytes up to byte %d were skipped; %d rows are lost until here",
                getattr(self._file, "name", self._file),
                lost,
                self.bytes_read,
                self.rows_lost,
            )
        if rows is not None and self._progress is not None:
            self._progress(self.rows, self.bytes_read)
        return rows

    def _wait(self, followed: "_Followed") -> list[_Row] | None:
        """Wait for the rows of the next frame."""
        from serow._logs import _Change

        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        while True:
            change = followed.wait(self.bytes_read, deadline)
            if change is _Change.NONE:
                return None
            if change is _Change.REPLACED:
                self._begin_anew()
            rows = self._next_frame()
            if rows is not None:
                return rows


def dump(
    rows: Iterable[Any],
    file: Path | Writable,
    schema: "_native.Schema | str | type[Any] | None" = None,
    *,
    wire: Literal["frame", "row"] = "frame",
    compression: Literal["zstd", "lz4"] | None = None,
    level: int | None = None,
    threads: int | Literal["auto"] | None = None,
    times: Literal["exact", "portable"] = "exact",
    metadata: dict[str, str] | None = None,
    ints_as_floats: bool = False,
) -> None:
    """Write all rows to a file as one stream.

    `file` is a path, which is created or overwritten, or an object with a method `write(bytes)`.
    `rows` is any iterable, or a table as for `dumps`. `schema`, `wire`, `compression`, `level`,
    `threads`, `times`, `metadata` and `ints_as_floats` are as for a `Writer`, which this uses: so
    memory is bounded by a frame.

    Raises what `Writer.write_rows` raises. Then the file has the rows before, without the stream's
    end.

        >>> import os, serow, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "parts.srow")
        >>> serow.dump([(1, "bolt"), (2, None)], path, compression="zstd")
        >>> serow.load(path)
        [(1, 'bolt'), (2, None)]
    """
    with Writer(
        file,
        schema,
        wire=wire,
        compression=compression,
        level=level,
        threads=threads,
        times=times,
        metadata=metadata,
        ints_as_floats=ints_as_floats,
    ) as writer:
        writer.write_rows(rows)


@overload
def load(
    file: Path | Readable,
    *,
    type: "type[_Row] | _native.Codec[_Row]",
    **options: "Unpack[_native._ThreadedFrameOptions]",
) -> list[_Row]: ...
@overload
def load(
    file: Path | Readable,
    *,
    type: Any = None,
    **options: "Unpack[_native._ThreadedFrameOptions]",
) -> list[Any]: ...
def load(
    file: Path | Readable,
    *,
    type: Any = None,
    max_memory: int | None = None,
    threads: int | Literal["auto"] | None = None,
    times: Literal["exact", "portable"] = "exact",
    arrays: Literal["numpy"] | None = None,
    validate: bool = False,
    records: Literal["dict"] | None = None,
) -> list[Any]:
    """Read all rows of a file: of its streams or messages, one after another.

    `file` is a path, or an object with a method `read(n)`. `type`, `threads`, `times`, `arrays`,
    `validate`, `records` and `max_memory`, for each frame, are as for `loads`.

    Raises DecodeError if the file is cut or damaged; a `Reader` gives the rows before that place.

        >>> import io, serow
        >>> serow.load(io.BytesIO(serow.dumps([1, 2])))
        [1, 2]
    """
    with Reader(
        file,
        type=type,
        max_memory=max_memory,
        threads=threads,
        times=times,
        arrays=arrays,
        validate=validate,
        records=records,
    ) as reader:
        return [row for rows in reader.frames() for row in rows]
