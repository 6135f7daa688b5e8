"""The goals, and the measured figures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import ge, le

from suite import figures
from suite.entrants import label
from suite.figures import ratio
from suite.results import Key, Results, key
from suite.wider import AMOUNTS, LINEITEM, READINGS, VERSIONS
from suite.work import FEW
from suite.workloads import PART

PEERS_OF_TUPLES = ("msgspec", "marshal", "pickle", "protobuf", "bson")
"""The peers that return tuples like serow. msgspec's Structs don't."""


@dataclass(frozen=True)
class Goal:
    """A line of the table. `figure` is None if this version has nothing to measure."""

    what: str
    wanted: str
    figure: str | None
    is_met: bool | None

    @property
    def verdict(self) -> str:
        """Returns the last column."""
        return {True: "met", False: "MISSED", None: "-"}[self.is_met]


class Judge:
    """Looks up figures and compares them with the goals."""

    def __init__(self, header: Mapping[str, str], results: Results) -> None:
        """Takes the results of one run. Uses its first scale factor."""
        self._header = header
        self._results = results
        self._scale = next((scale for scale in results.scales() if scale != "-"), "-")

    def goals(self) -> Iterator[Goal]:
        """Yields all goals."""
        yield from self._tiers()
        yield from self._compiling()
        yield from self._python()
        yield from self._loops()
        yield from self._jvm()
        yield from self._jvm_lineitem()
        yield from self._jvm_records()
        yield from self._warm_up()
        yield from self._versions()
        yield from self._single_records()
        yield from self._small_messages()
        yield self._sizes()
        yield self._nested_sizes()
        yield self._duration("import serow", "import serow", "-", 25e6)
        yield self._duration("first dumps of ten rows after it", "first dumps", "-", 1e6)
        yield self._package("wheel", "wheel bytes")
        yield self._package("jar", "jar bytes")

    def _tiers(self) -> Iterator[Goal]:
        encode = (
            ("rows in cache", PART.name, "encode-retained", "hot", 1.4),
            ("nested tuples in cache", "nested", "encode-retained", "hot", 1.8),
            ("rows in order", PART.name, "encode-retained", "in order", 1.15),
            ("rows shuffled", PART.name, "encode-retained", "shuffled", 1.2),
        )
        for what, workload, work, order, wanted in encode:
            yield self._faster(
                f"row encode, compiled against interpreter: {what}",
                wanted,
                self._python_key("serow-row", work, order, workload),
                self._python_key("serow-row-jit", work, order, workload),
            )
        for wire in ("row", "frame"):
            for memory, wanted in (("retained", 1.15), ("fresh", 0.97)):
                yield self._faster(
                    f"decode of the {wire} wire, compiled against interpreter: {memory} memory",
                    wanted,
                    self._python_key(f"serow-{wire}", f"decode-{memory}"),
                    self._python_key(f"serow-{wire}-jit", f"decode-{memory}"),
                )

    def _compiling(self) -> Iterator[Goal]:
        for fields, wanted in ((9, 3e6), (100, 40e6), (1000, 500e6)):
            yield self._duration(
                f"compile, {fields} fields, one direction, CPU",
                "compile",
                f"{fields} fields",
                wanted,
            )
        yield self._duration(
            "from the disk cache, fresh process", "compile from cache", "9 fields", 1.2e6
        )

    def _python(self) -> Iterator[Goal]:
        msgspec = self._python_key("msgspec", "encode-retained")
        for wire, wanted in (("row", 2.0), ("frame", 1.2)):
            yield self._faster(
                f"Part, Python: {wire} encode by encode_into, against msgspec",
                wanted,
                msgspec,
                self._best_tier("Python", wire, "encode-retained"),
            )
        peers = [self._python_key(name, "decode-retained") for name in PEERS_OF_TUPLES]
        measured = [one for one in map(self._results.get, peers) if one is not None]
        best = min(measured, key=lambda one: one.figure.least, default=None)
        name = best.key.entrant if best else "-"
        yield self._faster(
            f"Part, Python: decode, memory retained, against the best peer ({name})",
            4.0,
            best.key if best else None,
            self._best_tier("Python", "frame", "decode-retained"),
        )

    def _loops(self) -> Iterator[Goal]:
        """The results before were dropped."""
        for wire, wanted in (("row", 1.4), ("frame", 1.0)):
            yield self._faster(
                f"Part, Python: {wire} encode, result dropped, in a loop, against msgspec",
                wanted,
                self._python_key("msgspec", "encode-dropped"),
                self._best_tier("Python", wire, "encode-dropped"),
            )
        for what, work, wanted in (
            ("against msgspec without", "decode-dropped", 8.0),
            ("against msgspec with the same", "decode-kept", 4.0),
        ):
            yield self._faster(
                f"Part, Python: frame decode in a loop with retain_memory, {what}",
                wanted,
                self._python_key("msgspec", work),
                self._best_tier("Python", "frame", "decode-kept"),
            )

    def _jvm(self) -> Iterator[Goal]:
        for wire, wanted in (("row", 2.5), ("frame", 1.6)):
            yield self._faster(
                f"Part, JVM Object[]: {wire} encode hot, against Kryo on classes",
                wanted,
                self._jvm_key("kryo-class", "encode-retained", "hot"),
                self._best_tier("JVM", wire, "encode-retained", "hot"),
            )
        yield self._faster(
            "Part, JVM Object[]: decode, against Kryo on classes",
            5.0,
            self._jvm_key("kryo-class", "decode-retained"),
            self._best_tier("JVM", "frame", "decode-retained"),
        )

    def _jvm_lineitem(self) -> Iterator[Goal]:
        """Batches of lineitem as `Object[]`, in frames."""
        for peer, wanted in (("kryo-array", (1.6, 1.1, 3.3)), ("fory-array", (1.2, 1.0, 2.4))):
            for (verb, order), limit in zip(
                (("encode", "hot"), ("encode", "in order"), ("decode", "in order")),
                wanted,
                strict=True,
            ):
                work, name = f"{verb}-retained", LINEITEM.name
                yield self._faster(
                    f"lineitem, JVM Object[]: frame {verb} {order}, against {label(peer, 'JVM')}",
                    limit,
                    self._jvm_key(peer, work, order, name),
                    self._jvm_key("serow-frame-jit", work, order, name),
                )

    def _jvm_records(self) -> Iterator[Goal]:
        """Batches of Java records against Fory on classes."""
        tasks = (("encode", "hot"), ("encode", "in order"), ("decode", "in order"))
        for workload, what in ((PART, "Part"), (LINEITEM, "lineitem"), (READINGS, "nested rows")):
            for wire, limits in (("row", (1.2, 1.0, 1.2)), ("frame", (1.5, 1.2, 0.8))):
                for (verb, order), limit in zip(tasks, limits, strict=True):
                    ours, theirs = (
                        self._jvm_key(name, f"{verb}-retained", order, workload.name)
                        for name in (f"serow-{wire}-record", "fory-class")
                    )
                    line = f"{what}, JVM: {wire} {verb} of records {order}, over Fory, classes"
                    yield self._compared(line, limit, ours, theirs, le)
            one, other = (
                self._results.get(self._jvm_key(name, "encode-retained", workload=workload.name))
                for name in ("serow-frame-record", "fory-class")
            )
            share = one.bytes / other.bytes if one and other else None
            line = f"{what}, JVM: bytes of frames of records, divided by Fory's"
            yield _goal(line, "<= 0.33", share, 0.33, "{:.3f}".format, le)

    def _warm_up(self) -> Iterator[Goal]:
        """The CPU time of all threads of a fresh JVM, divided by the peer's."""
        for what, scenario, peer, wanted in (
            ("a codec and its first record", "first record", "jackson", 0.6),
            ("100 records, first 10,000 calls of each, in turns", "warm-up", "kryo-class", 1.0),
        ):
            ours, theirs = (
                Key("-", "-", scenario, name, "process", "-", "fresh") for name in ("serow", peer)
            )
            over = peer.removesuffix("-class").capitalize()
            yield self._compared(f"JVM: {what}, CPU, over {over}", wanted, ours, theirs, le)

    def _versions(self) -> Iterator[Goal]:
        for where in ("Python", "JVM"):
            for wire in ("row", "frame"):
                earlier, current = (
                    key(
                        *(self._scale, VERSIONS.name, where, f"serow-{wire}-{kind}"),
                        *("decode-retained", "in order"),
                    )
                    for kind in ("evolved", "record")
                )
                what = f"{where}: {wire} decode of an earlier version, over the same version"
                yield self._compared(what, 1.3, earlier, current, le)

    def _single_records(self) -> Iterator[Goal]:
        """The time of a single record, divided by the peer's time."""
        for verb in ("encode", "decode"):
            work = f"{verb}-row"
            what = f"Python: {verb} of a single record, hot, over msgspec"
            ours = self._best_tier("Python", "row", work, "hot")
            yield self._compared(what, 0.8, ours, self._python_key("msgspec", work, "hot"), le)
            for rows, name, peer, wanted in (
                ("Object[]", "serow-row", "fory-array", 1.0),
                ("Java record", "serow-row-record", "fory-class", 1.2),
                ("Java record", "serow-row-record", "kryo-class", 0.7),
            ):
                what = f"JVM: {verb} of a single record, {rows}, hot, over {label(peer, 'JVM')}"
                one, other = self._jvm_key(name, work, "hot"), self._jvm_key(peer, work, "hot")
                yield self._compared(what, wanted, one, other, le)
            for of, work, wanted in (
                ("a single record of lineitem", f"{verb}-row", 1.2),
                ("a single record of five numbers", f"{verb}-row", 1.2),
                ("1,000 records of five numbers, row wire", f"{verb}-retained", 1.5),
            ):
                workload = LINEITEM if of.endswith("lineitem") else AMOUNTS
                one, other = (
                    self._jvm_key(name, work, "hot", workload.name)
                    for name in ("serow-row-record", "fory-class")
                )
                what = f"JVM: {verb} of {of}, Java record, hot, over Fory, classes"
                yield self._compared(what, wanted, one, other, le)
        yield self._record_size()

    def _record_size(self) -> Goal:
        key_of_record = self._best_tier("Python", "row", "encode-row", "hot")
        ours = self._results.get(key_of_record) if key_of_record else None
        theirs = self._results.get(self._python_key("msgspec", "encode-row", "hot"))
        fingerprint = 8
        share = (ours.bytes - fingerprint * ours.rows) / theirs.bytes if ours and theirs else None
        what = "Part: bytes of a single record without fingerprint, divided by msgpack's"
        return _goal(what, "<= 0.97", share, 0.97, "{:.3f}".format, le)

    def _small_messages(self) -> Iterator[Goal]:
        for rows, wanted in zip(FEW, (2.5, 1.0, 0.7), strict=True):
            for verb, function in (("encode", "dumps"), ("decode", "loads")):
                ours = self._best_tier("Python", "default", f"{verb}-{rows}", "hot")
                msgspec = self._python_key("msgspec", f"{verb}-{rows}", "hot")
                what = f"Python: {function} of {rows} row{'s' * (rows > 1)}, hot, over msgspec"
                yield self._compared(what, wanted, ours, msgspec, le)

    def _sizes(self) -> Goal:
        frame = self._results.get(self._python_key("serow-frame", "encode-fresh"))
        protobuf = self._results.get(self._python_key("protobuf", "encode-fresh"))
        share = frame.bytes / protobuf.bytes if frame and protobuf else None
        what = "Part: bytes of frames, divided by the bytes of protobuf"
        return _goal(what, "<= 0.43", share, 0.43, "{:.3f}".format, le)

    def _nested_sizes(self) -> Goal:
        frame, fory = (
            self._results.get(self._python_key(name, "encode-fresh", workload=READINGS.name))
            for name in ("serow-frame", "fory-xlang")
        )
        share = frame.bytes / fory.bytes if frame and fory else None
        what = "nested rows: bytes of frames, divided by the bytes of Fory for all languages"
        return _goal(what, "<= 0.75", share, 0.75, "{:.3f}".format, le)

    def _duration(self, what: str, scenario: str, workload: str, wanted: float) -> Goal:
        one = self._results.get(Key("-", workload, scenario, "serow", "process", "-", "fresh"))
        least = one.figure.least if one else None
        return _goal(what, f"<= {_time(wanted)}", least, wanted, _time, le)

    def _package(self, what: str, name: str) -> Goal:
        size = float(self._header.get(name, "0"))
        return _goal(what, "<= 14 MB", size or None, 14e6, lambda x: f"{x / 1e6:.1f} MB", le)

    def _faster(self, what: str, wanted: float, slow: Key | None, fast: Key | None) -> Goal:
        return self._compared(what, wanted, slow, fast, ge)

    def _compared(
        self,
        what: str,
        wanted: float,
        one: Key | None,
        other: Key | None,
        meets: Callable[[float, float], bool],
    ) -> Goal:
        """Divides the time of `one` entrant by the time of the `other`."""
        limit = f"{'>=' if meets is ge else '<='} {wanted}x"
        found = [self._results.get(each) if each else None for each in (one, other)]
        a, b = found
        if a is None or b is None:
            return Goal(what, limit, None, None)
        times = ratio(a.rounds, b.rounds)
        return Goal(what, limit, figures.text(times), meets(times.of_least, wanted))

    def _best_tier(self, where: str, wire: str, work: str, order: str = "in order") -> Key | None:
        """Returns the name of serow's entrant: compiled if it was measured, or else interpreted."""
        for name in (f"serow-{wire}-jit", f"serow-{wire}"):
            one = key(self._scale, PART.name, where, name, work, order)
            if self._results.get(one) is not None:
                return one
        return None

    def _python_key(
        self, name: str, work: str, order: str = "in order", workload: str = PART.name
    ) -> Key:
        return key(self._scale, workload, "Python", name, work, order)

    def _jvm_key(
        self, name: str, work: str, order: str = "in order", workload: str = PART.name
    ) -> Key:
        return key(self._scale, workload, "JVM", name, work, order)


def _goal(
    what: str,
    wanted: str,
    value: float | None,
    limit: float,
    show: Callable[[float], str],
    meets: Callable[[float, float], bool] = ge,
) -> Goal:
    if value is None:
        return Goal(what, wanted, None, None)
    return Goal(what, wanted, show(value), meets(value, limit))


def _time(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.3g} ms"
