"""Common parts of the tests of dicts, records and enums: rows of many classes, and round trips."""

import collections
import dataclasses
import enum
import functools
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import attrs
import pydantic
import pytest
import rowtext
import serow


def name_codes(text: str) -> list[int]:
    """Give a name in the form of a type list."""
    return [len(text), *map(ord, text)]


def trip(rows: list[Any], wire: str) -> list[Any]:
    """Send rows through `dumps` and through a codec, and assert that both decode the same."""
    codec = serow.Codec.infer(rows, wire=wire)
    back = serow.loads(serow.dumps(rows, wire=wire))
    by_codec = codec.decode(codec.encode(rows))
    assert list(map(rowtext.canonical, by_codec)) == list(map(rowtext.canonical, back))
    return back


def error(rows: list[Any]) -> str:
    """Give the error text for rows that can't be encoded."""
    with pytest.raises(serow.EncodeError) as caught:
        serow.dumps(rows)
    return str(caught.value)


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1


class Part(NamedTuple):
    key: int
    name: str
    price: float | None = None


class Sub(Part):
    """A subclass whose instances may have attributes."""


Plain = collections.namedtuple("Plain", "a b")
Empty = collections.namedtuple("Empty", "")


@dataclass
class Data:
    a: int
    b: list[str]
    shared: ClassVar[int] = 3
    given: dataclasses.InitVar[int] = 4
    late: int = field(init=False, default=5)


@dataclass(frozen=True, slots=True)
class Slotted:
    a: int
    größe: str = ""


@dataclass
class Child(Data):
    c: float = 0.5

    @functools.cached_property
    def computed(self) -> int:
        return self.a + 1

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("no code runs while rows are read")


T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    value: T


@attrs.define
class Attrs:
    a: int
    b: str = "x"


@attrs.define(slots=False)
class AttrsDict:
    a: int
    b: str = "x"


@attrs.frozen(cache_hash=True, eq=True)
class AttrsHash:
    a: int


class Model(pydantic.BaseModel):
    a: int
    b: str | None


class SubModel(Model):
    c: list[Model]


def row_class() -> Any:
    """Give a class like PySpark's `Row`."""

    class Row(tuple[Any, ...]):
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            row = tuple.__new__(cls, [*args, *kwargs.values()])
            if kwargs:
                row.__fields__ = list(kwargs)
            return row

    Row.__module__ = "pyspark.sql.types"
    return Row


Row = row_class()

RECORDS: list[tuple[Any, str, tuple[Any, ...]]] = [
    (Part(1, "x", 2.5), "Part{key: i64, name: str, price: f64}", (1, "x", 2.5)),
    (Sub(1, "x"), "Sub{key: i64, name: str, price: null}", (1, "x", None)),
    (Plain(1, [2]), "Plain{a: i64, b: [i64]}", (1, [2])),
    (Empty(), "Empty{}", ()),
    (Data(1, ["x"]), "Data{a: i64, b: [str], late: i64}", (1, ["x"], 5)),
    (Slotted(1, "x"), "Slotted{a: i64, größe: str}", (1, "x")),
    (Child(1, []), "Child{a: i64, b: [never], late: i64, c: f64}", (1, [], 5, 0.5)),
    (Box(3), "Box{value: i64}", (3,)),
    (Attrs(1), "Attrs{a: i64, b: str}", (1, "x")),
    (AttrsDict(1), "AttrsDict{a: i64, b: str}", (1, "x")),
    (AttrsHash(1), "AttrsHash{a: i64}", (1,)),
    (Model(a=1, b=None), "Model{a: i64, b: null}", (1, None)),
    (Row(a=1, b="x"), "Row{a: i64, b: str}", (1, "x")),
]
