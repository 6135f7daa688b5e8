"""The pieces of work that are timed, by names that the JVM's side uses too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """The meaning of a name in the results."""

    verb: str
    unit: str
    memory: str


FEW = (1, 10, 100)
"""Rows in each of the small messages that the functions of a library encode and decode."""

WORKS = {
    "encode-fresh": Work("encode", "batch", "fresh"),
    "encode-retained": Work("encode", "batch", "retained"),
    "decode-fresh": Work("decode", "batch", "fresh"),
    "decode-retained": Work("decode", "batch", "retained"),
    "encode-dropped": Work("encode", "batch", "dropped"),
    "decode-dropped": Work("decode", "batch", "dropped"),
    "decode-kept": Work("decode", "batch", "kept"),
    "encode-row": Work("encode", "row", "fresh"),
    "decode-row": Work("decode", "row", "retained"),
    **{f"encode-{n}": Work("encode", f"{n} rows", "retained") for n in FEW},
    **{f"decode-{n}": Work("decode", f"{n} rows", "retained") for n in FEW},
}

BATCHES = ("encode-fresh", "encode-retained", "decode-fresh", "decode-retained")
"""The works at every scale factor."""

IN_ORDER = (*BATCHES, "encode-row", "decode-row")
SHUFFLED = ("encode-fresh", "encode-retained", "encode-row")
"""Works on rows that are scattered in memory. A message is contiguous, so nothing is decoded."""

LOOPS = ("encode-dropped", "decode-dropped", "decode-kept")
"""Works after the result of the same work was dropped, only in Python. CPython and the C library
decide what becomes of its memory, and at the last one `serow.retain_memory`."""

HOT = ("encode-fresh", "encode-retained", "decode-retained", "encode-row", "decode-row")
"""Works on rows, or a message, in the cache."""

SMALL = tuple(f"{verb}-{n}" for n in FEW for verb in ("encode", "decode"))
"""Works on small messages, only in Python and only hot."""

OTHER = BATCHES
"""Works of the workloads other than Part, in order. Hot works are in `HOT`."""

NOT_IN_JAVA = frozenset({"decode-fresh"})
"""Works that the JVM lacks: it has used all its memory before anything is timed."""


@dataclass(frozen=True)
class Sample:
    """The measurement of one timed piece of work."""

    nanoseconds: float
    rows: int
    bytes: int
    allocated: int = 0
    """Bytes that the JVM's thread allocated. Python does not count them."""


def added(samples: "list[Sample]") -> Sample:
    """Joins samples of the same work on several portions."""
    return Sample(
        sum(sample.nanoseconds for sample in samples),
        sum(sample.rows for sample in samples),
        sum(sample.bytes for sample in samples),
        sum(sample.allocated for sample in samples),
    )
