"""Structs of msgspec as records."""

import copy
import datetime
import enum
import gc
import pickle
import sys
import weakref
from typing import Annotated, Any, Generic, TypeVar

import msgspec
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from serow import _native

T = TypeVar("T")

# What `__post_init__` was called with.
calls: list[Any] = []


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Point(msgspec.Struct):
    x: int
    y: float = 0.5


class Cat(msgspec.Struct, tag=True):
    name: str
    lives: int = 9


class Dog(msgspec.Struct, tag="hound", tag_field="kind", array_like=True):
    name: str
    friends: list["Cat | Dog"] = []


class Part(msgspec.Struct, frozen=True, kw_only=True, order=True):
    key: int = 1
    name: str
    color: Color | None = None
    at: datetime.datetime | None = None
    more: dict[str, Point] = msgspec.field(default_factory=dict)


class Child(Part, frozen=True, kw_only=True):
    extra: tuple[int, ...] = ()


class Untracked(msgspec.Struct, gc=False, array_like=True):
    a: int
    b: str


class Hashed(msgspec.Struct, frozen=True, cache_hash=True, weakref=True):
    a: int
    b: str


class Open(msgspec.Struct, dict=True, weakref=True):
    a: int
    b: list[int] = []


class Tree(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    kids: list["Tree"] = []


class Page(msgspec.Struct, Generic[T]):
    items: list[T]
    more: bool = False


class Counted(msgspec.Struct):
    size: int

    def __post_init__(self) -> None:
        calls.append(self.size)
        if self.size < 0:
            raise ValueError("a size is not negative")
        self.size += 1


class Empty(msgspec.Struct):
    pass


Made = msgspec.defstruct("Made", [("a", int), ("b", str, "x")])


def hashed(a: int, b: str) -> Hashed:
    """Give a Struct that has computed its hash."""
    made = Hashed(a, b)
    assert hash(made) == hash(made)
    return made


ROWS: list[tuple[Any, list[Any]]] = [
    (Point, [Point(1), Point(-(2**63), float("inf"))]),
    (Cat, [Cat("a"), Cat("b", 1)]),
    (Dog, [Dog("a"), Dog("b", [Cat("c"), Dog("d", [Dog("e")])])]),
    (Cat | Dog, [Cat("a"), Dog("b"), Dog("d", [Cat("e", 2)])]),
    (Part, [Part(name="x"), Part(key=2, name="", color=Color.BLUE, more={"p": Point(1)})]),
    (Child, [Child(name="x", extra=(1, 2)), Child(key=2, name="y")]),
    (Untracked, [Untracked(1, "x"), Untracked(2, "y")]),
    (Hashed, [hashed(1, "x"), Hashed(2, "y")]),
    (Open, [Open(1), Open(2, [3])]),
    (Tree, [Tree("a", [Tree("b", [Tree("c")]), Tree("d")]), Tree("e")]),
    (Page[int], [Page([1, 2]), Page([], True)]),
    (Page[Cat], [Page([Cat("a")])]),
    (Empty, [Empty(), Empty()]),
    (Made, [Made(1), Made(2, "y")]),
]


def identifier(of: Any) -> str:
    return str(getattr(of, "__name__", of))


@pytest.mark.parametrize(("of", "rows"), ROWS, ids=[identifier(of) for of, _ in ROWS])
def test_structs_come_back(of: Any, rows: list[Any], wire: Any, access: str) -> None:
    codec = serow.Codec(of, wire=wire)
    data = codec.encode(rows)
    for tier in ("interpreter", "compiled"):
        if tier == "compiled" and access == "direct" and _native.HAS_COMPILER:
            codec.compile()
        for back in (
            codec.decode(data),
            codec.decode(codec.encode(rows)),
            serow.loads(serow.dumps(rows, wire=wire), type=of),
            serow.loads(serow.dumps(rows * 50, wire=wire), type=of)[: len(rows)],
        ):
            assert back == rows
            assert [repr(row) for row in back] == [repr(row) for row in rows]
            assert [type(row) for row in back] == [type(row) for row in rows]
            assert msgspec.msgpack.encode(back) == msgspec.msgpack.encode(rows)
    if of not in (Tree, Dog, Cat | Dog):
        assert [codec.decode_one(codec.encode_one(row)) for row in rows] == rows


def test_the_schema_has_the_fields() -> None:
    assert str(serow.Schema.of(Part)) == (
        "Part{key: i64, name: str, color: enum Color{RED, BLUE}?, "
        "at: (timestamp|timestamptz)?, more: {str: Point{x: i64, y: f64}}}"
    )
    assert str(serow.Schema.of(Cat)) == "Cat{name: str, lives: i64}"
    assert str(serow.Schema.of(Dog)) == "Dog{name: str, friends: [Cat{name: str, lives: i64}|^0]}"
    assert str(serow.Schema.of(Page[str])) == "Page{items: [str], more: bool}"
    assert str(serow.Schema.of(Tree)) == "Tree{name: str, kids: [^0]}"
    with pytest.raises(serow.SchemaError, match=r"Page.items: T is a type variable"):
        serow.Schema.of(Page)


@given(st.lists(st.builds(Part, name=st.text(), key=st.integers(-(2**63), 2**63 - 1))))
def test_any_values_come_back(rows: list[Part]) -> None:
    assert serow.loads(serow.dumps(rows), type=Part) == rows


def test_rows_of_dicts_get_the_defaults(wire: Any) -> None:
    [first, second] = serow.loads(serow.dumps([{"name": "a"}] * 2, wire=wire), type=Part)
    assert first == Part(name="a")
    assert first.more is not second.more
    assert serow.loads(serow.dumps([{"name": "a", "other": 1}], wire=wire), type=Tree) == [
        Tree("a")
    ]
    with pytest.raises(serow.SchemaError, match=r"field name: .*has no default"):
        serow.loads(serow.dumps([{"key": 1}], wire=wire), type=Part)
    assert serow.loads(serow.dumps([Cat("a")], wire=wire), type=Made | Cat) == [Cat("a")]


def test_restored_structs_are_like_others(wire: Any, access: str) -> None:
    [row] = serow.loads(serow.dumps([Part(name="a")], wire=wire), type=Part)
    with pytest.raises(AttributeError, match="immutable"):
        row.name = "b"
    assert (copy.copy(row), pickle.loads(pickle.dumps(row))) == (row, row)
    assert msgspec.structs.replace(row, name="c") == Part(name="c")
    [made] = serow.loads(serow.dumps([Hashed(1, "x")], wire=wire), type=Hashed)
    assert weakref.ref(made)() is made
    assert hash(made) == hash(Hashed(1, "x"))
    [open_one] = serow.loads(serow.dumps([Open(1)], wire=wire), type=Open)
    open_one.other = 5
    assert vars(open_one) == {"other": 5}
    with pytest.raises(serow.EncodeError, match="its attribute other is not a field of the class"):
        serow.dumps([open_one], wire=wire)
    [untracked] = serow.loads(serow.dumps([Untracked(1, "x")], wire=wire), type=Untracked)
    assert not gc.is_tracked(untracked)


def test_cycles_through_restored_structs_are_collected(wire: Any) -> None:
    class Node(msgspec.Struct, weakref=True):
        name: str
        next: Any = None

    rows = serow.loads(serow.dumps([{"name": "a"}] * 20, wire=wire), type=Node)
    alive = [weakref.ref(row) for row in rows]
    for row in rows:
        row.next = row
    del rows, row
    gc.collect()
    assert not any(one() for one in alive)


def test_no_references_are_lost_or_kept(wire: Any, access: str) -> None:
    text = "a text that is no other"
    rows = [Untracked(1, text), Untracked(2, text)]
    before, of_class = sys.getrefcount(text), sys.getrefcount(Untracked)
    for _ in range(20):
        back = serow.loads(serow.dumps(rows, wire=wire), type=Untracked)
    del back
    assert sys.getrefcount(text) == before
    assert abs(sys.getrefcount(Untracked) - of_class) < 10


def test_only_validating_readers_call_the_class(wire: Any, access: str) -> None:
    rows = [Counted(1), Counted(2)]
    data = serow.dumps(rows, wire=wire)
    calls.clear()
    assert serow.loads(data, type=Counted) == rows
    assert calls == []
    assert [row.size for row in serow.loads(data, type=Counted, validate=True)] == [3, 4]
    assert calls == [2, 3]
    with pytest.raises(serow.DecodeError, match=r"row 0.*a size is not negative") as raised:
        serow.loads(serow.dumps([{"size": -1}], wire=wire), type=Counted, validate=True)
    assert isinstance(raised.value.__cause__, ValueError)
    given_names = [{"name": "x", "key": 3}]
    assert serow.loads(serow.dumps(given_names, wire=wire), type=Part, validate=True) == [
        Part(name="x", key=3)
    ]


def test_a_metaclass_with_a_call_of_its_own_is_called(wire: Any) -> None:
    class Meta(type(msgspec.Struct)):  # type: ignore[misc]
        def __call__(cls, *args: Any, **named: Any) -> Any:
            calls.append(named)
            return super().__call__(*args, **named)

    class Of(msgspec.Struct, metaclass=Meta):
        a: int

    rows = [Of(1)]
    calls.clear()
    assert serow.loads(serow.dumps(rows, wire=wire), type=Of) == rows
    assert calls == [{"a": 1}]


class Camel(msgspec.Struct, rename="camel"):
    first_name: str
    last_name: str = msgspec.field(default="?", name="surname")
    age: int = 0


class Swapped(msgspec.Struct, rename={"a": "b", "b": "a"}):
    a: int
    b: int


class Named(msgspec.Struct, rename="upper"):
    user: Annotated[str, serow.Name("account", was=["login"])]


def test_the_names_of_other_formats_are_read(wire: Any) -> None:
    assert str(serow.Schema.of(Camel)) == "Camel{first_name: str, last_name: str, age: i64}"
    rows = [{"firstName": "a", "surname": "b"}, {"firstName": "c", "surname": "d"}]
    assert serow.loads(serow.dumps(rows, wire=wire), type=Camel) == [
        Camel("a", "b"),
        Camel("c", "d"),
    ]
    assert msgspec.json.decode(msgspec.json.encode(Camel("a", "b")), type=Camel) == Camel("a", "b")
    assert serow.loads(serow.dumps([Camel("a", "b", 3)], wire=wire), type=Camel) == [
        Camel("a", "b", 3)
    ]
    # A name that is also another field's means that field.
    assert serow.loads(serow.dumps([{"a": 1, "b": 2}], wire=wire), type=Swapped) == [Swapped(1, 2)]
    for name in ("account", "login", "USER"):
        assert serow.loads(serow.dumps([{name: "x"}], wire=wire), type=Named) == [Named("x")]
    assert serow.loads(serow.dumps([Named("x")], wire=wire))[0]._fields == ("account",)


def test_a_name_in_a_text_is_found(wire: Any) -> None:
    source = (
        "from __future__ import annotations\n"
        "from typing import Annotated\n"
        "import msgspec, serow\n"
        "class Base(msgspec.Struct):\n"
        "    user: Annotated[str, serow.Name('account')]\n"
        "class User(Base):\n"
        "    id: int = 0\n"
    )
    space: dict[str, Any] = {"__name__": "serow_test_of_structs"}
    module = type(sys)("serow_test_of_structs")
    sys.modules[module.__name__] = module
    try:
        exec(source, vars(module) | space, vars(module))
        [row] = serow.loads(serow.dumps([module.User("x")], wire=wire))
        assert row._asdict() == {"account": "x", "id": 0}
        assert serow.loads(serow.dumps([module.User("x")]), type=module.User) == [module.User("x")]
    finally:
        del sys.modules[module.__name__]


def test_a_field_that_is_unset_says_what_to_use() -> None:
    class Sometimes(msgspec.Struct):
        a: int | msgspec.UnsetType = msgspec.UNSET

    with pytest.raises(serow.SchemaError, match=r"Sometimes\.a: .*use None and the default None"):
        serow.Schema.of(Sometimes)
    with pytest.raises(serow.EncodeError, match="a record has all its fields; use None"):
        serow.dumps([Sometimes()])


def test_structs_are_read_in_other_ways(tmp_path: Any) -> None:
    path = tmp_path / "structs"
    rows = [Point(n) for n in range(10)]
    with serow.Writer(path) as writer:
        writer.write_rows(rows)
    with serow.Reader(path, type=Point) as reader:
        assert list(reader) == rows
    with serow.view(path, type=Point) as indexed:
        assert indexed[3] == Point(3)
    pytest.importorskip("pyarrow")
    assert list(serow.from_arrow(serow.to_arrow(rows), type=Point)) == rows


def test_msgspec_is_only_used_if_it_is_loaded() -> None:
    import subprocess

    program = (
        "import serow, sys\n"
        "from dataclasses import dataclass\n"
        "@dataclass\nclass A:\n    x: int\n"
        "assert serow.loads(serow.dumps([A(1)]), type=A) == [A(1)]\n"
        "assert 'msgspec' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
