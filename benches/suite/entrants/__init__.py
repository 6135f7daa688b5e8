"""The entrants: their names, their classes in Python, and where they run."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace

from suite.wider import VERSIONS, WIDER
from suite.workloads import PART, WORKLOADS

INTERPRETER = {"SEROW_TIER": "interpreter"}
"""The environment that keeps serow from compiling, in versions that can compile."""

COMPILED = {"SEROW_TIER": "jit"}
"""The environment in which serow compiles before it converts the first row of a schema."""


@dataclass(frozen=True)
class Spec:
    """One serializer used in one way."""

    label: str
    python: Mapping[str, str] = field(default_factory=dict)
    """For each workload that it takes in Python, `module:Class`, whose instances are made with the
    workload and `options`."""

    options: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    java: Set[str] = frozenset()
    """The workloads that the JVM's side supports, under the same name."""

    needs_compiler: bool = False

    @property
    def is_serow(self) -> bool:
        """Whether all others are compared with it."""
        return self.label.startswith("serow")

    @property
    def is_floor(self) -> bool:
        """Whether it converts nothing and only visits and makes objects."""
        return self.label.startswith("floor")


ANY = tuple(name for name in WORKLOADS if name != VERSIONS.name)
"""The workloads of all but those that need a class of each version."""

IN_JAVA = frozenset({PART.name, *(workload.name for workload in WIDER)} - {VERSIONS.name})
OF_CLASSES = frozenset({"part", "lineitem", "readings", "amounts"})


def _of(names: Iterable[str], path: str) -> dict[str, str]:
    return {name: f"suite.entrants.{path}" for name in names}


def _serow(wire: str, jit: bool) -> Spec:
    return Spec(
        f"serow {wire}, {'compiled' if jit else 'interpreter'}",
        _of(ANY, "serow_codec:SerowCodec"),
        {"wire": wire, "compiled": jit},
        {} if jit else INTERPRETER,
        java=IN_JAVA,
        needs_compiler=jit,
    )


def _serow_default(jit: bool) -> Spec:
    return Spec(
        f"serow, no wire named, {'compiled' if jit else 'interpreter'}",
        _of([PART.name], "serow_codec:SerowDefault"),
        {"compiled": jit},
        {} if jit else INTERPRETER,
        needs_compiler=jit,
    )


def _serow_records(wire: str, written_by: str) -> Spec:
    is_earlier = written_by == "earlier"
    others = set() if is_earlier else OF_CLASSES
    return Spec(
        f"serow {wire}, compiled, records{' of an earlier version' * is_earlier}",
        _of([VERSIONS.name], "serow_versions:SerowVersions"),
        {"wire": wire, "written_by": written_by},
        COMPILED,
        java=frozenset({VERSIONS.name, *others}),
        needs_compiler=True,
    )


ENTRANTS: Mapping[str, Spec] = {
    "serow-row": _serow("row", jit=False),
    "serow-row-jit": _serow("row", jit=True),
    "serow-frame": _serow("frame", jit=False),
    "serow-frame-jit": _serow("frame", jit=True),
    "serow-default": _serow_default(jit=False),
    "serow-default-jit": _serow_default(jit=True),
    "serow-row-record": _serow_records("row", "current"),
    "serow-frame-record": _serow_records("frame", "current"),
    "serow-row-evolved": _serow_records("row", "earlier"),
    "serow-frame-evolved": _serow_records("frame", "earlier"),
    "msgspec": Spec("msgspec, typed", _of(ANY, "msgspec_tuples:MsgspecTuples")),
    "msgspec-struct": Spec(
        "msgspec, Structs gc=False",
        _of(["part"], "msgspec_structs:MsgspecStructs")
        | _of(["lineitem"], "wider_structs:LineitemStructs")
        | _of(["readings"], "wider_structs:ReadingStructs"),
    ),
    "marshal": Spec(
        "marshal",
        # It supports neither dates nor decimals.
        _of(set(ANY) - {"lineitem", "readings"}, "marshal_batches:MarshalBatches"),
    ),
    "pickle": Spec("pickle", _of(ANY, "pickle_batches:PickleBatches"), java=frozenset({"part"})),
    "orjson": Spec("orjson", _of(["dicts"], "orjson_dicts:OrjsonDicts")),
    "cbor2": Spec("cbor2", _of(["lineitem", "readings", "dicts"], "cbor2_rows:Cbor2Rows")),
    "protobuf": Spec(
        "protobuf",
        _of(["part"], "protobuf_messages:ProtobufMessages")
        | _of(["lineitem"], "wider_protobuf:LineitemMessages")
        | _of(["readings"], "wider_protobuf:ReadingMessages")
        | _of(["dicts"], "wider_protobuf:DictMessages"),
        java=frozenset({"part"}),
    ),
    "bson": Spec(
        "BSON",
        _of(["part"], "bson_documents:BsonDocuments") | _of(["dicts"], "bson_dicts:BsonDicts"),
        java=frozenset({"part"}),
    ),
    "fory-xlang": Spec(
        "Fory for all languages", _of(["lineitem", "readings", "dicts"], "fory_xlang:ForyXlang")
    ),
    "fory-class": Spec("Fory, classes", java=OF_CLASSES),
    "fory-array": Spec("Fory, Object[]", java=OF_CLASSES),
    "fory-map": Spec("Fory, maps", java=frozenset({"dicts"})),
    "kryo-class": Spec("Kryo registered, classes", java=OF_CLASSES),
    "kryo-array": Spec("Kryo registered, Object[]", java=OF_CLASSES),
    "kryo-map": Spec("Kryo registered, maps", java=frozenset({"dicts"})),
    "floor-array": Spec("floor: only objects, Object[]", java=frozenset({"part", "lineitem"})),
    "floor-record": Spec("floor: only objects, records", java=frozenset({"lineitem", "readings"})),
}


def taking_part(python_compiles: bool, java_compiles: bool) -> dict[str, Spec]:
    """Returns the entrants that this version of serow supports in each language."""
    return {
        name: replace(
            spec,
            python=spec.python if python_compiles or not spec.needs_compiler else {},
            java=spec.java if java_compiles or not spec.needs_compiler else frozenset(),
        )
        for name, spec in ENTRANTS.items()
    }


def in_python(specs: Mapping[str, Spec], workload: str = PART.name) -> list[str]:
    """Returns the entrants for a workload in Python."""
    return [name for name, spec in specs.items() if workload in spec.python]


def in_java(specs: Mapping[str, Spec], workload: str = PART.name) -> list[str]:
    """Returns the entrants for a workload on the JVM."""
    return [name for name, spec in specs.items() if workload in spec.java]


def in_both(specs: Mapping[str, Spec]) -> list[str]:
    """Returns the entrants that send Part from one language to the other."""
    in_one = set(in_java(specs))
    return [name for name in in_python(specs) if name in in_one]


def label(name: str, where: str) -> str:
    """Returns the name of an entrant in a table of `Python` or the `JVM`."""
    if name == "pickle" and where == "JVM":
        return "pickle (Pyrolite)"
    return ENTRANTS[name].label


def known(names: Iterable[str]) -> list[str]:
    """Returns names in the order of `ENTRANTS`."""
    wanted = set(names)
    return [name for name in ENTRANTS if name in wanted]
