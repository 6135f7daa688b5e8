"""Types that only the rows tell, types that contain themselves, and sequences read as others."""

import collections
import enum
import io
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, NewType, Optional, TypedDict

import attrs
import numpy as np
import pydantic
import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Event:
    id: int
    payload: dict[str, Any]
    extra: Any = None


@dataclass
class Tree:
    value: int
    kids: list["Tree"] = field(default_factory=list)


@dataclass
class Pair:
    color: Color
    left: Optional["Pair"] = None
    right: Optional["Pair"] = None
    note: Any = None


class Linked(NamedTuple):
    value: int
    next: Optional["Linked"] = None  # type: ignore[misc]


class Keyed(TypedDict):
    value: int
    next: Optional["Keyed"]


@attrs.define
class Folder:
    name: str
    files: dict[str, "Folder | int"] = attrs.Factory(dict)


class Model(pydantic.BaseModel):
    value: int
    kids: list["Model"] = []
    extra: Any = None


@dataclass
class Add:
    left: "Expression"
    right: "Expression"


@dataclass
class Negate:
    of: "Expression"


@dataclass
class Call:
    name: str
    arguments: tuple["Expression", ...]


Expression = Add | Negate | Call | int | str

Plain = collections.namedtuple("Plain", "a b")


@attrs.define
class Loose:
    a = attrs.field()


@dataclass
class Signal:
    numbers: NDArray[np.float32]
    parts: list["Signal"]
    any: Any


TYPES: list[tuple[Any, str, list[Any]]] = [
    (Any, "any", [1, "x", None, [1.5, {"a": b"b"}]]),
    (object, "any", [(1, 2), (3, 4)]),
    (list[Any], "[any]", [[1, "x"], [None], []]),
    (dict[str, Any] | None, "{str: any}?", [{"a": 1, "b": [2]}, None]),
    (Any | int, "any", [1, "a"]),
    (
        Event,
        "Event{id: i64, payload: {str: any}, extra: any}",
        [Event(1, {"a": [1, "x", None]}), Event(2, {}), Event(3, {"b": 2.5}, (1, Color.RED.name))],
    ),
    (Tree, "Tree{value: i64, kids: [^0]}", [Tree(1, [Tree(2, [Tree(3)]), Tree(4)]), Tree(5)]),
    (list[Tree], "[Tree{value: i64, kids: [^0]}]", [[Tree(1, [Tree(2)])], []]),
    (
        tuple[Tree, Tree],
        "(Tree{value: i64, kids: [^0]}, ^0)",
        [(Tree(1), Tree(2, [Tree(3)]))],
    ),
    (
        Pair,
        "Pair{color: enum Color{RED, BLUE}, left: ^0?, right: ^0?, note: any}",
        [
            Pair(Color.RED, Pair(Color.BLUE, note=[1]), Pair(Color.RED, Pair(Color.BLUE))),
            Pair(Color.BLUE, right=Pair(Color.RED), note="x"),
        ],
    ),
    (Linked, "Linked{value: i64, next: ^0?}", [Linked(1, Linked(2, Linked(3))), Linked(4)]),
    (Keyed, '{"value": i64, "next": ^0?}', [{"value": 1, "next": {"value": 2, "next": None}}]),
    (
        Folder,
        "Folder{name: str, files: {str: i64|^0}}",
        [Folder("a", {"b": 1, "c": Folder("d", {"e": Folder("f")})}), Folder("g")],
    ),
    (
        Model,
        "Model{value: i64, kids: [^0], extra: any, __pydantic_fields_set__: {str}?}",
        [Model(value=1, kids=[Model(value=2, extra={"a": None})]), Model(value=3)],
    ),
    (
        Expression,
        "i64|str|Add{left: i64|str|Negate{of: i64|str|Call{name: str, arguments: "
        "(i64|str|^0|^1|^2, ...)}|^0|^1}|^0|^2, right: i64|str|^0|^1|^2}|^1|^2",
        [
            Add(Call("f", (1, Negate("x"), Add(1, 2))), Negate(Add(1, "y"))),
            3,
            Negate(Call("g", ())),
        ],
    ),
    (Plain, "Plain{a: any, b: any}", [Plain(1, "x"), Plain(None, 2)]),
    (Loose, "Loose{a: any}", [Loose(1), Loose("x")]),
]

if sys.version_info >= (3, 12):
    NEW: Any = type(sys)("NEW")
    exec("type Json = None | bool | int | float | str | list[Json] | dict[str, Json]", vars(NEW))
    JSON = [{"a": [1, None, {"b": 2.5}]}, [True, "x"], 3, None]
    TYPES.append((NEW.Json, "(i64|f64|str|bool|[any]|{str: any})?", JSON))


@pytest.mark.parametrize(("of", "schema", "rows"), TYPES, ids=[str(of)[:40] for of, _, _ in TYPES])
def test_rows_of_an_open_type_come_back(
    of: Any, schema: str, rows: list[Any], wire: Any, access: str
) -> None:
    codec = serow.Codec(serow.Schema.of(of), wire=wire)
    assert str(codec.schema) == schema
    assert serow.Schema.parse(schema) == codec.schema
    messages = [serow.dumps(rows, wire=wire), codec.encode(rows), codec.encode(iter(rows))]
    for message in messages:
        for back in (serow.loads(message, type=of), codec.decode(message)):
            assert repr(back) == repr(rows)
            assert back == rows
    assert codec.decode(codec.encode([])) == []
    file = io.BytesIO()
    with serow.Writer(file, wire=wire) as writer:
        for row in rows:
            writer.write(row)
    file.seek(0)
    assert list(serow.Reader(file, type=of)) == rows
    assert repr(serow.from_arrow(serow.to_arrow(rows, type=of), type=of)) == repr(rows)


def test_fields_that_were_given_come_back() -> None:
    rows = [Model(value=1, kids=[Model(value=2, extra=1), Model(value=3)])]
    (back,) = serow.loads(serow.dumps(rows), type=Model)
    assert back.model_fields_set == {"value", "kids"}
    assert [kid.model_fields_set for kid in back.kids] == [{"value", "extra"}, {"value"}]


def test_arrays_in_types_that_contain_themselves() -> None:
    rows = [Signal(np.ones(2, "f4"), [Signal(np.zeros(3, "f4"), [], [1.5])], None)]
    for wire in ("frame", "row"):
        (back,) = serow.loads(serow.dumps(rows, wire=wire), type=Signal)
        assert back.numbers.dtype == back.parts[0].numbers.dtype == np.float32
        assert back.parts[0].numbers.tolist() == [0, 0, 0]
        assert back.parts[0].any == [1.5]


def test_a_field_that_is_missing_is_none_or_its_default() -> None:
    @dataclass
    class Now:
        id: int
        any: Any
        more: Any = 7

    assert serow.loads(serow.dumps([{"id": 1}]), type=Now) == [Now(1, None, 7)]
    assert serow.loads(serow.dumps([{"id": 1, "any": 2}, {"id": 3}]), type=Now) == [
        Now(1, 2),
        Now(3, None),
    ]


def test_many_classes_that_contain_each_other_have_a_short_schema() -> None:
    names = [f"N{at}" for at in range(40)]
    every = " | ".join(names)
    source = "".join(f"@dataclass\nclass {name}:\n    of: '{every} | int'\n" for name in names)
    made: dict[str, Any] = {"dataclass": dataclass, "__name__": __name__}
    exec(source, made)
    for name in names:
        setattr(sys.modules[__name__], name, made[name])
    row = 1
    for name in reversed(names):
        row = made[name](row)
    try:
        codec = serow.Codec(serow.Schema.of(made["N0"]))
        assert codec.decode(codec.encode([row, made["N0"](2)])) == [row, made["N0"](2)]
    finally:
        for name in names:
            delattr(sys.modules[__name__], name)


TREES: Any = st.recursive(
    st.builds(Tree, st.integers(-5, 5)),
    lambda inner: st.builds(Tree, st.integers(-(2**63), 2**63 - 1), st.lists(inner, max_size=3)),
)


@given(st.lists(TREES, max_size=4), st.sampled_from(["frame", "row"]))
def test_any_trees(rows: list[Tree], wire: Any) -> None:
    assert serow.loads(serow.dumps(rows, wire=wire), type=Tree) == rows
    codec = serow.Codec(serow.Schema.of(Tree), wire=wire)
    assert codec.decode(codec.encode(rows)) == rows


def test_the_code_of_a_closed_type_gives_the_same_rows(wire: Any) -> None:
    rows = [Pair(Color.RED, Pair(Color.BLUE, note=at), note="x") for at in range(3000)]
    codec = serow.Codec(serow.Schema.of(Pair), wire=wire)
    codec.compile()
    message = codec.encode(rows)
    for _ in range(20):
        assert codec.decode(message) == rows


@pytest.mark.once
def test_a_record_of_another_known_schema_is_read() -> None:
    known = serow.Schema.parse("Event{id: i64, payload: {str: i64}, extra: null}")
    record = serow.Codec(known).encode_one(Event(1, {"a": 2}))
    schemas = serow.SchemaSet([known])
    codec = serow.Codec(serow.Schema.of(Event), schemas=schemas)
    assert codec.decode_one(record) == Event(1, {"a": 2})


@pytest.mark.once
@pytest.mark.parametrize("type_list", [[39], [11, 39], [31, 34, 1, 97, 40, 0, 33]], ids=str)
def test_a_message_never_has_an_open_schema(type_list: list[int]) -> None:
    frame = wire_format.RawFrame(1, 0, wire_format.spelled(type_list), b"\0" * 8)
    with pytest.raises(serow.DecodeError, match=r"schema is damaged: .*code (39|40) is not a type"):
        serow.loads(wire_format.message(frame))


@pytest.mark.once
def test_a_class_that_contains_itself_is_refused_where_a_value_is_converted() -> None:
    class Box:
        pass

    class Boxed(TypedDict):
        box: Box
        next: Optional["Boxed"]

    serow.register(Box, to=lambda box: 1, from_=lambda one: Box(), type=int)
    try:
        with pytest.raises(
            serow.SchemaError, match="instances of a registered class; make it a da"
        ):
            serow.Schema.of(Boxed)
    finally:
        serow._registered.CLASSES.pop(Box)  # type: ignore[attr-defined]


SEQUENCES = [
    (list[int], [[1, 2], [3]]),
    (tuple[int, ...], [(1, 2), (3,)]),
    (set[int], [{1, 2}, {3}]),
    (frozenset[int], [frozenset({1, 2}), frozenset({3})]),
]


@pytest.mark.parametrize(("source", "rows"), SEQUENCES, ids=lambda it: str(it)[:20])
@pytest.mark.parametrize(("target", "expected"), SEQUENCES, ids=lambda it: str(it)[:20])
def test_sequences_are_read_as_the_annotation_says(
    source: Any, rows: Any, target: Any, expected: Any, wire: Any, access: str
) -> None:
    message = serow.dumps([*rows, type(rows[0])()], wire=wire)
    back = serow.loads(message, type=target)
    assert [*map(type, back)] == [type(expected[0])] * 3
    assert [*map(sorted, back)] == [[1, 2], [3], []]
    inside = serow.loads(
        serow.dumps([{"a": row} for row in rows], wire=wire), type=dict[str, target]
    )
    assert [sorted(row["a"]) for row in inside] == [[1, 2], [3]]
    assert type(inside[0]["a"]) is type(expected[0])


@pytest.mark.once
def test_sequences_of_json(wire: Any) -> None:
    @dataclass
    class Part:
        place: tuple[int, str, float]
        tags: set[str]
        sizes: tuple[float, ...] | None
        either: tuple[int, ...] | str

    rows = [
        {"place": [1, "a", 2.5], "tags": ["x", "y"], "sizes": [1, 2], "either": [1]},
        {"place": [2, "b", 3.5], "tags": [], "sizes": None, "either": "z"},
    ]
    assert serow.loads(serow.dumps(rows, wire=wire), type=Part) == [
        Part((1, "a", 2.5), {"x", "y"}, (1.0, 2.0), (1,)),
        Part((2, "b", 3.5), set(), None, "z"),
    ]
    with pytest.raises(serow.DecodeError, match="elements that are equal in Python: 'x' and 'x'"):
        serow.loads(serow.dumps([["x", "x"]], wire=wire), type=set[str])


@dataclass
class OldNode:
    title: str
    children: list["OldNode"]
    data: Any = None


@dataclass
class NewNode:
    name: Annotated[str, serow.Name("name", was=["title"])]
    kids: Annotated[list["NewNode"], serow.Name("kids", was=["children"])]
    about: Annotated[Any, serow.Name("about", was=["data"])] = None


@pytest.mark.once
def test_renamed_fields_of_types_that_contain_themselves() -> None:
    old = [OldNode("a", [OldNode("b", [], {"x": 1})]), OldNode("c", [], [1, None])]
    new = [NewNode("a", [NewNode("b", [], {"x": 1})]), NewNode("c", [], [1, None])]
    named = serow.name("Node", was=["OldNode"])
    assert serow.loads(serow.dumps(new), type=NewNode) == new
    with pytest.raises(serow.SchemaError, match="it is record OldNode, not NewNode"):
        serow.loads(serow.dumps(old), type=NewNode)
    named(NewNode)
    try:
        assert serow.loads(serow.dumps(old), type=NewNode) == new
        comparison = serow.Schema.of(NewNode).compare(serow.Schema.infer(old))
        assert comparison.reads
        assert not comparison.warnings
    finally:
        del NewNode.__serow_name__  # type: ignore[attr-defined]


Alias = NewType("Alias", Tree)


@dataclass
class Twice:
    one: Alias | Tree


def test_a_class_that_contains_itself_may_be_in_a_union_by_two_names() -> None:
    assert str(serow.Schema.of(Twice)) == "Twice{one: Tree{value: i64, kids: [^1]}}"
    rows = [Twice(Tree(1, [Tree(2)]))]
    assert serow.loads(serow.dumps(rows), type=Twice) == rows
    plain = [{"one": {"value": 1, "kids": [{"value": 2, "kids": []}]}}]
    assert serow.loads(serow.dumps(plain), type=Twice) == rows


@pytest.mark.once
def test_a_list_of_two_fields_with_an_open_one() -> None:
    codec = serow.Codec("[i64, any]")
    for rows in ([[1, "a"]], [[1, 2]], [[1, 2], [3, "x"]], [[1, None]]):
        assert codec.decode(codec.encode(rows)) == rows
    assert codec.decode(serow.dumps([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    with pytest.raises(serow.DecodeError, match=r"row 1.*the list has 1 element, and the reader's"):
        codec.decode(serow.dumps([[1, 2], [3]]))


@pytest.mark.once
def test_an_open_schema_compared_with_itself() -> None:
    schema = serow.Schema.of(Event)
    comparison = schema.compare(schema)
    assert comparison.reads
    assert [(change.path, change.kind) for change in comparison] == [
        ("id", "same"),
        ("payload", "same"),
        ("extra", "same"),
    ]
    codec = serow.Codec(schema)
    codec.compile()
    assert codec.tier == "interpreter"
