"""How Python's side is timed: wall time, with the cyclic garbage collector off for everyone.

The collector makes two to five times of a difference on decode, and serializers differ in how
often they set it off. So nothing is collected inside a timed piece of work, whoever does it, and
everything is collected before.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def collector_off() -> Iterator[None]:
    """Collect now, then not again until the end of the block."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """The work's result, and its seconds."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin
