"""A contestant's process: the driver of an application on the cluster.

It receives one task at a time and answers with the result and the time. So the contestants take
turns at each task, and a noisy minute on the machine affects both.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from demo.process import Child, serve
from demo_spark.tasks import DEMO, Tables

BENCHES = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Job:
    """The arguments of an application."""

    name: str
    master: str
    tables: Tables
    log: Path
    """The file for Spark's output, which is only of interest if something fails."""

    with_serow: bool


@dataclass(frozen=True)
class Found:
    """The result of a task, and its seconds."""

    result: Any
    seconds: float


@contextmanager
def started(job: Job, environment: Mapping[str, str]) -> Iterator[Child]:
    """An application that ends with the block, without waiting if the block fails."""
    environment = {**environment, "PYSPARK_PYTHON": sys.executable}
    child = Child(job.name, run, job, environment)
    try:
        yield child
    except BaseException:
        child.close(at_once=True)
        raise
    child.close()


def run(job: Job, connection: Connection) -> None:
    """The main function of the process."""
    with job.log.open("ab") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
    serve(connection, job.name, lambda: _opened(job))


@contextmanager
def _opened(job: Job) -> Iterator[Callable[[str], Found]]:
    session = session_with_serow if job.with_serow else session_of_stock
    spark = session(settings(job))

    def answer(task: str) -> Found:
        begin = time.perf_counter()
        result = DEMO[task](spark, job.tables)
        return Found(result, time.perf_counter() - begin)

    try:
        yield answer
    finally:
        spark.stop()


def settings(job: Job) -> Any:
    """Configures one core and one gigabyte on each of two workers, and no web interface."""
    from pyspark import SparkConf

    conf = SparkConf().setMaster(job.master).setAppName(job.name)
    conf.set("spark.executor.cores", "1").set("spark.cores.max", "2")
    conf.set("spark.executor.memory", "1g").set("spark.driver.memory", "2g")
    conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
    conf.set("spark.log.level", "ERROR")
    # The executors' Python finds the tasks there.
    conf.set("spark.executorEnv.PYTHONPATH", _path())
    return conf


def _path() -> str:
    return os.pathsep.join(filter(None, [str(BENCHES), os.environ.get("PYTHONPATH")]))


def session_of_stock(conf: Any) -> Any:
    """Returns a session without serow."""
    from pyspark.sql import SparkSession

    return SparkSession.builder.config(conf=conf).getOrCreate()


def session_with_serow(conf: Any) -> Any:
    """Returns a session with all of serow's features. A job adds these lines."""
    import serow.spark
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    sc = SparkContext(conf=serow.spark.configure(conf), serializer=serow.spark.SerowSerializer())
    spark = SparkSession(sc)
    serow.spark.enable(spark)
    return spark
