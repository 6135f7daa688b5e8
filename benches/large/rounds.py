"""Lets the contestants take turns, in one process for each."""

import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo.errors import DemoError
from demo.progress import Progress
from large import results
from large.compressors import NONE
from large.contestants import LINE_UPS, SEROW
from large.results import Key, Record
from large.settings import Settings
from large.workloads import LINEITEM, PART
from suite.json_process import JsonProcess, rotated

SIDE = Path(__file__).with_name("side.py")
MESSAGES = 9
"""Single messages in a round. A stream takes long, so a moment in which nothing else runs, as the
fastest message may have found it, says nothing about the speed of streams."""

PIPE_SIDE = Path(__file__).with_name("pipe_side.py")


@dataclass(frozen=True)
class Run:
    """All that is measured, and with what."""

    settings: Settings
    part: Path
    lineitem: Path

    def steps(self) -> int:
        """Returns the number of steps of the progress bar."""
        return len(LINE_UPS) * self.settings.rounds + self.settings.stream_rounds

    def table(self, workload: str) -> Path:
        """Returns the table of the workload. Rows that are made up need none."""
        return {PART: self.part, LINEITEM: self.lineitem}.get(workload, Path("/dev/null"))

    def rows(self, workload: str) -> int:
        """Returns the number of rows."""
        is_table = workload in (PART, LINEITEM)
        return self.settings.rows if is_table else self.settings.outputs


def measure(run: Run, progress: Progress) -> list[Record]:
    """Returns all records."""
    records: list[Record] = []
    for workload in LINE_UPS:
        records += _workload(run, workload, progress)
    return records + _stream(run, progress)


def _command(side: Path) -> Sequence[str]:
    return [sys.executable, str(side)]


def _environment() -> dict[str, str]:
    """Returns the environment of a process. A run must not be limited by the caller's settings."""
    return {name: value for name, value in os.environ.items() if name != "SEROW_THREADS"}


def _workload(run: Run, workload: str, progress: Progress) -> list[Record]:
    """Measures all contestants on one kind of rows."""
    turns = [(name, each) for name, some in LINE_UPS[workload].items() for each in some]
    seconds: dict[Key, list[float]] = defaultdict(list)
    sizes: dict[tuple[str, str], int] = {}
    with ExitStack() as stack:
        sides: dict[str, JsonProcess] = {}
        for name in LINE_UPS[workload]:
            progress.now(f"{workload}: {name} loads")
            side = stack.enter_context(closing(JsonProcess(_command(SIDE), name, _environment())))
            rows, table = run.rows(workload), str(run.table(workload))
            loaded = side.ask("load", workload=workload, table=table, rows=rows, contestant=name)
            if loaded != rows:
                raise DemoError(f"{table} has only {loaded:,} rows, and not {rows:,}")
            sides[name] = side
        for name, compression in turns:
            sizes[name, compression] = sides[name].ask("check", compression=compression)
        for number in range(run.settings.rounds):
            for name, compression in rotated(turns, number):
                for verb in results.VERBS:
                    progress.now(f"{workload}, round {number + 1}: {name}, {compression}, {verb}")
                    seconds[Key(workload, name, compression, verb)].append(
                        sides[name].ask(
                            "measure",
                            verb=verb,
                            compression=compression,
                            least_seconds=run.settings.least_seconds,
                        )
                    )
            progress.step()
    return [
        Record(
            Key(workload, name, compression, verb),
            run.rows(workload),
            sizes[name, compression],
            0,
            tuple(seconds[Key(workload, name, compression, verb)]),
        )
        for name, compression in turns
        for verb in results.VERBS
    ]


def _stream(run: Run, progress: Progress) -> list[Record]:
    """Measures the stream and single messages. Each has new processes in each round."""
    answers: dict[Key, list[Mapping[str, Any]]] = defaultdict(list)
    for number in range(run.settings.stream_rounds):
        for workload in rotated((results.STREAM, results.MESSAGE), number):
            progress.now(f"{workload}, round {number + 1}")
            measured = (_one_stream if workload == results.STREAM else _messages)(run)
            for verb, answer in measured.items():
                answers[Key(workload, SEROW, NONE, verb)].append(answer)
        progress.step()
    return [_record(key, some) for key, some in answers.items()]


def _record(key: Key, answers: Sequence[Mapping[str, Any]]) -> Record:
    first = answers[0]
    return Record(
        key,
        first["rows"],
        first["bytes"],
        max(each["memory"] for each in answers),
        tuple(each["seconds"] for each in answers),
    )


def _one_stream(run: Run) -> Mapping[str, Mapping[str, Any]]:
    """Returns the answers of the writer and of the reader, with the seconds of both together."""
    read_end, write_end = os.pipe()
    with ExitStack() as stack:
        try:
            command, environment = _command(PIPE_SIDE), _environment()
            writer = JsonProcess(command, "the stream's writer", environment, (write_end,))
            stack.enter_context(closing(writer))
            reader = JsonProcess(command, "the stream's reader", environment, (read_end,))
            stack.enter_context(closing(reader))
        finally:
            # If one process dies, the other must notice: its end is the only one then.
            os.close(read_end)
            os.close(write_end)
        portion = writer.ask("load", table=str(run.part), rows=run.settings.portion)
        reader.send("read", pipe=read_end, portion=portion)
        writer.send("write", pipe=write_end, bytes=run.settings.stream_bytes)
        read, written = reader.answer(), writer.answer()
    for what in ("rows", "bytes"):
        if read[what] != written[what]:
            raise DemoError(f"{written[what]:,} {what} were written, and {read[what]:,} read")
    seconds = {"seconds": read["end"] - written["begin"]}
    return {results.WRITE: {**written, **seconds}, results.READ: {**read, **seconds}}


def _messages(run: Run) -> Mapping[str, Mapping[str, Any]]:
    """Returns the answers of a process that encodes, and of one that decodes."""
    found = {}
    for verb in (results.ENCODE, results.DECODE):
        side = JsonProcess(_command(PIPE_SIDE), f"to {verb} a message", _environment())
        with closing(side):
            side.ask("load", table=str(run.part), rows=run.settings.portion)
            found[verb] = side.ask(verb, bytes=run.settings.message_bytes, times=MESSAGES)
    return found
