"""Streams in files: Python writes one, a JVM reads it and writes another, and Python reads that."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Literal

import serow

from demo import part
from demo.clock import collector_off, timed
from demo.digest import digest
from demo.errors import DemoError
from demo.java_peer import JavaPeer
from demo.progress import Progress
from demo.rows import Rows
from demo.trip import check, check_decoded

CONTESTANT = "serow"
COMPRESSIONS: Mapping[str, Literal["lz4", "zstd"] | None] = {
    "none": None,
    "lz4": "lz4",
    "zstd": "zstd",
}
"""What serow calls them, by the names in the table and in `Streams.java`."""


@dataclass(frozen=True)
class Times:
    """Seconds of each step, with reading or writing the file."""

    python_write: float
    java_read: float
    java_write: float
    python_read: float


@dataclass(frozen=True)
class Streamed:
    """One compression: the fastest times, and the sizes of both files."""

    compression: str
    rows: int
    python_bytes: int
    java_bytes: int
    fastest: Times


def stream(table: Path, java: Sequence[str], rounds: int) -> list[Streamed]:
    """Sends the first portion of the table by streams. Raises if a row differs."""
    rows = next(part.portions(table, part.PORTION))
    expected = digest(rows)
    times: dict[str, list[Times]] = {name: [] for name in COMPRESSIONS}
    sizes: dict[str, tuple[int, int]] = {}
    with (
        closing(JavaPeer(java, CONTESTANT)) as peer,
        tempfile.TemporaryDirectory(prefix="serow-demo-") as folder,
        closing(Progress(len(COMPRESSIONS) * rounds)) as progress,
    ):
        for number in range(1, rounds + 1):
            for name in COMPRESSIONS:
                progress.now(f"streams, {name}, round {number} of {rounds}")
                path = Path(folder, f"{name}.srow")
                one, sizes[name] = _there_and_back(peer, rows, expected, name, path)
                times[name].append(one)
                progress.step()
    return [
        Streamed(name, len(rows), *sizes[name], _fastest(all_times))
        for name, all_times in times.items()
    ]


def _fastest(times: Sequence[Times]) -> Times:
    return Times(*map(min, zip(*map(astuple, times), strict=True)))


def _there_and_back(
    peer: JavaPeer, rows: Rows, expected: bytes, compression: str, path: Path
) -> tuple[Times, tuple[int, int]]:
    """Returns the times, and the sizes of Python's file and of the JVM's."""
    with collector_off():
        _, python_write = timed(lambda: _write(path, rows, compression))
    python_bytes = path.stat().st_size
    java_read = check_decoded(peer.read_stream(path), len(rows), expected)
    java_write, java_bytes = peer.write_stream(path, compression)
    if path.stat().st_size != java_bytes:
        raise DemoError(f"the JVM wrote {java_bytes:,} bytes, {path.stat().st_size:,} are there")
    with collector_off():
        received, python_read = timed(lambda: _read(path))
    check(rows, received, f"streams, {compression}, JVM to Python")
    return Times(python_write, java_read, java_write, python_read), (python_bytes, java_bytes)


def _write(path: Path, rows: Rows, compression: str) -> None:
    with serow.Writer(path, compression=COMPRESSIONS[compression]) as writer:
        writer.write_rows(rows)


def _read(path: Path) -> Rows:
    rows: Rows = []
    with serow.Reader(path) as reader:
        for frame in reader.frames():
            rows.extend(frame)
    return rows
