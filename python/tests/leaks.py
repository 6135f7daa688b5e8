"""Checks that work leaks neither memory nor references."""

import gc
import sys
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
