"""serow for stock PySpark.

    >>> from pyspark import SparkContext
    >>> import serow.spark
    >>> sc = SparkContext(serializer=serow.spark.SerowSerializer())
    >>> serow.spark.enable(sc)

`docs/pyspark.md` has what is carried, and what is left to Spark.
"""

from typing import Any

from serow.spark import lines
from serow.spark.serializer import SerowSerializer

__all__ = ["SerowSerializer", "disable", "enable"]


def enable(of: Any) -> None:
    """Have serow do what it does faster in a `SparkContext`, or in that of a `SparkSession`.

    Texts are read in bulk in the RDDs that are made from now on. Enabling twice is enabling once.
    """
    lines.enable(_context(of))


def disable(of: Any) -> None:
    """Have Spark do by itself again what `enable` has changed."""
    lines.disable(_context(of))


def _context(of: Any) -> Any:
    return getattr(of, "sparkContext", of)
