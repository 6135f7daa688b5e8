"""Sessions that are configured, enabled, disabled, stopped and started again."""

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
import serow.spark
from conftest import HANGS, script
from pyspark import SparkConf
from pyspark.sql import Row, SparkSession
from serow.spark import notes
from serow.spark.rows import RowBatches
from serow.spark.session import DataFrame

JAR = str(serow.spark.jar())


REPLACED = ("rdd", "collect", "tail", "toLocalIterator")


class Recorded(SparkSession.Builder):
    """A builder with its own options, because all of Spark's builders share theirs."""

    def __init__(self) -> None:
        self._options = {}


def test_what_a_builder_has_stays() -> None:
    others = {
        "spark.driver.extraClassPath": "/a.jar:/b.jar",
        "spark.executor.extraClassPath": "/c.jar",
        "spark.jars.packages": "org.example:package:1.0",
    }
    of = Recorded()
    for name, value in others.items():
        of.config(name, value)
    assert serow.spark.configure(of) is of
    assert of._options == {**others, "spark.jars": JAR}
    serow.spark.configure(of)
    assert of._options["spark.jars"] == JAR

    of.config("spark.jars", "/mine.jar,,/other.jar")
    serow.spark.configure(serow.spark.configure(of))
    assert of._options["spark.jars"] == f"/mine.jar,/other.jar,{JAR}"


def test_what_a_conf_has_stays() -> None:
    conf = SparkConf(loadDefaults=False).set("spark.jars", "/mine.jar").set("spark.x", "y")
    assert serow.spark.configure(conf) is conf
    serow.spark.configure(conf)
    assert sorted(conf.getAll()) == [("spark.jars", f"/mine.jar,{JAR}"), ("spark.x", "y")]


def carried(session: SparkSession) -> bool:
    """Tell for each API whether the rows of a session's DataFrames come through serow."""
    frame = session.range(3)
    by_serow = [type(frame.rdd._jrdd_deserializer) is RowBatches]
    before = notes.lines()
    assert frame.collect() == [Row(id=0), Row(id=1), Row(id=2)]
    assert list(frame.toLocalIterator()) == frame.tail(3)
    by_serow.append(notes.lines() != before)
    assert len(set(by_serow)) == 1
    return by_serow[0]


def test_enabling_is_of_one_session(spark: SparkSession) -> None:
    stock = {name: vars(DataFrame)[name] for name in REPLACED}
    one, other = spark.newSession(), spark.newSession()
    serow.spark.enable(one)
    serow.spark.enable(one)
    assert [carried(session) for session in (spark, one, other)] == [False, True, False]
    serow.spark.enable(other)
    serow.spark.disable(one)
    assert [carried(session) for session in (spark, one, other)] == [False, False, True]
    serow.spark.disable(one)
    serow.spark.disable(other)
    assert not carried(other)
    assert {name: vars(DataFrame)[name] for name in REPLACED} == stock
    serow.spark.enable(one)
    assert carried(one)
    serow.spark.disable(one)


# The JVM was started without the jar and outlives its contexts, so it never loads a jar that is
# added later.
WITHOUT_THE_JAR = """
import os
import serow.spark
from conftest import conf
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

os.environ["PYSPARK_SUBMIT_ARGS"] = "pyspark-shell"

def rows(spark):
    return [row.id for row in spark.range(3).collect()]

for configure in (lambda builder: builder, serow.spark.configure):
    builder = SparkSession.builder.config(conf=conf("local[1]"))
    spark = configure(builder).getOrCreate()
    try:
        serow.spark.enable(spark)
    except RuntimeError as error:
        print(error)
    print(rows(spark), spark.sparkContext.textFile({file!r}).count())
    serow.spark.disable(spark)
    spark.stop()
"""


@pytest.mark.long
def test_a_session_without_the_jar_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a\nb\n")
    code = WITHOUT_THE_JAR.format(file=str(tmp_path / "text"))
    ran = script(code)
    said = ran.stdout.splitlines()
    assert len(said) == 4, ran.stderr[-3000:]
    for line in said[::2]:
        assert line.startswith("Spark's JVM was started without serow: ")
        assert "serow.spark.configure(SparkSession.builder)" in line
        assert line.endswith(f"--jars {JAR}")
    assert said[1::2] == ["[0, 1, 2] 2"] * 2


# New executors have the jar too, even if only the first session was configured.
MADE_AGAIN = """
import os
import serow.spark
from conftest import conf
from pyspark import SparkContext
from pyspark.sql import SparkSession

os.environ["PYSPARK_SUBMIT_ARGS"] = "pyspark-shell"
for configure in (serow.spark.configure, lambda conf: conf, serow.spark.configure):
    settings = conf("local-cluster[1,1,1024]").set("spark.executorEnv.PYTHONPATH",
                                                   os.environ["PYTHONPATH"])
    sc = SparkContext(conf=configure(settings), serializer=serow.spark.SerowSerializer())
    sc.setLogLevel("OFF")
    spark = SparkSession(sc)
    serow.spark.enable(spark)
    print(spark.range(3).rdd.map(lambda row: row.id).collect())
    spark.stop()
serow.spark.explain()
"""


@pytest.mark.long
def test_a_session_that_is_made_again() -> None:
    ran = script(MADE_AGAIN, SPARK_SCALA_VERSION="2.13")
    assert ran.stdout.splitlines() == [
        *["[0, 1, 2]"] * 3,
        "rdd of struct<id:bigint>: serow (3 times)",
    ], ran.stderr[-3000:]


# Each task has a new worker, in executors of their own. Each feature comes once.
WITHOUT_A_DAEMON = """
import os
import serow.spark
from conftest import conf
from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as f

settings = serow.spark.configure(conf("local-cluster[1,1,1024]"))
settings.set("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
settings.set("spark.python.use.daemon", "false").set("spark.default.parallelism", "1")
sc = SparkContext(conf=settings, serializer=serow.spark.SerowSerializer())
sc.setLogLevel("OFF")
spark = SparkSession(sc)
serow.spark.enable(spark)

pairs = sc.parallelize([(n % 3, n) for n in range(300)], 1)
print(sorted(pairs.groupByKey().mapValues(len).collect()))
print(sc.textFile({file!r}, 1).map(len).sum())
frame = spark.createDataFrame(pairs, "k int, n int").coalesce(1)
print(frame.rdd.map(lambda row: row.n).sum(), frame.tail(1))

def swapped(pair):
    return Row(n=pair.n, k=pair.k)

print(frame.select(f.udf(swapped, "n int, k int")(f.struct("*")).alias("s")).tail(1))
serow.spark.explain()
"""


@pytest.mark.skipif(
    pyspark.__version__.startswith("4.0."), reason="this Spark's own workers end without a daemon"
)
@pytest.mark.long
def test_workers_without_a_daemon(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("line 1\n" * 1000)
    code = WITHOUT_A_DAEMON.format(file=str(tmp_path / "text"))
    ran = script(code, SPARK_SCALA_VERSION="2.13")
    assert ran.stdout.splitlines() == [
        "[(0, 100), (1, 100), (2, 100)]",
        "6000",
        "44850 [Row(k=2, n=299)]",
        "[Row(s=Row(n=299, k=2))]",
        "createDataFrame of struct<k:int,n:int>: serow",
        "rdd of struct<k:int,n:int>: serow",
        "tail of struct<k:int,n:int>: serow",
        "tail of struct<s:struct<n:int,k:int>>: serow",
    ], ran.stderr[-3000:]


SUBMITTED = """
import serow.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
serow.spark.enable(spark)
frame = spark.range(3)
print(frame.collect(), frame.rdd.map(lambda row: row.id).collect())
serow.spark.explain()
spark.stop()
"""


def test_a_job_that_is_submitted(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(SUBMITTED)
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    command = (
        f'{submit} --master "local[1]" --conf spark.ui.enabled=false '
        f'--jars "$({sys.executable} -m serow.spark.jar)" job.py'
    )
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PYSPARK_DRIVER_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )
    assert ran.stdout.splitlines() == [
        "[Row(id=0), Row(id=1), Row(id=2)] [0, 1, 2]",
        "collect of struct<id:bigint>: serow",
        "rdd of struct<id:bigint>: serow",
    ], ran.stderr[-3000:]


def test_the_command_that_prints_the_jar_prints_nothing_else() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "serow.spark.jar"], capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == (f"{JAR}\n", "")


def test_the_jar_is_a_function_also_after_its_module_was_imported() -> None:
    code = "import serow.spark, serow.spark.jar; print(serow.spark.jar(), serow.spark.jar.jar())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{JAR} {JAR}\n"


@pytest.mark.parametrize("of", [None, "local", 7])
def test_what_is_no_session_is_refused(of: object) -> None:
    with pytest.raises(
        TypeError, match=r"enable takes a SparkSession or a SparkContext, .* session"
    ):
        serow.spark.enable(of)
