"""Who takes part: a name, what plays it in Python, and where it runs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

INTERPRETER = {"SEROW_TIER": "interpreter"}
"""What keeps serow from compiling, in versions that can."""


@dataclass(frozen=True)
class Spec:
    """One serializer used in one way."""

    label: str
    python: str | None = None
    """`module:Class` in Python, whose instances are made with a workload and `options`."""

    options: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    java: bool = False
    """Whether the JVM's side has it too, under the same name."""

    any_rows: bool = False
    """Whether it takes any workload; otherwise only Part."""

    needs_compiler: bool = False

    @property
    def is_serow(self) -> bool:
        """Whether it is what all others are compared with."""
        return self.label.startswith("serow")


def _serow(layout: str, jit: bool) -> Spec:
    return Spec(
        f"serow {layout}, {'compiled' if jit else 'interpreter'}",
        "suite.entrants.serow_codec:SerowCodec",
        {"layout": layout, "compiled": jit},
        {} if jit else INTERPRETER,
        java=True,
        any_rows=True,
        needs_compiler=jit,
    )


ENTRANTS: Mapping[str, Spec] = {
    "serow-row": _serow("row", jit=False),
    "serow-row-jit": _serow("row", jit=True),
    "serow-frame": _serow("frame", jit=False),
    "serow-frame-jit": _serow("frame", jit=True),
    "msgspec": Spec(
        "msgspec, typed tuples", "suite.entrants.msgspec_tuples:MsgspecTuples", any_rows=True
    ),
    "msgspec-struct": Spec(
        "msgspec, Structs gc=False", "suite.entrants.msgspec_structs:MsgspecStructs"
    ),
    "marshal": Spec("marshal", "suite.entrants.marshal_batches:MarshalBatches", any_rows=True),
    "pickle": Spec(
        "pickle", "suite.entrants.pickle_batches:PickleBatches", java=True, any_rows=True
    ),
    "protobuf": Spec("protobuf", "suite.entrants.protobuf_messages:ProtobufMessages", java=True),
    "bson": Spec("BSON", "suite.entrants.bson_documents:BsonDocuments", java=True),
    "fory-class": Spec("Fory, classes", java=True),
    "fory-array": Spec("Fory, Object[]", java=True),
    "kryo-class": Spec("Kryo registered, classes", java=True),
    "kryo-array": Spec("Kryo registered, Object[]", java=True),
}


def taking_part(python_compiles: bool, java_compiles: bool) -> dict[str, Spec]:
    """The entrants that this version of serow can field in each language."""
    return {
        name: replace(
            spec,
            python=spec.python if python_compiles or not spec.needs_compiler else None,
            java=spec.java and (java_compiles or not spec.needs_compiler),
        )
        for name, spec in ENTRANTS.items()
    }


def in_python(specs: Mapping[str, Spec], any_rows: bool = False) -> list[str]:
    """Those that run in Python; those only that take any rows, if asked for."""
    return [name for name, spec in specs.items() if spec.python and (spec.any_rows or not any_rows)]


def in_java(specs: Mapping[str, Spec]) -> list[str]:
    """Those that run on the JVM."""
    return [name for name, spec in specs.items() if spec.java]


def in_both(specs: Mapping[str, Spec]) -> list[str]:
    """Those that can talk from one to the other."""
    return [name for name, spec in specs.items() if spec.python and spec.java]


def label(name: str, where: str) -> str:
    """What an entrant is called in a table of `Python`'s or the `JVM`'s."""
    if name == "pickle" and where == "JVM":
        return "pickle (Pyrolite)"
    return ENTRANTS[name].label


def known(names: Iterable[str]) -> list[str]:
    """Names in the order of `ENTRANTS`."""
    wanted = set(names)
    return [name for name in ENTRANTS if name in wanted]
