"""Jobs of a client of Spark Connect."""

from typing import Any

from spark.data import Data
from spark.task import Task, Wanted
from spark.tasks_dataframe import hashed


def _collect(name: str, of: str, *wanted: Wanted) -> Task:
    return Task(name, lambda data: getattr(data, of).collect(), wanted, (of,))


def _create(name: str, local: str, *wanted: Wanted) -> Task:
    def created(data: Data) -> Any:
        return data.spark.createDataFrame(getattr(data, local), data.flat.schema)

    def run(data: Data) -> None:
        created(data)

    return Task(name, run, wanted, ("flat", local), found=lambda data: hashed(created(data)))


TASKS = [
    _collect("collect()", "flat", Wanted(3.0)),
    Task(
        "toLocalIterator()",
        lambda data: sum(1 for _ in data.flat.toLocalIterator()),
        (),
        ("flat",),
        found=lambda data: list(data.flat.toLocalIterator()),
    ),
    _collect("nested: collect()", "nested"),
    _create("createDataFrame(tuples)", "local_tuples", Wanted(2.0)),
    _create("createDataFrame(Rows)", "local_rows"),
    _create("createDataFrame(dicts)", "local_dicts"),
]
