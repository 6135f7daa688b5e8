"""Lets the numbers of threads take turns, in one process for each language."""

import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from demo.errors import DemoError
from demo.progress import Progress
from parallel.results import Key, Record
from parallel.settings import COMPRESSIONS, VERBS, Settings
from suite.json_process import JsonProcess, rotated

PYTHON_SIDE = Path(__file__).with_name("python_side.py")
PYTHON, RUST = "Python", "Rust"


@dataclass(frozen=True)
class Run:
    """All that is measured, and with what."""

    commands: Mapping[str, Sequence[str]]
    """The process of each language. Python is first and writes the rows for the other."""

    settings: Settings
    threads: Sequence[str]
    table: Path
    stream: Path
    """Where Part's rows go for the process in Rust."""

    def steps(self) -> int:
        """Returns the number of steps of the progress bar."""
        return len(self.commands) * self.settings.rounds


def commands(rust: Path) -> dict[str, Sequence[str]]:
    """Returns the commands of both languages."""
    return {PYTHON: [sys.executable, str(PYTHON_SIDE)], RUST: [str(rust)]}


@dataclass(frozen=True)
class _Message:
    """What both languages must agree on."""

    rows: int
    frames: int


def measure(run: Run, progress: Progress) -> tuple[float, list[Record]]:
    """Returns the seconds that a thread takes to start and end, and all records."""
    start = 0.0
    records: list[Record] = []
    messages: dict[int, _Message] = {}
    sizes: dict[tuple[int, str], int] = {}
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
            _check(run, side, messages, sizes)
            if language == RUST:
                start = side.ask("start")
            records += _records(run, language, side, messages, sizes, progress)
    return start, records


def _prepared(side: JsonProcess, size: int) -> _Message:
    rows = side.ask("count", size=size)
    return _Message(rows, side.ask("frames", rows=rows))


def _check(
    run: Run,
    side: JsonProcess,
    messages: Mapping[int, _Message],
    sizes: dict[tuple[int, str], int],
) -> None:
    """Converts everything once in every way."""
    for size, message in messages.items():
        for compression in COMPRESSIONS:
            for threads in run.threads:
                found = side.ask(
                    "check", rows=message.rows, compression=compression, threads=threads
                )
                if sizes.setdefault((size, compression), found) != found:
                    raise DemoError(
                        f"{message.rows:,} rows take {found:,} bytes in one language and "
                        f"{sizes[size, compression]:,} in the other"
                    )


def _records(
    run: Run,
    language: str,
    side: JsonProcess,
    messages: Mapping[int, _Message],
    sizes: Mapping[tuple[int, str], int],
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
