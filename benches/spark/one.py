"""One Spark, configured for one contestant, which runs its jobs.

    one.py <JSON of an Order>

Writes a line of JSON to standard output: what `Answer` says.
"""

import gc
import json
import os
import platform
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypedDict

BENCHES = Path(__file__).resolve().parents[1]
sys.path[0] = str(BENCHES)

from spark.checks import exactly, plainly  # noqa: E402
from spark.contestants import CONTESTANTS, Contestant  # noqa: E402
from spark.data import Data  # noqa: E402
from spark.processors import Processors  # noqa: E402
from spark.task import Run, Task  # noqa: E402
from spark.tasks import TASKS  # noqa: E402

_PACKAGES = ("pyspark", "pyarrow", "pandas")


@dataclass(frozen=True)
class Order:
    """The work of a process."""

    contestant: str
    group: str
    large: str
    small: str
    rows: int
    nested_rows: int
    most_times: int
    enough_seconds: float

    check: bool
    """Whether results are checked."""


class Found(TypedDict):
    """The measurements of one contestant in one job."""

    group: str
    task: str
    contestant: str
    seconds: list[float]
    busy: list[float]
    """Returns the CPU seconds of this process and all its child processes."""

    exactly: str | None
    plainly: str | None


class Answer(TypedDict):
    """The measurements of a process, and its versions."""

    found: list[Found]
    versions: dict[str, str]


def session(contestant: Contestant) -> Any:
    """Returns a session with two cores."""
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    paths = [str(BENCHES), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2]").appName(contestant.name)
    builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    builder.config("spark.driver.memory", "4g")
    if not contestant.gc:
        gc.disable()
        builder.config("spark.python.daemon.module", "spark.gc_off")
    if contestant.is_serow:
        import serow.spark

        serow.spark.configure(builder)
    conf = SparkConf().setAll(list(builder._options.items()))
    sc = SparkContext(conf=conf, serializer=contestant.make_serializer())
    sc.setLogLevel("ERROR")
    spark = builder.getOrCreate()
    if contestant.is_serow:
        serow.spark.enable(sc)
        serow.spark.enable(spark)
    return spark


def connect_session(contestant: Contestant) -> Any:
    """Returns a session of Spark Connect, whose server has two cores."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName(contestant.name)
    builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.driver.memory", "4g").remote("local[2]").getOrCreate()
    if contestant.is_serow:
        import serow.spark

        serow.spark.enable(spark)
    return spark


def ways(contestant: Contestant, task: Task) -> dict[str, Run]:
    """Returns the ways in which this contestant does a job, by their names in the results."""
    return dict(task.others) if contestant.is_other_way else {contestant.name: task.run}


def measure(order: Order) -> list[Found]:
    """Runs all jobs."""
    contestant = CONTESTANTS[order.contestant]
    spark = connect_session(contestant) if order.group == "connect" else session(contestant)
    tenth = Data(spark, order.small, order.small, order.rows // 10, order.nested_rows // 10)
    data = Data(spark, order.large, order.small, order.rows, order.nested_rows)
    found = [
        one(tenth, data, order, task, name, run)
        for task in TASKS[order.group]
        for name, run in ways(contestant, task).items()
    ]
    spark.stop()
    return found


def one(tenth: Data, data: Data, order: Order, task: Task, name: str, run: Run) -> Found:
    """Runs a job again and again, after one run with a tenth of the data."""
    is_other = name in task.others
    run(tenth)
    data.make(task.others_need if is_other else task.needs)
    in_types = in_common = None
    if order.check:
        result = run(data)
        in_common = plainly(task.common(result))
        if not is_other:
            in_types = exactly(task.found(data) if task.found else result)
        del result
    seconds: list[float] = []
    busy: list[float] = []
    while len(seconds) < order.most_times and sum(seconds) < order.enough_seconds:
        start, processors = time.perf_counter(), Processors()
        result = run(data)
        seconds.append(round(time.perf_counter() - start, 4))
        busy.append(round(processors.seconds(), 2))
        del result
    return {
        "group": order.group,
        "task": task.name,
        "contestant": name,
        "seconds": seconds,
        "busy": busy,
        "exactly": in_types,
        "plainly": in_common,
    }


def versions() -> dict[str, str]:
    """Returns the versions of Python and of the packages."""
    found = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


if __name__ == "__main__":
    answer: Answer = {"found": measure(Order(**json.loads(sys.argv[1]))), "versions": versions()}
    print(json.dumps(answer))
