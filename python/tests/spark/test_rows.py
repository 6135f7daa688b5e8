"""Rows of DataFrames equal those of stock PySpark, for every API."""

import importlib
import itertools
import random
import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

import pyspark
import pytest
import serow.spark
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    UserDefinedType,
)
from shown import shown
from sql_values import ATOMS, KEYS, any_type, rows, schema

#: Every API that gives rows.
APIS: dict[str, Callable[[DataFrame], Any]] = {
    "collect": lambda df: df.collect(),
    "take": lambda df: df.take(3),
    "head": lambda df: df.head(),
    "first": lambda df: df.first(),
    "tail": lambda df: df.tail(3),
    "toLocalIterator": lambda df: list(df.toLocalIterator()),
    "toLocalIterator, prefetched": lambda df: list(df.toLocalIterator(prefetchPartitions=True)),
    "rdd": lambda df: df.rdd.collect(),
    "rdd.map": lambda df: df.rdd.map(lambda row: (row, row.asDict(), row.__fields__)).collect(),
    "rdd.take": lambda df: df.rdd.take(2),
    "rdd.toLocalIterator": lambda df: list(df.rdd.toLocalIterator()),
}


@pytest.fixture(autouse=True)
def disabled(spark: SparkSession) -> Iterator[None]:
    yield
    serow.spark.disable(spark)


def outcome(door: Callable[[DataFrame], Any], df: DataFrame) -> Any:
    """Give the result of an API, or how it fails."""
    df.__dict__.pop("rdd", None)
    try:
        return shown(door(df))
    except Exception as error:
        # Before 4.0, py4j's error names the failed method, and serow calls other methods.
        said = re.sub(r"calling \S+", "calling a method", str(error).splitlines()[0])
        thrown = getattr(error, "java_exception", None)
        return type(error), said, thrown and thrown.getClass().getName()


def assert_same(spark: SparkSession, df: DataFrame, *apis: str) -> None:
    for name in apis or APIS:
        serow.spark.disable(spark)
        stock = outcome(APIS[name], df)
        serow.spark.enable(spark)
        assert outcome(APIS[name], df) == stock, name


def random_frame(spark: SparkSession, of: StructType, count: int, seed: int) -> DataFrame:
    return spark.createDataFrame(rows(of, count, seed), of, verifySchema=False).cache()


@pytest.mark.parametrize("of", ATOMS, ids=str)
def test_every_type_alone_and_within_others(spark: SparkSession, of: DataType) -> None:
    columns = [of, ArrayType(of), ArrayType(of, False), schema(of, of), MapType(StringType(), of)]
    if of in KEYS:
        columns.append(MapType(of, IntegerType()))
    assert_same(spark, random_frame(spark, schema(*columns), 80, 1), "collect", "rdd.map")


@pytest.mark.parametrize("precision", [5, 30])
def test_decimals_are_null_in_columns_that_are_not_nullable(
    spark: SparkSession, precision: int
) -> None:
    of = DecimalType(precision, 2)
    one = Decimal("1.50")
    pairs = StructType([StructField("a", of, False), StructField("b", IntegerType(), False)])
    given = {
        "a": (of, [one, None]),
        "array": (ArrayType(of, False), [[one, None, one], [None]]),
        "keys": (MapType(of, LongType(), False), [{None: 1, one: 2}, {-one: 5, None: 3, one: 4}]),
        "values": (MapType(LongType(), of, False), [{1: None, 2: one}, {}]),
        "struct": (pairs, [(None, 1), (one, 2)]),
    }
    columns = StructType([StructField(name, ty, False) for name, (ty, _) in given.items()])
    data = list(zip(*(values for _, values in given.values()), strict=True)) * 40
    df = spark.createDataFrame(data, columns, verifySchema=False)
    assert_same(spark, df, "collect", "rdd.map", "rdd.toLocalIterator")


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 12))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_schemas(spark: SparkSession, seed: int) -> None:
    rng = random.Random(seed)
    of = schema(*(any_type(rng, 3) for _ in range(rng.choice([1, 5, 70]))))
    assert_same(spark, random_frame(spark, of, 30, seed), "collect", "rdd.map", "tail")


def test_two_thousand_columns(spark: SparkSession) -> None:
    of = schema(*itertools.islice(itertools.cycle(ATOMS), 2_000))
    assert_same(spark, random_frame(spark, of, 20, 1), "collect", "rdd.map")


@pytest.mark.parametrize("count", [0, 1, 5, 4_000])
def test_every_door(spark: SparkSession, count: int) -> None:
    df = spark.range(count).selectExpr(
        "id", "cast(id as string) s", "array(id, null) a", "id / 3 d"
    )
    assert_same(spark, df)
    assert_same(spark, df.repartition(7).sortWithinPartitions("id").cache())


@pytest.mark.parametrize(
    "query",
    [
        "show tables",
        "values (1, 'a'), (2, null)",
        "select 1 a, 2 a, 3 b",
        "select named_struct('a', 1, 'a', 2) s",
        pytest.param(
            "select struct() s",
            marks=pytest.mark.skipif(
                pyspark.__version__ < "4", reason="Spark 3.5 refuses a struct without fields"
            ),
        ),
        "select id, count(*) c from range(100) group by id order by id limit 7",
        "select * from range(50) limit 10 offset 3",
        "select map('hair', 'black', 'eye', 'brown') m, map(3000000000, 1, -7, 2, 5, 3) n",
        "select cast(0.0000001 as decimal(10, 7)) a, cast(0 as decimal(10, 9)) b",
        "select cast(x'80ff41' as string) s, binary('x') b",
        "select x.id a, y.id b from range(9) x join range(5) y on x.id = y.id",
    ],
)
def test_plans_of_all_kinds(spark: SparkSession, query: str) -> None:
    assert_same(spark, spark.sql(query))


@pytest.mark.parametrize("key", ["int", "bigint", "string", "double", "decimal(20, 0)"])
@pytest.mark.parametrize("factor", [16, 1024, 65536, 2**32 + 1])
def test_keys_that_share_a_bucket_in_java_s_maps(
    spark: SparkSession, key: str, factor: int
) -> None:
    if key == "int":
        factor %= 2**20 - 1
    keys = f"transform(sequence(0, n), x -> cast(x * 7919 % (n + 1) * {factor} as {key}))"
    maps = f"map_from_arrays({keys}, sequence(0, n)) m"
    # A small map grows when a ninth key comes to a bucket.
    assert_same(spark, spark.range(1, 10).selectExpr("id n").selectExpr(maps))
    # In a large one, Java reorders the keys of that bucket.
    large = spark.range(9, 900, 89).selectExpr("id n").selectExpr(maps)
    serow.spark.disable(spark)
    stock = large.collect()
    serow.spark.enable(spark)
    assert large.collect() == stock


def test_no_columns(spark: SparkSession) -> None:
    assert_same(spark, spark.range(3).select())


@pytest.mark.parametrize(
    "query",
    [
        "select id, if(id = 90, raise_error('so it is'), id) e from range(0, 100, 1, 3)",
        "select if(id = 90, date'0000-05-01', date'2020-01-01') d from range(0, 100, 1, 3)",
        "select timestamp'+20000-01-01 00:00:00' t",
        "select array(named_struct('t', timestamp_ntz'-0009-01-01 00:00:00')) a",
        "select interval 1 month m",
        "select map(array(1), 2) m",
    ],
)
def test_failures_are_the_same(spark: SparkSession, query: str) -> None:
    assert_same(spark, spark.sql(query), "collect", "rdd", "take", "tail", "toLocalIterator")


def test_a_stream_has_no_rows(spark: SparkSession) -> None:
    assert_same(spark, spark.readStream.format("rate").load())


@pytest.mark.parametrize("as_bytes", ["true", "false"])
def test_binary_is_what_spark_is_told(spark: SparkSession, as_bytes: str) -> None:
    spark.conf.set("spark.sql.execution.pyspark.binaryAsBytes", as_bytes)
    try:
        assert_same(spark, spark.sql("select binary('ab') b, array(binary('')) a"))
    finally:
        spark.conf.unset("spark.sql.execution.pyspark.binaryAsBytes")


def test_rdds_of_rows_go_through_all_that_rdds_do(spark: SparkSession) -> None:
    df = spark.range(0, 300, 1, 3).selectExpr("id", "cast(id as string) s")
    other = spark.range(0, 300, 1, 3).selectExpr("id % 7 k", "array(id) a")
    done: list[Callable[[], Any]] = [
        lambda: df.rdd.union(df.rdd).collect(),
        lambda: df.rdd.union(other.rdd).collect(),
        lambda: df.rdd.zip(df.rdd).collect(),
        lambda: df.rdd.zip(other.rdd).collect(),
        lambda: df.rdd.zip(spark.sparkContext.range(0, 300, 1, 3)).collect(),
        lambda: df.rdd.cartesian(other.limit(3).rdd).collect(),
        lambda: df.rdd.sortBy(lambda row: -row.id).take(3),
        lambda: (
            df.rdd.keyBy(lambda row: row.id % 7).join(other.rdd.keyBy(lambda row: row.k)).count()
        ),
        lambda: df.rdd.repartition(2).map(lambda row: row.s).collect(),
        lambda: df.rdd.coalesce(1).glom().collect(),
        lambda: df.rdd.cache().map(lambda row: row.s).count() + df.rdd.count(),
        lambda: df.rdd.map(lambda row: row.s).zipWithIndex().collect(),
        lambda: df.rdd.toDF().collect(),
        lambda: sorted(
            df.rdd.map(lambda row: (row.id % 5, row)).groupByKey().mapValues(list).collect()
        ),
    ]
    for step in done:
        results = []
        for switch in (serow.spark.disable, serow.spark.enable):
            switch(spark)
            df.__dict__.pop("rdd", None)
            other.__dict__.pop("rdd", None)
            results.append(shown(step()))
        assert results[0] == results[1]


def test_foreach_sees_each_row_once(spark: SparkSession) -> None:
    serow.spark.enable(spark)
    total = spark.sparkContext.accumulator(0)
    spark.range(100).foreach(lambda row: total.add(row.id))
    spark.range(100).foreachPartition(lambda rows: total.add(sum(row.id for row in rows)))
    assert total.value == 2 * 4950


def test_only_enabled_sessions_change(spark: SparkSession) -> None:
    serow.spark.enable(spark)
    other = spark.newSession()
    assert "RowBatches" in repr(spark.range(1).rdd._jrdd_deserializer)
    assert "Pickle" in repr(other.range(1).rdd._jrdd_deserializer)
    serow.spark.disable(spark)
    assert "Pickle" in repr(spark.range(1).rdd._jrdd_deserializer)
    assert DataFrame.collect.__module__.startswith("pyspark")


def test_rows_are_a_users(spark: SparkSession) -> None:
    serow.spark.enable(spark)
    (row,) = spark.sql("select 1 a, named_struct('x', 'y') s").collect()
    assert row == Row(a=1, s=Row(x="y"))
    assert row.asDict(recursive=True) == {"a": 1, "s": {"x": "y"}}
    assert (row.a, row["s"].x, row.__fields__) == (1, "y", ["a", "s"])


def test_explain_says_what_was_used_and_why_not(
    spark: SparkSession, capsys: pytest.CaptureFixture[str]
) -> None:
    serow.spark.enable(spark)
    spark.sql("select 1 only_here").collect()
    spark.sql("select 1 only_here").collect()
    assert spark.sql("select named_struct('b', interval 1 month) v").rdd
    serow.spark.explain()
    said = capsys.readouterr().out.splitlines()
    assert "collect of struct<only_here:int>: serow (2 times)" in said
    assert "Spark's own path: column 'v.b' is of type interval month" in said[-1]


class Point:
    """A class with a user-defined type."""

    def __init__(self, x: int, when: Any) -> None:
        self.made_of = (x, when)


class PointType(UserDefinedType):
    """A user-defined type: a point in space and time, stored as a struct with a date."""

    @classmethod
    def sqlType(cls) -> StructType:  # noqa: N802
        return StructType([StructField("x", IntegerType()), StructField("when", DateType())])

    @classmethod
    def module(cls) -> str:
        return "test_rows"

    def serialize(self, obj: Any) -> Any:
        return obj.made_of

    def deserialize(self, datum: Any) -> Any:
        return Point(*datum), type(datum)


def test_user_defined_types_are_made_by_their_classes(spark: SparkSession) -> None:
    of = StructType([StructField("p", PointType()), StructField("d", DateType())])
    rows = [(Point(1, date(2020, 2, 3)), date(2021, 1, 1)), (None, None)]
    seen = []
    for switch in (serow.spark.disable, serow.spark.enable):
        switch(spark)
        frame = spark.createDataFrame(rows, of, verifySchema=False)
        (first, second) = frame.collect()
        point, made_of = first.p
        seen.append((point.made_of, made_of, first.d, first.__fields__, second))
        mapped = frame.rdd.map(lambda row: row.p and row.p[0].made_of)
        assert mapped.collect() == [point.made_of, None]
    assert seen[0] == seen[1]


def test_the_jvm_names_the_class_of_a_user_defined_type(spark: SparkSession) -> None:
    # A type of Spark's own tests, whose class in Python gives itself a name that does not exist.
    if spark.version.startswith("3."):
        pytest.skip("in PySpark 3.5 this class needs NumPy 1")
    named = spark._jvm.org.apache.spark.sql.test.ExamplePointUDT().pyUDT()
    module, _, name = named.rpartition(".")
    of = getattr(importlib.import_module(module), name)()
    made = spark.createDataFrame(
        [(of.deserialize([1.0, 2.0]),)], StructType([StructField("p", of)])
    )
    serow.spark.enable(spark)
    frame = made.select("p", "p")
    expected = [(of.deserialize([1.0, 2.0]),) * 2]
    assert frame.collect() == expected
    assert frame.rdd.collect() == expected
