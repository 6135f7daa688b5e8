"""Files that grow: appended to by many, cut, repaired, followed, rotated, damaged."""

import fcntl
import io
import itertools
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st
from streams import OPTIONS, ROWS, append, ends, streamed

pytestmark = pytest.mark.once


def bytes_read() -> int:
    """Give the number of bytes that this process has read from files."""
    text = Path("/proc/self/io").read_text()
    return int(text.split("rchar: ")[1].split("\n")[0])


class TestAppending:
    def test_costs_the_same_whatever_the_file_holds(self, tmp_path: Path) -> None:
        path, costs = tmp_path / "log", []
        for n in range(600):
            before = bytes_read()
            own = bytes_read() - before
            append(path, (n, "event"))
            costs.append(bytes_read() - before - 2 * own)
        assert max(costs[-10:]) <= max(costs[5:15]) + 64
        assert list(serow.Reader(path)) == [(n, "event") for n in range(600)]
        with serow.view(path) as rows:
            assert (len(rows), rows[0], rows[599]) == (600, (0, "event"), (599, "event"))

    @pytest.mark.parametrize("options", OPTIONS)
    def test_every_flush_leaves_a_whole_file(self, options: dict[str, Any], tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True, **options) as writer:
            for n in range(0, 50, 5):
                writer.write_rows(ROWS[n : n + 5])
                writer.flush()
                assert list(serow.Reader(path)) == ROWS[: n + 5]
                assert len(serow.view(path)) == n + 5
            assert (writer.rows, writer.frames_written) == (50, 10)
            assert writer.bytes_written == path.stat().st_size
            writer.write_rows(ROWS[50:53])
        assert list(serow.Reader(path)) == ROWS[:53]

    def test_full_frames_are_whole_streams(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True) as writer:
            writer.write_rows((n, "x") for n in range(200_000))
            assert path.stat().st_size > 0
            written = len(list(serow.Reader(path)))
            assert 65_536 <= written <= 200_000
        rows = serow.view(path)
        assert (len(rows), rows[199_999]) == (200_000, (199_999, "x"))

    def test_many_frames_of_one_call(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        rows = [random.Random(n).randbytes(4000) for n in range(20_000)]
        append(path, *rows)
        assert list(serow.Reader(path)) == rows
        assert len(serow.view(path)) == 20_000

    def test_the_schema_stays_as_wide_as_it_was(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        with serow.Writer(path, append=True) as writer:
            for row in ((1, "a"), (2, None), (3, "b"), (4.5, None)):
                writer.write(row)
                writer.flush()
            assert "?" in str(writer.schema)
        assert list(serow.Reader(path)) == [(1, "a"), (2, None), (3, "b"), (4.5, None)]

    def test_a_new_file_without_rows_is_a_stream(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path)
        size = path.stat().st_size
        assert (serow.loads(path.read_bytes()), size > 0) == ([], True)
        append(path)
        assert path.stat().st_size == size

    def test_an_error_in_the_block_leaves_a_whole_file(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        for error in (KeyError, KeyboardInterrupt, SystemExit):
            with pytest.raises(error), serow.Writer(path, append=True) as writer:  # noqa: PT012
                writer.write(1)
                raise error
        with serow.Writer(path, append=True) as writer:
            writer.write(2)
            with pytest.raises(serow.EncodeError):
                writer.write(object())
        assert list(serow.Reader(path)) == [1, 1, 1, 2]

    def test_a_full_disk_leaves_whole_streams(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        code = f"""
import resource, signal, serow
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with serow.Writer({str(path)!r}, append=True, wire="row") as writer:
        for first in range(0, 10_000, 100):
            writer.write_rows(range(first, first + 100))
            writer.flush()
except OSError as error:
    print(error.errno, error.filename == {str(path)!r})
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("27 True\n", "")
        found = list(serow.Reader(path))
        assert found == list(range(len(found)))
        assert 1000 < len(found) < 10_000

    def test_devices_and_pipes_are_refused(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        os.symlink("fifo", tmp_path / "link")
        for path in ("/dev/null", tmp_path / "fifo", tmp_path / "link"):
            with pytest.raises(ValueError, match="is a pipe or device, and append is for files"):
                serow.Writer(path, append=True)

    def test_a_pipe_in_place_of_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        writer = serow.Writer(path, append=True)
        writer.write(1)
        path.unlink()
        os.mkfifo(path)
        with pytest.raises(ValueError, match="is a pipe or device"):
            writer.close()

    def test_a_link_to_a_file_is_the_file(self, tmp_path: Path) -> None:
        os.symlink("log", tmp_path / "link")
        append(tmp_path / "link", 1)
        append(tmp_path / "log", 2)
        assert list(serow.Reader(tmp_path / "link")) == [1, 2]

    @pytest.mark.parametrize("options", [{}, {"flush_seconds": 0.01}])
    def test_a_relative_path_stays_that_of_the_file(
        self, options: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        monkeypatch.chdir(tmp_path)
        append(Path("log"), "whole")
        with serow.Writer("log", append=True, **options) as writer:
            writer.write("before")
            writer.flush()
            monkeypatch.chdir(elsewhere)
            writer.write("after")
            writer.flush()
            # Another writer was killed here. What it has left is put aside beside the file.
            with open("../log", "ab") as file:
                file.write(b"part")
            writer.write("last")
        assert list(serow.Reader("../log")) == ["whole", "before", "after", "last"]
        assert os.listdir(elsewhere) == []
        (aside,) = tmp_path.glob("log.cut-*")
        assert aside.read_bytes() == b"part"

    def test_a_child_does_not_keep_the_lock_of_a_killed_parent(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        code = f"""
import os, signal, sys, time, serow
def rows():
    # The writer begins its turn when some megabytes wait.
    for n in range(200):
        yield n.to_bytes(2, "big") * 100_000
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(60)
        os._exit(0)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGKILL)
with serow.Writer({str(path)!r}, append=True) as writer:
    writer.write_rows(rows())
"""
        parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        try:
            assert parent.wait(20) == -signal.SIGKILL
            assert path.stat().st_size > 1 << 20
            with open(path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.kill(child, signal.SIGKILL)
            parent.stdout.close()
        append(path, b"next")
        assert list(serow.Reader(path))[-1] == b"next"

    def test_a_directory_that_is_not_there(self, tmp_path: Path) -> None:
        path = tmp_path / "none" / "log"
        with pytest.raises(FileNotFoundError) as error:
            serow.Writer(path, append=True)
        assert error.value.filename == path


class TestCutFiles:
    """A writer that is killed may leave any number of its last bytes unwritten."""

    @pytest.mark.parametrize("options", OPTIONS[:4])
    def test_whole_frames_stay_and_rows_follow(
        self, options: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3], ROWS[3:5], **options) + streamed(ROWS[5:9], ROWS[9:10])
        marks = ends(whole)
        for length in range(len(whole) + 1):
            path.write_bytes(whole[:length])
            end, rows = max([(0, 0), *(mark for mark in marks if mark[0] <= length)])
            starts = [0, *(at for at, _ in marks if whole[at : at + 4] == b"SROW")]
            # A file that begins as serow's do stays one.
            kept = 32 if length >= 32 and end == 0 else end
            caplog.clear()
            append(path, "next")
            assert list(serow.Reader(path)) == [*ROWS[:rows], "next"]
            assert len(serow.view(path)) == rows + 1
            cut = path.with_name(f"log.cut-{kept}")
            assert cut.exists() == (length > kept)
            if cut.exists():
                assert cut.read_bytes() == whole[kept:length]
                cut.unlink()
            ends_whole = length == len(whole) or length in starts
            assert bool(caplog.records) == (not ends_whole)

    @given(data=st.data())
    def test_recover_says_what_it_found(self, data: st.DataObject, tmp_path_factory: Any) -> None:
        path = tmp_path_factory.mktemp("logs") / "log"
        whole = streamed(ROWS[:3], ROWS[3:50]) + streamed(ROWS[50:60])
        length = data.draw(st.integers(4, len(whole)))
        path.write_bytes(whole[:length])
        found = serow.recover(path)
        rows = list(serow.Reader(path))
        assert rows == ROWS[: len(rows)]
        assert (found.rows, found.bytes) == (len(rows), path.stat().st_size)
        assert found.damaged_bytes == 0
        if found.cut_bytes:
            assert found.cut_path is not None
            assert os.path.getsize(found.cut_path) == found.cut_bytes
            assert whole[:length].endswith(Path(found.cut_path).read_bytes())
        else:
            assert found.cut_path is None
        assert serow.recover(str(path)) == (found.rows, found.bytes, 0, None, 0)

    def test_a_writer_killed_while_it_appends(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        code = f"""
import serow
with serow.Writer({str(path)!r}, append=True) as writer:
    for n in range(10_000_000):
        writer.write((n, "x" * (n % 500)))
        if n % 50 == 49:
            writer.flush()
"""
        for _ in range(3):
            before = len(list(serow.Reader(path))) if path.exists() else 0
            size = path.stat().st_size if path.exists() else 0
            child = subprocess.Popen([sys.executable, "-c", code])
            while not path.exists() or path.stat().st_size < size + 50_000:
                time.sleep(0.01)
            child.kill()
            child.wait()
            append(path, "mark")
            rows = list(serow.Reader(path))[before:]
            assert rows == [*((n, "x" * (n % 500)) for n in range(len(rows) - 1)), "mark"]

    def test_foreign_files_are_not_touched(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        later = streamed(ROWS[:3]) + b"SROW\x02\x00\x00\x00 a later version"
        for data in (b"other", b"\x00" * 100, b"PAR1" * 50, b"SROX....", later):
            path.write_bytes(data)
            for call in (lambda: serow.Writer(path, append=True), lambda: serow.recover(path)):
                with pytest.raises(serow.DecodeError):
                    call()
                assert path.read_bytes() == data
        assert os.listdir(tmp_path) == ["log"]
        with pytest.raises(FileNotFoundError):
            serow.recover(tmp_path / "none")
        with pytest.raises(ValueError, match="pipe or device"):
            serow.recover("/dev/null")

    def test_what_was_put_aside_before_stays(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:3])
        for n in range(3):
            path.write_bytes(whole + bytes([n + 1]))
            path.chmod(0o600)
            found = serow.recover(path)
            assert found.cut_path is not None
            assert Path(found.cut_path).read_bytes() == bytes([n + 1])
            assert os.stat(found.cut_path).st_mode & 0o777 == 0o600
        assert len(os.listdir(tmp_path)) == 4

    def test_damage_in_the_middle_stays(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        whole = streamed(ROWS[:30], ROWS[30:60], ROWS[60:90])
        first, second, third = (end for end, _ in ends(whole)[:3])
        data = bytearray(whole[: third + 11])
        data[second - 20] ^= 1
        path.write_bytes(data)
        found = serow.recover(path)
        assert (found.rows, found.cut_bytes) == (60, 11)
        assert found.damaged_bytes == second - first
        append(path, "next")
        reader = serow.Reader(path, on_damage="skip")
        assert list(reader) == [*ROWS[:30], *ROWS[60:90], "next"]


class TestDamage:
    def test_is_an_error_unless_it_is_skipped(self, caplog: pytest.LogCaptureFixture) -> None:
        data = bytearray(streamed(ROWS[:30], ROWS[30:60], ROWS[60:90]))
        marks = [end for end, _ in ends(bytes(data))]
        data[marks[0] + 50] ^= 4
        with pytest.raises(serow.DecodeError, match="checksum"):
            list(serow.Reader(io.BytesIO(bytes(data))))
        reader = serow.Reader(io.BytesIO(bytes(data)), on_damage="skip")
        assert list(reader) == ROWS[:30] + ROWS[60:90]
        assert (reader.rows, reader.rows_lost) == (60, 30)
        assert reader.bytes_lost == marks[1] - marks[0]
        assert reader.bytes_read == len(data)
        assert "damaged bytes" in caplog.text
        with pytest.raises(ValueError, match="on_damage"):
            serow.Reader(io.BytesIO(), on_damage="ignore")  # type: ignore[arg-type]

    @pytest.mark.parametrize("threads", [None, 3])
    @given(data=st.data())
    def test_never_changes_other_rows(self, threads: int | None, data: st.DataObject) -> None:
        batches = [ROWS[n : n + 10] for n in range(0, 80, 10)]
        whole = streamed(*batches[:4], compression="zstd") + streamed(*batches[4:], wire="row")
        damaged = bytearray(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(damaged) - 1))
            kind = data.draw(st.sampled_from(["flip", "cut", "insert"]))
            count = data.draw(st.integers(1, 40))
            if kind == "flip":
                damaged[at] ^= data.draw(st.integers(1, 255))
            elif kind == "cut":
                del damaged[at : at + count]
            else:
                damaged[at:at] = bytes(count)
        reader = serow.Reader(io.BytesIO(bytes(damaged)), on_damage="skip", threads=threads)
        found = []
        try:
            found = list(reader.frames())
        except serow.DecodeError:
            # Only if nothing says that it is of serow.
            assert reader.rows == 0
        assert all(rows in batches for rows in found)
        assert [batches.index(rows) for rows in found] == sorted(map(batches.index, found))

    def test_zeros_and_noise_between_streams(self) -> None:
        noise = random.Random(1).randbytes(300_000)
        for between in (bytes(100_000), noise, b"SROW" * 1000, b"\x01\x00\x00\x00" * 1000):
            data = streamed(ROWS[:3]) + between + streamed(ROWS[3:6])
            reader = serow.Reader(io.BytesIO(data), on_damage="skip")
            assert list(reader) == ROWS[:6]
            assert reader.bytes_lost == len(between)

    def test_bytes_that_look_like_frames_everywhere_take_no_time(self) -> None:
        stream, message = streamed(ROWS[:3]), serow.dumps(ROWS[:3])
        for piece in (stream[32:80], stream[:80], message[:-1], message + b"x"):
            data = streamed(ROWS[:3]) + (b"-" + piece) * 100_000
            began = time.monotonic()
            reader = serow.Reader(io.BytesIO(data), on_damage="skip")
            assert list(reader) == ROWS[:3]
            # The last piece is the begin of a stream that is cut.
            assert reader.bytes_lost >= 99_999 * (len(piece) + 1)
            assert time.monotonic() - began < 60


APPENDER = """
import sys, serow
path, name, rows, each = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for first in range(0, rows, 4 * each):
    with serow.Writer(path, append=True) as writer:
        for n in range(first, first + 4 * each):
            writer.write((name, n, "x" * (n % 300)))
            if n % each == each - 1:
                writer.flush()
"""


class TestManyWriters:
    def start(self, path: Path, name: str, rows: int, each: int = 5) -> "subprocess.Popen[bytes]":
        arguments = [str(path), name, str(rows), str(each)]
        return subprocess.Popen([sys.executable, "-c", APPENDER, *arguments])

    def test_processes_append_whole_frames_in_turns(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        children = [self.start(path, name, 2000) for name in "abcd"]
        assert [child.wait() for child in children] == [0, 0, 0, 0]
        rows = list(serow.Reader(path))
        for name in "abcd":
            assert [n for of, n, _ in rows if of == name] == list(range(2000))
        assert len(serow.view(path)) == 8000
        assert os.listdir(tmp_path) == ["log"]

    def test_one_of_them_may_be_killed(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        children = [self.start(path, name, 100_000_000) for name in "ab"]
        last = self.start(path, "c", 1000)
        time.sleep(0.3)
        for child in children:
            child.kill()
        assert last.wait() == 0
        append(path, ("end", 0, ""))
        rows = list(serow.Reader(path))
        for name in "abc":
            of = [n for of, n, _ in rows if of == name]
            assert of == list(range(len(of)))
        assert rows[-1] == ("end", 0, "")

    def test_they_follow_a_file_that_was_renamed(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        children = [self.start(path, name, 10_000) for name in "ab"]
        renamed = 0
        while any(child.poll() is None for child in children):
            time.sleep(0.01)
            if path.exists():
                path.rename(tmp_path / f"log.{renamed:04}")
                renamed += 1
        assert [child.wait() for child in children] == [0, 0]
        files = sorted(tmp_path.iterdir(), key=lambda it: (it.name == "log", it.name))
        rows = [row for file in files for row in serow.Reader(file)]
        assert len(files) > 1
        for name in "ab":
            assert [n for of, n, _ in rows if of == name] == list(range(10_000))

    def test_threads_with_a_writer_each(self, tmp_path: Path) -> None:
        path = tmp_path / "log"

        def work(name: str) -> None:
            with serow.Writer(path, append=True) as writer:
                for n in range(300):
                    writer.write((name, n))
                    writer.flush()

        threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = list(serow.Reader(path))
        for name in "abc":
            assert [n for of, n in rows if of == name] == list(range(300))

    def test_ctrl_c_while_another_writes_loses_no_row(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 0)
        holder = f"""
import fcntl, time
file = open({str(path)!r}, "rb")
fcntl.flock(file, fcntl.LOCK_EX)
print("locked", flush=True)
time.sleep(1.5)
"""
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            writer = serow.Writer(path, append=True)
            child = subprocess.Popen([sys.executable, "-c", holder], stdout=subprocess.PIPE)
            assert child.stdout is not None
            child.stdout.readline()
            with pytest.raises(KeyboardInterrupt), writer:  # noqa: PT012
                writer.write(1)
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                writer.flush()
            child.communicate()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert list(serow.Reader(path)) == [0, 1]


def test_the_helper_finds_the_frames_of_the_format() -> None:
    data = streamed(ROWS[:3], ROWS[3:5])
    lengths = [len(frame.to_bytes()) for frame in wire_format.frames(data)]
    assert [end for end, _ in ends(data)][: len(lengths)] == [
        32 + sum(lengths[: n + 1]) + 24 * (n + 1) for n in range(len(lengths))
    ]


def test_nothing_is_said_about_whole_files(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for n in range(3):
        append(tmp_path / "log", n)
    list(serow.Reader(tmp_path / "log", on_damage="skip"))
    assert not caplog.records


class TestFlippedBytes:
    """Any byte may be wrong, in a header too."""

    @pytest.mark.parametrize("mask", [0xFF, 0x01])
    def test_only_the_rows_of_its_frame_are_lost(self, mask: int, tmp_path: Path) -> None:
        path = tmp_path / "log"
        for n in range(0, 10, 2):
            append(path, (n, f"row {n}"), (n + 1, f"row {n + 1}"))
        whole, all_rows = path.read_bytes(), list(serow.Reader(path))

        def left() -> list[Any]:
            with serow.Reader(path, on_damage="skip") as reader:
                return list(reader)

        for at in range(len(whole)):
            damaged = bytearray(whole)
            damaged[at] ^= mask
            path.write_bytes(damaged)
            found = left()
            assert found in [
                all_rows,
                *(all_rows[:n] + all_rows[n + 2 :] for n in range(0, 10, 2)),
            ], at
            append(path, (10, "new"))
            assert left() == [*found, (10, "new")], at
            serow.recover(path)
            assert left() == [*found, (10, "new")], at


class TestRowsThatHoldLogs:
    """Messages, streams and the log itself in rows are rows."""

    def rows(self, path: Path) -> list[bytes]:
        stream, message = streamed(ROWS[:3], ROWS[3:5]), serow.dumps(ROWS[:3])
        rows = [b"first", stream, message * 3, stream[:-20]]
        append(path, *rows)
        rows.append(path.read_bytes())
        append(path, rows[-1], b"last")
        return [*rows, b"last"]

    def test_wherever_the_log_is_cut(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        rows = self.rows(path)
        whole = path.read_bytes()
        for length in range(32, len(whole), 7):
            path.write_bytes(whole[:length])
            left = rows[: max([0, *(count for end, count in ends(whole) if end <= length)])]
            with serow.Reader(path, on_damage="skip") as reader:
                assert list(reader) == left, length
            append(path, b"next")
            assert list(serow.Reader(path)) == [*left, b"next"], length
            for aside in tmp_path.glob("log.cut-*"):
                aside.unlink()

    def test_whichever_byte_is_wrong(self, tmp_path: Path) -> None:
        path = tmp_path / "log"
        rows = self.rows(path)
        whole = path.read_bytes()
        for at in range(0, len(whole), 5):
            damaged = bytearray(whole)
            damaged[at] ^= 0x10
            found = list(serow.Reader(io.BytesIO(damaged), on_damage="skip"))
            assert found in (rows, rows[4:], rows[:4]), at


def test_a_part_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for n in range(0, 6, 2):
        append(path, n, n + 1)
    whole = path.read_bytes()
    frames = [0, *(end for end, _ in ends(whole))]
    for begin, end in itertools.pairwise(frames[1:]):
        data = whole[:end] + whole[begin:]
        reader = serow.Reader(io.BytesIO(data), on_damage="skip")
        assert (list(reader), reader.rows_lost) == (list(range(6)), 0)
        with pytest.raises(serow.DecodeError):
            list(serow.Reader(io.BytesIO(data)))
    with pytest.raises(serow.DecodeError, match="row 2 of the log, and row 4 was expected"):
        list(serow.Reader(io.BytesIO(whole[: frames[4]] + whole[frames[2] :])))
    # Logs that are joined are several logs, also if they are the same.
    assert list(serow.Reader(io.BytesIO(whole + whole))) == [*range(6), *range(6)]


class TestZeros:
    """A file system may leave zeros or a hole at the end of a file after a power failure."""

    def test_are_skipped_and_put_aside_as_a_hole(self, tmp_path: Path) -> None:
        path, size = tmp_path / "log", 64 << 20
        append(path, 1, 2)
        whole = path.stat().st_size
        os.truncate(path, whole + size)
        with serow.Reader(path, on_damage="skip") as reader:
            assert list(reader) == [1, 2]
            assert reader.bytes_lost == size
        append(path, 3)
        assert list(serow.Reader(path)) == [1, 2, 3]
        aside = Path(f"{path}.cut-{whole}").stat()
        assert aside.st_size == size
        assert aside.st_blocks * 512 < size // 16

    @pytest.mark.parametrize("count", range(1, 70))
    def test_before_whole_frames(self, count: int, tmp_path: Path) -> None:
        path = tmp_path / "log"
        append(path, 1)
        with open(path, "ab") as file:
            file.write(bytes(count) + streamed([2]))
        with serow.Reader(path, on_damage="skip") as reader:
            assert list(reader) == [1, 2]
            assert reader.bytes_lost == count


def test_the_schema_is_there_again_after_many_damaged_frames() -> None:
    file = io.BytesIO()
    ends = []
    with serow.Writer(file) as writer:
        for key in range(40):
            writer.write({"key": key})
            writer.flush()
            ends.append(writer.bytes_written)
    damaged = bytearray(file.getvalue())
    damaged[64 : ends[6]] = bytes(ends[6] - 64)
    reader = serow.Reader(io.BytesIO(damaged), on_damage="skip")
    # The next frame with the schema is frame 8.
    assert [row["key"] for row in reader] == list(range(8, 40))
    assert reader.rows_lost == 8
