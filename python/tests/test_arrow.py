"""Rows become Arrow's arrays and come back, with the types of every value."""

import ctypes
import datetime
import gc
import io
import re
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import pytest
import rowtext
import serow
from hypothesis import given
from hypothesis import strategies as st
from strategies import Table, rows, seeds

pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.tiers

UTC = datetime.timezone.utc


def lines(rows: list[Any]) -> list[str]:
    return [rowtext.canonical(row) for row in rows]


def table_of(rows: Any, **options: Any) -> Any:
    """Give pyarrow's table of rows, which is as its schema says."""
    table = pa.table(serow.to_arrow(rows, **options))
    table.validate(full=True)
    return table


class Arrays:
    """An object that has only the methods of Arrow's interface."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def has_arrays(rows: list[Any]) -> bool:
    """Tell whether Arrow has arrays of these rows: it lacks some names, and unions of many arms."""
    try:
        serow.to_arrow(rows)
    except serow.SerowError as error:
        if any(why in str(error) for why in ("lone surrogate", "Null byte", "at most 128 arms")):
            return False
        raise
    return True


@given(rows())
def test_any_rows_come_back(rows: list[Any]) -> None:
    if has_arrays(rows):
        assert lines(serow.from_arrow(table_of(rows))) == lines(serow.loads(serow.dumps(rows)))


@given(seeds)
def test_tables_come_back(seed: int) -> None:
    rows = Table(seed).rows(most=300, widest=5)
    if has_arrays(rows):
        table = Arrays(table_of(rows, batch_rows=37))
        assert lines(serow.from_arrow(table)) == lines(serow.loads(serow.dumps(rows)))


def schema_of(rows: list[Any]) -> dict[str, str]:
    return {field.name: str(field.type) for field in table_of(rows).schema}


def test_each_type_becomes_the_one_that_readers_expect() -> None:
    row = {
        "bool": True,
        "int": 1,
        "float": 0.5,
        "str": "almond",
        "none": None,
        "bytes": b"x",
        "large": 1 << 80,
        "date": datetime.date(2024, 2, 29),
        "time": datetime.time(1, 2, 3),
        "datetime": datetime.datetime(2024, 2, 29, 1),
        "utc": datetime.datetime(2024, 2, 29, 1, tzinfo=UTC),
        "ahead": datetime.datetime(
            2024, 2, 29, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30))
        ),
        "timedelta": datetime.timedelta(days=-1, microseconds=3),
        "price": Decimal("31.49"),
        "uuid": uuid.UUID(int=7),
        "complex": 1 + 2j,
        "list": [1, 2],
        "tuple": (1, "a"),
        "set": {1},
        "map": {1: "a", 2: "b"},
        "dict": {"a": 1},
    }
    assert schema_of([row]) == {
        "bool": "bool",
        "int": "int64",
        "float": "double",
        "str": "string",
        "none": "null",
        "bytes": "binary",
        "large": "decimal128(38, 0)",
        "date": "date32[day]",
        "time": "time64[us]",
        "datetime": "timestamp[us]",
        "utc": "timestamp[us, tz=UTC]",
        "ahead": "timestamp[us, tz=+05:30]",
        "timedelta": "duration[us]",
        "price": "decimal128(38, 2)",
        "uuid": "extension<arrow.uuid>",
        "complex": "struct<real: double not null, imaginary: double not null>",
        "list": "list<item: int64 not null>",
        "tuple": "struct<column_0: int64 not null, column_1: string not null>",
        "set": "list<item: int64 not null>",
        "map": "map<int64, string>",
        "dict": "struct<a: int64 not null>",
    }
    assert lines(serow.from_arrow(serow.to_arrow([row]))) == lines([row])


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([Decimal("1.10"), Decimal("2.20")], "decimal128(38, 2)"),
        ([Decimal("1.1"), Decimal("1.10")], "string"),
        ([Decimal("NaN"), Decimal("-0.00"), Decimal("1E+40")], "string"),
        ([1 << 200, -5], "string"),
        ([0, 1, (1 << 64) - 1], "uint64"),
        ([1 << 64, 1], "decimal128(38, 0)"),
        ([1 << 63, -1], "decimal128(38, 0)"),
        ([1 << 63, None, 5], "uint64"),
        (["a", "\ud800"], "binary"),
        ([datetime.time(1, fold=1)], "struct<microseconds: int64 not null, rest: int64 not null>"),
        ([datetime.timedelta.max, datetime.timedelta.min], None),
        ([datetime.datetime(2024, 6, 1, tzinfo=ZoneInfo("UTC"))], "timestamp[us, tz=UTC]"),
        (
            [datetime.datetime(2024, 6, 1, tzinfo=ZoneInfo("Europe/Berlin"))],
            "timestamp[us, tz=Europe/Berlin]",
        ),
        ([datetime.datetime(1, 1, 1), datetime.datetime.max], "timestamp[us]"),
        ([datetime.time(1, tzinfo=UTC)], None),
        ([(1,), [2], {3}, frozenset([4]), {5: 6}], None),
        ([{}, {"a": 1}, {"a": None}], None),
        ([None, {"a": {"b": [None, 1]}}], None),
    ],
)
def test_values_that_one_plain_type_does_not_hold(values: list[Any], name: str | None) -> None:
    rows = [{"v": value} for value in values]
    table = table_of(rows)
    if name is not None:
        assert str(table.schema.field("v").type) == name
    assert lines(serow.from_arrow(table)) == lines(rows)
    assert lines(serow.from_arrow(serow.to_arrow(values))) == lines(values)


class Part(NamedTuple):
    key: int
    name: str


@dataclass
class Item:
    key: int
    name: str | None = None


def test_rows_are_read_as_dicts_tuples_and_classes() -> None:
    table = pa.table({"key": [1, 2], "name": ["a", None]})
    assert serow.from_arrow(table) == [{"key": 1, "name": "a"}, {"key": 2, "name": None}]
    assert serow.from_arrow(table, type=dict) == table.to_pylist()
    assert serow.from_arrow(table, type=tuple) == [(1, "a"), (2, None)]
    assert serow.from_arrow(table, type=Item) == [Item(1, "a"), Item(2, None)]
    back = serow.from_arrow(serow.to_arrow([Item(1, "a"), Item(2)]), type=Item)
    assert back == [Item(1, "a"), Item(2, None)]
    with pytest.raises(serow.SchemaError, match="name"):
        serow.from_arrow(table, type=Part)
    tuples = [(1, "a"), (2, "b")]
    assert serow.from_arrow(serow.to_arrow(tuples)) == tuples
    assert serow.from_arrow(serow.to_arrow(tuples), type=dict) == [
        {"column_0": 1, "column_1": "a"},
        {"column_0": 2, "column_1": "b"},
    ]


def test_a_type_says_what_columns_there_are() -> None:
    assert schema_of([Item(1)]) == {"key": "int64", "name": "null"}
    stream = serow.to_arrow([Item(1)], Item)
    assert str(pa.table(stream).schema.field("name").type) == "string"
    with pytest.raises(serow.EncodeError, match="row 1, field key"):
        serow.to_arrow([Item(1), Item("a")], Item)  # type: ignore[arg-type]


def test_rows_of_an_iterator_are_taken_as_batches_are() -> None:
    taken = []

    def rows() -> Iterator[dict[str, int]]:
        row = {}
        for i in range(1000):
            taken.append(i)
            row["a"] = i
            yield row

    stream = serow.to_arrow(rows(), batch_rows=100)
    assert len(taken) == 100
    reader = pa.RecordBatchReader.from_stream(stream)
    assert [reader.read_next_batch().num_rows for _ in range(2)] == [100, 100]
    assert len(taken) <= 300
    assert reader.read_all().column("a").to_pylist() == list(range(200, 1000))
    with pytest.raises(RuntimeError, match="give it a list"):
        pa.table(stream)


def test_what_an_iterator_raises_reaches_the_reader() -> None:
    def rows() -> Iterator[tuple[int]]:
        yield from ((i,) for i in range(100))
        raise KeyError("the source is gone")

    with pytest.raises(KeyError, match="the source is gone"):
        serow.to_arrow(rows())
    with pytest.raises(Exception, match="the source is gone"):
        pa.table(serow.to_arrow(rows(), batch_rows=10))


def test_rows_that_the_first_batch_does_not_foresee() -> None:
    rows = [(Decimal("1.1"),)] * 10 + [(Decimal("1.11"),)]
    assert lines(serow.from_arrow(serow.to_arrow(rows, batch_rows=10))) == lines(rows)
    with pytest.raises(Exception, match="give the rows as a list"):
        pa.table(serow.to_arrow(iter(rows), batch_rows=10))
    with pytest.raises(Exception, match="row 10, field 0"):
        pa.table(serow.to_arrow(iter([(1,)] * 10 + [("a",)]), batch_rows=10))


def have_messages(rows: list[Any]) -> bool:
    """Tell whether arrays of these rows become messages: NaNs that are alike in a set do not."""
    try:
        serow.dumps(serow.to_arrow(rows))
    except serow.EncodeError as error:
        if "twice" in str(error) and "nan" in repr(rows).lower():
            return False
        raise
    return True


@pytest.mark.parametrize("kind", [float, Decimal])
def test_nans_that_are_alike_are_one_key_in_arrays(kind: Any) -> None:
    rows = [{kind("nan"): 1, kind("nan"): 2}]
    assert len(serow.loads(serow.dumps(rows))[0]) == 2
    with pytest.raises(serow.EncodeError, match="row 0: a map holds a key twice"):
        serow.dumps(serow.to_arrow(rows))


@given(rows(), st.sampled_from(["frame", "row"]))
def test_arrays_become_messages(rows: list[Any], wire: Any) -> None:
    if has_arrays(rows) and have_messages(rows):
        message = serow.dumps(serow.to_arrow(rows, batch_rows=5), wire=wire)
        assert lines(serow.loads(message)) == lines(serow.loads(serow.dumps(rows)))


@given(rows(), st.sampled_from(["frame", "row"]))
def test_messages_become_arrays(rows: list[Any], wire: Any) -> None:
    if has_arrays(rows) and have_messages(rows):
        codec = serow.Codec.infer(rows, wire=wire)
        message = codec.encode(rows)
        table = pa.table(codec.decode_arrow(message))
        table.validate(full=True)
        assert lines(serow.from_arrow(table)) == lines(codec.decode(message))
        assert codec.encode(table) == message or not table.num_rows
        stream = pa.table(serow.Reader(io.BytesIO(message)).arrow())
        assert stream.num_rows == len(rows)


def test_unsigned_columns_come_back_through_messages() -> None:
    table = pa.table({"hash": pa.array([1, None, 2**64 - 1], pa.uint64())})
    codec = serow.Codec.infer(table)
    again = pa.table(codec.decode_arrow(codec.encode(table)))
    assert again.equals(table)
    assert not again.schema.field("hash").metadata


def test_a_codec_takes_arrays_that_have_its_fields() -> None:
    table = pa.table({"name": ["a", "b"], "key": [1, 2]})
    items = [Item(1, "a"), Item(2, "b")]
    codec = serow.Codec(serow.Schema.of(Item))
    assert codec.decode(codec.encode(table)) == items
    pairs = serow.Codec("(str, i64)")
    assert pairs.decode(pairs.encode(table)) == [("a", 1), ("b", 2)]
    buffer = bytearray(1000)
    assert codec.decode(buffer[: codec.encode_into(table, buffer)]) == items
    with pytest.raises(serow.BufferTooSmall):
        codec.encode_into(table, bytearray(10))
    assert pa.table(codec.decode_arrow(codec.encode(items))).to_pylist() == [
        {"key": 1, "name": "a"},
        {"key": 2, "name": "b"},
    ]
    wider = table.append_column("more", pa.array([1, 2]))
    for other, why in [
        (table.select(["key"]), "there is no column for the field name"),
        (wider, "the schema has no field for the column more"),
        (pa.table({"key": ["x"], "name": ["a"]}), "field key"),
        (pa.table({"key": [1, None], "name": ["a", "b"]}), "field key: it may be null"),
    ]:
        with pytest.raises(serow.SchemaError, match=why):
            codec.encode(other)
    assert str(serow.Codec.infer(wider).schema) == '{"name": str, "key": i64, "more": i64}'


def test_a_map_with_a_key_twice_is_refused() -> None:
    twice = pa.array([[("k", 1), ("k", 2)]], type=pa.map_(pa.string(), pa.int64()))
    with pytest.raises(serow.EncodeError, match="row 0: a map holds a key twice"):
        serow.dumps(twice)


def test_a_stream_of_an_empty_table_has_its_schema() -> None:
    empty = pa.table({"a": pa.array([], pa.int64()), "b": pa.array([], pa.list_(pa.string()))})
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows(empty)
    assert serow.schema_of(file.getvalue()) == serow.schema_of(serow.dumps(empty))
    assert str(serow.schema_of(file.getvalue())).startswith('{"a": i64')
    assert list(serow.Reader(file_of(file))) == []
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write((1, "x"))
        writer.write_rows(empty)
    assert str(serow.schema_of(file.getvalue())) == "(i64, str)"


def test_streams_take_and_give_arrays() -> None:
    file = io.BytesIO()
    table = pa.table({"a": [1, 2, None], "b": ["x", "y", "z"]})
    seen = []
    with serow.Writer(file, progress=lambda rows, _: seen.append(rows)) as writer:
        writer.write({"a": 0, "b": "w"})
        writer.write_rows(table)
        writer.write_rows(table.slice(0, 2).to_reader(max_chunksize=1))
        writer.write_rows([{"a": 5, "b": "n"}])
        assert (writer.rows, str(writer.schema)) == (7, '{"a": i64?, "b": str}')
    rows = [{"a": 0, "b": "w"}, *table.to_pylist(), *table.to_pylist()[:2], {"a": 5, "b": "n"}]
    assert (list(serow.Reader(file_of(file))), seen[:3]) == (rows, [4, 5, 6])
    counts = []
    reader = serow.Reader(file_of(file), progress=lambda rows, _: counts.append(rows))
    assert pa.table(reader.arrow()).to_pylist() == rows
    assert (counts[-1], list(reader)) == (7, [])
    with serow.Writer(io.BytesIO(), '{"a": i64, "b": str}') as writer:
        with pytest.raises(serow.SchemaError, match="field a: it may be null"):
            writer.write_rows(table)
        writer.write_rows(table.slice(0, 2))
        assert writer.rows == 2


def file_of(file: io.BytesIO) -> io.BytesIO:
    return io.BytesIO(file.getvalue())


def test_frames_whose_columns_differ() -> None:
    file = io.BytesIO()
    with serow.Writer(file) as writer:
        writer.write_rows([{"a": 1}] * 100)
        writer.flush()
        writer.write_rows([{"a": "x"}] * 100)
    assert pa.table(serow.Reader(file_of(file)).arrow()).num_rows == 200
    with pytest.raises(Exception, match="frame 1 has rows that do not fit the columns"):
        pa.table(serow.Reader(file_of(file), one_stream=True).arrow())
    codec = serow.Codec('{"a": i64|str}')
    assert pa.table(codec.decode_arrow(file.getvalue())).num_rows == 200
    reader = serow.Reader(file_of(file))
    assert next(iter(reader)) == {"a": 1}
    with pytest.raises(ValueError, match="99 rows of a frame that was read are left"):
        reader.arrow()
    # The scale of decimals differs between frames.
    decimals = [(Decimal("1.5"),)] * 70_000 + [(Decimal("1.55"),)]
    message = serow.dumps(decimals, wire="frame")
    table = pa.table(serow.Codec("(decimal,)").decode_arrow(message))
    assert lines(serow.from_arrow(table)) == lines(decimals)


def test_memory_of_arrays_is_bounded() -> None:
    message = serow.dumps(["x" * 1000] * 10_000)
    codec = serow.Codec("str")
    assert len(message) < 10_000
    with pytest.raises(serow.LimitError, match="max_memory"):
        codec.decode_arrow(message, max_memory=1_000_000)
    assert pa.table(codec.decode_arrow(message, max_memory=20_000_000)).num_rows == 10_000
    with pytest.raises(serow.LimitError, match="max_memory"):
        serow.Reader(io.BytesIO(message), max_memory=1_000_000).arrow()


def test_empty_messages_have_columns() -> None:
    codec = serow.Codec(serow.Schema.of(Item))
    table = pa.table(codec.decode_arrow(codec.encode([])))
    assert (table.num_rows, table.column_names) == (0, ["key", "name"])
    assert codec.decode(codec.encode(table)) == []
    assert pa.table(serow.Reader(io.BytesIO(serow.dumps([]))).arrow()).num_rows == 0


@pytest.mark.parametrize(("zone", "key"), [("utc", None), ("europe/berlin", "Europe/Berlin")])
def test_the_case_of_a_zone_does_not_matter(zone: str, key: str | None) -> None:
    table = pa.table({"t": pa.array([0], pa.timestamp("us", zone))})
    expected = datetime.datetime(1970, 1, 1, tzinfo=UTC)
    for row in (serow.loads(serow.dumps(table))[0], serow.from_arrow(table)[0]):
        assert row["t"] == expected
        assert row["t"].tzinfo == (UTC if key is None else ZoneInfo(key))


def test_zones_with_rules() -> None:
    def tuples(*times: datetime.datetime) -> list[Any]:
        return [(time,) for time in times]

    berlin = ZoneInfo("Europe/Berlin")
    of_day = [datetime.datetime(2024, 10, 27, hour, 30, tzinfo=berlin) for hour in range(24)]
    rows = tuples(*of_day, of_day[2].replace(fold=1), datetime.datetime(1890, 1, 1, tzinfo=berlin))
    rows += tuples(*(time.replace(month=7, microsecond=1) for time in of_day))
    table = table_of(rows)
    assert str(table.schema.field(0).type) == "timestamp[us, tz=Europe/Berlin]"
    assert lines(serow.from_arrow(table)) == lines(rows)
    # As others give it.
    plain = table.column(0)
    utc = [time.astimezone(UTC) for time in plain.to_pylist()]
    assert [time.astimezone(UTC) for time in serow.from_arrow(plain)] == utc
    # What the rules do not say is kept by its components.
    forward = datetime.datetime(2024, 3, 31, 2, 30, tzinfo=berlin)
    other = datetime.datetime(2024, 1, 1, tzinfo=ZoneInfo("Europe/Paris"))
    for some in ([forward], [of_day[5].replace(fold=1)], [of_day[0], other]):
        table = table_of(tuples(*some))
        assert str(table.schema.field(0).type).startswith("struct<microseconds")
        assert lines(serow.from_arrow(table)) == lines(tuples(*some))


def test_bad_input_is_named() -> None:
    with pytest.raises(TypeError, match="from_arrow"):
        serow.to_arrow(pa.table({"a": [1]}))
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        serow.from_arrow([1, 2])
    with pytest.raises(serow.EncodeError, match="use \\[row\\]"):
        serow.to_arrow("abc")
    with pytest.raises(serow.EncodeError, match="row 1"):
        serow.to_arrow([(1,), (object(),)])
    with pytest.raises(serow.SchemaError, match="Null byte at position 1 not allowed in name"):
        serow.to_arrow([{"a\0": 1}])
    with pytest.raises(ValueError, match="batch_rows must be 1 or more"):
        serow.to_arrow([], batch_rows=0)
    months = pa.array([(1, 2, 3)], pa.month_day_nano_interval())
    with pytest.raises(serow.SchemaError, match=r"column m: .*[Ii]nterval"):
        serow.from_arrow(pa.table({"m": months}))
    nowhere = pa.array([0], pa.timestamp("us", "Mars/Base"))
    with pytest.raises(serow.SchemaError, match="convert them to UTC"):
        serow.from_arrow(pa.table({"t": nowhere}))
    berlin = pa.array([1 << 62], pa.timestamp("s", "Europe/Berlin"))
    with pytest.raises(serow.DecodeError, match=r"column t: .* beyond the years"):
        serow.from_arrow(pa.table({"t": berlin}))
    with pytest.raises(serow.DecodeError, match="row is null"):
        serow.from_arrow(pa.array([{"a": 1}, None]))


#: Arrays of every type, and their values in Python if to_pylist gives others.
ARRAYS: dict[str, Any] = {
    "int8": pa.array([1, None, -128], pa.int8()),
    "uint8": pa.array([1, None, 255], pa.uint8()),
    "int16": pa.array([1, None, -32768], pa.int16()),
    "uint16": pa.array([1, None, 65535], pa.uint16()),
    "int32": pa.array([1, None, -(2**31)], pa.int32()),
    "uint32": pa.array([1, None, 2**32 - 1], pa.uint32()),
    "int64": pa.array([1, None, -(2**63)], pa.int64()),
    "uint64": pa.array([1, None, 2**64 - 1], pa.uint64()),
    "float16": pa.array([1.5, None, float("inf")], pa.float16()),
    "float32": pa.array([1.5, None, -0.0], pa.float32()),
    "float64": pa.array([1.5, None, 1e300]),
    "bool": pa.array([True, None, False]),
    "string": pa.array(["a", None, "é"]),
    "large_string": pa.array(["a", None, "é"], pa.large_string()),
    "string_view": pa.array(["a", None, "a string of more than twelve bytes"], pa.string_view()),
    "binary": pa.array([b"a", None, b"\xff"]),
    "large_binary": pa.array([b"a", None, b"\xff"], pa.large_binary()),
    "binary_view": pa.array([b"a", None, b"\xff" * 20], pa.binary_view()),
    "fixed": pa.array([b"abc", None, b"def"], pa.binary(3)),
    "date32": pa.array([datetime.date(1, 1, 1), None, datetime.date.max]),
    "date64": pa.array([datetime.date(1, 1, 1), None, datetime.date.max], pa.date64()),
    "time32s": pa.array([datetime.time(1, 2, 3), None], pa.time32("s")),
    "time32ms": pa.array([datetime.time(1, 2, 3, 4000), None], pa.time32("ms")),
    "time64": pa.array([datetime.time.max, None], pa.time64("us")),
    "timestamp_s": pa.array([datetime.datetime(1, 1, 1), None], pa.timestamp("s")),
    "timestamp_ms": pa.array([datetime.datetime(1, 1, 1), None], pa.timestamp("ms")),
    "timestamp_us": pa.array([datetime.datetime.max, None]),
    "timestamp_ns": pa.array([datetime.datetime(2024, 1, 1, 1, 2, 3, 4), None], pa.timestamp("ns")),
    "duration_s": pa.array([datetime.timedelta(days=-1), None], pa.duration("s")),
    "duration_us": pa.array([datetime.timedelta(microseconds=-1), None]),
    "decimal32": pa.array([Decimal("1.10"), None], pa.decimal32(5, 2)),
    "decimal64": pa.array([Decimal("-1.10"), None], pa.decimal64(15, 2)),
    "decimal128": pa.array([Decimal(10) ** 37, None, Decimal(-1)], pa.decimal128(38, 0)),
    "decimal256": pa.array([Decimal("9" * 70), None, Decimal(-1)], pa.decimal256(76, 0)),
    "null": pa.nulls(2),
    "list": pa.array([[1, None], None, [], [2]]),
    "large_list": pa.array([[1, None], None, [], [2]], pa.large_list(pa.int64())),
    "fixed_list": pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int64(), 2)),
    "list_view": pa.array([[1, None], None, [], [2]], pa.list_view(pa.int64())),
    "large_list_view": pa.array([[1, None], None, [], [2]], pa.large_list_view(pa.int64())),
    "struct": pa.array([{"a": 1, "b": None}, None, {"a": None, "b": "x"}]),
    "dictionary": pa.array(["a", None, "b", "a"]).dictionary_encode(),
    "nulls_in_dictionary": pa.DictionaryArray.from_arrays([0, 1, None], pa.array(["a", None])),
    "runs": pa.RunEndEncodedArray.from_arrays([2, 3, 5], pa.array(["a", None, "b"])),
    "sparse": pa.UnionArray.from_sparse(
        pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, None]), pa.array(["a", "b", "c"])]
    ),
    "one_arm": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, None])]),
    "dense": pa.UnionArray.from_dense(
        pa.array([1, 0, 1], pa.int8()),
        pa.array([0, 0, 1], pa.int32()),
        [pa.array([1]), pa.array(["a", "b"])],
    ),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_others_are_read_as_they_read_them(name: str) -> None:
    array = ARRAYS[name]
    values = array.to_pylist()
    if name == "timestamp_ns":  # pandas' class has them.
        values = [value and value.to_pydatetime() for value in values]
    assert lines(serow.from_arrow(pa.table({"v": array}))) == lines([{"v": v} for v in values])
    assert lines(serow.from_arrow(pa.table({"v": array.slice(1)}))) == lines(
        [{"v": v} for v in values[1:]]
    )
    rows = pa.chunked_array([array, array.slice(1)])
    if name != "struct":
        assert lines(serow.from_arrow(rows)) == lines([*values, *values[1:]])
        assert lines(serow.from_arrow(array)) == lines(values)


def test_the_examples_of_the_page_run() -> None:
    page = Path(__file__).parents[2] / "docs" / "arrow.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)


def test_rows_are_read_batch_by_batch() -> None:
    asked = []

    def batches() -> Iterator[Any]:
        for i in range(5):
            asked.append(i)
            numbers = range(i * 10, i * 10 + 10) if i != 2 else []
            yield pa.record_batch({"a": pa.array(numbers, pa.int64())})

    schema = pa.schema([("a", pa.int64())])
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    lists = serow.from_arrow(reader, type=tuple, stream=True)
    assert iter(lists) is lists
    assert next(lists) == [(i,) for i in range(10)]
    assert asked == [0]
    assert [len(rows) for rows in lists] == [10, 10, 10]
    assert list(lists) == []
    many = pa.table({"a": pa.array(range(100_000))})
    assert [len(rows) for rows in serow.from_arrow(many, stream=True)] == [65_536, 34_464]
    chunks = pa.table({"a": pa.chunked_array([[1, 2], [], [3]])})
    assert serow.from_arrow(chunks) == [{"a": 1}, {"a": 2}, {"a": 3}]
    with pytest.raises(serow.DecodeError, match=r"row 65541"):
        for _ in serow.from_arrow(
            pa.array([0] * 65_541 + [2**40]).view(pa.timestamp("s")), stream=True
        ):
            pass


def test_arrays_of_nulls_may_have_a_buffer() -> None:
    class Array(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int64) for name in ("length", "nulls", "offset", "buffers")]

    class Gives:
        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            schema, array = pa.nulls(3).__arrow_c_array__()
            Array.from_address(pointer(array, b"arrow_array")).buffers = 1
            return schema, array

    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    assert serow.from_arrow(Gives()) == [None] * 3


def test_nanoseconds_are_an_error_or_dropped() -> None:
    times = pa.array([1_700_000_000_123_456_789]).view(pa.timestamp("ns"))
    with pytest.raises(serow.DecodeError, match=r"times='portable' drops them.*from_arrow"):
        serow.from_arrow(times)
    expected = [datetime.datetime(2023, 11, 14, 22, 13, 20, 123456)]
    assert serow.from_arrow(times, times="portable") == expected
    with pytest.raises(ValueError, match="times must be"):
        serow.from_arrow(times, times="some")  # type: ignore[call-overload]


def test_maps_are_dicts() -> None:
    array = pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int64()))
    assert serow.from_arrow(array) == [{"a": 1}, None, {}]


def test_nothing_is_held_longer_than_it_is_used() -> None:
    gc.collect()
    pool = pa.default_memory_pool()
    before = pool.bytes_allocated()
    table = pa.table({"v": pa.array([str(i) for i in range(10_000)])})
    rows = serow.from_arrow(table)
    del table
    gc.collect()
    assert pool.bytes_allocated() == before
    assert rows[9999] == {"v": "9999"}
    row = ["a"]
    counted = sys.getrefcount(row)
    stream = serow.to_arrow([row] * 10)
    del stream
    assert sys.getrefcount(row) == counted
