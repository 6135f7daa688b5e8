"""Readers in threads and in forked children, and what keeps them alive."""

import gc
import io
import mmap
import os
import pickle
import random
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import serow
import wire_format
from streams import read, streamed

pytestmark = pytest.mark.once

ROWS = [(10**15 + n, f"name {n % 50}") for n in range(4000)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rows"
    frames = [ROWS[at : at + 100] for at in range(0, len(ROWS), 100)]
    path.write_bytes(streamed(*frames, compression="zstd"))
    return path


class Seeking:
    """A file that only seeks and reads, and switches threads in between."""

    def __init__(self, path: Path) -> None:
        self.inner = open(path, "rb")  # noqa: SIM115

    def seek(self, *args: int) -> int:
        return self.inner.seek(*args)

    def read(self, count: int) -> bytes:
        threading.Event().wait(0.0001)
        return self.inner.read(count)


def mapped(path: Path) -> mmap.mmap:
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


KINDS: dict[str, Callable[[Path], Any]] = {
    "path": lambda path: path,
    "buffered": lambda path: open(path, "rb"),  # noqa: SIM115
    "raw": lambda path: open(path, "rb", buffering=0),  # noqa: SIM115
    "updated": lambda path: open(path, "r+b"),  # noqa: SIM115
    "in memory": lambda path: io.BytesIO(path.read_bytes()),
    "mapped": mapped,
    "seeking": Seeking,
}


def wrong_rows(rows: serow.View[Any], seed: int, count: int) -> list[int]:
    numbers = random.Random(seed).choices(range(len(ROWS)), k=count)
    return [number for number in numbers if rows[number] != ROWS[number]]


def in_children(works: list[Callable[[], bool]]) -> list[int]:
    """Run each work in a forked child, all at once. Return 0 for those that return true."""
    children = []
    for work in works:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if work() else 2
            finally:
                os._exit(code)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.mark.parametrize("kind", KINDS)
class TestView:
    def test_threads_share_it(self, kind: str, path: Path) -> None:
        rows = serow.view(KINDS[kind](path))
        found: list[Any] = []
        work = lambda seed: found.append(wrong_rows(rows, seed, 60))  # noqa: E731
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[]] * 4

    def test_forked_children_share_it_or_get_an_error(self, kind: str, path: Path) -> None:
        rows = serow.view(KINDS[kind](path))
        assert rows[0] == ROWS[0]

        def work(seed: int) -> bool:
            if kind == "seeking":
                with pytest.raises(RuntimeError, match="forked child"):
                    rows[2000]
                return True
            return not wrong_rows(rows, seed, 300)

        works = [lambda seed=seed: work(seed) for seed in range(4)]
        assert in_children(works) == [0] * 4
        assert not wrong_rows(rows, 9, 100)


def test_a_view_pickles_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows"
    path.write_bytes(streamed(ROWS))
    monkeypatch.chdir(tmp_path)
    with serow.view("rows", type=serow.Codec("(i64, str)")) as rows:
        data = pickle.dumps(rows)
        monkeypatch.chdir("/")
        with pickle.loads(data) as again:
            assert list(again) == list(rows) == ROWS
    with pytest.raises(TypeError, match="open it by its path"):
        pickle.dumps(serow.view(io.BytesIO(streamed(ROWS))))


class TestReader:
    @pytest.mark.parametrize("kind", ["path", "in memory"])
    def test_parent_and_child_go_on_for_themselves(self, kind: str, path: Path) -> None:
        reader = serow.Reader(KINDS[kind](path))
        frames = reader.frames()
        begin = [row for _ in range(7) for row in next(frames)]
        rest = lambda: [row for rows in frames for row in rows]  # noqa: E731
        assert in_children([lambda: begin + rest() == ROWS] * 3) == [0] * 3
        assert begin + rest() == ROWS

    def test_a_file_of_the_caller_is_not_read_in_a_child(self, path: Path) -> None:
        with open(path, "rb", buffering=0) as file:
            frames = serow.Reader(file).frames()
            begin = next(frames)

            def work() -> bool:
                with pytest.raises(RuntimeError, match="forked child"):
                    next(frames)
                return True

            assert in_children([work]) == [0]
            assert begin + [row for rows in frames for row in rows] == ROWS


class File(io.BytesIO):
    """A file that can be referred to weakly."""


class TestNothingIsKept:
    @pytest.fixture(autouse=True)
    def without_collector(self) -> Any:
        gc.collect()
        gc.disable()
        yield
        gc.enable()

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("damage", ["cut", "changed"])
    def test_by_the_error_of_a_bad_stream(self, damage: str, threads: int) -> None:
        data = bytearray(streamed(ROWS, compression="zstd"))
        if damage == "cut":
            del data[-1:]
        else:
            data[100] ^= 1
        file = File(bytes(data))
        alive = weakref.ref(file)
        reader = serow.Reader(file, threads=threads)
        texts = []
        for _ in range(3):
            try:
                for _ in reader:
                    pass
            except serow.DecodeError as error:
                texts.append((str(error), error.offset))
        assert len(texts) == 3
        assert len(set(texts)) == 1
        del file, reader
        assert alive() is None

    def test_by_a_view(self) -> None:
        file = File(streamed(ROWS))
        alive = weakref.ref(file)
        rows = serow.view(file)
        assert rows[0] == ROWS[0]
        del file, rows
        assert alive() is None

    def test_by_a_file_that_leads_to_its_reader_or_writer(self) -> None:
        for make in (serow.Writer, serow.Reader, serow.view):
            file = File(b"" if make is serow.Writer else streamed(ROWS))
            alive = weakref.ref(file)
            file.user = make(file)  # type: ignore[attr-defined]
            if make is serow.Writer:
                file.user.close()  # type: ignore[attr-defined]
            del file
            gc.collect()
            assert alive() is None, make

    def test_a_closed_view_says_so(self, path: Path) -> None:
        with serow.view(path) as rows:
            pass
        with pytest.raises(ValueError, match="closed"):
            rows[0]


class TestFramesThatClaimMuch:
    """A frame may claim any length, so the reader must not hold what comes of it."""

    class Peer:
        """Sends zeros after the header of a frame that claims so many bytes."""

        def __init__(self, claim: int) -> None:
            stream = streamed([None])
            salt, row, _, begin = wire_format.stream_header(stream)
            header = stream[begin + 24 : begin + 40] + claim.to_bytes(8, "little")
            marker = wire_format.marker_of(salt, row, header)
            self.head = stream[:begin] + marker + header
            self.sent = 0

        def read(self, count: int) -> bytes:
            data = self.head[self.sent : self.sent + count] or bytes(count)
            self.sent += len(data)
            return data

    def test_are_refused_by_the_limit(self) -> None:
        peer = self.Peer(1 << 40)
        with pytest.raises(serow.DecodeError, match="it claims 1099511627"):
            list(serow.Reader(peer))
        assert peer.sent == 80

    @pytest.mark.parametrize("threads", [1, 2])
    def test_are_refused_by_max_memory(self, threads: int) -> None:
        peer = self.Peer(20 << 20)
        with pytest.raises(serow.LimitError, match="rows within the memory limit"):
            list(serow.Reader(peer, max_memory=1 << 20, threads=threads))
        assert peer.sent == 80

    def test_rows_within_the_limit_are_read(self) -> None:
        rows = ["é" * 400_000] * 10
        assert read(streamed(rows), max_memory=20 << 20) == rows
