from suite.goals import Goal, Judge
from suite.tests.some_results import HEADER, encode, results, start


def goals() -> dict[str, Goal]:
    return {one.what: one for one in Judge(HEADER, results()).goals()}


def test_goals_are_judged_by_the_least_times() -> None:
    found = goals()
    row = found["Part, Python: row encode by encode_into, against msgspec"]
    assert (row.figure, row.is_met) == ("2.20x (2.20 to 2.20)", True)
    frame = found["Part, Python: frame encode by encode_into, against msgspec"]
    assert (frame.figure, frame.is_met) == ("1.10x (1.10 to 1.10)", False)
    assert frame.verdict == "MISSED"
    kryo = found["Part, JVM Object[]: row encode hot, against Kryo on classes"]
    assert kryo.is_met is True


def test_the_best_peer_is_the_fastest_that_gives_tuples() -> None:
    what = "Part, Python: decode, memory retained, against the best peer (marshal)"
    assert goals()[what].is_met is True


def test_sizes_and_starts_are_judged() -> None:
    found = goals()
    assert found["import serow"].figure == "30 ms"
    assert found["import serow"].is_met is False
    assert found["first dumps of ten rows after it"].is_met is True
    assert found["wheel"].is_met is True
    assert found["jar"].is_met is False
    # The lengths of names serve as bytes here: 11 for serow-frame, 8 for protobuf.
    assert found["Part: bytes of frames, divided by the bytes of protobuf"].figure == "1.375"


def test_the_bytes_of_nested_rows_are_judged() -> None:
    what = "nested rows: bytes of frames, divided by the bytes of Fory for all languages"
    assert goals()[what].is_met is None
    more = [
        encode("Python", name, "encode-fresh", 1, workload="readings")
        for name in ("serow-frame", "fory-xlang")
    ]
    found = {one.what: one for one in Judge(HEADER, results(*more)).goals()}
    # The lengths of the names are 11 and 10.
    assert (found[what].figure, found[what].is_met) == ("1.100", False)


def test_records_of_an_earlier_version_take_little_longer() -> None:
    what = "JVM: frame decode of an earlier version, over the same version"
    assert goals()[what].is_met is None
    more = [
        encode("JVM", f"serow-frame-{kind}", "decode-retained", nanoseconds, workload="versions")
        for kind, nanoseconds in (("record", 50), ("evolved", 60))
    ]
    found = {one.what: one for one in Judge(HEADER, results(*more)).goals()}
    assert (found[what].wanted, found[what].figure) == ("<= 1.3x", "1.20x (1.20 to 1.20)")
    assert found[what].is_met is True


def test_what_is_not_there_is_neither_met_nor_missed() -> None:
    one = goals()["row encode, compiled against interpreter: rows in cache"]
    assert (one.figure, one.is_met, one.verdict) == (None, None, "-")


def test_small_messages_are_judged_by_the_call_that_names_no_wire() -> None:
    more = [
        encode("Python", "serow-row-jit", "encode-10", 50, "hot"),
        encode("Python", "serow-default", "encode-10", 90, "hot"),
        encode("Python", "serow-default-jit", "encode-10", 60, "hot"),
        encode("Python", "msgspec", "encode-10", 80, "hot"),
    ]
    found = {one.what: one for one in Judge(HEADER, results(*more)).goals()}
    judged = found["Python: dumps of 10 rows, hot, over msgspec"]
    assert (judged.wanted, judged.figure) == ("<= 1.0x", "0.75x (0.75 to 0.75)")
    assert judged.is_met is True


def test_compiled_code_is_judged_once_it_is_there() -> None:
    more = [
        encode("Python", "serow-row", "encode-retained", 60, "hot"),
        encode("Python", "serow-row-jit", "encode-retained", 40, "hot"),
        encode("Python", "serow-row-jit", "encode-retained", 44),
        start("compile", 2.5e6, "9 fields"),
    ]
    found = {one.what: one for one in Judge(HEADER, results(*more)).goals()}
    assert found["row encode, compiled against interpreter: rows in cache"].is_met is True
    assert found["row encode, compiled against interpreter: rows in order"].is_met is False
    assert found["compile, 9 fields, one direction, CPU"].is_met is True
    against = found["Part, Python: row encode by encode_into, against msgspec"]
    assert against.figure == "2.50x (2.50 to 2.50)"


def test_loops_are_judged_with_the_memory_of_each_side() -> None:
    more = [
        encode("Python", "serow-row", "encode-dropped", 60),
        encode("Python", "serow-frame", "decode-kept", 60),
        encode("Python", "msgspec", "encode-dropped", 90),
        encode("Python", "msgspec", "decode-dropped", 600),
        encode("Python", "msgspec", "decode-kept", 210),
    ]
    found = {one.what: one for one in Judge(HEADER, results(*more)).goals()}
    dropped = found["Part, Python: row encode, result dropped, in a loop, against msgspec"]
    assert (dropped.wanted, dropped.figure) == (">= 1.4x", "1.50x (1.50 to 1.50)")
    loop = "Part, Python: frame decode in a loop with retain_memory, against msgspec"
    without, same = found[f"{loop} without"], found[f"{loop} with the same"]
    assert (without.figure, without.is_met) == ("10.00x (10.00 to 10.00)", True)
    assert (same.figure, same.is_met) == ("3.50x (3.50 to 3.50)", False)
