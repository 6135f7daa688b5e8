"""The golden files: decoded, encoded again, and read by a second implementation of the format."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import make
import pytest
import rowtext
import serow
import wire_format
from conftest import GOLDEN

pytestmark = pytest.mark.tiers

MESSAGES = sorted(GOLDEN.glob("*.srow"))


def rows_of(message: Path) -> rowtext.Golden:
    return rowtext.read(message.with_name(message.name.split(".")[0] + ".rows"))


def arrays_of(golden: rowtext.Golden) -> Literal["numpy"] | None:
    return "numpy" if "ndarray" in golden.schema else None


def lines(rows: list[object]) -> list[str]:
    # The order of a dict's keys does not matter.
    return [rowtext.canonical(row) for row in rows]


def test_every_message_has_its_rows() -> None:
    assert len(MESSAGES) >= 30
    assert {m.name.split(".")[0] for m in MESSAGES} == {p.stem for p in GOLDEN.glob("*.rows")}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda path: path.name)
class TestMessage:
    def test_decodes_to_its_rows(self, message: Path, access: str) -> None:
        golden = rows_of(message)
        rows = serow.loads(message.read_bytes(), arrays=arrays_of(golden))
        assert lines(rows) == lines(golden.rows)

    def test_is_what_its_rows_encode_to(self, message: Path, access: str) -> None:
        name, how, _ = message.name.split(".")
        declared = make.DECLARED.get(name)
        assert make.encoded(rows_of(message).rows, how, declared) == message.read_bytes()

    def test_reads_as_a_stream(self, message: Path, access: str) -> None:
        golden = rows_of(message)
        rows = list(serow.Reader(message, arrays=arrays_of(golden)))
        assert lines(rows) == lines(golden.rows)

    def test_is_as_the_format_is_described(self, message: Path) -> None:
        assert lines(wire_format.loads(message.read_bytes())) == lines(rows_of(message).rows)

    def test_has_the_schema_that_its_rows_join_to(self, message: Path) -> None:
        golden = rows_of(message)
        is_declared = message.name.split(".")[0] in make.DECLARED
        assert (str(serow.Schema.infer(golden.rows)) == golden.schema) != is_declared
        assert str(serow.Schema.parse(golden.schema)) == golden.schema


#: The files of single records.
RECORDS = [path for path in sorted(GOLDEN.glob("*.records")) if path.read_bytes()]


@pytest.mark.parametrize("file", RECORDS, ids=lambda path: path.name)
class TestRecords:
    def test_each_decodes_to_its_row(self, file: Path, access: str) -> None:
        golden = rows_of(file)
        codec = serow.Codec(golden.schema, arrays=arrays_of(golden))
        records = wire_format.single_records(file.read_bytes())
        assert lines([codec.decode_one(record) for record in records]) == lines(golden.rows)

    def test_each_is_what_its_row_encodes_to(self, file: Path, access: str) -> None:
        golden = rows_of(file)
        codec = serow.Codec(golden.schema)
        records = list(wire_format.single_records(file.read_bytes()))
        assert [codec.encode_one(row) for row in golden.rows] == records

    def test_each_is_as_the_format_is_described(self, file: Path) -> None:
        golden = rows_of(file)
        codes = serow.Schema.parse(golden.schema).type_list
        records = wire_format.single_records(file.read_bytes())
        rows = [wire_format.decode_one(record, codes) for record in records]
        assert lines(rows) == lines(golden.rows)


def test_messages_in_the_row_wire_have_files_of_single_records() -> None:
    in_row_wire = {path.name.split(".")[0] for path in GOLDEN.glob("*.row.srow")}
    assert {path.stem for path in RECORDS} == in_row_wire - {"no_rows"}
    assert (GOLDEN / "no_rows.records").read_bytes() == b""


def test_the_program_makes_these_very_files() -> None:
    check = [sys.executable, str(GOLDEN / "make.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


ENCODINGS = {
    ("int_encodings", "int"): {0, 1, 2},
    ("int_exceptions", "int"): {3},
    ("float_encodings", "float"): {0, 1, 2, 3},
    ("str_dictionary", "str"): {1},
    ("str_plain", "str"): {0},
    ("bools", "bit"): {0, 1},
    ("optionals", "bit"): {1},
}


@pytest.mark.parametrize(("name", "kind"), ENCODINGS)
def test_a_file_holds_the_encodings_that_it_is_for(name: str, kind: str) -> None:
    frame, *more = wire_format.frames((GOLDEN / f"{name}.frame.srow").read_bytes())
    columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
    assert not more
    assert {c.encoding for c in columns if c.kind == kind} == ENCODINGS[name, kind]


def test_decimals_have_exceptions() -> None:
    frame = wire_format.frames((GOLDEN / "float_encodings.frame.srow").read_bytes())[0]
    columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
    exceptions = [wire_format.Cursor(c.chunk[1:]).varint() for c in columns if c.encoding == 2]
    assert sorted(exceptions) == [0, 0, 4]


def test_all_ints_have_exceptions_in_the_file_for_them() -> None:
    frame = wire_format.frames((GOLDEN / "int_exceptions.frame.srow").read_bytes())[0]
    columns = wire_format.columns(frame, wire_format.parse(wire_format.codes(frame.schema)))
    ints, decimals, plain, dictionary = columns[:3], columns[3], columns[4], columns[5]
    assert [wire_format.exceptions(c.chunk, 600)[0] for c in ints] == [1, 1, 2]
    assert decimals.chunk[2] == plain.chunk[2] == 3
    at = wire_format.Cursor(dictionary.chunk)
    at.varint()
    at.bytes(at.varint())
    at.bytes(at.varint())
    assert at.byte() == 3


def test_widening_makes_frames_and_a_known_schema_is_named_by_its_fingerprint() -> None:
    widening = wire_format.frames((GOLDEN / "widening.frame.srow").read_bytes())
    assert [frame.rows for frame in widening] == [101, 40, 10, 49]
    assert len({frame.schema for frame in widening}) == 4
    first, second = wire_format.frames((GOLDEN / "many_rows.frame.srow").read_bytes())
    assert (first.rows, second.rows) == (65_536, 4_464)
    assert second.flags & wire_format.IN_BAND == 0
    assert second.schema == wire_format.checksum(first.schema)
