"""The jobs that are measured: functions of a context and its data, which give what they found."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

Part = tuple[int, str, str, str, str, int, str, float, str]


def parse(line: str) -> Part:
    """The tuple of a line of TPC-H's Part."""
    key, name, mfgr, brand, kind, size, container, price, comment, *_ = line.split("|")
    return int(key), name, mfgr, brand, kind, int(size), container, float(price), comment


@dataclass(frozen=True)
class Data:
    """What jobs work on."""

    large: str
    """The file of Part at the scale that is measured."""

    small: str
    """The file of Part at scale 0.1."""

    cached: Any
    """An RDD of the large file's tuples, in memory."""


@dataclass(frozen=True)
class Task:
    """A job, and the goal for it: how many times as fast as stock it is to be."""

    name: str
    run: Callable[[Any, Data], Any]
    goal: float


def text(sc: Any, path: str) -> Any:
    """The tuples of a file."""
    return sc.textFile(path).map(parse)


def combination(sc: Any, data: Data) -> Any:
    """Part of two scales, collected and filtered, then joined by their ids and sorted."""
    small = sc.parallelize(text(sc, data.small).collect())
    hundreds = text(sc, data.large).filter(lambda row: row[0] % 100 == 0).collect()
    joined = small.keyBy(itemgetter(0)).join(sc.parallelize(hundreds).keyBy(itemgetter(0)))
    return joined.sortByKey().collect()


def join_and_sort(sc: Any, data: Data) -> Any:
    """Tuples joined with half of themselves by id."""
    pairs = data.cached.keyBy(itemgetter(0))
    return pairs.join(pairs.filter(lambda pair: pair[0] % 2 == 0)).sortByKey().collect()


def grouped(sc: Any, data: Data) -> Any:
    """The tuples of each size, of which only the number is collected."""
    groups = data.cached.map(lambda row: (row[0] % 1000, row)).groupByKey()
    return sorted(groups.mapValues(len).collect())


def reduced(sc: Any, data: Data) -> Any:
    """The dearest of each of so many groups that few rows fall together."""
    pairs = data.cached.map(lambda row: (row[0] % 100_000, (row[7], row[0], row[1])))
    return sorted(pairs.reduceByKey(max).collect())


TASKS = [
    Task("text: count", lambda sc, data: sc.textFile(data.large).count(), 1.7),
    Task(
        "text: lookup",
        lambda sc, data: text(sc, data.large).filter(lambda row: row[0] == 10_000).collect(),
        1.5,
    ),
    Task(
        "text: filter",
        lambda sc, data: text(sc, data.large).filter(lambda row: row[0] % 10 == 0).collect(),
        1.45,
    ),
    Task("text: sort", lambda sc, data: text(sc, data.large).sortBy(itemgetter(0)).collect(), 1.3),
    Task("text: combination", combination, 1.4),
    Task("cached: join and sort", join_and_sort, 1.3),
    Task(
        "cached: sort and collect",
        lambda sc, data: data.cached.sortBy(itemgetter(1)).collect(),
        1.12,
    ),
    Task("cached: groupByKey", grouped, 1.25),
    Task("cached: reduceByKey", reduced, 1.25),
    Task(
        "cached: lookup",
        lambda sc, data: data.cached.filter(lambda row: row[0] == 10_000).collect(),
        1.0,
    ),
    Task(
        "cached: filter",
        lambda sc, data: data.cached.filter(lambda row: row[0] % 10 == 0).collect(),
        1.0,
    ),
]
