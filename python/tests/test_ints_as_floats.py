"""Codecs and writers that take an int where a float is declared."""

import io
import pickle
from dataclasses import dataclass, field
from typing import Any

import pytest
import serow


@dataclass
class Price:
    amount: float = 0
    most: float | None = None
    other: float | str = 0
    all: list[float] = field(default_factory=list)
    seen: set[float] = field(default_factory=set)
    by_name: dict[str, float] = field(default_factory=dict)
    pair: tuple[float, int] = (0, 0)


ROWS = [
    Price(0, 1, 2, [3, 4.5], {1, 2}, {"a": -1}, (1, 1)),
    Price(0.5, None, "x", [0.5], {0.5}, {"b": 0.5}),
    Price(10**20, -(2**53), 0.5, [2**1000]),
]


def test_an_int_that_a_float_equals_is_encoded_as_the_float(wire: Any, access: str) -> None:
    codec = serow.Codec(Price, wire=wire, ints_as_floats=True)
    back = codec.decode(codec.encode(ROWS))
    assert back == ROWS
    assert [type(row.amount) for row in back] == [float] * 3
    assert [type(row.other) for row in back] == [float, str, float]
    assert type(back[0].pair[0]) is float
    assert type(back[0].pair[1]) is int
    assert [codec.decode_one(codec.encode_one(row)) for row in ROWS] == ROWS
    file = io.BytesIO()
    with serow.Writer(file, Price, wire=wire, ints_as_floats=True) as writer:
        writer.write(ROWS[0])
        writer.write_rows(ROWS)
    assert list(serow.Reader(io.BytesIO(file.getvalue()), type=Price)) == [ROWS[0], *ROWS]


@pytest.mark.parametrize("value", [2**53 + 1, -(2**64) - 1, 10**400, True])
def test_another_int_is_an_error(value: Any, wire: Any, access: str) -> None:
    codec = serow.Codec(Price, wire=wire, ints_as_floats=True)
    with pytest.raises(serow.EncodeError, match=r"row 1, field amount \(f64\)"):
        codec.encode([Price(1), Price(value)])


def test_an_int_stays_one_where_an_int_is_declared() -> None:
    codec: Any = serow.Codec("[f64|i64]", ints_as_floats=True)
    assert [type(item) for item in codec.decode(codec.encode([[1, 1.0]]))[0]] == [int, float]
    codec = serow.Codec(list[Any], ints_as_floats=True)
    assert [type(item) for item in codec.decode(codec.encode([[1, 1.0]]))[0]] == [int, float]


def test_the_option_is_part_of_a_codec() -> None:
    codec = serow.Codec("f64", ints_as_floats=True)
    assert repr(codec) == "Codec('f64', wire='frame', ints_as_floats=True)"
    assert codec != serow.Codec("f64")
    copy = pickle.loads(pickle.dumps(codec))
    assert copy == codec
    assert copy.ints_as_floats
    assert serow.from_arrow(serow.to_arrow([1, 2.5], type=codec)) == [1.0, 2.5]


def test_a_writer_that_infers_its_schema_keeps_ints() -> None:
    with pytest.raises(ValueError, match="ints_as_floats is for a Writer with a schema"):
        serow.Writer(io.BytesIO(), ints_as_floats=True)
