"""The contestants, and their configurations of Spark."""

from collections.abc import Mapping
from dataclasses import dataclass, field

KRYO = "org.apache.spark.serializer.KryoSerializer"


@dataclass(frozen=True)
class Contestant:
    """A serializer with its options."""

    name: str
    serializer: str
    is_registered: bool = False
    """Whether the program lists its classes in `spark.kryo.classesToRegister`."""

    may_fail: bool = False
    """Whether a job in which it fails is left out. Otherwise this is an error."""

    conf: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_serow(self) -> bool:
        """Whether the others are compared with it."""
        return self.serializer.startswith("io.github.serow.spark.")


SEROW = "serow, registered"
PEER = "Kryo, registered"
"""The two that the goals compare."""

CONTESTANTS = {
    one.name: one
    for one in (
        Contestant("Java", "org.apache.spark.serializer.JavaSerializer"),
        Contestant("Kryo", KRYO),
        Contestant(PEER, KRYO, True),
        Contestant("Kryo, registered, safe", KRYO, True, conf={"spark.kryo.unsafe": "false"}),
        Contestant("Fory, by our wrapper", "io.github.serow.sparkbench.ForySerializer", True, True),
        Contestant("serow", "io.github.serow.spark.SerowSerializer"),
        Contestant(SEROW, "io.github.serow.spark.SerowSerializer", True),
    )
}
