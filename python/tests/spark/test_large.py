"""Partitions of a million rows and of more than two gigabytes, beside partitions of one row."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serow.spark
from conftest import stock
from pyspark import RDD
from pyspark.sql import SparkSession

MILLION = 1_000_000
MEGABYTE = 1 << 20
#: Rows in one partition, each with a text of more than a megabyte.
HEAVY = 2200


@pytest.fixture
def spark(sc: Any) -> Iterator[SparkSession]:
    """Give a session with serow as serializer and enabled."""
    session = SparkSession(sc)
    serow.spark.enable(session)
    yield session
    serow.spark.disable(session)
    serow.spark.enable(sc)


def row(i: int) -> tuple[int, str | None, float]:
    return i, str(i) if i % 7 else None, i / 3


def digest(rows: Iterable[Any]) -> Iterator[tuple[int, str]]:
    """Give the number of rows in a partition, and a digest of them in order."""
    count, seen = 0, hashlib.sha256()
    for found in rows:
        count += 1
        seen.update(repr(tuple(found)).encode())
    yield count, seen.hexdigest()


def numbers(sc: Any) -> RDD[int]:
    """Give a partition of a million numbers, and a partition of one."""
    return sc.range(0, MILLION, 1, 1).union(sc.parallelize([MILLION], 1))


def shuffled(spark: SparkSession) -> Any:
    pairs = numbers(spark.sparkContext).map(lambda i: (i // MILLION, row(i)))
    return pairs.partitionBy(2).mapPartitions(digest).collect()


def fetched(spark: SparkSession) -> Any:
    columns = ["id", "if(id % 7 = 0, null, cast(id as string)) s", "id / 3 d"]
    million, one = spark.range(0, MILLION, 1, 1), spark.range(MILLION, MILLION + 1, 1, 1)
    df = million.union(one).selectExpr(*columns)
    return df.rdd.mapPartitions(digest).collect()


def created(spark: SparkSession) -> Any:
    df = spark.createDataFrame(numbers(spark.sparkContext).map(row), "a long, b string, c double")
    by_partition = df.selectExpr("spark_partition_id() p", "xxhash64(a, b, c) h").groupBy("p")
    return sorted(by_partition.agg({"h": "bit_xor", "p": "count"}).collect())


@pytest.mark.parametrize(
    "job",
    [
        shuffled,
        pytest.param(fetched, marks=pytest.mark.long),
        pytest.param(created, marks=pytest.mark.long),
    ],
)
def test_a_million_rows_and_one(
    sc: Any, spark: SparkSession, job: Callable[[SparkSession], Any]
) -> None:
    serow.spark.disable(spark)
    with stock(sc):
        expected = job(spark)
    serow.spark.enable(spark)
    assert job(spark) == expected


def heavy(i: int) -> tuple[int, str]:
    return i, str(i % 10) * (MEGABYTE + i)


def light(found: tuple[int, str]) -> tuple[int, int, str]:
    i, text = found
    return i, len(text), text[:1] if text == text[0] * len(text) else "mixed"


LIGHT = [(i, MEGABYTE + i, str(i % 10)) for i in range(HEAVY)]


@pytest.mark.long
def test_a_shuffle_of_more_than_two_gigabytes(sc: Any) -> None:
    assert sorted(sc.range(0, HEAVY, 1, 1).map(heavy).partitionBy(1).map(light).collect()) == LIGHT


@pytest.mark.long
def test_texts_of_more_than_two_gigabytes(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("".join(f"{str(i % 10) * MEGABYTE}\n" for i in range(110)))
    lines = sc.textFile(",".join([str(path)] * 20)).coalesce(1)
    found = lines.map(lambda line: light((0, line))).collect()
    assert found == [(0, MEGABYTE, str(i % 10)) for i in range(110)] * 20


@pytest.mark.long
def test_a_frame_of_more_than_two_gigabytes(spark: SparkSession) -> None:
    text = f"repeat(cast(id % 10 as string), cast({MEGABYTE} + id as int))"
    assert spark.range(0, HEAVY, 1, 1).selectExpr("id", text).rdd.map(light).collect() == LIGHT


@pytest.mark.long
def test_more_than_two_gigabytes_become_a_frame(spark: SparkSession) -> None:
    given = spark.sparkContext.range(0, HEAVY, 1, 1).map(heavy)
    df = spark.createDataFrame(given, "id long, s string")
    found = df.selectExpr("id", "length(s)", "left(s, 1)").collect()
    assert [tuple(row) for row in found] == LIGHT
