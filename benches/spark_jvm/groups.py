"""The groups of jobs. `java/spark-bench` has the jobs: `Jobs.scala` lists them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Group:
    """Jobs that share a JVM."""

    title: str
    jobs: str
    """The name that the program in Scala has for them."""

    bytes: str = ""
    """What its bytes are, or nothing if it has none."""

    conf: Mapping[str, str] = field(default_factory=dict)
    """Settings of Spark that are not its defaults."""


GROUPS = {
    "programs": Group("TeraSort and SparkPi", "programs", "shuffled"),
    "cache": Group("cached rows", "cache", "cached"),
    "uncompressed": Group(
        "cached rows, not compressed", "cache", "cached", {"spark.rdd.compress": "false"}
    ),
    "shuffle": Group("shuffles of case classes", "shuffle", "shuffled"),
    "kryo": Group("objects that serow leaves to Kryo", "kryo", "cached, shuffled or serialized"),
    "objects": Group("one object at a time", "objects", "serialized"),
}
"""By their names in TASKS."""
