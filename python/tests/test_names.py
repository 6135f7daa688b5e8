"""Names that change: rows are read by the former names of classes, fields and members."""

import copy
import ctypes
import dataclasses
import enum
import io
import operator
import pickle
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, NamedTuple

import attrs
import pydantic
import pytest
import serow
from typing_extensions import Required, TypedDict

pytestmark = pytest.mark.tiers


class OldColor(enum.Enum):
    ROT = 1
    BLAU = 2


OldColor.__name__ = "Colour"

Addr = make_dataclass("Addr", [("street", str)])
Account = make_dataclass(
    "Account",
    [
        ("id", int),
        ("login", str),
        ("addr", Addr),
        ("more", list[Addr]),
        ("color", OldColor),
    ],
)
OLD = [
    Account(1, "ann", Addr("x"), [], OldColor.ROT),
    Account(2, "bob", Addr("y"), [Addr("z")], OldColor.BLAU),
]


@serow.name("Address", was=["Addr", "Location"])
@dataclass
class PostalAddress:
    line: Annotated[str, serow.Name(was=["street"])]


MEMBERS = {"RED": serow.Name(was=["ROT"]), "BLUE": serow.Name("blau", was="BLAU")}


@serow.name("Color", was="Colour", members=MEMBERS)
class Color(enum.Enum):
    RED = "r"
    BLUE = "b"


@dataclass
class User:
    username: Annotated[str, serow.Name("user", was=["nick", "login"])]
    id: int
    color: Color
    addr: PostalAddress
    email: str | None = None
    more: list[PostalAddress] = field(default_factory=list)


NEW = [
    User("ann", 1, Color.RED, PostalAddress("x")),
    User("bob", 2, Color.BLUE, PostalAddress("y"), None, [PostalAddress("z")]),
]


def test_rows_of_former_names_are_read(wire: Any) -> None:
    message = serow.dumps(OLD, wire=wire)
    assert serow.loads(message, type=User) == NEW
    codec = serow.Codec(serow.Schema.of(User), wire=wire)
    assert codec.decode(message) == NEW
    assert [*serow.Reader(io.BytesIO(message), type=User)] == NEW


def test_records_of_former_names_are_read() -> None:
    old = serow.Codec(serow.Schema.infer(OLD))
    codec = serow.Codec(serow.Schema.of(User), schemas=serow.SchemaSet([old.schema]))
    for row, expected in zip(OLD, NEW, strict=True):
        assert codec.decode_one(old.encode_one(row)) == expected


def test_compiled_code_reads_former_names(wire: Any) -> None:
    message = serow.dumps(OLD * 2_000, wire=wire)
    codec = serow.Codec(serow.Schema.of(User), wire=wire)
    for _ in range(3):
        assert codec.decode(message) == NEW * 2_000


def test_the_names_of_the_schema_are_written(wire: Any) -> None:
    schema = serow.Schema.of(User)
    address = "Address{line: str}"
    assert str(schema) == (
        f"User{{user: str, id: i64, color: enum Color{{RED, blau}}, addr: {address}, email: str?, "
        f"more: [{address}]}}"
    )
    rows = [*NEW, User("c", 3, Color.RED, PostalAddress("z"), "e")]
    assert serow.Schema.infer(rows) == schema
    codec = serow.Codec(schema, wire=wire)
    for message in (serow.dumps(rows, wire=wire), codec.encode(rows)):
        assert codec.decode(message) == rows
        record = serow.loads(message)[1]
        assert record._fields[0] == "user"
        assert record.color.name == "blau"
    assert codec.decode_one(codec.encode_one(rows[2])) == rows[2]
    file = io.BytesIO()
    with serow.Writer(file, wire=wire) as writer:
        for row in rows:
            writer.write(row)
    assert [*serow.Reader(io.BytesIO(file.getvalue()), type=User)] == rows


def test_arrow_has_the_names_of_the_schema() -> None:
    pa = pytest.importorskip("pyarrow")

    @dataclass
    class Row:
        username: Annotated[str, serow.Name("user", was=["login"])]
        id: int

    table = pa.table(serow.to_arrow([Row("ann", 1)]))
    assert table.column_names == ["user", "id"]
    assert serow.from_arrow(table, type=Row) == [Row("ann", 1)]
    former = table.rename_columns(["login", "id"])
    assert serow.from_arrow(former, type=Row) == [Row("ann", 1)]


def test_the_present_name_comes_first_then_the_order_of_the_former_ones() -> None:
    @dataclass
    class Row:
        x: Annotated[int, serow.Name(was=["b", "a"])]

    def read(**row: int) -> int:
        (read,) = serow.loads(serow.dumps([row]), type=Row)
        return read.x

    assert read(a=1, b=2, x=3) == read(x=3, b=2) == 3
    assert read(a=1, b=2) == read(b=2) == 2
    assert read(a=1) == 1
    with pytest.raises(serow.SchemaError, match="field x: the writer's schema lacks it"):
        read(c=1)


def test_rows_that_have_either_name_are_refused_and_lose_nothing() -> None:
    @dataclass
    class Row:
        x: Annotated[int | None, serow.Name(was=["a"])] = None

    message = serow.dumps([{"a": 1}, {"x": 2}])
    with pytest.raises(serow.SchemaError, match="field x: a row may have it as x or as a"):
        serow.loads(message, type=Row)


def _attrs() -> Any:
    @attrs.define
    class Row:
        id: int
        _name: str = attrs.field(metadata={"serow": serow.Name("name", was=["login"])})

    return Row, Row(1, "ann")


def _dataclass() -> Any:
    @dataclass(slots=True)
    class Row:
        id: int
        called: str = field(metadata={"serow": serow.Name("name", was=["login"])})

    return Row, Row(1, "ann")


def _late() -> Any:
    @dataclass
    class Row:
        id: int
        called: Annotated[str, serow.Name("name", was=["login"])] = field(init=False)

    row = Row(1)
    row.called = "ann"
    return Row, row


def _named_tuple() -> Any:
    class Row(NamedTuple):
        id: int
        called: Annotated[str, serow.Name("name", was=["login"])]

    return Row, Row(1, "ann")


def _pydantic() -> Any:
    class Row(pydantic.BaseModel):
        id: int
        called: Annotated[str, serow.Name("name", was=["login"])]

    return Row, Row(id=1, called="ann")


def _pydantic_dataclass() -> Any:
    @pydantic.dataclasses.dataclass
    class Row:
        id: int
        called: Annotated[str, serow.Name("name", was=["login"])]

    return Row, Row(id=1, called="ann")


KINDS = [_attrs, _dataclass, _late, _named_tuple, _pydantic, _pydantic_dataclass]


@pytest.mark.parametrize("make", KINDS)
def test_all_kinds_of_classes_have_names(make: Callable[[], Any], access: str) -> None:
    cls, row = make()
    schema = serow.Schema.of(cls)
    assert str(schema) == "Row{id: i64, name: str}" == str(serow.Schema.infer([row]))
    message = serow.dumps([row])
    assert serow.loads(message, type=cls) == [row]
    assert serow.loads(serow.dumps([{"login": "ann", "id": 1}]), type=cls) == [row]
    assert serow.Codec(schema).decode_one(serow.Codec(schema).encode_one(row)) == row


def test_a_typed_dict_has_former_names_only() -> None:
    class Row(TypedDict, total=False):
        name: Annotated[str, serow.Name(was=["login"])]
        id: Required[Annotated[int, serow.Name("id")]]

    assert serow.loads(serow.dumps([{"login": "ann", "id": 1}]), type=Row) == [
        {"name": "ann", "id": 1}
    ]
    renamed: Any = TypedDict("renamed", {"name": Annotated[str, serow.Name("login")]})
    with pytest.raises(serow.SchemaError, match="key name can't have the name login"):
        serow.Schema.of(renamed)
    with pytest.raises(TypeError, match="a TypedDict is a dict, which has no name"):
        serow.name("Other")(renamed)


def test_an_attribute_of_the_class_names_it_and_subclasses_have_other_names() -> None:
    @dataclass
    class Base:
        __serow_name__ = serow.Name("B", was=["Old"])
        x: Annotated[int, serow.Name("y")]

    @dataclass
    class Derived(Base):
        z: int = 0

    derived = "Derived{y: i64, z: i64}"
    assert str(serow.Schema.infer([[Base(1), Derived(1)]])) == f"[B{{y: i64}}, {derived}]"
    assert str(serow.Schema.of(Derived)) == derived
    old = serow.dumps([[make_dataclass("Old", ["y"])(1)]])
    assert serow.loads(old, type=list[Base]) == [[Base(1)]]
    with pytest.raises(serow.SchemaError, match="it is record Old, not Derived"):
        serow.loads(old, type=list[Derived])


def test_a_name_may_be_given_after_rows_were_encoded() -> None:
    @dataclass
    class Row:
        x: int

    codec = serow.Codec(serow.Schema.parse("Row{x: i64}"))
    assert codec.encode_one(Row(1))
    assert str(serow.Schema.infer([Row(1)])) == "Row{x: i64}"
    serow.name("Line")(Row)
    assert str(serow.Schema.infer([Row(1)])) == str(serow.Schema.of(Row)) == "Line{x: i64}"
    with pytest.raises(serow.EncodeError):
        codec.encode_one(Row(1))
    assert serow.Codec(serow.Schema.of(Row)).encode_one(Row(1))


def test_unions_choose_the_class_that_had_the_name() -> None:
    @serow.name(was=["Circle"])
    @dataclass
    class Disc:
        r: int

    @serow.name(was=["Rect"])
    @dataclass
    class Box:
        w: Annotated[int, serow.Name(was=["r"])]

    circle, rect = (make_dataclass(name, [("r", int)]) for name in ("Circle", "Rect"))
    message = serow.dumps([[circle(1), rect(2)], [rect(3), circle(4)]])
    assert serow.loads(message, type=list[Disc | Box]) == [[Disc(1), Box(2)], [Box(3), Disc(4)]]


class Status(enum.IntEnum):
    OK = 200
    GONE = 410


@serow.name(was=["Status"], members={"FINE": serow.Name("fine", was=["GONE"])})
class Code(enum.IntEnum):
    FINE = 200
    LOST = 404
    GOOD = 200


def test_members_match_by_former_names_before_their_values() -> None:
    assert str(serow.Schema.of(Code)) == "enum Code{fine = 200, LOST = 404}"
    assert str(serow.Schema.infer([Code.LOST])) == str(serow.Schema.of(Code))
    message = serow.dumps([[Status.OK, Status.GONE]])
    assert serow.loads(message, type=list[Code]) == [[Code.FINE, Code.FINE]]
    assert serow.loads(serow.dumps([Code.FINE, Code.LOST]), type=Code) == [Code.FINE, Code.LOST]


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(populate_by_name=True)
    username: str = pydantic.Field(validation_alias=pydantic.AliasChoices("username", "login"))
    email: str | None = pydantic.Field(default=None, alias="mail")
    first: int = pydantic.Field(default=0, alias="second")
    second: int = pydantic.Field(default=0, alias="same")
    third: int = pydantic.Field(default=0, alias="same")
    renamed: Annotated[int, serow.Name("now", was=["once"])] = 0


def test_validation_aliases_of_pydantic_are_former_names() -> None:
    names = "username: str, email: str?, first: i64, second: i64, third: i64, now: i64"
    assert str(serow.Schema.of(Model)) == f"Model{{{names}, __pydantic_fields_set__: {{str}}?}}"
    (read,) = serow.loads(serow.dumps([{"login": "ann", "mail": "m"}]), type=Model)
    assert (read.username, read.email) == ("ann", "m")
    # An alias that could mean two fields means none.
    (read,) = serow.loads(serow.dumps([{"login": "a", "second": 1, "same": 2}]), type=Model)
    assert (read.first, read.second, read.third) == (0, 1, 0)


def test_the_fields_that_a_model_was_given_are_renamed() -> None:
    old = pydantic.create_model("Model", username=(str, ...), mail=(str, "?"), once=(int, 0))
    rows = [old(username="a", mail="b"), old(username="a", once=3), old(username="a")]
    given = [{"username", "email"}, {"username", "renamed"}, {"username"}]
    read = serow.loads(serow.dumps(rows), type=Model)
    assert [row.model_fields_set for row in read] == given
    again = serow.loads(serow.dumps(read), type=Model)
    assert again == read
    assert [row.model_fields_set for row in again] == given


def test_a_model_with_private_attributes_is_written_by_its_names() -> None:
    class Row(pydantic.BaseModel):
        x: Annotated[int, serow.Name("y")]
        _cache: int = pydantic.PrivateAttr(default_factory=lambda: 5)

    assert str(serow.Schema.infer([Row(x=1)])) == "Row{y: i64}"
    assert serow.loads(serow.dumps([Row(x=1)]), type=Row)[0].x == 1


@pytest.mark.once
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"a": serow.Name(was=["x"]), "b": serow.Name(was=["y", "x"])},
            "record R: fields a and b have the same former name x",
        ),
        (
            {"a": serow.Name(was=["b"]), "b": serow.Name()},
            "b is a former name of field a and the name",
        ),
        (
            {"a": serow.Name(was=["c"]), "b": serow.Name("c")},
            "c is a former name of field a and the name of another field",
        ),
        ({"a": serow.Name("b"), "b": serow.Name()}, "R: fields a and b have the same name b"),
        (
            {"a": (serow.Name("b"), serow.Name("c"))},
            "R: field a has two names, Name('b') and Name('c')",
        ),
    ],
)
def test_ambiguous_names_are_refused(fields: dict[str, Any], message: str) -> None:
    said = {name: of if isinstance(of, tuple) else (of,) for name, of in fields.items()}
    cls = make_dataclass(
        "R", [(name, operator.getitem(Annotated, (int, *of))) for name, of in said.items()]
    )
    with pytest.raises(serow.SchemaError) as raised:
        serow.Schema.of(cls)
    assert message in str(raised.value)


@pytest.mark.once
def test_misplaced_names_are_refused() -> None:
    name = serow.Name("x")

    def refused(annotation: Any) -> str:
        with pytest.raises(serow.SchemaError) as raised:
            serow.Schema.of(annotation)
        return str(raised.value)

    said = "Name('x') names a field; annotate the whole field with it"
    assert refused(Annotated[int, name]) == said
    assert refused(make_dataclass("R", [("a", Annotated[int, name] | None)])) == f"R.a: {said}"
    wrong = make_dataclass("R", [("a", int, field(metadata={"serow": "x"}))])
    assert refused(wrong) == "R: the metadata 'serow' of field a must be a serow.Name, not 'x'"
    wrong.__serow_name__ = "x"  # type: ignore[attr-defined]
    assert refused(wrong) == "R: its __serow_name__ must be a serow.Name, not 'x'"
    with pytest.raises(serow.EncodeError, match="its __serow_name__ must be a serow"):
        serow.dumps([wrong(1)])
    for make, error in [
        (lambda: serow.Name(1), "a name must be a str, not 1"),  # type: ignore[arg-type]
        (lambda: serow.Name(was=[None]), "a name must be a str, not None"),  # type: ignore[list-item]
        (lambda: serow.name("x")(1), "serow.name names a class, not 1"),  # type: ignore[type-var]
        (lambda: serow.name(members={})(int), "members are for an enum, which int is not"),
        (lambda: serow.name(members={"B": name})(OldColor), "enum OldColor has no member B"),
        (lambda: serow.name(members={"ROT": "x"})(OldColor), "must be a serow.Name, not 'x'"),  # type: ignore[dict-item]
    ]:
        with pytest.raises(TypeError, match=error.replace("(", r"\(")):
            make()
    with pytest.raises(serow.SchemaError, match="has a lone surrogate"):
        serow.Name("\udc80")


def impossible() -> str:
    """Give a text with a number that is no character, as C code or wrong data of NumPy make it."""
    made = "".join(["\U0001f600"] * 2)
    first = id(made) + sys.getsizeof("\U0001f600") - 8
    ctypes.c_uint32.from_address(first).value = 0x110000
    return made


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "why"),
    [("\ud800", "has a lone surrogate"), (impossible(), "has a character beyond U[+]10FFFF")],
    ids=["surrogate", "impossible"],
)
def test_names_and_values_that_no_schema_has_are_errors_with_their_reason(
    name: str, why: str
) -> None:
    class Pair(tuple[int, ...]):
        _fields = (name, "y")

    @dataclasses.dataclass
    class Part:
        x: int

    fields = Part.__dataclass_fields__
    fields[name] = fields.pop("x")
    of_name = enum.Enum("of_name", ["X", "Y"])  # type: ignore[misc]
    members: Any = of_name._member_map_
    members[name] = members.pop("X")
    of_value = enum.Enum("of_value", {"X": name, "Y": "y"}, type=str)  # type: ignore[misc]
    for row in (Pair((1, 2)), Part(1), members["Y"], of_value["Y"]):
        with pytest.raises(serow.EncodeError, match=why):
            serow.dumps([row])
    for annotation in (of_name, of_value, TypedDict("Named", {name: int})):  # type: ignore[misc]
        with pytest.raises(serow.SchemaError, match=why):
            serow.Schema.of(annotation)
    with pytest.raises(serow.SchemaError, match=why):
        serow.Schema.parse(name)
    with pytest.raises(serow.SchemaError, match=why):
        serow.Name(name)


@pytest.mark.once
def test_a_name_is_a_value() -> None:
    name = serow.Name("a", was=("b", "c"))
    assert repr(name) == "Name('a', was=['b', 'c'])"
    assert repr(serow.Name()) == "Name()"
    assert name == serow.Name("a", was=["b", "c"]) != serow.Name("a", was=["c", "b"])
    assert {name: 1}[serow.Name("a", was=["b", "c"])] == 1
    assert name != "a"
    assert pickle.loads(pickle.dumps(name)) == copy.deepcopy(name) == name
    for change in (lambda: setattr(name, "value", "b"), lambda: delattr(name, "was")):
        with pytest.raises(AttributeError, match="Name is immutable"):
            change()


# The first name of this program is made when its text is resolved, while rows are encoded.
AS_TEXT = """
from __future__ import annotations
import enum
from dataclasses import dataclass
from typing import Annotated, NamedTuple
import serow

@dataclass
class Inner:
    x: Annotated[int, serow.Name("y")]

class Pair(NamedTuple):
    left: Annotated[int, serow.Name("l")]
    right: Inner

@dataclass
class Outer:
    inner: list[Inner]
    pair: Annotated[Pair, serow.Name("p")]

row = Outer([Inner(1)], Pair(2, Inner(3)))
{first}
expected = "Outer{inner: [Inner{y: i64}], p: Pair{l: i64, right: Inner{y: i64}}}"
assert str(serow.Schema.of(Outer)) == expected
message = {encode}
assert serow.loads(message, type=Outer) == [row]
assert str(serow.Schema.infer(serow.loads(message))) == expected

def local():
    class Unknown: pass
    @dataclass
    class Plain:
        a: Unknown
    @dataclass
    class Named:
        a: Annotated[Unknown, serow.Name("b")]
    return Plain, Named

plain, named = local()
assert "Plain{a: i64}" == str(serow.Schema.infer([plain(1)]))
try:
    serow.dumps([named(1)])
except serow.EncodeError as error:
    assert "the annotation of its field a can't be resolved: name 'Unknown'" in str(error), error
else:
    raise AssertionError("the name would be lost")
"""


@pytest.mark.once
@pytest.mark.parametrize(
    ("first", "encode"),
    [
        ("", "serow.dumps([row])"),
        ("first = serow.dumps([row])", "first"),
        ("codec = serow.Codec(serow.Schema.of(Outer))", "codec.encode([row])"),
    ],
)
def test_annotations_that_are_text_are_resolved(first: str, encode: str) -> None:
    program = AS_TEXT.replace("{first}", first).replace("{encode}", encode)
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


LATER = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Annotated, TYPE_CHECKING
import serow
if TYPE_CHECKING:
    from decimal import Decimal as Money
@dataclass
class Order:
    amount: Annotated[int, Limit(0)]
    price: Money | None = None
@dataclass
class Named:
    amount: Annotated[Money, serow.Name("sum")]
"""


def test_annotations_that_can_not_be_resolved() -> None:
    module = types.ModuleType("later")
    sys.modules["later"] = module
    try:
        exec(LATER, vars(module))
        rows = [module.Order(1)]
        assert str(serow.Schema.infer(rows)) == "Order{amount: i64, price: null}"
        named = [module.Named(1)]
        with pytest.raises(serow.EncodeError, match="name 'Money' is not defined; it may name"):
            serow.dumps(named)
        vars(module)["Money"] = int
        assert str(serow.Schema.of(module.Named)) == "Named{sum: i64}"
        assert str(serow.Schema.infer(named)) == "Named{sum: i64}"
    finally:
        del sys.modules["later"]


@dataclass
class Owner:
    id: int
    username: Annotated[str, serow.Name("user", was=["login", "nick"])]
    note: str | None = None


@dataclass
class Owned:
    owner: Owner
    others: list[Owner]


@pytest.mark.parametrize("name", ["user", "login", "nick"])
def test_tables_are_encoded_by_former_names_of_their_columns(name: str) -> None:
    pa = pytest.importorskip("pyarrow")
    row = {"id": 1, name: "ann", "note": "x"}
    owner = Owner(1, "ann", "x")
    codec, of_outer = serow.Codec(Owner), serow.Codec(Owned)
    assert codec.decode(codec.encode(pa.Table.from_pylist([row]))) == [owner]
    buffer = bytearray(1000)
    length = codec.encode_into(pa.Table.from_pylist([row]), buffer)
    assert codec.decode(buffer[:length]) == [owner]
    data = of_outer.encode(pa.Table.from_pylist([{"owner": row, "others": [row]}]))
    assert of_outer.decode(data) == [Owned(owner, [owner])]
    file = io.BytesIO()
    with serow.Writer(file, Owner) as writer:
        writer.write_rows(pa.Table.from_pylist([row]))
    assert list(serow.Reader(io.BytesIO(file.getvalue()), type=Owner)) == [owner]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": 1, "note": "x"}, "there is no column for the field user"),
        ({"id": 1, "user": "ann"}, "there is no column for the field note"),
        ({"id": 1, "user": "a", "login": "b", "note": "x"}, "no field for the column login"),
    ],
)
def test_a_table_has_a_column_for_each_field(row: dict[str, Any], said: str) -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(serow.SchemaError, match=said):
        serow.Codec(Owner).encode(pa.Table.from_pylist([row]))
