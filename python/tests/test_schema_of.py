"""The schema of bytes, files and readers, and folders of schemas."""

import array
import contextlib
import gzip
import io
import mmap
import os
from pathlib import Path
from typing import Any

import pytest
import serow
from hypothesis import given
from hypothesis import strategies as st
from schema_types import schemas, value_of
from serow import Schema, SchemaSet, schema_of
from streams import streamed

pytestmark = pytest.mark.once

ROWS = [(8429, "almond"), (8430, None)]
SCHEMA = Schema.parse("(i64, str?)")


MESSAGES: dict[str, bytes] = {
    "frame": serow.dumps(ROWS, wire="frame"),
    "row": serow.dumps(ROWS, wire="row"),
    "zstd": serow.dumps(ROWS * 1000, compression="zstd"),
    "codec": serow.Codec(SCHEMA).encode([]),
    "stream": streamed(ROWS, ROWS, wire="row"),
    "streams": streamed(ROWS) + streamed() + serow.dumps([]) + streamed([(1, "x")]),
    "widened": streamed([(1, "x")], [(2, None)], ROWS),
}


WRONG: list[tuple[Any, type[Exception], str]] = [
    (b"", serow.DecodeError, "the message is cut after 0 bytes"),
    (b"SRO", serow.DecodeError, "the message is cut after 3 bytes"),
    (b"PAR1" * 9, serow.DecodeError, "not a serow message.*SchemaSet.find"),
    (MESSAGES["frame"] + b"more....", serow.DecodeError, r"after the message .* at byte \d+"),
    (b"SROW\x01\0\0\0" + b"\xff" * 40, serow.DecodeError, "header of the frame at byte 8"),
    (5, TypeError, "source must be a path, a buffer or a file with read.* not int"),
    (None, TypeError, "not NoneType"),
    (io.StringIO("SROW"), TypeError, "open it with 'rb'"),
    (Path("no/such/file"), FileNotFoundError, "no/such/file"),
]


def rows_of(of: list[Schema]) -> list[Any]:
    """Give a row of each schema that has rows."""
    rows = []
    for schema in of:
        with contextlib.suppress(LookupError):
            rows.append(value_of(schema.type))
    return rows


class TestSchemaOf:
    @pytest.mark.parametrize("name", MESSAGES)
    def test_all_that_a_reader_reads(self, name: str, tmp_path: Path) -> None:
        data = MESSAGES[name]
        path = tmp_path / "rows"
        path.write_bytes(data)
        with path.open("rb") as file, path.open("rb", buffering=0) as raw:
            sources: list[Any] = [data, bytearray(data), memoryview(data), array.array("B", data)]
            sources += [path, str(path), os.fsencode(path).decode(), io.BytesIO(data), file, raw]
            sources += [mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)]
            for source in sources:
                assert schema_of(source) == SCHEMA

    @given(st.lists(schemas, max_size=4))
    def test_of_any_rows_is_the_writers(self, of: list[Schema]) -> None:
        rows = rows_of(of)
        codec = serow.Codec.infer(rows)
        assert schema_of(codec.encode(rows)) == codec.schema
        message = serow.dumps(rows)
        reader = serow.Reader(io.BytesIO(message))
        assert len(list(reader)) == len(rows)
        assert schema_of(message) == (reader.schema or Schema.parse("never"))

    @given(st.lists(schemas, max_size=4))
    def test_fits_the_rows_of_all_streams(self, of: list[Schema]) -> None:
        # Streams of each schema, and one that widens.
        rows = rows_of(of)
        data = streamed(*([row] for row in rows)) + b"".join(streamed([row]) for row in rows)
        codec = serow.Codec(schema_of(data))
        read = list(serow.Reader(io.BytesIO(data), type=codec))
        assert len(read) == 2 * len(rows)
        assert codec.encode(read) == codec.encode(rows + rows)

    def test_of_a_file_begins_at_its_position_and_leaves_it(self) -> None:
        first = serow.dumps(["x"])
        file = io.BytesIO(b"head" + first + MESSAGES["frame"])
        file.seek(4 + len(first))
        assert schema_of(file) == SCHEMA
        assert file.tell() == 4 + len(first)
        assert list(serow.Reader(file)) == ROWS
        assert schema_of(io.BytesIO(first)) == Schema.parse("str")
        file.seek(1)
        with pytest.raises(serow.DecodeError):
            schema_of(file)
        assert file.tell() == 1

    def test_reads_little(self, tmp_path: Path) -> None:
        data = streamed(*([(n, "x" * 100_000)] for n in range(20)))
        counted = 0

        class Counting(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                nonlocal counted
                data = super().read(size)
                counted += len(data)
                return data

        # The texts are random to the compressor of columns, or the frames would be small.
        data = streamed(*([(n, os.urandom(50_000).hex())] for n in range(20)))
        assert schema_of(Counting(data)) == Schema.parse("(i64, str)")
        assert counted < len(data) / 5

    def test_of_files_without_positions(self, tmp_path: Path) -> None:
        read, write = os.pipe()
        os.close(write)
        with (
            open(read, "rb") as pipe,
            pytest.raises(ValueError, match=r"serow.Reader, whose schema"),
        ):
            schema_of(pipe)
        path = tmp_path / "rows.gz"
        with gzip.open(path, "wb") as file:
            file.write(MESSAGES["stream"])
        with gzip.open(path) as file:
            assert schema_of(file) == SCHEMA

    def test_of_a_stream_that_is_cut(self) -> None:
        data = MESSAGES["stream"]
        for end in range(32, len(data)):
            try:
                schema = schema_of(data[:end])
            except serow.DecodeError:
                assert end < 8
            else:
                assert schema in (SCHEMA, Schema.parse("never"))
        assert schema_of(data[: len(data) // 2]) == SCHEMA

    @pytest.mark.parametrize(("source", "error", "text"), WRONG, ids=lambda v: str(v)[:20])
    def test_mistakes_are_told(self, source: Any, error: type[Exception], text: str) -> None:
        with pytest.raises(error, match=text):
            schema_of(source)

    def test_of_a_single_record_its_set_knows(self) -> None:
        codec = serow.Codec(SCHEMA)
        record = codec.encode_one((1, None))
        with pytest.raises(serow.DecodeError, match="its first 8 bytes are the fingerprint"):
            schema_of(record)
        fingerprint = int.from_bytes(record[:8], "little")
        assert SchemaSet([SCHEMA]).find(fingerprint) == SCHEMA

    def test_of_damaged_bytes_never_fails_otherwise(self) -> None:
        data = MESSAGES["widened"]
        for at in range(len(data)):
            for bit in (1, 0x80):
                damaged = bytearray(data)
                damaged[at] ^= bit
                try:
                    assert isinstance(schema_of(damaged), Schema)
                except serow.DecodeError as error:
                    assert str(error)  # noqa: PT017
                except serow.LimitError:
                    pass


class TestReaders:
    def test_have_the_schema_of_the_last_frame(self) -> None:
        reader = serow.Reader(io.BytesIO(streamed([(1, "x")], [(2, None)])))
        assert reader.schema is None
        rows = iter(reader)
        assert next(rows) == (1, "x")
        assert reader.schema == Schema.parse("(i64, str)")
        assert next(rows) == (2, None)
        assert reader.schema == SCHEMA
        assert list(rows) == []
        assert reader.schema == SCHEMA

    @pytest.mark.parametrize("threads", [1, 2])
    def test_have_the_writers_schema(self, threads: int) -> None:
        data = streamed(*([(n, "x" * 1000)] for n in range(5)), compression="zstd")
        reader = serow.Reader(io.BytesIO(data), type=tuple[float, str | None], threads=threads)
        for frame in reader.frames():
            assert len(frame) == 1
            assert reader.schema == Schema.parse("(i64, str)")

    def test_of_files_have_the_schema_of_all_rows(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        path.write_bytes(streamed([1]) + streamed(["x"], [None]))
        with serow.view(path, type=int | str | None) as reader:
            assert reader.schema == schema_of(path) == Schema.parse("(i64|str)?")
            assert reader.schema is reader.schema
            assert list(reader) == [1, "x", None]


SCHEMAS = [
    *("Part{key: i64, tags: [str]}", "Part{key: i64}", '"../x/ü\\u{0}"{a: i64}', "(i64, str)"),
    *("enum Color{RED = 1}?", '{"a b"?: i64}', "i64", "never", f'"{"x" * 300}"{{}}'),
    'R{a: {str: (enum E{A = "it\'s\\n\\\\"}|S{x: [i64, str]})?}, b: (i64, ...)}'.replace("\\n", ""),
]


class TestFolders:
    def test_hold_a_file_for_each_schema(self, tmp_path: Path) -> None:
        schemas = SchemaSet(SCHEMAS)
        folder = tmp_path / "some" / "schemas"
        written = schemas.save(folder)
        assert len(written) == len(SCHEMAS) == len(os.listdir(folder))
        assert SchemaSet.from_folder(folder) == SchemaSet.from_folder(str(folder)) == schemas
        part = Schema.parse("Part{key: i64, tags: [str]}")
        path = folder / f"Part-{part.fingerprint:016x}.schema"
        assert str(path) in written
        assert path.read_text() == "Part{\n  key: i64,\n  tags: [str],\n}\n"
        assert path.stat().st_mode & 0o777 == 0o666 & ~umask()
        assert all(name.isascii() and len(name) < 120 for name in os.listdir(folder))

    def test_keep_what_they_have(self, tmp_path: Path) -> None:
        (tmp_path / "README.md").write_text("what these are")
        (tmp_path / "point.schema").write_text("Point{x: f64}")
        (tmp_path / ".hidden.schema").write_text("?")
        assert SchemaSet.from_folder(tmp_path) == SchemaSet(["Point{x: f64}"])
        before = {path: path.read_bytes() for path in tmp_path.iterdir()}
        (new,) = SchemaSet(["Point{x: f64}", "i64"]).save(tmp_path)
        assert SchemaSet(["i64"]).save(tmp_path) == []
        after = {path: path.read_bytes() for path in tmp_path.iterdir()}
        assert after == {**before, Path(new): b"i64\n"}

    @pytest.mark.parametrize(
        ("name", "content", "text"),
        [
            (
                "a.schema",
                b"Part{\n  key: string,\n}",
                r"a.schema: schema, line 2, column 8: no type",
            ),
            ("a.schema", b"Part{key: }", r"a.schema: schema, column 11: expected a type"),
            ("a.schema", b"", r"a.schema: schema, column 1: expected a type"),
            ("a.schema", b"Part{\n\xff}", r"a.schema: line 2: the text is not UTF-8"),
            ("a.schema", b"[" * 1000, r"a.schema: .*nest"),
            ("a-0123456789abcdef.schema", b"i64", r"fingerprint .* restore the file"),
        ],
    )
    def test_with_broken_files_are_errors(
        self, name: str, content: bytes, text: str, tmp_path: Path
    ) -> None:
        (tmp_path / name).write_bytes(content)
        for use in (SchemaSet.from_folder, SchemaSet(["f64"]).save):
            with pytest.raises(serow.SerowError, match=text):
                use(tmp_path)
        assert os.listdir(tmp_path) == [name]

    def test_that_are_none_are_errors(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            SchemaSet.from_folder(tmp_path / "none")
        with pytest.raises(TypeError):
            SchemaSet.from_folder(None)  # type: ignore[arg-type]
        (tmp_path / "file").touch()
        with pytest.raises(OSError, match="file"):
            SchemaSet(["i64"]).save(tmp_path / "file")
        (tmp_path / "x.schema").mkdir()
        with pytest.raises(IsADirectoryError):
            SchemaSet.from_folder(tmp_path)

    def test_get_whole_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_: Any) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(os, "fsync", fails)
        with pytest.raises(OSError, match="the disk is full"):
            SchemaSet(["i64"]).save(tmp_path)
        assert os.listdir(tmp_path) == []


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
