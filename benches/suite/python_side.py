"""One entrant's process in Python. It has its rows and does the timed work."""

import ctypes
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import thread_time_ns
from typing import Any, TypeVar

from demo.clock import collector_off
from demo.compare import first_difference
from demo.errors import DemoError
from demo.process import Child, serve
from demo.rows import Message
from demo.trip import KEEP_EVERY
from suite import workloads
from suite.entrants import Spec
from suite.entrants.entrant import Entrant, create, cut
from suite.work import LOOPS, SMALL, Sample
from suite.workload import Workload
from suite.workloads import WORKLOADS

T = TypeVar("T")

KEPT = 1 << 30
"""More than the rows of a portion take."""


@dataclass(frozen=True)
class Load:
    """The rows to load."""

    workload: str
    table: Path
    skip: int
    count: int
    shuffled: bool = False


@dataclass(frozen=True)
class Measure:
    """The work to do, and how often."""

    work: str
    times: int


@dataclass(frozen=True)
class Job:
    """The arguments of a process."""

    name: str
    spec: Spec


class PythonSide(Child):
    """The parent's end."""

    def __init__(self, job: Job) -> None:
        """Starts the process."""
        super().__init__(job.name, run, job, job.spec.environment)

    def begin_load(self, load: Load) -> None:
        """Asks it to load rows, to convert some of them and the tricky rows, and to compare."""
        self.send(load)

    def end_load(self) -> int:
        """Returns the number of rows. Raises if the rows did not come back equal."""
        return int(self.answer())

    def measure(self, work: str, times: int) -> Sample | None:
        """Returns a sample of the work, or None if the entrant does not support it."""
        self.send(Measure(work, times))
        sample = self.answer()
        assert sample is None or isinstance(sample, Sample)
        return sample

    def tier(self) -> str:
        """Returns the tier that converts rows, if there is a choice."""
        self.send("tier")
        return str(self.answer())


def run(job: Job, connection: Connection) -> None:
    """The main function of the process."""
    serve(connection, job.name, lambda: _opened(job.spec))


@contextmanager
def _opened(spec: Spec) -> Iterator[Callable[[object], object]]:
    bench = Bench(spec)

    def answer(question: object) -> object:
        if isinstance(question, Load):
            return bench.load(question)
        if isinstance(question, Measure):
            return bench.measure(question.work, question.times)
        return bench.entrant.tier

    yield answer


class Bench:
    """An entrant, its rows and their messages."""

    CHECKED = 2500
    """The number of rows that are converted in every way and compared before anything is timed."""

    entrant: Entrant

    def __init__(self, spec: Spec) -> None:
        """Nothing is loaded yet."""
        self._spec = spec
        self._forget()

    def _forget(self) -> None:
        self._batches: list[Sequence[Any]] = []
        self._messages: list[Message] = []
        self._row_messages: list[Message] = []
        self._buffer = bytearray()

    def load(self, load: Load) -> int:
        """Loads rows. They are new objects, and only their batches refer to them."""
        self._forget()
        workload = WORKLOADS[load.workload]
        self.entrant = create(self._spec, workload)
        rows = workloads.rows(workload, load.table, load.skip, load.count)
        if not rows:
            return 0
        check(self.entrant, workload, rows[: self.CHECKED])
        if load.shuffled:
            random.Random(workloads.SEED).shuffle(rows)
        self._batches = cut(self.entrant.prepared(rows), self.entrant.batch)
        return len(rows)

    def measure(self, work: str, times: int) -> Sample | None:
        """Does a piece of work this many times."""
        entrant, batches = self.entrant, self._batches
        if entrant.only_small and work not in SMALL:
            return None
        if work.endswith("-fresh"):
            give_back_memory()
        rows = times * sum(map(len, batches))
        if work == "encode-fresh":
            messages, nanoseconds = _timed(lambda: entrant.encode(batches), times)
            return Sample(nanoseconds, rows, sum(map(len, messages)))
        if work == "encode-retained":
            if not entrant.retains_memory:
                return None
            buffer = self._retained()
            length, nanoseconds = _timed(lambda: entrant.encode_into(batches, buffer), times)
            return Sample(nanoseconds, rows, length)
        if work in LOOPS:
            return self._loop(work, times, rows)
        if work == "encode-row":
            messages, nanoseconds = _timed(lambda: entrant.encode_rows(batches), times)
            return Sample(nanoseconds, rows, sum(map(len, messages)))
        if work == "decode-row":
            self._row_messages = self._row_messages or entrant.encode_rows(batches)
            row_messages = self._row_messages
            kept = entrant.decode_rows(row_messages)[::KEEP_EVERY]
            _, nanoseconds = _timed(lambda: entrant.decode_rows(row_messages), times)
            del kept
            return Sample(nanoseconds, rows, sum(map(len, row_messages)))
        if work in SMALL:
            return self._small(work, times, rows)
        return self._decode(work, times, rows)

    def _small(self, work: str, times: int, rows: int) -> Sample | None:
        """Converts lists of few rows."""
        entrant = self.entrant
        if not entrant.has_functions:
            return None
        verb, _, size = work.partition("-")
        lists = [few for batch in self._batches for few in cut(batch, int(size))]
        messages = entrant.dumps(lists)
        if verb == "encode":
            _, nanoseconds = _timed(lambda: entrant.dumps(lists), times)
        else:
            kept = entrant.loads(messages)[::KEEP_EVERY]
            _, nanoseconds = _timed(lambda: entrant.loads(messages), times)
            del kept
        return Sample(nanoseconds, rows, sum(map(len, messages)))

    def _loop(self, work: str, times: int, rows: int) -> Sample:
        """Runs after two results were made and dropped."""
        entrant, batches = self.entrant, self._batches
        if work == "encode-dropped":
            nanoseconds = _timed_again(lambda: entrant.encode(batches), times)
            return Sample(nanoseconds, rows, sum(map(len, entrant.encode(batches))))
        self._messages = self._messages or entrant.encode(batches)
        messages = self._messages
        with kept_memory(KEPT if work == "decode-kept" else 0):
            nanoseconds = _timed_again(lambda: entrant.decode(messages), times)
        return Sample(nanoseconds, rows, sum(map(len, messages)))

    def _decode(self, work: str, times: int, rows: int) -> Sample:
        """Runs with the memory of earlier rows still mapped, or returned to the system."""
        entrant = self.entrant
        self._messages = self._messages or entrant.encode(self._batches)
        messages = self._messages
        kept = entrant.decode(messages)[::KEEP_EVERY] if work == "decode-retained" else []
        _, nanoseconds = _timed(lambda: entrant.decode(messages), times)
        del kept
        return Sample(nanoseconds, rows, sum(map(len, messages)))

    def _retained(self) -> bytearray:
        """Returns a buffer with space for everything. Its pages were written to before."""
        if not self._buffer:
            size = sum(map(len, self.entrant.encode(self._batches)))
            self._buffer = bytearray(b"\1") * (size + size // 8 + 4096)
            self.entrant.encode_into(self._batches, self._buffer)
        return self._buffer


def give_back_memory() -> None:
    """Lets the C library return free memory to the system.

    Left alone, glibc keeps a large output's memory for the next of its size, from the second on.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@contextmanager
def kept_memory(size: int) -> Iterator[None]:
    """Lets CPython's freed arenas stay, up to this size. This serves every entrant alike."""
    import serow

    before = serow.retain_memory(size)
    try:
        yield
    finally:
        serow.retain_memory(before)


def _timed_again(work: Callable[[], object], times: int) -> int:
    """Returns the CPU time of this thread, after two results were dropped."""
    for _ in range(2):
        with collector_off():
            work()
    return _timed(work, times)[1]


def _timed(work: Callable[[], T], times: int) -> tuple[T, int]:
    """Returns the last result and the CPU time of this thread. Dropping results is not timed."""
    nanoseconds = 0
    with collector_off():
        for left in range(times, 0, -1):
            begin = thread_time_ns()
            result = work()
            nanoseconds += thread_time_ns() - begin
            if left > 1:
                del result
    return result, nanoseconds


def check(entrant: Entrant, workload: Workload, rows: Sequence[Any]) -> None:
    """Converts tricky rows and some others in every way, and compares."""
    expected = [*workload.tricky, *rows]
    batches = cut(entrant.prepared(expected), entrant.batch)
    messages = entrant.encode(batches)
    _compare(entrant, expected, entrant.decode(messages), "in batches")
    _compare(entrant, expected, entrant.decode(list(map(bytearray, messages))), "from bytearrays")
    single = entrant.encode_rows(batches)
    _compare(entrant, expected, entrant.decode_rows(single), "row by row")
    if entrant.has_functions:
        lists = cut(entrant.prepared(expected), 10)
        loaded = [row for rows in entrant.loads(entrant.dumps(lists)) for row in rows]
        _compare(entrant, expected, loaded, "by dumps and loads")
    if entrant.retains_memory:
        for batch, message in zip(batches, messages, strict=True):
            buffer = bytearray(2 * len(message) + 4096)
            length = entrant.encode_into([batch], buffer)
            if buffer[:length] != message:
                raise DemoError("encode_into and encode give different bytes")


def _compare(entrant: Entrant, expected: Sequence[Any], decoded: Sequence[Any], way: str) -> None:
    difference = first_difference(expected, entrant.tuples(decoded))
    if difference is not None:
        raise DemoError(f"{way}: {difference}")
