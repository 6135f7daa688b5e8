"""Messages and streams beyond 2 and 4 GiB. `make test-long` runs them, alone and once."""

import os
import random
import shutil
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Literal

import pytest
import serow

pytestmark = [pytest.mark.long, pytest.mark.huge]

GIB = 1 << 30
MIB = 1 << 20

#: Different values that take turns. A frame has about 16 MiB, so none occurs twice in it, where
#: a dictionary would make the message shorter.
DISTINCT = 61


def needs(memory: int) -> None:
    """Skip the test if it could take the memory that other programs use."""
    text = Path("/proc/meminfo").read_text()
    available = int(text.partition("MemAvailable:")[2].split()[0]) * 1024
    if available < memory:
        pytest.skip(
            f"needs {memory / GIB:.1f} GiB of memory, and {available / GIB:.1f} GiB are available"
        )


def blobs() -> list[bytes]:
    """Give different random bytes of a mebibyte each."""
    chance = random.Random(8429)
    return [chance.randbytes(MIB) for _ in range(DISTINCT)]


def assert_rows(expected: Iterator[Any], received: list[Any], count: int) -> None:
    """Compare rows one by one, so that a difference is not shown with all its mebibytes."""
    assert len(received) == count
    for number, (left, right) in enumerate(zip(islice(expected, count), received, strict=True)):
        if left != right:
            pytest.fail(f"row {number} came back unequal")


@pytest.mark.parametrize("compression", [None, "zstd"])
@pytest.mark.parametrize("wire", ["frame", "row"])
def test_a_message_just_beyond_2_gib(
    wire: Literal["frame", "row"], compression: Literal["zstd"] | None
) -> None:
    needs(7 * GIB)
    values = blobs()
    count = 2 * GIB // MIB + 1
    rows = list(islice(cycle(values), count))
    data = serow.dumps(rows, wire=wire, compression=compression, threads=2)
    assert 2 * GIB < len(data) < 2.1 * GIB
    assert_rows(cycle(values), serow.loads(data, threads=2), count)


@pytest.mark.parametrize("wire", ["frame", "row"])
def test_texts_beyond_4_gib_in_one_column(wire: Literal["frame", "row"]) -> None:
    needs(11 * GIB)
    values = [value.hex()[:MIB] for value in blobs()]
    count = 4 * GIB // MIB + 1
    rows = [(number, values[number % DISTINCT]) for number in range(count)]
    data = serow.dumps(rows, wire=wire)
    assert 4 * GIB < len(data) < 4.2 * GIB
    received = serow.loads(data)
    del data
    assert_rows(iter(rows), received, count)


def test_lists_beyond_2_gib_in_one_column() -> None:
    needs(7 * GIB)
    values = [
        [value[begin : begin + 16_384] for begin in range(0, MIB, 16_384)] for value in blobs()
    ]
    count = 2 * GIB // MIB + 1
    rows = [(number, values[number % DISTINCT]) for number in range(count)]
    codec = serow.Codec("(i64, [bytes])")
    data = codec.encode(rows)
    assert 2 * GIB < len(data) < 2.1 * GIB
    assert_rows(iter(rows), codec.decode(data), count)


def test_a_buffer_beyond_4_gib_is_filled() -> None:
    needs(11 * GIB)
    values = blobs()
    count = 4 * GIB // MIB + 1
    codec = serow.Codec("bytes")
    buffer = bytearray(4 * GIB + 64 * MIB)
    length = codec.encode_into(list(islice(cycle(values), count)), buffer)
    assert 4 * GIB < length < len(buffer)
    with memoryview(buffer) as whole, whole[:length] as message:
        assert sum(1 for _ in serow.Reader(Bytes(message))) == count


class Bytes:
    """A file of the bytes of a buffer, without a copy of all of them."""

    def __init__(self, view: memoryview) -> None:
        self._view, self._at = view, 0

    def read(self, count: int) -> bytes:
        begin, self._at = self._at, min(self._at + count, len(self._view))
        return bytes(self._view[begin : self._at])


def test_any_row_of_a_stream_beyond_4_gib(tmp_path: Path) -> None:
    needs(GIB)
    if shutil.disk_usage(tmp_path).free < 6 * GIB:
        pytest.skip("needs 6 GiB of free disk")
    values = blobs()
    count = 4 * GIB // MIB + 17
    path = tmp_path / "large.srow"
    try:
        with serow.Writer(path, "(i64, bytes)") as writer:
            writer.write_rows((number, values[number % DISTINCT]) for number in range(count))
            assert writer.bytes_written > 4 * GIB
        assert os.path.getsize(path) > 4 * GIB
        with serow.view(path) as rows:
            assert len(rows) == count
            for number in (-1, 0, 2 * GIB // MIB, 4 * GIB // MIB, count - 1, 2 * GIB // MIB - 1):
                expected = number % count
                assert rows[number] == (expected, values[expected % DISTINCT])
        with serow.Reader(path) as reader:
            assert all(row[0] == number for number, row in enumerate(reader))
            assert (reader.rows, reader.bytes_read) == (count, os.path.getsize(path))
    finally:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize("wire", ["frame", "row"])
def test_one_value_beyond_2_gib(wire: Literal["frame", "row"]) -> None:
    needs(11 * GIB)
    value = bytes(2 * GIB + 8429)
    data = serow.dumps([value], wire=wire)
    assert 2 * GIB < len(data) < 2.1 * GIB
    received = serow.loads(data)
    del data
    assert_rows(iter([value]), received, 1)


@pytest.mark.parametrize("wire", ["frame", "row"])
def test_one_value_of_4_gib_is_too_long(wire: Literal["frame", "row"]) -> None:
    needs(11 * GIB)
    with pytest.raises(serow.LimitError) as caught:
        serow.dumps([(1, b"bolt"), (2, bytes(4 * GIB))], wire=wire)
    assert caught.value.row == 1
