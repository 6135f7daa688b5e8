"""Python UDFs get the same arguments as in stock PySpark, and fail alike."""

import random
import sys
import sysconfig
import venv
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import serow.spark
from conftest import script
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import (
    ArrayType,
    DataType,
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
from sql_values import ATOMS, any_type, rows, schema

try:
    from pyspark.sql.conversion import ArrowTableToRowsConversion
except ImportError:
    ArrowTableToRowsConversion = None

#: Ways in which a UDF's arguments come.
ARROW = "spark.sql.execution.pythonUDF.arrow.enabled"

needs_arrow = pytest.mark.skipif(
    not hasattr(ArrowTableToRowsConversion, "_to_pylist"),
    reason="this Spark makes rows of Arrow in another way",
)


@pytest.fixture(autouse=True)
def disabled(spark: SparkSession) -> Iterator[None]:
    yield
    serow.spark.disable(spark)


def seen(*arguments: Any) -> str:
    """Give what a function can see of its arguments, at every node."""
    return repr(shown(arguments))


def outcome(job: Callable[[], DataFrame]) -> Any:
    """Give the result of a job, or how it fails."""
    try:
        return [tuple(row) for row in job().collect()]
    except Exception as error:
        said = [line for line in str(error).splitlines() if "Error" in line or "CLASS" in line]
        return type(error), said[-1:]


def assert_same(spark: SparkSession, job: Callable[[], DataFrame]) -> Any:
    """Compare a job, which must create its functions anew, and give its result."""
    serow.spark.disable(spark)
    stock = outcome(job)
    serow.spark.enable(spark)
    assert outcome(job) == stock
    return stock


def assert_seen(spark: SparkSession, frame: DataFrame, *columns: Any) -> Any:
    return assert_same(spark, lambda: frame.select(f.udf(seen, "string")(*columns)))


def random_frame(spark: SparkSession, of: StructType, seed: int) -> DataFrame:
    given = rows(of, 40, seed)
    return spark.createDataFrame(given, of, verifySchema=False).coalesce(2).cache()


@pytest.mark.parametrize("of", ATOMS, ids=str)
def test_every_type(spark: SparkSession, of: DataType) -> None:
    columns = StructType().add("a", of).add("größe", ArrayType(of)).add("", schema(of, of))
    found = assert_seen(spark, random_frame(spark, columns, 1), f.struct("*"))
    assert len(found) in (40, 2)


@pytest.mark.parametrize("seed", range(6))
def test_any_type(spark: SparkSession, seed: int) -> None:
    rng = random.Random(seed)
    columns = schema(*(any_type(rng, 3) for _ in range(3)))
    frame = random_frame(spark, columns, seed)
    assert_seen(spark, frame, f.struct("*"), "c1", f.struct(f.struct("c2", "c0")))


@needs_arrow
def test_structs_without_fields_in_groups(spark: SparkSession) -> None:
    of = StructType().add("a", LongType()).add("e", StructType())
    frame = spark.createDataFrame([(at, () if at % 3 else None) for at in range(9)], of)

    def same(given: Any) -> Any:
        return given

    groups = frame.groupBy(frame.a % 2)
    for job in (
        lambda: frame.select(f.udf(same, StructType())("e"), f.udf(seen, "string")("e")),
        lambda: frame.mapInArrow(same, of),
        lambda: groups.applyInArrow(same, of),
        lambda: groups.applyInPandas(same, of),
        lambda: groups.agg(f.collect_list("e").alias("l")).select(f.udf(seen, "string")("l")),
    ):
        assert len(assert_same(spark, job)) in (9, 2)


PAIR = StructType().add("a", LongType()).add("b", StringType())


@pytest.mark.parametrize(
    "of",
    [
        PAIR,
        ArrayType(PAIR),
        ArrayType(ArrayType(PAIR)),
        MapType(StringType(), PAIR),
        MapType(PAIR, ArrayType(PAIR)),
        StructType([StructField("a", StructType([StructField("b", PAIR)]))]),
        StructType([]),
        ArrayType(StructType([])),
    ],
    ids=lambda of: str(of.simpleString()),
)
def test_structs_within(spark: SparkSession, of: DataType) -> None:
    frame = random_frame(spark, schema(of, LongType()), 2)
    for columns in (["c0"], ["c1", "c0"], [f.struct("*")], [f.struct("c0"), "c0"]):
        assert_seen(spark, frame, *columns)
        assert_seen(spark, frame.limit(0), *columns)


@pytest.mark.parametrize(
    "column",
    [
        "named_struct('a', id, 'a', id + 1, 'b', 'x')",
        "named_struct('a', id, 'a', 1, 'a_0', 2)",
        "named_struct('a', named_struct('b', id, 'b', id))",
        "named_struct('a_0', id, 'b', null)",
        "named_struct()",
        "cast(null as struct<a: int, b: struct<c: string not null>>)",
        "if(id % 2 = 0, named_struct('a', id, 'b', named_struct('c', binary('x'))), null)",
        "named_struct('a', interval 3 months)",
        "named_struct('a', make_interval(1, 2, 3))",
        "named_struct('a', parse_json('[1]'), 'b', array(parse_json('{}')))",
        "map(id, named_struct('value', binary('v'), 'metadata', binary('m')))",
    ],
)
def test_structs_of_sql(spark: SparkSession, column: str) -> None:
    frame = spark.range(0, 50, 1, 3)
    assert_same(spark, lambda: frame.select(f.udf(seen, "string")(f.expr(column))))


def test_binaries_are_as_the_session_has_them(spark: SparkSession) -> None:
    frame = spark.range(3).select(f.struct(f.expr("binary('x') as a")).alias("s"))
    for setting in ("true", "false"):
        spark.conf.set("spark.sql.execution.pyspark.binaryAsBytes", setting)
        assert_seen(spark, frame, "s")
    spark.conf.unset("spark.sql.execution.pyspark.binaryAsBytes")


class Point:
    def __init__(self, x: int, name: str) -> None:
        self.x, self.name = x, name

    def __repr__(self) -> str:
        return f"Point({self.x}, {self.name})"


class PointType(UserDefinedType):
    """Stored as a struct, which is converted to a row and then to a point."""

    @classmethod
    def sqlType(cls) -> DataType:  # noqa: N802
        return PAIR

    @classmethod
    def module(cls) -> str:
        return __name__

    def serialize(self, obj: Any) -> Any:
        return obj.x, obj.name

    def deserialize(self, datum: Any) -> Any:
        assert (type(datum), datum.__fields__) == (Row, ["a", "b"])
        return Point(6 // datum.a, datum.b)


Point.__UDT__ = PointType()  # type: ignore[attr-defined]


def test_user_defined_types(spark: SparkSession) -> None:
    of = StructType().add("p", PointType()).add("s", StructType().add("p", PointType()))
    points = [Point(x, "p") for x in range(-3, 4)]
    frame = spark.createDataFrame([(p, (p,)) for p in points if p.x] + [(None, None)], of)
    found = assert_seen(spark, frame, "p", f.struct("*"))
    assert "Point(-2, p)" in found[0][0]
    fails = spark.createDataFrame([(p, (p,)) for p in points], of)
    _, said = assert_seen(spark, fails, f.struct("*"))
    assert "ZeroDivisionError" in said[0]


def test_functions_that_fail(spark: SparkSession) -> None:
    # A worker ends with the task that fails in it, and the next one starts slowly.
    frame = spark.range(0, 5, 1, 1).select(f.struct(f.col("id").alias("a")).alias("s"))
    for fails in (lambda s: s.b, lambda s: s["b"], lambda s: s[1], lambda s: next(iter([])), len):
        assert_same(spark, lambda fails=fails: frame.select(f.udf(fails, "string")("s")))  # type: ignore[misc]


def test_every_way_to_call(spark: SparkSession) -> None:
    frame = spark.range(20).select("id", f.struct("id", f.lit("x").alias("b")).alias("s"))

    def job(call: Callable[[Any], Any]) -> Any:
        return assert_same(spark, lambda: call(f.udf(seen, "string")))

    def registered(udf: Any) -> DataFrame:
        spark.udf.register("seen", udf)
        frame.createOrReplaceTempView("frame")
        return spark.sql("select seen(s, id) from frame where seen(s) like '%x%'")

    job(registered)
    job(lambda udf: frame.select(udf(udf("s")), udf("s", "id"), udf("id"), udf()))
    job(lambda udf: frame.where(udf("s") != "").select(udf("s")))
    job(lambda udf: frame.groupBy(udf("s")).count().orderBy("count"))
    by_name = f.udf(lambda left, right: seen(left, right), "string")
    if hasattr(f, "try_variant_get"):  # since 4.0
        job(lambda _: frame.select(by_name(right="s", left="id")))
    # Functions that return structs.
    assert_same(spark, lambda: frame.select(f.udf(lambda s: (s.b, s.id), "b string, i long")("s")))
    assert_same(spark, lambda: frame.select(f.udf(lambda s: s, frame.schema["s"].dataType)("s")))
    for by_arrow in (True, False):
        assert_same(
            spark, lambda by=by_arrow: frame.select(f.udf(seen, "string", useArrow=by)("s"))
        )


def makes_results(called: int) -> bool:
    """Tell whether serow makes the results of a UDF of the task, by its number."""
    frame: Any = sys._getframe()
    while "udf_infos" not in frame.f_locals:
        frame = frame.f_back
    *_, converter = frame.f_locals["udf_infos"][called]
    return converter is None


def is_with_serow(_: Any) -> Any:
    from pyspark import worker

    found = ArrowTableToRowsConversion
    created, listed = found._create_converter, found._to_pylist
    assert hasattr(created, "_stock_of_serow") == ("serow" in listed.__module__)
    assert hasattr(created, "_stock_of_serow") == makes_results(0)
    assert worker.fail_on_stopiteration.__module__ == "pyspark.util"
    return (hasattr(created, "_stock_of_serow"),)


@needs_arrow
def test_tasks_of_others_are_left_alone(spark: SparkSession) -> None:
    spark.conf.set(ARROW, "true")
    frame = spark.range(0, 10, 1, 1)

    def found(function: Any) -> set[bool]:
        return {row[0][0] for row in frame.select(function(f.struct("id"))).collect()}

    def made() -> Any:
        return f.udf(is_with_serow, "found boolean")

    before = made()
    assert found(before) == {False}
    serow.spark.enable(spark)
    enabled = made()
    assert found(enabled) == {True}
    # The first application of a function decides.
    assert found(before) == {False}
    assert found(enabled) == {True}
    serow.spark.disable(spark)
    assert found(made()) == {False}
    assert found(enabled) == {True}
    assert found(before) == {False}
    spark.conf.unset(ARROW)


BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
#: More results than those of which PySpark makes an array faster.
MANY = 250
PAIRS = ArrayType(PAIR)


@pytest.mark.parametrize(
    "functions",
    [
        [(PAIR, lambda at: (at, str(at)))],
        [
            (PAIRS, lambda at: [(at, "x")] * (at % 3)),
            (LongType(), lambda at: at),
            (DecimalType(10, 2), lambda at: Decimal(at) / 10 if at % 7 else None),
            (StringType(), lambda at: at % 2 == 0),
            (PAIR, lambda at: Row(a=at, b=None) if at % 5 else None),
        ],
        # Errors in the first batch and in a later one, of the first function that makes one.
        [(PAIR, lambda at: (at, "x") if at else (1,)), (PAIR, lambda at: 1 / at)],
        [(PAIR, lambda at: (at, "x") if at < 400 else (at,)), (PAIRS, lambda at: 1 / (at - 400))],
        [(PAIRS, lambda at: 1 / (at - 400)), (PAIR, lambda at: (at, "x") if at < 400 else (at,))],
        [(PAIR, lambda at: ("x", "x") if at == 400 else (at, "x"))],
        [(StructType().add("a", IntegerType()), lambda at: (2**31,) if at == 400 else (at,))],
        [(DecimalType(4, 2), lambda at: Decimal(at))],
        [(PAIR, lambda at: next(iter(())))],
        [(PAIR, lambda: (1, "x"))],
        [(ArrayType(PointType()), lambda at: [Point(at, "p"), None])],
        # No column says how many structs without fields there are.
        [(StructType(), lambda at: ())],
        [(StructType(), lambda at: {} if at % 2 else None), (LongType(), lambda at: at)],
        [(StructType().add("e", StructType()), lambda at: ((),))],
        [(ArrayType(StructType()), lambda at: [()] * (at % 3))],
    ],
    ids=str,
)
def test_results(spark: SparkSession, functions: list[tuple[DataType, Any]]) -> None:
    spark.conf.set(BATCH, str(MANY))
    frame = spark.range(0, 3 * MANY, 1, 1)

    def job() -> DataFrame:
        called = [
            f.udf(function, of)(*(["id"] if function.__code__.co_argcount else []))
            for of, function in functions
        ]
        return frame.select(*called)

    assert_same(spark, job)
    for setting in (
        "spark.sql.execution.pythonUDF.arrow.concurrency.level",
        "spark.sql.execution.pythonUDF.pandas.intToDecimalCoercionEnabled",
        "spark.sql.legacy.execution.pythonUDF.pandas.conversion.enabled",
        "spark.sql.execution.arrow.useLargeVarTypes",
    ):
        spark.conf.set(setting, "2" if setting.endswith("level") else "true")
        assert_same(spark, job)
        spark.conf.unset(setting)
    spark.conf.unset(BATCH)


@needs_arrow
def test_results_of_functions_with_and_without_serow(spark: SparkSession) -> None:
    spark.conf.set(ARROW, "true")
    frame = spark.range(0, MANY, 1, 1)
    numbers = StructType().add("a", LongType())
    of_stock = f.udf(lambda at: (at,), numbers)
    frame.select(of_stock("id"))
    serow.spark.enable(spark)

    def made(called: int) -> Any:
        return f.udf(lambda at: (at if makes_results(called) else -1,), numbers)

    columns = [of_stock("id"), made(1)("id"), f.udf(lambda at: at, "long")("id"), made(3)("id")]
    for row, at in zip(frame.select(*columns).collect(), range(MANY), strict=True):
        assert row == ((at,), (at,), at, (at,))
    spark.conf.unset(ARROW)


@pytest.mark.long
@needs_arrow
def test_workers_without_serow_say_so_in_one_line(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    # They have all packages except serow.
    (tmp_path / "packages").mkdir()
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        if not package.name.startswith("serow"):
            (tmp_path / "packages" / package.name).symlink_to(package)
    code = """
import sys
sys.path[:0] = PATHS
import serow.spark
from pyspark.sql import SparkSession
from pyspark.sql.functions import struct, udf
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = serow.spark.configure(builder).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
serow.spark.enable(spark)
for column in ("id", struct("id")):
    try:
        print(len(spark.range(3).select(udf(lambda x: str(x))(column)).toPandas()))
    except Exception as error:
        print([line for line in str(error).splitlines() if "is serialized by serow" in line][0])
"""

    code = code.replace("PATHS", repr([path for path in sys.path if path]))
    ran = script(code, PYSPARK_PYTHON=python, PYTHONPATH=str(tmp_path / "packages"))
    said = ran.stdout.strip().splitlines()[-2:]
    # Without a struct the worker needs no serow.
    assert said[:1] == ["3"], ran.stderr[-3000:]
    assert f"is serialized by serow, which {python} on " in said[1]
    assert f"install it there by '{python} -m pip install serow==" in said[1]
