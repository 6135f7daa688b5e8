"""Made-up results, for tests of the code that uses results."""

from suite.results import Key, Record, Results, key
from suite.workloads import PART

HEADER = {"CPU": "made up", "wheel bytes": "12000000", "jar bytes": "15000000"}


def encode(
    where: str,
    name: str,
    work: str,
    least: float,
    order: str = "in order",
    workload: str = PART.name,
) -> Record:
    """Two rounds. The second took half as long again."""
    one = key("1", workload, where, name, work, order)
    return Record(one, "-", 1000, 1000 * len(name), (least, 1.5 * least))


def stream(name: str, least: float) -> Record:
    one = Key("1", PART.name, "Python to JVM", name, "batch", "in order", "fresh")
    return Record(one, "-", 1000, 1000, (least,))


def start(scenario: str, nanoseconds: float, workload: str = "-") -> Record:
    one = Key("-", workload, scenario, "serow", "process", "-", "fresh")
    return Record(one, "-", 1, 0, (nanoseconds,))


def results(*more: Record) -> Results:
    return Results(
        [
            start("import serow", 30e6),
            start("first dumps", 0.5e6),
            encode("Python", "serow-row", "encode-retained", 50),
            encode("Python", "serow-frame", "encode-retained", 100),
            encode("Python", "serow-frame", "encode-fresh", 120),
            encode("Python", "serow-frame", "decode-retained", 50),
            encode("Python", "msgspec", "encode-retained", 110),
            encode("Python", "msgspec", "encode-fresh", 115),
            encode("Python", "msgspec", "decode-retained", 210),
            encode("Python", "marshal", "decode-retained", 205),
            encode("Python", "msgspec-struct", "decode-retained", 100),
            encode("Python", "protobuf", "encode-fresh", 900),
            encode("JVM", "kryo-class", "encode-retained", 100, "hot"),
            encode("JVM", "serow-row", "encode-retained", 40, "hot"),
            encode("JVM", "kryo-class", "encode-fresh", 100),
            stream("pickle", 1000),
            *more,
        ]
    )
