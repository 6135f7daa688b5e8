"""The contestants, and their configurations of Spark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from spark_jvm.groups import GROUPS

KRYO = "org.apache.spark.serializer.KryoSerializer"
FORY = "io.github.serow.sparkbench.ForySerializer"
OURS = "io.github.serow.spark.SerowSerializer"


@dataclass(frozen=True)
class Contestant:
    """A serializer with its options."""

    name: str
    serializer: str
    is_registered: bool = False
    """Whether the program lists its classes in `spark.kryo.classesToRegister`."""

    is_in_goals: bool = False
    """Whether a goal is about it. The others are measured in fewer rounds."""

    may_fail: bool = False
    """Whether a job in which it fails is left out. Otherwise this is an error."""

    groups: Sequence[str] = tuple(GROUPS)
    """The groups of jobs that it runs. In other groups it would show nothing new."""

    conf: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_serow(self) -> bool:
        """Whether the others are compared with it."""
        return self.serializer == OURS


SEROW = "serow, registered"
PEER = "Kryo, registered"
"""The two that the goals compare."""

SORTING = "serow, registered, relocation off"
"""serow, if Spark sorts objects instead of their bytes. Some shuffles have goals of it too."""

_NAMED = ("programs", "cache", "shuffle")
"""The groups that suffice to show what the names of classes cost without registrations."""

CONTESTANTS = {
    one.name: one
    for one in (
        Contestant(
            "Java",
            "org.apache.spark.serializer.JavaSerializer",
            groups=("programs", "cache", "shuffle", "objects"),
        ),
        Contestant("Kryo", KRYO, groups=_NAMED),
        Contestant(PEER, KRYO, True, is_in_goals=True),
        Contestant(
            "Kryo, registered, safe",
            KRYO,
            True,
            groups=("cache", "objects"),
            conf={"spark.kryo.unsafe": "false"},
        ),
        Contestant(
            "Fory, by our wrapper",
            FORY,
            True,
            may_fail=True,
            groups=("programs", "cache", "uncompressed", "shuffle", "objects"),
        ),
        Contestant("serow", OURS, groups=_NAMED),
        Contestant(SEROW, OURS, True, is_in_goals=True),
        Contestant(
            SORTING,
            OURS,
            True,
            is_in_goals=True,
            groups=("shuffle",),
            conf={"spark.serow.relocation": "false"},
        ),
    )
}
