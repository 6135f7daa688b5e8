"""One Spark with two cores for all tests, and a way to run the same without serow."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

# Seconds after which another program of the tests is taken to hang. Beside other jobs on a slow
# machine, programs have needed 300.
HANGS = 900

# Set this before the JVM starts: its workers run this Python, and find the same serow and the
# classes of the tests.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["PYTHONPATH"] = os.pathsep.join(map(str, [HERE.parents[1], HERE]))
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
# The folder of the demo, which starts a cluster.
sys.path.append(str(HERE.parents[2] / "benches"))
# The zone in which timestamps are shown: one with summer time.
os.environ["TZ"] = "Europe/Berlin"

import pytest  # noqa: E402
import serow.spark  # noqa: E402
from pyspark import SparkConf, SparkContext  # noqa: E402
from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

# In drivers, masters, workers and executors alike: the tests' jobs are too short for the JVM's
# second compiler and its threads for garbage collection to pay. All tests together need more code
# than one compiler alone reserves.
os.environ["JAVA_TOOL_OPTIONS"] = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=160m"
)
os.environ["PYSPARK_SUBMIT_ARGS"] = f"--jars {serow.spark.jar()} pyspark-shell"


def conf(master: str) -> SparkConf:
    """Give a configuration for tests."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.default.parallelism": "2",
        "spark.sql.shuffle.partitions": "2",
    }
    return SparkConf().setMaster(master).setAppName("tests").setAll(list(settings.items()))


@pytest.fixture(scope="session")
def sc() -> Iterator[SparkContext]:
    """Give a context that serializes with serow; a task is tried once."""
    context = SparkContext(conf=conf("local[2]"), serializer=serow.spark.SerowSerializer())
    context.setLogLevel("OFF")
    serow.spark.enable(context)
    yield context
    serow.spark.disable(context)
    context.stop()


@pytest.fixture(scope="module")
def spark(sc: SparkContext) -> Iterator[SparkSession]:
    """Give a session in which only enabled features go through serow."""
    with stock(sc):
        session = SparkSession(sc)
        # This makes it the active session, to which new functions belong.
        session.createDataFrame([], "a long")
        yield session


@contextmanager
def stock(sc: Any) -> Iterator[Any]:
    """Let Spark itself serialize the data that is created meanwhile."""
    before = sc.serializer, sc._unbatched_serializer
    sc._unbatched_serializer = CPickleSerializer()
    sc.serializer = AutoBatchedSerializer(sc._unbatched_serializer)
    serow.spark.disable(sc)
    try:
        yield sc
    finally:
        sc.serializer, sc._unbatched_serializer = before
        serow.spark.enable(sc)


def script(code: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a program in another process."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )


def java_library() -> str:
    """Give the path of the Java library's jar: SEROW_JAVA_LIBRARY, or what Maven has built."""
    built = (HERE.parents[2] / "java" / "serow" / "target").glob("serow-[0-9]*[0-9].jar")
    return os.environ.get("SEROW_JAVA_LIBRARY") or str(next(built))
