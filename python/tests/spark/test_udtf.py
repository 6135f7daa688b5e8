"""Python table functions get the same arguments and give the same rows as in stock PySpark."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
import serow.spark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from shown import shown
from test_udf import assert_same, needs_arrow

TABLE = "n long, s string, p struct<a: long, b: string>, d decimal(10, 2), m map<string, long>"
#: More rows than PySpark makes faster.
MANY = 1200


class Seen:
    """Gives what a function can see of its arguments."""

    def eval(self, *arguments: Any) -> Iterator[Any]:
        yield (repr(shown(arguments)),)


class Many:
    """Gives many rows for each row, and more at the end."""

    def eval(self, number: int) -> Iterator[Any]:
        for at in range(MANY):
            yield number, f"name {at}", (at, None), Decimal(at) / 4, {"a": at}

    def terminate(self) -> Iterator[Any]:
        yield from [(None,) * 5] * MANY


class Few:
    def eval(self, number: int) -> Iterator[Any]:
        if number % 2:
            yield number, "x", None, None, {}


class Wrong:
    """Gives a wrong value in one of many rows."""

    def eval(self, number: int) -> Iterator[Any]:
        for at in range(MANY):
            yield at, at == 7, (at if at < 700 else "x", None), None, None


class Short(Many):
    def eval(self, number: int) -> Iterator[Any]:
        yield from [(1, "x")] * MANY


class Listed(Many):
    def eval(self, number: int) -> Iterator[Any]:
        yield from [[1, "x", None, None, None]] * MANY


class Empty:
    """Gives structs without fields."""

    def eval(self, number: int) -> Iterator[Any]:
        for at in range(MANY):
            yield (None if at % 3 else ()), [(), None][: at % 3], {"k": ()}


class Nothing:
    def eval(self, number: int) -> Iterator[Any]:
        yield from [()] * MANY


class Fails(Many):
    def eval(self, number: int) -> Iterator[Any]:
        yield from super().eval(number)
        raise ValueError("no more")


@pytest.fixture(autouse=True)
def disabled(spark: SparkSession) -> Iterator[None]:
    yield
    serow.spark.disable(spark)


def assert_same_table(spark: SparkSession, of: Any, table: str, column: Any = None) -> None:
    for by_arrow in (True, False):

        def job(by_arrow: bool = by_arrow) -> DataFrame:
            function: Callable[..., DataFrame] = f.udtf(of, returnType=table, useArrow=by_arrow)
            spark.udtf.register("tabled", function)  # type: ignore[arg-type]
            frame = spark.range(0, 3, 1, 1).select(f.col("id") if column is None else column)
            frame.createOrReplaceTempView("given")
            return spark.sql(f"select t.* from given, lateral tabled({frame.columns[0]}) t")

        assert_same(spark, job)


@pytest.mark.parametrize("of", [Many, Few, Wrong, Short, Listed, Fails])
def test_rows(spark: SparkSession, of: Any) -> None:
    assert_same_table(spark, of, TABLE)


def test_structs_without_fields(spark: SparkSession) -> None:
    assert_same_table(spark, Empty, "e struct<>, l array<struct<>>, m map<string, struct<>>")
    assert_same_table(spark, Empty, "e struct<>")
    assert_same_table(spark, Nothing, "struct<>")


@pytest.mark.parametrize(
    "column",
    [
        "named_struct('a', id, 'b', array(named_struct('c', 'x')))",
        "date'2024-02-29' + cast(id as int)",
        "timestamp'2024-10-27 02:30:00'",
        "array(cast(id as decimal(10, 2)), null)",
        "map('x', named_struct('a', id))",
        "binary('x')",
        "array(named_struct(), if(id = 1, named_struct(), null))",
    ],
)
def test_arguments(spark: SparkSession, column: str) -> None:
    assert_same_table(spark, Seen, "seen string", f.expr(column).alias("a"))


class Made:
    """Tells which functions of PySpark are replaced in its task."""

    def eval(self, _: Any) -> Iterator[Any]:
        from pyspark.sql.conversion import LocalDataToArrowConversion

        yield (hasattr(LocalDataToArrowConversion.convert, "_stock_of_serow"),)


@needs_arrow
def test_tasks_of_others_are_left_alone(spark: SparkSession) -> None:
    def made() -> list[Any]:
        return f.udtf(Made, returnType="is_made boolean", useArrow=True)(f.lit(1)).collect()

    assert made() == [(False,)]
    serow.spark.enable(spark)
    assert made() == [(True,)]
    serow.spark.disable(spark)
    assert made() == [(False,)]
