"""Streams that several threads read."""

import io
import os
import subprocess
import sys
from typing import Any

import pytest
import serow
from streams import OPTIONS, ROWS, read, streamed

pytestmark = pytest.mark.tiers

BATCHES = [ROWS[n : n + 100] for n in range(0, 1000, 100)]


class TestSeveralThreads:
    """A reader on several threads gives what one on one thread gives, in the same order."""

    @pytest.mark.parametrize("threads", [1, 2, 3, "auto"])
    @pytest.mark.parametrize("options", OPTIONS)
    def test_rows_and_counts(self, options: dict[str, Any], threads: Any) -> None:
        data = streamed(*BATCHES, **options)
        file = io.BytesIO(data + b"and so on")
        reader = serow.Reader(file, threads=threads, one_stream=True)
        seen = []
        for number, rows in enumerate(reader.frames(), 1):
            assert reader.rows == number * 100
            seen += rows
        assert seen == ROWS
        assert (reader.bytes_read, file.read()) == (len(data), b"and so on")
        with pytest.raises(serow.DecodeError, match="begin with SROW"):
            read(data + b"and so on", threads=threads)

    @pytest.mark.parametrize("threads", [2, "auto"])
    @pytest.mark.parametrize("options", OPTIONS)
    def test_whole_frames_come_before_an_error(self, options: dict[str, Any], threads: Any) -> None:
        data = streamed(*BATCHES, **options)
        for at in range(0, len(data), 97):
            damaged = data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
            for broken in (data[:at], damaged):
                results = []
                for count in (1, threads):
                    reader, found, error = serow.Reader(io.BytesIO(broken), threads=count), [], ""
                    try:
                        found.extend(reader)
                    except serow.DecodeError as raised:
                        error = str(raised)
                        with pytest.raises(serow.DecodeError):
                            next(iter(reader))
                    results.append((found, error, reader.rows))
                assert results[0] == results[1]
                assert results[0][0] == ROWS[: len(results[0][0])]

    def test_a_row_that_is_refused_ends_the_reading(self) -> None:
        data = streamed([1, 2], [300, 400], [None], [3], compression="zstd")
        for threads in (1, 2, 3):
            reader, found = serow.Reader(io.BytesIO(data), type=int, threads=threads), []
            with pytest.raises(serow.SchemaError):
                found.extend(reader)
            assert found == [1, 2, 300, 400]
            with pytest.raises(serow.SchemaError):
                next(iter(reader))

    @pytest.mark.parametrize("error", [TimeoutError, KeyboardInterrupt])
    def test_a_source_that_fails_may_go_on(self, error: type[BaseException]) -> None:
        data = streamed(*BATCHES, compression="zstd", wire="row")

        class Failing(io.BytesIO):
            calls = 0

            def read(self, size: int | None = -1, /) -> bytes:
                self.calls += 1
                if self.calls % 5 == 0:
                    raise error("later")
                return super().read(size)

        places = []
        for threads in (1, 2):
            reader, found, errors = serow.Reader(Failing(data), threads=threads), [], []
            while len(found) < len(ROWS):
                try:
                    for row in reader:
                        found.append(row)
                except error:
                    errors.append(len(found))
            assert found == ROWS
            places.append(errors)
        assert len(places[0]) > 1
        if issubclass(error, Exception):
            assert places[0] == places[1]
        else:
            # It comes at once. The frames that were read before it are not lost.
            assert all(two <= one for one, two in zip(*places, strict=True))

    def test_the_memory_limit_is_for_each_frame(self) -> None:
        rows = [f"{n:01000}" for n in range(200)]
        data = streamed(rows[:100], rows[100:], compression="zstd")
        assert read(data, max_memory=200_000, threads=2) == rows
        with pytest.raises(serow.LimitError):
            read(data, max_memory=50_000, threads=2)

    @pytest.mark.parametrize("threads", [0, -1, 1.5, "all", True])
    def test_other_numbers_are_refused(self, threads: Any) -> None:
        with pytest.raises(ValueError, match="threads must be 1 or more, or 'auto', not "):
            serow.Reader(io.BytesIO(), threads=threads)

    def test_a_forked_child_goes_on(self) -> None:
        code = """
import io
import os
import serow
rows = [f"the row {n % 1000}" for n in range(500_000)]
file = io.BytesIO()
with serow.Writer(file, compression="zstd") as writer:
    writer.write_rows(rows)
data = file.getvalue()
reader = serow.Reader(io.BytesIO(data), threads=2)
first = next(reader.frames())
child = os.fork()
same = first + list(reader) == rows
if child == 0:
    os._exit(0 if same else 1)
assert same and os.waitpid(child, 0)[1] == 0
"""
        environment = os.environ | {"SEROW_THREADS": "2", "SEROW_TIER": "interpreter"}
        # Since 3.12 Python warns, because the reader's thread is there.
        done = subprocess.run(
            [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
