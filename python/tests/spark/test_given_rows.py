"""`createDataFrame` of an RDD with a schema gives the same as stock PySpark, or fails alike."""

import datetime
import itertools
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
import serow.spark
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import ArrayType, DataType, StructType, TimestampType
from shown import shown
from sql_values import ATOMS, declared, rows, schema


@pytest.fixture(autouse=True)
def disabled(spark: SparkSession) -> Iterator[None]:
    yield
    serow.spark.disable(spark)


def made(spark: SparkSession, given: Any, of: StructType, verify: bool) -> Any:
    """Give the rows in Spark, or how it fails."""
    try:
        df = spark.createDataFrame(given, of, verifySchema=verify)
        return shown(df.collect()), df.schema
    except Exception as error:
        errors = [line for line in str(error).splitlines() if line.startswith("pyspark.errors")]
        return type(error), errors


def assert_same(spark: SparkSession, data: list[Any], of: StructType) -> None:
    given = spark.sparkContext.parallelize(data, 3)
    for verify in (True, False):
        serow.spark.disable(spark)
        stock = made(spark, given, of, verify)
        serow.spark.enable(spark)
        assert made(spark, given, of, verify) == stock


# For an hour that clocks show twice, the result of the C library depends on its earlier calls. So
# timestamps have a test of their own.
@pytest.mark.parametrize("of", [of for of in ATOMS if of != TimestampType()], ids=str)
def test_every_type(spark: SparkSession, of: DataType) -> None:
    columns = schema(of, ArrayType(of), schema(of, of))
    assert_same(spark, rows(columns, 60, 2), columns)


def test_two_thousand_columns(spark: SparkSession) -> None:
    atoms = [of for of in ATOMS if of != TimestampType()]
    of = schema(*itertools.islice(itertools.cycle(atoms), 2_000))
    assert_same(spark, rows(of, 20, 1), of)


DAY = datetime.datetime(2020, 1, 2, 3, 4, 5)
WEST = datetime.timezone(datetime.timedelta(hours=-5))
EAST = datetime.timezone(datetime.timedelta(hours=9))


def test_timestamps(spark: SparkSession) -> None:
    of = declared("a timestamp, b array<timestamp>")
    days = [datetime.timedelta(days, microseconds=days) for days in range(-40_000, 40_000, 77)]
    zone = datetime.timezone(datetime.timedelta(hours=-3))
    data = [(DAY + day, [DAY - day, None, (DAY + day).replace(tzinfo=zone)]) for day in days]
    assert_same(spark, [*data, (None, None)], of)


@pytest.mark.parametrize(
    ("ddl", "value"),
    [
        ("a long", True),
        ("a long", 2**63),
        ("a byte", 128),
        ("a byte", 1.0),
        ("a double", 1),
        ("a string", 5),
        ("a string", "\ud800"),
        ("a string", ["x"]),
        ("a date", DAY),
        ("a timestamp", DAY.replace(tzinfo=datetime.timezone.utc)),
        ("a timestamp", datetime.datetime.max.replace(tzinfo=WEST)),
        ("a timestamp", datetime.datetime.min.replace(tzinfo=EAST)),
        ("a binary", memoryview(b"q")),
        ("a decimal(4,2)", Decimal("1.239")),
        ("a decimal(4,2)", Decimal("NaN")),
        ("a decimal(4,2)", 3),
        ("a array<int>", (1, 2)),
        ("a array<int>", [1, "x"]),
        ("a struct<x: int>", {"x": 1}),
        ("a map<string, int>", {"b": 1, "a": 2, "hair": 3}),
        ("a long not null", None),
        ("a decimal(10,2) not null", None),
        ("a array<decimal(30,2)>", [None, Decimal(1)]),
    ],
)
def test_values_that_do_not_fit_the_schema(spark: SparkSession, ddl: str, value: Any) -> None:
    of = declared(ddl)
    good = rows(of, 40, 3)
    assert_same(spark, [*good, (value,), *good], of)


def test_rows_of_all_kinds(spark: SparkSession) -> None:
    of = declared("a int, b string")
    data = [(1, "x"), [2, "y"], Row(a=3, b="z"), Row(b="q", a=4), {"a": 5, "b": "w"}, Row(6, None)]
    for row in data:
        assert_same(spark, [row, (7, "v"), row], of)
    assert_same(spark, [(1, "x"), (2,)], of)
    assert_same(spark, [(1, "x"), 5], of)


def test_rows_before_a_failure_are_verified_first(spark: SparkSession) -> None:
    def fail(row: tuple[Any, ...]) -> tuple[Any, ...]:
        if row[0] == 90:
            raise RuntimeError("the user's")
        return row

    of = declared("a int")
    data = [(i,) for i in range(85)] + [("bad",), (90,)]
    results = []
    for switch in (serow.spark.disable, serow.spark.enable):
        switch(spark)
        given = spark.sparkContext.parallelize(data, 1).map(fail)
        results.append(made(spark, given, of, True))
    assert results[0] == results[1]
    assert "PySparkTypeError" in str(results[0])


def test_many_rows_come_in_order(spark: SparkSession) -> None:
    serow.spark.enable(spark)
    of = declared("a long, b string")
    numbers = spark.sparkContext.range(0, 10_000, 1, 3)
    df = numbers.map(lambda i: (i, str(i) if i % 900 else None)).toDF(of)
    assert [row.a for row in df.collect()] == list(range(10_000))
    assert df.where("b is null").count() == 12
