"""The jar with what serow runs inside of Spark's JVM."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark import SparkConf

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    Configured = TypeVar("Configured", SparkSession.Builder, SparkConf)

_JARS = "spark.jars"


def jar() -> Path:
    """Give the path of the jar, for `spark-submit --jars` and the like.

        $ spark-submit --jars "$(python -m serow.spark.jar)" job.py

    Raises FileNotFoundError if this installation has none.
    """
    here = Path(__file__)
    packed = here.with_name("jars") / "serow-spark.jar"
    # In a checkout, Maven has put it here.
    built = here.parents[3] / "java" / "serow-spark" / "target" / "serow-spark.jar"
    for path in (packed, built):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{packed} is missing: install serow from a wheel, or run `make jar`")


def configure(of: "Configured") -> "Configured":
    """Add the jar to a session's builder, or to a `SparkConf`, and give it back.

        >>> spark = serow.spark.configure(SparkSession.builder).getOrCreate()
        >>> serow.spark.enable(spark)

    What it has of `spark.jars` stays; jars that only `spark-defaults.conf` names do not, as with
    every setting that a program makes, so name them here too. The JVM must not run yet: it finds
    the driver's jars when it starts. So where `spark-submit` or `pyspark` starts it, give them the
    jar by `--jars`.
    """
    if isinstance(of, SparkConf):
        of.set(_JARS, _with_jar(of.get(_JARS, "")))
    else:
        of.config(_JARS, _with_jar(of._options.get(_JARS)))
    return of


def _with_jar(given: Any) -> str:
    """A list of jars, as Spark has it, with serow's."""
    jars = [name for name in str(given or "").split(",") if name]
    path = str(jar())
    return ",".join(jars if path in jars else [*jars, path])


if __name__ == "__main__":
    print(jar())
