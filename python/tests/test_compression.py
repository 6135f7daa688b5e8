"""Compressed messages: what comes back, what is refused, and what the bytes are."""

import pickle
import random
import re
import struct
from typing import Any

import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.once

ROWS = [
    (i, f"Customer#{i % 97:09d}", i * 0.25, None if i % 3 else "carefully final")
    for i in range(5000)
]
FORMATS = [("zstd", None), ("zstd", -7), ("zstd", 1), ("zstd", 19), ("lz4", None)]


def compressions(data: bytes) -> set[int]:
    """Give the compressions of a message's frames."""
    return {frame.compression for frame in wire_format.frames(data)}


@pytest.mark.parametrize("wire", ["frame", "row", None])
@pytest.mark.parametrize(("name", "level"), FORMATS)
def test_rows_come_back_from_smaller_messages(
    name: Any, level: int | None, wire: Any, access: str
) -> None:
    data = serow.dumps(ROWS, wire=wire, compression=name, level=level)
    assert serow.loads(data) == ROWS
    assert len(data) < len(serow.dumps(ROWS, wire=wire))
    assert compressions(data) == {1 if name == "zstd" else 2}
    if wire is None:
        return
    codec = serow.Codec(serow.Schema.infer(ROWS), wire=wire, compression=name, level=level)
    assert codec.encode(ROWS) == data
    assert codec.decode(data) == ROWS
    buffer = bytearray(len(data))
    assert codec.encode_into(ROWS, buffer) == len(data)
    assert buffer == data
    with pytest.raises(serow.BufferTooSmall) as error:
        codec.encode_into(ROWS, bytearray(len(data) - 1))
    assert error.value.needed == len(data)


@given(
    rows=st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.text(), st.floats(), st.binary())),
    format=st.sampled_from(FORMATS),
    wire=st.sampled_from(["frame", "row", None]),
)
def test_any_rows_come_back(rows: list[Any], format: tuple[Any, Any], wire: Any) -> None:
    name, level = format
    data = serow.dumps(rows, wire=wire, compression=name, level=level)
    assert repr(serow.loads(data)) == repr(rows)


@given(
    words=st.lists(st.text(max_size=20), min_size=1, max_size=30, unique=True),
    seed=st.integers(0, 2**32),
    count=st.integers(100, 3000),
    format=st.sampled_from(FORMATS),
)
def test_texts_of_words_come_back(
    words: list[str], seed: int, count: int, format: tuple[Any, Any]
) -> None:
    generator = random.Random(seed)

    def sentence(number: int) -> str:
        chosen = generator.choices(words, k=generator.randrange(9))
        return " ".join([*chosen, *[str(number)] * generator.randrange(2)])

    rows = [(sentence(n), sentence(n % 99).encode("utf-8", "surrogatepass")) for n in range(count)]
    name, level = format
    data = serow.dumps(rows, wire="frame", compression=name, level=level)
    assert serow.loads(data) == rows
    assert wire_format.loads(data) == rows


def test_texts_become_words_where_that_is_shorter() -> None:
    rows = [(f"almond {n} blue chartreuse {n % 7} dim", f"{n:x}-" * 12) for n in range(2000)]
    (frame,) = wire_format.frames(serow.dumps(rows, wire="frame", compression="lz4"))
    columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
    assert [column.encoding for column in columns] == [2, 0]
    (frame,) = wire_format.frames(serow.dumps(rows, wire="frame"))
    columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
    assert [column.encoding for column in columns] == [0, 0]


def test_what_does_not_shrink_is_plain() -> None:
    generator = random.Random(5)
    rows = [generator.randbytes(100_000)]
    for name, level in FORMATS:
        data = serow.dumps(rows, wire="row", compression=name, level=level)
        assert data == serow.dumps(rows, wire="row")


def test_two_steps_compress_better_than_the_row_wire_alone() -> None:
    sizes = {
        (wire, name): len(serow.dumps(ROWS, wire=wire, compression=name))
        for wire in ("frame", "row")
        for name in (None, "zstd", "lz4")
    }
    assert sizes["frame", "zstd"] < sizes["frame", "lz4"] < sizes["frame", None]
    assert sizes["row", "zstd"] < sizes["row", "lz4"] < sizes["row", None]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"compression": "gzip"}, "compression must be 'zstd' or 'lz4', not \"gzip\""),
        ({"compression": "zstd", "level": 23}, "level must be from -7 (fast) to 22 (small)"),
        ({"compression": "zstd", "level": -8}, "level must be from -7 (fast) to 22 (small)"),
        ({"compression": "lz4", "level": 1}, "lz4 has no levels"),
        ({"level": 3}, "level needs a compression"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], text: str) -> None:
    def codec() -> None:
        serow.Codec("i64", **options)

    def infer() -> None:
        serow.Codec.infer([1], **options)

    def dumps() -> None:
        serow.dumps([1], **options)

    for call in (codec, infer, dumps):
        with pytest.raises(ValueError, match=re.escape(text)):
            call()


def test_codecs_tell_their_compression() -> None:
    codec = serow.Codec("i64", compression="zstd")
    assert (codec.compression, codec.level) == ("zstd", 1)
    assert repr(codec) == "Codec('i64', wire='frame', compression='zstd', level=1)"
    lz4 = serow.Codec("i64", compression="lz4")
    assert (lz4.compression, lz4.level, repr(lz4)) == (
        "lz4",
        None,
        "Codec('i64', wire='frame', compression='lz4')",
    )
    plain = serow.Codec("i64")
    assert (plain.compression, plain.level) == (None, None)
    assert codec == serow.Codec("i64", compression="zstd", level=1)
    assert len({codec, lz4, plain, serow.Codec("i64", compression="zstd", level=2)}) == 4
    assert pickle.loads(pickle.dumps(lz4)) == lz4
    assert pickle.loads(pickle.dumps(codec)) == codec


def claimed(data: bytes, size: int) -> bytes:
    """Give a message whose compressed body claims to have `size` bytes."""
    (frame,) = wire_format.frames(data)
    frame.body = struct.pack("<Q", size) + frame.body[8:]
    return wire_format.message(frame)


@pytest.mark.parametrize("name", ["zstd", "lz4"])
def test_a_body_that_lies_about_its_size_is_refused(name: Any) -> None:
    data = serow.dumps(ROWS, wire="row", compression=name)
    (size,) = struct.unpack("<Q", wire_format.frames(data)[0].body[:8])
    assert serow.loads(claimed(data, size)) == ROWS
    for lie in (0, 1, size - 1, size + 1, 2**31, 2**40, 2**63, 2**64 - 1):
        with pytest.raises((serow.DecodeError, serow.LimitError)):
            serow.loads(claimed(data, lie))


@pytest.mark.parametrize("name", ["zstd", "lz4"])
def test_damaged_bodies_are_refused_or_give_rows(name: Any) -> None:
    (frame,) = wire_format.frames(serow.dumps(ROWS[:300], wire="row", compression=name))
    generator = random.Random(11)
    refused = 0
    for _ in range(400):
        spoiled = wire_format.spoiled(frame, generator)
        try:
            assert isinstance(serow.loads(wire_format.message(spoiled)), list)
        except serow.SerowError:
            refused += 1
    assert refused > 100


def test_an_unknown_compression_is_named() -> None:
    (frame,) = wire_format.frames(serow.dumps(ROWS, compression="zstd"))
    frame.compression = 7
    with pytest.raises(serow.DecodeError, match="compression that this version"):
        serow.loads(wire_format.message(frame))


@pytest.mark.parametrize("name", ["zstd", "lz4"])
def test_the_memory_limit_counts_rows_not_bytes(name: Any) -> None:
    rows = ["x" * 1_000_000] * 20
    data = serow.dumps(rows, wire="row", compression=name)
    assert len(data) < 200_000
    with pytest.raises(serow.LimitError):
        serow.loads(data, max_memory=5_000_000)
    assert serow.loads(data, max_memory=25_000_000) == rows
