"""serow for stock PySpark.

    >>> from pyspark import SparkContext
    >>> import serow.spark
    >>> sc = SparkContext(serializer=serow.spark.SerowSerializer())
    >>> serow.spark.enable(sc)

`docs/pyspark.md` lists what serow carries and what it leaves to Spark.
"""

from typing import Any

import pyspark

from serow.spark._jar import configure, jar
from serow.spark.serializer import SerowSerializer

#: No class, if only the client of Spark Connect is installed.
_CONTEXT: Any = getattr(pyspark, "SparkContext", ())

__all__ = ["SerowSerializer", "configure", "disable", "enable", "explain", "jar"]


def enable(of: Any) -> None:
    """Let serow carry texts and rows in a `SparkContext` or a `SparkSession`.

    RDDs that are made from now on read texts in bulk. In a session, rows of DataFrames and structs
    for Python UDFs also come to Python through serow. This needs the jar that `configure` adds; the
    jar makes texts faster too. A session of Spark Connect needs no jar: its rows travel as Arrow,
    and serow makes rows of Arrow and Arrow of rows. Enabling twice has no further effect.

    Raises RuntimeError if the JVM of a session was started without the jar, and TypeError for what
    is neither a context nor a session.
    """
    # Imported here and not at the top, because workers import this package but never enable it.
    if isinstance(of, _CONTEXT):
        from serow.spark import texts

        texts.enable(of)
    elif _is_connect(of):
        if (connect := _connect()) is not None:
            connect.enable(of)
    else:
        from pyspark.sql import SparkSession

        if not isinstance(of, SparkSession):
            raise TypeError(
                f"enable takes a SparkSession or a SparkContext, but it got {type(of).__name__}; "
                "make a session first, for example by SparkSession.builder.getOrCreate()"
            )
        from serow.spark import session, texts

        session.enable(of)
        texts.enable(of.sparkContext)


def disable(of: Any) -> None:
    """Undo `enable`."""
    if isinstance(of, _CONTEXT):
        from serow.spark import texts

        texts.disable(of)
    elif _is_connect(of):
        if (connect := _connect()) is not None:
            connect.disable(of)
    else:
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


def _connect() -> Any:
    """Give the module for sessions of Spark Connect; None if this Spark is older than 4.0."""
    try:
        import pyspark.sql.conversion  # noqa: F401
    except ImportError:
        return None
    from serow.spark import connect

    return connect
