"""`createDataFrame` of local data and of data without a schema gives the same as stock PySpark."""

import array
import dataclasses
import datetime
import itertools
import random
import re
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from decimal import Decimal
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
import serow.spark
from column_values import EMPTY
from py4j.protocol import Py4JJavaError
from pyspark.sql import Row, SparkSession, types
from pyspark.sql.types import (
    DataType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)
from serow import SerowError
from serow.spark.inferred import some_of_each
from shown import shown
from sql_values import ATOMS, any_type, rows, schema

Point = namedtuple("Point", ["b", "a"])


class Number(IntEnum):
    ONE = 1


class Text(str):
    pass


class Backwards(tuple):
    def __iter__(self) -> Iterator[Any]:
        return reversed(list(super().__iter__()))


@dataclasses.dataclass
class Record:
    b: Any
    a: Any


class Slots:
    __slots__ = ("a",)


@pytest.fixture(autouse=True)
def disabled(spark: SparkSession) -> Iterator[None]:
    yield
    serow.spark.disable(spark)


def failure(error: Exception) -> Any:
    """Give what distinguishes errors: Python's text, or the classes of the JVM's exceptions."""
    # The rest of the text depends on the caller.
    text = "" if isinstance(error, RecursionError) else str(error)
    name = r"(?:\w+\.)+\w*(?:Error|Exception)"
    if lines := re.findall(rf"^{name}.*", text, re.M):
        return type(error), lines
    return type(error), list(dict.fromkeys(re.findall(name, text)))[:2] or text


def made(spark: SparkSession, data: Any, of: Any, verify: bool) -> Any:
    """Give the visible properties of a DataFrame, or how and when it fails."""
    try:
        df = spark.createDataFrame(data() if callable(data) else data, of, verifySchema=verify)
    except Exception as error:
        return "at once", failure(error)
    plan = re.sub(r"#\d+", "", df._jdf.queryExecution().toString())
    seen = [df.schema, df._jdf.schema().json(), df.rdd.getNumPartitions(), plan]
    try:
        return *seen, shown(df.rdd.glom().collect())
    except Exception as error:
        return *seen, failure(error)


def assert_same(spark: SparkSession, data: Any, of: Any = None, unverified: bool = True) -> None:
    """Compare with stock Spark, for a list or for a function that makes the data."""
    for verify in (True, False) if unverified and isinstance(of, DataType | str) else (True,):
        serow.spark.disable(spark)
        stock = made(spark, data, of, verify)
        serow.spark.enable(spark)
        assert made(spark, data, of, verify) == stock


def test_lists_of_every_type(spark: SparkSession) -> None:
    # For an hour that clocks show twice, the C library decides which one it is.
    columns = schema(*(of for of in ATOMS if of != TimestampType()))
    assert_same(spark, rows(columns, 60, 2), columns)


@pytest.mark.parametrize("seed", range(8))
def test_random_rows_with_what_is_wrong_anywhere(spark: SparkSession, seed: int) -> None:
    rng = random.Random(seed)
    columns = schema(*(any_type(rng, 2) for _ in range(rng.randrange(1, 5))))
    data = rows(columns, rng.choice([1, 3, 40]), seed)
    assert_same(spark, data, columns)
    wrong: list[Any] = [
        None,
        2**40,
        1.0,
        True,
        "x",
        (1,),
        [None],
        {"c0": 1},
        Decimal("1.55"),
        np.int64(3),
    ]
    for _ in range(2):
        row = list(rng.choice(data))
        row[rng.randrange(len(row))] = rng.choice(wrong)
        data.insert(rng.randrange(len(data) + 1), tuple(row))
        assert_same(spark, data, columns)


AB = StructType([StructField("a", LongType()), StructField("b", StringType(), False)])


@pytest.mark.parametrize(
    "row",
    [
        (1, "x"),
        [1, "x"],
        Row(a=1, b="x"),
        Row(b="x", a=1),
        Row(1, "x"),
        Row(b=1, a="x"),
        {"a": 1, "b": "x"},
        {"b": "x", "a": 1, "c": 2},
        {"b": "x"},
        {"a": 1},
        {Text("a"): 1, "b": "x"},
        {"b": "x", 1: 2, None: 3},
        OrderedDict(b="x", a=1),
        Point("x", 1),
        Point(1, "x"),
        Backwards(("x", 1)),
        Record("x", 1),
        Slots(),
        (1,),
        (1, "x", 2),
        (),
        None,
        5,
        "ab",
        # Spark 3.5 has no variants.
        *([types.VariantVal(b"", b"")] if hasattr(types, "VariantVal") else []),
        (None, "x"),
        (1, None),
        (True, "x"),
        (np.int64(1), "x"),
        (Number.ONE, Text("x")),
        (1, 5),
        (1, True),
        (1, {"a": None}),
        (2**63, "x"),
        (1.0, "x"),
        (1, "\ud800"),
    ],
    ids=repr,
)
def test_rows_of_all_kinds(spark: SparkSession, row: Any) -> None:
    assert_same(spark, [(7, "v"), row, (8, "w")], AB)
    assert_same(spark, [row, row])


@pytest.mark.parametrize(
    "data",
    [
        [],
        [()],
        [None],
        [(None,)],
        [(1, None), (None, "x"), (None, None)],
        [(1,), (2, "x")],
        [(1, "x"), (2,)],
        [(1,), ("x",)],
        [(1,), (1.5,)],
        [Row(a=1), Row(b="x"), Row(a=None, b=None)],
        [{"a": 1}, {"b": "x", "a": 2}],
        [{1: 1}, {True: 1}],
        [([1, None],), ([None],), ([],), ([2.5],)],
        [([1, 2],), ([3],)],
        [([(1, "x")], (2, (3, 4)))] * 3,
        [({"x": 1},), ({"y": 2, "x": 3},)],
        [({"x": {"y": 1}},), ({"x": {"z": 1}},)],
        [({"x": 1},), ({1: 2},)],
        [(array.array("i", [1, 2]),)],
        [(Point(1, 2), Record(1, 2))] * 3,
        [(Decimal("1.5"), datetime.date(2020, 1, 1), datetime.timedelta(1))] * 3,
        [(datetime.datetime(2020, 1, 1),), (datetime.datetime.now(datetime.timezone.utc),)],
        [(b"x", bytearray(b"y"))] * 3,
        [(np.float64(1), np.str_("x"))] * 3,
        [(np.array([1, 2]),)],
        [(i, str(i) if i % 7 else None) for i in range(3000)],
    ],
    ids=lambda data: repr(data)[:60],
)
def test_schemas_are_inferred(spark: SparkSession, data: list[Any]) -> None:
    assert_same(spark, data)


def test_schemas_of_rdds_are_inferred(spark: SparkSession) -> None:
    point = Point(1, 2)
    for data in ([(1, None), (None, "x")], [{"b": 1}, {"a": "x", "b": 2}], [Record("x", 1)] * 2):
        given = spark.sparkContext.parallelize(data, 1)
        for of in (None, ["x"]):
            assert_same(spark, given, of)
    assert_same(spark, spark.sparkContext.parallelize([(point,)], 1))
    assert_same(spark, spark.sparkContext.parallelize([1, 2, None, 4], 2), "int")
    assert_same(spark, spark.sparkContext.parallelize([(1, {"k": 2})] * 2, 1), ["x", "y"])


needs_empty_structs = pytest.mark.skipif(
    not hasattr(types, "VariantVal"), reason="this Spark refuses structs without fields"
)


@needs_empty_structs
def test_rows_without_columns(spark: SparkSession) -> None:
    nothing = StructType()
    for row in ((), {"a": 1}, Row(), (1,), None):
        assert_same(spark, [row] * 3, nothing, unverified=False)
    for row in ((), {}):
        assert_same(spark, [row] * 3)
    assert_same(spark, spark.sparkContext.parallelize([()] * 7, 2), nothing, unverified=False)
    columns = schema(*(of for of, _ in EMPTY))
    values = itertools.zip_longest(*(values for _, values in EMPTY))
    assert_same(spark, list(values) * 500, columns, unverified=False)
    # Stock Spark reads them as pickles.
    serow.spark.enable(spark)
    for frame in (spark.createDataFrame([()] * 7, nothing), spark.range(7).select()):
        assert frame.collect() == frame.tail(9) == list(frame.toLocalIterator()) == [Row()] * 7
        assert (frame.rdd.count(), frame.count()) == (7, 7)


@needs_empty_structs
def test_a_row_that_is_none_is_found_if_no_column_is_read(spark: SparkSession) -> None:
    serow.spark.enable(spark)
    for of in ("a int", StructType()):
        with pytest.raises(Py4JJavaError, match="NullPointerException"):
            spark.createDataFrame([None], of).count()


def test_names_that_come_twice(spark: SparkSession) -> None:
    pair = Row("a", "a")
    for data in ([pair(1, "x")], [pair(1, "x")] * 2, [(pair(1, "x"),)] * 3, [([pair(1, "x")],)]):
        assert_same(spark, data)
    assert_same(spark, [(1, "x")], ["a", "a"])
    assert_same(spark, [{"a": 1}, (1, 2)], "a int, a int")


def random_value(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(9 if depth else 5)
    if kind < 5:
        return rng.choice([None, 1, 1.5, "x", True, datetime.datetime(2020, 1, 1)])
    some = [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 5:
        return some
    if kind == 6:
        return tuple(some)
    if kind == 7:
        return Row(*rng.choices("ab", k=len(some)))(*some)
    return {rng.choice("abc"): value for value in some}


def test_few_rows_give_the_same_schema_as_all(spark: SparkSession) -> None:
    def inferred(rows: list[Any], names: list[str] | None) -> Any:
        try:
            return spark._inferSchemaFromList(rows, names), names
        except Exception as error:
            return type(error), str(error), names

    fewer = 0
    for seed in range(400):
        rng = random.Random(seed)
        kinds = [[random_value(rng, 2)] for _ in range(rng.randrange(1, 3))]
        data = [tuple(rng.choice(kinds)) for _ in range(rng.randrange(1, 8))]
        for names in (None, ["a"]):
            few = some_of_each(data, lambda: False)
            assert few == some_of_each(data, lambda: True) or len(few) < len(data)
            fewer += len(few) < len(data)
            assert inferred(few, names and [*names]) == inferred(data, names and [*names])
    assert fewer > 130


def test_any_iterable(spark: SparkSession) -> None:
    for data in (
        lambda: ((i, i) for i in range(9)),
        lambda: iter([]),
        lambda: range(3),
        lambda: (1, 2),
        lambda: {1: 2, 3: 4},
        lambda: "abc",
        lambda: 5,
        lambda: None,
        lambda: [5, 6, None],
        lambda: [True],
    ):
        for of in (None, "int", ("a", "b")):
            assert_same(spark, data, of, unverified=False)


def test_rows_before_a_failure_are_verified_first(spark: SparkSession) -> None:
    def fail(first: Any) -> Iterator[Any]:
        yield (first,)
        raise RuntimeError("the user's")

    for first in (1, "bad"):
        assert_same(spark, lambda first=first: fail(first), "a int")


@pytest.mark.parametrize(
    ("of", "row"),
    [
        ("a int", (1,)),
        ("int", 1),
        ("a map<string, int>", ({"k": 1},)),
        (StructType([StructField("a", StringType(), False)]), ("x",)),
        (None, (1,)),
    ],
    ids=str,
)
def test_as_many_rows_are_taken(spark: SparkSession, of: Any, row: Any) -> None:
    taken = []

    def give(rows: list[Any]) -> Iterator[Any]:
        for row in rows:
            taken.append(row)
            if isinstance(row, Exception):
                raise row
            yield row

    def create(rows: list[Any]) -> Any:
        taken.clear()
        try:
            spark.createDataFrame(give(rows), of)
        except Exception as error:
            return failure(error), len(taken)
        return len(taken)

    for wrong in ((None,), ("bad", 2), (np.int32(1),), RuntimeError("own"), SerowError("own")):
        rows = [row, row, wrong, ("worse", 1), row]
        serow.spark.disable(spark)
        stock = create(rows)
        serow.spark.enable(spark)
        assert create(rows) == stock
    assert create([row, row, row]) == 3


def test_all_rows_are_verified_before_one_is_converted(spark: SparkSession) -> None:
    class Unspeakable:
        def __str__(self) -> str:
            raise RuntimeError("the user's")

    assert_same(spark, [("x", 1), (Unspeakable(), 1), ("x", "bad")], "a string, b int")


def test_partitions_of_many_rows(spark: SparkSession) -> None:
    for count in (1, 3, 2049, 5000):
        data = [(i, str(i)) for i in range(count)]
        assert_same(spark, data, "a long, b string", unverified=False)


def test_what_is_noted(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    serow.spark.enable(spark)
    spark.createDataFrame([(1, "of a list")], ["inferred", "columns"])
    serow.spark.explain()
    assert "createDataFrame of struct<inferred:bigint,columns:string>: serow" in (
        capsys.readouterr().out
    )
