"""What each application runs: functions of a session and the table, which give what they found."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spark.tasks import TASKS, Data

COLUMNS = (
    "partkey bigint, name string, mfgr string, brand string, type string, size int, "
    "container string, retailprice decimal(12,2), comment string"
)


@dataclass(frozen=True)
class Tables:
    """The files of Part."""

    large: str
    small: str
    """At scale 0.1, whatever the scale of the other is."""


Task = Callable[[Any, Tables], Any]


def _of_rdds(name: str) -> Task:
    """A task of the benchmark's, which needs nothing but texts."""
    run = {task.name: task.run for task in TASKS}[name]
    return lambda spark, tables: run(
        spark.sparkContext, Data(tables.large, tables.small, cached=None)
    )


def frame(spark: Any, tables: Tables) -> Any:
    """A function of each of a DataFrame's rows, collected."""
    rows = spark.read.csv(tables.large, schema=COLUMNS, sep="|").rdd
    return rows.map(lambda row: (row.partkey, row.brand, row.retailprice * row.size)).collect()


DEMO: dict[str, Task] = {
    "sort by id, collect": _of_rdds("text: sort"),
    "lookup of id 10000": _of_rdds("text: lookup"),
    "filter, multiples of 10": _of_rdds("text: filter"),
    "combination": _of_rdds("text: combination"),
    "df.rdd.map(f), collect": frame,
}
