"""The jar with serow's code for Spark's JVM."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark import SparkConf

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    Configured = TypeVar("Configured", SparkSession.Builder, SparkConf)

_JARS = "spark.jars"


def jar() -> Path:
    """Give the path of the jar, for example for `spark-submit --jars`.

        $ spark-submit --jars "$(python -m serow.spark.jar)" job.py

    Raises FileNotFoundError if this installation has no jar.
    """
    here = Path(__file__)
    packed = here.with_name("jars") / "serow-spark.jar"
    # In a checkout, the result of the Maven build.
    built = here.parents[3] / "java" / "serow-spark" / "target" / "serow-spark.jar"
    for path in (packed, built):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{packed} is missing: install serow from a wheel, or run `make jar`")


def configure(of: "Configured") -> "Configured":
    """Add the jar to a session's builder or to a `SparkConf`, and give it back.

        >>> spark = serow.spark.configure(SparkSession.builder).getOrCreate()
        >>> serow.spark.enable(spark)

    Jars in the builder's `spark.jars` stay. But as with every setting, a value in a program
    overrides `spark-defaults.conf`, so name the jars of that file here too. Call this before the
    JVM starts, because it loads the driver's jars at its start. If `spark-submit` or `pyspark`
    starts the JVM, pass the jar by `--jars` instead.
    """
    if isinstance(of, SparkConf):
        of.set(_JARS, _with_jar(of.get(_JARS, "")))
    else:
        of.config(_JARS, _with_jar(of._options.get(_JARS)))
    return of


def _with_jar(given: Any) -> str:
    """Add the jar to Spark's comma-separated list."""
    jars = [name for name in str(given or "").split(",") if name]
    path = str(jar())
    return ",".join(jars if path in jars else [*jars, path])
