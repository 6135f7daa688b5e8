"""serow for stock PySpark.

    >>> from pyspark import SparkContext
    >>> import serow.spark
    >>> sc = SparkContext(serializer=serow.spark.SerowSerializer())
    >>> serow.spark.enable(sc)

`docs/pyspark.md` has what is carried, and what is left to Spark.
"""

from typing import Any

from pyspark import SparkContext

from serow.spark.jar import configure, jar
from serow.spark.serializer import SerowSerializer

__all__ = ["SerowSerializer", "configure", "disable", "enable", "explain", "jar"]


def enable(of: Any) -> None:
    """Have serow do what it does faster in a `SparkContext` or a `SparkSession`.

    Texts are read in bulk in the RDDs that are made from now on, and in a session rows of
    DataFrames come to Python through serow, as do structs that Python UDFs take. That needs the
    jar, which `configure` adds; with it, texts come faster still. Enabling twice is enabling once.
    A session of Spark Connect, whose rows come as Arrow, stays as it is.
    """
    # Not above: workers, which import this package too, enable nothing.
    if isinstance(of, SparkContext):
        from serow.spark import texts

        texts.enable(of)
    elif not _is_connect(of):
        from serow.spark import session, texts

        session.enable(of)
        texts.enable(of.sparkContext)


def disable(of: Any) -> None:
    """Have Spark do by itself again what `enable` has changed."""
    if isinstance(of, SparkContext):
        from serow.spark import texts

        texts.disable(of)
    elif not _is_connect(of):
        from serow.spark import session, texts

        session.disable(of)
        texts.disable(of.sparkContext)


def explain() -> None:
    """Print how the rows of DataFrames were carried, and for what was left to Spark, why.

    >>> serow.spark.explain()
    collect of struct<id:bigint,v:variant>: Spark's own path: column 'v' is of type variant
    """
    from serow.spark import notes

    print("\n".join(notes.lines()) or "no rows of DataFrames were carried yet")


def _is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect.")
