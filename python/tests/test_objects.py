"""Sets, dicts, records and enums: what comes back, what is refused, and that no code runs."""

import collections
import copy
import dataclasses
import enum
import functools
import gc
import json
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar, Generic, NamedTuple, TypedDict, TypeVar

import attrs
import pydantic
import pytest
import rowtext
import serow
from serow import _native
from wire import FRAME, RawFrame, checksum, message, spelled

NAN = float("nan")


def name(text: str) -> list[int]:
    """Give a name as a type list has it."""
    return [len(text), *map(ord, text)]


def trip(rows: list[Any], layout: str) -> list[Any]:
    """Send rows by `dumps` and by a codec, which must come back the same."""
    codec = serow.Codec.infer(rows, layout=layout)
    back = serow.loads(serow.dumps(rows, layout=layout))
    by_codec = codec.decode(codec.encode(rows))
    assert list(map(rowtext.canonical, by_codec)) == list(map(rowtext.canonical, back))
    return back


def error(rows: list[Any]) -> str:
    """Give what is said of rows that can't be encoded."""
    with pytest.raises(serow.EncodeError) as caught:
        serow.dumps(rows)
    return str(caught.value)


# Sets


@pytest.mark.parametrize(
    "value",
    [
        set(),
        frozenset(),
        {1, 2, 3},
        {"a", None, 2.5, b"x", (1, "y")},
        frozenset({frozenset({frozenset()}), frozenset()}),
        set(range(5000)),
        {(1, frozenset({2}))},
    ],
    ids=lambda value: repr(value)[:30],
)
def test_sets_come_back(value: Any, layout: str, access: str) -> None:
    for rows in ([value], [value] * 100, [(value, [value])], [{"a": value}]):
        back = trip(rows, layout)
        assert back == rows
    assert type(serow.loads(serow.dumps([value], layout=layout))[0]) is type(value)


def test_sets_keep_nans_apart(layout: str, access: str) -> None:
    (back,) = trip([{NAN, float("nan"), 1.0}], layout)
    assert len(back) == 3
    assert sum(v != v for v in back) == 2


def test_elements_that_are_equal_in_python_are_refused(layout: str, access: str) -> None:
    """Java has 1, true and 1.0 in one set, which would be one element here."""
    kinds = [(28, 13, 1, 2, 8, 14), (29, 13, 1, 2, 8, 14)]
    for kind in kinds:
        rows = RawFrame(0, 1, spelled(list(kind)), b"\5\0\0\0" + bytes([5, 1, 5, 5, 1]))
        with pytest.raises(serow.DecodeError, match=r"row 0, .* equal in Python: 1 and True"):
            serow.loads(message(rows))
    data = bytes([5, 5, 5])
    twice = RawFrame(0, 1, spelled([28, 1]), b"\3\0\0\0" + data)
    with pytest.raises(serow.DecodeError, match=r"a set holds elements that .*: 1 and 1$"):
        serow.loads(message(twice))


def test_keys_that_are_equal_in_python_are_refused(access: str) -> None:
    rows = RawFrame(0, 1, spelled([30, 1, 1]), b"\5\0\0\0" + bytes([5, 5, 1, 5, 3]))
    with pytest.raises(serow.DecodeError, match=r"a dict holds keys that .* 1 and 1$"):
        serow.loads(message(rows))
    field = RawFrame(0, 1, spelled([5, 1, 30, 1, 1, 7]), b"\6\0\0\0" + bytes([1, 5, 5, 1, 5, 3]))
    with pytest.raises(serow.DecodeError, match=r"row 0, field 1 \({i64: i64}\): a dict holds"):
        serow.loads(message(field))


def test_what_has_no_hash_in_python_is_refused(access: str) -> None:
    data = serow.dumps([[__import__("decimal").Decimal("sNaN")]], layout="row")
    at = data.index(bytes([11 << 1 | 1]))
    frame = bytearray(data[8:-8])
    frame[at - 8] = 28 << 1 | 1
    with pytest.raises(serow.DecodeError, match="an element of a set has no hash in Python"):
        serow.loads(data[:8] + bytes(frame) + checksum(bytes(frame)))


# Dicts


@pytest.mark.parametrize(
    ("rows", "schema"),
    [
        ([{}], "{}"),
        ([{"a": 1, "b": "x"}, {"b": "y", "a": 2}], '{"a": i64, "b": str}'),
        ([{"a": 1}, {"b": None}, {"a": 2, "b": None}], '{"a"?: i64, "b"?: null}'),
        ([{"a": None}, {"a": 1}, {}], '{"a"?: i64?}'),
        ([{"a": {"b": {"c": {}}}}], '{"a": {"b": {"c": {}}}}'),
        ([{1: "a"}, {2: "b", 3: "c"}], "{i64: str}"),
        ([{(1, "a"): {2: 3}}], "{(i64, str): {i64: i64}}"),
        ([{"a": 1, 2: 3}], "{i64|str: i64}"),
        ([{"\ud800": 1}], "{str: i64}"),
        ([{"a": 1}, {"\ud800": 1}], "{str: i64}"),
        ([{"\0": 1, "\0\0": 2}], None),
        ([{"größe": 1, "羚羊": 2, "😀": 3, "ÿ": 4}], None),
        ([{str(i): i for i in range(2000)}] * 3, None),
        ([{str(i): i for i in order} for order in (range(2000), range(1999, -1, -1))], None),
        ([{str(i): i for i in range(5000)}], "{str: i64}"),
        ([{f"key {i}": i} for i in range(100)], "{str: i64}"),
        ([[{"a": i}, {"a": None, "b": [i]}] for i in range(3)], None),
        ([{"a": 1}] * 100 + [{"a": 1, "late": "x"}] + [{"a": 2}] * 100, None),
        ([({"a": (i % 2 and 1.5) or "x"},) for i in range(70)], None),
        ([None, {"a": 1}, 5, {1}, [1], {"b": 2}], None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_dicts_come_back(rows: list[Any], schema: str | None, layout: str, access: str) -> None:
    back = serow.loads(serow.dumps(rows, layout=layout))
    assert back == rows
    if schema is not None:
        assert str(serow.Schema.infer(rows)) == schema
    codec = serow.Codec.infer(rows, layout=layout)
    assert codec.decode(codec.encode(rows)) == rows
    again = codec.decode(codec.encode(back))
    # Keys come back in the schema's order.
    assert [list(row) if isinstance(row, dict) else row for row in again] == [
        list(row) if isinstance(row, dict) else row for row in back
    ] or not all(isinstance(row, dict) for row in rows)


def test_missing_is_not_null(layout: str, access: str) -> None:
    rows = [{"a": None}, {}, {"a": 1}]
    assert list(map(list, trip(rows, layout))) == [["a"], [], ["a"]]


def test_keys_that_are_equal_texts_in_other_objects(layout: str, access: str) -> None:
    """Keys of one row may be other objects than those of the next, and of any order and subset."""
    texts = ["first", "größe", "x" * 50, ""]
    rows = [json.loads(json.dumps({t: i for t in texts if (i + len(t)) % 3})) for i in range(50)]
    rows += [json.loads(json.dumps({t: i for t in reversed(texts)})) for i in range(50)]
    assert trip(rows, layout) == rows


@pytest.mark.parametrize(
    ("schema", "row", "said"),
    [
        ('{"a": i64, "b": str}', {"a": 1}, r'field b \(str\).*; it lacks the key "b"'),
        ('{"a": i64, "b"?: str}', {"b": "x"}, r'field a \(i64\).*; it lacks the key "a"'),
        ('{"a": i64}', {"a": 1, "b": 2}, r'it has the key "b" too'),
        ('{"a": i64}', {"a": 1, 2: 2}, "one of its keys is no str"),
        ('{"a": i64}', {"\ud800": 1}, "one of its keys is no str"),
        ('{"a": i64}', {"a": None}, r"field a \(i64\): cannot encode None"),
        ('{"a"?: i64}', {"a": None}, r"field a \(i64\): cannot encode None"),
        ('{"a": null}', {}, r'field a \(null\).*it lacks the key "a"'),
        ('{"a": i64?}', {}, r'field a \(i64\?\).*it lacks the key "a"'),
        ('{"a": i64|str}', {}, r'field a \(i64\|str\).*it lacks the key "a"'),
        ('{"a": {"b": [i64]}}', {"a": {"b": [1, "x"]}}, r"field a.b.1 \(i64\): cannot encode 'x'"),
        ("{str: i64}", {"a": 1, "b": "x"}, r"field value 1 \(i64\): cannot encode 'x'"),
        ("{str: i64}", {"a": 1, 2: 3}, r"field key 1 \(str\): cannot encode 2"),
        ("{i64}", {1, 2.5}, r"field \d \(i64\): cannot encode 2.5"),
        ("{i64}", frozenset({1}), r"cannot encode frozenset\(\{1\}\)"),
        ("{i64: i64}", collections.OrderedDict(), "only dict itself is taken"),
        ("{i64}|frozenset{i64}", {"a": 1}, "cannot encode {'a': 1}"),
    ],
)
def test_what_does_not_fit_is_named(
    schema: str, row: Any, said: str, layout: str, access: str
) -> None:
    codec = serow.Codec(schema, layout=layout)
    with pytest.raises(serow.EncodeError, match=rf"^row 0, .*{said}"):
        codec.encode([row])


class Tricky:
    """A key that looks like a str to a dict, and runs code when it is compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        raise AssertionError("no code runs while rows are read")


def test_keys_are_not_compared_by_their_own_code(layout: str, access: str) -> None:
    codec = serow.Codec('{"a": i64, "b"?: i64}', layout=layout)
    with pytest.raises(serow.EncodeError, match="one of its keys is no str"):
        codec.encode([{Tricky("b"): 1, "a": 2}])


# Records


class Part(NamedTuple):
    key: int
    name: str
    price: float | None = None


class Sub(Part):
    """A subclass whose objects may have attributes."""


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
    b: str | None = None


class SubModel(Model):
    c: list[Model] = []


class Typed(TypedDict):
    a: int


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
    (Model(a=1), "Model{a: i64, b: null}", (1, None)),
    (Row(a=1, b="x"), "Row{a: i64, b: str}", (1, "x")),
]


@pytest.mark.parametrize(("row", "schema", "values"), RECORDS, ids=lambda v: type(v).__name__)
class TestRecords:
    def test_come_back(
        self, row: Any, schema: str, values: tuple[Any, ...], layout: str, access: str
    ) -> None:
        for rows in ([row], [row] * 200, [[row], []], [{"a": row}, {}], [row, None]):
            back = serow.loads(serow.dumps(rows, layout=layout))
            assert len(back) == len(rows)
            # Encoding what came back gives the same schema, and the same bytes.
            assert serow.Schema.infer(back) == serow.Schema.infer(rows)
            assert serow.dumps(back, layout=layout) == serow.dumps(rows, layout=layout)
        assert str(serow.Schema.infer([row])) == schema
        (back,) = serow.loads(serow.dumps([row], layout=layout))
        assert back == values
        assert tuple(back._asdict().values()) == values
        for name, value in back._asdict().items():
            assert getattr(back, name) == value

    def test_fit_a_codec_and_no_other(
        self, row: Any, schema: str, values: tuple[Any, ...], layout: str, access: str
    ) -> None:
        codec = serow.Codec(schema, layout=layout)
        assert codec.decode(codec.encode([row] * 3)) == [values] * 3
        for other, _, _ in RECORDS:
            if type(other) is not type(row):
                with pytest.raises(serow.EncodeError, match=r"^row 1, "):
                    codec.encode([row, other])
        for other in (values, list(values), None, {}):
            with pytest.raises(serow.EncodeError, match=r"^row 1, "):
                codec.encode([row, other])


def test_records_in_unions(layout: str, access: str) -> None:
    rows = [row for row, _, _ in RECORDS] * 20
    back = serow.loads(serow.dumps(rows, layout=layout))
    assert back == [values for _, _, values in RECORDS] * 20
    assert [type(row).__name__ for row in back] == [type(row).__name__ for row in rows]
    assert serow.loads(serow.dumps(back, layout=layout)) == back


def test_records_hold_records(layout: str) -> None:
    rows = [Box(SubModel(a=i, c=[Model(a=i, b="x")] * (i % 3))) for i in range(100)]
    back = trip(rows, layout)
    assert back == [((i, None, [(i, "x")] * (i % 3)),) for i in range(100)]


def test_classes_of_one_name_and_other_fields_are_other_types(layout: str, access: str) -> None:
    other = collections.namedtuple("Part", "x")
    back = trip([Part(1, "a"), other(5)], layout)
    assert [row._fields for row in back] == [("key", "name", "price"), ("x",)]


def test_a_typed_dict_is_a_dict() -> None:
    assert serow.loads(serow.dumps([Typed(a=1)])) == [{"a": 1}]


def test_rows_of_other_fields_are_other_types(access: str) -> None:
    rows = [Row(a=1), Row(b="x"), Row(a=2), Row(b="y", a=1)]
    back = serow.loads(serow.dumps(rows))
    assert [row._asdict() for row in back] == [{"a": 1}, {"b": "x"}, {"a": 2}, {"b": "y", "a": 1}]


def with_attribute(value: Any, **attributes: Any) -> Any:
    for name, attribute in attributes.items():
        object.__setattr__(value, name, attribute)
    return value


@dataclass
class HasProperty:
    x: int

    @property  # type: ignore[no-redef]
    def x(self) -> int:
        raise AssertionError("no code runs while rows are read")

    @x.setter
    def x(self, value: int) -> None:
        pass


@dataclass
class OwnAccess:
    x: int

    def __getattribute__(self, name: str) -> Any:
        if name == "x":
            raise AssertionError("no code runs while rows are read")
        return object.__getattribute__(self, name)


@dataclass
class OfList(list[int]):
    x: int = 1


@dataclass
class OfFloat(float):
    x: int = 1


class Base:
    __slots__ = ("hidden",)


@dataclass
class MoreSlots(Base):
    x: int


class Extra(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    a: int


class Private(pydantic.BaseModel):
    a: int
    _secret: int = 3


def without(value: Any, name: str) -> Any:
    object.__delattr__(value, name)
    return value


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (with_attribute(Sub(1, "x"), note=1), "its attribute note is no field"),
        (tuple.__new__(Part, (1,)), "its class has 3 fields, and it has 1"),
        (with_attribute(Data(1, []), more=2), "its attribute more is no field of the class"),
        (with_attribute(Box(1), **{"\ud800": 2}), "its attribute"),
        (without(Data(1, []), "a"), "its field a is not set"),
        (without(Attrs(1), "b"), "its field b is not set"),
        (HasProperty(1), "its field x is a property, whose code can't run"),
        (OwnAccess(1), "__getattribute__ of its own"),
        (OfList(), "based on one that keeps more than fields"),
        (OfFloat(), "based on one that keeps more than fields"),
        (with_attribute(MoreSlots(1), hidden=2), "its attribute hidden is no field"),
        (Extra(a=1, b=2), "its attribute __pydantic_extra__ is no field"),
        (Private(a=1), "its attribute __pydantic_private__ is no field"),
        (Row(1, 2), "only a Row is taken whose fields have names"),
        (with_attribute(Row(a=1), more=1), "cannot encode"),
        (with_attribute(Row(a=1), __fields__=["a", "b"]), "only a Row is taken whose"),
        (with_attribute(Row(a=1, b=2), __fields__=["a", "a"]), "only a Row is taken whose"),
        (with_attribute(Row(a=1), __fields__=("a",)), "only a Row is taken whose"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_records_that_are_refused(row: Any, said: str, layout: str, access: str) -> None:
    assert said in error([row])
    assert error([1, row]).startswith("row 1, (i64): cannot encode ")
    schema = f"{type(row).__name__}{{a: i64}}"
    with pytest.raises(serow.EncodeError):
        serow.Codec(schema, layout=layout).encode([row])


def test_an_unset_slot_beside_the_fields_is_nothing(access: str) -> None:
    assert serow.loads(serow.dumps([MoreSlots(1)])) == [(1,)]
    assert serow.loads(serow.dumps([Extra(a=1)])) == [(1,)]


def test_a_cached_property_is_no_part_of_a_record(access: str) -> None:
    row = Child(1, [])
    plain = serow.dumps([row])
    assert row.computed == 2
    assert "computed" in vars(row)
    assert serow.dumps([row]) == plain
    hashed = AttrsHash(1)
    hash(hashed)
    assert serow.loads(serow.dumps([hashed])) == [(1,)]


def test_a_default_of_the_class_stands_for_a_value(access: str) -> None:
    row = Data(1, [])
    row.__dict__.pop("late", None)
    before = Data.late
    try:
        assert serow.loads(serow.dumps([row])) == [(1, [], 5)]
        # The class is looked at anew.
        Data.late = 6
        assert serow.loads(serow.dumps([row])) == [(1, [], 6)]
    finally:
        Data.late = before


def test_a_class_that_changes_is_seen(access: str) -> None:
    @dataclass
    class Changing:
        x: int

    codec = serow.Codec("Changing{x: i64}")
    rows = [Changing(1)]
    assert codec.decode(codec.encode(rows)) == [(1,)]
    Changing.x = property(lambda self: 5)  # type: ignore[assignment]
    with pytest.raises(serow.EncodeError, match="its field x is a property"):
        codec.encode(rows)


def test_dicts_of_objects_whose_names_are_other_strings(access: str) -> None:
    rows = []
    for i in range(20):
        row = Data.__new__(Data)
        row.__dict__.update(json.loads(json.dumps({"b": [], "late": i, "a": i})))
        rows.append(row)
    assert serow.loads(serow.dumps(rows)) == [(i, [], i) for i in range(20)]


# What records come back as


def test_rows_are_like_named_tuples(layout: str) -> None:
    (row,) = serow.loads(serow.dumps([Part(1, "x", 2.5)], layout=layout))
    assert repr(row) == "Part(key=1, name='x', price=2.5)"
    assert row._fields == ("key", "name", "price")
    assert row._replace(name="y") == (1, "y", 2.5)
    assert type(row)._make([1, "x", 2.5]) == row == type(row)(1, name="x", price=2.5)
    assert hash(row) == hash((1, "x", 2.5))
    assert isinstance(row, tuple)
    assert row[1] == row.name == "x"
    match row:
        case type(key=1, name=name):
            raise AssertionError(name)
        case (key, name, _):
            assert (key, name) == (1, "x")
    with pytest.raises(TypeError):
        type(row)(1)
    with pytest.raises(TypeError):
        type(row)(1, "x", 2.5, 3)
    with pytest.raises(TypeError):
        type(row)(1, "x", key=2)
    with pytest.raises(ValueError, match="no fields other"):
        row._replace(other=1)
    with pytest.raises(AttributeError):
        row.key = 2
    with pytest.raises(AttributeError):
        row.other = 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_rows_and_members_are_pickled(protocol: int) -> None:
    rows = serow.loads(serow.dumps([{"part": Part(1, "x"), "color": Color.RED}, {}]))
    for back in (pickle.loads(pickle.dumps(rows, protocol)), copy.deepcopy(rows), copy.copy(rows)):
        assert back == rows
        assert type(back[0]["part"]) is type(rows[0]["part"])
        assert back[0]["color"] is rows[0]["color"]


STRANGE = [
    *(
        "__class__",
        "__init__",
        "__new__",
        "__reduce__",
        "__del__",
        "__slots__",
        "__dict__",
        "_fields",
    ),
    *("count", "index", "_make", "_record_name", "", " ", "a b", "\0", "class", "é", "self", "cls"),
    *("__getattribute__", "__init_subclass__", "__set_name__", "__match_args__", "__eq__", "mro"),
]


def test_any_names_are_harmless(layout: str, access: str) -> None:
    fields = [code for text in STRANGE for code in (34, *name(text), 1)]
    for record in ("__main__", "", "\0", "class", "a b", "Record", "x" * 1000):
        values = bytes([5] * len(STRANGE))
        schema = spelled([32, *name(record), *fields, 33])
        body = len(values).to_bytes(4, "little") + values
        (row,) = serow.loads(message(RawFrame(0, 1, schema, body)))
        assert row == (1,) * len(STRANGE)
        assert row._asdict() == dict.fromkeys(STRANGE, 1)
        assert row._fields == tuple(STRANGE)
        assert (row.count(1), row.__class__) == (len(STRANGE), type(row))
        assert row.self == row.cls == getattr(row, "a b") == 1
        assert repr(row).startswith(record + "(")
        assert pickle.loads(pickle.dumps(row)) == row
        assert serow.loads(serow.dumps([row], layout=layout)) == [row]
        assert serow.Schema.infer([row]) == serow.Schema.parse(
            " ".join(map(str, [32, *name(record), *fields, 33]))
        )


def test_classes_are_made_once_and_go(layout: str) -> None:
    data = serow.dumps([Part(1, "x")], layout=layout)
    assert type(serow.loads(data)[0]) is type(serow.loads(data)[0])
    from serow import _records

    kept = []
    for i in range(3 * _records.MOST_UNUSED):
        made = _records.record_class(f"R{i}", ("a",))
        kept.append(weakref.ref(made))
        if i == 0:
            first = made
    del made
    gc.collect()
    assert sum(ref() is not None for ref in kept) <= _records.MOST_UNUSED + 1
    assert _records.record_class("R0", ("a",)) is first


# Enums


class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    CRIMSON = 1


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Many(enum.Enum):
    _ignore_ = "i"
    for i in range(300):
        locals()[f"M{i}"] = i


class Hostile(enum.Enum):
    A = 1

    def __eq__(self, other: object) -> bool:
        raise AssertionError("no code runs while rows are read")

    def __hash__(self) -> int:
        return 1


def test_members_come_back_by_name(layout: str, access: str) -> None:
    rows: list[Any] = [Color.RED, Color.CRIMSON, Color.GREEN]
    back = trip(rows, layout)
    assert [member.name for member in back] == ["RED", "RED", "GREEN"]
    assert (
        str(serow.Schema.infer(rows)) == "enum Color{RED, GREEN}" == str(serow.Schema.infer(back))
    )
    assert [member.value for member in back] == ["RED", "RED", "GREEN"]
    assert isinstance(back[0], enum.Enum)
    assert back[0] is back[1]
    assert serow.dumps(back, layout=layout) == serow.dumps(rows, layout=layout)
    mixed = [Level.LOW, Right.READ, *Many, None, Color.RED] * 2
    back = [row for (row,) in trip([(row,) for row in mixed], layout)]
    assert [row and (type(row).__name__, row.name) for row in back] == [
        row and (type(row).__name__, row.name) for row in mixed
    ]
    assert serow.loads(serow.dumps([Hostile.A] * 70, layout=layout))[0].name == "A"


def test_combinations_of_flags_are_refused(layout: str, access: str) -> None:
    for row in (Right.READ | Right.WRITE, Right(0)):
        assert "no combination; send its value" in error([Right.READ, row])
    codec = serow.Codec("enum Right{READ, WRITE}", layout=layout)
    assert [row.name for row in codec.decode(codec.encode([Right.WRITE]))] == ["WRITE"]
    with pytest.raises(serow.EncodeError, match="no combination"):
        codec.encode([Right.READ | Right.WRITE])
    with pytest.raises(serow.EncodeError, match=r"row 0, \(enum Right"):
        codec.encode([Color.RED])


def enum_message(of: str, *members: str) -> bytes:
    codes = [36, *name(of), len(members), *(code for member in members for code in name(member))]
    return message(RawFrame(0, 1, spelled(codes), b"\1\0\0\0\1"))


@pytest.mark.parametrize(
    "member", ["__init__", "_a_", "mro", "", "__private", "_ignore_", "_missing_", "__class__"]
)
def test_names_that_no_member_can_have_are_refused(member: str, access: str) -> None:
    with pytest.raises(serow.DecodeError, match=r"row 0, .*can't have the member"):
        serow.loads(enum_message("E", "A", member))


@pytest.mark.parametrize(
    "member", ["name", "value", "a b", "é", "class", "_a", "1", "\0", "\n", "self"]
)
def test_other_names_of_members_come_back(member: str, access: str) -> None:
    data = enum_message("E", member, "B")
    (row,) = serow.loads(data)
    assert row._name_ == member
    assert serow.loads(serow.dumps([row])) == [row]
    assert pickle.loads(pickle.dumps(row)) is row


def test_an_enum_with_a_name_that_no_class_can_have_is_refused() -> None:
    with pytest.raises(serow.DecodeError, match="can't have the name"):
        serow.loads(enum_message("\0", "A"))


# All of them


def cycles() -> list[Any]:
    as_dict: dict[str, Any] = {}
    as_dict["me"] = as_dict
    as_map: dict[Any, Any] = {}
    as_map[1] = [as_map]
    box: Box[Any] = Box([])
    box.value.append((box, {1}))
    plain = Plain(1, [])
    plain.b.append({"a": plain})
    return [as_dict, as_map, box, plain]


@pytest.mark.parametrize("row", cycles(), ids=["dict", "map", "dataclass", "namedtuple"])
def test_a_cycle_is_an_error(row: Any, layout: str, access: str) -> None:
    for rows in ([row], [1, row], [(1, row)]):
        with pytest.raises(serow.LimitError, match="64 deep"):
            serow.dumps(rows, layout=layout)


WRAPS: list[Callable[[Any], Any]] = [
    lambda v: {"a": v},
    lambda v: {1: v},
    lambda v: frozenset([v]),
    lambda v: Box(v),
    lambda v: Plain(v, 1),
    lambda v: Slotted(v),
]


@pytest.mark.parametrize("wrap", WRAPS)
def test_nesting_ends_at_64(wrap: Callable[[Any], Any], layout: str, access: str) -> None:
    value: Any = 1
    for _ in range(64):
        value = wrap(value)
    (back,) = serow.loads(serow.dumps([value], layout=layout))
    assert serow.dumps([back], layout=layout) == serow.dumps([value], layout=layout)
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([wrap(value)], layout=layout)


def test_shared_values_are_copied(layout: str) -> None:
    shared = {"a": 1}
    back = serow.loads(serow.dumps([[shared, shared]], layout=layout))[0]
    assert back == [shared, shared]
    assert back[0] is not back[1]


def test_references_are_counted(layout: str, access: str) -> None:
    """Nothing is kept of rows that were read, and nothing of what was read again."""
    key, value, member = "a key " + layout, object(), Color.RED
    big = [1 << 70, "text " * 10]
    rows: list[Any] = [
        [
            {key: big, "b": {1, 2}},
            Box(big),
            Slotted(big),
            Part(1, "x"),
            member,
            {5: big},
            Model(a=1),
        ]
    ] * 50
    tracked = [key, value, member, big, Box, Part, Color, Model, rows[0][0]]

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(item) for item in tracked]

    codec = serow.Codec.infer(rows, layout=layout)
    codec.decode(codec.encode(rows))
    before = counts()
    for _ in range(20):
        data = codec.encode(rows)
        serow.loads(data)
        codec.decode(data)
        serow.dumps(rows, layout=layout)
        with pytest.raises(serow.EncodeError):
            codec.encode([*rows, [{key: value}]])
        with pytest.raises(serow.SerowError):
            serow.loads(data[:-8] + bytes(8))
    assert counts() == before


def test_what_is_made_is_known_to_the_collector(layout: str, access: str) -> None:
    class Weak:
        pass

    (row,) = serow.loads(serow.dumps([{"a": [{1: [{"b"}]}]}], layout=layout))
    row["a"].append(row)
    mark = Weak()
    row["mark"] = mark
    seen = weakref.ref(mark)
    del row, mark
    gc.collect()
    assert seen() is None
    (box,) = serow.loads(serow.dumps([Box([1])], layout=layout))
    assert gc.is_tracked(box)


def test_no_libraries_are_imported() -> None:
    program = (
        "import sys, serow\n"
        "before = set(sys.modules)\n"
        "assert serow.loads(serow.dumps([{'a': {1}, 'b': {2: 3}}])) == [{'a': {1}, 'b': {2: 3}}]\n"
        "libraries = {'enum', 'dataclasses', 'attr', 'pydantic', 'pyspark', 'serow._records'}\n"
        "assert not libraries & (set(sys.modules) - before), set(sys.modules) - before\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_both_ways_of_access_read_and_make_the_same() -> None:
    rows = [[row, {"a": row, "b": {i}}, {i: row}] for i, (row, _, _) in enumerate(RECORDS * 3)]
    found = []
    for only in (False, True):
        _native.object_access(only)
        try:
            found.append((serow.dumps(rows), repr(serow.loads(serow.dumps(rows)))))
        finally:
            _native.object_access(False)
    assert found[0] == found[1]


def test_frames_that_claim_many_members_and_names_are_cheap() -> None:
    for codes in ([36, 0, 2**32 - 1], [36, 2**32 - 1, 65], [32, 2**32 - 1], [31, 34, 2**31]):
        with pytest.raises(serow.DecodeError):
            serow.loads(message(RawFrame(FRAME, 0, spelled(codes), bytes(4))))


def test_decimals_that_are_no_numbers_stay_two_in_a_set(layout: str) -> None:
    rows = [{Decimal("NaN"), Decimal("NaN"), Decimal(5)} for _ in range(200)]
    back = serow.loads(serow.dumps(rows, layout=layout))
    assert [len(row) for row in back] == [3] * 200
