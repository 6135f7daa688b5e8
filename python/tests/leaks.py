"""Checks that work leaks neither memory nor references."""

import gc
import sys
import tracemalloc
from collections.abc import Callable, Sequence


def assert_none(work: Callable[[], None], shared: Sequence[object]) -> None:
    """Assert that `work` keeps no memory, and no references to the `shared` objects."""
    for _ in range(2):  # The first run may fill caches.
        gc.collect()
        blocks = sys.getallocatedblocks()
        counts = [sys.getrefcount(value) for value in shared]
        work()
        gc.collect()
        after = [sys.getrefcount(value) for value in shared]
        left = sys.getallocatedblocks() - blocks
    assert abs(left) < 200
    assert all(abs(a - b) < 20 for a, b in zip(counts, after, strict=True)), (counts, after)


def assert_no_growth(work: Callable[[], object]) -> None:
    """Assert that Python's memory does not grow when `work` is done some 20 times."""
    # Growth in only some of the runs comes from a table of Python that was resized, or from frames
    # that CPython keeps for later calls.
    runs = []
    for _ in range(8):
        runs.append(growth(work))
        if runs[-1] < 2_000:
            return
    raise AssertionError(f"memory grows by {runs} bytes")


def growth(work: Callable[[], object]) -> int:
    """Give the bytes by which Python's memory grows when `work` is done some 20 times."""
    for _ in range(3):
        work()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
