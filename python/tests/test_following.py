"""Readers that wait for rows, writers that flush by themselves, and the number of bytes."""

import io
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serow
from streams import OPTIONS, ROWS, append, ends, streamed

pytestmark = pytest.mark.once


class Following:
    """A thread that reads rows of a path."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.reader = serow.Reader(path, follow=True, **options)
        self.rows: list[Any] = []
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self) -> None:
        try:
            for row in self.reader:
                self.rows.append(row)
        except BaseException as error:
            self.error = error

    def until(self, count: int) -> list[Any]:
        wait_until(lambda: len(self.rows) >= count or not self.thread.is_alive())
        assert self.error is None
        assert len(self.rows) == count
        return self.rows

    def end(self) -> None:
        self.reader.close()
        self.thread.join(10)
        assert not self.thread.is_alive()
        assert self.error is None


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.005)


class TestFollowing:
    @pytest.mark.parametrize("options", [{}, {"threads": 2}, {"on_damage": "skip"}])
    def test_rows_come_as_they_are_written(self, options: Any, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, *ROWS[:3])
        following = Following(path, **options)
        following.until(3)
        with serow.Writer(path, append=True) as writer:
            for n in range(3, 20):
                writer.write(ROWS[n])
                writer.flush()
                following.until(n + 1)
        append(path, ROWS[20])
        assert following.until(21) == ROWS[:21]
        following.end()

    @pytest.mark.parametrize("options", [{}, {"on_damage": "skip"}])
    @pytest.mark.parametrize("cut", [4, 8, 31, 32, 60, 90])
    def test_what_a_killed_writer_left_is_put_aside(
        self, cut: int, options: Any, tmp_path: Path
    ) -> None:
        path = tmp_path / "log"
        append(path, *ROWS[:3])
        whole = path.stat().st_size
        append(path, *ROWS[3:5])
        os.truncate(path, whole + cut)
        following = Following(path, **options)
        following.until(3)
        with serow.Writer(path, append=True) as writer:
            assert path.stat().st_size == whole
            # The reader looks at the shorter file.
            time.sleep(0.15)
            writer.write(ROWS[5])
        assert following.until(4) == [*ROWS[:3], ROWS[5]]
        append(path, ROWS[6])
        assert following.until(5) == [*ROWS[:3], ROWS[5], ROWS[6]]
        following.end()

    @pytest.mark.parametrize("options", [{}, {"on_damage": "skip"}, {"threads": 2}])
    def test_a_copy_of_the_log_in_its_place_gives_no_row_again(
        self, options: Any, tmp_path: Path
    ) -> None:
        path, copy = tmp_path / "log", tmp_path / "copy"
        append(path, *ROWS[:3])
        append(path, *ROWS[3:5])
        following = Following(path, **options)
        following.until(5)
        copy.write_bytes(path.read_bytes())
        append(copy, *ROWS[5:8])
        copy.replace(path)
        following.until(8)
        append(path, ROWS[8])
        assert following.until(9) == ROWS[:9]
        # Another log is another one.
        append(copy, *ROWS[:2])
        copy.replace(path)
        assert following.until(11) == ROWS[:9] + ROWS[:2]
        following.end()

    @pytest.mark.parametrize("kills", [10, pytest.param(1000, marks=pytest.mark.long)])
    def test_three_writers_that_are_killed_and_two_followers(
        self, kills: int, tmp_path: Path
    ) -> None:
        path = tmp_path / "log"
        code = """
import os, sys, time, serow
path, name = sys.argv[1:]
with serow.Writer(path, append=True) as writer:
    for n in range(10**9):
        writer.write((name, n, "x" * (n % 700)))
        if n % 20 == 19:
            writer.flush()
            os.write(1, b"%d\\n" % (n + 1))
            time.sleep(0.002)
"""

        def started(name: str) -> "tuple[str, subprocess.Popen[bytes]]":
            command = [sys.executable, "-c", code, str(path), name]
            return name, subprocess.Popen(command, stdout=subprocess.PIPE)

        append(path)
        followers = [Following(path), Following(path, on_damage="skip")]
        writers, flushed = [started(str(n)) for n in range(3)], {}
        for n in range(kills + 3):
            time.sleep(random.uniform(0.02, 0.2) if n < kills else 0)
            name, writer = writers.pop(random.randrange(len(writers)))
            writer.kill()
            assert writer.stdout is not None
            flushed[name] = int((writer.stdout.read().split() or [b"0"])[-1])
            writer.stdout.close()
            writer.wait()
            if n < kills:
                writers.append(started(str(n + 3)))
        append(path, ("end", 0, ""))
        rows = list(serow.Reader(path))
        for follower in followers:
            assert follower.until(len(rows)) == rows
            follower.end()
        for name, least in flushed.items():
            numbers = [n for by, n, _ in rows if by == name]
            assert numbers == list(range(len(numbers)))
            assert len(numbers) >= least

    def test_a_relative_path(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        monkeypatch.chdir(tmp_path)
        append(Path("log"), 1)
        following = Following(Path("log"))
        following.until(1)
        monkeypatch.chdir(elsewhere)
        append(Path("log"), "of another file")
        append(tmp_path / "log", 2)
        assert following.until(2) == [1, 2]
        following.end()

    def test_a_pipe(self, tmp_path: Path) -> None:
        path = tmp_path / "fifo"
        os.mkfifo(path)
        with pytest.raises(ValueError, match="is a pipe or device; follow is for files"):
            serow.Reader(path, follow=True)
        log = tmp_path / "log"
        append(log, 1)
        reader = serow.Reader(log, follow=True, timeout=10)
        rows = iter(reader)
        assert next(rows) == 1
        os.replace(path, log)
        with pytest.raises(ValueError, match="is a pipe or device"):
            next(rows)
        reader.close()

    def test_a_writer_of_one_long_stream(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path) as writer:
            following = Following(path)
            for n in range(5):
                writer.write_rows(ROWS[n * 10 : n * 10 + 10])
                writer.flush()
                following.until(n * 10 + 10)
        append(path, *ROWS[50:60])
        assert following.until(60) == ROWS[:60]
        following.end()

    @pytest.mark.parametrize("on_damage", ["error", "skip"])
    def test_parts_of_frames_are_waited_for(self, on_damage: str, tmp_path: Path) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3], ROWS[3:5]) + streamed(ROWS[5:6])
        marks = ends(whole)
        path.touch()
        reader = serow.Reader(path, follow=True, timeout=0, on_damage=on_damage)  # type: ignore[arg-type]
        found = []
        with path.open("ab", buffering=0) as file:
            for at in range(len(whole)):
                file.write(whole[at : at + 1])
                found.extend(reader)
                rows = max((rows for end, rows in marks if end <= at + 1), default=0)
                assert found == ROWS[:rows]
        assert (reader.rows, reader.bytes_read) == (6, len(whole))
        reader.close()

    def test_a_part_that_is_repaired_meanwhile(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3], ROWS[3:5])
        first = ends(whole)[0][0]
        path.write_bytes(whole[: first + 30])
        following = Following(path)
        following.until(3)
        time.sleep(0.15)
        append(path, "next")
        assert following.until(4) == [*ROWS[:3], "next"]
        following.end()

    def test_rotation(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 0)
        following = Following(path)
        for n in range(1, 6):
            with serow.Writer(path, append=True) as writer:
                writer.write(f"before {n}")
                writer.flush()
                os.rename(path, tmp_path / f"log.{n}")
                time.sleep(0.12 if n % 2 else 0)
            append(path, f"after {n}")
            following.until(1 + 2 * n)
        assert following.rows[1:5] == ["before 1", "after 1", "before 2", "after 2"]
        following.end()

    def test_truncation(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, *ROWS[:50])
        following = Following(path)
        following.until(50)
        os.truncate(path, 0)
        append(path, "after")
        assert following.until(51)[-1] == "after"
        following.end()

    def test_a_rotated_file_with_a_part_of_a_frame(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3], ROWS[3:5])
        path.write_bytes(whole[: ends(whole)[0][0] + 30])
        following = Following(path)
        following.until(3)
        path.rename(tmp_path / "log.1")
        append(path, "after")
        assert following.until(4)[-1] == "after"
        following.end()
        assert "no whole frame" in caplog.text

    def test_ends_after_the_timeout_and_goes_on(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 1)
        with serow.Reader(path, follow=True, timeout=0.2) as reader:
            began = time.monotonic()
            assert list(reader) == [1]
            assert 0.2 <= time.monotonic() - began < 5
            append(path, 2)
            assert list(reader.frames()) == [[2]]
            reader.close()
            assert list(reader) == []

    def test_ctrl_c_ends_the_wait(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 1)
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            found = []
            with pytest.raises(KeyboardInterrupt):
                found.extend(serow.Reader(path, follow=True))
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_damage_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 1)
        reader = serow.Reader(path, follow=True, timeout=5)
        rows = iter(reader)
        assert next(rows) == 1
        with path.open("ab") as file:
            file.write(b"something else, and no stream")
        with pytest.raises(serow.DecodeError):
            next(rows)
        reader.close()

    def test_what_can_not_be_followed(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 1)
        with pytest.raises(ValueError, match="follow is for paths"):
            serow.Reader(io.BytesIO(), follow=True)
        with pytest.raises(ValueError, match="follow is for paths"):
            serow.Reader(path, follow=True, one_stream=True)
        with pytest.raises(ValueError, match="timeout is for"):
            serow.Reader(path, timeout=1)
        with pytest.raises(ValueError, match="pipe or device"):
            serow.Reader("/dev/null", follow=True)
        with pytest.raises(FileNotFoundError):
            serow.Reader(tmp_path / "none", follow=True)


class TestFlushing:
    @pytest.mark.parametrize("append", [True, False])
    def test_by_rows(self, append: bool, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=append, flush_rows=10) as writer:
            for n in range(25):
                writer.write(n)
            assert writer.frames_written == 2
            writer.write_rows(iter(range(25, 99)))
            assert writer.frames_written == 9
            # A list is written before the rows are counted.
            writer.write_rows(list(range(99, 300)))
            assert writer.frames_written == 10
        frames = [len(rows) for rows in serow.Reader(path).frames()]
        assert frames == [*[10] * 9, 210]
        assert list(serow.Reader(path)) == list(range(300))

    def test_by_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True, flush_bytes=10_000) as writer:
            for n in range(3000):
                writer.write(random.Random(n).randbytes(100))
        sizes = [len(rows) * 100 for rows in serow.Reader(path).frames()]
        assert all(5_000 < size < 20_000 for size in sizes[:-1])
        assert len(sizes) > 15

    @pytest.mark.parametrize("append", [True, False])
    def test_by_seconds_without_further_rows(self, append: bool, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=append, flush_seconds=0.1) as writer:
            following = Following(path)
            for n in range(5):
                writer.write(n)
                following.until(n + 1)
            assert writer.frames_written == 5
        following.end()

    def test_by_seconds_while_an_iterator_waits(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True, flush_seconds=0.05) as writer:
            following = Following(path)

            def events() -> Iterator[list[int]]:
                row = [0]
                for n in range(4):
                    row[0] = n
                    yield row
                    following.until(n + 1)

            writer.write_rows(events())
        assert following.until(4) == [[0], [1], [2], [3]]
        following.end()

    def test_by_seconds_while_rows_come(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True, flush_seconds=0.02) as writer:
            start, n = time.monotonic(), 0
            # Too few rows to fill a frame.
            while writer.frames_written < 4 and time.monotonic() < start + 60:
                writer.write(n)
                n += 1
                time.sleep(0.001)
            assert 4 <= writer.frames_written <= (time.monotonic() - start) / 0.02 + 1
        assert list(serow.Reader(path)) == list(range(n))

    def test_by_seconds_to_a_file_object(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file, flush_seconds=0.05) as writer:
            writer.write(1)
            time.sleep(0.2)
            assert writer.frames_written == 0
            writer.write(2)
            assert writer.frames_written == 1
        assert list(serow.Reader(io.BytesIO(file.getvalue()))) == [1, 2]

    def test_a_dropped_writer_ends_its_thread(self, tmp_path: Path) -> None:
        def names() -> list[str]:
            return [it.name for it in threading.enumerate() if it.name == "serow-flush"]

        wait_until(lambda: not names())
        with serow.Writer(tmp_path / "log", append=True, flush_seconds=0.05) as writer:
            writer.write(1)
            assert names()
        del writer
        wait_until(lambda: not names())

    def test_an_error_of_the_thread_is_raised_by_the_next_call(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        code = f"""
import resource, signal, time, serow
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
writer = serow.Writer({str(path)!r}, append=True, flush_seconds=0.05)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
writer.write("a row")
time.sleep(0.5)
for call in (lambda: writer.write("another"), writer.close):
    try:
        call()
    except OSError as error:
        print(error.errno)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("27\n", "")
        assert path.stat().st_size == 0

    def test_limits_must_be_positive(self, tmp_path: Path) -> None:
        for name in ("flush_rows", "flush_bytes", "flush_seconds"):
            with pytest.raises(ValueError, match=f"{name} must be more than 0"):
                serow.Writer(tmp_path / "log", **{name: 0})  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="flush_seconds must be"):
            serow.Writer(tmp_path / "log", flush_seconds=float("nan"))


class TestBytesWritten:
    @pytest.mark.parametrize("options", OPTIONS)
    def test_counts_rows_that_wait(self, options: dict[str, Any]) -> None:
        file = io.BytesIO()
        with serow.Writer(file, **options) as writer:
            for _ in range(2):
                before, last = writer.bytes_written, writer.bytes_written
                for n in range(2000):
                    writer.write((n, f"text {n % 50}", n * 0.5))
                    assert writer.bytes_written >= last
                    last = writer.bytes_written
                estimated = writer.bytes_written - before
                writer.flush()
                written = writer.bytes_written - before
            assert written / 2 < estimated < written * 2
        assert writer.bytes_written == len(file.getvalue())

    def test_rotation_by_size(self, tmp_path: Path) -> None:
        path = tmp_path / "log"

        def events() -> Iterator[tuple[int, float]]:
            for n in range(10_000):
                yield n, random.Random(n).random()

        number = 0
        writer = serow.Writer(path, append=True, flush_rows=50)
        for event in events():
            writer.write(event)
            if writer.bytes_written > 20_000:
                writer.close()
                path.rename(tmp_path / f"log.{number}")
                number += 1
                writer = serow.Writer(path, append=True, flush_rows=50)
        writer.close()
        assert number > 2
        files = [*(tmp_path / f"log.{n}" for n in range(number)), path]
        assert [row for file in files for row in serow.Reader(file)] == list(events())
        sizes = [file.stat().st_size for file in files[:-1]]
        assert all(15_000 < size < 25_000 for size in sizes), sizes


class TestFromTheEnd:
    """Readers that give only what is written after they were made."""

    @pytest.mark.parametrize("options", [{}, {"threads": 2}, {"on_damage": "skip"}])
    def test_only_later_rows_come(self, options: Any, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, *ROWS[:30])
        append(path, *ROWS[30:40])
        following = Following(path, from_end=True, **options)
        append(path, *ROWS[40:45])
        following.until(5)
        append(path, ROWS[45])
        assert following.until(6) == ROWS[40:46]
        following.end()
        assert following.reader.rows == 6

    def test_in_a_stream_that_has_not_ended(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, "before")
        whole = path.read_bytes() + streamed(ROWS[:3], ROWS[3:5], ROWS[5:9])
        marks = [(0, 0), *ends(whole)]
        for at in range(0, len(whole) + 1, 7):
            path.write_bytes(whole[:at])
            with serow.Reader(path, follow=True, from_end=True, timeout=0) as reader:
                assert list(reader) == []
                with path.open("ab") as file:
                    file.write(whole[at:])
                known = max(rows for end, rows in marks if end <= at)
                assert list(reader) == ["before", *ROWS[:9]][known:]
                assert list(reader) == []

    def test_rows_of_another_type_before_are_not_decoded(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path) as writer:
            writer.write("a text")
            writer.flush()
            reader = serow.Reader(path, type=int, follow=True, from_end=True, timeout=0)
            assert list(reader) == []
        append(path, 7)
        assert list(reader) == [7]
        reader.close()

    @pytest.mark.parametrize("is_renamed", [True, False])
    def test_rotation_and_truncation(self, is_renamed: bool, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, *ROWS[:50])
        following = Following(path, from_end=True)
        append(path, "last of the first")
        following.until(1)
        if is_renamed:
            path.rename(tmp_path / "log.1")
        else:
            os.truncate(path, 0)
        append(path, *ROWS[:2])
        assert following.until(3) == ["last of the first", *ROWS[:2]]
        append(path, "more")
        assert following.until(4)[-1] == "more"
        following.end()

    def test_what_a_killed_writer_has_left_is_repaired(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3], ROWS[3:5])
        path.write_bytes(whole[: ends(whole)[0][0] + 30])
        following = Following(path, from_end=True)
        append(path, "next")
        assert following.until(1) == ["next"]
        following.end()

    def test_an_empty_file_and_other_files(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        path.touch()
        reader = serow.Reader(path, follow=True, from_end=True, timeout=0)
        append(path, 1)
        assert list(reader) == [1]
        reader.close()
        path.write_bytes(b"no stream of serow's")
        with pytest.raises(serow.DecodeError, match="not a serow message"):
            serow.Reader(path, follow=True, from_end=True)
        with pytest.raises(ValueError, match="from_end is for follow=True"):
            serow.Reader(path, from_end=True)
        with pytest.raises(FileNotFoundError):
            serow.Reader(tmp_path / "none", follow=True, from_end=True)

    def test_as_arrow(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, {"a": 1})
        with serow.Reader(path, follow=True, from_end=True, timeout=0) as reader:
            append(path, {"a": 2}, {"a": 3})
            assert serow.from_arrow(reader.arrow()) == [{"a": 2}, {"a": 3}]
