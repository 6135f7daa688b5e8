"""Members of enums: what they decode to, and which names Python doesn't allow."""

import enum
import pickle
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


def test_combinations_of_flags_are_refused(wire: str, access: str) -> None:
    for row in (Right.READ | Right.WRITE, Right(0)):
        assert "no combination of flags; send its value" in error([Right.READ, row])
    codec = serow.Codec("enum Right{READ, WRITE}", wire=wire)
    assert [row.name for row in codec.decode(codec.encode([Right.WRITE]))] == ["WRITE"]
    with pytest.raises(serow.EncodeError, match="no combination"):
        codec.encode([Right.READ | Right.WRITE])
    with pytest.raises(serow.EncodeError, match=r"row 0, \(enum Right"):
        codec.encode([Color.RED])


class Rights(enum.Flag):
    NONE = 0
    READ = 1
    WRITE = 2
    BOTH = 3
    ALSO = 3


def test_combinations_of_flags_that_have_a_name_are_members(wire: Any, access: str) -> None:
    rows = [Rights.BOTH, Rights.NONE, Rights.READ, Rights.ALSO]
    text = "enum Rights{NONE, READ, WRITE, BOTH}"
    assert str(serow.Schema.of(Rights)) == str(serow.Schema.infer(rows)) == text
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
