"""The jar with what serow runs inside of Spark's JVM."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    Builder = TypeVar("Builder", bound=SparkSession.Builder)

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


def configure(builder: "Builder") -> "Builder":
    """Add the jar to a session that is about to be built, and give the builder back.

        >>> spark = serow.spark.configure(SparkSession.builder).getOrCreate()
        >>> serow.spark.enable(spark)

    What the builder has of `spark.jars` stays. The JVM must not run yet: it finds the driver's jars
    when it starts. So where `spark-submit` or `pyspark` starts it, give them the jar by `--jars`.
    """
    options = builder._options
    path = str(jar())
    jars = [name for name in str(options.get(_JARS) or "").split(",") if name]
    if path not in jars:
        builder.config(_JARS, ",".join([*jars, path]))
    return builder


if __name__ == "__main__":
    print(jar())
