"""Timing in Python: wall time, with the cyclic garbage collector off for everyone.

The collector makes decoding two to five times slower, and serializers differ in how often they
trigger it. So the collector is off during every timed piece of work, and everything is collected
before.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def collector_off() -> Iterator[None]:
    """Collects now, and not again until the end of the block."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Returns the work's result and its seconds."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin
