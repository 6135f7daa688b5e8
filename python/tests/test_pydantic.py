"""What pydantic's models keep beside their fields."""

import enum
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pydantic
import pytest
import serow
from pydantic import PrivateAttr


class Settings(pydantic.BaseModel):
    id: int
    name: str = "?"
    tags: list[str] = pydantic.Field(default_factory=lambda: ["made"])


class Outer(pydantic.BaseModel):
    inner: Settings | None = None
    more: dict[str, Settings] = {}


class Frozen(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)
    a: int = 0
    b: int = 0


class Root(pydantic.RootModel[list[int]]):
    root: list[int] = []


class Aliased(pydantic.BaseModel):
    a: int = pydantic.Field(default=0, alias="A")
    b: int = pydantic.Field(default=0, alias="B")


ROWS: list[tuple[Any, list[Any]]] = [
    (Settings, [Settings(id=1), Settings(id=2, name="?"), Settings(id=3, name="x", tags=[])]),
    (Settings, [Settings(id=1, tags=[]), Settings.model_construct({"name"}, id=1)]),
    (Settings, [Settings(id=1, name="x", tags=["y"])] * 3),
    (Settings, [Settings.model_construct({"id", "name", "other"}, id=1, name="")]),
    (Outer, [Outer(inner=Settings(id=1), more={"x": Settings(id=2, name="y")}), Outer()]),
    (Frozen, [Frozen(), Frozen(b=1), Frozen(a=1, b=2)]),
    (Root, [Root(), Root([1])]),
    (Aliased, [Aliased(B=1), Aliased(A=0), Aliased(A=1, B=2)]),
]


def parts(row: Any) -> Any:
    """Give all that a model holds, and what it makes of that."""
    assert isinstance(row, pydantic.BaseModel)
    return row, row.model_fields_set, row.model_dump(exclude_unset=True), repr(row)


@pytest.mark.parametrize(("of", "rows"), ROWS)
def test_the_fields_that_were_given_come_back(of: Any, rows: list[Any], wire: Any) -> None:
    codec = serow.Codec(serow.Schema.of(of), wire=wire)
    expected = [parts(row) for row in rows]
    for back in (
        serow.loads(serow.dumps(rows, wire=wire), type=of),
        serow.loads(serow.dumps(rows * 50, wire=wire), type=of)[: len(rows)],
        codec.decode(codec.encode(rows)),
    ):
        assert [parts(row) for row in back] == expected
    assert [parts(codec.decode_one(codec.encode_one(row))) for row in rows] == expected


def test_a_schema_without_a_place_for_them_takes_models_with_all_fields() -> None:
    codec = serow.Codec("Frozen{a: i64, b: i64}")
    assert codec.decode(codec.encode([Frozen(a=1, b=2)])) == [(1, 2)]
    said = (
        r"row 1, \(Frozen\{a: i64, b: i64\}\): cannot encode .*; its model_fields_set is not all "
        "fields, and the schema has no place for it; use Schema.of, or add the names of all fields"
    )
    with pytest.raises(serow.EncodeError, match=said):
        codec.encode([Frozen(a=1, b=2), Frozen(a=1)])


def test_a_record_without_the_set_was_given_all_fields() -> None:
    data = serow.Codec("Frozen{a: i64, b: i64}").encode([Frozen(a=1, b=2)])
    [back] = serow.loads(data, type=Frozen)
    assert (back, back.model_fields_set) == (Frozen(a=1, b=2), {"a", "b"})


class Everything(pydantic.BaseModel):
    a: int
    _none: Any = None
    _number: int = 10**30
    _text: str = PrivateAttr(default="some text")
    _items: list[Any] = PrivateAttr(default=[1, ("a", 2.5), {"x": [None]}])
    _cache: dict[Any, Any] = PrivateAttr(default_factory=dict)
    _seen: set[int] = PrivateAttr(default_factory=set)
    _list: list[int] = []
    _exact: Decimal = Decimal(1)
    _unset: int = PrivateAttr()


def test_private_attributes_with_their_defaults_come_back(wire: Any) -> None:
    row = Everything(a=1)
    # Equal values that are other objects.
    row._number, row._text = int("1" + "0" * 30), "".join(["some", " text"])
    assert serow.loads(serow.dumps([row, Everything(a=2)], wire=wire), type=Everything) == [
        Everything(a=1),
        Everything(a=2),
    ]
    assert serow.loads(serow.dumps([row], wire=wire)) == [(1,)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_none", 1),
        ("_number", 10**30 + 1),
        ("_number", True),
        ("_text", "other"),
        ("_items", []),
        ("_items", [1, ("a", 2.5), {"x": [0]}]),
        ("_items", [1, ("a", -0.0), {"x": [None]}]),
        ("_cache", {1: 2}),
        ("_cache", OrderedDict()),
        ("_seen", {1}),
        ("_list", [1]),
        ("_exact", Decimal("1.0")),
        ("_unset", 1),
    ],
)
def test_another_private_attribute_is_an_error(name: str, value: Any) -> None:
    row = Everything(a=1)
    setattr(row, name, value)
    said = f"its private attribute {name} is not the default and would be lost; make it a field"
    with pytest.raises(serow.EncodeError, match=said):
        serow.dumps([Everything(a=1), row])


class Lock:
    """Something that a factory makes, and whose making would be noticed."""

    made = 0

    def __init__(self) -> None:
        Lock.made += 1


class Made(pydantic.BaseModel):
    a: int
    b: list[Settings] = []
    _number: int = 1
    _list: list[Any] = [1, {"x": 2.5}]
    _cache: dict[str, int] = PrivateAttr(default_factory=lambda: {})
    _lists: dict[str, list[int]] = PrivateAttr(default_factory=lambda: defaultdict(list))
    _text: str = PrivateAttr(default_factory=lambda: "made")
    _unset: int = PrivateAttr()


class Locked(pydantic.BaseModel):
    a: int
    _lock: Lock = PrivateAttr(default_factory=Lock)


def test_private_attributes_of_factories_come_back(wire: Any) -> None:
    rows = [Made(a=1), Made(a=2, b=[Settings(id=3)]), Made(a=4, b=[])]
    codec = serow.Codec(serow.Schema.of(Made), wire=wire)
    for back in (
        serow.loads(serow.dumps(rows, wire=wire), type=Made),
        codec.decode(codec.encode(rows)),
    ):
        assert [parts(row) for row in back] == [parts(row) for row in rows]
        assert type(back[0]._lists) is defaultdict
    assert serow.loads(serow.dumps([{"x": rows}], wire=wire), type=dict[str, list[Made]]) == [
        {"x": rows}
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_number", 2),
        ("_number", True),
        ("_list", [1, {"x": 2}]),
        ("_list", [True, {"x": 2.5}]),
        ("_cache", {"x": 1}),
        ("_cache", OrderedDict()),
        ("_lists", {}),
        ("_text", "other"),
        ("_unset", 1),
    ],
)
def test_what_a_factory_does_not_make_is_an_error(name: str, value: Any) -> None:
    row = Made(a=1)
    setattr(row, name, value)
    with pytest.raises(serow.EncodeError, match=r"^row 1, .*; its private attribute _"):
        serow.dumps([Made(a=1), row])


def test_a_factory_of_other_objects_is_not_called() -> None:
    row = Locked(a=1)
    with pytest.raises(serow.EncodeError, match="its private attribute _lock is not the default"):
        serow.dumps([row])
    assert Lock.made == 1


class Client(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")
    id: int
    _calls: int = 0


def test_the_advice_can_be_followed(restored_classes: None) -> None:
    client = Client(id=1, more=2)
    client._calls = 7

    def parts(client: Client) -> tuple[int, dict[str, int], int]:
        return client.id, client.model_extra or {}, client._calls

    def client_of(parts: tuple[int, dict[str, int], int]) -> Client:
        made = Client(id=parts[0], **parts[1])
        made._calls = parts[2]
        return made

    with pytest.raises(serow.EncodeError, match=r"serow.register\(Client, to=..., from_=...\)"):
        serow.dumps([client])
    serow.register(Client, to=parts, from_=client_of)
    [back] = serow.loads(serow.dumps([client]), type=Client)
    assert (back, back.model_fields_set) == (client, {"id", "more"})


def test_the_advice_for_a_model_of_the_first_version() -> None:
    class Old:
        """Has what those models have. Newer versions of Python lack `pydantic.v1`."""

        __fields__ = ("key",)

        def dict(self) -> dict[str, int]:
            return {"key": 1}

        def __iter__(self) -> Iterator[tuple[str, int]]:
            return iter(self.dict().items())

    with pytest.raises(serow.EncodeError, match=r"use value.dict\(\)"):
        serow.dumps([Old()])
    assert serow.loads(serow.dumps([Old().dict()])) == [{"key": 1}]


def by_path(name: str, **options: Any) -> Any:
    """Give a field that pydantic reads from within another value."""
    return pydantic.Field(validation_alias=pydantic.AliasPath("data", name), **options)


class Nested(pydantic.BaseModel):
    price: int = by_path("price", gt=0)
    size: int = by_path("size", default=1)
    other: int = pydantic.Field(default=2, alias="Other")


@pydantic.dataclasses.dataclass
class NestedClass:
    price: int = by_path("price", gt=0)


@pytest.mark.parametrize("validate", [False, True])
def test_fields_that_are_read_by_a_path_come_back(validate: bool) -> None:
    rows = [
        Nested.model_validate({"data": {"price": 5}}),
        Nested.model_validate({"data": {"price": 5, "size": 3}, "Other": 4}),
    ]
    back = serow.loads(serow.dumps(rows), type=Nested, validate=validate)
    assert [parts(row) for row in back] == [parts(row) for row in rows]
    (made,) = serow.loads(serow.dumps([{"price": 7}]), type=Nested, validate=validate)
    assert (made.price, made.size, made.other) == (7, 1, 2)
    row = pydantic.TypeAdapter(NestedClass).validate_python({"data": {"price": 5}})
    assert serow.loads(serow.dumps([row]), type=NestedClass, validate=validate) == [row]


@pytest.mark.parametrize("of", [Nested, NestedClass])
def test_fields_that_are_read_by_a_path_are_validated(of: type[Any]) -> None:
    data = serow.dumps([{"price": -7}])
    with pytest.raises(serow.DecodeError, match=r"(?s)can't be constructed.*greater than 0"):
        serow.loads(data, type=of, validate=True)


def test_a_constructor_that_takes_a_field_by_a_path_only_is_an_error() -> None:
    class Called(Nested):
        def __init__(self, **fields: Any) -> None:
            super().__init__(**fields)

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)

    with pytest.raises(serow.SchemaError, match="takes field price by a path only; set populate_"):
        serow.Codec(Called)

    class ByName(Called):
        model_config = pydantic.ConfigDict(populate_by_name=True)

    row = ByName(price=5)
    assert serow.loads(serow.dumps([row]), type=ByName) == [row]


class Color(enum.Enum):
    RED = "red"
    ONE = 1


class Values(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(use_enum_values=True)
    color: Color
    colors: list[Color | None] = []
    by_default: Color = Color.RED


class Outside(pydantic.BaseModel):
    color: Color
    values: Values


def test_models_that_keep_the_values_of_members_come_back(wire: Any) -> None:
    values = Values(color=Color.RED, colors=[Color.ONE, None])
    assert (values.color, values.by_default) == ("red", Color.RED)
    rows = [Outside(color=Color.ONE, values=values)]
    codec = serow.Codec(Outside, wire=wire)
    for back in (serow.loads(serow.dumps(rows), type=Outside), codec.decode(codec.encode(rows))):
        assert [parts(row) for row in back] == [parts(row) for row in rows]
    assert "Outside{color: enum Color{RED, ONE}, values: " in str(serow.Schema.of(Outside))
