"""Objects of the JVM that Spark shuffles, caches and sends with serow's serializer."""

from pathlib import Path

import pytest
import serow.spark
from conftest import java_library, script

JOB = """
from conftest import conf
from pyspark import SparkContext
from pyspark.rdd import RDD
from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer
from pyspark.sql import SparkSession

settings = conf({master!r}).setAll({settings!r})
sc = SparkContext(conf=settings)
sc.setLogLevel("OFF")
sc.setCheckpointDir({folder!r})
serde = sc._jvm.org.apache.spark.api.python.SerDeUtil
levels = sc._jvm.org.apache.spark.api.java.StorageLevels

rows = [{{"key": n % 50, "tags": [n, str(n), None, n / 2]}} for n in range(3000)]
objects = sc.parallelize(rows, 4)._to_java_object_rdd()

def check(rdd, expected=rows):
    pickled = RDD(serde.javaToPython(rdd), sc, AutoBatchedSerializer(CPickleSerializer()))
    assert sorted(pickled.collect(), key=str) == sorted(expected, key=str)

# Each record by itself, a stream for each partition, and pairs that are combined in maps.
check(objects.repartition(201))
check(objects.repartition(3))
check(objects.union(objects).distinct(5))
check(objects.subtract(sc.parallelize(rows[:10], 1)._to_java_object_rdd()), rows[10:])
for level in (levels.MEMORY_ONLY_SER, levels.DISK_ONLY, levels.MEMORY_AND_DISK_SER_2):
    cached = objects.repartition(2).persist(level)
    check(cached)
    check(cached)
kept = objects.repartition(5)
kept.checkpoint()
check(kept)
check(kept)
assert len(objects.collect()) == len(rows)

# Rows of SQL have a serializer of their own; broadcasts and results have not.
spark = SparkSession(sc)
left = spark.createDataFrame([(n, str(n)) for n in range(100)], "n int, text string")
assert left.join(left.hint("broadcast"), "n").count() == 100
print("serializer", sc.getConf().get("spark.serializer"))
"""

SEROW = "io.github.serow.spark.SerowSerializer"


@pytest.mark.parametrize(
    "master", ["local[2]", pytest.param("local-cluster[2,1,1024]", marks=pytest.mark.long)]
)
def test_objects_of_the_jvm(tmp_path: Path, master: str) -> None:
    library = java_library()
    settings = {
        "spark.serializer": SEROW,
        "spark.driver.extraClassPath": library,
        "spark.executor.extraClassPath": f"{serow.spark.jar()}:{library}",
        # Maps spill after a few rows.
        "spark.shuffle.spill.numElementsForceSpillThreshold": "500",
    }
    job = JOB.format(master=master, settings=list(settings.items()), folder=str(tmp_path))
    ran = script(job, SPARK_SCALA_VERSION="2.13")
    assert ran.stdout.splitlines()[-1:] == [f"serializer {SEROW}"], ran.stderr[-3000:]
