"""The errors that users meet most, with their whole texts, to be read side by side.

Each says what can't be done, where, and what to do next. A text that changes here is one that users
read: compare it with its neighbours.
"""

# ruff: noqa: F401 (the expressions use all imports)
import io
import re
import sys
from collections.abc import Iterable
from dataclasses import InitVar, dataclass
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import pydantic
import pytest
import serow
from serow import Codec, Schema, dumps, loads

T = TypeVar("T")


class Plain:
    """A class that serow does not know."""

    def __repr__(self) -> str:
        return "Plain()"


@dataclass
class AfterInit:
    a: int
    given: InitVar[int] = 1

    def __post_init__(self, given: int) -> None:
        self.more = given


@dataclass
class Price:
    amount: float


@dataclass
class Cost:
    amount: float


@dataclass
class Page(Generic[T]):
    items: list[T]


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    a: int


class Secret(pydantic.BaseModel):
    a: int
    _key: str = "none"


class Color(Enum):
    RED = 1


class Size(Enum):
    SMALL = 1


def secret() -> Secret:
    """Give a model whose private attribute is not the default."""
    row = Secret(a=1)
    row._key = "other"
    return row


def holding_itself() -> list[Any]:
    """Give a list that contains itself."""
    row: list[Any] = []
    row.append(row)
    return row


def damaged(message: bytes) -> bytes:
    """Give the message with a bit of its last column flipped."""
    flipped = bytearray(message)
    flipped[-10] ^= 1
    return bytes(flipped)


#: Each expression and its error. Addresses are shown as 0x….
ERRORS: list[tuple[str, type[Exception], str]] = [
    # Values without a type.
    (
        "dumps([object()])",
        serow.EncodeError,
        "row 0: cannot encode <object object at 0x…> (type object); convert it to a plain "
        "value: numbers, str, bytes, times, lists, tuples, sets, dicts",
    ),
    (
        "dumps([Plain()])",
        serow.EncodeError,
        "row 0: cannot encode Plain() (type test_error_texts.Plain); register its class "
        "with serow.register(Plain, to=...)",
    ),
    (
        'dumps([{"a": print}])',
        serow.EncodeError,
        "row 0, field a: cannot encode <built-in function print> (type "
        "builtin_function_or_method); serow encodes data, not code; use value.__qualname__",
    ),
    (
        "dumps([Color])",
        serow.EncodeError,
        "row 0: cannot encode <enum 'Color'> (type enum.EnumType); serow encodes data, not "
        "code; use value.__qualname__",
    ),
    (
        'dumps([pydantic.SecretStr("x")])',
        serow.EncodeError,
        "row 0: cannot encode SecretStr('**********') (type pydantic.types.SecretStr); serow "
        "writes a secret only if its class is registered, and then readable by all: "
        "serow.register(SecretStr, to=SecretStr.get_secret_value, from_=SecretStr, type=str)",
    ),
    (
        "dumps([iter([1])])",
        serow.EncodeError,
        "row 0: cannot encode <list_iterator object at 0x…> (type list_iterator); use list(value)",
    ),
    (
        "dumps([holding_itself()])",
        serow.LimitError,
        "row 0: lists and other containers nest more than 64 deep; does one hold itself?",
    ),
    # What a class would lose.
    (
        "dumps([AfterInit(1)])",
        serow.EncodeError,
        "row 0: cannot encode AfterInit(a=1) (type test_error_texts.AfterInit); its "
        "attribute more is not a field of the class and would be lost; declare it as a "
        "field, in a dataclass more: ... = field(init=False), remove it, or register what to "
        "encode: serow.register(AfterInit, to=..., from_=...)",
    ),
    (
        "dumps([Open(a=1, more=2)])",
        serow.EncodeError,
        "row 0: cannot encode Open(a=1, more=2) (type test_error_texts.Open); its extra "
        "field more is not declared and would be lost; declare it, or register what to "
        "encode: serow.register(Open, to=..., from_=...)",
    ),
    (
        "dumps([secret()])",
        serow.EncodeError,
        "row 0: cannot encode Secret(a=1) (type test_error_texts.Secret); its private "
        "attribute _key is not the default and would be lost; make it a field, or register "
        "what to encode: serow.register(Secret, to=..., from_=...)",
    ),
    # Values of another type than the schema's.
    (
        'Codec("f64").encode([5])',
        serow.EncodeError,
        "row 0, (f64): cannot encode 5 (type int); it is an int where a float is declared; "
        "use 5.0, annotate int | float, or give ints_as_floats=True",
    ),
    (
        'Codec("f64").encode([10**20])',
        serow.EncodeError,
        "row 0, (f64): cannot encode 100000000000000000000 (type int); it is an int where "
        "a float is declared; use float(value), annotate int | float, or give ints_as_floats=True",
    ),
    (
        "Codec(Schema.of(Price)).encode([Price(5)])",
        serow.EncodeError,
        "row 0, field amount (f64): cannot encode 5 (type int); it is an int where a float "
        "is declared; use 5.0, annotate int | float, or give ints_as_floats=True",
    ),
    (
        'Codec("i64").encode([2**63])',
        serow.EncodeError,
        "row 0, (i64): cannot encode 9223372036854775808 (type int); an i64 has 64 bits; "
        'write `int` in the schema, or annotate Annotated[int, Schema.parse("int")]',
    ),
    (
        'Codec("i64").encode([0.5])',
        serow.EncodeError,
        "row 0, (i64): cannot encode 0.5 (type float); use int(value), or annotate int | float",
    ),
    (
        'Codec("i64").encode(["5"])',
        serow.EncodeError,
        "row 0, (i64): cannot encode '5' (type str); use int(value)",
    ),
    (
        'Codec("i64").encode([None])',
        serow.EncodeError,
        "row 0, (i64): cannot encode None (type NoneType); the schema allows no null here; "
        "write `?` after the type, or annotate T | None",
    ),
    (
        'Codec("i64").encode([True])',
        serow.EncodeError,
        "row 0, (i64): cannot encode True (type bool); use int(value)",
    ),
    (
        'Codec("null").encode([1])',
        serow.EncodeError,
        "row 0, (null): cannot encode 1 (type int); the schema allows only null here; name "
        "the type too",
    ),
    (
        'Codec("str").encode([b"a"])',
        serow.EncodeError,
        "row 0, (str): cannot encode b'a' (type bytes); use value.decode()",
    ),
    (
        'Codec("str").encode([7])',
        serow.EncodeError,
        "row 0, (str): cannot encode 7 (type int); use str(value)",
    ),
    (
        'Codec("bytes").encode(["a"])',
        serow.EncodeError,
        "row 0, (bytes): cannot encode 'a' (type str); use value.encode()",
    ),
    (
        'Codec("bytes").encode([bytearray(b"a")])',
        serow.EncodeError,
        "row 0, (bytes): cannot encode bytearray(b'a') (type bytearray); use bytes(value)",
    ),
    (
        'Codec("decimal").encode([0.5])',
        serow.EncodeError,
        "row 0, (decimal): cannot encode 0.5 (type float); use Decimal(value), or "
        "Decimal(str(value)) for the digits that are shown",
    ),
    (
        'Codec("uuid").encode(["1f"])',
        serow.EncodeError,
        "row 0, (uuid): cannot encode '1f' (type str); use UUID(value)",
    ),
    (
        'Codec("date").encode([datetime(2024, 1, 1)])',
        serow.EncodeError,
        "row 0, (date): cannot encode datetime.datetime(2024, 1, 1, 0, 0) (type "
        "datetime.datetime); use value.date()",
    ),
    (
        'Codec("timestamp").encode([datetime(2024, 1, 1, tzinfo=timezone.utc)])',
        serow.EncodeError,
        "row 0, (timestamp): cannot encode datetime.datetime(2024, 1, 1, 0, 0, "
        "tzinfo=datetime.timezone.utc) (type datetime.datetime); it has a time zone; use "
        "value.replace(tzinfo=None), or annotate datetime",
    ),
    (
        'Codec("timestamptz").encode([datetime(2024, 1, 1)])',
        serow.EncodeError,
        "row 0, (timestamptz): cannot encode datetime.datetime(2024, 1, 1, 0, 0) (type "
        "datetime.datetime); it has no time zone; use value.replace(tzinfo=...) with its "
        "zone, or annotate datetime",
    ),
    (
        'Codec("duration").encode([1.5])',
        serow.EncodeError,
        "row 0, (duration): cannot encode 1.5 (type float); use timedelta(seconds=value)",
    ),
    (
        'Codec("[i64]").encode([(1, 2)])',
        serow.EncodeError,
        "row 0, ([i64]): cannot encode (1, 2) (type tuple); use list(value)",
    ),
    (
        'Codec("(i64, str)").encode([[1, "a"]])',
        serow.EncodeError,
        "row 0, ((i64, str)): cannot encode [1, 'a'] (type list); use tuple(value)",
    ),
    (
        'Codec("(i64, str)").encode([(1, "a", 2)])',
        serow.EncodeError,
        "row 0, ((i64, str)): cannot encode (1, 'a', 2) (type tuple); it has 3 fields and "
        "must have 2",
    ),
    (
        'Codec("{i64}").encode([[1]])',
        serow.EncodeError,
        "row 0, ({i64}): cannot encode [1] (type list); use set(value)",
    ),
    (
        'Codec("(i64|str)").encode([0.5])',
        serow.EncodeError,
        "row 0, (i64|str): cannot encode 0.5 (type float); the union has no type for it; "
        "convert it, or add its type to the union",
    ),
    (
        'Codec(\'{"a": i64, "b": str}\').encode([{"a": 1}])',
        serow.EncodeError,
        "row 0, field b (str): cannot encode {'a': 1} (type dict); it lacks the key \"b\"; "
        'add it, or write "b"? in the schema if it may be missing',
    ),
    (
        'Codec(\'{"a": i64}\').encode([{"a": 1, "c": 2}])',
        serow.EncodeError,
        "row 0, ({\"a\": i64}): cannot encode {'a': 1, 'c': 2} (type dict); it has the "
        'extra key "c"; remove it, or add it to the schema',
    ),
    (
        'Codec("Price{amount: f64}").encode([{"amount": 0.5}])',
        serow.EncodeError,
        "row 0, (Price{amount: f64}): cannot encode {'amount': 0.5} (type dict); the "
        "schema has a record here; use Price(**value)",
    ),
    (
        'Codec("Price{amount: f64}").encode([(0.5,)])',
        serow.EncodeError,
        "row 0, (Price{amount: f64}): cannot encode (0.5,) (type tuple); the schema has a "
        "record here; use Price(*value)",
    ),
    (
        'Codec("Price{amount: f64}").encode([Cost(0.5)])',
        serow.EncodeError,
        "row 0, (Price{amount: f64}): cannot encode Cost(amount=0.5) (type "
        "test_error_texts.Cost); it is a record Cost with the fields amount; make a Price "
        "of it",
    ),
    (
        'Codec("enum Color{RED}").encode(["RED"])',
        serow.EncodeError,
        "row 0, (enum Color{RED}): cannot encode 'RED' (type str); use "
        "Color[value] for a name, Color(value) for a value",
    ),
    (
        'Codec("enum Color{RED}").encode([Size.SMALL])',
        serow.EncodeError,
        "row 0, (enum Color{RED}): cannot encode <Size.SMALL: 1> (type "
        "test_error_texts.Size); it is a member of enum Size; use a member of Color, which has "
        "none of this name",
    ),
    (
        'Codec("[(i64, {str: f64})]").encode([[(1, {"a": 1.5}), (2, {"b": 1})]])',
        serow.EncodeError,
        "row 0, field 1.1.value 0 (f64): cannot encode 1 (type int); it is an int where a "
        "float is declared; use 1.0, annotate int | float, or give ints_as_floats=True",
    ),
    # Schemas.
    (
        'Codec("i46")',
        serow.SchemaError,
        'schema, column 1: no type is called "i46"; there are i64, f64, str, bool, null, '
        "never, int, bytes, bytearray, date, time, timetz, timestamp, timestamptz, "
        "duration, decimal, uuid, complex, ndarray, f32, i8, i16, i32, u8, u16, u32, u64"
        "\n  i46\n  ^",
    ),
    (
        'Codec("[i64")',
        serow.SchemaError,
        "schema, column 5: expected ',' or ']', found the end\n  [i64\n      ^",
    ),
    (
        "Codec(Schema.of(list[Any])).encode_one([1])",
        serow.SchemaError,
        "a single record has no schema in it, and the codec's does not say all types: it is [any]; "
        "use encode, whose messages say them, or a codec without parts of any type",
    ),
    (
        "Codec(Schema.of(list[Any])).decode_arrow(b'')",
        serow.SchemaError,
        "the codec's schema does not say all types, so it has no columns of Arrow: it is [any]; "
        "use to_arrow(codec.decode(data))",
    ),
    (
        "serow.Writer(io.BytesIO(), schema='{str: any}')",
        serow.SchemaError,
        "the schema of a Writer must say all types, and {str: any} has parts of any type; leave it "
        "out, and the Writer infers the types of its rows",
    ),
    (
        "Codec('[^0]')",
        serow.SchemaError,
        "^0 is the dict with fixed keys or the record number 0, but [^0] has only 0; the first is "
        "number 0",
    ),
    (
        "Schema.of(Iterable[int])",
        serow.SchemaError,
        "collections.abc.Iterable[int] has no type in a schema; use list, tuple, set, frozenset or "
        "dict, or deque, Counter or defaultdict, or Sequence, Set or Mapping",
    ),
    (
        "Schema.of(Plain)",
        serow.SchemaError,
        "Plain has no type in a schema; make it a dataclass, or register it: "
        "serow.register(Plain, to=..., from_=..., type=...)",
    ),
    (
        "Schema.of(Page)",
        serow.SchemaError,
        "Page.items: T is a type variable without a type; write the type that it stands "
        "for, as in Page[int]",
    ),
    # Messages and the types to read them as.
    (
        'loads(b"")',
        serow.DecodeError,
        "the message is cut after 0 bytes",
    ),
    (
        'loads(b"hello, this is text")',
        serow.DecodeError,
        "this is not a serow message: it does not begin with SROW",
    ),
    (
        "loads(dumps([1, 2, 3])[:-4])",
        serow.DecodeError,
        "frame 0 (at byte 8): the message is cut: it ends at byte 52",
    ),
    (
        "loads(damaged(dumps([1, 2, 3])))",
        serow.DecodeError,
        "frame 0 (at byte 8): its checksum is wrong, so its bytes were damaged on the way",
    ),
    (
        'loads(dumps(["a"]), type=int)',
        serow.SchemaError,
        "frame 0 has rows of schema str, but the codec is for i64: a row: str can't be read as int"
        "; declare a type that fits, or read the rows as they are, without one",
    ),
    (
        'loads(dumps([{"a": 1}]), type=Price)',
        serow.SchemaError,
        'frame 0 has rows of schema {"a": i64}, but the codec is for Price{amount: f64}: '
        "field amount: the writer's schema lacks it, and f64 has no default; make the "
        "field optional, or give it a default",
    ),
    (
        'loads(dumps([Price("x")]), type=Price)',
        serow.SchemaError,
        "frame 0 has rows of schema Price{amount: str}, but the codec is for Price{amount: "
        "f64}: field amount: str can't be read as f64; declare a type that fits, or read the rows "
        "as they are, without one",
    ),
    (
        'loads(dumps([2**70]), type=Annotated[int, Schema.parse("i64")])',
        serow.DecodeError,
        "frame 0, row 0, (i64): an integer of more than 64 bits can't be read as i64",
    ),
    (
        'Codec("i64").decode_one(b"")',
        serow.DecodeError,
        "the record is cut: it takes at least 8 bytes, but there are 0",
    ),
    (
        'Codec("i64").decode_one(Codec("str").encode_one("a"))',
        serow.SchemaError,
        "the record has a schema with the fingerprint 0x…, which is neither the codec's "
        "(0x…) nor in its set of schemas; add the schema of the record's writer to a "
        "SchemaSet, and give the set to the codec",
    ),
    (
        'Codec("i64").encode_into([1], bytearray(4))',
        serow.BufferTooSmall,
        "the message takes 49 bytes and the buffer has 4; give a larger one",
    ),
    # Arguments.
    (
        'dumps([1], wire="rows")',
        ValueError,
        "wire must be 'frame' or 'row', not \"rows\"",
    ),
    (
        'dumps([1], compression="gzip")',
        ValueError,
        "compression must be 'zstd' or 'lz4', not \"gzip\"",
    ),
    (
        "dumps([1], level=3)",
        ValueError,
        "level needs a compression: give compression='zstd'",
    ),
    (
        "Codec(5)",
        TypeError,
        "schema must be a Schema or its text, or a class or an annotation, not int",
    ),
    (
        "serow.register(int, to=str)",
        TypeError,
        "int is a plain class, which serow encodes as it is",
    ),
]


@pytest.mark.parametrize(("program", "kind", "text"), ERRORS, ids=[row[0] for row in ERRORS])
def test_the_text_of_an_error(program: str, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as raised:
        eval(program, globals())
    assert type(raised.value) is kind
    said = re.sub("0x[0-9a-f]{6,}", "0x…", str(raised.value))
    said = said.replace("pathlib._local.", "pathlib.")  # Python 3.13
    if sys.version_info < (3, 11):
        # This class had another name, and the names of a combination another order.
        said = said.replace("EnumMeta", "EnumType").replace("WRITE|READ", "READ|WRITE")
    assert said == text
