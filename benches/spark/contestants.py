"""The contestants, and their configurations of Spark."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contestant:
    """A Spark of its own, with a way to serialize Python's objects."""

    name: str
    serializer: str = "pickle"
    """The serializer of RDDs: `pickle`, `marshal`, or `serow`, also for DataFrames and lines."""

    gc: bool = True
    """Whether driver and workers collect Python's garbage."""

    groups: tuple[str, ...] = ("text", "rdd", "dataframe", "udf", "connect")
    """The groups of jobs that it runs. In other groups it would show nothing new."""

    is_other_way: bool = False
    """Whether it runs not the jobs but their alternatives: `Task.others`."""

    @property
    def is_serow(self) -> bool:
        """Whether the others are compared with it."""
        return self.serializer == "serow"

    def make_serializer(self) -> Any:
        """Makes the serializer for a context."""
        from pyspark.serializers import CPickleSerializer, MarshalSerializer

        if self.is_serow:
            from serow.spark import SerowSerializer

            return SerowSerializer()
        return {"pickle": CPickleSerializer, "marshal": MarshalSerializer}[self.serializer]()


CONTESTANTS = {
    one.name: one
    for one in (
        Contestant("stock"),
        Contestant("serow", "serow"),
        Contestant("marshal", "marshal", groups=("text", "rdd")),
        Contestant("other ways", groups=("text", "dataframe", "udf"), is_other_way=True),
        Contestant("stock, gc off", gc=False, groups=("text", "rdd", "dataframe")),
        Contestant("serow, gc off", "serow", gc=False, groups=("text", "rdd", "dataframe")),
    )
}
