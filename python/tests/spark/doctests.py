"""Runs the doctests of one of PySpark's modules with serow: `doctests.py pyspark.core.rdd`.

Each context that is made has serow's serializer and reads texts in bulk. The report is that of the
module, and the exit status is 0 if all is as without serow.
"""

import doctest
import functools
import os
import runpy
import sys
from typing import Any

import pyspark
from pyspark import SparkContext
from serow.spark import SerowSerializer, lines

os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))


class AnyContext:
    """Holds whatever is looked for."""

    def __contains__(self, context: Any) -> bool:
        """Whether a context is enabled."""
        return True

    def add(self, context: Any) -> None:
        """Nothing is to be done for it."""


def without_clocks(find: Any) -> Any:
    """Find no tests of what is known after a second, which is less where others use the machine."""

    @functools.wraps(find)
    def found(*args: Any, **kwargs: Any) -> list[doctest.DocTest]:
        return [test for test in find(*args, **kwargs) if not test.name.endswith("Approx")]

    return found


def run(name: str) -> None:
    """Run a module as `python -m` does, in a Spark whose default serializer is serow's."""
    make = SparkContext.__init__

    @functools.wraps(make)
    def made_with_serow(self: Any, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("serializer", SerowSerializer())
        make(self, *args, **kwargs)

    SparkContext.__init__ = made_with_serow
    lines._enabled = AnyContext()
    lines.enable(None)
    if name == "pyspark.core.context":
        # It tests a class of its own, and not the one that others import; this is its default.
        pyspark.serializers.CPickleSerializer = SerowSerializer
    doctest.DocTestFinder.find = without_clocks(doctest.DocTestFinder.find)
    sys.argv = [name]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    run(sys.argv[1])
