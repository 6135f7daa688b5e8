"""Jobs give the same results with serow as without."""

import operator
import random
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import stock
from pyspark import Row, StorageLevel
from pyspark.serializers import AutoBatchedSerializer, NoOpSerializer
from serow.spark import SerowSerializer
from shown import shown

Job = Callable[[Any], Any]

JOBS: list[Job] = []


def job(of: Job) -> Job:
    JOBS.append(of)
    return of


class Plain:
    """An instance of a class that serow does not carry."""

    def __init__(self, x: int) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and self.x == other.x

    def __hash__(self) -> int:
        return hash(self.x)

    def __repr__(self) -> str:
        return f"Plain({self.x})"


def wide(n: int) -> tuple[Any, ...]:
    some = random.Random(n)
    text = some.choice(["almond", "größe", "", "\ud800", "x" * some.randrange(300)])
    return (
        n,
        text,
        some.random() if n % 3 else None,
        Decimal(some.randrange(10**6)) / 100,
        date(2000, 1, 1) + timedelta(days=n),
        [n] * (n % 4),
        {"a": n, "b": text},
        {n % 7, n % 5},
        n % 2 == 0,
        bytes([n % 256]) * (n % 9),
    )


def data(sc: Any, rows: int = 3000, slices: int = 3) -> Any:
    return sc.parallelize(range(rows), slices).map(wide)


def pairs(sc: Any, rows: int = 2000, keys: int = 50, slices: int = 3) -> Any:
    return sc.parallelize(range(rows), slices).map(lambda n: (n % keys, (n, str(n))))


def mixed(n: int) -> Any:
    """Give rows. serow does not carry some of them."""
    return [n, Plain(n), Row(a=n), (n, str(n)), {"b": n, "a": n}, {"a": n, "b": n}][n % 6]


@job
def all_of_it(sc: Any) -> Any:
    return data(sc).map(lambda row: row).collect()


@job
def some_that_are_not_carried(sc: Any) -> Any:
    return sc.parallelize(range(5000), 3).map(mixed).map(lambda row: (row, 1)).collect()


def record(n: int) -> Row:
    inner = Row(x=n / 2, tags=(Row(tag=str(n)),) * (n % 3))
    return Row(id=n, inner=inner) if n % 4 else Row(id=n, size=n)


@job
def rows_of_pyspark(sc: Any) -> Any:
    rows = sc.parallelize(range(3000), 3).map(record).keyBy(lambda row: row.id % 40)
    joined = rows.join(rows.filter(lambda pair: pair[0] < 5)).distinct()
    return rows.groupByKey(3).mapValues(list).collect(), joined.sortBy(repr).take(500)


@job
def empty_partitions(sc: Any) -> Any:
    rdd = sc.parallelize([1, 2, 3], 9).map(lambda n: (n, n)).filter(lambda row: row[0] != 2)
    return rdd.glom().collect(), rdd.reduceByKey(operator.add).collect(), sc.emptyRDD().collect()


@job
def one_row(sc: Any) -> Any:
    return sc.parallelize([wide(1)], 1).map(lambda row: row).collect()


@job
def rows_of_every_partition(sc: Any) -> Any:
    return data(sc, 500, 5).glom().collect()


@job
def union(sc: Any) -> Any:
    other = sc.parallelize(["a", None, 2.5], 2)
    return data(sc, 100).union(other).union(other.map(str)).collect()


@job
def zipped(sc: Any) -> Any:
    left = sc.parallelize(range(1000), 3)
    right = left.map(wide)
    return left.zip(right).zip(right.map(len)).collect(), right.zipWithIndex().take(40)


@job
def cartesian(sc: Any) -> Any:
    left = sc.parallelize(range(30), 2).map(wide)
    return left.cartesian(left.map(len)).cartesian(sc.parallelize("ab", 1)).collect()


@job
def sort_by(sc: Any) -> Any:
    by = data(sc).sortBy(lambda row: (-row[0] % 97, row[0]))
    return by.collect(), pairs(sc).sortByKey(ascending=False, numPartitions=4).collect()


@job
def join(sc: Any) -> Any:
    left, right = pairs(sc, 300), pairs(sc, 40, 60)
    joined = left.join(right).collect(), left.leftOuterJoin(right).collect()
    return joined, left.fullOuterJoin(right).count(), left.subtractByKey(right).collect()


@job
def cogroup(sc: Any) -> Any:
    def lists(row: Any) -> Any:
        return row[0], [list(values) for values in row[1]]

    left, right = pairs(sc, 300), pairs(sc, 40, 60)
    return left.cogroup(right).map(lists).collect(), left.groupWith(right, left).map(
        lists
    ).collect()


@job
def group_by_key(sc: Any) -> Any:
    return pairs(sc).groupByKey(4).map(lambda row: (row[0], list(row[1]))).collect()


@job
def grouped_values_go_on(sc: Any) -> Any:
    groups = pairs(sc).groupByKey(4).repartition(2).collect()
    return sorted((key, sorted(values)) for key, values in groups)


@job
def reduce_by_key(sc: Any) -> Any:
    return pairs(sc).mapValues(lambda value: value[0]).reduceByKey(operator.add).collect()


@job
def aggregate_by_key(sc: Any) -> Any:
    def add(values: list[Any], value: Any) -> list[Any]:
        return [*values, value]

    return pairs(sc).aggregateByKey([], add, operator.add).collect()


@job
def fold_and_combine(sc: Any) -> Any:
    counted = pairs(sc).mapValues(lambda value: value[0])
    combined = counted.combineByKey(lambda n: (n, 1), lambda a, n: (a[0] + n, a[1] + 1), max)
    return counted.foldByKey(0, operator.add).collect(), combined.collect()


@job
def persisted(sc: Any) -> Any:
    given = []
    for level in (StorageLevel.MEMORY_ONLY, StorageLevel.DISK_ONLY, StorageLevel.MEMORY_AND_DISK_2):
        rdd = data(sc, 700).persist(level)
        given.append((rdd.count(), rdd.collect(), rdd.first()))
        rdd.unpersist()
    return given


@job
def broadcast(sc: Any) -> Any:
    table = sc.broadcast({n: wide(n) for n in range(50)})
    return sc.parallelize(range(50), 2).map(lambda n: table.value[n]).collect()


@job
def accumulated(sc: Any) -> Any:
    total = sc.accumulator(0)
    data(sc, 100).foreach(lambda row: total.add(row[0]))
    return total.value


@job
def moved(sc: Any) -> Any:
    rdd = data(sc, 400)
    return (
        sorted(rdd.repartition(5).collect(), key=lambda row: row[0]),
        rdd.coalesce(1).collect(),
        rdd.coalesce(2, shuffle=True).count(),
        pairs(sc).partitionBy(4).glom().collect(),
        rdd.map(lambda row: (row[0], row)).repartitionAndSortWithinPartitions(3).glom().collect(),
    )


@job
def a_few(sc: Any) -> Any:
    rdd = data(sc, 400)
    return (
        rdd.take(0),
        rdd.take(7),
        rdd.first(),
        rdd.top(3, key=lambda row: row[0]),
        rdd.takeOrdered(3, key=lambda row: -row[0]),
        rdd.takeSample(False, 5, 1),
        rdd.isEmpty(),
        pairs(sc).lookup(7),
        list(rdd.toLocalIterator()),
        list(rdd.toLocalIterator(prefetchPartitions=True)),
    )


@job
def numbers(sc: Any) -> Any:
    rdd = sc.parallelize(range(1000), 3)
    return (
        rdd.stats().asDict(),
        rdd.histogram(4),
        rdd.reduce(operator.add),
        rdd.treeAggregate(0, operator.add, operator.add),
        rdd.aggregate(
            (0, 0), lambda a, n: (a[0] + n, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])
        ),
        rdd.sample(False, 0.1, 3).collect(),
        [half.collect() for half in rdd.randomSplit([1, 2], 3)],
        rdd.map(lambda n: n % 5).countByValue(),
        rdd.distinct().count(),
        rdd.map(lambda n: n % 9).distinct().collect(),
        rdd.intersection(sc.parallelize(range(0, 2000, 7))).collect(),
        rdd.subtract(sc.parallelize(range(5, 1000))).collect(),
        rdd.sum(),
    )


@job
def runs_and_keys(sc: Any) -> Any:
    rdd = pairs(sc, 300)
    return (
        rdd.keyBy(lambda row: row[1]).keys().collect(),
        rdd.collectAsMap(),
        sc.runJob(rdd, list, [1]),
    )


@job
def batches_of_a_size(sc: Any) -> Any:
    return data(sc, 100)._reserialize(sc.serializer).map(lambda row: row[:2]).collect()


@pytest.mark.parametrize("run", JOBS, ids=lambda run: run.__name__)
def test_a_job(sc: Any, run: Job) -> None:
    with stock(sc):
        expected = run(sc)
    assert shown(run(sc)) == shown(expected)


def test_what_does_not_fit_in_memory(sc: Any) -> None:
    def spilling(sc: Any) -> Any:
        rdd = pairs(sc, 600, 20)
        # When a worker writes to disk depends on its memory, and the order of keys depends on that.
        return (
            sorted(rdd.groupByKey(2).mapValues(sorted).collect()),
            sorted(rdd.mapValues(lambda value: value[0]).reduceByKey(operator.add).collect()),
            rdd.sortByKey(numPartitions=2).collect(),
        )

    # Every Python process takes more memory than that.
    sc._conf.set("spark.python.worker.memory", "1m")
    try:
        with stock(sc):
            expected = spilling(sc)
        assert shown(spilling(sc)) == shown(expected)
    finally:
        sc._conf.set("spark.python.worker.memory", "512m")


def test_checkpoints(sc: Any, tmp_path: Path) -> None:
    sc.setCheckpointDir(str(tmp_path))
    for way in ("checkpoint", "localCheckpoint"):
        rdd = data(sc, 500)
        getattr(rdd, way)()
        expected = data(sc, 500).collect()
        assert shown(rdd.collect()) == shown(expected)
        assert rdd.isCheckpointed()
        assert shown(rdd.map(lambda row: row).collect()) == shown(expected)


def test_files(sc: Any, tmp_path: Path) -> None:
    rdd = data(sc, 500)
    rdd.saveAsPickleFile(str(tmp_path / "pickles"))
    with stock(sc):
        # They are pickles, which every program reads.
        read = sc.pickleFile(str(tmp_path / "pickles")).collect()
    assert sorted(map(repr, read)) == sorted(map(repr, rdd.collect()))
    assert sorted(map(repr, sc.pickleFile(str(tmp_path / "pickles")).collect())) == sorted(
        map(repr, read)
    )
    counts = pairs(sc, 20).mapValues(lambda value: value[0])
    counts.saveAsSequenceFile(str(tmp_path / "sequence"))
    found = sc.sequenceFile(str(tmp_path / "sequence")).collect()
    assert sorted(found) == sorted(counts.collect())
    counts.saveAsTextFile(str(tmp_path / "text"))
    assert sorted(sc.textFile(str(tmp_path / "text")).collect()) == sorted(
        map(str, counts.collect())
    )


def test_data_with_and_without(sc: Any) -> None:
    """Data of both serializers can be combined."""
    with stock(sc):
        without = pairs(sc, 100)
        without.cache().count()
    both = pairs(sc, 100)
    expected = without.collect()
    assert both.union(without).collect() == expected * 2
    assert both.zip(without).collect() == list(zip(expected, expected, strict=True))
    assert sorted(both.join(without).collect()) == sorted(without.join(both).collect())
    assert both.cartesian(without).count() == 10_000


def test_what_is_used(sc: Any) -> None:
    """Data is sent in messages, and the JVM receives them."""
    rdd = data(sc, 100, 1).map(lambda row: row)
    assert rdd._jrdd_deserializer == AutoBatchedSerializer(SerowSerializer())
    raw = type(rdd.union(rdd))(rdd._jrdd, sc, NoOpSerializer()).collect()
    assert len(raw) > 3
    assert all(batch[:4] == b"SROW" for batch in raw)
