"""The rows of messages, streams and files in any order: `serow.view`."""

import operator
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from serow import _native
from serow._files import Files, Opened, Path, Seekable
from serow._options import Signature

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Buffer, Self, Unpack

    _Data = Path | Buffer | Seekable

_Row = TypeVar("_Row")

#: Rows of a view that a notebook shows.
_SHOWN = 10


class View(Sequence[_Row], Opened):
    """The rows of messages, streams and files in any order, without decoding all of them.

    A sequence: `len`, indices, iteration; a slice is a view too. `data` is bytes or another buffer,
    a path, a file with `seek` and `read`, or a list of these, whose rows follow each other. It has
    a message of `dumps`, a stream, or several one after another.

    Opening it reads where the frames are, by the indexes that a Writer writes, or by the headers of
    all frames. To read a row, its frame is checked and unpacked, and kept for other rows: `keep`
    bytes of frames, and at least one. Then only that row is made. `type`, `times`, `arrays`,
    `validate`, `records` and `max_memory`, for each row or frame, are as for `loads`. `fields`, by
    names, or by numbers for tuples, makes rows of these fields only.

    Threads may share it. Forked children may too, unless it is of a file object other than those of
    `open` and in memory. It pickles if `data` is bytes or paths, which are opened again.

    Raises DecodeError if `data` is not serow's, is cut, or where it is damaged.

        >>> import serow
        >>> rows = serow.view(serow.dumps([{"n": n, "square": n * n} for n in range(1000)]))
        >>> len(rows), rows[70], rows[-1]["n"]
        (1000, {'n': 70, 'square': 4900}, 999)
        >>> list(rows[10:13].column("square"))
        [100, 121, 144]
    """

    __signature__: ClassVar[Any] = Signature(_native.StreamIndex)
    #: The field whose values the rows are.
    _field: str | int | None = None

    @overload
    def __init__(
        self,
        data: "_Data | Sequence[_Data]",
        *,
        type: "type[_Row] | _native.Codec[_Row]",
        **options: "Unpack[_native._ViewOptions]",
    ) -> None: ...
    @overload
    def __init__(
        self: "View[Any]",
        data: "_Data | Sequence[_Data]",
        *,
        type: Any = None,
        **options: "Unpack[_native._ViewOptions]",
    ) -> None: ...
    def __init__(self, data: Any, **options: Any) -> None:
        """Find the frames."""
        self._options = options
        self._file = Files(data)
        self._schema: _native.Schema | None = None
        try:
            self._index = _native.StreamIndex(self._file.read, self._file.length, **options)
            if options.get("fields") is not None:
                self._index.check(self.schema)
        except BaseException as error:
            self._file.close()
            raise self._file.told(error) from error.__cause__
        #: The first row of each frame, and the number of rows.
        self._begins = self._index.begins
        self._range = range(self._begins[-1])

    def __reduce__(self) -> tuple[Any, ...]:
        """Open the data again, in another process perhaps."""
        return _view, (self._file.again(), self._options, self._range, self._field)

    def __repr__(self) -> str:
        """Say what it is."""
        return f"<serow.View of {len(self)} rows of {self._file}>"

    def _repr_html_(self) -> str:
        """Show the first rows in a notebook."""
        from html import escape

        from serow._tables import html_table

        shown = html_table(self[:_SHOWN])
        more = f"<p>… and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return f"<p>{escape(repr(self))}</p>{shown}{more}"

    @property
    def schema(self) -> "_native.Schema":
        """The schema that fits all rows of the data, as `serow.schema_of` gives it.

        It is read when it is asked for first.
        """
        if self._schema is None:
            self._schema = _native.schema_at(self._file.read, self._file.length)
        return self._schema

    @property
    def metadata(self) -> dict[str, str]:
        """The texts that the writer has put into the header of the data's first stream.

        They are read when they are asked for. Raises DecodeError if they are damaged. A `Reader`
        gives those of each stream of a file to which was appended.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> serow.Writer(file, metadata={"source": "sensor 7"}).close()
            >>> serow.view(file).metadata
            {'source': 'sensor 7'}
        """
        return _native.metadata_at(self._file.read) if self._file.length else {}

    @property
    def nbytes(self) -> int:
        """The bytes of all data that the view is of, also of one that is a part.

        >>> import serow
        >>> data = serow.dumps([7])
        >>> serow.view(data).nbytes == len(data)
        True
        """
        length: int = self._file.length
        return length

    @property
    def frames(self) -> list[range]:
        """The rows of each frame, by their numbers in the view.

        Rows of one frame are read together fastest: to shuffle a large file, shuffle its frames.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> with serow.Writer(file) as writer:
            ...     writer.write_rows(range(100_000))
            >>> rows = serow.view(file)
            >>> rows.frames
            [range(0, 65536), range(65536, 100000)]
            >>> rows[99_998:].frames
            [range(0, 2)]
        """
        return [rows for _, rows in self._parts()]

    def column(self, field: str | int) -> "Column":
        """Give the values of a field of the rows, by its name, or by its number for tuples.

        Other fields are passed over. `type` does not count: values are as in rows without one. A
        value is None where a row lacks the field.

        Raises SchemaError if the rows have no such field.

            >>> import serow
            >>> rows = serow.view(serow.dumps([{"a": 1}, {"a": 2, "b": "x"}]))
            >>> list(rows.column("b"))
            [None, 'x']
        """
        return Column._of(self, field)

    def describe(self, frame: int) -> dict[str, Any]:
        """Tell what a frame has, by its number in the data.

        `at` is its offset, `bytes` its length and `rows` its rows; `wire` and `compression` are
        names; `body` is the length of its rows without compression, and `packed` with it. `fields`
        has for each field its `name`, `bytes`, `nulls` and `encodings`; it is empty for `row`.

            >>> import serow
            >>> rows = serow.view(serow.dumps([(n, "a") for n in range(1000)], wire="frame"))
            >>> [field["encodings"] for field in rows.describe(0)["fields"]]
            [['delta'], ['dictionary']]
        """
        if not 0 <= frame < len(self._begins) - 1:
            raise IndexError(f"there is no frame {frame}: the data has {len(self._begins) - 1}")
        described: dict[str, Any] = self._of_frame(self._index.describe, frame)
        return described

    def json_lines(self) -> Iterator[bytes]:
        r"""Give the rows as lines of JSON, those of a frame at a time.

        For programs that know no serow: values are JSON's or text. `type` does not count. A key of
        a map that is no string is its JSON as text, and bytes are hexadecimal digits.

            >>> import serow
            >>> rows = serow.view(serow.dumps([{"n": 1, "tags": ("a", None)}, {"n": 2}]))
            >>> b"".join(rows.json_lines())
            b'{"n":1,"tags":["a",null]}\n{"n":2}\n'
        """
        for frame, rows in self._parts():
            lines = self._of_frame(self._index.json, frame)
            within = self._within(frame, rows)
            whole = slice(0, self._begins[frame + 1] - self._begins[frame], 1)
            if within != whole:
                lines = b"".join(lines.splitlines(keepends=True)[within])
            yield lines

    def close(self) -> None:
        """Close the files that the view has opened, also for the views that were made of it.

        >>> import serow
        >>> with serow.view(serow.dumps([7])) as rows:
        ...     rows[0]
        7
        """
        self._file.close()

    def __len__(self) -> int:
        """Give the number of rows."""
        return len(self._range)

    @overload
    def __getitem__(self, row: int) -> _Row: ...
    @overload
    def __getitem__(self, row: slice) -> "Self": ...
    def __getitem__(self, row: int | slice) -> Any:
        """Give a row, or the view of the rows of a slice."""
        if isinstance(row, slice):
            part = object.__new__(type(self))
            part.__dict__.update(self.__dict__, _range=self._range[row])
            return part
        try:
            return self._index.row(self._file.read, self._range[row])
        except IndexError:
            if -len(self) <= operator.index(row) < len(self):
                raise
            raise IndexError(f"there is no row {row}: the view has {len(self)}") from None
        except _native.DecodeError as error:
            raise self._file.told(error) from error.__cause__

    def __iter__(self) -> Iterator[_Row]:
        """Iterate over the rows."""
        for frame, rows in self._parts():
            yield from self._of_frame(self._index.frame, frame)[self._within(frame, rows)]

    def _of_frame(self, read: Any, frame: int) -> Any:
        try:
            return read(self._file.read, frame)
        except _native.DecodeError as error:
            raise self._file.told(error) from error.__cause__

    def _parts(self) -> Iterator[tuple[int, range]]:
        """Give the frames with rows of the view: their numbers in the data, and these rows."""
        own, at = self._range, 0
        while at < len(own):
            frame = bisect_right(self._begins, own[at]) - 1
            if own.step > 0:
                stop = -((own.start - self._begins[frame + 1]) // own.step)
            else:
                stop = (own.start - self._begins[frame]) // -own.step + 1
            rows = range(at, min(stop, len(own)))
            yield frame, rows
            at = rows.stop

    def _within(self, frame: int, rows: range) -> slice:
        """Give where rows of the view are in their frame."""
        own = self._range[rows.start : rows.stop]
        start, stop = (place - self._begins[frame] for place in (own.start, own.stop))
        return slice(start, None if stop < 0 else stop, own.step)

    def __eq__(self, other: object) -> Any:
        """Compare the rows with those of another view, or of a list or tuple."""
        if not isinstance(other, View | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]


class Column(View[Any]):
    """The values of a field of the rows of a `View`, in any order, without the other fields.

    `numpy.asarray(column)` makes no objects of the values: it gives an array of int64, float64,
    bool, datetime64 or timedelta64 if no value is None, and otherwise one of Python's objects.

        >>> import serow
        >>> rows = serow.view(serow.dumps([(n, f"no {n}") for n in range(1000)]))
        >>> texts = rows.column(1)
        >>> texts[7], texts[-2], len(texts)
        ('no 7', 'no 998', 1000)
    """

    @classmethod
    def _of(cls, view: View[Any], field: str | int) -> "Column":
        """Make the column of a view."""
        column = object.__new__(cls)
        column.__dict__.update(view.__dict__)
        column._field = field
        column._index = view._index.column(field)
        column._index.check(view.schema)
        return column

    def arrays(self) -> "Iterator[numpy.ndarray[Any, Any]]":
        """Give the values as NumPy arrays, one for each frame, without holding all of them.

        >>> import serow
        >>> prices = serow.view(serow.dumps([(n, n / 4) for n in range(1000)])).column(1)
        >>> sum(float(array.sum()) for array in prices.arrays())
        124875.0
        """
        import numpy

        for frame, rows in self._parts():
            plain = self._of_frame(self._index.array, frame)
            if plain is not None:
                yield numpy.frombuffer(plain[1], plain[0])[self._within(frame, rows)]
                continue
            values = numpy.empty(len(rows), object)
            values[:] = list(self[rows.start : rows.stop])
            yield values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "numpy.ndarray[Any, Any]":
        """Give the values as one NumPy array."""
        import numpy

        parts = list(self.arrays()) or [numpy.empty(0)]
        # Values of several types come as they are: a float may not hold an integer.
        is_mixed = any(part.dtype != parts[0].dtype for part in parts)
        kind = object if is_mixed else parts[0].dtype
        is_made = len(parts) > 1 or dtype not in (None, kind)
        if copy is False and is_made:
            raise ValueError("the values are in several pieces, or of another type: copy them")
        array = numpy.concatenate(parts, dtype=kind) if copy or is_made else parts[0]
        return array if dtype is None else array.astype(dtype, copy=False)


def _view(data: Any, options: dict[str, Any], rows: range, field: str | int | None) -> View[Any]:
    """Open a view that was pickled."""
    view = View(data, **options)
    view._range = rows
    return view if field is None else view.column(field)


#: What programs call.
view = View
