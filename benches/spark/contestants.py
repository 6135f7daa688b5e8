"""Who takes part, and how each has Spark set up."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contestant:
    """A Spark of its own, with a way to carry what Python has."""

    name: str
    serializer: str = "pickle"
    """Of RDDs: `pickle`, `marshal` or `serow`; with `serow` it has DataFrames and lines, too."""

    gc: bool = True
    """Whether Python's garbage is collected, by driver and workers."""

    groups: tuple[str, ...] = ("text", "rdd", "dataframe", "udf")
    """The groups of jobs that it does; in the others it would tell nothing new."""

    is_other_way: bool = False
    """Whether it runs not the jobs, but what does the same in other ways: `Task.others`."""

    @property
    def is_serow(self) -> bool:
        """Whether it is what the others are compared with."""
        return self.serializer == "serow"

    def make_serializer(self) -> Any:
        """Make the serializer that a context is made with."""
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
