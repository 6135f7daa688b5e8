"""Members of enums: what they decode to, and which names Python doesn't allow."""

import copy
import enum
import http
import json
import pickle
import signal
from typing import Any

import pytest
import serow
from objects import Color, error, name_codes, trip
from wire_format import RawFrame, message, spelled


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


class Plan(str, enum.Enum):
    FREE = "free"
    PRO = ""


class Shadows(str, enum.Enum):
    """Members that hide attributes of `str` and `Enum`."""

    title = "t"
    value = "v"
    name = "n"
    real = "größe \U0001f98c"


class Described(str, enum.Enum):
    """Members whose `value` is not the string that they are."""

    def __new__(cls, text: str, about: int) -> "Described":
        made = str.__new__(cls, text)
        made._value_ = about  # type: ignore[assignment]
        return made

    A = ("a", 1)
    B = ("b", 2)


class Access(enum.IntFlag):
    READ = 4
    WRITE = 2


class Extreme(int, enum.Enum):
    LEAST = -(2**63)
    ZERO = 0
    MOST = 2**63 - 1


#: Members that are ints or strs as well.
WITH_VALUES: list[Any] = [
    *Plan,
    *Shadows,
    *Described,
    *Access,
    *Extreme,
    *Level,
    http.HTTPStatus.NOT_FOUND,
    signal.SIGINT,
]


class Hostile(enum.Enum):
    A = 1

    def __eq__(self, other: object) -> bool:
        raise AssertionError("no code runs while rows are read")

    def __hash__(self) -> int:
        return 1


def test_members_come_back_by_name(wire: str, access: str) -> None:
    rows: list[Any] = [Color.RED, Color.CRIMSON, Color.GREEN]
    back = trip(rows, wire)
    assert [member.name for member in back] == ["RED", "RED", "GREEN"]
    assert (
        str(serow.Schema.infer(rows)) == "enum Color{RED, GREEN}" == str(serow.Schema.infer(back))
    )
    assert [member.value for member in back] == ["RED", "RED", "GREEN"]
    assert isinstance(back[0], enum.Enum)
    assert back[0] is back[1]
    assert serow.dumps(back, wire=wire) == serow.dumps(rows, wire=wire)
    mixed = [Level.LOW, Right.READ, *Many, None, Color.RED] * 2
    back = [row for (row,) in trip([(row,) for row in mixed], wire)]
    assert [row and (type(row).__name__, row.name) for row in back] == [
        row and (type(row).__name__, row.name) for row in mixed
    ]
    assert serow.loads(serow.dumps([Hostile.A] * 70, wire=wire))[0].name == "A"


def test_members_that_are_ints_or_strs_equal_what_they_were(wire: str, access: str) -> None:
    rows = [(member, [member, None], {member: 1}, {member}) for member in WITH_VALUES]
    back = trip(rows, wire)
    assert back == rows
    assert serow.Schema.infer(back) == serow.Schema.infer(rows)
    assert serow.dumps(back, wire=wire) == serow.dumps(rows, wire=wire)
    for (member, _, _, _), was in zip(back, WITH_VALUES, strict=True):
        plain: Any = str.__str__(was) if isinstance(was, str) else int(was)
        assert isinstance(member, enum.Enum)
        assert isinstance(member, type(plain))
        assert (hash(member), json.dumps(member)) == (hash(was), json.dumps(was))
        assert (member._name_, member._value_) == (was._name_, plain)
        assert (type(member).__name__, repr(member)) == (
            type(was).__name__,
            f"<{type(was).__name__}.{was._name_}: {plain!r}>",
        )
        assert (str(member), f"{member}") == (str(plain), str(plain))
        assert pickle.loads(pickle.dumps(member)) is member
        assert copy.copy(member) is copy.deepcopy(member) is member
        assert list(type(member)) == [type(member)(value) for value in type(member)]
    for cls in {type(member) for member in WITH_VALUES}:
        rows = list(cls)
        codec = serow.Codec(serow.Schema.of(cls), wire=wire)
        for made in (
            serow.loads(serow.dumps(rows, wire=wire), type=cls),
            codec.decode(codec.encode(rows)),
        ):
            assert all(member is row for member, row in zip(made, rows, strict=True))
        # A combination of flags has no name.
        or_value = "i64|" if issubclass(cls, enum.Flag) else ""
        assert str(serow.Schema.of(cls)) == f"{or_value}{serow.Schema.infer(rows)}"


def test_members_with_values_share_a_union_with_plain_values(wire: str, access: str) -> None:
    rows: list[Any] = [Plan.FREE, "free", Level.LOW, 1, True, Color.RED, Described.A, None] * 9
    back = [row for (row,) in trip([(row,) for row in rows], wire)]
    assert [getattr(row, "name", row) for row in back] == [
        getattr(row, "name", row) for row in rows
    ]
    classes = [type(row).__name__ for row in rows]
    assert [type(row).__name__ for row in back] == classes


class Big(enum.IntEnum):
    SMALL = 1
    LARGE = 2**63


class Surrogate(str, enum.Enum):
    A = "\ud800"


class Twins(str, enum.Enum):
    def __new__(cls, text: str, about: int) -> "Twins":
        made = str.__new__(cls, text)
        made._value_ = about  # type: ignore[assignment]
        return made

    A = ("same", 1)
    B = ("same", 2)


@pytest.mark.parametrize(
    ("row", "why", "why_typed"),
    [
        (Big.SMALL, "the value of member LARGE of enum Big needs more than 64 bits", "64 bits"),
        (Surrogate.A, "the value of member A of enum Surrogate has a lone", "lone surrogate"),
        (Twins.A, "members A and B of enum Twins are equal but not the same", "that are equal"),
    ],
)
def test_values_that_no_schema_holds_are_errors(row: Any, why: str, why_typed: str) -> None:
    assert why in error([row])
    with pytest.raises(serow.SchemaError, match=why_typed):
        serow.Schema.of(type(row))


def test_members_are_found_by_their_names_or_aliases_and_then_by_their_values(wire: Any) -> None:
    def read(names: dict[str, Any], as_: dict[str, Any], base: Any) -> list[str]:
        old, new = base("Color", names), base("Color", as_)
        data = serow.dumps([old[name] for name in names], wire=wire)
        rows = serow.loads(data, type=new)
        assert all(type(row) is new for row in rows)
        return [row.name for row in rows]

    kept = {"CRIMSON": 1, "RED": 1, "GREEN": 2}
    for base in (enum.Enum, enum.IntEnum):
        assert read({"GREEN": 5, "RED": 6}, kept, base) == ["GREEN", "CRIMSON"]
    # Without the old name only the value tells which member it is.
    assert read({"RED": 1, "GREEN": 2}, {"VERT": 2, "ROUGE": 1}, enum.IntEnum) == ["ROUGE", "VERT"]
    text = {"RED": "r", "GREEN": "g"}
    assert read(text, {"G": "g", "R": "r", "RED": "red"}, enum_of_strs) == ["RED", "G"]
    for base in (enum.Enum, enum.IntEnum):
        with pytest.raises(serow.DecodeError, match="RED is not a member of the reader's enum"):
            read({"RED": 1}, {"ROUGE": 3}, base)
    with pytest.raises(serow.DecodeError, match="RED is not a member of the reader's enum"):
        read({"RED": 1}, {"ROUGE": 1}, enum.Enum)


def enum_of_strs(name: str, members: dict[str, str]) -> Any:
    return enum.Enum(name, members, type=str)


def test_aliases_do_not_change_the_order_of_the_arms_of_a_union(wire: Any) -> None:
    # With its alias, the first enum is after the second one in the order of arms.
    first, second = enum.Enum("E", {"A": 1, "Z": 1}), enum.Enum("E", {"A": 1, "B": 2})
    of: Any = first | second
    rows = [first.A, second.A, second.B]  # type: ignore[attr-defined]
    assert serow.loads(serow.dumps(rows, wire=wire), type=of) == rows
    codec = serow.Codec(serow.Schema.of(of), wire=wire)
    assert codec.decode(codec.encode(rows)) == rows


def test_combinations_of_flags_are_their_values(wire: Any, access: str) -> None:
    both = Right.READ | Right.WRITE
    rows = [
        (both, [Right.READ, Right(0)], {both: 1, Right.WRITE: 2}, both),
        (Right.READ, [], {}, None),
    ]
    data = serow.dumps(rows, wire=wire)
    assert serow.loads(data)[0][0] == both.value
    of: Any = tuple[Right, list[Right], dict[Right, int], Right | None]
    codec = serow.Codec(of, wire=wire)
    for back in (serow.loads(data, type=of), codec.decode(codec.encode(rows))):
        assert back == rows
        assert type(back[0][0]) is Right
    either: Any = Right | str
    assert serow.loads(serow.dumps([both, "x"], wire=wire), type=either) == [both, "x"]
    codec = serow.Codec("enum Right{READ, WRITE}", wire=wire)
    assert [row.name for row in codec.decode(codec.encode([Right.WRITE]))] == ["WRITE"]
    with pytest.raises(serow.EncodeError, match=r"write i64\|enum Right\{…\} in the schema"):
        codec.encode([Right.READ | Right.WRITE])
    assert serow.Codec("i64|enum Right{READ, WRITE}").encode([Right.READ | Right.WRITE])
    with pytest.raises(serow.EncodeError, match=r"row 0, \(enum Right"):
        codec.encode([Color.RED])


class Rights(enum.Flag):
    NONE = 0
    READ = 1
    WRITE = 2
    BOTH = 3
    ALSO = 3


def test_a_value_that_is_no_combination_of_the_flags_is_an_error() -> None:
    class Strict(enum.Flag):
        READ = 1

    data = serow.dumps([Right.WRITE | Right.READ])
    with pytest.raises(serow.DecodeError, match=r"3 is not a valid .*Strict|invalid value 3"):
        serow.loads(data, type=Strict)


def test_combinations_of_flags_that_have_a_name_are_members(wire: Any, access: str) -> None:
    rows = [Rights.BOTH, Rights.NONE, Rights.READ, Rights.ALSO]
    text = "enum Rights{NONE, READ, WRITE, BOTH}"
    assert str(serow.Schema.infer(rows)) == text
    assert str(serow.Schema.of(Rights)) == f"i64|{text}"
    data = serow.dumps(rows, wire=wire)
    assert serow.loads(data, type=Rights) == rows
    assert [row.name for row in serow.loads(data)] == ["BOTH", "NONE", "READ", "BOTH"]
    codec = serow.Codec(serow.Schema.of(Rights), wire=wire)
    assert codec.decode(codec.encode(rows)) == rows


def enum_message(of: str, *members: str) -> bytes:
    codes = [
        36,
        *name_codes(of),
        len(members),
        *(code for member in members for code in name_codes(member)),
    ]
    return message(RawFrame(0, 1, spelled(codes), b"\1\0\0\0\1"))


@pytest.mark.parametrize(
    "member", ["__init__", "_a_", "mro", "", "__private", "_ignore_", "_missing_", "__class__"]
)
def test_names_that_no_member_can_have_are_refused(member: str, access: str) -> None:
    with pytest.raises(serow.DecodeError, match=r"row 0, .*doesn't allow the member"):
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


def value_message(code: int, *members: tuple[str, list[int]]) -> bytes:
    parts = (part for name, value in members for part in (*name_codes(name), *value))
    codes = [code, *name_codes("E"), len(members), *parts]
    return message(RawFrame(0, 1, spelled(codes), b"\1\0\0\0\1"))


def test_values_of_members_are_only_data() -> None:
    for value in ("mro", "__class__", "\0", "E.A"):
        assert serow.loads(value_message(38, ("A", name_codes(value)))) == [value]
    assert serow.loads(value_message(37, ("A", [1, 0]), ("B", [2, 0]))) == [-1]
    # Names of one value are one member, as in Python.
    (row,) = serow.loads(value_message(37, ("A", [2, 0]), ("B", [2, 0])))
    assert [row, type(row)["B"]] == [1, row]
    assert pickle.loads(pickle.dumps(row)) is row
    for name in ("mro", "_a_", "__init__"):
        with pytest.raises(serow.DecodeError, match="doesn't allow the member"):
            serow.loads(value_message(38, (name, name_codes("a"))))
    for codes in ([1], [1, 2**32], [55296, 0]):
        with pytest.raises(serow.DecodeError, match="schema is damaged"):
            serow.loads(value_message(37 if codes[0] == 1 else 38, ("A", codes)))


@pytest.mark.long
def test_an_enum_of_very_many_members_is_made() -> None:
    names = [f"m{i}" for i in range(60_000)]
    (row,) = serow.loads(enum_message("E", *names))
    assert (row.name, row.value) == ("m0", "m0")
    assert type(row).m59999.name == "m59999"
    assert [member.name for member in type(row)] == names
    assert type(row)("m7") is type(row)["m7"]


def test_an_enum_with_a_name_that_no_class_can_have_is_refused() -> None:
    with pytest.raises(serow.DecodeError, match="doesn't allow the name"):
        serow.loads(enum_message("\0", "A"))
