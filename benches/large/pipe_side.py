"""The processes of a stream through a pipe, and of single messages.

`suite/json_process.py` describes how they are asked. Each is asked for `load`, and then once:

    {"do": "load", "table": ..., "rows": ...}     the rows of a portion, whose keys count from 1
    {"do": "write", "pipe": ..., "bytes": ...}    writes the portion to a pipe, again and again,
                                                  until the stream has `bytes` bytes
    {"do": "read", "pipe": ..., "portion": ...}   reads a stream of such portions
    {"do": "encode", "bytes": ..., "times": ...}  encodes a message of `bytes` bytes
    {"do": "decode", "bytes": ..., "times": ...}  makes one and decodes it

`pipe` is a file descriptor. A reader loads nothing. The last four answer

    {"rows": ..., "bytes": ..., "begin": ..., "end": ..., "seconds": ..., "memory": ...}

`begin` and `end` are the system's monotonic clock, which all processes share. `seconds` is the
median of the messages. `memory` is the most memory that the process has had, in bytes.
"""

import re
import statistics
import sys
import time
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

import serow  # noqa: E402

from demo import part  # noqa: E402
from demo.clock import collector_off, timed  # noqa: E402
from demo.rows import Row, Rows  # noqa: E402
from large.workloads import PART, WORKLOADS  # noqa: E402
from suite.json_process import main  # noqa: E402

SCHEMA = WORKLOADS[PART].schema


def most_memory() -> int:
    """Returns the greatest resident set of this process.

    `ru_maxrss` is no measure of it: a new process inherits the figure of its parent.
    """
    status = Path("/proc/self/status").read_text()
    found = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    if found is None:
        raise ValueError("/proc/self/status has no line VmHWM")
    return int(found[1]) * 1024


class Pipe:
    """A portion of Part's rows."""

    def __init__(self) -> None:
        """Has no rows yet, but compiled code."""
        self._rows: Rows = []
        self._codec = serow.Codec(SCHEMA)
        self._codec.compile()

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants."""
        does: dict[str, Callable[..., object]] = {
            "load": self._load,
            "write": self._write,
            "read": self._read,
            "encode": self._encode,
            "decode": self._decode,
        }
        return does[do](**request)

    def _load(self, table: str, rows: int) -> int:
        portions = part.portions(Path(table), rows)
        self._rows = list(islice(chain.from_iterable(portions), rows))
        return len(self._rows)

    def _write(self, pipe: int, bytes: float) -> object:
        with open(pipe, "wb", buffering=0) as out, collector_off():
            begin = time.monotonic()
            with serow.Writer(out, SCHEMA) as writer:
                # Before the first frame the number of bytes is a rough estimate.
                while writer.frames_written == 0 or writer.bytes_written < bytes:
                    writer.write_rows(self._rows)
            return _answer(writer.rows, writer.bytes_written, begin)

    def _read(self, pipe: int, portion: int) -> object:
        with open(pipe, "rb", buffering=0) as source, collector_off():
            begin = time.monotonic()
            reader = serow.Reader(source)
            for rows in reader.frames():
                _check_key(rows[-1], (reader.rows - 1) % portion + 1)
                del rows  # before the next ones
            return _answer(reader.rows, reader.bytes_read, begin)

    def _repeated(self, bytes: float) -> Rows:
        """Returns references to the portion's rows, as many as a message of this size has."""
        each = len(self._codec.encode(self._rows)) / len(self._rows)
        times = max(1, round(bytes / each / len(self._rows)))
        return self._rows * times

    def _encode(self, bytes: float, times: int) -> object:
        rows, seconds, size = self._repeated(bytes), [], 0
        begin = time.monotonic()
        with collector_off():
            for _ in range(times):
                message, one = timed(lambda: self._codec.encode(rows))
                seconds.append(one)
                size = len(message)
                del message
        return _answer(len(rows), size, begin, statistics.median(seconds))

    def _decode(self, bytes: float, times: int) -> object:
        message, seconds, count = self._codec.encode(self._repeated(bytes)), [], 0
        begin = time.monotonic()
        with collector_off():
            for _ in range(times):
                rows, one = timed(lambda: self._codec.decode(message))
                seconds.append(one)
                count = len(rows)
                _check_key(rows[-1], len(self._rows))
                del rows
        return _answer(count, len(message), begin, statistics.median(seconds))


def _check_key(row: Row, expected: int) -> None:
    if row[0] != expected:
        raise ValueError(f"row {expected} of a portion came back as {row}")


def _answer(rows: int, bytes: int, begin: float, seconds: float | None = None) -> object:
    end = time.monotonic()
    return {
        "rows": rows,
        "bytes": bytes,
        "begin": begin,
        "end": end,
        "seconds": end - begin if seconds is None else seconds,
        "memory": most_memory(),
    }


if __name__ == "__main__":
    sys.exit(main(Pipe().answer))
