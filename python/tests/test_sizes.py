"""Numbers of a size: `f32`, `i8` to `i32` and `u8` to `u64`, which only declared schemas have."""

import struct
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from parts import NAMES, RANGES
from serow import Codec
from wire_format import frames, message, spelled

pytestmark = pytest.mark.tiers

Wire = Literal["row", "frame"]
INTS = {NAMES[code]: integers for code, integers in RANGES.items()}
SCHEMA = f"(f32, {', '.join(INTS)}, [f32], {{u8}}, {{i16: u64?}}, str|u32)"


@st.composite
def rows(draw: st.DrawFn) -> tuple[Any, ...]:
    ints = {name: st.integers(of[0], of[-1]) for name, of in INTS.items()}
    floats = st.floats(width=32, allow_nan=False)
    return (
        draw(floats),
        *map(draw, ints.values()),
        draw(st.lists(floats, max_size=5)),
        draw(st.sets(ints["u8"], max_size=5)),
        draw(st.dictionaries(ints["i16"], st.none() | ints["u64"], max_size=3)),
        draw(st.text(max_size=3) | ints["u32"]),
    )


@given(st.lists(rows(), max_size=30), st.sampled_from(["row", "frame"]))
def test_they_come_back(rows: list[tuple[Any, ...]], wire: Wire) -> None:
    codec = Codec(SCHEMA, wire=wire)
    message = codec.encode(rows)
    assert codec.decode(message) == serow.loads(message) == rows
    assert [codec.decode_one(codec.encode_one(row)) for row in rows] == rows


@pytest.mark.parametrize("name", INTS)
@pytest.mark.parametrize("wire", ["row", "frame"])
def test_integers_beyond_a_size_are_refused(name: str, wire: Wire) -> None:
    least, largest = INTS[name][0], INTS[name][-1]
    codec = Codec(f"({name}, str)", wire=wire)
    assert codec.decode(codec.encode([(least, ""), (largest, "")])) == [(least, ""), (largest, "")]
    for v in (least - 1, largest + 1, -(2**70)):
        with pytest.raises(serow.EncodeError) as error:
            codec.encode([(least, ""), (v, "")])
        assert (error.value.row, error.value.path) == (1, (0,))
        assert str(error.value).endswith(f"are those from {least} to {largest}")
    with pytest.raises(serow.EncodeError, match="use int"):
        codec.encode([(0.5, "")])
    assert codec.decode(codec.encode([(np.int64(7), "")])) == [(7, "")]


def test_floats_that_no_float_of_32_bits_equals_are_refused() -> None:
    codec = Codec("[f32]")
    for v in (0.1, 1e300, 1):
        with pytest.raises(serow.EncodeError):
            codec.encode([[0.5, v]])
    assert codec.decode(codec.encode([[np.float32(0.1)]])) == [[float(np.float32(0.1))]]


@pytest.mark.parametrize("name", ["f32", *(name for name in INTS if name != "u64")])
@pytest.mark.parametrize("wire", ["row", "frame"])
def test_bytes_beyond_a_size_are_refused(name: str, wire: Wire) -> None:
    if wire == "row" and name in ("f32", "i8", "u8"):
        return  # Any bytes are a number of these.
    # What has the same form in the wire, and more values.
    other = {"f32": "f64", "u16": "u64", "u32": "u64"}.get(name, "i64")
    beyond = 0.1 if name == "f32" else INTS[name][-1] + 1
    for fitting in (0, 1, 1000):
        rows = [type(beyond)(1)] * fitting + [beyond]
        (frame,) = frames(Codec(other, wire=wire).encode(rows))
        claimed = replace(frame, schema=spelled(serow.Schema.parse(name).type_list))
        with pytest.raises(serow.DecodeError, match=r"beyond the range|more than 32 bits"):
            serow.loads(message(claimed))


def test_any_number_is_read_as_another_by_its_value() -> None:
    def read(writer: str, reader: str, value: Any) -> Any:
        return Codec(reader).decode(Codec(writer).encode([value]))[0]

    for name, of in INTS.items():
        for value in (0, of[-1]):
            assert read(name, "int", value) == read("int", name, value) == value
        assert type(read(name, "f64", 7)) is type(read("i64", "f32", 7)) is float
        beyond = "an integer of more than 64 bits" if name == "u64" else of[-1] + 1
        with pytest.raises(serow.DecodeError, match=f"{beyond} can't be read as {name}"):
            read("int", name, of[-1] + 1)
    assert read("f32", "f64", 0.5) == read("f64", "f32", 0.5) == 0.5
    with pytest.raises(serow.DecodeError, match=r"0\.1 can't be read as f32: no float"):
        read("f64", "f32", 0.1)
    with pytest.raises(serow.SchemaError, match="f32 can't be read as u8"):
        read("f32", "u8", 1.0)
    assert read("i64|str", "u8|str", 7) == read("u8|str", "str|int", 7) == 7


def test_their_sizes_in_records() -> None:
    sizes = {"f32": (0.5, 4), "i8": (-128, 1), "u8": (255, 1), "u16": (127, 1), "u64": (2**63, 9)}
    for name, (value, size) in sizes.items():
        record = Codec(name).encode_one(value)
        assert len(record) == 8 + size
    assert Codec("[f32]").encode_one([0.5] * 256)[10:] == struct.pack("<256f", *[0.5] * 256)


def test_they_are_columns_of_arrow() -> None:
    schema = "{" + ", ".join(f'"{name}": {name}' for name in ("f32", *INTS)) + "}"
    codec, row = Codec(schema), {"f32": 0.5, **{name: of[-1] for name, of in INTS.items()}}
    message = codec.encode([row])
    table = pa.table(codec.decode_arrow(message))
    types = [f"{'u' if name[0] == 'u' else ''}int{name[1:]}" for name in INTS]
    assert [str(column.type) for column in table.columns] == ["float", *types]
    assert table.to_pylist() == [row]
    assert serow.loads(serow.dumps(table)) == [row]
    assert str(serow.schema_of(serow.dumps(table))) == schema
