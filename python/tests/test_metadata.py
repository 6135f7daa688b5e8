"""Texts in the header of a stream."""

import io
import os
from pathlib import Path

import pytest
import serow
import wire_format
from streams import ROWS, streamed

pytestmark = pytest.mark.once


class TestMetadata:
    TEXTS = {"source": "sensor 7", "": "empty", "naïve": "ß\0" * 40}  # noqa: RUF012

    @pytest.mark.parametrize("threads", [1, 2])
    def test_comes_back(self, threads: int, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        for rows in (ROWS, []):
            with serow.Writer(path, metadata=self.TEXTS) as writer:
                writer.write_rows(rows)
            reader = serow.Reader(path, threads=threads)
            assert reader.metadata == self.TEXTS
            assert (reader.rows, list(reader), reader.metadata) == (0, rows, self.TEXTS)
            assert wire_format.stream_header(path.read_bytes())[2] == self.TEXTS
            assert serow.loads(path.read_bytes()) == rows
            assert list(serow.view(path)) == rows
            assert serow.schema_of(path) == serow.Schema.infer(rows)

    def test_there_need_be_none(self) -> None:
        assert serow.Reader(io.BytesIO(streamed(ROWS))).metadata == {}
        assert serow.Reader(io.BytesIO(serow.dumps(ROWS))).metadata == {}
        assert serow.Reader(io.BytesIO()).metadata == {}

    def test_of_several_streams_is_that_of_each(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        for name in ("one", "two"):
            with serow.Writer(path, append=True, metadata={"by": name}) as writer:
                writer.write(name)
        with serow.Reader(path) as reader:
            assert [(rows, reader.metadata["by"]) for rows in reader.frames()] == [
                (["one"], "one"),
                (["two"], "two"),
            ]
        # The file is cut within the header that has it.
        os.truncate(path, path.stat().st_size - 1)
        with serow.Writer(path, append=True) as writer:
            writer.write("three")
        assert list(serow.Reader(path)) == ["one", "two", "three"]

    def test_a_damaged_one_is_an_error_or_left_out(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file, metadata=self.TEXTS) as writer:
            writer.write(1)
        for at in range(32, wire_format.stream_header(file.getvalue())[3]):
            damaged = bytearray(file.getvalue())
            damaged[at] ^= 4
            with pytest.raises(serow.DecodeError, match="metadata"):
                print(serow.Reader(io.BytesIO(damaged)).metadata)
            with pytest.raises(serow.DecodeError, match="metadata"):
                serow.loads(bytes(damaged))
            reader = serow.Reader(io.BytesIO(damaged), on_damage="skip")
            assert (reader.metadata, list(reader)) == ({}, [1])

    def test_is_text(self, tmp_path: Path) -> None:
        for wrong, text in (
            (["a"], "it is list"),
            ({1: "a"}, "a key is int"),
            ({"a": b"b"}, 'the value of "a" is bytes'),
        ):
            with pytest.raises(TypeError, match=f"metadata must be .* but {text}"):
                serow.Writer(io.BytesIO(), metadata=wrong)  # type: ignore[arg-type]
        with pytest.raises(serow.LimitError, match="has 1048576 at most"):
            serow.Writer(tmp_path / "log", append=True, metadata={"a": "b" * (1 << 20)})
        with pytest.raises(UnicodeEncodeError):
            serow.Writer(io.BytesIO(), metadata={"a": "\ud800"})
