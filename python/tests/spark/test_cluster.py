"""serow on a standalone cluster: a master and two workers with their own executors."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
import pytest
from conftest import HANGS, script

from demo.errors import DemoError
from demo.progress import Progress
from demo_spark import run
from demo_spark.application import Found
from demo_spark.cluster import Cluster, standalone
from demo_spark.tasks import DEMO


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with standalone() as cluster:
        yield cluster


# Exercises each API, also with workers that end in a task. It prints the results, then how the
# rows were carried.
EACH_DOOR = """
import os
from datetime import date
from decimal import Decimal

import serow.spark
from conftest import conf
from pyspark import SparkContext, TaskContext
from pyspark.sql import Row, SparkSession

settings = serow.spark.configure(conf({url!r}).set("spark.executor.memory", "1g"))
settings.set("spark.executor.cores", "1").set("spark.cores.max", "2")
settings.set("spark.executorEnv.PYTHONPATH", {path!r})
sc = SparkContext(conf=settings, serializer=serow.spark.SerowSerializer())
sc.setLogLevel("OFF")
spark = SparkSession(sc)
serow.spark.enable(spark)

def check(found, expected):
    assert repr(found) == repr(expected), found

pairs = sc.parallelize(range(1000), 4).map(lambda n: (n % 10, (n, str(n))))
check(sorted(pairs.groupByKey().mapValues(len).collect()), [(n, 100) for n in range(10)])
check(sc.textFile({file!r}, 4).map(len).sum(), 6000)

def dies_at_first(split, rows):
    for n, row in enumerate(rows):
        if n == 300 and split % 2 and TaskContext.get().attemptNumber() == 0:
            os._exit(1)
        yield row, [row]

rdd = sc.parallelize(range(2000), 4).map(lambda n: (n % 30, n))
killed = rdd.mapPartitionsWithIndex(dies_at_first)
check(killed.collect(), [(row, [row]) for row in ((n % 30, n) for n in range(2000))])
check(killed.keys().mapValues(lambda n: n).reduceByKey(max).count(), 30)

frame = spark.range(5000, numPartitions=4).selectExpr(
    "id", "cast(id as decimal(9,2)) price", "date_add(date'2020-01-01', cast(id as int)) day"
)
rows = [Row(id=n, price=Decimal(n).quantize(Decimal("0.01")),
            day=date.fromordinal(date(2020, 1, 1).toordinal() + n)) for n in range(5000)]
check(frame.collect(), rows)
check(frame.take(3), rows[:3])
check(frame.tail(3), rows[-3:])
check(list(frame.toLocalIterator()), rows)
check(frame.rdd.map(lambda row: (row.id, row.price)).collect(), [row[:2] for row in rows])
seen = sc.accumulator(0)
frame.foreach(lambda row: seen.add(row.id))
check(seen.value, sum(range(5000)))
given = sc.parallelize(rows, 4).map(lambda row: row)
check(spark.createDataFrame(given, frame.schema).selectExpr("sum(id)", "max(day)").collect(),
      [Row(**{{"sum(id)": sum(range(5000)), "max(day)": rows[-1].day}})])

hosts = sc.parallelize(range(4), 4).map(lambda n: __import__("os").getppid()).distinct().count()
print("executors", hosts)
serow.spark.explain()
spark.stop()
"""


def test_a_job_through_each_door(cluster: Cluster, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("line 1\n" * 1000)
    code = EACH_DOOR.format(url=cluster.url, file=str(text), path=os.environ["PYTHONPATH"])
    ran = script(code, PYSPARK_SUBMIT_ARGS="pyspark-shell", **cluster.environment)
    assert ran.returncode == 0, ran.stderr[-3000:]
    said = ran.stdout.splitlines()
    assert said[0] == "executors 2"
    assert {line.partition(" ")[0] for line in said[1:]} == {
        "collect",
        "tail",
        "toLocalIterator",
        "rdd",
        "createDataFrame",
    }
    assert all(": serow" in line for line in said[1:])


WITHOUT_SEROW = """
import sys
sys.path[:0] = {path!r}
import serow.spark
from pyspark.sql import SparkSession

builder = SparkSession.builder.master({url!r}).config("spark.ui.enabled", "false")
builder.config("spark.executor.memory", "1g").config("spark.executor.cores", "1")
spark = serow.spark.configure(builder.config("spark.cores.max", "1")).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
serow.spark.enable(spark)
frame = spark.range(10)
print(len(frame.collect()))
tuples = spark.sparkContext.parallelize([(1,), (2,)], 1)
for job in (
    lambda: frame.rdd.map(lambda row: row.id).collect(),
    lambda: frame.foreach(print),
    lambda: spark.createDataFrame(tuples, frame.schema).count(),
):
    try:
        job()
    except Exception as error:
        print([line for line in str(error).splitlines() if "is serialized by serow" in line][0])
    else:
        print("no error")
spark.stop()
"""


@pytest.mark.long
def test_workers_without_serow_say_so_in_one_line(cluster: Cluster, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    # The driver finds serow by a path that its workers don't know.
    code = WITHOUT_SEROW.format(url=cluster.url, path=[path for path in sys.path if path])
    ran = script(
        code,
        PYSPARK_PYTHON=python,
        PYTHONPATH="",
        PYSPARK_SUBMIT_ARGS="pyspark-shell",
        **cluster.environment,
    )
    said = ran.stdout.splitlines()
    assert said[:1] == ["10"], ran.stderr[-3000:]
    assert len(said) == 4, said
    for line in said[1:]:
        assert f"is serialized by serow, which {python} on " in line
        assert f"install it there by '{python} -m pip install serow==" in line


LINE = "{n}|almond {n}|Manufacturer#1|Brand#{m}|PROMO BRUSHED TIN|{m}|JUMBO PKG|{n}.10|a comment|\n"


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """Give a folder with small versions of the tables that the demo would generate."""
    for scale, rows in (("0.001", 200), ("0.1", 400)):
        lines = (LINE.format(n=n, m=n % 50) for n in range(1, rows + 1))
        (tmp_path / f"part-sf{scale}.tbl").write_text("".join(lines))
    return tmp_path


def demo(tables: Path) -> subprocess.Popen[str]:
    """Start the demo; its TMPDIR identifies it and all its children."""
    return subprocess.Popen(
        [sys.executable, run.__file__, "--sf", "0.001", "--rounds", "1", "--data", str(tables)],
        env={**os.environ, "TMPDIR": str(tables), "PYSPARK_SUBMIT_ARGS": "pyspark-shell"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # If the tests run in the background, they ignore Ctrl-C, and the demo would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def left_over(tables: Path) -> list[str]:
    """Give the commands of the demo's processes that still run after a while."""
    commands = []
    for _ in range(100):
        commands = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if f"TMPDIR={tables}\0".encode() in (process / "environ").read_bytes():
                    commands.append((process / "cmdline").read_text()[:200])
            except OSError:
                continue  # it has ended
        if not commands:
            break
        time.sleep(0.1)
    return commands


@pytest.mark.long
@pytest.mark.skipif(pyspark.__version__.startswith("3."), reason="its Scala job is for 2.13")
def test_the_demo(tables: Path) -> None:
    with demo(tables) as process:
        out, err = process.communicate(timeout=HANGS)
    assert process.returncode == 0, err
    for task in DEMO:
        assert f"\n{task}  " in out
    assert "Every result was equal" in out
    assert left_over(tables) == []
    assert list(tables.glob("serow-spark-*")) == []


@pytest.mark.long
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 1)])
def test_an_interrupted_demo_leaves_nothing(
    tables: Path, sent: signal.Signals, status: int
) -> None:
    with demo(tables) as process:
        while process.poll() is None and not any(
            "registered with master" in log.read_text() for log in tables.rglob("worker-?.log")
        ):
            time.sleep(0.1)
        process.send_signal(sent)
        _, err = process.communicate(timeout=HANGS)
    assert process.returncode == status, err
    assert "Traceback" not in err
    assert left_over(tables) == []
    assert list(tables.glob("serow-spark-*")) == []


class Answers:
    """A fake application."""

    def __init__(self, name: str, result: Any) -> None:
        self.name = name
        self._result = result

    def send(self, question: object) -> None:
        pass

    def answer(self) -> Found:
        return Found(self._result, 1.0)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ([(1, 2.0), (2, 2)], "row 1, field 1: expected 2.0 (float), got 2 (int)"),
        ([(1, 2.0)], "expected 2 rows, got 1"),
    ],
)
def test_a_result_that_differs_fails_the_demo(result: Any, message: str) -> None:
    stock, serow = Answers("stock", [(1, 2.0), (2, 2.0)]), Answers("serow", result)
    with pytest.raises(DemoError) as error:
        run.compete("a task", stock, serow, 1, Progress(2))
    assert str(error.value) == f"a task: with serow the result is another: {message}"


def test_what_the_demo_cannot_do_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert run.main(["--sf", "many"]) == 1
    signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().err == (
        "demo-spark: SF must be a number from 0.0001 to 10000, got 'many'\n"
    )


def test_a_cluster_that_does_not_start_names_its_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(DemoError, match="worker-1 ended with 1") as error, standalone(memory="no"):
        pass
    (logs,) = tmp_path.glob("serow-spark-*")
    assert str(error.value).endswith(f"what Spark has written is in {logs}")
    assert "spark://" in (logs / "master.log").read_text()
