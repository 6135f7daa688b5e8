import gc
import resource
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import serow

from suite import python_side
from suite.entrants import ENTRANTS
from suite.python_side import Bench, Load, PythonSide
from suite.work import SMALL, WORKS

NUMBERS = Load("numbers", Path("no table"), 0, 2500)


def loaded(name: str, load: Load = NUMBERS) -> Bench:
    bench = Bench(ENTRANTS[name])
    assert bench.load(load) == load.count
    return bench


@pytest.mark.parametrize("name", ["serow-row", "serow-frame", "msgspec", "marshal", "pickle"])
def test_every_work_is_measured(name: str) -> None:
    bench = loaded(name)
    for work in WORKS:
        sample = bench.measure(work, 2)
        lacks_it = work == "encode-retained" or work in SMALL
        if lacks_it and name in ("marshal", "pickle"):
            assert sample is None
            continue
        assert sample is not None
        assert sample.rows == 5000
        assert sample.nanoseconds > 0
        assert 100_000 < sample.bytes < 1_000_000


def test_small_messages_are_all_that_dumps_without_a_wire_is_measured_for(
    tables: Mapping[str, Path],
) -> None:
    default, row, frame = (
        loaded(name, Load("part", tables["part"], 0, 200))
        for name in ("serow-default", "serow-row", "serow-frame")
    )
    for work in WORKS:
        samples = [bench.measure(work, 1) for bench in (default, row, frame)]
        sizes = [sample and sample.bytes for sample in samples]
        assert sizes[0] == (sizes[1] if work in SMALL else None)
        assert sizes[1] != sizes[2]


def test_nobody_but_the_batches_holds_the_rows() -> None:
    # marshal looks at the counts; getrefcount's own argument is the second reference. An assert of
    # pytest's would hold another.
    bench = loaded("marshal")
    bench.measure("decode-row", 1)
    first, last = sys.getrefcount(bench._batches[0][0]), sys.getrefcount(bench._batches[-1][-1])
    assert (first, last) == (2, 2)


def test_shuffled_rows_are_the_same_in_another_order() -> None:
    in_order = loaded("serow-row")._batches[0]
    shuffled = loaded("serow-row", Load("numbers", Path("-"), 0, 2500, shuffled=True))._batches[0]
    assert list(in_order) != list(shuffled)
    assert sorted(in_order) == sorted(shuffled)


def test_the_collector_is_off_and_results_are_dropped_off_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0

    def tick() -> int:
        return now

    class Result:
        def __del__(self) -> None:
            nonlocal now
            now += 1000

    def work() -> Result:
        nonlocal now
        assert not gc.isenabled()
        now += 1
        return Result()

    monkeypatch.setattr(python_side, "thread_time_ns", tick)
    result, nanoseconds = python_side._timed(work, 5)
    assert nanoseconds == 5
    assert gc.isenabled()
    del result


def test_fresh_memory_has_been_given_back() -> None:
    def resident_pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    python_side.give_back_memory()
    # The second allocation of a size uses memory that glibc kept.
    for _ in range(2):
        kept = bytearray(b"1") * (16 << 20)
        del kept
    before = resident_pages()
    python_side.give_back_memory()
    assert before - resident_pages() > 2000


def test_loops_measure_what_a_dropped_result_leaves() -> None:
    """After a dropped result rows need new pages, unless memory is kept. The bound is restored."""
    bench = loaded("msgspec", Load("numbers", Path("no table"), 0, 20_000))

    def faults(work: str) -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        bench.measure(work, 10)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    # Two of the twelve times are before the memory is there.
    dropped, kept = faults("decode-dropped"), faults("decode-kept")
    assert dropped > 10_000
    assert kept < dropped / 3
    assert serow.retain_memory(0) == 0


def test_time_is_that_of_this_thread() -> None:
    sleep: Callable[[], None] = lambda: time.sleep(0.05)  # noqa: E731
    assert python_side._timed(sleep, 1)[1] < 20e6


def test_a_process_answers_and_names_itself_in_errors() -> None:
    side = PythonSide(python_side.Job("marshal", ENTRANTS["marshal"]))
    try:
        side.begin_load(NUMBERS)
        assert side.end_load() == 2500
        sample = side.measure("encode-fresh", 1)
        assert sample is not None
        assert sample.rows == 2500
        assert side.measure("encode-retained", 1) is None
        assert side.tier() == "-"
    finally:
        side.close()


@pytest.mark.parametrize(("name", "tier"), [("serow-row", "interpreter"), ("serow-row-jit", "jit")])
def test_serow_is_interpreted_unless_it_is_to_be_compiled(name: str, tier: str) -> None:
    side = PythonSide(python_side.Job(name, ENTRANTS[name]))
    try:
        side.begin_load(NUMBERS)
        side.end_load()
        for _ in range(100):
            side.measure("encode-retained", 10)
        assert side.tier() == tier
    finally:
        side.close()
