"""Lines read in bulk equal those that Spark reads, up to the same byte and with the same error."""

import io
import os
import pickle
import random
import socket
import struct
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark import cloudpickle
from pyspark.serializers import (
    BatchedSerializer,
    CPickleSerializer,
    PairDeserializer,
    UTF8Deserializer,
)
from serow.spark.lines import Lines

END = struct.pack("!i", -1)


def framed(line: bytes | None) -> bytes:
    return struct.pack("!i", -5) if line is None else struct.pack("!i", len(line)) + line


def read(reader: Any, data: bytes, buffer: int) -> tuple[list[Any], Any, bytes]:
    """Give the lines, the error after them, and the rest of the stream."""
    stream = io.BufferedReader(io.BytesIO(data), buffer)
    lines: list[Any] = []
    error = None
    try:
        lines.extend(reader.load_stream(stream))
    except Exception as raised:
        error = (type(raised), str(raised), getattr(raised, "object", None))
    return lines, error, stream.read()


def assert_as_stock(data: bytes, buffer: int = 64, **how: bool) -> tuple[list[Any], Any, bytes]:
    expected = read(UTF8Deserializer(**how), data, buffer)
    found = read(Lines(**how), data, buffer)
    assert found == expected
    assert list(map(type, found[0])) == list(map(type, expected[0]))
    return found


lines = st.lists(
    st.one_of(
        st.none(),
        st.text(max_size=40).filter(lambda text: text.isprintable()).map(str.encode),
        st.binary(max_size=20),
        st.integers(0, 200).map(lambda n: b"x" * n),
        st.sampled_from(
            [b"", b"\r", b"a\r\n", b"\0", "\U0001f600".encode(), b"\xed\xa0\x80", b"\xc3"]
        ),
    ),
    max_size=20,
)


@given(lines, st.integers(1, 300), st.booleans(), st.binary(max_size=9))
def test_any_lines(given: list[Any], buffer: int, as_text: bool, after: bytes) -> None:
    data = b"".join(map(framed, given)) + END + after
    found, error, left = assert_as_stock(data, buffer, use_unicode=as_text)
    if error is None:
        assert len(found) == len(given)
        assert left == after


@given(st.binary(max_size=60), st.integers(1, 40), st.booleans())
def test_any_bytes(data: bytes, buffer: int, as_text: bool) -> None:
    assert_as_stock(data, buffer, use_unicode=as_text)


@pytest.mark.parametrize("length", [-1, -2, -3, -4, -5, -6, -8, -(2**31), 2**31 - 1, 5])
def test_lengths_that_are_none_of_a_line(length: int) -> None:
    data = framed(b"first") + struct.pack("!i", length)
    for after in (b"", b"abc", framed(b"next") + END):
        assert_as_stock(data + after)


def test_a_section_that_ends_where_the_buffer_does() -> None:
    for extra in range(9):
        whole = framed(b"x" * 20) + framed(b"y" * 20) + END
        for after in (b"", framed(b"of another") + END):
            found, _, left = assert_as_stock(whole + after, len(whole) - 4 + extra)
            assert (len(found), left) == (2, after)


def test_each_place_of_the_buffers_end() -> None:
    data = b"".join(map(framed, [b"one", "zwölf".encode(), None, b"", b"three"])) + END + b"rest"
    for buffer in range(1, len(data) + 2):
        assert assert_as_stock(data, buffer)[2] == b"rest"


def test_a_line_beyond_every_buffer() -> None:
    huge = "ä".encode() * (11 << 20)
    data = framed(b"before") + framed(huge) + framed(b"after") + END + b"rest"
    found, _, left = assert_as_stock(data, 65536)
    assert (len(found[1]), left) == (11 << 20, b"rest")


def test_lines_before_one_that_is_no_utf8_come_first() -> None:
    data = b"".join(map(framed, [b"a", b"b", b"\xff", b"c"])) + END
    found, error, _ = assert_as_stock(data, 65536)
    assert found == ["a", "b"]
    assert error[0] is UnicodeDecodeError
    assert assert_as_stock(data, 65536, use_unicode=False)[0] == [b"a", b"b", b"\xff", b"c"]


def test_nothing_is_waited_for_that_is_not_needed() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, theirs.makefile("rwb", 65536) as stream:
        found = Lines().load_stream(stream)
        ours.sendall(framed(b"one") + framed(b"two")[:5])
        assert next(found) == "one"
        ours.sendall(framed(b"two")[5:])
        assert next(found) == "two"
        ours.sendall(END + b"rest")
        assert list(found) == []
        assert stream.read(4) == b"rest"


def test_a_large_text_through_a_pipe() -> None:
    some = random.Random(1)
    text = ["".join(some.choices("abcé|😀", k=some.randrange(90))) for _ in range(20_000)]
    out, into = os.pipe()

    def write() -> None:
        with os.fdopen(into, "wb") as stream:
            stream.writelines(framed(line.encode()) for line in text)
            stream.write(END + b"rest")

    thread = threading.Thread(target=write)
    thread.start()
    with os.fdopen(out, "rb", 65536) as stream:
        assert list(Lines().load_stream(stream)) == text
        assert stream.read() == b"rest"
    thread.join()


def test_a_stream_that_can_t_be_looked_into() -> None:
    class Bare:
        def __init__(self, data: bytes) -> None:
            self.read = io.BytesIO(data).read

    assert list(Lines().load_stream(Bare(framed(b"a") + END))) == ["a"]


def test_texts_that_are_zipped_are_read_by_turns() -> None:
    data = b"".join(framed(b"k%d" % n) + framed(b"v%d" % n) for n in range(5)) + END
    pairs = PairDeserializer(Lines(), Lines(False)).load_stream(io.BufferedReader(io.BytesIO(data)))
    assert list(pairs) == [(f"k{n}", b"v%d" % n) for n in range(5)]


def test_it_stands_for_the_one_of_spark() -> None:
    for how in (True, False):
        ours, stock = Lines(how), UTF8Deserializer(how)
        assert ours == stock
        assert stock == ours
        assert hash(ours) == hash(stock)
        assert repr(ours) == repr(stock)
        assert ours != Lines(not how)
        assert ours != UTF8Deserializer(not how)
        assert UTF8Deserializer(not how) != ours
        assert ours != BatchedSerializer(CPickleSerializer())
    for pickler in (pickle, cloudpickle):
        back = pickler.loads(pickler.dumps(Lines(False)))
        assert type(back) is Lines
        assert back.use_unicode is False
