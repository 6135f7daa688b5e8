"""serow for stock PySpark.

    >>> from pyspark import SparkContext
    >>> import serow.spark
    >>> sc = SparkContext(serializer=serow.spark.SerowSerializer())
    >>> serow.spark.enable(sc)

`docs/pyspark.md` lists what serow carries and what it leaves to Spark.
"""

from typing import Any

from pyspark import SparkContext

from serow.spark.jar import configure, jar
from serow.spark.serializer import SerowSerializer

__all__ = ["SerowSerializer", "configure", "disable", "enable", "explain", "jar"]


def enable(of: Any) -> None:
    """Let serow carry texts and rows in a `SparkContext` or a `SparkSession`.

    RDDs that are made from now on read texts in bulk. In a session, rows of DataFrames and structs
    for Python UDFs also come to Python through serow. This needs the jar that `configure` adds; the
    jar makes texts faster too. Enabling twice has no further effect. A session of Spark Connect
    does not change, because its rows come as Arrow.

    Raises RuntimeError if the JVM of a session was started without the jar.
    """
    # Imported here and not at the top, because workers import this package but never enable it.
    if isinstance(of, SparkContext):
        from serow.spark import texts

        texts.enable(of)
    elif not _is_connect(of):
        from serow.spark import session, texts

        session.enable(of)
        texts.enable(of.sparkContext)


def disable(of: Any) -> None:
    """Undo `enable`."""
    if isinstance(of, SparkContext):
        from serow.spark import texts

        texts.disable(of)
    elif not _is_connect(of):
        from serow.spark import session, texts

        session.disable(of)
        texts.disable(of.sparkContext)


def explain() -> None:
    """Print how the rows of DataFrames were carried, and why some were left to Spark.

    >>> serow.spark.explain()
    collect of struct<id:bigint,v:variant>: Spark's own path: column 'v' is of type variant
    """
    from serow.spark import notes

    print("\n".join(notes.lines()) or "no rows of DataFrames have been carried yet")


def _is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect.")
