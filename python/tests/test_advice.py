"""What an error says to do is done, and then the program works."""

# ruff: noqa: F401 (the expressions use all imports)
import array
import enum
import io
import socket
import time
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, TypedDict
from uuid import UUID, SafeUUID

import numpy
import numpy as np
import pandas as pd
import pytest
import serow
from serow import Codec, Schema, dumps


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


class Size(enum.Enum):
    RED = 2
    SMALL = 3


@dataclass
class Price:
    amount: float


@dataclass
class Cost:
    amount: float = 1.0


@dataclass
class After:
    given: InitVar[int] = 1

    def __post_init__(self, given: int) -> None:
        self.more = given


@dataclass
class Declared:
    given: InitVar[int] = 1
    more: int = field(init=False)

    def __post_init__(self, given: int) -> None:
        self.more = given


class TreeDict(TypedDict):
    path: Path
    kids: list["TreeDict"]


@dataclass
class Tree:
    path: Path
    kids: list["Tree"] = field(default_factory=list)


class OwnZone(tzinfo):
    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=1)


class Plain:
    """A class that serow does not know."""


class Older:
    """A model as those of pydantic's first version."""

    __fields__: ClassVar[Any] = {}

    def dict(self) -> Any:
        return {"a": 1}


#: A program with a `value`, the value with which it fails, and what the error says to use instead.
USED: list[tuple[str, str, str]] = [
    # Values of another type than the schema's.
    ("Codec('i64').encode([value])", "0.5", "int(value)"),
    ("Codec('i64').encode([value])", "'5'", "int(value)"),
    ("Codec('i64').encode([value])", "True", "int(value)"),
    ("Codec('i64').encode([value])", "Decimal(5)", "int(value)"),
    ("Codec('int').encode([value])", "0.5", "int(value)"),
    ("Codec('f64').encode([value])", "5", "5.0"),
    ("Codec('f64').encode([value])", "10**20", "float(value)"),
    ("Codec('f64').encode([value])", "'5'", "float(value)"),
    ("Codec('f64').encode([value])", "Decimal('0.5')", "float(value)"),
    ("Codec('bool').encode([value])", "1", "bool(value)"),
    ("Codec('decimal').encode([value])", "1", "Decimal(value)"),
    ("Codec('decimal').encode([value])", "'1'", "Decimal(value)"),
    ("Codec('decimal').encode([value])", "0.1", "Decimal(str(value))"),
    ("Codec('str').encode([value])", "b'a'", "value.decode()"),
    ("Codec('str').encode([value])", "UUID(int=1)", "str(value)"),
    ("Codec('str').encode([value])", "date(2024, 2, 29)", "value.isoformat()"),
    ("Codec('bytes').encode([value])", "'a'", "value.encode()"),
    ("Codec('bytes').encode([value])", "bytearray(b'a')", "bytes(value)"),
    ("Codec('bytearray').encode([value])", "b'a'", "bytearray(value)"),
    ("Codec('uuid').encode([value])", "'0' * 32", "UUID(value)"),
    ("Codec('date').encode([value])", "'2024-02-29'", "date.fromisoformat(value)"),
    ("Codec('date').encode([value])", "datetime(2024, 2, 29)", "value.date()"),
    ("Codec('timestamp').encode([value])", "'2024-02-29'", "datetime.fromisoformat(value)"),
    (
        "Codec('timestamp').encode([value])",
        "datetime(2024, 2, 29, tzinfo=timezone.utc)",
        "value.replace(tzinfo=None)",
    ),
    (
        "Codec('timestamp').encode([value])",
        "7",
        "datetime.fromtimestamp(value, tz=timezone.utc).replace(tzinfo=None)",
    ),
    ("Codec('timestamptz').encode([value])", "7", "datetime.fromtimestamp(value, tz=timezone.utc)"),
    ("Codec('duration').encode([value])", "1.5", "timedelta(seconds=value)"),
    ("Codec('[i64]').encode([value])", "(1, 2)", "list(value)"),
    ("Codec('(i64, i64)').encode([value])", "[1, 2]", "tuple(value)"),
    ("Codec('{i64}').encode([value])", "[1, 2]", "set(value)"),
    ("Codec('frozenset{i64}').encode([value])", "{1, 2}", "frozenset(value)"),
    ("Codec(Color).encode([value])", "'RED'", "Color[value]"),
    ("Codec(Color).encode([value])", "'b'", "Color(value)"),
    ("Codec(Color).encode([value])", "1", "Color(value)"),
    ("Codec(Color).encode([value])", "Size.RED", "Color[value.name]"),
    ("Codec(Price).encode([value])", "{'amount': 0.5}", "Price(**value)"),
    ("Codec(Price).encode([value])", "(0.5,)", "Price(*value)"),
    # Values that equal no plain value.
    ("dumps([value])", "iter([1])", "list(value)"),
    ("dumps([value])", "{1: 2}.keys()", "set(value)"),
    ("dumps([value])", "SimpleNamespace(a=1)", "vars(value)"),
    ("dumps([value])", "timezone.utc", "str(value)"),
    ("dumps([value])", "print", "value.__qualname__"),
    ("dumps([value])", "Color", "value.__qualname__"),
    ("dumps([value])", "Older()", "value.dict()"),
    ("dumps([value])", "time.gmtime(0)", "tuple(value)"),
    ("dumps([value])", "memoryview(array.array('d', [1.5]))", "value.tolist()"),
    ("dumps([value])", "UUID(int=1, is_safe=SafeUUID.safe)", "UUID(int=value.int)"),
    ("dumps([value])", "datetime(2024, 1, 1, tzinfo=OwnZone())", "value.astimezone(timezone.utc)"),
    ("dumps([value])", "np.longdouble(1) / 3", "float(value)"),
    ("dumps([value])", "np.ma.array([1, 2])", "numpy.asarray(value)"),
    ("dumps([value])", "np.void(b'ab')", "value.item()"),
    ("dumps([value])", "np.datetime64('2024')", "value.astype('M8[D]')"),
    ("dumps([value])", "np.datetime64('2024-01-01T00:00:00.000000001')", "value.astype('M8[us]')"),
    ("dumps([value])", "np.timedelta64(1, 'ns')", "value.astype('m8[us]')"),
    ("dumps([value])", "pd.Timestamp(1)", "value.round('us')"),
    ("dumps([value])", "pd.Timedelta(1)", "value.round('us')"),
    ("dumps([value])", "pd.Interval(1, 2)", "(value.left, value.right)"),
    ("dumps([value])", "pd.Period('2024-01')", "value.to_timestamp()"),
    ("dumps([[value]])", "pd.Series([1])", "value.tolist()"),
    ("dumps([[value]])", "pd.DataFrame({'a': [1]})", "value.to_dict('records')"),
]


@pytest.mark.parametrize(("program", "value", "instead"), USED)
def test_what_an_error_says_to_use_works(program: str, value: str, instead: str) -> None:
    names: dict[str, Any] = {**globals(), "value": eval(value)}
    with pytest.raises(serow.SerowError) as error:
        eval(program, names)
    assert instead in str(error.value)
    names["value"] = eval(instead, names)
    eval(program, names)


#: A program, what its error says, and the program that follows it.
CHANGED: list[tuple[str, str, str]] = [
    (
        "Codec('i64').encode([None])",
        "write `?` after the type, or annotate T | None",
        "Codec('i64?').encode([None]), Codec(int | None).encode([None])",
    ),
    (
        "Codec(int).encode([2**63])",
        'write `int` in the schema, or annotate Annotated[int, Schema.parse("int")]',
        "Codec('int').encode([2**63]), Codec(Annotated[int, Schema.parse('int')]).encode([2**63])",
    ),
    (
        "Codec('i64').encode([float('nan')])",
        "no int equals it; annotate int | float",
        "Codec(int | float).encode([float('nan')])",
    ),
    (
        "Codec('f64').encode([5])",
        "annotate int | float, or give ints_as_floats=True",
        "Codec(int | float).encode([5]), Codec('f64', ints_as_floats=True).encode([5])",
    ),
    (
        "Codec('f64').encode([10**400])",
        "it is an int beyond the range of floats; annotate int | float",
        "Codec(Annotated[int, Schema.parse('int')] | float).encode([10**400])",
    ),
    (
        "Codec('null').encode([1])",
        "the schema allows only null here; name the type too",
        "Codec('i64?').encode([1, None])",
    ),
    (
        "Codec('timestamp').encode([datetime.now(timezone.utc)])",
        "or annotate datetime",
        "Codec(datetime).encode([datetime.now(timezone.utc), datetime.now()])",
    ),
    (
        "Codec('(i64|str)').encode([0.5])",
        "or add its type to the union",
        "Codec('(i64|f64|str)').encode([0.5])",
    ),
    (
        "Codec('{\"a\": i64, \"b\": str}').encode([{'a': 1}])",
        'write "b"? in the schema',
        "Codec('{\"a\": i64, \"b\"?: str}').encode([{'a': 1}])",
    ),
    (
        "Codec(Color).encode([Size.SMALL])",
        "use a member of Color, which has none of this name",
        "Codec(Color).encode([Color.RED])",
    ),
    (
        "dumps([After()])",
        "declare it as a field, in a dataclass more: ... = field(init=False)",
        "dumps([Declared()])",
    ),
    (
        "Schema.of(TreeDict)",
        "make it a dataclass",
        "Codec(Tree).encode([Tree(Path('a'), [Tree(Path('b'))])])",
    ),
    (
        "serow.loads(dumps([{}]), type=Price)",
        "make the field optional, or give it a default",
        "serow.loads(dumps([{}]), type=Cost)",
    ),
    (
        "serow.loads(dumps([1]), type=str)",
        "read the rows as they are, without one",
        "serow.loads(dumps([1]))",
    ),
    (
        "Codec(list[Any]).encode_one([1])",
        "use encode, whose messages say them, or a codec without parts of any type",
        "Codec(list[Any]).encode([[1]]), Codec(list[int]).encode_one([1])",
    ),
    (
        "Codec(list[Any]).decode_arrow(dumps([[1]]))",
        "use to_arrow(codec.decode(data))",
        "serow.to_arrow(Codec(list[Any]).decode(dumps([[1]])))",
    ),
    (
        "serow.Writer(io.BytesIO(), list[Any])",
        "leave it out, and the Writer infers the types of its rows",
        "serow.Writer(io.BytesIO()).close()",
    ),
    (
        "Codec('i64').decode(Codec('i64').encode_one(1))",
        "read them with decode_one",
        "Codec('i64').decode_one(Codec('i64').encode_one(1))",
    ),
    (
        "Codec('i64').decode_one(dumps([1]))",
        "read them with decode",
        "Codec('i64').decode(dumps([1]))",
    ),
    (
        "Codec('i64').decode_one(Codec('str').encode_one('a'))",
        "add the schema of the record's writer to a SchemaSet, and give the set to the codec",
        "Codec('i64?', schemas=serow.SchemaSet(['i64'])).decode_one(Codec('i64').encode_one(1))",
    ),
    (
        "dumps([1], level=3)",
        "give compression='zstd'",
        "dumps([1], level=3, compression='zstd')",
    ),
    (
        "serow.loads(b'', type=int, records='dict')",
        "leave out records, or the type",
        "serow.loads(dumps([1]), records='dict'), serow.loads(dumps([1]), type=int)",
    ),
    (
        "serow.view(socket.socketpair()[0])",
        "a file with read() and seek(), not socket",
        "serow.Reader(io.BytesIO(dumps([1])))",
    ),
]


@pytest.mark.parametrize(("program", "said", "instead"), CHANGED)
def test_a_program_that_follows_its_error_works(program: str, said: str, instead: str) -> None:
    with pytest.raises((serow.SerowError, ValueError, TypeError)) as error:
        eval(program, globals())
    assert said in str(error.value)
    assert "makefile" not in str(error.value)
    eval(instead, globals())


def test_a_socket_is_read_and_written_by_its_file() -> None:
    near, far = socket.socketpair()
    with near, far:
        for face, wanted in ((serow.Writer, "write"), (serow.Reader, "read")):
            with pytest.raises(TypeError, match=rf"{wanted}\(\), but .* use its makefile"):
                face(near)  # type: ignore[operator]
        with near.makefile("rwb") as file, serow.Writer(file) as writer:
            writer.write(7)
        with far.makefile("rwb") as file:
            assert list(serow.Reader(file, one_stream=True)) == [7]


def test_an_unknown_class_is_registered_as_its_errors_say(restored_classes: None) -> None:
    with pytest.raises(serow.EncodeError, match=r"serow.register\(Plain, to=\.\.\.\)"):
        dumps([Plain()])
    serow.register(Plain, to=vars)
    assert serow.loads(dumps([Plain()])) == [{}]
    with pytest.raises(serow.SchemaError, match=r"from_; .* serow.register\(Plain, …, from_=…\)"):
        Schema.of(Plain)
    serow.register(Plain, to=vars, from_=lambda attributes: Plain())
    with pytest.raises(serow.SchemaError, match=r"serow.register\(Plain, …, type=…\)"):
        Schema.of(Plain)
    serow.register(Plain, to=vars, from_=lambda attributes: Plain(), type=dict[str, int])
    assert type(serow.loads(dumps([Plain()]), type=Plain)[0]) is Plain
