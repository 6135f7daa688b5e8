"""The tasks of each application: functions of a session and the table that return their results."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spark.data import Data
from spark.tasks_text import TASKS

COLUMNS = (
    "partkey bigint, name string, mfgr string, brand string, type string, size int, "
    "container string, retailprice decimal(12,2), comment string"
)


@dataclass(frozen=True)
class Tables:
    """The files of Part."""

    large: str
    small: str
    """The file at scale 0.1, whatever the scale of the other is."""


Task = Callable[[Any, Tables], Any]


def _of_texts(name: str) -> Task:
    """A task of the benchmark that needs only the files."""
    run = {task.name: task.run for task in TASKS}[name]
    return lambda spark, tables: run(Data(spark, tables.large, tables.small))


def frame(spark: Any, tables: Tables) -> Any:
    """Calls a function for each row of a DataFrame and collects the results."""
    rows = spark.read.csv(tables.large, schema=COLUMNS, sep="|").rdd
    return rows.map(lambda row: (row.partkey, row.brand, row.retailprice * row.size)).collect()


DEMO: dict[str, Task] = {
    "sort by id, collect": _of_texts("sort"),
    "lookup of id 10000": _of_texts("lookup"),
    "filter, multiples of 10": _of_texts("filter"),
    "combination": _of_texts("combination"),
    "df.rdd.map(f), collect": frame,
}
