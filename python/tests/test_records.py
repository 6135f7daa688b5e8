"""Records: what they decode to, which are refused, and that no code of their classes runs."""

import collections
import copy
import gc
import json
import pickle
import weakref
from dataclasses import InitVar, dataclass
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar

import attrs
import pydantic
import pytest
import serow
from objects import (
    RECORDS,
    Attrs,
    AttrsHash,
    Box,
    Child,
    Color,
    Data,
    Model,
    Part,
    Row,
    Sub,
    SubModel,
    error,
    name_codes,
    trip,
)
from serow import _records
from wire_format import RawFrame, message, spelled


class Typed(TypedDict):
    a: int


@pytest.mark.parametrize(("row", "schema", "values"), RECORDS, ids=lambda v: type(v).__name__)
class TestRecords:
    def test_come_back(
        self, row: Any, schema: str, values: tuple[Any, ...], wire: str, access: str
    ) -> None:
        for rows in ([row], [row] * 200, [[row], []], [{"a": row}, {}], [row, None]):
            back = serow.loads(serow.dumps(rows, wire=wire))
            assert len(back) == len(rows)
            # Encoding the decoded rows gives the same schema and the same bytes.
            assert serow.Schema.infer(back) == serow.Schema.infer(rows)
            assert serow.dumps(back, wire=wire) == serow.dumps(rows, wire=wire)
        assert str(serow.Schema.infer([row])) == schema
        (back,) = serow.loads(serow.dumps([row], wire=wire))
        assert back == values
        assert tuple(back._asdict().values()) == values
        for name, value in back._asdict().items():
            assert getattr(back, name) == value

    def test_fit_a_codec_and_no_other(
        self, row: Any, schema: str, values: tuple[Any, ...], wire: str, access: str
    ) -> None:
        codec = serow.Codec(schema, wire=wire)
        assert codec.decode(codec.encode([row] * 3)) == [values] * 3
        for other, _, _ in RECORDS:
            if type(other) is not type(row):
                with pytest.raises(serow.EncodeError, match=r"^row 1, "):
                    codec.encode([row, other])
        for other in (values, list(values), None, {}):
            with pytest.raises(serow.EncodeError, match=r"^row 1, "):
                codec.encode([row, other])


class Pair(NamedTuple):
    """A named tuple."""

    a: int
    b: str


class Noted(Pair):
    """A named tuple with a dict, which the tuple that was decoded has no space for."""


def test_records_hash_like_their_values(wire: str, access: str) -> None:
    # From 3.14 on tuples keep their hash.
    for row in (Pair(1, "a"), Noted(2, "b")):
        kind = type(row)
        codec = serow.Codec(serow.Schema.of(kind), wire=wire)
        for (back,) in (
            codec.decode(codec.encode([row])),
            serow.loads(serow.dumps([row], wire=wire)),
            serow.loads(serow.dumps([tuple(row)], wire=wire)),
        ):
            assert hash(back) == hash(tuple(row)) == hash(back)
            assert {back: 1}[row] == 1
        assert serow.loads(serow.dumps([{row: 5}], wire=wire)) == [{row: 5}]


def test_records_in_unions(wire: str, access: str) -> None:
    rows = [row for row, _, _ in RECORDS] * 20
    back = serow.loads(serow.dumps(rows, wire=wire))
    assert back == [values for _, _, values in RECORDS] * 20
    assert [type(row).__name__ for row in back] == [type(row).__name__ for row in rows]
    assert serow.loads(serow.dumps(back, wire=wire)) == back


def test_records_hold_records(wire: str) -> None:
    rows = [Box(SubModel(a=i, b=None, c=[Model(a=i, b="x")] * (i % 3))) for i in range(100)]
    back = trip(rows, wire)
    assert back == [((i, None, [(i, "x")] * (i % 3)),) for i in range(100)]


def test_classes_of_one_name_and_other_fields_are_other_types(wire: str, access: str) -> None:
    other = collections.namedtuple("Part", "x")
    back = trip([Part(1, "a"), other(5)], wire)
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


class Computed(pydantic.BaseModel):
    a: int
    _double: int = pydantic.PrivateAttr()

    def model_post_init(self, _: Any) -> None:
        self._double = 2 * self.a


@dataclass
class AfterInit:
    a: int
    times: InitVar[int] = 2

    def __post_init__(self, times: int) -> None:
        self.double = times * self.a


@dataclass
class Computing:
    a: int

    def __post_init__(self) -> None:
        self.double = 2 * self.a


@attrs.define(slots=False)
class ComputingAttrs:
    a: int

    def __attrs_post_init__(self) -> None:
        self.double = 2 * self.a


@dataclass
class ComputingMore(Computing):
    b: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        self.a, self.sum = self.a, self.a + self.b


@dataclass
class Silent(Computing):
    def __post_init__(self) -> None:
        if hasattr(self, "double"):
            print(self.double)


def test_only_what_runs_and_stores_computes_an_attribute(access: str) -> None:
    rows = [ComputingMore(1, 5)]
    assert vars(serow.loads(serow.dumps(rows), type=ComputingMore)[0]) == vars(rows[0])
    silent = Silent(1)
    for name in ("double", "hasattr", "print"):
        vars(silent)[name] = 7
        assert f"its attribute {name} is not a field" in error([silent])
        del vars(silent)[name]


@pytest.mark.parametrize("cls", [Computing, ComputingAttrs])
def test_what_a_class_computes_of_its_fields_is_computed_again(
    cls: Any, wire: Any, access: str
) -> None:
    rows = [cls(1), cls(2)]
    message = serow.dumps(rows, wire=wire)
    assert [vars(row) for row in serow.loads(message, type=cls)] == [*map(vars, rows)]
    assert [row._asdict() for row in serow.loads(message)] == [{"a": 1}, {"a": 2}]
    codec = serow.Codec(serow.Schema.of(cls))
    assert vars(codec.decode_one(codec.encode_one(rows[0]))) == {"a": 1, "double": 2}
    rows[1].other = 3
    assert "its attribute other is not a field" in error(rows)


def with_private(value: Any, **private: Any) -> Any:
    for name, content in private.items():
        setattr(value, name, content)
    return value


def without_private(value: Any) -> Any:
    del value._secret
    return value


def without(value: Any, name: str) -> Any:
    object.__delattr__(value, name)
    return value


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (with_attribute(Sub(1, "x"), note=1), "its attribute note is not a field"),
        (tuple.__new__(Part, (1,)), "its class has 3 fields, but it has 1 items"),
        (with_attribute(Data(1, []), more=2), "its attribute more is not a field of the class"),
        (with_attribute(Box(1), **{"\ud800": 2}), "its attribute"),
        (without(Data(1, []), "a"), "its field a is not set"),
        (without(Attrs(1), "b"), "its field b is not set"),
        (HasProperty(1), "its field x is a property, and its code can't run"),
        (OwnAccess(1), "__getattribute__ of its own"),
        (OfList(), "a base that stores more than fields"),
        (OfFloat(), "a base that stores more than fields"),
        (with_attribute(MoreSlots(1), hidden=2), "its attribute hidden is not a field"),
        (
            Extra(a=1, b=2),
            "its extra field b is not declared and would be lost; declare it, or register what to "
            "encode: serow.register(Extra, to=..., from_=...)",
        ),
        (
            with_private(Private(a=1), _secret=4),
            "its private attribute _secret is not the default and would be lost; make it a field, "
            "or register what to encode: serow.register(Private, to=..., from_=...)",
        ),
        (without_private(Private(a=1)), "its private attribute _secret is not the default"),
        (Computed(a=1), "its private attribute _double is not the default"),
        (
            AfterInit(1),
            "its attribute double is not a field of the class and would be lost; declare it as a "
            "field, in a dataclass double: ... = field(init=False), remove it, or register what to "
            "encode: serow.register(AfterInit, to=..., from_=...)",
        ),
        (Private.model_construct(set(), a=1), "its model_fields_set is not all fields"),
        (Row(1, 2), "a Row must have a distinct name for each field"),
        (with_attribute(Row(a=1), more=1), "cannot encode"),
        (with_attribute(Row(a=1), __fields__=["a", "b"]), "a Row must have a distinct name"),
        (with_attribute(Row(a=1, b=2), __fields__=["a", "a"]), "a Row must have a distinct name"),
        (with_attribute(Row(a=1), __fields__=("a",)), "a Row must have a distinct name"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_records_that_are_refused(row: Any, said: str, wire: str, access: str) -> None:
    assert said in error([row])
    assert error([1, row]).startswith("row 1, (i64): cannot encode ")
    schema = f"{type(row).__name__}{{a: i64}}"
    with pytest.raises(serow.EncodeError):
        serow.Codec(schema, wire=wire).encode([row])


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


T = TypeVar("T")


@dataclass
class Generic1(Generic[T]):
    x: T


def test_what_typing_leaves_in_an_object_is_no_part_of_a_record(access: str) -> None:
    row = Generic1[int](1)
    assert "__orig_class__" in vars(row)
    assert serow.dumps([row] * 70) == serow.dumps([Generic1(1)] * 70)


Numbered = collections.namedtuple("Numbered", "key index count")


@pytest.mark.parametrize(
    ("schema", "row", "said"),
    [
        (
            "Numbered{key: i64}",
            Numbered(1, 2, 3),
            "it is a record Numbered with the fields key, index, c",
        ),
        ("(i64, i64, i64)", Numbered(1, 2, 3), "it is a record Numbered with the fields key, ind"),
        ("i64", Box(1), "it is a record Box with the fields value"),
        ("enum Hue{RED}", Color.RED, "it is a member of enum Color"),
        ("str", collections.namedtuple("W", [f"a{i}" for i in range(99)])(*range(99)), "a15, …"),
        ("i64", True, "cannot encode True (type bool)"),
    ],
    ids=str,
)
def test_a_value_of_another_type_is_described(
    schema: str, row: Any, said: str, access: str
) -> None:
    with pytest.raises(serow.EncodeError) as raised:
        serow.Codec(schema).encode([row])
    assert said in str(raised.value)
    assert "subclass" not in str(raised.value)


def test_a_default_of_the_class_stands_for_a_value(access: str) -> None:
    row = Data(1, [])
    row.__dict__.pop("late", None)
    before = Data.late
    try:
        assert serow.loads(serow.dumps([row])) == [(1, [], 5)]
        # The class is inspected again.
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


# Decoded records


def test_rows_are_like_named_tuples(wire: str) -> None:
    (row,) = serow.loads(serow.dumps([Part(1, "x", 2.5)], wire=wire))
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


def test_any_names_are_harmless(wire: str, access: str) -> None:
    fields = [code for text in STRANGE for code in (34, *name_codes(text), 1)]
    for record in ("__main__", "", "\0", "class", "a b", "Record", "x" * 1000):
        values = bytes([5] * len(STRANGE))
        schema = spelled([32, *name_codes(record), *fields, 33])
        body = len(values).to_bytes(4, "little") + values
        (row,) = serow.loads(message(RawFrame(0, 1, schema, body)))
        assert row == (1,) * len(STRANGE)
        assert row._asdict() == dict.fromkeys(STRANGE, 1)
        assert row._fields == tuple(STRANGE)
        assert (len(row), row.__class__) == (len(STRANGE), type(row))
        assert row.self == row.cls == getattr(row, "a b") == row.count == row.index == row.mro == 1
        again = type(row)(*row)
        assert again == row == row._replace(cls=1)
        assert repr(row).startswith(record + "(")
        assert pickle.loads(pickle.dumps(row)) == row
        assert serow.loads(serow.dumps([row], wire=wire)) == [row]
        assert serow.Schema.infer([row]) == serow.Schema.parse(
            " ".join(map(str, [32, *name_codes(record), *fields, 33]))
        )


def test_classes_are_made_once_and_go(wire: str) -> None:
    data = serow.dumps([Part(1, "x")], wire=wire)
    assert type(serow.loads(data)[0]) is type(serow.loads(data)[0])
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
