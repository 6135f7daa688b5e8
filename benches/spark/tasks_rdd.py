"""Jobs on an RDD of tuples, which is in memory."""

from operator import itemgetter
from typing import Any

from spark.data import Data
from spark.task import Task, Wanted

_MARSHAL = "marshal"

_NEEDS = ("parts",)


def join_and_sort(data: Data) -> Any:
    """Joins tuples with half of themselves by id."""
    pairs = data.parts.keyBy(itemgetter(0))
    return pairs.join(pairs.filter(lambda pair: pair[0] % 2 == 0)).sortByKey().collect()


def grouped(data: Data) -> Any:
    """Groups tuples by size. Only their numbers are collected."""
    groups = data.parts.map(lambda row: (row[0] % 1000, row)).groupByKey()
    return sorted(groups.mapValues(len).collect())


def reduced(data: Data) -> Any:
    """Finds the most expensive part of each group. There are many small groups."""
    pairs = data.parts.map(lambda row: (row[0] % 100_000, (row[7], row[0], row[1])))
    return sorted(pairs.reduceByKey(max).collect())


TASKS = [
    Task("join and sort", join_and_sort, (Wanted(1.3), Wanted(1.15, slow=_MARSHAL)), _NEEDS),
    Task(
        "sort and collect",
        lambda data: data.parts.sortBy(itemgetter(1)).collect(),
        (Wanted(1.12),),
        _NEEDS,
    ),
    Task("groupByKey", grouped, (Wanted(1.25),), _NEEDS),
    Task("reduceByKey", reduced, (Wanted(1.25),), _NEEDS),
    Task(
        "lookup",
        lambda data: data.parts.filter(lambda row: row[0] == 10_000).collect(),
        (Wanted(1.0),),
        _NEEDS,
    ),
    Task(
        "filter",
        lambda data: data.parts.filter(lambda row: row[0] % 10 == 0).collect(),
        (Wanted(1.0),),
        _NEEDS,
    ),
]
