"""Where Spark and the jars of the jobs and serializers are, after they were built."""

from pathlib import Path

from demo.errors import DemoError

ROOT = Path(__file__).resolve().parents[2]


def spark() -> Path:
    """Returns the folder of PySpark, which is a whole Spark."""
    return _found("build/venv-spark/lib/python3*/site-packages/pyspark")[0]


def all_jars() -> list[Path]:
    """Returns the jars that Spark does not have. The first one has the jobs."""
    return [*serow_jars(), *_found("java/spark-bench/target/lib/*.jar")]


def serow_jars() -> list[Path]:
    """Returns the jars of the jobs and of serow."""
    return [
        *_found("java/spark-bench/target/serow-spark-bench.jar"),
        *_found("java/serow-spark/target/serow-spark.jar"),
        *_found("java/serow/target/serow-[0-9]*[0-9].jar"),
    ]


def _found(pattern: str) -> list[Path]:
    """Returns the paths that match. Raises DemoError if there are none."""
    found = sorted(ROOT.glob(pattern))
    if not found:
        raise DemoError(f"{pattern} is missing: run make jar spark-venv")
    return found
