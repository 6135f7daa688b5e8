"""Batches of Arrow with a schema that the caller chooses."""

import datetime
import io
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow")

import serow  # noqa: E402


def of(**columns: Any) -> Any:
    return pa.schema(list(columns.items()))


def read(rows: list[Any], schema: Any, flush_rows: int = 1) -> list[Any]:
    """Give tables of the rows by each door, all of this schema."""
    file = io.BytesIO()
    with serow.Writer(file, flush_rows=flush_rows) as writer:
        for row in rows:
            writer.write(row)
    file.seek(0)
    message = serow.dumps(rows)
    codec = serow.Codec(serow.schema_of(message))
    made = [
        serow.to_arrow(rows, schema=schema),
        serow.to_arrow(iter(rows), schema=schema, batch_rows=2),
        codec.decode_arrow(message, schema=schema),
        serow.Reader(file).arrow(schema=schema),
    ]
    tables = [pa.table(stream) for stream in made]
    assert all(table.schema == schema for table in tables)
    return [table.to_pylist() for table in tables]


ONE, TWO = (datetime.timezone(datetime.timedelta(hours=hours)) for hours in (1, 2))
JANUARY = datetime.datetime(2024, 1, 1, tzinfo=ONE)
JULY = datetime.datetime(2024, 7, 1, tzinfo=TWO)


@pytest.mark.parametrize(
    ("values", "ty"),
    [
        ([Decimal("1.5"), Decimal("1.25"), None, 3, 2], pa.decimal128(38, 2)),
        ([Decimal("1.5"), Decimal("-1.25")], pa.decimal64(4, 2)),
        ([JANUARY, JULY], pa.timestamp("us", "UTC")),
        ([JANUARY, JULY], pa.timestamp("s", "Europe/Berlin")),
        ([1, 1.5, None], pa.float64()),
        ([1, Decimal("2.00"), 3.0, 2**40], pa.int64()),
        ([2**64 - 1, 5], pa.uint64()),
        ([2**70, 5, -1], pa.decimal128(38, 0)),
        ([None, None], pa.large_list(pa.int8())),
        ([[1], None, [2]], pa.list_(pa.int16(), 1)),
        ([{"a": 1}, {"a": None}, None], pa.struct([("a", pa.int8())])),
    ],
    ids=str,
)
def test_values_are_what_equals_them(values: list[Any], ty: Any) -> None:
    rows = [{"x": value} for value in values]
    for made in read(rows, of(x=ty)):
        assert made == rows


def test_large_ints_are_text_if_that_is_wanted() -> None:
    rows = [{"x": 2**70}, {"x": 2**200}, {"x": 5}]
    for made in read(rows, of(x=pa.string())):
        assert made == [{"x": str(row["x"])} for row in rows]


def test_a_table_comes_back_as_it_was() -> None:
    columns = {
        "int8": pa.array([1, 2, None], pa.int8()),
        "uint64": pa.array([1, 2, 2**64 - 1], pa.uint64()),
        "float32": pa.array([1.5, None, float("inf")], pa.float32()),
        "large": pa.array(["a", None, "b"], pa.large_string()),
        "view": pa.array(["a" * 20, None, "b"], pa.string_view()),
        "category": pa.array(["a", None, "b"]).dictionary_encode(),
        "fixed": pa.array([b"ab", None, b"cd"], pa.binary(2)),
        "binary_view": pa.array([b"ab", None, b"c" * 30], pa.binary_view()),
        "decimal": pa.array([Decimal("1.20"), None, Decimal("3.45")], pa.decimal128(10, 2)),
        "timestamp": pa.array([1, None, 3], pa.timestamp("s")),
        "zoned": pa.array([1, None, 3], pa.timestamp("ms", "Europe/Berlin")),
        "duration": pa.array([1, None, 3], pa.duration("ms")),
        "time32": pa.array([1, None, 3], pa.time32("ms")),
        "nanoseconds": pa.array([1, None, 3], pa.time64("ns")),
        "date": pa.array([1, None, 3], pa.date32()),
        "fixed_list": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int16(), 2)),
        "large_list": pa.array([[1.5], None, []], pa.large_list(pa.float32())),
        "nested": pa.array(
            [{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}],
            pa.struct([("a", pa.int32()), ("b", pa.large_string())]),
        ),
        "null": pa.array([None] * 3, pa.int32()),
        "bool": pa.array([True, None, False]),
    }
    table = pa.table(columns)
    message = serow.dumps(table)
    back = pa.table(
        serow.Codec(serow.schema_of(message)).decode_arrow(message, schema=table.schema)
    )
    back.validate(full=True)
    assert back.schema == table.schema
    assert back.equals(table)
    # Two messages of one table have one schema.
    assert pa.concat_tables([back, back]).num_rows == 6
    # Without a schema values stay, and widths, categories and units do not.
    plain = pa.table(serow.Codec(serow.schema_of(message)).decode_arrow(message))
    assert plain.to_pylist() == table.to_pylist()
    assert plain.schema.field("int8").type == pa.int64()
    assert plain.schema.field("category").type == pa.string()
    assert plain.schema.field("decimal").type == pa.decimal128(38, 2)
    assert not plain.schema.field("uint64").nullable


@pytest.mark.parametrize(
    ("row", "schema", "says"),
    [
        ({"x": 300}, of(x=pa.int8()), "column x: Int8 does not hold 300 exactly"),
        ({"x": 1.5}, of(x=pa.int8()), "column x: Int8 does not hold 1.5 exactly"),
        ({"x": 0.1}, of(x=pa.float32()), "column x: Float32 does not hold 0.1 exactly"),
        ({"x": 2**53 + 1}, of(x=pa.float64()), "does not hold 9007199254740993 exactly"),
        ({"x": Decimal("1.255")}, of(x=pa.decimal128(9, 2)), "does not hold 1255E-3 exactly"),
        ({"x": Decimal(10**9)}, of(x=pa.decimal128(9, 2)), "does not hold 1000000000 exactly"),
        ({"x": Decimal("NaN")}, of(x=pa.decimal128(9, 2)), "NaN has no 38 digits"),
        ({"x": 10**50}, of(x=pa.decimal128(38, 0)), "has no 38 digits"),
        ({"x": "a"}, of(x=pa.int8()), "values that are Utf8 can't be stored as Int8"),
        ({"x": True}, of(x=pa.int8()), "values of bool can't be stored as Int8|are no numbers"),
        ({"x": b"abc"}, of(x=pa.binary(2)), "column x: "),
        ({"x": [1, 2, 3]}, of(x=pa.list_(pa.int8(), 2)), "a list has 3 elements, not 2"),
        ({"x": [{"y": 300}]}, of(x=pa.list_(pa.struct([("y", pa.int8())]))), "column x: column y"),
        ({"x": 1, "y": 2}, of(x=pa.int8()), "the schema lacks the column y"),
        ({"x": JANUARY}, of(x=pa.timestamp("us")), "values of timestamptz can't be stored as"),
        (
            {"x": datetime.datetime(2020, 1, 1, microsecond=5)},
            of(x=pa.timestamp("ms")),
            "does not hold 1577836800000005000 nanoseconds exactly",
        ),
        ({"x": None}, pa.schema([pa.field("x", pa.int8(), nullable=False)]), "non-nullable"),
        ({}, pa.schema([pa.field("x", pa.int8(), nullable=False)]), "no row has such a field"),
        ((1, 2), of(x=pa.int8()), "a tuple of 2 values can't be stored in 1 columns"),
        (1, of(x=pa.int8(), y=pa.int8()), "rows of i64 are one column, and the schema has 2"),
    ],
    ids=str,
)
def test_what_a_schema_does_not_hold_is_an_error(row: Any, schema: Any, says: str) -> None:
    with pytest.raises(serow.EncodeError, match=says):
        serow.to_arrow([row], schema=schema)


@pytest.mark.parametrize("schema", [5, pa.int64()])
def test_a_schema_has_columns(schema: Any) -> None:
    with pytest.raises(TypeError, match="schema must"):
        serow.to_arrow([1], schema=schema)


def frames(make: Callable[[io.BytesIO], Any]) -> io.BytesIO:
    file = io.BytesIO()
    make(file)
    file.seek(0)
    return file


def test_the_columns_of_a_file_fit_all_frames() -> None:
    def write(file: io.BytesIO) -> None:
        with serow.Writer(file, flush_rows=1) as writer:
            for row in ({"a": 1}, {"a": None}, {"a": 2, "b": "x"}):
                writer.write(row)

    file = frames(write)
    table = pa.table(serow.Reader(file).arrow())
    assert table.select(["a", "b"]).to_pylist() == [
        {"a": 1, "b": None},
        {"a": None, "b": None},
        {"a": 2, "b": "x"},
    ]
    # A schema of the reader has no column that says whether an optional field is there.
    file.seek(0)
    read = serow.Reader(file).arrow(schema=of(b=pa.string(), a=pa.int8()))
    assert pa.table(read).to_pylist() == table.select(["b", "a"]).to_pylist()
    # What was read before stays read, and a pipe can't be looked at.
    file.seek(0)
    reader = serow.Reader(file)
    assert next(reader.frames()) == [{"a": 1}]
    with pytest.raises(pa.ArrowInvalid, match="give the `schema` of Arrow"):
        pa.table(reader.arrow())
    file.seek(0)
    file.seekable = lambda: False  # type: ignore[method-assign]
    with pytest.raises(pa.ArrowInvalid, match="give the `schema` of Arrow"):
        pa.table(serow.Reader(file).arrow())


def test_a_damaged_file_gives_the_batches_before_the_damage() -> None:
    def write(file: io.BytesIO) -> None:
        with serow.Writer(file, flush_rows=1) as writer:
            for key in range(3):
                writer.write((key,))
            nonlocal end
            end = writer.bytes_written

    end = 0
    data = bytearray(frames(write).getvalue())
    data[end - 3] ^= 0xFF
    stream = serow.Reader(io.BytesIO(data)).arrow()
    batches = pa.RecordBatchReader.from_stream(stream)
    assert batches.read_next_batch().to_pylist() == [{"column_0": 0}]
    with pytest.raises(pa.ArrowInvalid, match="DecodeError: frame 2"):
        batches.read_all()


def test_a_stream_without_rows_has_columns() -> None:
    empty = pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())})

    def write(file: io.BytesIO) -> None:
        with serow.Writer(file) as writer:
            writer.write_rows(empty)

    file = frames(write)
    assert pa.table(serow.Reader(file).arrow()).column_names == ["a", "b"]
