"""How writers end: by an exception, by Ctrl-C, dropped, on a full file, and in a child."""

import errno
import gc
import io
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serow
import wire_format
from streams import OPTIONS, ROWS, read, streamed

pytestmark = pytest.mark.once


def rows_until_the_cut(source: Any) -> list[Any]:
    """Read the rows of a stream that must not read as complete."""
    found: list[Any] = []
    with pytest.raises(serow.DecodeError, match="an error stopped its writer"):
        found.extend(serow.Reader(source))
    return found


def in_child(work: Callable[[], None]) -> int:
    """Run `work` in a forked child. Return 0 if it raised nothing."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class TestAnException:
    @pytest.mark.parametrize("options", OPTIONS)
    def test_in_the_block_leaves_its_rows_and_no_end(
        self, options: dict[str, Any], tmp_path: Path
    ) -> None:
        file = io.BytesIO()
        path = tmp_path / "rows"
        for target in (file, path):
            with pytest.raises(KeyError), serow.Writer(target, **options) as writer:  # noqa: PT012
                writer.write_rows(ROWS)
                raise KeyError("x")
        assert rows_until_the_cut(io.BytesIO(file.getvalue())) == ROWS
        assert rows_until_the_cut(path) == ROWS
        with pytest.raises(serow.DecodeError, match="an error stopped its writer"):
            serow.view(path)
        with pytest.raises(serow.DecodeError, match="an error stopped its writer"):
            serow.loads(path.read_bytes())
        with serow.Writer(path, append=True) as writer:
            writer.write_rows(ROWS[:1])
        assert list(serow.Reader(path)) == [*ROWS, ROWS[0]]

    def test_ctrl_c_is_no_error(self) -> None:
        file = io.BytesIO()
        with pytest.raises(KeyboardInterrupt), serow.Writer(file) as writer:  # noqa: PT012
            writer.write(1)
            raise KeyboardInterrupt
        assert read(file.getvalue()) == [1]

    @pytest.mark.parametrize("error", [SystemExit, GeneratorExit])
    def test_of_every_kind_does(self, error: type[BaseException]) -> None:
        file = io.BytesIO()
        with pytest.raises(error), serow.Writer(file) as writer:  # noqa: PT012
            writer.write(1)
            raise error
        assert rows_until_the_cut(io.BytesIO(file.getvalue())) == [1]

    def test_before_the_first_row(self) -> None:
        file = io.BytesIO()
        with pytest.raises(KeyError), serow.Writer(file):
            raise KeyError("x")
        assert rows_until_the_cut(io.BytesIO(file.getvalue())) == []

    def test_that_the_block_handles_ends_the_stream_as_usual(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file) as writer:
            writer.write(1)
            with pytest.raises(serow.EncodeError):
                writer.write(object())
        assert read(file.getvalue()) == [1]

    def test_is_not_replaced_by_one_of_the_file(self) -> None:
        class Full(io.BytesIO):
            is_full = False

            def write(self, data: Any) -> int:
                if self.is_full:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return super().write(data)

        file = Full()
        with pytest.raises(KeyError, match="the first"), serow.Writer(file) as writer:  # noqa: PT012
            writer.write(1)
            file.is_full = True
            raise KeyError("the first")
        assert len(file.getvalue()) == 32

    def test_abort_does_the_same_without_a_block(self) -> None:
        file = io.BytesIO()
        writer = serow.Writer(file)
        writer.write_rows(ROWS)
        writer.abort()
        writer.abort()
        writer.close()
        assert rows_until_the_cut(io.BytesIO(file.getvalue())) == ROWS
        with pytest.raises(ValueError, match="the stream has ended"):
            writer.write(1)


class TestInterrupts:
    """Ctrl-C at any moment loses no row that an iterator has given."""

    @pytest.fixture(autouse=True)
    def alarm(self) -> Iterator[None]:
        # Python ignores an interrupt in a callback of its garbage collector, such as hypothesis's.
        callbacks = gc.callbacks[:]
        gc.callbacks.clear()
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        yield
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.callbacks[:] = callbacks

    @pytest.mark.parametrize("target", ["path", "file"])
    def test_every_row_that_was_given_is_there(self, target: str, tmp_path: Path) -> None:
        given = 0

        def events() -> Iterator[tuple[int, str, float]]:
            nonlocal given
            while True:
                given += 1
                yield given, "event", given * 0.5

        path = tmp_path / "rows"
        for attempt in range(12):
            given = 0
            with pytest.raises(KeyboardInterrupt), open(path, "wb") as file:  # noqa: PT012
                at = path if target == "path" else file
                with serow.Writer(at, compression="zstd", level=9) as writer:
                    signal.setitimer(signal.ITIMER_REAL, 0.01 + attempt * 0.007)
                    writer.write_rows(events())
            found = list(serow.Reader(path))
            assert len(found) == given
            assert found[-1] == (given, "event", given * 0.5)

    def test_an_iterator_without_code_of_python_is_interrupted_too(self) -> None:
        file = io.BytesIO()
        with pytest.raises(KeyboardInterrupt), serow.Writer(file) as writer:  # noqa: PT012
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            writer.write_rows(iter(int, 1))
        assert set(read(file.getvalue())) <= {0}


class TestDropped:
    def test_a_writer_that_is_dropped_open_warns(self, tmp_path: Path) -> None:
        path = tmp_path / "forgotten"
        writer = serow.Writer(path)
        writer.write_rows(ROWS[:5])
        writer.flush()
        writer.write_rows(iter(ROWS[:7]))
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            del writer
            gc.collect()
        texts = [str(warning.message) for warning in warned]
        (text,) = [text for text in texts if "serow.Writer" in text]
        assert "the last 7 of its 12 rows were written only now" in text
        assert "forgotten" in text
        assert rows_until_the_cut(path) == [*ROWS[:5], *ROWS[:7]]

    def test_rows_that_can_not_be_written_any_more_are_counted(self) -> None:
        file = io.BytesIO()
        writer = serow.Writer(file)
        writer.write_rows(ROWS[:3])
        file.close()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            del writer
            gc.collect()
        (text,) = [str(it.message) for it in warned if "serow.Writer" in str(it.message)]
        assert "3 of its 3 rows are not in the file (I/O operation on closed file.)" in text

    def test_a_program_that_ends_without_closing_has_its_rows(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        code = f"""
import serow
writer = serow.Writer({str(path)!r}, append=True)
writer.write_rows([1, 2, 3])
"""
        done = subprocess.run(
            [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True
        )
        assert done.returncode == 0
        assert "ResourceWarning: a serow.Writer" in done.stderr
        assert list(serow.Reader(path)) == [1, 2, 3]

    def test_closed_and_failed_writers_do_not_warn(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with serow.Writer(io.BytesIO()) as writer:
                writer.write(1)
            writer = serow.Writer(io.BytesIO())
            writer.abort()
            for options in ({"wire": "x"}, {"schema": "(i65"}):
                with pytest.raises((ValueError, serow.SchemaError)):
                    serow.Writer(io.BytesIO(), **options)  # type: ignore[arg-type]
            del writer
            gc.collect()


class TestFilesThatTakeNothing:
    """The error is that of the write, and not that of an attempt to remove what it has left."""

    def test_a_full_device(self) -> None:
        with pytest.raises(OSError, match="No space left") as error:
            serow.Writer("/dev/full")
        assert error.value.errno == errno.ENOSPC
        assert error.value.filename == "/dev/full"
        with open("/dev/full", "wb") as file, pytest.raises(OSError, match="No space left"):
            serow.Writer(file).close()
        file.raw.close() if hasattr(file, "raw") else None

    def test_a_pipe_without_a_reader(self) -> None:
        source, sink = os.pipe()
        try:
            with pytest.raises(BrokenPipeError), serow.Writer(f"/dev/fd/{sink}") as writer:  # noqa: PT012
                os.close(source)
                for n in range(300_000):
                    writer.write((n, str(n)))
        finally:
            os.close(sink)

    def test_a_fifo(self, tmp_path: Path) -> None:
        path = tmp_path / "fifo"
        os.mkfifo(path)
        source = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with serow.Writer(path) as writer:
            writer.write_rows(ROWS[:100])
        with open(source, "rb") as file:
            assert list(serow.Reader(file)) == ROWS[:100]


class TestForkedChildren:
    def test_a_writer_writes_nothing_in_a_child(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"

        def use() -> None:
            for call in (
                lambda: writer.write(1),
                lambda: writer.write_rows([1]),
                lambda: writer.write_rows(iter([1])),
                writer.flush,
            ):
                with pytest.raises(RuntimeError, match="forked"):
                    call()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                writer.__del__()

        def leave_the_block() -> None:
            with pytest.raises(SystemExit), writer:
                raise SystemExit

        def close() -> None:
            with pytest.raises(RuntimeError, match="forked"):
                writer.close()

        with serow.Writer(path) as writer:
            writer.write_rows(ROWS[:10])
            assert [in_child(work) for work in (use, leave_the_block, close)] == [0, 0, 0]
            writer.write_rows(ROWS[10:20])
        assert list(serow.Reader(path)) == ROWS[:20]
        at_once = streamed_at_once(ROWS[:20])
        assert wire_format.frames(path.read_bytes()) == wire_format.frames(at_once)


def streamed_at_once(rows: list[Any]) -> bytes:
    """Give the stream of rows in one frame."""
    return streamed(rows)
