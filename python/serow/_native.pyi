"""The compiled module. `serow` exports all of it but the names at the end."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, ClassVar, Generic, Literal, Protocol, TypedDict, TypeVar, final, overload

from typing_extensions import Buffer, Self, Unpack

from serow import types
from serow._comparing import Comparison

_Wire = Literal["frame", "row"]
_Compression = Literal["zstd", "lz4"]
_Threads = int | Literal["auto"] | None
_Times = Literal["exact", "portable"]
_Arrays = Literal["numpy"] | None
_Records = Literal["dict"] | None
_Extensions = Literal["storage"] | None
_Direction = Literal["encode", "decode", "encode_one", "decode_one"]
_Tier = Literal["c-api", "interpreter", "jit"]
_Row = TypeVar("_Row")

class _HasArrays(Protocol):
    """A table, a frame, a reader of batches: all that gives its columns to Arrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...

class _HasSchema(Protocol):
    """A schema of a library of Arrow."""

    def __arrow_c_schema__(self) -> object: ...

class _HasArray(Protocol):
    """One array of a library of Arrow."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> object: ...

_Rows = Iterable[Any] | _HasArrays

class _PackOptions(TypedDict, total=False):
    compression: _Compression | None
    level: int | None
    threads: _Threads

class _WriteOptions(_PackOptions, total=False):
    wire: _Wire

class _WriterOptions(_WriteOptions, total=False):
    times: _Times
    flush_rows: int | None
    flush_bytes: int | None
    flush_seconds: float | None
    metadata: dict[str, str] | None
    ints_as_floats: bool
    progress: Callable[[int, int], object] | None

class _ObjectOptions(TypedDict, total=False):
    times: _Times
    arrays: _Arrays
    validate: bool

class _CodecOptions(_WriteOptions, _ObjectOptions, total=False):
    fingerprint: bool
    schemas: SchemaSet | None
    records: _Records
    ints_as_floats: bool

class _ArrowOptions(_ObjectOptions, total=False):
    extensions: _Extensions

class _ReadOptions(_ObjectOptions, total=False):
    max_memory: int | None

class _FrameOptions(_ReadOptions, total=False):
    records: _Records

class _ViewOptions(_FrameOptions, total=False):
    fields: Sequence[str | int] | None
    keep: int

class _ThreadedFrameOptions(_FrameOptions, total=False):
    threads: _Threads

__version__: str

class SerowError(Exception):
    """Base class of serow's errors.

    >>> import serow
    >>> try:
    ...     serow.Codec('(str, {"price": [i64]})').encode([("bolt", {"price": [3, None]})])
    ... except serow.EncodeError as error:
    ...     print(error.row, error.path)
    0 (1, 'price', 1)
    """

    row: int | None
    """Index of the faulty row, among the rows given or in the whole message."""

    path: tuple[int | str, ...] | None
    """The steps from the row to the faulty value, `()` for the row itself.

    A step is the index of an item or the name of a field. If the schema is `{K: V}`, `"key 3"` and
    `"value 3"` are the key and the value of entry 3.
    """

    offset: int | None
    """Byte offset in the message of the smallest part that is known to be wrong.

    The part is a frame, or a record in the row wire.
    """

class SchemaError(SerowError):
    """A schema's text has a mistake, or a codec can't read rows of a message's schema."""

class EncodeError(SerowError):
    """A row contains a value that has no type or does not fit the codec's schema."""

class DecodeError(SerowError):
    """The bytes are not a message, or the message is cut, damaged or of another version."""

class BufferTooSmall(SerowError):  # noqa: N818 (a public name)
    """The buffer is too small for the message."""

    needed: int
    """The size of the message in bytes."""

class LimitError(SerowError):
    """Something exceeds a limit of serow; see docs/security.md."""

def dumps(
    rows: _Rows,
    *,
    wire: _Wire | None = None,
    times: _Times = "exact",
    extensions: _Extensions = None,
    **options: Unpack[_PackOptions],
) -> bytes:
    """Encode `rows` to a message with the schema that fits them.

    A table of Arrow, or of a library that gives its columns to Arrow, is encoded by its columns,
    see docs/arrow.md; its rows are dicts. `extensions` is as for `from_arrow`.

    Rows may be tuples, lists or scalars, nested in any way, of None, bool, int, float, str, bytes,
    bytearray and complex, of datetime's date, time, datetime and timedelta, of decimal.Decimal and
    uuid.UUID. A time zone must be a datetime.timezone or a zoneinfo.ZoneInfo with a key. A message
    has only the bits of a UUID, so its is_safe must be unknown. Values of other classes that equal
    plain values, such as those of NumPy and pandas and instances of subclasses, are accepted too,
    and decode to the plain values: see docs/types.md.

    With `times="portable"` the times are those that every language can hold: an offset loses its
    name, and a time without the rules of a zone its fold. In Python such times are equal.

    `wire` is `"frame"` (columns; small and fast to decode) or `"row"` (one record after another;
    fastest to encode). With None, the size of the message decides: it is in the row wire if there
    are at most 128 rows and it takes at most 16 KiB, otherwise in the frame wire. `loads` reads
    both.

    `compression` is `"zstd"`, by `level` from -7 (fast) to 22 (small), 1 by default, or `"lz4"`.
    `threads` is the most threads that the call may use, or `"auto"`; the bytes do not depend on
    it. Other threads run while serow packs and compresses: see docs/python.md.

    Raises EncodeError, with row, field and value, if a value has no type. Raises LimitError if
    something is too large or nests too deep. Raises TypeError for a DataFrame, because iterating
    over one gives its columns and not its rows.

        >>> import serow
        >>> serow.loads(serow.dumps([1, 2.5, None, "x", (True, [1, 2])]))
        [1, 2.5, None, 'x', (True, [1, 2])]
        >>> from decimal import Decimal
        >>> serow.loads(serow.dumps([(b"key", Decimal("1.50"), 2**100)]))
        [(b'key', Decimal('1.50'), 1267650600228229401496703205376)]
    """

@overload
def loads(
    data: Buffer,
    *,
    type: type[_Row] | Codec[_Row],
    threads: _Threads = None,
    records: None = None,
    **options: Unpack[_ReadOptions],
) -> list[_Row]: ...
@overload
def loads(data: Buffer, *, type: Any = None, **options: Unpack[_ThreadedFrameOptions]) -> list[Any]:
    """Decode a message to rows that equal the encoded ones and have the same types.

    `type` is a class or an annotation: rows are decoded as this type, and records become instances
    of its classes, see `Schema.of`. The message may be of another version of the class: fields are
    matched by name, see docs/evolution.md. SchemaError names a field that can't be decoded so.

    `data` is bytes or another contiguous buffer. Other objects raise TypeError or BufferError.

    `threads` is as for `dumps`: other threads decompress frames ahead.

    With `times="portable"` nanoseconds of times and durations are rounded down to microseconds, and
    names of offsets are dropped, as `dumps` does.

    With `arrays="numpy"` all lists of bools, ints or floats are arrays of NumPy, of `bool`, `int64`
    or `float64`, and their elements are copied as memory. Lists of dates, of timestamps without a
    zone and of durations are arrays too, of `datetime64[D]`, `datetime64[us]` and
    `timedelta64[us]`. A class may have such arrays in some fields: see docs/types.md.

    Objects are restored as they were: their fields are stored, as by pickle, and neither
    constructors nor validators run again. `validate=True` makes them by calling their classes, for
    bytes of strangers; docs/types.md says more.

    With `records="dict"` records are dicts of their fields, at all depths, which other libraries
    such as `json` take as they are. It is for rows without a `type`.

    A short message may contain many large rows. With `max_memory`, LimitError is raised before the
    rows take more bytes than that, as `sys.getsizeof` counts them.

    Raises DecodeError if `data` is not a message, or is cut, damaged or of another version; and if
    it contains values that Python lacks: dates before the year 1, nanoseconds without
    `times="portable"`, and time zones that are missing in the local database or have another
    offset there.

        >>> import serow
        >>> serow.loads(b"SROW")
        Traceback (most recent call last):
        serow.DecodeError: the message is cut after 4 bytes
        >>> from typing import NamedTuple
        >>> class Part(NamedTuple):
        ...     name: str
        ...     price: float = 1.0
        >>> serow.loads(serow.dumps([{"key": 7, "name": "bolt"}]), type=Part)
        [Part(name='bolt', price=1.0)]
    """

def explain() -> None:
    """Print what serow has in this process.

    These are its version, Python's, how it reads and makes objects, what converts rows, the
    compiler with the processor that it knows, the folder of the cache of compiled code, and what
    `retain_memory` keeps. If something is slower than it could be, the line says why.

        >>> import serow
        >>> serow.explain()  # doctest: +ELLIPSIS
        serow:     ...
    """

@final
class ArrowStream:
    """Rows as Arrow's batches; `to_arrow`, `Codec.decode_arrow` and `Reader.arrow` make it.

    It is what the libraries of Arrow take as a table, by the Arrow PyCapsule interface and without
    copying: `pyarrow.table(stream)`, `polars.DataFrame(stream)`, `duckdb.sql("from stream")`.
    """

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

def to_arrow(
    rows: Iterable[Any],
    type: Any = None,
    *,
    schema: _HasSchema | None = None,
    batch_rows: int = 65_536,
    times: _Times = "exact",
) -> ArrowStream:
    """Give `rows` as Arrow's batches of at most `batch_rows` rows each.

    Dicts, records and tuples become columns, other rows one column `value`. docs/arrow.md has the
    type of each column. The columns are of the type that fits all rows, or of `type`, a class, an
    annotation or a codec. `from_arrow` gives the rows back, with the types of all values.

    With a `schema` of Arrow the batches have exactly that one: columns by the names of fields, or
    in the order of tuples. Each value is stored exactly: as a decimal of the column's scale, as the
    same point in time, as an integer or a float of any width. A column that no row has is null.

    The rows of a list or tuple are converted at once. Those of an iterator are taken when a library
    asks for the batch; the first batch decides their columns, and they can be read once. `times` is
    as for `dumps`.

    Raises EncodeError for the first row that has no type, or does not fit `type`, and for a value
    that the `schema` does not hold exactly.

        >>> import serow
        >>> stream = serow.to_arrow([(8429, "almond"), (8430, None)])
        >>> stream
        <serow.ArrowStream of column_0: Int64, column_1: Utf8>
        >>> serow.from_arrow(stream)
        [(8429, 'almond'), (8430, None)]
    """

@overload
def from_arrow(
    data: _HasArrays | _HasArray,
    type: type[_Row] | Codec[_Row],
    *,
    stream: Literal[False] = False,
    **options: Unpack[_ArrowOptions],
) -> list[_Row]: ...
@overload
def from_arrow(
    data: _HasArrays | _HasArray,
    type: Any = None,
    *,
    stream: Literal[False] = False,
    **options: Unpack[_ArrowOptions],
) -> list[Any]: ...
@overload
def from_arrow(
    data: _HasArrays | _HasArray,
    type: type[_Row] | Codec[_Row],
    *,
    stream: Literal[True],
    **options: Unpack[_ArrowOptions],
) -> Iterator[list[_Row]]: ...
@overload
def from_arrow(
    data: _HasArrays | _HasArray,
    type: Any = None,
    *,
    stream: Literal[True],
    **options: Unpack[_ArrowOptions],
) -> Iterator[list[Any]]:
    """Give the rows of `data`: a table, a data frame, a reader of batches, or one array.

    `data` is an object with `__arrow_c_stream__` or `__arrow_c_array__`. The rows of a table are
    dicts of its columns, or what `to_arrow` was given; `type=dict` gives dicts, `type=tuple`
    tuples, and a class or annotation its instances, as in `loads`. An array gives its values.

    `stream=True` gives an iterator of lists, of at most 65,536 rows each, and asks for a batch when
    its rows are needed. With `times="portable"` nanoseconds are rounded down to microseconds.
    `arrays` and `validate` are as for `loads`. `extensions="storage"` reads a column of an
    extension type as what its values are stored as; without it, only those that serow knows can be
    read.

    Raises SchemaError if a column has a type that serow lacks, or that `type` can't be read from.
    Raises DecodeError if a value is not of its type.

        >>> import serow
        >>> stream = serow.to_arrow([{"key": 1, "name": "bolt"}])
        >>> serow.from_arrow(stream, type=tuple)
        [(1, 'bolt')]
    """

def retain_memory(bytes: int, /) -> int:
    """Keep up to `bytes` bytes of the memory of dropped objects. Return the bound before.

    CPython makes small objects in arenas of 1 MiB and returns an arena to the system once it is
    empty. A program that decodes rows, uses them and drops them, again and again, has to get all
    arenas from the system each time, which takes longer than decoding. With this the process keeps
    empty arenas for any objects that follow. It is off unless it is called.

    `bytes` should be as much as the rows take that are dropped at once. A smaller bound frees what
    exceeds it, and 0 frees everything and restores the arena allocator that was installed before.
    If another one was installed meanwhile, serow's stays below it and only passes calls on.

    Raises ValueError if `bytes` is negative. Raises SerowError if this Python does not make objects
    in arenas, as with `PYTHONMALLOC=malloc`.

        >>> import serow
        >>> serow.retain_memory(256 << 20)
        0
        >>> serow.retain_memory(0)
        268435456
    """

@final
class Schema:
    """A type of rows: a type list with a text form and a fingerprint.

    Schemas are immutable, hashable and picklable.

        >>> import serow
        >>> schema = serow.Schema.infer([(8429, "a"), (8430, None)])
        >>> str(schema)
        '(i64, str?)'
        >>> schema.type_list
        (5, 1, 10, 3, 7)
        >>> schema.type
        Tuple([I64(), Optional(Str())])
    """

    def __new__(cls, type: types.Type) -> Self:
        """Make the schema of rows of `type`, a value of `serow.types`.

        Raises SchemaError if no rows can have the type, and LimitError if it is too large.

            >>> import serow
            >>> from serow.types import Field, I64, List, Record, Str
            >>> serow.Schema(Record("Part", [Field("key", I64()), Field("tags", List(Str()))]))
            Schema.parse('Part{key: i64, tags: [str]}')
        """

    @staticmethod
    def infer(rows: _Rows) -> Schema:
        """Infer the schema that fits all of `rows`.

        Raises EncodeError, with row, field and value, if a value has no type.

            >>> import serow
            >>> serow.Schema.infer([{"key": 1}, {"key": 2, "name": "nut"}])
            Schema.parse('{"key": i64, "name"?: str}')
        """

    @staticmethod
    def of(type: Any) -> Schema:
        """Give the schema of rows of a type, which is a class or an annotation.

        A dataclass, a NamedTuple, an attrs class, a Struct of msgspec and a pydantic model are
        records. A TypedDict is a dict with fixed keys, and an Enum is an enum. A codec for the
        schema decodes to instances of these very classes; docs/types.md says how they are made, and
        lists the annotations.

        Raises SchemaError, with class and field, if an annotation has no type.

            >>> import serow
            >>> str(serow.Schema.of(dict[str, list[int | None]]))
            '{str: [i64?]}'
            >>> from dataclasses import dataclass
            >>> @dataclass
            ... class Part:
            ...     name: str
            ...     sizes: list[int]
            >>> codec = serow.Codec(serow.Schema.of(Part))
            >>> codec.decode(codec.encode([Part("bolt", [4, 8])]))
            [Part(name='bolt', sizes=[4, 8])]
        """

    @staticmethod
    def parse(text: str) -> Schema:
        """Parse `text`: the form of `str(schema)`, or the numbers of a type list.

        Raises SchemaError, which shows the position, if the text has a mistake.

            >>> import serow
            >>> serow.Schema.parse("4 1 5 2 3 7 6")
            Schema.parse('[i64, (f64, str)]')
        """

    @property
    def type_list(self) -> tuple[int, ...]:
        """The type list: a flat list of small integers in prefix order."""

    @property
    def fingerprint(self) -> int:
        """The xxh3-64 hash of the type list."""

    @property
    def type(self) -> types.Type:
        """The type of a row as a value, to walk and to match on; see `serow.types`."""

    @property
    def fields(self) -> tuple[types.Field, ...]:
        """The fields of a record or dict with fixed keys; the positions of a tuple or fixed list.

        Rows that may be None have the fields of the others. Other rows have none.

            >>> import serow
            >>> for field in serow.Schema.parse("Part{key: i64, tags: [str]?}").fields:
            ...     print(field.name, field.type)
            key i64
            tags [str]?
        """

    def __getitem__(self, key: str | int, /) -> types.Type:
        """Give the type of a field by its name, or of a field or item by its position."""

    def compare(self, other: Schema | str, /) -> Comparison:
        """Tell what a reader of this schema makes of rows of `other`, for each of their parts.

        A schema of `Schema.of` has the defaults of its classes. The result is true if such rows can
        be read. Fields of the reader that are null or missing in all of these rows, while others
        are dropped, were perhaps renamed: a UserWarning says so.

            >>> import serow
            >>> new = serow.Schema.parse("Part{key: f64, size: bool}")
            >>> result = new.compare("Part{key: i64, size: str, name: str}")
            >>> print(result)
            key: i64 -> f64; an integer beyond ±2⁵³ is an error
            size: REFUSED str -> bool; str can't be read as bool
            name: dropped (str)
            >>> bool(result), result["key"].may_fail
            (False, True)
        """

    def _compared(self, other: Schema | str, /) -> Comparison: ...
    def pretty(self) -> str:
        """Give the text form with a line for each field, which `Schema.parse` reads too.

        >>> import serow
        >>> print(serow.Schema.parse("Part{key: i64, tags: [str]}").pretty())
        Part{
          key: i64,
          tags: [str],
        }
        """

    def __hash__(self) -> int: ...

@final
class SchemaSet:
    """The schemas of single records that readers know, by their fingerprints.

    A codec reads records of these schemas besides those of its own. Schemas may be added at any
    time, also while codecs use the set. Thread-safe and picklable.

        >>> import serow
        >>> schemas = serow.SchemaSet(["Part{key: i64}"])
        >>> schemas.add("Part{key: i64, name: str}")
        >>> len(schemas)
        2
        >>> codec = serow.Codec("Part{key: i64, name: str?}", schemas=schemas)
        >>> from typing import NamedTuple
        >>> class Part(NamedTuple):
        ...     key: int
        >>> codec.decode_one(serow.Codec("Part{key: i64}").encode_one(Part(7)))
        Part(key=7, name=None)
    """

    def __new__(cls, schemas: Iterable[Schema | str] | None = None) -> SchemaSet: ...
    def add(self, schema: Schema | str) -> None:
        """Add `schema`, or the schema with this text.

        Raises SchemaError if a text has a mistake, or if the set has another schema with the same
        fingerprint.

            >>> import serow
            >>> schemas = serow.SchemaSet()
            >>> schemas.add("(i64, str)")
            >>> list(schemas)
            [Schema.parse('(i64, str)')]
        """

    @staticmethod
    def from_folder(folder: str | os.PathLike[str], /) -> SchemaSet:
        """Read the schemas in the files `*.schema` of a folder, each the text of one.

        Raises SchemaError, with the file and the place in it, for a text with a mistake, and for a
        file whose schema was changed after `save`.

            >>> import serow, tempfile
            >>> folder = tempfile.mkdtemp()
            >>> files = serow.SchemaSet(["Part{key: i64}"]).save(folder)
            >>> serow.SchemaSet.from_folder(folder)
            SchemaSet(['Part{key: i64}'])
        """

    def save(self, folder: str | os.PathLike[str], /) -> list[str]:
        """Write a file for each schema that `folder` lacks, and give the paths of the new files.

        A file is called after the schema's record and fingerprint, and has a line for each field.
        It is written whole or not at all, and no other file is changed or removed.

            >>> import os, serow, tempfile
            >>> schemas = serow.SchemaSet(["Part{key: i64}"])
            >>> [file] = schemas.save(tempfile.mkdtemp())
            >>> os.path.basename(file)
            'Part-a538d3a023140ca2.schema'
        """

    def find(self, fingerprint: int) -> Schema | None:
        """Give the schema with this fingerprint, or None.

        The fingerprint is the first eight bytes of a single record, as a little-endian number.

            >>> import serow
            >>> record = serow.Codec("i64").encode_one(7)
            >>> schemas = serow.SchemaSet(["i64", "str"])
            >>> schemas.find(int.from_bytes(record[:8], "little"))
            Schema.parse('i64')
        """

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Schema]:
        """Iterate over the schemas in the order of their fingerprints."""

    def __contains__(self, schema: Schema | str, /) -> bool:
        """Whether the set has a schema."""

    def __eq__(self, other: object, /) -> bool:
        """Whether both sets have the same schemas now."""

    __hash__: ClassVar[None]  # type: ignore[assignment]

class _Tiers(TypedDict):
    encode: _Tier
    decode: _Tier
    encode_one: _Tier
    decode_one: _Tier

@final
class Codec(Generic[_Row]):
    """Encodes and decodes rows of one schema. Immutable and thread-safe.

    `schema` is a Schema, its text, or what `Schema.of` takes: a class or an annotation, of which
    `decode` then gives instances. To type checkers `Codec(Part)` is a `Codec[Part]`.

    `encode` and `decode` convert messages of rows. `wire` is the wire of all messages that `encode`
    writes, large or small, and `"frame"` by default: `compile`, `tier` and `ir` are about one wire.
    For messages of few rows use `"row"`, which `dumps` takes for them. `compression`, `level`
    and `threads` are as for `dumps`, and for messages only. `times` is as for `dumps` and `loads`,
    `arrays`, `validate` and `records` as for `loads`.

    A float must be a `float`. With `ints_as_floats=True` an int that a float equals is encoded as
    that float; another int is an EncodeError.

    `encode_one` and `decode_one` convert single records, which begin with the fingerprint of their
    schema. With `fingerprint=False` they don't; then writer and reader must have agreed on the
    schema. `schemas` are those of other records that `decode_one` accepts.

    Codecs are picklable; the copy has its own `SchemaSet`. They are equal if they give the same
    bytes for all rows and the same rows for all bytes.

    Raises SchemaError if `schema` is a text with a mistake, or an annotation without a type.

        >>> import serow
        >>> codec = serow.Codec("(i64, [f64])", wire="row")
        >>> codec.decode(codec.encode([(1, [0.5, 1.5]), (2, [])]))
        [(1, [0.5, 1.5]), (2, [])]
        >>> from typing import NamedTuple
        >>> class Part(NamedTuple):
        ...     key: int
        ...     name: str
        >>> codec = serow.Codec(Part)
        >>> codec.decode(codec.encode([Part(7, "bolt")]))
        [Part(key=7, name='bolt')]
    """

    @overload
    def __new__(cls, schema: type[_Row], **options: Unpack[_CodecOptions]) -> Codec[_Row]: ...
    @overload
    def __new__(cls, schema: Any, **options: Unpack[_CodecOptions]) -> Codec[Any]: ...
    @staticmethod
    def infer(rows: _Rows, **options: Unpack[_WriteOptions]) -> Codec[Any]:
        """Give a codec for the schema that fits `rows`.

        Raises EncodeError, with row, field and value, if a value has no type.

            >>> import serow
            >>> serow.Codec.infer([(1, "bolt"), (2, None)])
            Codec('(i64, str?)', wire='frame')
        """

    def encode(self, rows: Iterable[_Row] | _HasArrays) -> bytes:
        """Encode `rows`, or the columns of a table, to a message.

        Raises EncodeError, with row, field and value, if a value does not fit the schema, and
        SchemaError if a table has other columns than the schema.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)", wire="row")
            >>> codec.encode([(1, "bolt")])[:4]
            b'SROW'
        """

    def encode_into(self, rows: Iterable[_Row] | _HasArrays, buffer: Buffer) -> int:
        """Encode `rows` to the beginning of `buffer`; give the length of the message in bytes.

        serow may also overwrite bytes after the message. If the buffer is too small, it raises
        BufferTooSmall; `needed` is the size of the message in bytes. After an error the buffer
        contains no message. Raises EncodeError as `encode` does.

            >>> import serow
            >>> codec, buffer = serow.Codec("i64", wire="row"), bytearray(100)
            >>> length = codec.encode_into([1, 2], buffer)
            >>> codec.decode(buffer[:length])
            [1, 2]
        """

    def decode(self, data: Buffer, *, max_memory: int | None = None) -> list[_Row]:
        """Decode `data`, a message, to rows of the codec's schema.

        If the message has another schema, its fields are matched by name and types may widen, see
        docs/evolution.md. Raises SchemaError, with the field, if the rows can't be converted.
        Raises DecodeError, and LimitError with `max_memory`, as `loads` does.

            >>> import serow
            >>> serow.Codec("(f64, str?)").decode(serow.Codec("(i64, str)").encode([(1, "bolt")]))
            [(1.0, 'bolt')]
        """

    def decode_arrow(
        self,
        data: Buffer,
        *,
        schema: _HasSchema | None = None,
        max_memory: int | None = None,
    ) -> ArrowStream:
        """Decode `data` to Arrow's batches of the codec's schema, one for each frame.

        No row is made. `schema` is as for `to_arrow`. `max_memory` limits the size of the arrays in
        bytes. Raises what `decode` raises, and EncodeError if Arrow can't hold the values.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)")
            >>> codec.decode_arrow(codec.encode([(1, "bolt")]))
            <serow.ArrowStream of column_0: Int64, column_1: Utf8>
        """

    def encode_one(self, row: _Row, /) -> bytes:
        """Encode one row as a single record.

        A record has the schema's fingerprint (8 bytes) and the row in the row wire. It has no
        length, no schema and no checksum.

        Raises EncodeError, with field and value, if a value does not fit the schema.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)")
            >>> record = codec.encode_one((7, "bolt"))
            >>> len(record)
            14
            >>> codec.decode_one(record)
            (7, 'bolt')
        """

    def encode_one_into(self, row: _Row, buffer: Buffer, offset: int = 0) -> int:
        """Encode one row as a single record to `buffer`, from byte `offset` on.

        Gives the length of the record in bytes, and changes no other bytes. If the buffer is too
        small, raises BufferTooSmall; `needed` is the necessary size of the buffer. After an error
        the buffer is unchanged. Raises EncodeError as `encode_one` does.

            >>> import serow
            >>> codec, buffer = serow.Codec("i64"), bytearray(100)
            >>> length = codec.encode_one_into(7, buffer, offset=4)
            >>> codec.decode_one(buffer[4 : 4 + length])
            7
        """

    def decode_one(self, data: Buffer, *, max_memory: int | None = None) -> _Row:
        """Decode `data`, a single record, to a row of the codec's schema.

        If the record has another schema of the codec's `SchemaSet`, its fields are matched by name
        and types may widen, see docs/evolution.md. Raises SchemaError if the fingerprint of the
        record is unknown, or if the row can't be converted. Raises DecodeError, and LimitError with
        `max_memory`, as `loads` does.

        Nothing detects a change that gives another valid row, because a record has no checksum.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)")
            >>> codec.decode_one(codec.encode_one((7, "bolt")))
            (7, 'bolt')
        """

    def compile(self, direction: _Direction | None = None) -> None:
        """Compile a `direction`, by default both encoder and decoder, and wait until that is done.

        Other threads run meanwhile. Compiled code gives the same bytes, rows and errors as the
        interpreter. Equal codecs share it. `"encode"` and `"decode"` are for messages in the
        codec's own wire, `"encode_one"` and `"decode_one"` for single records. A codec with
        `wire="row"` has the same code for both. With SEROW_TIER=interpreter, or in a build
        without the compiler, nothing is compiled.

        Raises LimitError if the schema is too large, and SerowError if compiling is impossible
        here: there is too little memory, or serow can access the objects of this Python only by
        the C API.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)")
            >>> codec.compile("decode")
        """

    def ir(self, direction: _Direction = "encode") -> str | None:
        """Give the LLVM IR of the encoder or decoder, or None if it can't be compiled.

        Compiles it if necessary. Raises ValueError for another `direction`.

            >>> import serow
            >>> ir = serow.Codec("(i64, str)").ir("decode")
            >>> ir is None or "define" in ir
            True
        """

    def asm(self, direction: _Direction = "encode") -> str | None:
        """Give the assembly of the encoder or decoder, or None if it can't be compiled.

        Compiles it if necessary. Raises ValueError for another `direction`.

            >>> import serow
            >>> asm = serow.Codec("(i64, str)").asm("encode")
            >>> asm is None or "ret" in asm
            True
        """

    @property
    def tier(self) -> _Tier:
        """`jit` if an encoder or a decoder is compiled, otherwise `interpreter`.

        `c-api` is the interpreter where nothing can be compiled, because serow accesses the objects
        of this Python only by the C API, which is slower. `serow.explain()` says why.
        """

    @property
    def tiers(self) -> _Tiers:
        """The tier of each method that encodes or decodes, with the names of `tier`."""

    @property
    def schema(self) -> Schema:
        """The schema of the codec's rows."""

    @property
    def schemas(self) -> SchemaSet:
        """The schemas of single records that the codec reads besides its own.

        It shares them with the set that it was given: what is added to one, both have.
        """

    @property
    def wire(self) -> _Wire:
        """The wire that the codec writes."""

    @property
    def compression(self) -> _Compression | None:
        """The compression of the codec's messages."""

    @property
    def level(self) -> int | None:
        """The level of the compression; None if it has no levels."""

    @property
    def threads(self) -> int | Literal["auto"]:
        """The most threads that `encode` and `decode` use."""

    @property
    def times(self) -> _Times:
        """`"portable"` if times lose what other languages can't hold, otherwise `"exact"`."""

    @property
    def validate(self) -> bool:
        """Whether objects are made by calling their classes, which check and convert again."""

    @property
    def ints_as_floats(self) -> bool:
        """Whether an int that equals a float may be where only a float is declared."""

    @property
    def arrays(self) -> _Arrays:
        """`"numpy"` if arrays and lists of numbers and times become arrays of NumPy, else None."""

    @property
    def records(self) -> _Records:
        """`"dict"` if records are decoded to dicts, otherwise None."""

    def __hash__(self) -> int: ...

class StreamWriter:
    """Writes the frames of a stream to a file; see `serow.Writer`."""

    def __new__(
        cls, file: Any, path: Any, schema: Any, /, **options: Unpack[_WriterOptions]
    ) -> Self: ...
    def write(self, row: Any) -> None:
        """Append one row.

        Raises EncodeError, with field and value, if the row does not fit the schema or has no type.
        The stream can go on without it. Raises the file's own errors.

            >>> import io, serow
            >>> with serow.Writer(io.BytesIO()) as writer:
            ...     writer.write((1, "bolt"))
            ...     writer.rows
            1
        """

    def write_rows(self, rows: _Rows, *, extensions: _Extensions = None) -> None:
        """Append rows. If the iterable raises an error, the rows before it are in the stream.

        `rows` may be a table of Arrow, for which `extensions` is as for `from_arrow`.

        Each row of an iterator is taken before the next is asked for, so it may be one object that
        is filled again and again. After Ctrl-C all rows that the iterator gave are in the stream.

        Raises EncodeError for the first row that does not fit or has no type, with its index among
        `rows`. All rows before it are in the stream, and the stream can go on.

            >>> import io, serow
            >>> with serow.Writer(io.BytesIO()) as writer:
            ...     writer.write_rows((n, n * n) for n in range(1000))
            ...     writer.rows
            1000
        """

    def flush(self) -> None:
        """End the frame and flush the file, so that readers get all rows until now.

        Raises the file's own errors.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> writer = serow.Writer(file)
            >>> writer.write(7)
            >>> writer.flush()
            >>> next(iter(serow.Reader(io.BytesIO(file.getvalue()))))
            7
            >>> writer.close()
        """

    def close(self) -> None:
        """End the stream, and close the file if the writer has opened it.

        A second call does nothing. Raises the file's own errors.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> writer = serow.Writer(file)
            >>> writer.write_rows([1, 2])
            >>> writer.close()
            >>> len(serow.view(file))
            2
        """

    def abort(self) -> None:
        """Write the rows until now but not the stream's end, and close the file like `close`.

        A reader gives the rows and then an error. A `with` statement that an exception ends calls
        this, unless it is Ctrl-C. With `append=True` it is the same as `close`.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> writer = serow.Writer(file)
            >>> writer.write_rows([1, 2])
            >>> writer.abort()
            >>> reader = serow.Reader(io.BytesIO(file.getvalue()))
            >>> next(iter(reader))
            1
        """

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    def _unwritten(self) -> tuple[int, str] | None: ...
    def _flush_due(self) -> float | None: ...
    @property
    def rows(self) -> int:
        """The number of rows in the stream, with those that wait for the end of their frame."""

    @property
    def frames_written(self) -> int:
        """The number of frames that were put."""

    @property
    def bytes_written(self) -> int:
        """The number of bytes that were written, and of those of the rows that wait.

        The latter is an estimate: it counts as many bytes a row as the frame before has taken, and
        in the first frame about what the rows take in memory. After `flush` and `close` the
        number is exact.
        """

    @property
    def schema(self) -> Schema | None:
        """The schema of the last rows; None before the first."""

class RowsIterator:
    """Iterates over the rows of a `serow.Reader`."""

    def __new__(cls, reader: Any) -> RowsIterator: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

class StreamReader:
    """Reads the frames of a stream, whose bytes `read` gives; see `serow.Reader`."""

    def __new__(
        cls,
        read: Callable[[int], bytes | None],
        threads: _Threads = None,
        one_stream: bool = False,
        skip: bool = False,
        follow: bool = False,
        path: str | None = None,
        /,
        *,
        type: Any = None,
        **options: Unpack[_FrameOptions],
    ) -> Self: ...
    def _pass_frames(self) -> None: ...
    def _begin_anew(self) -> None: ...
    def _next_frame(self) -> list[Any] | None: ...
    def _arrow(
        self,
        rows: Schema | None = None,
        schema: _HasSchema | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> ArrowStream: ...
    @property
    def rows(self) -> int:
        """The number of rows in the frames that were given."""

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read."""

    @property
    def rows_lost(self) -> int:
        """The number of rows in damaged frames that were skipped.

        It is exact if a whole frame, or the end of the stream, follows. Otherwise it may be too
        small.
        """

    @property
    def bytes_lost(self) -> int:
        """The number of damaged bytes that were skipped."""

    @property
    def metadata(self) -> dict[str, str]:
        """The texts that the writer has put into the stream's header with `metadata`.

        They are those of the stream of the last frame that was read. Before the first, this reads
        the header, and raises what reading rows does.

            >>> import io, serow
            >>> file = io.BytesIO()
            >>> serow.Writer(file, metadata={"source": "sensor 7"}).close()
            >>> _ = file.seek(0)
            >>> serow.Reader(file).metadata
            {'source': 'sensor 7'}
        """

    @property
    def schema(self) -> Schema | None:
        """The schema that the rows of the last frame have in the stream; None before the first.

        It is the writer's, also if the reader has a `type`.
        """

class StreamIndex:
    """The frames of messages, streams and files; see `serow.view`."""

    def __new__(
        cls,
        read_at: Callable[[int, int], bytes],
        length: int,
        /,
        *,
        type: Any = None,
        **options: Unpack[_ViewOptions],
    ) -> Self: ...
    def column(self, field: str | int) -> StreamIndex:
        """Give the same frames, whose rows are the values of a field."""

    def check(self, schema: Schema) -> None:
        """Check that rows of the schema have all fields that are read."""

    def frame(self, read_at: Callable[[int, int], bytes], number: int) -> list[Any]:
        """Give the rows of a frame, by its number from 0."""

    def row(self, read_at: Callable[[int, int], bytes], row: int) -> Any:
        """Give a row, by its number from 0, and keep its frame."""

    def json(self, read_at: Callable[[int, int], bytes], number: int) -> bytes:
        """Give the rows of a frame as lines of JSON."""

    def describe(self, read_at: Callable[[int, int], bytes], number: int) -> dict[str, Any]:
        """Give what a frame has, and what its columns take."""

    def array(self, read_at: Callable[[int, int], bytes], number: int) -> tuple[str, bytes] | None:
        """Give the values of a frame and their type in NumPy; None if it has no such array."""

    @property
    def begins(self) -> list[int]:
        """The number of the first row of each frame, and the number of rows."""

class _SelfTest(TypedDict):
    plan: str
    llvm: str
    compile_microseconds: int
    rows: int

@final
class UnsafeRows:
    """Reads and writes batches of rows in the format of Spark's UnsafeRow."""

    def __new__(cls, description: str, row_class: type | None) -> UnsafeRows:
        """Make a reader and writer of the rows that `description` describes.

        A type is `boolean`, `byte`, `short`, `int`, `long`, `float`, `double`, `string`, `binary`
        (read as bytes), `bytearray`, `date`, `timestamp` (read in the local zone),
        `timestamp_ntz`, `interval` (a timedelta), `time`, `void`, `decimal(18,2)`, `array<int>`,
        `map<string,int?>` or `struct{"name": int, "other": string?}`. A `?` after a type allows
        null. Names are JSON strings. The description itself is a struct.

        Structs become instances of `row_class`, a subclass of tuple, or tuples if it is None. serow
        runs no code of the class: it sets the values and an attribute `__fields__`.

        Raises `SchemaError` if the description has a mistake or a type that serow lacks.
        """

    def read(self, batch: Buffer) -> list[Any]:
        """Decode a batch: for each row its size in eight bytes, and the row itself.

        Raises `DecodeError` for wrong bytes, and for values that Python lacks.
        """

    def compile(self) -> None:
        """Compile the reader now, as `Codec.compile` does."""

    @property
    def tier(self) -> _Tier:
        """The tier of the reader."""

    def write(self, rows: list[Any]) -> bytes:
        """Encode `rows` to a batch.

        A struct is a tuple, a list or an instance of `row_class`, with its values in the order of
        the description. Values must have the exact classes that `read` gives; both classes of bytes
        are accepted for binary values. A `timestamp` may have a time zone. A decimal may have fewer
        fractional digits than its type.

        Raises `EncodeError` for a value of another class, or outside the range of its type.
        """

def schema_at(read_at: Callable[[int, int], bytes], length: int) -> Schema:
    """Give the schema of the rows in `length` bytes, for `serow.schema_of`."""

def metadata_at(read_at: Callable[[int, int], bytes]) -> dict[str, str]:
    """Give the metadata of the stream at the beginning of a file, for `View.metadata`."""

def leave_logs() -> None:
    """Give up the files that a forked child has from the Writers of its parent."""

def salvage(descriptor: int) -> tuple[int, bytes, int, int, tuple[int, int]]:
    """Examine an open file of streams, for `serow.recover`.

    Give how many bytes of it stay, the index that must follow them (empty if none must), the number
    of rows in them, the number of damaged bytes among them, and where a stream begins that follows:
    the salt of its log and the number of rows before it.
    """

def end_of_messages(descriptor: int, length: int) -> int:
    """Give where the first message begins that has not ended in the first bytes of an open file.

    That is `length` if all have ended.
    """

def codec_alone(schema: Schema | str, *, wire: _Wire = "frame") -> Codec[Any]:
    """Give a codec that shares no compiled code with equal codecs."""

def why_no_direct_access() -> str | None:
    """Say why serow can access objects only by the C API; None if it can access them directly."""

def object_access(only_c_api: bool | None = None) -> Literal["direct", "c-api"]:
    """Tell how serow accesses objects; `only_c_api` changes it first."""

def retained_memory() -> tuple[int, int]:
    """Give the bound of `retain_memory`, and the bytes that are kept now."""

HAS_COMPILER: bool
"""Whether this build has the compiler."""

def compiler_self_test() -> _SelfTest:
    """Compile a plan of two instructions with LLVM, run it and check its result."""

@final
class Batches:
    """Encodes a series of similar lists of rows, if they decode to exactly the same objects."""

    def __new__(cls, row_class: type[tuple[Any, ...]]) -> Batches:
        """Also accept instances of `row_class`, which is PySpark's `Row`."""
    def write(self, batch: list[Any]) -> bytes | None:
        """Encode a batch; None if a value has no type or would not decode to the same."""
    def read(self, message: bytes) -> list[Any]:
        """Decode a message that `write` gave."""

@final
class RowArrays:
    """Makes rows of Spark's types of Arrow's arrays, and arrays of rows."""

    def __new__(cls, description: str, row_class: type) -> RowArrays:
        """Convert the rows that `description` describes, as for `UnsafeRows`.

        A struct that can't be null describes rows with a column for each field. Any other type
        describes the values of one column. The methods raise `SchemaError` if the description has
        a mistake or a type that serow lacks.
        """

    def rows(self, data: _HasArrays | _HasArray) -> list[Any]:
        """Give the rows of Arrow's batches.

        The columns and the fields of structs are read in their order, timestamps in the local zone.

        Raises `DecodeError` for arrays of other types, and for values that Python lacks.
        """

    def arrays(self, rows: list[Any], schema: _HasSchema) -> ArrowStream:
        """Give one batch of the rows, with this schema of Arrow.

        A struct is a tuple, a dict or an instance of the class of rows; a row may be a list too.
        Timestamps without a zone are in the local zone. Floats are rounded to the bits of their
        column, and all other values are stored exactly.

        Raises `EncodeError` for a value that is not of its type or that its column does not hold.
        """

class Column:
    """An Arrow array in place of each of its values."""

    def __new__(cls, array: Any) -> Column:
        """Stand for the values of `array`."""

class ColumnConverter:
    """Converts columns at once, and other values one by one."""

    def __new__(
        cls, read: Callable[[Any], list[Any]], otherwise: Callable[[Any], Any]
    ) -> ColumnConverter:
        """Let `read` give the values of an array, and `otherwise` convert what is no column."""
    def convert(self, value: Any) -> Any:
        """Give the next value of a column, or convert another value."""

def registered_classes() -> dict[type, Any]:
    """Give the dict of the classes whose conversion is registered, which serow looks into."""

def outdate(cls: type) -> None:
    """Forget what serow knows about a class."""

def names_exist() -> None:
    """Let the encoder ask for the names that classes declare."""

def lines(window: bytes, as_text: bool) -> tuple[list[Any], int, bool]:
    """Split off the whole lines of `window`: the list, its size in bytes, whether they end."""
