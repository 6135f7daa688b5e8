"""Generic classes and aliases as the types of rows."""

import sys
import types
from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any, Generic, NamedTuple, TypedDict, TypeVar

import attrs
import pydantic
import pytest
import serow
import typing_extensions
from typing_extensions import NotRequired, TypeAliasType

T = TypeVar("T")
U = TypeVar("U")
Number = TypeVar("Number", bound=int)
IntByDefault = typing_extensions.TypeVar("IntByDefault", default=int)


@dataclass
class Page(Generic[T]):
    items: list[T]


@dataclass
class Names(Page[str]):
    total: int = 0


@dataclass
class Lists(Page[list[T]]):
    """The variable of the base stands for another type than the same one here."""

    first: T


@dataclass
class Both(Generic[T, U]):
    left: T
    right: "dict[str, U] | None" = None


@dataclass
class Flipped(Both[U, T], Generic[T, U]):
    more: T | None = None


@dataclass
class Bare(Page):  # type: ignore[type-arg]
    total: int = 0


@dataclass
class Bound(Generic[Number]):
    number: Number


@dataclass
class Default(Generic[T, IntByDefault]):
    left: T
    right: IntByDefault


@dataclass
class Tree(Generic[T]):
    children: "list[Tree[T]]"


@dataclass
class Growing(Generic[T]):
    inner: "Growing[list[T]] | None"


@attrs.define
class Attrs(Generic[T]):
    a: T
    b: "list[T]"


@attrs.frozen
class OfInts(Attrs[int]):
    c: str


@pydantic.dataclasses.dataclass
class Checked(Generic[T]):
    a: T


class Model(pydantic.BaseModel, Generic[T]):
    a: list[T]


Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
ByName = dict[str, list[T]]

TYPES: list[tuple[Any, str, list[Any]]] = [
    (Page[int], "Page{items: [i64]}", [Page([1])]),
    (Names, "Names{items: [str], total: i64}", [Names(["a"], 2)]),
    (Lists[int], "Lists{items: [[i64]], first: i64}", [Lists([[1]], 2)]),
    (Both[int, str], "Both{left: i64, right: {str: str}?}", [Both(1, {"a": "b"})]),
    (Flipped[int, str], "Flipped{left: str, right: {str: i64}?, more: i64?}", [Flipped("a")]),
    (Page[Page[str]], "Page{items: [Page{items: [str]}]}", [Page([Page(["a"]), Page([])])]),
    (Page[int] | None, "Page{items: [i64]}?", [Page[int]([1]), None]),
    (Annotated[Page[int], "x"], "Page{items: [i64]}", [Page([1])]),
    (Bound[int], "Bound{number: i64}", [Bound(1)]),
    (Default[str], "Default{left: str, right: i64}", [Default("a", 1)]),
    (Default[str, bytes], "Default{left: str, right: bytes}", [Default("a", b"b")]),
    (Attrs[float], "Attrs{a: f64, b: [f64]}", [Attrs(0.5, [1.5])]),
    (OfInts, "OfInts{a: i64, b: [i64], c: str}", [OfInts(1, [2], "c")]),
    (Checked[int], "Checked{a: i64}", [Checked(1)]),
    (Model[int], '"Model[int]"{a: [i64]}', [Model[int](a=[1])]),
    (Pair[int], "(i64, i64)", [(1, 2)]),
    (list[Pair[Page[int]]], "[(Page{items: [i64]}, Page{items: [i64]})]", [[(Page([1]),) * 2]]),
    (ByName[int], "{str: [i64]}", [{"a": [1]}]),
]

if sys.version_info >= (3, 11):

    class Line(NamedTuple, Generic[T]):
        part: T
        count: int = 1

    class Bolt(Line[str]):
        __slots__ = ()

    class Keys(TypedDict, Generic[T]):
        a: T
        b: NotRequired[list[T]]

    class MoreKeys(Keys[str]):
        c: int

    TYPES += [
        (Line[float], "Line{part: f64, count: i64}", [Line(0.5)]),
        (Bolt, "Bolt{part: str, count: i64}", [Bolt("a", 2)]),
        (Keys[int], '{"a": i64, "b"?: [i64]}', [{"a": 1}, {"a": 1, "b": [2]}]),
        (MoreKeys, '{"a": str, "b"?: [str], "c": i64}', [{"a": "x", "b": ["y"], "c": 1}]),
    ]

if sys.version_info >= (3, 12):
    NEW = types.ModuleType("new")
    sys.modules["new"] = NEW
    exec(
        """
from dataclasses import dataclass
from typing import NamedTuple

@dataclass
class New[T]:
    items: list[T]
    inner: "New2[T] | None" = None

@dataclass
class New2[T]:
    a: T

class NewLine[A, B](NamedTuple):
    a: A
    b: list[B]

@dataclass
class OfStr(New[str]): pass

@dataclass
class Many[*Ts]:
    a: tuple[*Ts]

type NewPair[T] = tuple[T, T]
""",
        vars(NEW),
    )
    TYPES += [
        (NEW.New[int], "New{items: [i64], inner: New2{a: i64}?}", [NEW.New([1], NEW.New2(2))]),
        (NEW.OfStr, "OfStr{items: [str], inner: New2{a: str}?}", [NEW.OfStr(["a"])]),
        (NEW.NewLine[int, str], "NewLine{a: i64, b: [str]}", [NEW.NewLine(1, ["a"])]),
        (NEW.Many[int, str], "Many{a: (i64, str)}", [NEW.Many((1, "a"))]),
        (NEW.NewPair[int], "(i64, i64)", [(1, 2)]),
    ]

if sys.version_info >= (3, 13):
    exec("@dataclass\nclass Last[T, U = list[T]]:\n    a: T\n    b: U", vars(NEW))
    TYPES.append((NEW.Last[int], "Last{a: i64, b: [i64]}", [NEW.Last(1, [2])]))


@pytest.mark.parametrize(("of", "schema", "rows"), TYPES, ids=[str(of) for of, _, _ in TYPES])
def test_rows_of_a_generic_type_come_back(of: Any, schema: str, rows: list[Any]) -> None:
    codec = serow.Codec(serow.Schema.of(of))
    assert str(codec.schema) == schema
    for back in (serow.loads(serow.dumps(rows), type=of), codec.decode(codec.encode(rows))):
        assert back == rows
        assert [*map(type, back)] == [*map(type, rows)]


@pytest.mark.parametrize(
    ("of", "message"),
    [
        (Page, r"Page.items: T is a type variable without a type; write the type that it stands "
         r"for, as in Page[int]"),
        (Both, r"Both.left: T is a type variable without a type; write the type that it stands "
         r"for, as in Both[int, str]"),
        (Bare, r"Bare.items: T is a type variable without a type; write the type that it stands "
         r"for, as in Page[int] among the bases of Bare"),
        (Bound, r"Bound.number: Number is a type variable without a type; write the type that it "
         r"stands for, as in Bound[int]"),
        (Pair, r"Pair: T is a type variable without a type; write the type that it stands for, as "
         r"in Pair[int]"),
        (list[Attrs], r"Attrs.a: T is a type variable without a type; write the type that it "  # type: ignore[type-arg]
         r"stands for, as in Attrs[int]"),
        (Page[U], r"Page.items: U is a type variable without a type; write the type"),  # type: ignore[valid-type]
        (ByName, r"T is a type variable without a type; write the type"),
    ],
    ids=str,
)  # fmt: skip
def test_a_type_variable_needs_a_type(of: Any, message: str) -> None:
    with pytest.raises(serow.SchemaError) as raised:
        serow.Schema.of(of)
    assert str(raised.value) == message


def test_a_generic_class_that_contains_itself_with_ever_other_arguments_is_refused() -> None:
    with pytest.raises(serow.SchemaError, match="if it contains itself with ever other arguments"):
        serow.Schema.of(Growing[int])


def test_a_class_of_make_dataclass_has_fields_of_any_type() -> None:
    made = make_dataclass("Made", ["x", "y"])
    assert serow.loads(serow.dumps([made(1, "a")]), type=made) == [made(1, "a")]
