"""Objects as they were: restored from their fields, without their constructors."""

import dataclasses
import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any, NamedTuple

import attrs
import leaks
import pydantic
import pytest
import serow
from serow import _native

# What constructors, converters and validators were called with.
calls: list[Any] = []


def noted(value: Any) -> Any:
    calls.append(value)
    return value


@dataclass
class Item:
    name: str
    size: int = 1

    def __post_init__(self) -> None:
        noted(self.name)
        self.name += "!"


@dataclass(frozen=True)
class Frozen:
    name: str
    items: list[Item] = field(default_factory=list)
    double: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        noted(self.name)
        object.__setattr__(self, "double", self.double + 2)


@dataclass(slots=True)
class Slotted:
    first: int
    second: float = 0.5

    def __post_init__(self) -> None:
        noted(self.first)
        self.first += 1


@dataclass(frozen=True, slots=True)
class FrozenSlots:
    first: int
    item: Item | None = None


class Base:
    __slots__ = ("first",)


@dataclass
class HalfSlots(Base):
    """One field is in a slot of the base, the other in the dict."""

    first: int
    second: str


@dataclass
class OfInitVar:
    size: int
    more: InitVar[int]

    def __post_init__(self, more: int) -> None:
        self.size += more


def one_more(value: Any) -> int:
    return int(noted(value)) + 1


@attrs.define
class Defined:
    size: int = attrs.field(converter=one_more)
    text: str = attrs.field(default="x", validator=lambda *_: noted("validated"))


@attrs.frozen
class FrozenAttrs:
    size: int = attrs.field(converter=one_more)


@attrs.define(slots=False)
class Unslotted:
    _size: int
    items: list[int] = attrs.Factory(list)


class Model(pydantic.BaseModel):
    name: str
    size: int | None = None
    _seen: dict[str, int] = pydantic.PrivateAttr(default_factory=dict)

    @pydantic.field_validator("name")
    @classmethod
    def louder(cls, name: str) -> str:
        return f"{noted(name)}!"


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow", frozen=True)
    name: str


class Nested(pydantic.BaseModel):
    models: list[Model]
    item: Item | None = None


class Root(pydantic.RootModel[list[int]]):
    pass


@pydantic.dataclasses.dataclass
class Validated:
    size: int = pydantic.Field(gt=0)

    def __post_init__(self) -> None:
        noted(self.size)
        self.size += 1


class Pair(NamedTuple):
    item: Item
    model: Model


Wide = dataclasses.make_dataclass("Wide", [(f"field_{n}", int) for n in range(40)])

MADE: list[Callable[[], Any]] = [
    lambda: Item("a"),
    lambda: Frozen("a", [Item("b"), Item("c", 5)]),
    lambda: Slotted(1),
    lambda: FrozenSlots(1, Item("a")),
    lambda: HalfSlots(1, "x"),
    lambda: OfInitVar(1, 2),
    lambda: Defined("4"),
    lambda: FrozenAttrs(5),
    lambda: Unslotted(1, [2]),
    lambda: Model(name="a"),
    lambda: Model(name="a", size=None),
    lambda: Open(name="a"),
    lambda: Nested(models=[Model(name="a"), Model(name="b", size=2)], item=Item("x")),
    lambda: Root([1, 2]),
    lambda: Validated(5),
    lambda: Pair(Item("a"), Model(name="b")),
    lambda: Wide(*range(40)),
]


def state(value: Any) -> Any:
    """Give all that an object stores, as pickle takes it."""
    if isinstance(value, (list, tuple)):
        return type(value), [state(item) for item in value]
    if not hasattr(type(value), "__module__") or type(value).__module__ != __name__:
        return type(value), value
    slots = [
        name
        for base in type(value).__mro__
        for name in vars(base).get("__slots__", ())
        if name not in ("__dict__", "__weakref__")
    ]
    stored = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    stored |= getattr(value, "__dict__", {})
    return type(value), [(name, state(stored[name])) for name in stored]


@pytest.mark.parametrize("make", MADE, ids=lambda make: type(make()).__name__)
def test_objects_are_as_they_were(make: Callable[[], Any], wire: Any, access: str) -> None:
    row = make()
    before = state(row)
    codec = serow.Codec(serow.Schema.of(type(row)), wire=wire)
    data = codec.encode([row] * 3)
    for tier in ("interpreter", "compiled"):
        if tier == "compiled" and access == "direct":
            codec.compile()
        calls.clear()
        for rows in (codec.decode(data), serow.loads(data, type=type(row))):
            assert rows == [row] * 3
            assert [state(back) for back in rows] == [before] * 3
            assert all(gc.is_tracked(back) for back in rows)
        assert codec.decode_one(codec.encode_one(row)) == row
        assert calls == []
    assert state(row) == before


def test_restored_objects_are_like_others(wire: Any, access: str) -> None:
    first, second = serow.loads(serow.dumps([Item("a"), Item("b")], wire=wire), type=Item)
    first.other = second  # type: ignore[attr-defined]
    del first.size
    assert vars(first) == {"name": "a!", "other": second}
    assert vars(second) == {"name": "b!", "size": 1}
    second.size += 1
    assert list(vars(second)) == ["name", "size"]
    assert serow.dumps([second], wire=wire) == serow.dumps([Item("b", 2)], wire=wire)
    third = Item("c")
    assert list(vars(third)) == ["name", "size"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        serow.loads(serow.dumps([Frozen("a")]), type=Frozen)[0].name = "b"  # type: ignore[misc]


def test_models_know_which_fields_they_were_given(wire: Any, access: str) -> None:
    rows = [Model(name="a"), Model(name="a", size=None), Model(size=1, name="b")]
    back = serow.loads(serow.dumps(rows, wire=wire), type=Model)
    for old, new in zip(rows, back, strict=True):
        assert new.model_fields_set == old.model_fields_set
        assert new.model_dump(exclude_unset=True) == old.model_dump(exclude_unset=True)
        assert new._seen == {}
        new._seen["x"] = 1
        assert new.model_copy() == new
    assert back[0].model_fields_set is not back[1].model_fields_set
    assert back[0]._seen is not rows[0]._seen
    [given] = serow.loads(serow.dumps([{"name": "a"}], wire=wire), type=Model)
    assert given.model_fields_set == {"name"}
    assert given.size is None


def test_validate_calls_the_classes(wire: Any, access: str) -> None:
    data = serow.dumps([Item("a"), Item("b")], wire=wire)
    calls.clear()
    codec = serow.Codec(serow.Schema.of(Item), wire=wire, validate=True)
    names = ["a!!", "b!!"]
    for rows in (
        codec.decode(data),
        serow.loads(data, type=Item, validate=True),
        serow.loads(data, type=pickle.loads(pickle.dumps(Item)), validate=True),
        pickle.loads(pickle.dumps(codec)).decode(data),
    ):
        assert [row.name for row in rows] == names
    assert len(calls) == 8
    assert codec.validate
    assert repr(codec).endswith("validate=True)")
    assert codec != serow.Codec(serow.Schema.of(Item), wire=wire)
    with pytest.raises(serow.DecodeError, match="should be greater than 0"):
        serow.loads(serow.dumps([{"size": -1}], wire=wire), type=Validated, validate=True)
    assert serow.loads(serow.dumps([{"size": -1}], wire=wire), type=Validated)[0].size == -1


def test_every_reader_may_validate(tmp_path: Any) -> None:
    path = tmp_path / "items"
    with serow.Writer(path) as writer:
        writer.write_rows([Item("a")] * 3)
    for validate, name in ((False, "a!"), (True, "a!!")):
        with serow.Reader(path, type=Item, validate=validate) as reader:
            assert [row.name for row in reader] == [name] * 3
        with serow.view(path, type=Item, validate=validate) as rows:
            assert rows[2].name == name
        table = serow.to_arrow([Item("a")])
        [row] = serow.from_arrow(table, type=Item, validate=validate)
        assert row.name == name
    codec = serow.Codec(serow.Schema.of(Item), validate=True)
    with serow.Reader(path, type=codec) as reader:
        assert [row.name for row in reader] == ["a!!"] * 3


def test_wide_classes_and_those_with_an_end_have_their_attributes(wire: Any) -> None:
    @dataclass
    class Ending:
        size: int

        def __del__(self) -> None:
            calls.append("ended")

    [row] = serow.loads(serow.dumps([Ending(1)], wire=wire), type=Ending)
    row.size = 5
    assert (row.size, vars(row)["size"]) == (5, 5)
    assert serow.loads(serow.dumps([row], wire=wire), type=Ending)[0].size == 5
    [wide] = serow.loads(serow.dumps([Wide(*range(40))], wire=wire), type=Wide)
    assert (wide.field_0, wide.field_39) == (0, 39)
    wide.field_0 = 7
    assert vars(wide)["field_0"] == 7


class Slots:
    __slots__ = tuple("abcdefghijklmnopqrstuvwx")


def test_slots_of_other_classes_are_none_of_a_class(wire: Any) -> None:
    @dataclass
    class Wrong:
        x: int = Slots.x  # type: ignore[attr-defined]

    with pytest.raises(serow.DecodeError, match="Wrong can't be constructed"):
        serow.loads(serow.dumps([{"x": n} for n in range(100)], wire=wire), type=Wrong)

    @dataclass(slots=True)
    class Own:
        y: int

    row = Own(1)
    Own.x = Slots.x  # type: ignore[attr-defined]
    del Own.y
    with pytest.raises(serow.EncodeError):
        serow.dumps([row], wire=wire)

    @dataclass
    class Twice(Own2):
        a: int
        b: int

    Twice.b = Own2.__dict__["a"]
    [back] = serow.loads(serow.dumps([{"a": 10**6, "b": 10**7}], wire=wire), type=Twice)
    assert (back.a, back.b) == (10**7, 10**7)


class Own2:
    __slots__ = ("a",)


def test_a_row_that_only_the_class_completes_gets_none_of_the_defaults(wire: Any) -> None:
    @dataclass
    class Computed:
        size: int
        double: int = field(init=False, default=0)
        other: int = field(init=False)

        def __post_init__(self) -> None:
            self.double, self.other = 2 * self.size, 3 * self.size

    [row] = serow.loads(serow.dumps([{"size": 1}], wire=wire), type=Computed)
    assert row == Computed(1)


def test_code_that_makes_private_attributes_may_fail(wire: Any) -> None:
    fails = [True]

    def make() -> int:
        calls.append("make")
        if fails:
            raise ZeroDivisionError("not now")
        return 1

    class Failing(pydantic.BaseModel):
        size: int
        _x: int = pydantic.PrivateAttr(default_factory=make)

    data = serow.dumps([{"size": 1}], wire=wire)
    with pytest.raises(serow.DecodeError, match=r"row 0.*not now") as raised:
        serow.loads(data, type=Failing)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    fails.clear()
    assert serow.loads(data, type=Failing)[0]._x == 1


def test_cycles_through_what_the_callers_code_makes_are_collected(wire: Any) -> None:
    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    @dataclass
    class Bill:
        total: Money
        more: list[int] = field(default_factory=list)

    serow.register(Money, to=lambda money: money.cents, from_=Money, type=int)
    alive = []
    for _ in range(10):
        [row] = serow.loads(serow.dumps([{"total": 5}], wire=wire), type=Bill)
        row.total.owner = row  # type: ignore[attr-defined]
        row.more.append(row)  # type: ignore[arg-type]
        alive.append(weakref.ref(row))
    del row
    gc.collect()
    assert not any(one() for one in alive)


def test_a_missing_field_gets_its_default(wire: Any, access: str) -> None:
    data = serow.dumps([{"name": "a"}, {"name": "b"}], wire=wire)
    calls.clear()
    first, second = serow.loads(data, type=Frozen)
    assert (first.name, first.items, first.double) == ("a", [], 0)
    assert first.items is not second.items
    assert calls == []
    [defined] = serow.loads(serow.dumps([{"size": 3}], wire=wire), type=Defined)
    assert defined.text == "x"

    @attrs.define
    class Related:
        size: int
        double: int = attrs.Factory(lambda self: self.size * 2, takes_self=True)

    # Only the class can make this default.
    assert serow.loads(serow.dumps([{"size": 3}], wire=wire), type=Related) == [Related(3, 6)]

    def failing() -> Any:
        raise ValueError("not now")

    @dataclass
    class Failing:
        size: int
        more: list[int] = field(default_factory=failing)

    with pytest.raises(serow.DecodeError, match=r"row 0.*not now") as raised:
        serow.loads(serow.dumps([{"size": 3}], wire=wire), type=Failing)
    assert isinstance(raised.value.__cause__, ValueError)


def test_a_class_that_changes_is_looked_at_again(wire: Any) -> None:
    @dataclass
    class Changing:
        size: int

    codec = serow.Codec(serow.Schema.of(Changing), wire=wire)
    data = codec.encode([Changing(1)])
    assert codec.decode(data) == [Changing(1)]

    def setter(self: Any, name: str, value: Any) -> None:
        object.__setattr__(self, name, value + 1)

    Changing.__setattr__ = setter  # type: ignore[method-assign]
    assert codec.decode(data)[0].size == 2
    del Changing.__setattr__
    assert codec.decode(data)[0].size == 1
    if sys.version_info >= (3, 11):
        Changing.size = property(lambda self: 7, lambda self, value: None)  # type: ignore[assignment]
        assert codec.decode(data)[0].size == 7


def test_registered_classes_in_restored_objects(wire: Any) -> None:
    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    @dataclass
    class Bill:
        name: str
        total: Money
        paid: Money = field(init=False)

        def __post_init__(self) -> None:
            calls.append("Bill")
            self.paid = self.total

    serow.register(Money, to=lambda money: money.cents, from_=Money, type=int)
    bill = Bill("a", Money(5))
    calls.clear()
    [back] = serow.loads(serow.dumps([bill], wire=wire), type=Bill)
    assert (back.name, back.total.cents, back.paid.cents, calls) == ("a", 5, 5, [])


@dataclass(eq=False)
class Held:
    size: int
    inner: "Slotted | None" = None
    model: Model | None = None


def test_nothing_is_lost_or_kept(wire: Any) -> None:
    rows = [Held(n, Slotted(n), Model(name="x")) for n in range(300)]
    codec = serow.Codec(serow.Schema.of(Held), wire=wire)
    if _native.object_access() == "direct":
        codec.compile("decode")
    data = codec.encode(rows)
    cut = data[:-20] + bytes(20)

    def work() -> None:
        for _ in range(3):
            assert len(codec.decode(data)) == 300
            with pytest.raises(serow.DecodeError):
                codec.decode(cut)
        calls.clear()

    leaks.assert_none(work, [Held, Slotted, Model, Item])
