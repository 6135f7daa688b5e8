"""Jobs that read a text file, whose lines become tuples."""

from operator import itemgetter
from typing import Any

from spark.data import Data, text
from spark.task import Task, Wanted

_SCHEMA = (
    "partkey bigint, name string, mfgr string, brand string, type string, size int, "
    "container string, retailprice double, comment string"
)


def combination(data: Data) -> Any:
    """Part at two scales, collected and filtered, then joined by their ids and sorted."""
    sc = data.sc
    small = sc.parallelize(text(sc, data.small).collect())
    hundreds = text(sc, data.large).filter(lambda row: row[0] % 100 == 0).collect()
    joined = small.keyBy(itemgetter(0)).join(sc.parallelize(hundreds).keyBy(itemgetter(0)))
    return joined.sortByKey().collect()


def _csv(data: Data, path: str) -> Any:
    """Reads the file as a DataFrame. Python never sees its lines."""
    return data.spark.read.csv(path, sep="|", schema=_SCHEMA)


def _combined(data: Data) -> Any:
    hundreds = _csv(data, data.large).filter("partkey % 100 = 0")
    return _csv(data, data.small).join(hundreds, "partkey").sort("partkey").collect()


TASKS = [
    Task(
        "count lines",
        lambda data: data.sc.textFile(data.large).count(),
        (Wanted(1.7),),
        others={"DataFrame": lambda data: data.spark.read.text(data.large).count()},
    ),
    Task(
        "count",
        lambda data: text(data.sc, data.large).count(),
        (Wanted(1.7),),
        others={"DataFrame": lambda data: _csv(data, data.large).count()},
    ),
    Task(
        "lookup",
        lambda data: text(data.sc, data.large).filter(lambda row: row[0] == 10_000).collect(),
        (Wanted(1.5),),
        others={
            "DataFrame": lambda data: _csv(data, data.large).filter("partkey = 10000").collect()
        },
    ),
    Task(
        "filter",
        lambda data: text(data.sc, data.large).filter(lambda row: row[0] % 10 == 0).collect(),
        (Wanted(1.45),),
        others={
            "DataFrame": lambda data: _csv(data, data.large).filter("partkey % 10 = 0").collect()
        },
    ),
    Task(
        "sort",
        lambda data: text(data.sc, data.large).sortBy(itemgetter(0)).collect(),
        (Wanted(1.3),),
        others={"DataFrame": lambda data: _csv(data, data.large).sort("partkey").collect()},
    ),
    Task(
        "combination",
        combination,
        (Wanted(1.4),),
        others={"DataFrame": _combined},
        # A DataFrame joins wide rows, while an RDD joins pairs.
        common=lambda result: [row[:1] for row in result],
    ),
]
