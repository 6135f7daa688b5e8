"""Results that nobody measured, for tests of what is made of results."""

from spark_jvm.results import Key, Record

HEADER = {"CPU": "made up", "versions": "Spark 0"}


def record(
    group: str, job: str, step: str, contestant: str, size: int, *rounds: tuple[float, ...]
) -> Record:
    gc = tuple(tuple(0.25 for _ in runs) for runs in rounds)
    return Record(Key(group, job, step, contestant), size, rounds, gc)


KRYO, SEROW, FORY = "Kryo, registered", "serow, registered", "Fory, by our wrapper"
PART = ("cache", "Part in memory")
DISK = ("cache", "Part on disk")
JOIN = ("shuffle", "join, 8 partitions", "join")
STAMP = ("kryo", "Stamp in memory")

RECORDS = [
    record(*PART, "write", KRYO, 1000, (2.0, 2.2), (2.0, 2.4)),
    record(*PART, "write", SEROW, 400, (1.0, 1.2), (1.1, 1.0)),
    record(*PART, "write", "serow", 450, (1.5, 1.6), (1.5, 1.6)),
    record(*PART, "write", FORY, 1200, (0.5, 0.6), (0.5, 0.5)),
    record(*PART, "read", KRYO, 0, (1.0, 1.0), (4.0, 5.0)),
    record(*PART, "read", SEROW, 0, (0.5, 0.5), (0.9, 0.7)),
    record(*PART, "read", "serow", 0, (0.5, 0.5), (0.5, 0.5)),
    record(*DISK, "write", KRYO, 1000, (2.0,), (2.0,)),
    record(*DISK, "write", SEROW, 400, (4.0,), (4.0,)),
    record(*JOIN, KRYO, 1000, (1.1,), (1.1,)),
    record(*JOIN, SEROW, 700, (1.0,), (1.0,)),
    record(*STAMP, "write", KRYO, 100, (0.5,), (0.5,)),
    record(*STAMP, "write", SEROW, 110, (0.51,), (0.51,)),
]
