"""Damaged bytes: every cut and every flipped bit is an error."""

from typing import Any

import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st
from strategies import Table, seeds

pytestmark = pytest.mark.once

ROWS = [
    (1, 2.5, "almond", True, None, [1, 2], ("x", -0.0)),
    (-70_000, 31.49, "naïve", False, 3, [], ("y", 1.0)),
    (2**40, 31.5, "almond", True, None, [7], ("x", 2.0)),
]
SMALL: list[list[Any]] = [[], [1], [None] * 5, ["a", 1, None], ROWS, [[[]], [[1.5]]]]


def small_messages() -> list[bytes]:
    many: list[Any] = [5] * 101 + ["x"] + [5] * 30
    return [
        serow.dumps(rows, wire=wire)
        for rows in [*SMALL, many]
        for wire in ("frame", "row")  # type: ignore[misc]
    ]


def assert_refused(data: bytes) -> str:
    """Give the error text for `data`, which both functions must refuse."""
    with pytest.raises(serow.DecodeError) as caught:
        serow.loads(data)
    # A frame before the damage may have another schema.
    with pytest.raises((serow.DecodeError, serow.SchemaError)):
        serow.Codec("i64").decode(data)
    return str(caught.value)


def test_every_cut_is_an_error(access: str) -> None:
    for data in small_messages():
        for length in range(len(data)):
            assert "cut" in assert_refused(data[:length])


def test_every_flipped_bit_is_an_error(access: str) -> None:
    for data in small_messages():
        for bit in range(8 * len(data)):
            damaged = bytearray(data)
            damaged[bit // 8] ^= 1 << bit % 8
            assert_refused(bytes(damaged))


def test_every_added_byte_is_an_error() -> None:
    for data in small_messages():
        for spare in (b"\0", data):
            with pytest.raises(serow.DecodeError, match=f"{len(spare)} bytes after the message"):
                serow.loads(data + spare)
        assert_refused(b"\0" + data)
        for at in range(len(data)):
            assert_refused(data[:at] + b"\0" + data[at:])


def test_every_missing_byte_is_an_error() -> None:
    for data in small_messages():
        for at in range(len(data)):
            assert_refused(data[:at] + data[at + 1 :])


@given(seeds, st.data())
def test_large_messages_that_are_damaged_are_errors(seed: int, draw: st.DataObject) -> None:
    for wire in ("frame", "row"):
        data = serow.dumps(Table(seed).rows(), wire=wire)
        at = draw.draw(st.integers(0, len(data) - 1))
        assert_refused(data[:at])
        damaged = bytearray(data)
        damaged[at] ^= draw.draw(st.integers(1, 255))
        assert_refused(bytes(damaged))
        to = draw.draw(st.integers(at, min(at + 40, len(data))))
        shuffled = data[:at] + data[at:to][::-1] + data[to:]
        if shuffled != data:
            assert_refused(shuffled)


@given(st.binary(max_size=200))
def test_bytes_that_mean_nothing_are_errors(data: bytes) -> None:
    assert_refused(data)
    assert_refused(wire_format.HEADER + data)


def test_the_error_says_what_is_wrong() -> None:
    data = serow.dumps(ROWS)
    assert assert_refused(b"") == "the message is cut after 0 bytes"
    assert assert_refused(b"SRO") == "the message is cut after 3 bytes"
    assert "does not begin with SROW" in assert_refused(b"PK\3\4" + data[4:])
    assert "does not begin with SROW" in assert_refused(b"\x80\4")
    assert "version 2" in assert_refused(b"SROW\2" + data[5:])
    assert "reads version 1" in assert_refused(b"SROW\2" + data[5:])
    assert "flags" in assert_refused(b"SROW\1\2" + data[6:])
    assert "the header of the stream is damaged" in assert_refused(b"SROW\1\1" + data[6:])
    assert "flags" in assert_refused(b"SROW\1\0\0\1" + data[8:])
    assert f"ends at byte {len(data) - 1}" in assert_refused(data[:-1])
    assert "frame 0 (at byte 8): its checksum is wrong" in assert_refused(data[:-1] + b"\0")


def test_a_damaged_frame_is_named() -> None:
    data = serow.dumps(list(range(200_000)))
    begins = [8]
    for frame in wire_format.frames(data):
        begins.append(begins[-1] + len(frame.to_bytes()))
    assert len(begins) == 5
    damaged = bytearray(data)
    damaged[begins[2] + 50] ^= 1
    message = assert_refused(bytes(damaged))
    assert message.startswith(f"frame 2 (at byte {begins[2]}): its checksum is wrong")


def test_frames_that_are_lost_or_repeated_are_errors() -> None:
    """Whole frames may be missing at the end: only the flag of the last frame tells."""
    frames = wire_format.frames(serow.dumps(list(range(200_000))))
    pieces = [frame.to_bytes() for frame in frames[:-1]]
    assert "cut" in assert_refused(wire_format.HEADER + b"".join(pieces))
    assert "cut" in assert_refused(wire_format.HEADER + pieces[0])
    assert "cut" in assert_refused(wire_format.HEADER)
    last = wire_format.message(frames[0])
    assert "bytes after" in assert_refused(last + pieces[1])
    assert "no frame before it has" in assert_refused(wire_format.HEADER + pieces[1])
