"""Streams: rows written to files and pipes and read back, whole, cut, damaged and concatenated."""

import gzip
import io
import itertools
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import serow
import wire_format
from hypothesis import given
from hypothesis import strategies as st
from rowtext import canonical
from strategies import rows as any_rows
from streams import OPTIONS, ROWS, read, streamed

pytestmark = pytest.mark.tiers


class Slow:
    """A file that takes and gives one byte at a time."""

    def __init__(self, data: bytes = b"") -> None:
        self.inner = io.BytesIO(data)

    def read(self, count: int) -> bytes:
        assert count > 0
        return self.inner.read(1)

    def write(self, data: bytes) -> int:
        return self.inner.write(data[:1])


@pytest.mark.parametrize("options", OPTIONS)
class TestRoundTrip:
    def test_rows_come_back(self, options: dict[str, Any], access: str) -> None:
        for size in (1, 7, 1000):
            batches = [ROWS[at : at + size] for at in range(0, len(ROWS), size)]
            data = streamed(*batches, **options)
            assert read(data) == ROWS
            assert [len(rows) for rows in serow.Reader(io.BytesIO(data)).frames()] == [
                len(batch) for batch in batches
            ]
            assert serow.loads(data) == ROWS

    def test_rows_one_by_one(self, options: dict[str, Any], access: str) -> None:
        file = io.BytesIO()
        with serow.Writer(file, **options) as writer:
            for n, row in enumerate(ROWS, 1):
                writer.write(row)
                assert writer.rows == n
        assert read(file.getvalue()) == ROWS

    def test_by_path(self, options: dict[str, Any], tmp_path: Path) -> None:
        for path in (tmp_path / "rows", str(tmp_path / "others")):
            with serow.Writer(path, **options) as writer:
                writer.write_rows(iter(ROWS))
            with serow.Reader(path) as reader:
                assert list(reader) == ROWS
                assert reader.rows == len(ROWS)
                assert reader.bytes_read == os.path.getsize(path) == writer.bytes_written

    def test_slow_files(self, options: dict[str, Any]) -> None:
        slow = Slow()
        with serow.Writer(slow, **options) as writer:
            writer.write_rows(ROWS[:100])
        assert list(serow.Reader(Slow(slow.inner.getvalue()))) == ROWS[:100]

    def test_cut_at_every_byte(self, options: dict[str, Any]) -> None:
        batches = [ROWS[:3], ROWS[3:10], ROWS[10:11]]
        data = streamed(*batches, **options)
        whole = 0
        for end in range(1, len(data)):
            reader, found = serow.Reader(io.BytesIO(data[:end])), []
            with pytest.raises(serow.DecodeError) as error:
                found.extend(reader.frames())
            assert found == batches[: len(found)]
            assert "is cut" in str(error.value)
            assert str(end) in str(error.value)
            with pytest.raises(serow.DecodeError, match="is cut"):
                next(reader.frames())
            whole = max(whole, len(found))
        assert whole == 3


def test_each_damaged_byte_is_found() -> None:
    data = streamed(ROWS[:3], ROWS[3:5], compression="zstd")
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        with pytest.raises(serow.DecodeError):
            read(bytes(damaged))


def test_frames_may_not_be_swapped_or_repeated() -> None:
    data = streamed(ROWS[:3], [("x",)] * 3, ROWS[5:7])
    lengths = (len(frame.to_bytes()) for frame in wire_format.frames(data))
    ends = list(itertools.accumulate(lengths, initial=8))
    first, second, third = (data[a:b] for a, b in itertools.pairwise(ends))
    index = data[ends[-1] :]
    for frames in ([third, second, first], [first, first, second, third], [first, second]):
        with pytest.raises(serow.DecodeError):
            read(data[:8] + b"".join(frames) + index)
    assert read(data[:8] + first + second + third + index) == [*ROWS[:3], *[("x",)] * 3, *ROWS[5:7]]


class TestAnyRows:
    @given(rows=any_rows(), cuts=st.sets(st.integers(0, 20)), options=st.sampled_from(OPTIONS[:4]))
    def test_come_back_from_any_batches(
        self, rows: list[Any], cuts: set[int], options: dict[str, Any]
    ) -> None:
        edges = [0, *sorted(cut for cut in cuts if cut < len(rows)), len(rows)]
        data = streamed(*(rows[a:b] for a, b in itertools.pairwise(edges)), **options)
        wanted = list(map(canonical, rows))
        assert list(map(canonical, read(data))) == wanted
        view = serow.view(data)
        assert [canonical(view[n]) for n in reversed(range(len(rows)))] == wanted[::-1]


class TestMisfits:
    def test_a_row_without_type_leaves_the_stream_usable(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file) as writer:
            writer.write_rows(ROWS[:5])
            with pytest.raises(serow.EncodeError) as error:
                writer.write_rows([*ROWS[5:8], (8, object(), 1.0), *ROWS[9:]])
            assert (error.value.row, error.value.path) == (3, (1,))
            with pytest.raises(serow.EncodeError) as error:
                writer.write(object())
            assert error.value.row == 0
            writer.write_rows(ROWS[8:])
        assert read(file.getvalue()) == ROWS

    def test_a_generators_rows_are_counted_from_its_beginning(self) -> None:
        file = io.BytesIO()
        rows = itertools.chain(itertools.repeat(1, 70_000), [{1, object}], [2])
        with serow.Writer(file) as writer:
            with pytest.raises(serow.EncodeError) as error:
                writer.write_rows(rows)
            assert error.value.row == 70_000
            assert str(error.value).startswith("row 70000")
            with pytest.raises(serow.EncodeError) as error:
                writer.write_rows(itertools.chain([1] * 140_000, [{1, object}]))
            assert (error.value.row, writer.rows) == (140_000, 210_000)
            assert str(error.value).startswith("row 140000")
        assert read(file.getvalue()) == [1] * 210_000

    def test_rows_widen_the_schema(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file) as writer:
            writer.write((1, "a"))
            assert str(writer.schema) == "(i64, str)"
            writer.write((2, None))
            assert str(writer.schema) == "(i64, str?)"
            writer.write({"key": 1})
        assert read(file.getvalue()) == [(1, "a"), (2, None), {"key": 1}]

    def test_a_given_schema_does_not_widen(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file, "(i64, str)") as writer:
            writer.write((1, "a"))
            with pytest.raises(serow.EncodeError):
                writer.write((2, None))
            with pytest.raises(serow.EncodeError):
                writer.write_rows([(3, "b"), (4, 4)])
            assert str(writer.schema) == "(i64, str)"
        assert read(file.getvalue()) == [(1, "a"), (3, "b")]

    def test_an_iterator_that_fails(self) -> None:
        def rows() -> Iterator[int]:
            yield from range(100)
            raise ValueError("no more")

        file = io.BytesIO()
        with serow.Writer(file) as writer:
            with pytest.raises(ValueError, match="no more"):
                writer.write_rows(rows())
            writer.write(100)
        assert read(file.getvalue()) == list(range(101))

    def test_long_rows_of_an_iterator_do_not_pile_up(self) -> None:
        """The rows of a batch that short rows would have take gigabytes."""
        text, made, most, written = "z" * (1 << 20), 0, 0, 0

        def rows() -> Iterator[str]:
            nonlocal made, most
            for _ in range(1000):
                made += 1
                most = max(most, made - written)
                yield text

        def progress(rows: int, _: int) -> None:
            nonlocal written
            written = rows

        with serow.Writer(io.BytesIO(), progress=progress) as writer:
            writer.write_rows(rows())
            assert writer.frames_written > 1
        assert made == 1000
        assert most <= 256

    def test_nothing_is_written_after_the_end(self) -> None:
        writer = serow.Writer(io.BytesIO())
        writer.close()
        writer.close()
        for call in (lambda: writer.write(1), lambda: writer.write_rows([1]), writer.flush):
            with pytest.raises(ValueError, match="the stream has ended"):
                call()

    @pytest.mark.parametrize("options", [{"wire": "x"}, {"compression": "x"}, {"level": 1}])
    def test_bad_options_leave_no_file_open(self, options: Any, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"wire|compression"):
            serow.Writer(tmp_path / "x", **options)
        with pytest.raises(serow.SchemaError):
            serow.Writer(tmp_path / "x", "(i65")

    def test_what_is_no_file_is_refused(self) -> None:
        for file in (b"rows", bytearray(), 7, None, [1]):
            with pytest.raises(TypeError, match="file"):
                serow.Writer(file)
            with pytest.raises(TypeError, match="file"):
                serow.Reader(file)
        near, far = socket.socketpair()
        with near, far, pytest.raises(TypeError, match=r"makefile\('rwb'\)"):
            serow.Writer(near)

    def test_text_files_are_refused(self) -> None:
        with pytest.raises(TypeError):
            serow.Writer(io.StringIO())
        with pytest.raises(TypeError, match="'rb'"):
            list(serow.Reader(io.StringIO("SROW....")))


class TestFailingFiles:
    class Full:
        """A file that fails after so many bytes."""

        def __init__(self, room: int) -> None:
            self.room = room
            self.data = b""

        def write(self, data: bytes) -> int:
            if self.room == 0:
                raise OSError(28, "No space left on device")
            taken = bytes(data[: self.room])
            self.room -= len(taken)
            self.data += taken
            return len(taken)

    def test_a_full_disk_leaves_whole_frames(self) -> None:
        batches = [ROWS[:10], ROWS[10:20], ROWS[20:30]]
        whole = len(streamed(*batches))
        for room in range(0, whole, 7):
            full = self.Full(room)
            with pytest.raises(OSError, match="No space"), serow.Writer(full) as writer:  # noqa: PT012
                for batch in batches:
                    writer.write_rows(batch)
                    writer.flush()
            found = []
            if full.data:
                with pytest.raises(serow.DecodeError):
                    found.extend(serow.Reader(io.BytesIO(full.data)).frames())
            assert found == batches[: len(found)]

    def test_a_failed_write_to_a_path_leaves_no_part_of_a_frame(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        code = f"""
import resource, signal, serow
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    with serow.Writer({str(path)!r}, wire="row") as writer:
        for first in range(0, 10_000, 100):
            writer.write_rows(range(first, first + 100))
            writer.flush()
except OSError as error:
    print(error.errno)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("27\n", "")
        found: list[Any] = []
        with pytest.raises(serow.DecodeError, match="cut"):
            found.extend(serow.Reader(path))
        assert len(found) > 1000
        assert len(found) % 100 == 0
        assert found == list(range(len(found)))
        assert path.stat().st_size <= 20_000

    def test_a_killed_writer_leaves_whole_frames(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        code = f"""
import os, signal, serow
writer = serow.Writer({str(path)!r})
writer.write_rows(range(1000))
writer.flush()
writer.write_rows(range(1000, 1100))
os.kill(os.getpid(), signal.SIGKILL)
"""
        assert subprocess.run([sys.executable, "-c", code]).returncode == -9
        found: list[Any] = []
        with pytest.raises(serow.DecodeError, match="cut"):
            found.extend(serow.Reader(path))
        assert found == list(range(1000))

    def test_an_error_of_read_loses_nothing(self) -> None:
        data = streamed(ROWS[:10], ROWS[10:20])

        class Interrupted(Slow):
            def __init__(self) -> None:
                super().__init__(data)
                self.calls = 0

            def read(self, count: int) -> bytes | None:  # type: ignore[override]
                self.calls += 1
                if self.calls % 5 == 0:
                    raise TimeoutError("again")
                return None if self.calls % 7 == 0 else super().read(count)

        reader, found = serow.Reader(Interrupted()), []
        while True:
            try:
                found.extend(reader)
                break
            except (TimeoutError, BlockingIOError):
                pass
        assert found == ROWS[:20]

    def test_iterators_go_on_after_an_error_of_read(self) -> None:
        class Late(io.BytesIO):
            late = True

            def read(self, count: int | None = -1) -> bytes:
                self.late = not self.late
                if not self.late:
                    raise TimeoutError("late")
                return super().read(min(count or 0, 50))

        def all_of(rows: Iterator[Any]) -> list[Any]:
            found = []
            while True:
                try:
                    found.append(next(rows))
                except TimeoutError:
                    pass
                except StopIteration:
                    return found

        data = streamed(ROWS[:20], ROWS[20:40])
        assert all_of(iter(serow.Reader(Late(data)))) == ROWS[:40]
        assert all_of(serow.Reader(Late(data)).frames()) == [ROWS[:20], ROWS[20:40]]

    def test_an_error_of_a_frame_is_raised_again_by_its_iterator(self) -> None:
        rows = iter(serow.Reader(io.BytesIO(streamed(ROWS[:20])[:-1])))
        assert list(itertools.islice(rows, 20)) == ROWS[:20]
        for _ in range(2):
            with pytest.raises(serow.DecodeError, match="cut"):
                next(rows)

    def test_rows_that_change_while_they_are_written(self) -> None:
        rows = [(n, f"text {n}") for n in range(200_000)]
        expected = rows[:]

        class Clearing:
            def __init__(self) -> None:
                self.data = b""

            def write(self, data: bytes) -> int:
                if self.data:
                    rows.clear()
                self.data += data
                return len(data)

        file = Clearing()
        with serow.Writer(file) as writer:
            writer.write_rows(rows)
        assert read(file.data) == expected

    def test_a_file_that_takes_nothing_is_refused(self) -> None:
        class Closed:
            def write(self, data: bytes) -> int:
                return 0

        with pytest.raises(OSError, match=r"write\(\) returned 0"):
            serow.Writer(Closed())

    @pytest.mark.parametrize("extra", [-3, 1])
    def test_a_file_that_miscounts_is_refused(self, extra: int) -> None:
        class Miscounting(io.BytesIO):
            def write(self, data: Any) -> int:
                return extra if extra < 0 else super().write(data) + extra

        with pytest.raises(OSError, match=r"write\(\) returned -?\d+ for \d+ bytes"):
            serow.Writer(Miscounting(), "i64").flush()

    def test_a_second_close_does_nothing(self) -> None:
        file = io.BytesIO()
        with serow.Writer(file) as writer:
            writer.write(1)
            writer.close()
            data = file.getvalue()
            file.close()
        assert read(data) == [1]

    def test_an_error_of_a_frame_is_raised_again(self) -> None:
        reader = serow.Reader(io.BytesIO(streamed(ROWS)), max_memory=1)
        for _ in range(2):
            with pytest.raises(serow.LimitError):
                list(reader)

    def test_a_file_that_gives_too_much_is_refused(self) -> None:
        class Greedy:
            def read(self, count: int) -> bytes:
                return bytes(count + 1)

        with pytest.raises(OSError, match="more than"):
            list(serow.Reader(Greedy()))


class TestSeveralStreams:
    def test_concatenated_streams_read_as_one(self) -> None:
        data = streamed(ROWS[:3]) + serow.dumps(["x"]) + streamed() + streamed([None], wire="row")
        reader = serow.Reader(io.BytesIO(data))
        assert list(reader) == [*ROWS[:3], "x", None]
        assert (reader.rows, reader.bytes_read) == (5, len(data))

    def test_a_file_is_appended_to(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        for n in range(3):
            with serow.Writer(path, append=True) as writer:
                writer.write_rows(ROWS[n * 10 : n * 10 + 10])
        assert list(serow.Reader(path)) == ROWS[:30]
        with serow.Writer(path) as writer:
            writer.write(1)
        assert list(serow.Reader(path)) == [1]
        with pytest.raises(ValueError, match="append is for paths"):
            serow.Writer(io.BytesIO(), append=True)

    def test_another_protocol_goes_on_after_a_stream(self) -> None:
        file = io.BytesIO(streamed(ROWS[:3], ROWS[3:9]) + b"the rest")
        reader = serow.Reader(file, one_stream=True)
        assert list(reader) == ROWS[:9]
        assert reader.bytes_read == file.tell()
        assert file.read() == b"the rest"
        file.seek(0)
        with pytest.raises(serow.DecodeError, match="at byte"):
            list(serow.Reader(file))

    @pytest.mark.parametrize("wire", ["frame", "row"])
    def test_a_stream_without_rows_keeps_its_schema(self, wire: Any, tmp_path: Path) -> None:
        file, log = io.BytesIO(), tmp_path / "log"
        with serow.Writer(file, "(i64, str)", wire=wire):
            pass
        with serow.Writer(log, "(i64, str)", wire=wire, append=True):
            pass
        frames = [wire_format.frames(data) for data in (file.getvalue(), log.read_bytes())]
        assert frames[0] == frames[1]
        assert str(serow.schema_of(file.getvalue())) == "(i64, str)"
        assert list(serow.Reader(log)) == []
        with serow.Writer(log, append=True) as writer:
            writer.write((1, "a"))
        assert list(serow.Reader(log)) == [(1, "a")]
        assert list(serow.view(log)) == [(1, "a")]
        assert serow.view(log)[0] == (1, "a")

    def test_an_empty_file_has_no_rows(self) -> None:
        assert read(b"") == []
        assert read(streamed()) == []

    def test_messages_are_appended_to_and_other_files_are_not(self, tmp_path: Path) -> None:
        path = tmp_path / "rows"
        path.write_bytes(serow.dumps(ROWS[:5]))
        with serow.Writer(path, append=True) as writer:
            writer.write_rows(ROWS[5:9])
        assert list(serow.Reader(path)) == ROWS[:9]
        path.write_bytes(b"other")
        with pytest.raises(serow.DecodeError, match="not a serow message"):
            serow.Writer(path, append=True)
        assert path.read_bytes() == b"other"


class TestView:
    def test_any_row_and_frame(self, access: str) -> None:
        for options in OPTIONS:
            data = streamed(ROWS[:7], ROWS[7:8], ROWS[8:300], **options) + streamed(ROWS[300:])
            rows = serow.view(io.BytesIO(data))
            assert [len(frame) for frame in rows.frames] == [7, 1, 292, 700]
            assert len(rows) == len(ROWS)
            for n in (0, 6, 7, 8, 299, 300, 999, -1, -1000):
                assert rows[n] == ROWS[n]
            assert rows[5:310:7] == ROWS[5:310:7]
            assert rows[::-100] == ROWS[::-100]
            assert list(rows) == ROWS
            assert list(reversed(rows))[:3] == ROWS[:-4:-1]
            assert ROWS[500] in rows
            for n in (1000, -1001, 2**70):
                with pytest.raises(IndexError):
                    rows[n]

    def test_a_type_and_a_memory_limit(self, tmp_path: Path) -> None:
        @dataclass
        class Part:
            key: int
            name: str = "none"

        path = tmp_path / "parts"
        with serow.Writer(path) as writer:
            writer.write_rows([{"key": n} for n in range(100)])
        with serow.view(path, type=Part) as rows:
            assert rows[50] == Part(50)
        with serow.view(path, max_memory=100) as rows, pytest.raises(serow.LimitError):
            rows[0]

    def test_other_data(self) -> None:
        assert len(serow.view(io.BytesIO())) == 0
        assert list(serow.view(io.BytesIO(streamed()))) == []
        for data in (serow.dumps([1])[:-1], streamed([1])[:-1], b"x" * 100):
            with pytest.raises(serow.DecodeError):
                serow.view(data)
        with pytest.raises(TypeError, match="data must be a path, a buffer or a file"):
            serow.view(7)  # type: ignore[arg-type]

    def test_an_index_that_lies_or_a_damaged_frame(self) -> None:
        data = streamed(ROWS[:3], ROWS[3:5])
        for at in range(len(data)):
            damaged = bytearray(data)
            damaged[at] ^= 0x10
            with pytest.raises(serow.DecodeError):
                list(serow.view(io.BytesIO(bytes(damaged))))
            with pytest.raises(serow.DecodeError):
                list(reversed(serow.view(bytes(damaged))))

    def test_a_file_that_became_shorter(self) -> None:
        file = io.BytesIO(streamed(ROWS))
        rows = serow.view(file)
        file.truncate(100)
        with pytest.raises(serow.DecodeError):
            rows[0]


class TestReading:
    def test_rows_and_frames_go_on_where_the_other_stopped(self) -> None:
        data = streamed(ROWS[:4], ROWS[4:8], ROWS[8:12])
        reader = serow.Reader(io.BytesIO(data))
        assert list(itertools.islice(reader, 2)) == ROWS[:2]
        frames = reader.frames()
        assert next(frames) == ROWS[2:4]
        assert next(iter(reader)) == ROWS[4]
        assert next(frames) == ROWS[5:8]
        assert list(reader) == ROWS[8:12]
        assert list(frames) == []

    def test_rows_of_a_type(self) -> None:
        @dataclass
        class Part:
            key: int
            name: str = "none"

        data = streamed([Part(1, "a")], [Part(2, "b")], [{"key": 3}])
        assert read(data, type=Part) == [Part(1, "a"), Part(2, "b"), Part(3)]
        codec = serow.Codec(serow.Schema.of(Part))
        assert read(data, type=codec) == read(data, type=Part)
        with pytest.raises(serow.SchemaError):
            read(data, type=int)

    def test_the_memory_limit_is_for_each_frame(self) -> None:
        rows = [f"{n:01000}" for n in range(200)]
        data = streamed(rows[:100], rows[100:], compression="zstd")
        assert len(read(data, max_memory=200_000)) == 200
        with pytest.raises(serow.LimitError):
            read(data, max_memory=50_000)

    def test_progress(self, tmp_path: Path) -> None:
        calls: list[tuple[int, int]] = []

        def note(*counts: int) -> None:
            calls.append(counts)  # type: ignore[arg-type]

        path = tmp_path / "rows"
        with serow.Writer(path, progress=note) as writer:
            writer.write_rows(ROWS)
            writer.write_rows(iter(ROWS))
        assert calls[0] == (1000, 32)
        assert calls == sorted(calls)
        assert calls[-2:] == [(2000, 32), (2000, path.stat().st_size)]
        calls.clear()
        assert len(list(serow.Reader(path, progress=note))) == 2000
        assert [rows for rows, _ in calls] == [2000]

    def test_a_frame_is_all_that_is_held(self) -> None:
        # Five frames of 65,536 rows, whose rows are counted as they live and die.
        with open(os.devnull, "wb") as file, serow.Writer(file) as writer:
            writer.write_rows(itertools.repeat(7, 5 * 65_536))
            assert writer.rows == 5 * 65_536
        data = streamed(range(3 * 65_536))
        lengths = [len(rows) for rows in serow.Reader(io.BytesIO(data)).frames()]
        assert lengths == [65_536] * 3


#: Rows for ten frames.


class TestKindsOfFiles:
    def test_gzip(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.gz"
        with gzip.open(path, "wb") as file, serow.Writer(file) as writer:
            writer.write_rows(ROWS)
        with gzip.open(path) as file:
            assert list(serow.Reader(file)) == ROWS

    @pytest.mark.parametrize("buffering", [-1, 0])
    def test_pipes_give_rows_at_each_flush(self, buffering: int) -> None:
        source, sink = os.pipe()
        with open(source, "rb", buffering=buffering) as ours, open(sink, "wb", buffering) as theirs:
            reader = serow.Reader(ours)
            writer = serow.Writer(theirs)
            for n in range(20):
                writer.write_rows(ROWS[n * 10 : n * 10 + 10])
                writer.flush()
                assert next(reader.frames()) == ROWS[n * 10 : n * 10 + 10]
            writer.close()
            theirs.close()
            assert next(reader.frames(), None) is None

    def test_sockets(self) -> None:
        near, far = socket.socketpair()
        rows = ROWS * 300

        def send() -> None:
            with near, near.makefile("wb") as file, serow.Writer(file, compression="lz4") as writer:
                writer.write_rows(rows)

        thread = threading.Thread(target=send)
        thread.start()
        with far, far.makefile("rb") as file:
            assert list(serow.Reader(file)) == rows
        thread.join()

    def test_two_threads_can_not_use_one_writer_at_once(self) -> None:
        class Entering:
            def write(self, data: bytes) -> int:
                if len(data) > 32:
                    with pytest.raises(RuntimeError):
                        writer.write(1)
                return len(data)

        writer = serow.Writer(Entering())
        writer.write_rows(ROWS)
        writer.close()


def test_random_streams_of_random_files() -> None:
    generator = random.Random(3)
    for _ in range(30):
        batches = [
            [generator.choice([1, "x", None, 2.5, (1, "y")]) for _ in range(generator.randrange(9))]
            for _ in range(generator.randrange(9))
        ]
        data = streamed(*batches, **generator.choice(OPTIONS[:4]))
        assert read(data) == list(itertools.chain(*batches))
