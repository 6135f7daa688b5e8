"""The pieces of work that are timed, by the names that the JVM's side knows too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """What a name means in the results."""

    verb: str
    unit: str
    memory: str


WORKS = {
    "encode-fresh": Work("encode", "batch", "fresh"),
    "encode-retained": Work("encode", "batch", "retained"),
    "decode-fresh": Work("decode", "batch", "fresh"),
    "decode-retained": Work("decode", "batch", "retained"),
    "encode-row": Work("encode", "row", "fresh"),
    "decode-row": Work("decode", "row", "retained"),
}

BATCHES = ("encode-fresh", "encode-retained", "decode-fresh", "decode-retained")
"""What is measured at every scale factor."""

IN_ORDER = (*BATCHES, "encode-row", "decode-row")
SHUFFLED = ("encode-fresh", "encode-retained", "encode-row")
"""Rows that lie scattered in memory; a message has no such thing."""

HOT = ("encode-fresh", "encode-retained", "decode-retained", "encode-row", "decode-row")
"""Rows, or their message, in the cache."""

OTHER = BATCHES
"""What is measured of the workloads beside Part, in order, and of `HOT` when hot."""

WIDER_HOT = ("encode-fresh", "encode-retained", "decode-retained")
"""What is measured of the wider workloads when hot; in order it is `BATCHES`."""

NOT_IN_JAVA = frozenset({"decode-fresh"})
"""The JVM has used all of its memory before anything is timed."""


@dataclass(frozen=True)
class Sample:
    """What one timed piece of work was."""

    nanoseconds: float
    rows: int
    bytes: int


def added(samples: "list[Sample]") -> Sample:
    """The same work done to several portions, as one."""
    return Sample(
        sum(sample.nanoseconds for sample in samples),
        sum(sample.rows for sample in samples),
        sum(sample.bytes for sample in samples),
    )
