"""Jobs fail with serow as they fail without it."""

import re
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
from conftest import script, stock
from py4j.protocol import Py4JJavaError
from pyspark import RDD
from pyspark.errors import PythonException
from pyspark.serializers import NoOpSerializer, UTF8Deserializer
from serow.spark import disable, enable
from serow.spark._versions import load_all
from serow.spark.lines import Lines


def test_an_error_in_the_middle_of_a_partition(sc: Any) -> None:
    def fails(n: int) -> float:
        return 1 / (700 - n)

    for run in (
        lambda rdd: rdd.collect(),
        lambda rdd: rdd.map(lambda x: (x, x)).groupByKey().count(),
    ):
        # Which one depends on whether a session exists already.
        with pytest.raises(
            (Py4JJavaError, PythonException), match="ZeroDivisionError: division by zero"
        ):
            run(sc.parallelize(range(1000), 2).map(fails))
    # The workers can run the next job.
    assert sc.parallelize(range(10), 2).map(lambda n: (n, n)).count() == 10


def test_lines_of_files(sc: Any, tmp_path: Path) -> None:
    path = tmp_path / "text"
    lines = [
        "a",
        "",
        "größe 😀",
        "x" * 70_000,
        "tail\r\ncut",
        "y" * (11 << 20),
        *map(str, range(5000)),
        "",
    ]
    path.write_bytes("\n".join(lines).encode() + b"\xff\n")

    def both(job: Any) -> None:
        found = []
        for how in ("stock", "serow"):
            if how == "stock":
                with stock(sc):
                    found.append(outcome(job))
            else:
                found.append(outcome(job))
        assert found[0] == found[1]

    def outcome(job: Any) -> Any:
        try:
            return job()
        except Py4JJavaError as error:
            return re.findall("UnicodeDecodeError: .*", str(error))[:1]

    file = str(path)
    for slices in (1, 3):
        both(lambda slices=slices: sc.textFile(file, slices, use_unicode=False).collect())
        both(lambda slices=slices: sc.textFile(file, slices).collect())
        both(lambda slices=slices: sc.textFile(file, slices).take(9))
        both(lambda slices=slices: sc.textFile(file, slices).map(len).take(4000)[3000:])
        both(lambda slices=slices: sc.textFile(file, slices).count())


def test_texts_go_with_others(sc: Any, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\ntwo\nthree\n")
    (tmp_path / "b").write_text("1\n2\n3\n")

    def job(sc: Any) -> Any:
        a, b = (sc.textFile(str(tmp_path / name), 2) for name in "ab")
        return (
            a.union(b).collect(),
            a.zip(b).collect(),
            a.cartesian(b).collect(),
            a.cartesian(b).zip(b.cartesian(a)).collect(),
            sc.union([a, b, a]).map(len).collect(),
            a.union(sc.parallelize([1, None])).collect(),
            a.zipWithIndex().sortByKey().collect(),
            a.repartition(1).glom().map(sorted).collect(),
            sorted(sc.wholeTextFiles(str(tmp_path)).values().collect()),
        )

    with stock(sc):
        expected = job(sc)
        text = sc.textFile(str(tmp_path / "b"), 2)
    assert job(sc) == expected
    # A reader with serow reads data that was written without it.
    both = sc.textFile(str(tmp_path / "a"), 2).union(text)
    assert both.collect() == ["one", "two", "three", "1", "2", "3"]


def test_workers_without_serow_say_so_in_one_line(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare" / "bin" / "python")
    # The driver finds serow by a path that its workers don't know. Spark gives both PySpark.
    code = f"""
import sys
sys.path[:0] = {[path for path in sys.path if path]!r}
import serow.spark
from pyspark import SparkConf, SparkContext
conf = SparkConf().setMaster("local[1]").set("spark.ui.enabled", "false")
sc = SparkContext(conf=conf, serializer=serow.spark.SerowSerializer())
sc.setLogLevel("OFF")
serow.spark.enable(sc)
for rdd in (sc.parallelize([1, 2], 1), sc.textFile({__file__!r}, 1)):
    try:
        print(rdd.map(lambda x: (x, x)).count())
    except Exception as error:
        print([line for line in str(error).splitlines() if "is serialized by serow" in line][0])
"""
    ran = script(code, PYSPARK_PYTHON=python, PYTHONPATH="")
    said = ran.stdout.strip().splitlines()[-2:]
    assert len(said) == 2, ran.stderr[-3000:]
    for line in said:
        assert f"is serialized by serow, which {python} on " in line
        assert f"install it there by '{python} -m pip install serow==" in line


def test_an_error_while_the_jvm_serves_data(sc: Any) -> None:
    values = sc._jvm.java.util.ArrayList()
    # Spark can't serve the last one.
    for value in (b"one", b"two", sc._jvm.java.lang.Object()):
        values.add(value)
    iterator = sc._jvm.PythonUtils.toSeq(values).iterator()
    served = sc._jvm.PythonRDD.serveIterator(iterator, "test")
    # It must not look like the end of the data.
    with pytest.raises(Exception, match=r"java\.lang\.Object"):
        load_all(served, NoOpSerializer())


def test_switching_on_and_off(sc: Any) -> None:
    file = sc.textFile(__file__)
    assert type(file._jrdd_deserializer) is Lines
    patched = RDD.__init__
    enable(sc)
    disable(sc)
    assert type(sc.textFile(__file__)._jrdd_deserializer) is UTF8Deserializer
    assert RDD.__init__ is not patched
    disable(sc)
    # Older data can still be read.
    assert file.count() == sc.textFile(__file__).count()
    enable(sc)
    assert type(sc.textFile(__file__)._jrdd_deserializer) is Lines
    assert RDD.__init__ is patched


def test_a_context_that_is_not_enabled_is_left_alone(sc: Any) -> None:
    class Other:
        pass

    class OfJava:
        def id(self) -> int:
            return 1

    rdd = RDD(OfJava(), Other(), UTF8Deserializer())
    assert type(rdd._jrdd_deserializer) is UTF8Deserializer
