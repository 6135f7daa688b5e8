"""Runs doctests of PySpark with serow: `doctests.py pyspark.core.rdd pyspark.sql.udf`.

Each context that is made has serow's serializer and reads texts in bulk, and each session gives the
rows of its DataFrames through serow. The modules share a JVM, except those that need their own. The
program prints a report for each module. The exit status is 0 if all examples give what they give
without serow.
"""

import doctest
import functools
import importlib
import os
import runpy
import subprocess
import sys
import tempfile
from typing import Any

import pyspark
import serow.spark
from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession
from serow.spark import SerowSerializer, notes, texts

# The folder for tables. Some modules are tested in the folder of PySpark itself.
_warehouse = tempfile.TemporaryDirectory()
# As in conftest.py.
os.environ["JAVA_TOOL_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
os.environ["PYSPARK_SUBMIT_ARGS"] = (
    f"--jars {serow.spark.jar()} --conf spark.sql.warehouse.dir={_warehouse.name} "
    "--conf spark.sql.shuffle.partitions=4 --conf spark.ui.showConsoleProgress=false pyspark-shell"
)
os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))


class AnyContext(dict[Any, None]):
    """Contains everything."""

    def __contains__(self, context: object) -> bool:
        """Tell that every context is enabled."""
        return True


def without_clocks(find: Any) -> Any:
    """Replace the tests that fail if they are slow, which happens on a busy machine."""

    @functools.wraps(find)
    def found(*args: Any, **kwargs: Any) -> list[doctest.DocTest]:
        return [test for test in find(*args, **kwargs) if not test.name.endswith("Approx")]

    return found


def use_serow() -> None:
    """Enable all contexts and sessions that are made from now on."""
    make_context, make_session = SparkContext.__init__, SparkSession.__init__

    @functools.wraps(make_context)
    def context_with_serow(self: Any, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("serializer", SerowSerializer())
        make_context(self, *args, **kwargs)
        serow.spark.enable(self)

    @functools.wraps(make_session)
    def session_with_serow(self: Any, *args: Any, **kwargs: Any) -> None:
        make_session(self, *args, **kwargs)
        serow.spark.enable(self)

    SparkContext.__init__ = context_with_serow
    SparkSession.__init__ = session_with_serow


def run(name: str) -> None:
    """Run a module's main function in the imported module, whose classes are the enabled ones."""
    module, program = importlib.import_module(name), sys.modules["__main__"]
    is_sql = name.startswith("pyspark.sql.")
    before, folder = notes.lines(), os.getcwd()
    if not is_sql:
        # It runs the tests of the program, whichever that is.
        sys.modules["__main__"] = module
    module._test()
    sys.modules["__main__"] = program
    os.chdir(folder)
    if is_sql:
        assert notes.lines() != before, "no rows came through serow"


def run_copy(name: str) -> None:
    """Run a module as `python -m` does. No other module may run in this process."""
    # It tests its own copy of a class, and not the imported one; this is its default.
    pyspark.serializers.CPickleSerializer = SerowSerializer
    texts._enabled = AnyContext()
    RDD.__init__ = texts._init_with_lines
    sys.argv = [name]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


#: The tests of `context` create a second context. The tests of `taskcontext` leave a task set in
#: the process.
ALONE = ("pyspark.core.context", "pyspark.taskcontext")


def needs_copy(name: str) -> bool:
    """Tell whether a module's tests need a copy of the module, and so a process of their own."""
    return name in ALONE or not hasattr(importlib.import_module(name), "_test")


if __name__ == "__main__":
    names = sys.argv[1:]
    use_serow()
    doctest.DocTestFinder.find = without_clocks(doctest.DocTestFinder.find)  # type: ignore[method-assign]
    for each in names:
        if not needs_copy(each):
            run(each)
        elif len(names) == 1:
            run_copy(each)
        else:
            subprocess.run([sys.executable, __file__, each], check=True)
            continue
        print(f"{each}: passed", flush=True)
