"""Other threads run while serow packs, compresses and checks frames."""

import asyncio
import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import serow

pytestmark = pytest.mark.once

ROWS = [(i, f"job {i * 7919 % 100_000}", i * 0.37) for i in range(140_000)]


@contextmanager
def no_switches() -> Iterator[None]:
    """Let no thread take the GIL from one that doesn't give it up."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class Other:
    """A thread that does something again and again whenever it has the GIL."""

    def __init__(self, work: Callable[[], object] = lambda: None) -> None:
        """Work as often as possible."""
        self.count = 0
        self._work = work
        self._is_ended = False
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._is_ended:
            self._work()
            self.count += 1
            time.sleep(0)

    def __enter__(self) -> "Other":
        """Start the thread, and wait until it runs."""
        self._thread.start()
        while self.count == 0:
            time.sleep(0.001)
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread."""
        self._is_ended = True
        self._thread.join()


def runs_during(call: Callable[[], object], attempts: int = 50) -> bool:
    """Say whether another thread runs during a call.

    There are several attempts, because a busy machine may not wake the thread in time.
    """
    with Other() as other, no_switches():
        before = other.count
        for _ in range(attempts):
            call()
            if other.count > before:
                return True
        return False


@contextmanager
def once(change: Callable[[], object]) -> Iterator[None]:
    """Make a change when another thread first runs in the block."""
    todo: list[Callable[[], object]] = []

    def work() -> None:
        if todo:
            todo.pop()()

    with Other(work), no_switches():
        todo.append(change)
        yield


def written(**options: Any) -> io.BytesIO:
    file = io.BytesIO()
    with serow.Writer(file, **options) as writer:
        writer.write_rows(ROWS)
    return file


CODEC = serow.Codec("(i64, str, f64)", compression="zstd", level=12)
PLAIN, BY_ROW = serow.Codec("(i64, str, f64)"), serow.Codec("(i64, str, f64)", wire="row")
BUFFER = bytearray(40_000_000)
#: Enough for several hand-overs if nothing is compressed.
MANY_ROWS = ROWS * 8
MESSAGE = serow.dumps(ROWS, compression="zstd")

LONG: dict[str, Callable[[], object]] = {
    "dumps": lambda: serow.dumps(ROWS),
    "dumps, compressed": lambda: serow.dumps(ROWS, compression="zstd", level=12),
    "dumps, row wire": lambda: serow.dumps(ROWS, wire="row", compression="lz4"),
    "dumps, threads": lambda: serow.dumps(ROWS, compression="zstd", level=12, threads=2),
    "encode": lambda: CODEC.encode(ROWS),
    "encode_into": lambda: CODEC.encode_into(ROWS, bytearray(20_000_000)),
    "loads": lambda: serow.loads(MESSAGE),
    "loads of bytes that may change": lambda: serow.loads(bytearray(MESSAGE)),
    "loads, threads": lambda: serow.loads(MESSAGE, threads=2),
    "decode": lambda: CODEC.decode(MESSAGE),
}


@pytest.mark.parametrize("name", LONG)
def test_other_threads_run_during_long_calls(name: str) -> None:
    assert runs_during(LONG[name])


@pytest.mark.parametrize("codec", [PLAIN, BY_ROW], ids=["frame", "row"])
def test_other_threads_run_between_rows(codec: serow.Codec[Any]) -> None:
    """Nothing is done without the GIL: a thread that waits for it gets it."""
    times: list[float] = []
    with Other(lambda: times.append(time.perf_counter())):
        for _ in range(50):
            begin = time.perf_counter()
            codec.encode_into(MANY_ROWS, BUFFER)
            end = time.perf_counter()
            # Python itself lets others run at both ends of the call.
            margin = (end - begin) / 10
            if any(begin + margin < at < end - margin for at in times):
                return
            times.clear()
    pytest.fail("no other thread has run")


def test_a_buffer_that_others_have_gets_the_message() -> None:
    def read() -> None:
        assert len(BUFFER) == 40_000_000
        sum(BUFFER[:100])

    for codec in (PLAIN, BY_ROW):
        with Other(read):
            length = codec.encode_into(MANY_ROWS, BUFFER)
        assert serow.loads(BUFFER[:length]) == MANY_ROWS


@pytest.mark.parametrize("threads", [1, 2])
def test_other_threads_run_while_a_stream_is_written_and_read(threads: int) -> None:
    assert runs_during(lambda: written(compression="zstd", level=12, threads=threads))
    data = written(compression="zstd").getvalue()
    assert runs_during(lambda: list(serow.Reader(io.BytesIO(data), threads=threads)))
    assert runs_during(lambda: serow.view(io.BytesIO(data))[0])


def test_no_other_thread_runs_during_short_calls() -> None:
    rows = ROWS[:1000]
    assert len(serow.dumps(rows, wire="row")) < 1 << 16
    data = serow.dumps(rows, compression="zstd")
    buffer = bytearray(1 << 16)
    calls: list[Callable[[], object]] = [
        lambda: serow.dumps(rows, compression="zstd"),
        lambda: CODEC.encode_into(rows, buffer),
        lambda: serow.loads(data),
    ]
    for call in calls:
        # On a busy machine a short call may take long.
        assert any(not runs_during(call, 1) for _ in range(50))


class Part:
    """A record whose class is changed while its instances are encoded."""

    def __init__(self, key: int, text: str) -> None:
        """Set the fields."""
        self.key, self.text = key, text


class TestRowsThatOthersChange:
    """Rows may be changed between frames. What is written is the rows as they are then."""

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("change", [lambda rows: rows.append(rows[0]), list.clear])
    def test_a_list_that_gets_shorter_or_longer_is_an_error(
        self, change: Callable[[list[Any]], None], threads: int
    ) -> None:
        rows: list[Any] = list(ROWS)
        with (
            once(lambda: change(rows)),
            pytest.raises(RuntimeError, match="another thread has changed it"),
        ):
            serow.dumps(rows, compression="zstd", level=5, threads=threads)

    def test_rows_that_are_replaced_are_old_or_new(self) -> None:
        rows: list[Any] = list(ROWS)

        def replace() -> None:
            rows[:] = [{"other": f"{n}"} for n in range(len(rows))]

        with once(replace):
            data = serow.dumps(rows, compression="zstd", level=5)
        got = serow.loads(data)
        first = sum(type(row) is tuple for row in got)
        assert 0 < first < len(rows)
        assert got == ROWS[:first] + rows[first:]

    @pytest.mark.parametrize("threads", [1, 2])
    def test_keys_and_classes_may_change(self, threads: int) -> None:
        names = [f"{'field'}_{n}" for n in range(3)]
        rows: list[Any] = [{name: n for name in names} for n in range(70_000)]
        rows += [Part(n, "x") for n in range(70_000)]

        def change() -> None:
            for row in rows[:70_000]:
                row.clear()
            for n, row in enumerate(rows[70_000:]):
                row.__dict__.clear()
                row.__dict__.update(others=n)

        with once(change):
            try:
                data = serow.dumps(rows, compression="zstd", level=5, threads=threads)
            except serow.EncodeError:
                return
        assert len(serow.loads(data)) == len(rows)


def test_two_threads_use_one_codec_at_once() -> None:
    expected = CODEC.encode(ROWS)
    results: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: results.append(CODEC.encode(ROWS))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 3


def test_a_writer_that_two_threads_use_says_so(tmp_path: Path) -> None:
    errors: list[str] = []
    with serow.Writer(tmp_path / "rows", compression="zstd", level=12) as writer:

        def use() -> None:
            for call in (lambda: writer.write(ROWS[0]), lambda: writer.rows):
                try:
                    call()
                except RuntimeError as error:
                    errors.append(str(error))

        with Other(use):
            writer.write_rows(ROWS)
    assert errors
    assert all("another call uses this Writer" in error for error in errors)
    assert set(ROWS) == set(serow.Reader(tmp_path / "rows"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_that_is_forked_meanwhile_works() -> None:
    results: list[int] = []

    def fork() -> None:
        if len(results) < 3:
            child = os.fork()
            if child == 0:
                data = serow.dumps(ROWS, compression="zstd")
                os._exit(0 if serow.loads(data) == ROWS else 1)
            results.append(child)

    with Other(fork):
        for _ in range(3):
            serow.dumps(ROWS, compression="zstd", level=9)
            serow.loads(MESSAGE)
    assert results
    assert {os.waitpid(child, 0)[1] for child in results} == {0}


def test_coroutines_run_while_a_thread_encodes() -> None:
    async def main() -> int:
        ticks = 0
        encoded = asyncio.ensure_future(
            asyncio.to_thread(serow.dumps, ROWS, compression="zstd", level=12)
        )
        while not encoded.done():
            ticks += 1
            await asyncio.sleep(0)
        assert serow.loads(await encoded) == ROWS
        return ticks

    assert asyncio.run(main()) > 10
