"""What the compiled module offers; `serow` gives on all but those at the end."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypedDict, TypeVar, final, overload

from typing_extensions import Buffer

_Wire = Literal["frame", "row"]
_Direction = Literal["encode", "decode"]
_Tier = Literal["interpreter", "jit"]
_Row = TypeVar("_Row")

__version__: str

class SerowError(Exception):
    """Any error of serow's.

    >>> import serow
    >>> try:
    ...     serow.Codec('(str, {"price": [i64]})').encode([("bolt", {"price": [3, None]})])
    ... except serow.EncodeError as error:
    ...     print(error.row, error.path)
    0 (1, 'price', 1)
    """

    row: int | None
    """The index of the row at fault, among the rows given or those of the whole message."""

    path: tuple[int | str, ...] | None
    """The steps from the row to the value at fault, `()` for the row itself.

    A step is an item's index or a field's name; `"key 3"` and `"value 3"` lead to the key and the
    value of a dict's entry 3 where the schema is `{K: V}`.
    """

    offset: int | None
    """Where in the message the smallest part begins that is known to be wrong.

    That is a frame, or in the row wire a record.
    """

class SchemaError(SerowError):
    """A schema's text is wrong, or a message is of another schema than its codec."""

class EncodeError(SerowError):
    """A row holds something that has no type, or does not fit the codec's schema."""

class DecodeError(SerowError):
    """The bytes are no message, or one that is cut, damaged, or of another version."""

class BufferTooSmall(SerowError):  # noqa: N818 (its name is fixed by those who catch it)
    """The buffer can't hold the message."""

    needed: int | None
    """The bytes that the message takes."""

class LimitError(SerowError):
    """Something is larger than serow allows; see the security page for the limits."""

def dumps(rows: Iterable[Any], *, wire: _Wire = "frame") -> bytes:
    """Give the message of `rows`, with the schema that they turn out to have.

    Rows may be tuples, lists or scalars, nested in any way, of None, bool, int, float, str, bytes,
    bytearray and complex, of datetime's date, time, datetime and timedelta, of decimal.Decimal and
    uuid.UUID. Only these very classes are taken, and no subclasses. A time zone is a
    datetime.timezone or a zoneinfo.ZoneInfo with a key. Of a UUID only its bits are carried, so its
    is_safe must be unknown. Scalars and arrays of NumPy, timestamps of pandas and arrays of the
    module array are taken too, and come back as the plain values that they are equal to.

    `wire` is `"frame"`, columns, which is small and quick to decode, or `"row"`, one record after
    another, which is quickest to encode.

    Raises EncodeError, naming row, field and value, if something has no type, and LimitError if
    something is too large or nests too deep. A DataFrame, which gives its columns, is a TypeError.

        >>> import serow
        >>> serow.loads(serow.dumps([1, 2.5, None, "x", (True, [1, 2])]))
        [1, 2.5, None, 'x', (True, [1, 2])]
        >>> from decimal import Decimal
        >>> serow.loads(serow.dumps([(b"key", Decimal("1.50"), 2**100)]))
        [(b'key', Decimal('1.50'), 1267650600228229401496703205376)]
    """

@overload
def loads(data: Buffer, *, type: None = None, max_memory: int | None = None) -> list[Any]: ...
@overload
def loads(data: Buffer, *, type: type[_Row], max_memory: int | None = None) -> list[_Row]: ...
@overload
def loads(data: Buffer, *, type: Any, max_memory: int | None = None) -> list[Any]:
    """Give the rows of a message, equal to those that were encoded, and of the same types.

    With a `type`, which is a class or written as annotations are, rows are read as that type's, and
    records are instances of its classes: see `Schema.of`. Rows of another version of the class are
    read too, by the names of their fields, as the page on evolution says. SchemaError names what
    can't be read so.

    `data` is bytes or another contiguous buffer; TypeError or BufferError is raised for other data.

    A short message may be many large rows. With `max_memory`, LimitError is raised before rows are
    made that would take more bytes of memory than that, as `sys.getsizeof` counts them.

    Raises DecodeError if the bytes are cut, damaged, of another version, or no message; or if they
    hold what Python doesn't have: a date before the year 1, nanoseconds, a time zone that is not
    in the database here, or has another offset there.

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

@final
class Schema:
    """What rows are made of: a type list with a text form and a fingerprint.

    Schemas are immutable, hashable, and can be pickled.

        >>> import serow
        >>> schema = serow.Schema.infer([(8429, "a"), (8430, None)])
        >>> str(schema)
        '(i64, str?)'
        >>> schema.type_list
        (5, 1, 10, 3, 7)
    """

    @staticmethod
    def infer(rows: Iterable[Any]) -> Schema:
        """Give the schema that fits all of `rows`.

        Raises EncodeError, naming row, field and value, if something has no type.
        """

    @staticmethod
    def of(type: Any) -> Schema:
        """Give the schema of rows of a type, which is a class or written as annotations are.

        A dataclass, a NamedTuple, a class of attrs' or a model of pydantic's is a record, a
        TypedDict a dict with fixed keys, and an Enum an enum. A codec for the schema gives back
        instances of these very classes, which are made by calling them. What a class raises is
        the cause of a DecodeError. The page on types says what annotations there are.

        Raises SchemaError, naming class and field, if an annotation has no type.

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
        """Give the schema that `text` spells, as `str(schema)` or as numbers of a type list.

        Raises SchemaError, pointing at the place, if there is a mistake.

            >>> import serow
            >>> serow.Schema.parse("4 1 5 2 3 7 6")
            Schema.parse('[i64, (f64, str)]')
        """

    @property
    def type_list(self) -> tuple[int, ...]:
        """The type list, a flat list of small integers in prefix order."""

    @property
    def fingerprint(self) -> int:
        """The xxh3-64 of the type list."""

    def __hash__(self) -> int: ...

class _Tiers(TypedDict):
    encode: _Tier
    decode: _Tier

@final
class Codec:
    """Encodes and decodes rows of one schema; immutable, and safe for many threads.

    Raises SchemaError if `schema` is text with a mistake.

        >>> import serow
        >>> codec = serow.Codec("(i64, [f64])", wire="row")
        >>> codec.decode(codec.encode([(1, [0.5, 1.5]), (2, [])]))
        [(1, [0.5, 1.5]), (2, [])]
    """

    def __new__(cls, schema: Schema | str, *, wire: _Wire = "frame") -> Codec: ...
    @staticmethod
    def infer(rows: Iterable[Any], *, wire: _Wire = "frame") -> Codec:
        """Give a codec for rows like `rows`."""

    def encode(self, rows: Iterable[Any]) -> bytes:
        """Give the message of `rows`.

        Raises EncodeError, naming row, field and value, if something does not fit the schema.
        """

    def encode_into(self, rows: Iterable[Any], buffer: Buffer) -> int:
        """Write the message of `rows` to the beginning of `buffer`, and give its length in bytes.

        Some bytes after the message may be overwritten too. Raises BufferTooSmall, whose `needed`
        is how many bytes the message takes; what the buffer holds after an error is not a message.
        """

    def decode(self, data: Buffer, *, max_memory: int | None = None) -> list[Any]:
        """Give the rows of a message. Those of another schema are read as rows of the codec's.

        Fields are told by their names, and a type may be a wider one: see the page on evolution.
        Raises SchemaError, naming the field, if rows can't be read so, and DecodeError as `loads`
        does. With `max_memory`, LimitError is raised as `loads` does.
        """

    def compile(self, direction: _Direction | None = None) -> None:
        """Compile what encodes rows, what decodes them, or both, and wait until that is done.

        Other threads run meanwhile. Bytes, rows and errors are the same before and after, and equal
        codecs have the code too. What is compiled for decoding is for messages in the codec's own
        wire. Where objects can be accessed through the C API only, nothing is compiled.

        Raises LimitError if the schema is too large, and SerowError where it can't be done.

            >>> import serow
            >>> codec = serow.Codec("(i64, str)")
            >>> codec.compile("decode")
        """

    def ir(self, direction: _Direction = "encode") -> str | None:
        """Give the LLVM IR of what encodes or decodes rows once it is compiled, if it can be."""

    def asm(self, direction: _Direction = "encode") -> str | None:
        """Give the assembly of what encodes or decodes rows once it is compiled, if it can be."""

    @property
    def tier(self) -> _Tier:
        """What converts rows: `jit` if either direction is compiled, or else `interpreter`."""

    @property
    def tiers(self) -> _Tiers:
        """What encodes rows and what decodes them: `jit` if it is compiled, or `interpreter`."""

    @property
    def schema(self) -> Schema:
        """The schema of the rows."""

    @property
    def wire(self) -> _Wire:
        """The wire that rows are encoded in."""

class _SelfTest(TypedDict):
    plan: str
    llvm: str
    compile_microseconds: int
    rows: int

@final
class UnsafeRows:
    """Reads and writes rows of Spark's JVM, all of which are of one description."""

    def __new__(cls, description: str, row_class: type | None) -> UnsafeRows:
        """Read rows of what `description` says Spark's types are.

        A type is `boolean`, `byte`, `short`, `int`, `long`, `float`, `double`, `string`, `binary`
        (read as bytes), `bytearray`, `date`, `timestamp` (read in the local zone),
        `timestamp_ntz`, `interval` (a timedelta), `time`, `void`, `decimal(18,2)`, `array<int>`,
        `map<string,int?>` or `struct{"name": int, "other": string?}`. A `?` behind it says that
        there may be null. Names are as in JSON. The description is that of a struct.

        Structs become objects of `row_class`, a subclass of tuple, without running code of the
        class: they get their values and an attribute `__fields__`. They are tuples if it is `None`.

        Raises `SchemaError` for a description that is wrong, or of a type that serow does not have.
        """

    def read(self, batch: Buffer) -> list[Any]:
        """Give the rows of a batch: for each eight bytes with its size, and the row.

        Raises `DecodeError` if bytes are wrong, or for a value that Python does not have.
        """

    def compile(self) -> None:
        """Compile now what reads rows, if anything is compiled here."""

    @property
    def tier(self) -> Literal["interpreter", "jit"]:
        """What reads rows."""

    def write(self, rows: list[Any]) -> bytes:
        """Give the batch of `rows`.

        A struct is a tuple, a list or an object of `row_class`, whose values stand in the order of
        the description. Values are of the very classes that reading gives, or of either class of
        bytes; a `timestamp` may have a time zone. A decimal may have fewer digits behind the point.

        Raises `EncodeError` for a value of another class, or beyond what its type holds.
        """

def codec_alone(schema: Schema | str, *, wire: _Wire = "frame") -> Codec:
    """Give a codec that shares no code with equal ones."""

def object_access(only_c_api: bool | None = None) -> Literal["direct", "c-api"]:
    """Say how objects are accessed, after changing it if asked to."""

def is_foreign(kind: type, /) -> bool:
    """Say whether objects of a class are NumPy's, pandas' or the module array's, and no tuples."""

def compiler_self_test() -> _SelfTest:
    """Compile a plan of two instructions with LLVM, run it, and check what it gives."""

@final
class Batches:
    """Writes lists of rows that come one after another, are mostly alike, and come back exactly."""

    def __new__(cls, row_class: type[tuple[Any, ...]]) -> Batches:
        """Carry instances of `row_class`, which is PySpark's `Row`, too."""
    def write(self, batch: list[Any]) -> bytes | None:
        """Give a message; `None` if anything in it would come back otherwise, or has no type."""
    def read(self, message: bytes) -> list[Any]:
        """Give what a message was made of."""

class DictRows:
    """Makes rows of the dicts that pyarrow makes of one struct."""

    def __new__(
        cls,
        row_class: type[tuple[Any, ...]],
        names: list[str],
        keys: list[str],
        converters: list[Callable[[Any], Any] | None],
        otherwise: Callable[[Any], Any],
    ) -> DictRows:
        """Make rows with `names` of dicts with `keys`; `otherwise` makes what no dict becomes."""
    def row(self, value: Any) -> Any:
        """Give the row of a dict, whose missing fields are `None`, and `None` of `None`."""

def lines(window: bytes, as_text: bool) -> tuple[list[Any], int, bool]:
    """Give the lines that `window` begins with, their bytes' number, and whether no more follow."""
