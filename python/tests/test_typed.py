"""Schemas of annotations, and rows of the caller's own classes."""

import collections
import copy
import datetime
import decimal
import enum
import gc
import pickle
import random
import types
import typing
import uuid
import weakref
from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass, field, is_dataclass, make_dataclass
from datetime import timezone
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypeVar, Union

import attrs
import pydantic
import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import NotRequired, ReadOnly, Required, TypedDict


class Color(enum.Enum):
    RED = 1
    GREEN = (2, "g")
    ALSO_RED = 1


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Line:
    count: int
    price: float
    color: Color = Color.GREEN


@dataclass(frozen=True)
class Part:
    key: int
    name: str
    lines: list[Line]
    tags: set[str] = field(default_factory=set)
    comment: str | None = None


class Point(NamedTuple):
    x: int
    y: float = 0.5


class Options(TypedDict):
    name: str
    size: NotRequired[int]


class Loose(TypedDict, total=False):
    name: Required[str]
    point: ReadOnly[Point]


@attrs.define
class Item:
    name: str
    _hidden: int = 7
    many: list[int] = attrs.Factory(list)


class Model(pydantic.BaseModel):
    id: int
    tags: list[str] = pydantic.Field(default_factory=list)
    given_name: str = pydantic.Field(default="?", alias="givenName")


Key = NewType("Key", int)
T = TypeVar("T")


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (int, "i64"),
        (float, "f64"),
        (str, "str"),
        (bool, "bool"),
        (type(None), "null"),
        (bytes, "bytes"),
        (bytearray, "bytearray"),
        (complex, "complex"),
        (datetime.date, "date"),
        (datetime.time, "time|timetz"),
        (datetime.datetime, "timestamp|timestamptz"),
        (datetime.timedelta, "duration"),
        (decimal.Decimal, "decimal"),
        (uuid.UUID, "uuid"),
        (list[int], "[i64]"),
        (typing.List[str], "[str]"),  # noqa: UP006
        (set[int], "{i64}"),
        (frozenset[str], "frozenset{str}"),
        (dict[str, float], "{str: f64}"),
        (dict[tuple[int, ...], None], "{(i64, ...): null}"),
        (tuple[int, ...], "(i64, ...)"),
        (tuple[int, str], "(i64, str)"),
        (tuple[int], "(i64,)"),
        (tuple[()], "()"),
        (int | None, "i64?"),
        (Optional[list[int | None]], "[i64?]?"),  # noqa: UP045
        (Union[str, int, None], "(i64|str)?"),  # noqa: UP007
        (list[datetime.datetime | str], "[str|timestamp|timestamptz]"),
        (Key, "i64"),
        (Annotated[int, "a key"], "i64"),
        (Annotated[int, serow.Schema.parse("int")], "int"),
        (Annotated[datetime.datetime, serow.Schema.parse("timestamptz")] | None, "timestamptz?"),
        (Literal["a", "b"], "str"),
        (Literal[1, "a", None], "(i64|str)?"),
        (Literal[Color.RED], "enum Color{RED, GREEN}"),
        (Color, "enum Color{RED, GREEN}"),
        (Level, "enum Level{LOW = 1, HIGH = 2}"),
        (Point, "Point{x: i64, y: f64}"),
        (Options, '{"name": str, "size"?: i64}'),
        (Loose, '{"name": str, "point"?: Point{x: i64, y: f64}}'),
        (Line, "Line{count: i64, price: f64, color: enum Color{RED, GREEN}}"),
        (Item, "Item{name: str, _hidden: i64, many: [i64]}"),
        (
            Model,
            "Model{id: i64, tags: [str], given_name: str, __pydantic_fields_set__: {str}?}",
        ),
        (
            TypedDict("D", {"a": Annotated[NotRequired[int], 1], "b": ReadOnly[NotRequired[int]]}),
            '{"a"?: i64, "b"?: i64}',
        ),
        (
            TypedDict("D", {"a": Annotated["Required[int]", 1]}, total=False),
            '{"a": i64}',
        ),
        (dict[Point, Point | str | None], "{Point{x: i64, y: f64}: (str|Point{x: i64, y: f64})?}"),
    ],
    ids=str,
)
def test_an_annotation_is_a_schema(annotation: Any, text: str) -> None:
    assert serow.Schema.of(annotation) == serow.Schema.parse(text)
    assert str(serow.Schema.of(annotation)) == text


class Plain:
    x: int


@dataclass
class Fresh:
    name: str
    secret: InitVar[int]

    def __post_init__(self, secret: int) -> None:
        self.hidden = secret


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (Iterable[int], "use list, tuple, set, frozenset or dict, or deque"),
        (collections.OrderedDict[str, int], "use list, tuple, set, frozenset or dict, or deque"),
        (types.GenericAlias(list, (int, str)), "^list takes one type, not 2"),
        (Callable[[], int], "has no type in a schema"),
        (T, "^T is a type variable without a type; write the type$"),
        ("Part", "^Part has no type in a schema; only annotations inside a class can be strings"),
        (list["Part"], "only annotations inside a class can be strings"),
        (Plain, "^Plain has no type"),
        (5, "^5 has no type"),
        (make_dataclass("D", [("x", type)]), r"^D\.x: type has no type"),
        (make_dataclass("D", [("x", list[Plain])]), r"^D\.x: Plain has no type"),
        (Fresh, "^Fresh: its __init__ takes secret, but instances do not store it"),
        (make_dataclass("D", [("x", "NoSuch")]), "^D: can't resolve its annotations"),
        (list[int] | list[str], "join the two types into one"),
        (enum.Enum("Odd", ["\ud800"]), "has a lone surrogate"),
        (TypedDict("D", {"\ud800": int}), "has a lone surrogate"),
        (set[list[int]], "must have a hash"),
        (Annotated[int, serow.Schema.parse("[int]")], "a single type"),
        (enum.Enum("Empty", []), "enum Empty has no members"),
        (
            make_dataclass("Same", [("x", int)]) | make_dataclass("Same", [("x", int)]),
            "two classes of the union are",
        ),
    ],
    ids=str,
)
def test_a_type_without_a_schema_is_an_error_that_says_why(annotation: Any, message: str) -> None:
    with pytest.raises(serow.SchemaError, match=message):
        serow.Schema.of(annotation)


@pytest.mark.once
def test_classes_that_grow_without_bound_are_refused() -> None:
    inner: Any = int
    for depth in range(60):
        inner = make_dataclass(f"D{depth}", [("a", inner), ("b", inner)])
    with pytest.raises(serow.SchemaError, match="more than 65536 types"):
        serow.Schema.of(inner)


PARTS = [
    Part(1, "almond", [Line(7, 1.5), Line(-2, 0.0, Color.RED)], {"a", "b"}, "c"),
    Part(2**62, "été", []),
]


@pytest.mark.parametrize(
    ("annotation", "rows"),
    [
        (Part, PARTS),
        (Point, [Point(1), Point(2, 2.5)]),
        (Options, [{"name": "a"}, {"name": "b", "size": 3}]),
        (Item, [Item("a"), Item("b", 8, [1])]),
        (Model, [Model(id=1), Model(id=2, tags=["x"], givenName="y")]),
        (Color, [Color.RED, Color.GREEN]),
        (dict[Point, Part | Point | str | None], [{Point(1): PARTS[0], Point(2): None}, {}]),
        (list[Part | Item], [[PARTS[1], Item("a")]]),
        (datetime.datetime, [datetime.datetime(2024, 1, 2), datetime.datetime.now(timezone.utc)]),
        (tuple[int, ...], [(), (1,), (1, 2)]),
    ],
    ids=str,
)
def test_rows_come_back_as_the_caller_s_classes(
    annotation: Any, rows: list[Any], wire: Any, access: str
) -> None:
    codec = serow.Codec(serow.Schema.of(annotation), wire=wire)
    for data in (codec.encode(rows), serow.dumps(rows, wire=wire)):
        for back in (codec.decode(data), serow.loads(data, type=annotation)):
            assert back == rows
            assert [type(row) for row in back] == [type(row) for row in rows]
    if access == "direct":
        codec.compile()
    assert codec.decode(codec.encode(rows)) == rows


@pydantic.dataclasses.dataclass
class Data:
    id: int = pydantic.Field(description="its key")
    given_name: str = pydantic.Field(default="?", alias="givenName")
    tags: list[str] = pydantic.Field(default_factory=list, kw_only=True)
    late: int = pydantic.Field(default=3, init=False)


@pydantic.dataclasses.dataclass(config=pydantic.ConfigDict(alias_generator=str.upper))
class Upper:
    id: int


@pydantic.dataclasses.dataclass
class Lower(Upper):
    size: int = 1


@pydantic.dataclasses.dataclass(config=pydantic.ConfigDict(populate_by_name=True))
class Either:
    id: int = pydantic.Field(alias="Id")


@dataclass
class Standard(Upper):
    size: int = 1


class Limited(pydantic.BaseModel):
    id: int = pydantic.Field(default=4, init=False, gt=0)


@pytest.mark.parametrize(
    "row",
    [
        Data(id=1, givenName="a", tags=["b"]),  # type: ignore[call-arg]
        Upper(ID=1),  # type: ignore[call-arg]
        Lower(ID=1, SIZE=2),  # type: ignore[call-arg]
        Either(Id=1),  # type: ignore[call-arg]
        Standard(1, 2),
        Limited(id=5),
    ],
    ids=str,
)
def test_pydantic_takes_what_it_knows_by_another_name(row: Any, wire: Any) -> None:
    cls = type(row)
    for data in (
        serow.dumps([row], wire=wire),
        serow.Codec(serow.Schema.of(cls), wire=wire).encode([row]),
    ):
        assert serow.loads(data, type=cls) == [row]
    as_dict = {name: getattr(row, name) for name in cls.__annotations__}
    if cls.__mro__[1] is object:
        assert serow.loads(serow.dumps([as_dict], wire=wire), type=cls) == [row]


def test_what_pydantic_checks_and_requires_is_checked_and_required() -> None:
    assert serow.loads(serow.dumps([{"id": 1}]), type=Data) == [Data(id=1)]
    with pytest.raises(serow.SchemaError, match="field id: the writer's schema lacks it"):
        serow.loads(serow.dumps([{"given_name": "a"}]), type=Data)
    with pytest.raises(serow.DecodeError, match=r"(?s)row 0.*greater than 0"):
        serow.loads(serow.dumps([{"id": -1}]), type=Limited, validate=True)


def test_an_int_is_read_whatever_its_size(wire: Any) -> None:
    rows = [Point(1), Point(2**70)]
    assert serow.loads(serow.dumps(rows, wire=wire), type=Point) == rows
    codec = serow.Codec(serow.Schema.of(Point))
    assert codec.decode(serow.dumps(rows, wire=wire)) == rows
    with pytest.raises(serow.EncodeError, match="row 1, field x"):
        codec.encode(rows)


def test_ints_are_read_as_floats_where_those_hold_all(wire: Any) -> None:
    assert serow.loads(serow.dumps([1, 2.5], wire=wire), type=float) == [1.0, 2.5]
    with pytest.raises(
        serow.DecodeError, match=r"row 1, \(f64\): 9007199254740993 can't be read as f64"
    ):
        serow.loads(serow.dumps([1, 2**53 + 1], wire=wire), type=float)


def test_fields_that_are_not_there_are_left_to_the_class(wire: Any, access: str) -> None:
    data = serow.dumps([{"name": "a", "key": 1, "lines": [{"count": 1, "price": 2}]}], wire=wire)
    [part] = serow.loads(data, type=Part)
    assert part == Part(1, "a", [Line(1, 2.0)])
    [other] = serow.loads(data, type=Part)
    assert other.tags is not part.tags
    assert serow.loads(serow.dumps([{"x": 1}], wire=wire), type=Point) == [Point(1)]
    assert serow.loads(serow.dumps([{"name": "a"}], wire=wire), type=Item) == [Item("a")]
    assert serow.loads(serow.dumps([{"id": 1}], wire=wire), type=Model) == [Model(id=1)]
    with pytest.raises(
        serow.SchemaError, match="field key: the writer's schema lacks it, and int has no default"
    ):
        serow.loads(serow.dumps([{"name": "a"}], wire=wire), type=Part)
    # Some rows have the field and others don't.
    rows = [{"x": 1}, {"x": 2, "y": 3.5}]
    assert serow.loads(serow.dumps(rows, wire=wire), type=Point) == [Point(1), Point(2, 3.5)]


def test_a_null_is_left_to_the_class_where_it_has_a_default(wire: Any, access: str) -> None:
    rows = [{"x": 1, "y": None}, {"x": 2, "y": 3.5}] * 1000
    points = [Point(1), Point(2, 3.5)] * 1000
    assert serow.loads(serow.dumps(rows, wire=wire), type=Point) == points
    codec = serow.Codec(Point)
    for _ in range(3):  # Its code is compiled by then.
        assert codec.decode(serow.dumps(rows, wire=wire)) == points
    [first, second] = serow.loads(
        serow.dumps([{"name": "a", "_hidden": None, "many": None}] * 2, wire=wire), type=Item
    )
    assert first == second == Item("a")
    assert first.many is not second.many
    assert serow.loads(serow.dumps([{"id": 1, "tags": None}], wire=wire), type=Model)[0].tags == []
    with pytest.raises(serow.SchemaError, match="int may not be null; make the field optional, or"):
        serow.loads(serow.dumps([{"x": None}], wire=wire), type=Point)


def test_only_rows_of_a_class_that_the_union_lacks_are_refused(wire: Any, access: str) -> None:
    @dataclass
    class Before:
        of: Line | int

    @dataclass
    class After:
        of: Line | int | Point

    codec, line = serow.Codec(Before), Line(1, 0.5)
    known = serow.dumps([After(line), After(3)] * 1000, wire=wire)
    for _ in range(3):  # Its code is compiled by then.
        assert codec.decode(known) == [Before(line), Before(3)] * 1000
        with pytest.raises(serow.DecodeError) as error:
            codec.decode(serow.dumps([After(line), After(3), After(Point(1))] * 1000, wire=wire))
        assert error.value.row == 2
        assert "Point{x: i64, y: f64} can't be read as int|Line{" in str(error.value)
    lines = serow.dumps([line, Point(1)], wire=wire)
    with pytest.raises(serow.DecodeError, match=r"can't be read as Line\{.*; add its type"):
        serow.loads(lines, type=Line)
    with pytest.raises(serow.SchemaError, match=r"none of Line.* can be read as"):
        serow.loads(lines, type=int)


def test_members_are_told_by_their_names(wire: Any) -> None:
    new = enum.Enum("Color", ["BLUE", "RED"])
    data = serow.dumps([Color.RED], wire=wire)
    assert serow.loads(data, type=new) == [new.RED]
    with pytest.raises(serow.DecodeError, match=r"row 0, \(enum .*\): GREEN is not a member of"):
        serow.loads(serow.dumps([Color.GREEN], wire=wire), type=new)
    with pytest.raises(serow.SchemaError, match="str can't be read as enum Color"):
        serow.loads(serow.dumps(["RED"], wire=wire), type=Color)


@dataclass(frozen=True)
class Checked:
    at: int
    __slots__ = ("at",)

    def __post_init__(self) -> None:
        if self.at < 0:
            raise ValueError(f"{self.at} is below 0")


def test_what_a_class_raises_is_the_cause(wire: Any, access: str) -> None:
    data = serow.dumps([{"a": [{"at": 1}]}, {"a": [{"at": 2}, {"at": -3}]}], wire=wire)
    annotation = TypedDict("A", {"a": list[Checked]})  # noqa: UP013
    for read in (
        lambda: serow.loads(data, type=annotation, validate=True),
        lambda: serow.Codec(serow.Schema.of(annotation), validate=True).decode(data),
    ):
        with pytest.raises(serow.DecodeError) as raised:
            read()
        what = "Checked can't be constructed from its fields: ValueError: -3 is below 0"
        assert str(raised.value) == f"frame 0, row 1, field a.1 (Checked{{at: int}}): {what}"
        assert isinstance(raised.value.__cause__, ValueError)
    own = serow.dumps([Checked(1)], wire=wire)
    assert serow.loads(own, type=Checked) == [Checked(1)]
    model = serow.dumps([{"id": 1, "tags": ["x"]}, {"id": 1, "tags": ["y"] * 9}], wire=wire)
    strict = pydantic.create_model(
        "Model", id=(int, ...), tags=(Annotated[list[str], pydantic.Field(max_length=3)], ...)
    )
    with pytest.raises(serow.DecodeError, match=r"row 1.*ValidationError") as raised:
        serow.loads(model, type=strict, validate=True)
    assert isinstance(raised.value.__cause__, pydantic.ValidationError)


def test_the_place_of_a_row_of_its_own_schema_is_named(wire: Any) -> None:
    @dataclass
    class Loose:
        at: int

    Loose.__name__ = "Checked"
    rows = [[Loose(1)], [Loose(1), Loose(-1)]]
    data = serow.Codec(serow.Schema.of(list[Checked]), wire=wire).encode(rows)
    with pytest.raises(serow.DecodeError, match=r"row 1, field 1 \(Checked\{at: i64\}\): Che"):
        serow.loads(data, type=list[Checked], validate=True)


class Stop(BaseException):
    pass


@dataclass
class Stopping:
    x: int

    def __post_init__(self) -> None:
        raise Stop if self.x == 1 else MemoryError


def test_base_exceptions_pass_through(wire: Any) -> None:
    with pytest.raises(Stop):
        serow.loads(serow.dumps([{"x": 1}], wire=wire), type=Stopping, validate=True)
    with pytest.raises(MemoryError):
        serow.loads(serow.dumps([{"x": 2}], wire=wire), type=Stopping, validate=True)


@dataclass(frozen=True)
class Late:
    x: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.x)


def test_fields_that_init_does_not_take_are_as_they_were_sent(wire: Any) -> None:
    sent = Late(1)
    object.__setattr__(sent, "double", 5)
    [back] = serow.loads(serow.dumps([sent], wire=wire), type=Late)
    assert back == sent
    assert back.double == 5
    assert serow.loads(serow.dumps([{"x": 2}], wire=wire), type=Late) == [Late(2)]


@dataclass
class Busy:
    x: int

    def __post_init__(self) -> None:
        gc.collect()
        rows = [(self.x, "a"), Point(self.x)]
        assert serow.loads(serow.dumps(rows)) == rows
        assert serow.loads(serow.dumps([Point(self.x)]), type=Point) == [Point(self.x)]


@pytest.mark.once
def test_a_class_may_use_serow_itself(wire: Any, access: str) -> None:
    rows = [[{"x": n} for n in range(3)] for _ in range(3)]
    data = serow.dumps(rows, wire=wire)
    back = serow.loads(data, type=list[Busy], validate=True)
    assert [[busy.x for busy in row] for row in back] == [[*range(3)]] * 3


def test_a_schema_of_a_type_is_pickled_with_it() -> None:
    schema = serow.Schema.of(list[Part])
    again = pickle.loads(pickle.dumps(schema))
    assert again == schema == copy.copy(schema)
    assert serow.Codec(again).decode(serow.dumps([PARTS])) == [PARTS]
    assert schema == serow.Schema.parse(str(schema))
    assert hash(schema) == hash(serow.Schema.parse(str(schema)))


def test_no_references_to_instances_are_kept(wire: Any) -> None:
    @dataclass(eq=False)
    class Held:
        x: list[int]

    back = serow.loads(serow.dumps([{"x": [1]}] * 10, wire=wire), type=list[Held] | Held)
    there = [weakref.ref(row) for row in back]
    assert all(gc.is_tracked(row) for row in back)
    del back
    assert not any(ref() for ref in there)


def test_an_unhashable_class_can_not_be_in_a_set(wire: Any) -> None:
    data = serow.dumps([frozenset({Point(1)})], wire=wire)
    Line2 = make_dataclass("Point", [("x", int), ("y", float)])  # noqa: N806
    with pytest.raises(serow.DecodeError, match="has no hash in Python"):
        serow.loads(data, type=frozenset[Line2])  # type: ignore[valid-type]


@dataclass
class Moody:
    x: int

    def __hash__(self) -> int:
        raise Stop if self.x == 1 else ValueError("not today")


@pytest.mark.parametrize(
    ("annotation", "make", "what"),
    [
        (frozenset[Moody], frozenset, "an element of a set"),
        (dict[Moody, int], lambda keys: dict.fromkeys(keys, 1), "a key of a dict"),
    ],
    ids=str,
)
def test_what_a_hash_raises_is_the_cause(
    annotation: Any, make: Callable[[Any], Any], what: str, wire: Any
) -> None:
    sent = collections.namedtuple("Moody", "x")
    with pytest.raises(serow.DecodeError, match=f"{what} can't be inserted: .*not today") as raised:
        serow.loads(serow.dumps([make([sent(2)])], wire=wire), type=annotation)
    assert isinstance(raised.value.__cause__, ValueError)
    with pytest.raises(Stop):
        serow.loads(serow.dumps([make([sent(1)])], wire=wire), type=annotation)


def test_loads_without_a_type_is_as_before() -> None:
    data = serow.dumps(PARTS)
    assert serow.loads(data, type=None)[0]._fields == ("key", "name", "lines", "tags", "comment")
    with pytest.raises(TypeError):
        serow.loads(data, Part)  # type: ignore[misc]
    with pytest.raises(serow.DecodeError):
        serow.loads(b"SROW", type=Part)


Newer = make_dataclass(
    "Part",
    [
        (
            "lines",
            list[make_dataclass("Line", [("price", float), ("more", int, field(default=1))])],
        ),  # type: ignore[misc]
        ("comment", str | None),
        ("key", float),
    ],
)


@given(st.integers(0, 2**32), st.sampled_from(["frame", "row"]), st.sampled_from([Part, Newer]))
def test_malformed_bytes_are_rows_or_an_error(seed: int, wire: Any, annotation: Any) -> None:
    generator = random.Random(seed)
    rows = [
        Part(n, f"name {n % 3}", [Line(n, n / 2, Color.RED)] * (n % 3), {f"{n}"}, None)
        for n in range(generator.randrange(1, 40))
    ]
    [frame] = wire_format.frames(serow.Codec(serow.Schema.of(Part), wire=wire).encode(rows))
    data = wire_format.message(frame)
    back = serow.loads(data, type=annotation)
    assert [type(row) for row in back] == [annotation] * len(rows)
    assert [float(row.key) for row in back] == [float(row.key) for row in rows]
    for _ in range(20):
        message = wire_format.message(wire_format.spoiled(frame, generator))
        try:
            lie = serow.loads(message, type=annotation)
        except (serow.DecodeError, serow.LimitError):
            continue
        assert [type(row) for row in lie] == [annotation] * len(rows)


LEAVES = [
    (int, st.integers(-(2**63), 2**63 - 1)),
    (float, st.floats(allow_nan=False)),
    (str, st.text(max_size=5)),
    (bool, st.booleans()),
    (bytes, st.binary(max_size=5)),
    (Color, st.sampled_from(Color)),
    (Point, st.builds(Point, st.integers(0, 9), st.floats(allow_nan=False))),
    (type(None), st.none()),
]


@st.composite
def typed(draw: st.DrawFn, depth: int = 3) -> tuple[Any, st.SearchStrategy[Any]]:
    """Draw an annotation and values of it."""
    kinds = ["leaf", "leaf", "list", "tuple", "row", "dict", "optional", "dataclass", "typed dict"]
    kind = draw(st.sampled_from(kinds if depth else ["leaf"]))
    if kind == "leaf":
        return draw(st.sampled_from(LEAVES))
    if kind == "dict":
        key, keys = draw(st.sampled_from(LEAVES[:3]))
        value, values = draw(typed(depth - 1))
        return dict[key, value], st.dictionaries(keys, values, max_size=3)
    inner, values = draw(typed(depth - 1))
    if kind == "list":
        return list[inner], st.lists(values, max_size=3)
    if kind == "tuple":
        return tuple[inner, ...], st.lists(values, max_size=3).map(tuple)
    if kind == "optional":
        return Optional[inner], st.one_of(st.none(), values)  # noqa: UP045
    other, others = draw(typed(depth - 1))
    if kind == "row":
        return tuple[inner, other], st.tuples(values, others)
    if kind == "dataclass":
        made = make_dataclass(f"D{depth}", [("a", inner), ("b", other)], order=False)
        return made, st.builds(made, values, others)
    made = TypedDict(f"T{depth}", {"a": inner, "b c": NotRequired[other]})  # type: ignore[misc]
    without = st.fixed_dictionaries({"a": values})
    return made, without | st.fixed_dictionaries({"a": values, "b c": others})


def exact(value: Any) -> Any:
    """Give an object that is equal only for values with the same types at every node."""
    if isinstance(value, dict):
        return dict, {key: (type(key), exact(inner)) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value), [exact(inner) for inner in value]
    if is_dataclass(value):
        return type(value), exact(list(vars(value).values()))
    return type(value), value


@given(typed(), st.data(), st.sampled_from(["frame", "row"]))
def test_values_of_a_type_come_back(
    drawn: tuple[Any, st.SearchStrategy[Any]], data: st.DataObject, wire: Any
) -> None:
    annotation, values = drawn
    rows = data.draw(st.lists(values, max_size=6))
    codec = serow.Codec(serow.Schema.of(annotation), wire=wire)
    assert codec.decode(codec.encode(rows)) == rows
    back = serow.loads(serow.dumps(rows, wire=wire), type=annotation)
    assert back == rows
    assert exact(back) == exact(rows)
