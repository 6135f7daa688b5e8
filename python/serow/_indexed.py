"""The rows of a file in any order: `serow.IndexedReader`."""

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from serow import _native
from serow._files import Opened, Path, PositionReader, Seekable, absolute, is_path, kind
from serow._options import Signature

if TYPE_CHECKING:
    from typing_extensions import Unpack

_Row = TypeVar("_Row")


class IndexedReader(Sequence[_Row], Opened):
    """The rows of a file of streams, in any order.

    A sequence: `len`, indices and slices. `file` is a path, or a file with `seek` and `read`. Its
    streams must end with an index, as a Writer ends them. `type`, `times`, `arrays`,
    `validate`, `records` and `max_memory`, for each row or frame, are as for `loads`. Reading a row
    makes only that row. Its frame is read and unpacked before, and kept for other rows. Frames of
    up to 64 MiB are kept, and at least one.

    Threads may share it. Forked children may too if `file` is a path, a file of `open` or in
    memory. Other files raise a RuntimeError there: parent and child would move one position. It
    pickles if `file` is a path: then the file is opened again.

    Raises DecodeError if the file has no index or is damaged.

        >>> import io, serow
        >>> file = io.BytesIO()
        >>> with serow.Writer(file) as writer:
        ...     writer.write_rows((n, n * n) for n in range(100_000))
        >>> rows = serow.IndexedReader(file)
        >>> len(rows), rows[70_000], rows[-1]
        (100000, (70000, 4900000000), (99999, 9999800001))
    """

    __signature__: ClassVar[Any] = Signature(_native.StreamIndex)

    @overload
    def __init__(
        self,
        file: Path | Seekable,
        *,
        type: "type[_Row] | _native.Codec[_Row]",
        **options: "Unpack[_native._FrameOptions]",
    ) -> None: ...
    @overload
    def __init__(
        self: "IndexedReader[Any]",
        file: Path | Seekable,
        *,
        type: Any = None,
        **options: "Unpack[_native._FrameOptions]",
    ) -> None: ...
    def __init__(self, file: Path | Seekable, **options: Any) -> None:
        """Read the index."""
        self._is_own, self._options = is_path(file), options
        #: What opens it again; None if it has no path.
        self._path = absolute(file) if self._is_own else None  # type: ignore[arg-type]
        if not self._is_own and not (hasattr(file, "read") and hasattr(file, "seek")):
            raise TypeError(f"file must be a path or have seek(), but it is {kind(file)}")
        # By position, a buffer is of no use.
        opened: Any = file
        if self._is_own:
            opened = open(opened, "rb", buffering=0)  # noqa: SIM115 (close closes it)
        self._file = opened
        try:
            self._place = PositionReader(self._file)
            self._length = self._place.length()
            self._index = _native.StreamIndex(self._place.read, self._length, **options)
        except BaseException:
            self.close()
            raise
        self._schema: _native.Schema | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Open the file at the path again, in another process perhaps."""
        if self._path is None:
            raise TypeError("an IndexedReader of an open file does not pickle; open it by its path")
        return _indexed, (self._path, self._options)

    @property
    def schema(self) -> "_native.Schema":
        """The schema that fits all rows of the file, as `serow.schema_of` gives it.

        It is read when it is asked for first.
        """
        if self._schema is None:
            self._schema = _native.schema_at(self._place.read, self._length)
        return self._schema

    @property
    def metadata(self) -> dict[str, str]:
        """The texts that the writer has put into the header of the file's first stream.

        They are read when they are asked for. Raises DecodeError if they are damaged. A `Reader`
        gives those of each stream of a file to which was appended.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> serow.Writer(file, metadata={"source": "sensor 7"}).close()
            >>> serow.IndexedReader(file).metadata
            {'source': 'sensor 7'}
        """
        return _native.metadata_at(self._place.read) if self._length else {}

    @property
    def frame_count(self) -> int:
        """The number of frames."""
        return self._index.frame_count

    def frame(self, number: int) -> list[_Row]:
        """Give the rows of a frame, by its number from 0.

        Raises IndexError if there is no such frame, and DecodeError if it is damaged.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> with serow.Writer(file) as writer:
            ...     writer.write_rows(range(100_000))
            >>> rows = serow.IndexedReader(file)
            >>> rows.frame_count, rows.frame(1)[0]
            (2, 65536)
        """
        if not 0 <= number < self.frame_count:
            raise IndexError(f"there is no frame {number}: the file has {self.frame_count}")
        return self._index.frame(self._place.read, number)

    def __len__(self) -> int:
        """Give the number of rows."""
        return self._index.rows

    @overload
    def __getitem__(self, row: int) -> _Row: ...
    @overload
    def __getitem__(self, row: slice) -> list[_Row]: ...
    def __getitem__(self, row: int | slice) -> Any:
        """Give a row, or the list of the rows of a slice."""
        if isinstance(row, slice):
            return [self[number] for number in range(*row.indices(len(self)))]
        number = operator.index(row)
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no row {row}: the file has {len(self)}")
        return self._index.row(self._place.read, number)

    def __iter__(self) -> Iterator[_Row]:
        """Iterate over the rows."""
        for number in range(self.frame_count):
            yield from self.frame(number)


def _indexed(path: str, options: dict[str, Any]) -> IndexedReader[Any]:
    """Open an IndexedReader that was pickled."""
    return IndexedReader(path, **options)
