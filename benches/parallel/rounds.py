"""Lets the numbers of threads take turns, in one process for each language."""

import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from demo.errors import DemoError
from demo.java_peer import find_java
from demo.progress import Progress
from parallel.results import Key, Record
from parallel.settings import COMPRESSIONS, VERBS, Settings
from suite.json_process import JsonProcess, rotated

PYTHON_SIDE = Path(__file__).with_name("python_side.py")
PYTHON, RUST, JAVA = "Python", "Rust", "Java"

JAVA_SIDE = "io.github.serow.bench.ParallelSide"
JVM_OPTIONS = ("-Xms9g", "-Xmx9g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch")
"""The heap has room for all rows, and for the rows that a call returns."""

Sizes = dict[tuple[int, str], int]
"""The bytes of messages, by their size without compression, and their compression."""


@dataclass(frozen=True)
class Run:
    """All that is measured, and with what."""

    commands: Mapping[str, Sequence[str]]
    """The process of each language. Python is first and writes the rows for the others."""

    settings: Settings
    threads: Sequence[str]
    table: Path
    stream: Path
    """Where Part's rows go for the other processes."""

    def steps(self) -> int:
        """Returns the number of steps of the progress bar."""
        return len(self.commands) * self.settings.rounds


def commands(rust: Path, java: Path) -> dict[str, Sequence[str]]:
    """Returns the command of each language."""
    jvm = [find_java(), *JVM_OPTIONS, "--enable-native-access=ALL-UNNAMED", "-cp", str(java)]
    return {PYTHON: [sys.executable, str(PYTHON_SIDE)], RUST: [str(rust)], JAVA: [*jvm, JAVA_SIDE]}


@dataclass(frozen=True)
class _Message:
    """What the languages agree on."""

    rows: int
    frames: int


def measure(run: Run, progress: Progress) -> tuple[float, list[Record]]:
    """Returns the seconds that a thread takes to start and end, and all records."""
    start = 0.0
    records: list[Record] = []
    messages: dict[int, _Message] = {}
    known: Sizes = {}
    # A run must not be limited by the caller's settings.
    environment = {name: value for name, value in os.environ.items() if name != "SEROW_THREADS"}
    for language, command in run.commands.items():
        progress.now(f"{language}: loading")
        with closing(JsonProcess(command, language, environment)) as side:
            most = max((one.rows for one in messages.values()), default=10**12)
            side.ask("load", table=str(run.table), stream=str(run.stream), rows=most)
            if language == PYTHON:
                messages = {size: _prepared(side, size) for size in run.settings.sizes}
                side.ask("write", stream=str(run.stream))
            sizes = _checked(run, side, messages)
            if language == RUST and sizes != known:
                raise DemoError(f"messages have {known} bytes in Python and {sizes} in Rust")
            known = sizes
            if language == RUST:
                start = side.ask("start")
            records += _records(run, language, side, messages, sizes, progress)
    return start, records


def _prepared(side: JsonProcess, size: int) -> _Message:
    rows = side.ask("count", size=size)
    return _Message(rows, side.ask("frames", rows=rows))


def _checked(run: Run, side: JsonProcess, messages: Mapping[int, _Message]) -> Sizes:
    """Converts everything once in every way. Returns the bytes of the messages."""
    sizes: Sizes = {}
    for size, message in messages.items():
        for compression in COMPRESSIONS:
            for threads in run.threads:
                found = side.ask(
                    "check", rows=message.rows, compression=compression, threads=threads
                )
                sizes[size, compression] = found
    return sizes


def _records(
    run: Run,
    language: str,
    side: JsonProcess,
    messages: Mapping[int, _Message],
    sizes: Sizes,
    progress: Progress,
) -> list[Record]:
    seconds: dict[Key, list[float]] = defaultdict(list)
    keys = [
        [Key(language, compression, verb, size, threads) for threads in run.threads]
        for compression in COMPRESSIONS
        for verb in VERBS
        for size in messages
    ]
    for number in range(run.settings.rounds):
        for in_turn in keys:
            for key in rotated(in_turn, number):
                progress.now(f"{language}, round {number + 1}: {key.verb} of {key.size:,} bytes")
                asked = {
                    "verb": key.verb,
                    "rows": messages[key.size].rows,
                    "compression": key.compression,
                    "threads": key.threads,
                    "times": run.settings.times(key.size),
                }
                seconds[key].append(side.ask("measure", **asked))
        progress.step()
    return [
        Record(
            key,
            messages[key.size].rows,
            messages[key.size].frames,
            sizes[key.size, key.compression],
            tuple(seconds[key]),
        )
        for in_turn in keys
        for key in in_turn
    ]
