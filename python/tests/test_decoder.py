"""A Decoder gives the rows of bytes that are fed to it in pieces."""

import asyncio
import io
import itertools
import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st


class Part(NamedTuple):
    key: int
    name: str = "-"


ROWS = [Part(key, f"part {key % 7}") for key in range(2_000)]


def stream(rows: list[Any], **options: Any) -> bytes:
    """Give the bytes of a stream with a frame for each 100 rows."""
    file = io.BytesIO()
    with serow.Writer(file, flush_rows=100, **options) as writer:
        for row in rows:
            writer.write(row)
    return file.getvalue()


DATA = stream(ROWS, compression="zstd", metadata={"source": "test"})


@given(cuts=st.lists(st.integers(0, len(DATA)), max_size=40))
def test_bytes_may_come_in_any_pieces(cuts: list[int]) -> None:
    decoder, found = serow.Decoder(type=Part), []
    places = [0, *sorted(cuts), len(DATA)]
    for start, end in itertools.pairwise(places):
        piece = bytearray(DATA[start:end])
        found += decoder.feed(memoryview(piece))
        # The decoder has copied what it needs.
        piece[:] = bytes(len(piece))
    decoder.close()
    assert found == ROWS
    assert (decoder.rows, decoder.bytes_read) == (len(ROWS), len(DATA))
    assert decoder.metadata == {"source": "test"}
    assert str(decoder.schema) == "Part{key: i64, name: str}"


def test_rows_come_as_soon_as_their_frame_is_whole() -> None:
    file = io.BytesIO()
    writer, decoder, before = serow.Writer(file), serow.Decoder(), 0
    for key in range(5):
        writer.write(key)
        writer.flush()
        piece = file.getvalue()[before:]
        before += len(piece)
        assert decoder.feed(piece[:-1]) == []
        assert decoder.feed(piece[-1:]) == [key]
    assert decoder.feed(b"") == []


def test_streams_and_messages_follow_each_other() -> None:
    decoder = serow.Decoder(records="dict")
    assert decoder.feed(DATA + serow.dumps([Part(1)]) + DATA[:-1])[-1] == ROWS[-1]._asdict()
    assert decoder.feed(DATA[-1:]) == []
    decoder.close()
    serow.Decoder().close()


@pytest.mark.parametrize("end", [3, 40, len(DATA) // 2, len(DATA) - 1])
def test_a_stream_that_is_cut_is_an_error(end: int) -> None:
    decoder = serow.Decoder[Part](type=Part)
    rows = decoder.feed(DATA[:end])
    assert rows == ROWS[: len(rows)]
    for _ in range(2):
        with pytest.raises(serow.DecodeError, match="cut"):
            decoder.close()
    with pytest.raises(ValueError, match="this Decoder is closed"):
        decoder.feed(DATA[end:])


def test_rows_before_damage_come_before_its_error() -> None:
    damaged = bytearray(DATA)
    damaged[len(DATA) // 2] ^= 1
    decoder = serow.Decoder(type=Part)
    rows = decoder.feed(damaged)
    assert 0 < len(rows) < len(ROWS)
    assert rows == ROWS[: len(rows)]
    for call in (lambda: decoder.feed(b""), lambda: decoder.feed(DATA), decoder.close):
        with pytest.raises(serow.DecodeError, match="at byte"):
            call()
    with pytest.raises(serow.DecodeError, match="does not begin with SROW"):
        serow.Decoder().feed(b"HTTP/1.1 400 Bad Request")
    with pytest.raises(serow.LimitError):
        serow.Decoder(max_memory=10).feed(DATA)


def test_metadata_must_have_come() -> None:
    decoder = serow.Decoder()
    decoder.feed(DATA[:20])
    with pytest.raises(BlockingIOError, match="feed those that follow"):
        _ = decoder.metadata
    decoder.feed(DATA[20:60])
    assert decoder.metadata == {"source": "test"}
    assert len(decoder.feed(DATA[60:])) == len(ROWS)


def test_a_large_frame_is_not_read_again_for_each_piece() -> None:
    data = serow.dumps([os.urandom(1 << 20) for _ in range(8)], wire="frame")
    decoder, found = serow.Decoder(), []
    for start in range(0, len(data), 1 << 12):
        found += decoder.feed(data[start : start + (1 << 12)])
    assert len(found) == 8


def test_a_connection_of_asyncio() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for start in range(0, len(DATA), 1000):
            writer.write(DATA[start : start + 1000])
            await writer.drain()
        writer.close()

    async def main() -> list[Part]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            decoder, rows = serow.Decoder(type=Part), []
            while data := await reader.read(4096):
                rows += decoder.feed(data)
            decoder.close()
            writer.close()
            return rows

    assert asyncio.run(main()) == ROWS


def test_dump_and_load_take_paths_and_files(tmp_path: Path) -> None:
    for file in (tmp_path / "parts", str(tmp_path / "others")):
        serow.dump(iter(ROWS), file, compression="lz4", metadata={"a": "b"})
        assert serow.load(file, type=Part) == ROWS
    memory = io.BytesIO()
    serow.dump([(1, 2.5), (2, 3)], memory, "(i64, f64)", ints_as_floats=True)
    assert serow.load(io.BytesIO(memory.getvalue())) == [(1, 2.5), (2, 3.0)]
    with pytest.raises(serow.EncodeError):
        serow.dump([1, object()], tmp_path / "parts")
    with pytest.raises(serow.DecodeError, match="an error stopped its writer"):
        serow.load(tmp_path / "parts")
    with pytest.raises(TypeError, match=r"for bytes in memory use io\.BytesIO"):
        serow.load(serow.dumps([1]))  # type: ignore[call-overload]


def test_the_classes_of_streams_are_generic() -> None:
    file = io.BytesIO()
    with serow.Writer[Part](file, Part) as writer:
        writer.write_rows(ROWS)
    file.seek(0)
    assert list(serow.Reader[Part](file, type=Part)) == ROWS
