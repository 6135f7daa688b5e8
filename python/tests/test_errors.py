"""The attributes of errors: the row, the path to the value, the offset in the message."""

import dataclasses
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
import serow
import wire_format

pytestmark = pytest.mark.once

GOOD = (1, {"price": [2, 3]}, {b"a": 1})
SCHEMA = '(i64, {"price": [i64]}, {bytes: i64})'


def error_of(encode: Any, *arguments: Any) -> serow.SerowError:
    with pytest.raises(serow.SerowError) as caught:
        encode(*arguments)
    return caught.value


@pytest.mark.parametrize(
    ("bad", "path"),
    [
        (("x", {"price": []}, {}), (0,)),
        ((1, {"price": [1, 2, "x"]}, {}), (1, "price", 2)),
        ((1, {"price": []}, {b"a": 1, b"b": None}), (2, "value 1")),
        ((1, {"price": []}, {b"a": 1, "b": 1}), (2, "key 1")),
        (7, ()),
    ],
)
def test_an_encode_error_has_the_row_and_the_path(wire: str, bad: Any, path: Any) -> None:
    codec = serow.Codec(SCHEMA, wire=wire)
    error = error_of(codec.encode, [GOOD] * 20 + [bad])
    assert type(error) is serow.EncodeError
    assert (error.row, error.path, error.offset) == (20, path, None)
    same = pickle.loads(pickle.dumps(error))
    assert (same.row, same.path, str(same)) == (20, path, str(error))


def test_the_row_is_counted_over_all_frames(wire: str) -> None:
    rows: list[Any] = [1] * 70_000
    error = error_of(serow.Codec("i64", wire=wire).encode, [*rows, None])
    assert (error.row, error.path) == (70_000, ())
    error = error_of(serow.dumps, [*rows, [object()]])
    assert (error.row, error.path) == (70_000, (0,))


@dataclass
class Checked:
    """An int that never equals 2."""

    at: int

    def __post_init__(self) -> None:
        if self.at == 2:
            raise ValueError(self.at)


def test_a_decode_error_has_the_row_and_the_path(wire: str) -> None:
    message = serow.dumps([[{"at": 1}]] * 70_000 + [[{"at": 1}, {"at": 2}]], wire=wire)
    with pytest.raises(serow.DecodeError) as caught:
        serow.loads(message, type=list[Checked], validate=True)
    assert (caught.value.row, caught.value.path) == (70_000, (1,))


def test_a_decode_error_has_the_offset_of_the_record() -> None:
    first, second = wire_format.frames(serow.dumps([("a", "text")] * 70_000, wire="row"))
    record = len(second.body) // second.rows * 3
    body = bytearray(second.body)
    body[body.index(b"text", record)] = 0xFF
    message = wire_format.message(first, dataclasses.replace(second, body=bytes(body)))
    error = error_of(serow.loads, message)
    assert type(error) is serow.DecodeError
    assert (error.row, error.path) == (first.rows + 3, (1,))
    assert error.offset == message.index(b"\xff") - len(b"\7\0\0\0\3a\x09")
    assert "frame 1, row 3, field 1 (str): " in str(error)


def test_damage_has_the_offset_of_its_frame(wire: str) -> None:
    message = bytearray(serow.dumps([(i, "a") for i in range(70_000)], wire=wire))
    assert error_of(serow.loads, message[:3]).offset == 0
    assert error_of(serow.loads, b"no message").offset == 0
    error = error_of(serow.loads, bytes(message) + b"more")
    assert error.offset == len(message)
    assert error.row is None
    message[-20] ^= 1
    error = error_of(serow.loads, message)
    assert type(error) is serow.DecodeError
    assert f"(at byte {error.offset})" in str(error)
    assert error.offset is not None
    assert 8 < error.offset < len(message)


@pytest.mark.parametrize(
    ("schema", "row", "what"),
    [
        ("(i64, str)", (1,), "((i64, str)): cannot encode (1,) (type tuple); it has 1 field"),
        ("(i64, str)?", (), "((i64, str)?): cannot encode () (type tuple); it has 0 fields"),
        ("[f64, f64]", [1.0], "([f64, f64]): cannot encode [1.0] (type list); it has 1 field"),
        (
            "[[f64, f64]]",
            [[]],
            "field 0 ([f64, f64]): cannot encode [] (type list); it has 0 fields",
        ),
    ],
)
def test_a_wrong_number_of_fields_is_named(schema: str, row: Any, what: str, wire: str) -> None:
    error = error_of(serow.Codec(schema, wire=wire).encode, [row])
    assert str(error) == f"row 0, {what} and must have 2"


def test_a_long_schema_is_abbreviated(wire: str) -> None:
    wide = ", ".join(["i64"] * 500)
    codec = serow.Codec(f"({wide})", wire=wire)
    for error in (
        error_of(codec.decode, serow.dumps([("x",)])),
        error_of(serow.Codec("(str,)").decode, codec.encode([(1,) * 500])),
        error_of(codec.encode, [1]),
    ):
        assert "500 fields in all" in str(error)
        assert len(str(error)) < 500


def test_a_limit_error_has_the_row() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    error = error_of(serow.dumps, [1, 2, deep])
    assert type(error) is serow.LimitError
    assert error.row == 2


def test_a_buffer_that_is_too_small_says_what_is_needed(wire: str) -> None:
    codec = serow.Codec("i64", wire=wire)
    error = error_of(codec.encode_into, [1, 2, 3], bytearray(10))
    assert type(error) is serow.BufferTooSmall
    assert error.needed == len(codec.encode([1, 2, 3]))
    assert error.row is None


def test_errors_of_others_have_the_attributes_too() -> None:
    error = serow.EncodeError("mine")
    assert (error.row, error.path, error.offset) == (None, None, None)
    assert serow.BufferTooSmall("mine").needed is None
