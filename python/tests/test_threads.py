"""Several threads give the same bytes, rows and errors as one."""

import os
import pickle
import subprocess
import sys
from typing import Any

import pytest
import serow

pytestmark = pytest.mark.tiers

COUNTS: list[Any] = [1, 2, 3, 7, "auto"]

#: The tests run in a process that may use more threads than its machine has processors.
PROGRAM = """
import io
import sys
import serow

COUNTS = [2, 7, "auto"]
FORMATS = [("frame", None), ("frame", "zstd"), ("row", "lz4")]
most = 65_536


def error_of(data, threads):
    try:
        serow.loads(data, threads=threads)
    except serow.DecodeError as error:
        return str(error), error.offset


def check(rows):
    for wire, compression in FORMATS:
        one = serow.dumps(rows, wire=wire, compression=compression)
        damaged = one[:-9] + bytes([one[-9] ^ 1]) + one[-8:]
        error = error_of(damaged, 1)
        assert "checksum" in error[0]
        for threads in COUNTS:
            options = {"wire": wire, "compression": compression, "threads": threads}
            assert serow.dumps(rows, **options) == one, options
            assert serow.loads(one, threads=threads) == rows, options
            assert error_of(damaged, threads) == error


check([(n, f"name {n % 999}", n / 8) for n in range(3 * most + 5)])
check([None if n == most + 9 else n for n in range(2 * most)])
widening = [n if n < most + 100 else str(n) for n in range(2 * most)]
one = serow.dumps(widening, wire="frame")
for threads in COUNTS:
    assert serow.dumps(widening, wire="frame", threads=threads) == one
    assert serow.loads(one, threads=threads) == widening
codec = serow.Codec("i64", threads=3)
for bad in (5, most + 5):
    rows = list(range(3 * most))
    rows[bad] = "x"
    try:
        codec.encode(rows)
    except serow.EncodeError as error:
        assert error.row == bad
    else:
        raise AssertionError(bad)


def stream(rows, threads):
    file = io.BytesIO()
    with serow.Writer(file, compression="lz4", threads=threads) as writer:
        writer.write_rows(rows)
    return file.getvalue()


class Text(str):
    pass


# Rows that don't fit, or take another way, where a frame begins.
for schema in (None, "(i64, str)"):
    for at in (0, 2 * most, 2 * most + 7):
        rows = [(n, "a") for n in range(3 * most)]
        rows[at] = (at, Text("b"))
        numbers = [n for n, _ in rows] * (schema is None)
        one = None
        for threads in (1, *COUNTS):
            file = io.BytesIO()
            with serow.Writer(file, schema, threads=threads) as writer:
                writer.write_rows(rows)
                writer.write_rows(iter(rows[: 2 * most + 9]))
                writer.write_rows(numbers)
                assert writer.rows == 5 * most + 9 + len(numbers)
            one = one or file.getvalue()
            assert file.getvalue() == one, (schema, at, threads)
        assert serow.loads(one) == rows + rows[: 2 * most + 9] + numbers
for made in (list, iter):
    one = stream(made(widening), None)
    assert serow.loads(one) == widening
    for threads in COUNTS:
        assert stream(made(widening), threads) == one
rows = list(range(3 * most))
assert codec.encode(rows) == serow.Codec("i64").encode(rows)
assert codec.decode(codec.encode(rows)) == rows
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in another process."""
    return subprocess.run(
        # Since 3.12 Python warns of a fork even beside a thread that is just ending.
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.heavy
@pytest.mark.long
@pytest.mark.parametrize("limit", ["1", "8"])
def test_bytes_rows_and_errors_are_the_same(limit: str) -> None:
    done = run(PROGRAM, SEROW_THREADS=limit)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_forked_child_uses_threads_too() -> None:
    code = """
import os
import serow
rows = list(range(200_000))
data = serow.dumps(rows, compression="zstd", threads=2)
child = os.fork()
if child == 0:
    same = serow.dumps(rows, compression="zstd", threads=2) == data
    os._exit(0 if same and serow.loads(data, threads=2) == rows else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    done = run(code, SEROW_THREADS="2", SEROW_TIER="interpreter")
    assert (done.returncode, done.stderr) == (0, "")


def test_no_thread_is_started_by_importing_or_stays_after_a_call() -> None:
    code = """
import os
import time


def count():
    # The system removes a thread a moment after its end.
    for _ in range(100):
        if (threads := len(os.listdir("/proc/self/task"))) == 1:
            break
        time.sleep(0.02)
    return threads


assert count() == 1
import serow
assert count() == 1
serow.dumps(list(range(300_000)), threads=4)
assert count() == 1
"""
    done = run(code, SEROW_THREADS="4", SEROW_TIER="interpreter")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("threads", [0, -1, 1.5, "all", True, [2], 2**70])
def test_other_numbers_are_refused(threads: Any) -> None:
    def dumps() -> None:
        serow.dumps([1], threads=threads)

    def loads() -> None:
        serow.loads(b"", threads=threads)

    def codec() -> None:
        serow.Codec("i64", threads=threads)

    for call in (dumps, loads, codec):
        with pytest.raises(ValueError, match="threads must be 1 or more, or 'auto', not "):
            call()


@pytest.mark.parametrize("threads", COUNTS)
def test_codecs_tell_their_threads(threads: Any) -> None:
    codec = serow.Codec("i64", threads=threads)
    assert codec.threads == threads
    assert pickle.loads(pickle.dumps(codec)).threads == threads
    assert codec == serow.Codec("i64")
    assert serow.Codec("i64").threads == 1
