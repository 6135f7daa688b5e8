"""Sessions of Spark Connect give the same rows and data frames with serow as without."""

import random
import sys
import time as time_module
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
import serow.spark
from column_values import DECIMALS, EMPTY, FLOATS, GIVEN, OTHERS, PAIR, Name
from conftest import script
from pyspark.sql import Row
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)
from shown import shown
from sql_values import TIMES, any_type, rows, schema

pa = pytest.importorskip("pyarrow")
pytest.importorskip("grpc")
conversion = pytest.importorskip("pyspark.sql.conversion")

from pyspark.sql.conversion import (  # noqa: E402
    ArrowTableToRowsConversion,
    LocalDataToArrowConversion,
)
from serow.spark import given_arrow, notes, tables  # noqa: E402

STOCK_ROWS = ArrowTableToRowsConversion.convert
STOCK_ARROW = LocalDataToArrowConversion.convert


def outcome(job: Callable[[], Any]) -> Any:
    """Give what a job returns, or the error that it raises."""
    try:
        found = job()
    except Exception as error:
        return type(error), str(error)
    if isinstance(found, pa.Table):
        return str(found.schema), [shown(column.to_pylist()) for column in found.columns]
    return shown(found)


# Tables without a server.

TIMESTAMPS = [
    *(datetime(2024, 10, 27, hour, 30, 0, 5, timezone.utc) for hour in range(4)),
    None,
    datetime(1, 1, 3, tzinfo=timezone.utc),
    datetime(1893, 3, 31, 23, 6, 32, tzinfo=timezone.utc),
    datetime(9999, 12, 29, 23, 59, 59, 999_999, timezone.utc),
]
#: Columns as a server sends them.
COLUMNS: list[tuple[DataType, Any]] = [
    (LongType(), pa.array([1, None, -(2**63), 2**63 - 1])),
    *(
        (of, pa.array([1, None, -128], arrow))
        for of, arrow in (
            (ByteType(), pa.int8()),
            (ShortType(), pa.int16()),
            (IntegerType(), pa.int32()),
        )
    ),
    (DoubleType(), pa.array(FLOATS)),
    (FloatType(), pa.array([0.1, None, float("nan"), -0.0, 1e30], pa.float32())),
    (BooleanType(), pa.array([True, None, False])),
    (StringType(), pa.array(["", None, "é😀\0", "x" * 300])),
    (StringType(), pa.array(["", None, "é"], pa.large_string())),
    (BinaryType(), pa.array([b"", None, b"\0\xff"])),
    (BinaryType(), pa.array([b"x", None], pa.large_binary())),
    (DateType(), pa.array([date.min, None, date.max, date(1969, 12, 31)])),
    *(
        (TimestampType(), pa.array(TIMESTAMPS, pa.timestamp("us", zone)))
        for zone in ("UTC", "Europe/Berlin", "+02:00", "America/Los_Angeles")
    ),
    (TimestampNTZType(), pa.array([datetime.min, None, datetime.max], pa.timestamp("us"))),
    (DayTimeIntervalType(), pa.array([timedelta(-1), None, timedelta(5, 6, 7)])),
    *((of(), pa.array([time(1, 2, 3, 4), None, time.max], pa.time64("ns"))) for of in TIMES),
    (DecimalType(10, 2), pa.array(DECIMALS, pa.decimal128(10, 2))),
    (DecimalType(38, 18), pa.array(DECIMALS, pa.decimal128(38, 18))),
    (NullType(), pa.nulls(3)),
    (ArrayType(LongType()), pa.array([[1, None], None, []])),
    (ArrayType(ArrayType(StringType())), pa.array([[["x", None], None, []], None])),
    (
        MapType(StringType(), PAIR),
        pa.array(
            [[("k", {"a": 1, "b": "x"}), ("l", None)], None, []],
            pa.map_(pa.string(), pa.struct({"a": pa.int64(), "b": pa.string()})),
        ),
    ),
    (PAIR, pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": None}])),
    (StructType(), pa.array([{}, None], pa.struct([]))),
    (ArrayType(StructType()), pa.array([[{}, None], None, []], pa.list_(pa.struct([])))),
    (
        MapType(StringType(), StructType()),
        pa.array([[("k", {}), ("l", None)], None, []], pa.map_(pa.string(), pa.struct([]))),
    ),
    (
        StructType().add("e", StructType()),
        pa.array([{"e": {}}, None, {"e": None}], pa.struct([pa.field("e", pa.struct([]))])),
    ),
    (Name(), pa.array([{"text": "x"}, None])),
]


def table_of(columns: list[tuple[DataType, Any]], length: int) -> Any:
    repeated = [pa.concat_arrays([column] * length).slice(1, length) for _, column in columns]
    return pa.Table.from_arrays(repeated, names=[str(at) for at in range(len(repeated))])


def options() -> list[dict[str, Any]]:
    """Give the options of Spark's function."""
    known = STOCK_ROWS.__annotations__
    return [{}, *({"binary_as_bytes": of} for of in (False, True) if "binary_as_bytes" in known)]


def assert_same_rows(table: Any, of: StructType) -> None:
    for option in options():
        expected = STOCK_ROWS(table, of, **option)
        found = tables.read_table(table, of, option)
        assert found is not None
        assert shown(found) == shown(expected)
        assert {id(row.__fields__) for row in found} != {id(of.names)}


@pytest.mark.parametrize(("of", "column"), COLUMNS, ids=lambda it: str(getattr(it, "type", it)))
@pytest.mark.parametrize("length", [3, 1500])
def test_rows_of_tables(of: DataType, column: Any, length: int) -> None:
    table = table_of([(of, column), (LongType(), pa.array([1, 2]))], length)
    assert_same_rows(table, schema(of, LongType()))
    # Chunks of any size.
    parts = [table.slice(0, 1), table.slice(1, 0), table.slice(1), table]
    assert_same_rows(pa.concat_tables(parts), schema(of, LongType()))


def test_rows_of_many_columns_and_of_equal_names() -> None:
    table = table_of(COLUMNS, 7)
    assert_same_rows(table, schema(*(of for of, _ in COLUMNS)))
    names = StructType([StructField("a", of) for of, _ in COLUMNS])
    assert_same_rows(table.rename_columns(["a"] * len(COLUMNS)), names)
    inner = StructType([StructField("a", LongType()), StructField("a", StringType())])
    array = pa.array([{"a_0": 1, "a_1": "x"}, None])
    assert_same_rows(pa.table({"s": array}), StructType().add("s", inner))


@pytest.mark.parametrize(
    ("table", "of"),
    [
        (pa.table({"a": pa.array([], pa.int64())}), schema(LongType())),
        (
            pa.table({"a": pa.array([1, 10_000_000], pa.int32()).cast(pa.date32())}),
            schema(DateType()),
        ),
        (
            pa.table({"a": pa.array([2**62], pa.int64()).cast(pa.timestamp("us", "UTC"))}),
            schema(TimestampType()),
        ),
        (pa.table({"a": [1]}), schema(BinaryType())),
        (pa.table({"a": [1]}), schema(PAIR)),
        (pa.table({"a": [{"b": "x", "a": 1}]}), schema(PAIR)),
        (pa.table({"a": [1]}), StructType()),
        (pa.table({"a": [1], "b": [2]}), schema(LongType())),
    ],
    ids=lambda it: str(getattr(it, "schema", it)),
)
def test_spark_makes_all_other_rows(table: Any, of: StructType) -> None:
    found = tables.read_table(table, of, {})
    assert found is None or shown(found) == shown(STOCK_ROWS(table, of))
    assert tables.read_table(table, of, {"return_as_tuples": True}) is None


def test_batches_of_another_table_are_not_its_rows() -> None:
    rows_so_far = tables.Collected(schema(LongType()), {})
    table = pa.table({"a": [1, 2]})
    for batch in table.to_batches():
        rows_so_far.add(batch)
    assert shown(rows_so_far.all_of(table)) == shown(STOCK_ROWS(table, schema(LongType())))
    assert rows_so_far.all_of(pa.table({"a": [1]})) is None
    assert rows_so_far.all_of(pa.table({"b": [1, 2]})) is None


# Rows to Arrow.


def of_stock(large: bool = False) -> Callable[..., Any]:
    return lambda data, of: STOCK_ARROW(data, of, large)


def assert_same_table(data: list[Any], of: StructType, *, is_made: bool = True) -> None:
    """Compare tables; `is_made` tells whether serow must make all columns, or may."""
    for large in (False, True):
        calls: list[int] = []

        def stock(data: Any, of: Any, large: bool = large, calls: Any = calls) -> Any:
            calls.append(len(data))
            return STOCK_ARROW(data, of, large)

        found = given_arrow.table(data, of, stock)
        assert not is_made or (found is not None and calls == [1])
        if found is not None:
            made = STOCK_ARROW(data, of, large)
            found.validate(full=True)
            assert found.schema.equals(made.schema, check_metadata=True)
            for column, stock_column in zip(found.columns, made.columns, strict=True):
                # `equals` takes -0.0 for 0.0.
                is_long = len(column) > 10_000 and column.equals(stock_column)
                assert is_long or shown(column.to_pylist()) == shown(stock_column.to_pylist())


@pytest.mark.parametrize(("of", "values"), [*GIVEN, *EMPTY], ids=str)
def test_tables_of_rows(of: DataType, values: list[Any]) -> None:
    columns = schema(of, LongType())
    given = [(value, at) for at, value in enumerate(values)]
    row = Row("c0", "c1")
    for data in (
        given,
        [list(row) for row in given],
        [row(*values) for values in given],
        [Row(c0=value, c1=at) for value, at in given],
        [{"c1": at, "c0": value} for value, at in given],
        [{"c1": at, "c0": value} if at else {"c0": value, "c2": 5} for value, at in given],
        given * 700,
        [(None, 1)] * 3,
    ):
        assert_same_table(data, columns)
    no_nulls = [row for row in given if row[0] is not None]
    needed = StructType([StructField("c0", of, nullable=False), StructField("c1", LongType())])
    assert_same_table(no_nulls, needed)
    assert_same_table([(value,) for value in values], schema(of))


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"])
def test_local_times_that_occur_twice_or_never(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # In 1988 St. John's turned its clocks by two hours, and Lord Howe turns them by half an hour.
    years = [1893, 1988, 2024]
    steps = 2 * 24 * 366
    hours = [
        datetime(year, 1, 1) + timedelta(minutes=30 * at, microseconds=at)
        for year in years
        for at in range(steps)
    ]
    of = schema(TimestampType())
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time_module.tzset()
        shown_hours = [hour.astimezone(timezone.utc).astimezone() for hour in hours]
        pairs = zip(hours, shown_hours, strict=True)
        skipped = [hour for hour, show in pairs if show.replace(tzinfo=None) != hour]
        assert skipped
        for hour in skipped:
            assert_same_table([(hour,)], of, is_made=False)
        data = [(hour,) for hour in hours if hour not in skipped]
        assert_same_table(data, of)
        assert len({hour.astimezone().utcoffset() for hour in hours}) > 2
        moments = pa.array(hours, pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
        table = pa.table({"a": moments})
        rows_found = tables.read_table(table, of, {})
        assert rows_found == STOCK_ROWS(table, of)
        assert {row[0].fold for row in rows_found} == {0}
    time_module.tzset()


@pytest.mark.parametrize(("of", "values"), OTHERS, ids=str)
def test_spark_makes_all_other_columns(of: DataType, values: list[Any]) -> None:
    fields = [StructField("a", LongType()), StructField("b", of), StructField("c", StringType())]
    assert_same_table([(1, value, "x") for value in values], StructType(fields), is_made=False)
    found = outcome(lambda: given_arrow.table([(v,) for v in values], schema(of), of_stock()))
    stock = outcome(lambda: of_stock()([(v,) for v in values], schema(of)))
    assert found in (stock, shown(None))
    assert_same_table([(1, value) for value in values], schema(of, of), is_made=False)


@pytest.mark.parametrize(
    "data",
    [
        [(1, "x"), None],
        [(1, "x"), (2,)],
        [(1,), (2, "x")],
        [(1, "x"), {"c0": 1}],
        [{"c0": 1}, {"c0": 2}],
        [{}, {"c1": "x"}],
        [Row(c0=1)],
        [1],
        ["xy"],
    ],
    ids=str,
)
def test_rows_of_other_shapes(data: list[Any]) -> None:
    assert_same_table(data, schema(LongType(), StringType()), is_made=False)


def test_a_null_where_none_may_be_is_an_error_of_spark() -> None:
    of = StructType([StructField("a", LongType(), nullable=False)])
    assert given_arrow.table([(1,), (None,)], of, of_stock()) is None
    assert given_arrow.table([(1,)], StructType(), of_stock()) is None


@pytest.mark.parametrize("seed", range(12))
def test_tables_of_random_rows(seed: int) -> None:
    rng = random.Random(seed)
    of = schema(*(any_type(rng, 2) for _ in range(3)), LongType())
    assert_same_table(rows(of, 30, seed), of, is_made=False)


# With a server.

CODE = f"""
import sys
sys.path[:0] = {sys.path!r}
import test_connect
test_connect.with_server()
"""


def test_with_a_server() -> None:
    # In another process, because a process has either a Spark Connect session or a plain one.
    result = script(CODE, SPARK_CONNECT_TESTS="1")
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-8000:]
    assert result.stdout.splitlines()[-1].startswith("passed")


def test_a_client_without_spark_itself() -> None:
    # PySpark has this setting for its own tests of the package that is only a client.
    result = script(
        "import pyspark, serow.spark; from serow.spark import connect\n"
        "assert not hasattr(pyspark, 'SparkContext'); print(callable(serow.spark.enable))",
        SPARK_SKIP_CONNECT_COMPAT_TESTS="1",
    )
    assert result.stdout == "True\n", result.stderr


SELECTS = [
    "select id, cast(id as int) i, concat('n', id % 7) s, id / 3 d, id % 2 = 0 b from range(5000)",
    "select id from range(0)",
    "select cast(null as int) a, 1 b, cast(1.5 as decimal(10, 3)) c, 2.5f d",
    "select date'2024-02-29' d, timestamp'2024-10-27 02:30:00' t, "
    "timestamp_ntz'2024-10-27 02:30:00' n, interval '1 02:03:04' day to second i",
    "select X'00ff' b, array(X'01') c, named_struct('b', X'02') d",
    "select array(1, null) a, map('x', 1, 'y', null) m, named_struct('a', 1, 'b', 'x') s, "
    "array(named_struct('a', id)) n from range(3)",
    "select 1 a, 2 a, named_struct('b', 1, 'b', 2) a",
    "select null v, '' w, array() x, map() y",
    "select 1 / (id - 3) x from range(10)",
    "select raise_error('wrong') from range(3)",
    "select date'0001-01-01' - interval 1 day d",
    "select interval '1' year y",
    "select parse_json('{\"a\": 1}') v",
    "select time'12:34:56.789' t",
    "select cast('a' as char(3)) c, cast('b' as varchar(3)) v",
    "show functions like 'abs'",
    "select named_struct() e from range(5)",
    "select id, named_struct() e, array(named_struct()) a, map(id, named_struct()) m from range(5)",
]

CREATES: list[tuple[Any, Any]] = [
    ([(1, "x"), (2, None)], None),
    ([(1, "x"), (2, "y")], ["a", "b"]),
    ([(1, "x"), (2, "y", 3.5)], ["a"]),
    ([(1, 2.5), (None, None)], "a long, b double"),
    ([Row(a=1, b=[1, 2]), Row(a=None, b=None)], None),
    ([{"b": 1, "a": "x"}, {"a": "y"}], None),
    ([{"b": 1, "a": {"k": 1}}], "a map<string, int>, b int"),
    ([(date(2024, 1, 1), datetime(2024, 10, 27, 2, 30), Decimal("1.5"))], None),
    ([(date(2024, 1, 1), datetime(2024, 10, 27, 2, 30), Decimal("1.5"), b"x")] * 3,
     "a date, b timestamp_ntz, c decimal(10, 2), d binary"),
    ([(1,), ("x",)], None),
    ([(1,), ("x",)], "a int"),
    ([(None,)], None),
    ([(None,)], "a int not null"),
    ([1, 2, 3], "int"),
    ([1, 2, 3], None),
    ([(300,)], "a byte"),
    ([(1, 2), (3,)], "a int, b int"),
    ([(True, 1)], "a string, b string"),
    ([], "a int"),
    ([], None),
    ([(k, float(k), str(k)) for k in range(3000)], ["a", "b", "c"]),
    ([(k, None if k % 3 else k) for k in range(300)], None),
    ([[1, "x"], [2, "y"]], ["a", "b"]),
    ([(1, {"x": 1}, [Row(p=1)])], None),
    (iter([(1, 2)]), ["a", "b"]),
    *(([(value,) for value in values] * 100, StructType().add("a", of)) for of, values in EMPTY),
    ([(), ()], StructType()),
    ([Row(), Row()], StructType()),
    ([(), ()], None),
    ([{}, {}], None),
]  # fmt: skip


def with_server() -> None:
    """Compare an enabled session with the same one without serow."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    builder: Any = SparkSession.builder
    for key in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
        builder = builder.config(key, "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").remote("local[2]").getOrCreate()
    count = 0

    def compare(job: Callable[[], Any]) -> Any:
        nonlocal count
        count += 1
        expected = outcome(job)
        serow.spark.enable(spark)
        serow.spark.enable(spark)
        found = outcome(job)
        serow.spark.disable(spark)
        assert ArrowTableToRowsConversion.convert is STOCK_ROWS
        assert LocalDataToArrowConversion.convert is STOCK_ARROW
        assert without_numbers(found) == without_numbers(expected), f"{found} != {expected}"
        return expected

    for select in SELECTS:
        compare(lambda select=select: spark.sql(select).collect())  # type: ignore[misc]
        compare(lambda select=select: list(spark.sql(select).toLocalIterator()))  # type: ignore[misc]
    frame = spark.sql(SELECTS[0])
    compare(spark.range(5).select().collect)
    compare(lambda: list(spark.range(5).select().toLocalIterator()))
    for job in (frame.head, frame.first, lambda: frame.take(3), lambda: frame.tail(2)):
        compare(job)
    for data, of in CREATES:
        if not isinstance(data, list):
            data = list(data)
            compare(lambda: spark.createDataFrame(iter(data), of).collect())  # noqa: B023
        compare(lambda data=data, of=of: created(spark, data, of))  # type: ignore[misc]
    for seed in range(3):
        rng = random.Random(seed)
        of = schema(*(any_type(rng, 2) for _ in range(3)))
        compare(lambda: created(spark, rows(of, 30, seed), of))  # noqa: B023
    if "binary_as_bytes" in STOCK_ROWS.__annotations__:
        spark.conf.set("spark.sql.execution.pyspark.binaryAsBytes", "false")
        compare(lambda: spark.sql(SELECTS[4]).collect())
        spark.conf.unset("spark.sql.execution.pyspark.binaryAsBytes")
    spark.conf.set("spark.sql.session.timeZone", "America/Los_Angeles")
    compare(lambda: spark.sql(SELECTS[3]).collect())
    many = spark.range(3000).repartition(5).select("id", f.lit("x").alias("s"))
    compare(lambda: sorted(many.collect()))
    check_that_serow_makes_rows(spark, many)
    check_iterators(spark, many)
    print("passed", count)
    spark.stop()


def without_numbers(text: Any) -> Any:
    """Leave out what differs from call to call in an error."""
    import re

    return re.sub(r"[0-9a-f-]{36}|#\d+|plan_id=\d+", "", repr(text))


def created(spark: Any, data: list[Any], of: Any) -> Any:
    frame = spark.createDataFrame(data, of)
    return [frame.schema.json(), *frame.collect()]


def check_that_serow_makes_rows(spark: Any, frame: Any) -> None:
    serow.spark.enable(spark)
    notes._notes.clear()
    frame.collect()
    list(frame.toLocalIterator())
    spark.createDataFrame([(1, "x")], "a int, b string")
    said = notes.lines()
    assert len(said) == 3, said
    assert all(line.endswith(": serow") for line in said), said
    # Another session.
    other = spark.newSession() if hasattr(spark, "newSession") else None
    if other is not None:
        other.range(3).collect()
        assert notes.lines() == said
    serow.spark.disable(spark)


def check_iterators(spark: Any, frame: Any) -> None:
    serow.spark.enable(spark)
    first, second = frame.toLocalIterator(), frame.toLocalIterator()
    pairs = list(zip(first, second, strict=True))
    assert len(pairs) == 3000
    assert sorted(first for first, _ in pairs) == sorted(second for _, second in pairs)
    rest = frame.toLocalIterator()
    assert type(next(rest)) is Row
    serow.spark.disable(spark)
    assert len(list(rest)) == 2999
    rest = frame.toLocalIterator()
    next(rest)
    rest.close()
