"""Jobs on the JVM with serow's serializer in which memory, executors or classes are missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pyspark
import pytest
import serow.spark
from conftest import HANGS, java_library
from test_jvm_serializer import SEROW

JOBS = Path(__file__).parent / "jvm"
SPARK = Path(pyspark.__file__).parent


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Compile the jobs; the second folder is for the driver only."""
    folders = [tmp_path_factory.mktemp("both"), tmp_path_factory.mktemp("driver")]
    javac = shutil.which("javac", path=f"{os.environ.get('JAVA_HOME')}/bin") or "javac"
    for folder, name in zip(reversed(folders), ("OnlyHere", "Faults"), strict=True):
        path = os.pathsep.join(map(str, [f"{SPARK}/jars/*", serow.spark.jar(), folders[1]]))
        source = JOBS / f"{name}.java"
        subprocess.run([javac, "-cp", path, "-d", folder, source], check=True)
    return folders


def submit(
    classes: list[Path], job: str, master: str, settings: dict[str, str] | None = None
) -> str:
    """Run a job in an application of its own and give its output."""
    both, driver = classes
    needed = [java_library(), serow.spark.jar(), both]
    conf = {
        "spark.serializer": SEROW,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.extraClassPath": os.pathsep.join(map(str, [*needed, driver])),
        "spark.executor.extraClassPath": os.pathsep.join(map(str, needed)),
    } | (settings or {})
    options = [word for name, value in conf.items() for word in ("--conf", f"{name}={value}")]
    command = [SPARK / "bin" / "spark-submit", "--master", master, *options]
    ran = subprocess.run(
        [*command, "--class", "Faults", serow.spark.jar(), job],
        env={**os.environ, "SPARK_HOME": str(SPARK)},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )
    assert ran.stdout.splitlines()[-1:] == [f"done: {job}"], ran.stdout[-1000:] + ran.stderr[-4000:]
    return ran.stdout


def assert_rows(output: str) -> None:
    """Check that rows went to Kryo only because of the class that serow leaves to it."""
    others = re.findall(r"(?m)^[\d,]+ objects: a row has an object of class (\S+),", output)
    assert set(others) == {"java.util.Vector"}


@pytest.mark.long
def test_little_memory(classes: list[Path]) -> None:
    settings = {
        "spark.driver.memory": "512m",
        "spark.memory.fraction": "0.02",
        # Results of tasks go through the block manager.
        "spark.task.maxDirectResultSize": "64k",
    }
    assert_rows(submit(classes, "little-memory", "local[2]", settings))


@pytest.mark.long
@pytest.mark.parametrize("relocation", ["true", "false"])
def test_two_thousand_partitions(classes: list[Path], relocation: str) -> None:
    settings = {"spark.serow.relocation": relocation}
    assert_rows(submit(classes, "many-partitions", "local[2]", settings))


CLUSTER = "local-cluster[2,1,1024]"


@pytest.mark.long
def test_executors_that_end(classes: list[Path]) -> None:
    submit(classes, "killed-executors", CLUSTER)


@pytest.mark.long
def test_dynamic_allocation(classes: list[Path]) -> None:
    settings = {
        "spark.dynamicAllocation.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.timeout": "1s",
        "spark.dynamicAllocation.executorIdleTimeout": "1s",
        "spark.dynamicAllocation.cachedExecutorIdleTimeout": "1s",
    }
    submit(classes, "dynamic-allocation", CLUSTER, settings)


@pytest.mark.long
def test_a_class_that_executors_do_not_have(classes: list[Path]) -> None:
    output = submit(classes, "missing-class", CLUSTER)
    assert "a row has a class that is missing here: OnlyHere. Add the jar with it" in output
