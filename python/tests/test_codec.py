"""Codecs: their arguments, the messages that they refuse, and the caller's buffers."""

import array
import itertools
import mmap
from typing import Any

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from strategies import Table, seeds

pytestmark = pytest.mark.once

ROWS = [(1, "almond"), (2, None), (-3, "naïve")]
TEXT = "(i64, str?)"


def test_a_codec_says_what_it_is(wire: str) -> None:
    codec = serow.Codec(TEXT, wire=wire)
    assert codec.schema == serow.Schema.parse(TEXT)
    assert codec.wire == wire
    # Other tests may have compiled the code of a common schema.
    assert serow.Codec('{"a key of no other test": i64}', wire=wire).tier == "interpreter"
    assert repr(codec) == f"Codec('(i64, str?)', wire='{wire}')"
    assert serow.Codec(serow.Schema.parse(TEXT)).wire == "frame"
    assert str(serow.Codec.infer(ROWS).schema) == TEXT


def test_a_codec_is_of_a_schema_or_its_text() -> None:
    for wrong in (5, None, b"i64", [1]):
        with pytest.raises(TypeError):
            serow.Codec(wrong)  # type: ignore[arg-type]
    with pytest.raises(serow.SchemaError, match="column 5"):
        serow.Codec("(i64")


def test_a_codec_cannot_be_changed() -> None:
    codec = serow.Codec("i64")
    for name in ("tier", "schema", "wire", "other"):
        with pytest.raises(AttributeError):
            setattr(codec, name, "frame")
    with pytest.raises(TypeError):
        type("Sub", (serow.Codec,), {})


def test_infer_looks_at_every_row(wire: str) -> None:
    rows: list[Any] = [1] * 1000 + ["x"]
    codec = serow.Codec.infer(iter(rows), wire=wire)
    assert str(codec.schema) == "i64|str"
    assert codec.decode(codec.encode(rows)) == rows


def test_a_message_of_another_schema_is_refused(wire: str) -> None:
    codec = serow.Codec("(i64, str)", wire=wire)
    others = [[1], [(1, None)], [(1, "a", 2)], [{1: "a"}], [(1.0, "a")], [("a", 1)]]
    for rows in others:
        with pytest.raises(serow.SchemaError, match=r"schema .* codec is for \(i64, str\)"):
            codec.decode(serow.dumps(rows, wire=wire))


def test_rows_of_another_schema_in_a_later_frame_are_refused(wire: str) -> None:
    rows: list[Any] = [(1, "a")] * 1001
    rows[1000] = (1, None)
    rows += [(1, "a")] * 1000
    data = serow.dumps(rows, wire=wire)
    with pytest.raises(serow.SchemaError, match=r"frame 1 has rows of schema \(i64, str\?\)"):
        serow.Codec("(i64, str)", wire=wire).decode(data)


def test_no_rows_are_rows_of_any_schema(wire: str) -> None:
    codec = serow.Codec("(i64, str)", wire=wire)
    assert codec.decode(codec.encode([])) == []
    assert codec.decode(serow.dumps([])) == []
    assert serow.loads(codec.encode([])) == []


def test_damage_is_found_before_the_schema_is_compared() -> None:
    data = bytearray(serow.dumps([1, 2, 3]))
    data[-1] ^= 1
    with pytest.raises(serow.DecodeError, match="checksum"):
        serow.Codec("str").decode(data)


class TestBuffers:
    def test_any_contiguous_buffer_is_decoded(self, wire: str) -> None:
        codec = serow.Codec(TEXT, wire=wire)
        data = codec.encode(ROWS)
        padded = bytearray(b"??" + data + b"??")
        mapped = mmap.mmap(-1, len(data))
        mapped.write(data)
        for buffer in (
            data,
            bytearray(data),
            memoryview(data),
            memoryview(padded)[2:-2],
            array.array("B", data),
            mapped,
        ):
            assert codec.decode(buffer) == ROWS
            assert serow.loads(buffer) == ROWS

    @pytest.mark.parametrize("data", [5, None, "SROW", [1, 2], object()], ids=str)
    def test_an_object_without_a_buffer_is_refused(self, data: Any) -> None:
        for function in (serow.loads, serow.Codec("i64").decode):
            with pytest.raises(TypeError, match=r"bytes-like|must be bytes"):
                function(data)

    def test_a_strided_buffer_is_refused(self) -> None:
        for function in (serow.loads, serow.Codec("i64").decode):
            with pytest.raises(BufferError, match="contiguous"):
                function(memoryview(bytes(100))[::2])

    def test_a_buffer_of_the_exact_size_is_enough(self, wire: str, access: str) -> None:
        codec = serow.Codec(TEXT, wire=wire)
        data = codec.encode(ROWS)
        for spare in (0, 1, 7, 16, 100, 5000):
            buffer = bytearray(b"\xaa" * (len(data) + spare))
            assert codec.encode_into(ROWS, buffer) == len(data)
            assert buffer[: len(data)] == data
            assert codec.decode(memoryview(buffer)[: len(data)]) == ROWS

    def test_a_buffer_that_is_too_small_is_an_error_with_the_needed_size(
        self, wire: str, access: str
    ) -> None:
        codec = serow.Codec(TEXT, wire=wire)
        data = codec.encode(ROWS)
        for size in range(len(data)):
            buffer = bytearray(size)
            with pytest.raises(serow.BufferTooSmall) as caught:
                codec.encode_into(ROWS, buffer)
            message = str(caught.value)
            assert f"takes {len(data)} bytes and the buffer has {size};" in message

    def test_nothing_is_written_outside_it(self, wire: str) -> None:
        codec = serow.Codec(TEXT, wire=wire)
        size = len(codec.encode(ROWS))
        for length in (size - 1, size, size + 1, size + 40):
            whole = bytearray(b"\xaa" * (length + 200))
            try:
                codec.encode_into(ROWS, memoryview(whole)[100 : 100 + length])
            except serow.BufferTooSmall:
                assert length < size
            assert whole[:100] == whole[100 + length :] == b"\xaa" * 100

    @given(seeds, st.integers(0, 5000))
    def test_any_rows_fit_into_the_bytes_they_take(self, seed: int, short: int) -> None:
        rows = Table(seed).rows(most=300)
        for wire in ("frame", "row"):
            codec = serow.Codec.infer(rows, wire=wire)
            data = codec.encode(rows)
            buffer = bytearray(len(data))
            assert codec.encode_into(rows, buffer) == len(data)
            assert buffer == data
            small = bytearray(max(len(data) - 1 - short, 0))
            with pytest.raises(serow.BufferTooSmall, match=rf"\b{len(data)} bytes"):
                codec.encode_into(rows, small)

    def test_after_an_error_it_holds_no_message(self, wire: str) -> None:
        codec = serow.Codec(TEXT, wire=wire)
        older = codec.encode(ROWS)
        failing: list[Any] = [[(1, 2)], [(1, "x"), object()], 5, (1 / 0 for _ in "x"), ROWS * 9]
        for rows in failing:
            buffer = bytearray(older)
            with pytest.raises((serow.SerowError, ZeroDivisionError)):
                codec.encode_into(rows, buffer)
            with pytest.raises(serow.DecodeError):
                serow.loads(buffer)

    def test_it_must_be_writable_and_contiguous(self) -> None:
        codec = serow.Codec(TEXT)
        for buffer in (bytes(500), memoryview(bytes(500)), memoryview(bytearray(500))[::2]):
            with pytest.raises(BufferError):
                codec.encode_into(ROWS, buffer)
        for wrong in (None, 5, "text", [0] * 500):
            with pytest.raises(TypeError):
                codec.encode_into(ROWS, wrong)  # type: ignore[arg-type]

    def test_it_can_be_resized_afterwards(self) -> None:
        codec = serow.Codec(TEXT)
        buffer = bytearray(500)
        codec.encode_into(ROWS, buffer)
        codec.decode(memoryview(buffer)[: len(codec.encode(ROWS))])
        with pytest.raises(serow.SerowError):
            codec.encode_into([1], buffer)
        with pytest.raises(serow.DecodeError):
            codec.decode(buffer)
        buffer.extend(b"x" * 10_000)

    def test_a_memory_map_is_written_to(self) -> None:
        codec = serow.Codec(TEXT)
        mapped = mmap.mmap(-1, 4096)
        length = codec.encode_into(ROWS, mapped)
        assert serow.loads(mapped[:length]) == ROWS


def test_every_pair_of_wires_is_decoded_alike() -> None:
    for of, to in itertools.product(("frame", "row"), repeat=2):
        data = serow.Codec(TEXT, wire=of).encode(ROWS)
        assert serow.Codec(TEXT, wire=to).decode(data) == ROWS
