"""Who takes part, and how each has Spark set up."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contestant:
    """A way to have RDDs serialized, and texts read."""

    name: str
    serializer: str
    """`pickle`, `marshal` or `serow`."""

    gc: bool = True
    """Whether driver and workers collect garbage."""

    def make_serializer(self) -> Any:
        """Make the serializer that a context is made with."""
        from pyspark.serializers import CPickleSerializer, MarshalSerializer

        if self.serializer == "serow":
            from serow.spark import SerowSerializer

            return SerowSerializer()
        return {"pickle": CPickleSerializer, "marshal": MarshalSerializer}[self.serializer]()


CONTESTANTS = {
    one.name: one
    for one in (
        Contestant("stock", "pickle"),
        Contestant("serow", "serow"),
        Contestant("marshal", "marshal"),
        Contestant("stock, gc off", "pickle", gc=False),
        Contestant("serow, gc off", "serow", gc=False),
    )
}
