"""What the tests in PySpark share. One JVM serves all of a process, so it has the jar from its start."""

import os
import sys
from collections.abc import Iterator

os.environ["PYSPARK_PYTHON"] = sys.executable
# The time zone that timestamps are shown in: one with a summer time. Workers and the JVM inherit it.
os.environ["TZ"] = "Europe/Berlin"

import pytest  # noqa: E402
import serow.spark  # noqa: E402
from pyspark import SparkContext  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {serow.spark.jar()} pyspark-shell"


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Give a session with two workers, in a context that no other module has."""
    if (running := SparkContext._active_spark_context) is not None:
        running.stop()
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
