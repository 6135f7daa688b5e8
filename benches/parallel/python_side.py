"""The process with Part's rows in Python. It does the timed work.

`suite/json_process.py` describes how it is asked. The processes in Rust and Java do not answer
`count`, `write` and `frames`, and only the one in Rust answers `start`:

    {"do": "load", "table": ..., "stream": ..., "rows": ...}   the number of rows; Python reads the
                                                               table, and the others the stream
    {"do": "count", "size": ...}                               the rows of a message of this size
    {"do": "write", "stream": ...}                             writes all rows to a file
    {"do": "check", "rows": ..., "compression": ..., "threads": ...}
                                                               the bytes of the message, which are
                                                               those of one thread; decodes it
    {"do": "frames", "rows": ...}                              the frames of the message
    {"do": "measure", "verb": ..., "rows": ..., "compression": ..., "threads": ..., "times": ...}
                                                               the median seconds
    {"do": "start"}                                            the seconds that a thread takes to
                                                               start and end
"""

import io
import statistics
import sys
from collections.abc import Callable
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

import serow  # noqa: E402

from demo import part  # noqa: E402
from demo.clock import collector_off, timed  # noqa: E402
from demo.compare import first_difference  # noqa: E402
from demo.rows import Rows  # noqa: E402
from parallel.settings import AUTO, ONE  # noqa: E402
from suite.json_process import main  # noqa: E402

SCHEMA = "(i64, str, str, str, str, i64, str, f64, str)"


@cache
def codec(compression: str, threads: str) -> serow.Codec[Any]:
    """Returns a compiled codec."""
    one = serow.Codec(
        SCHEMA,
        compression="zstd" if compression == "zstd" else None,
        threads="auto" if threads == AUTO else int(threads),
    )
    one.compile()
    return one


class Bench:
    """The rows, and messages of them."""

    def __init__(self) -> None:
        """Has no rows yet."""
        self.rows: Rows = []
        self._messages: dict[tuple[int, str], bytes] = {}

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants."""
        does: dict[str, Callable[..., object]] = {
            "load": self._load,
            "count": self._count,
            "write": self._write,
            "check": self._check,
            "frames": self._frames,
            "measure": self._measure,
        }
        return does[do](**request)

    def _load(self, table: str, stream: str, rows: int) -> int:
        portions = part.portions(Path(table), part.PORTION)
        self.rows = list(islice(chain.from_iterable(portions), rows))
        return len(self.rows)

    def _count(self, size: int) -> int:
        count = part.PORTION
        for _ in range(4):  # a row takes more bytes in a small message
            count = max(1, min(count, len(self.rows)))
            length = len(codec("none", ONE).encode(self.rows[:count]))
            count = round(count * size / length)
        return max(1, min(count, len(self.rows)))

    def _write(self, stream: str) -> int:
        with serow.Writer(stream, SCHEMA) as writer:
            writer.write_rows(self.rows)
        return len(self.rows)

    def _message(self, rows: int, compression: str) -> bytes:
        one = self._messages.get((rows, compression))
        if one is None:
            one = codec(compression, ONE).encode(self.rows[:rows])
            self._messages[rows, compression] = one
        return one

    def _check(self, rows: int, compression: str, threads: str) -> int:
        message, some = self._message(rows, compression), self.rows[:rows]
        one = codec(compression, threads)
        if one.encode(some) != message:
            raise ValueError(f"{rows:,} rows: {threads} threads write other bytes than one")
        received = one.decode(message)
        if received != some:
            raise ValueError(f"{threads} threads: {first_difference(some, received)}")
        return len(message)

    def _frames(self, rows: int) -> int:
        frames = serow.Reader(io.BytesIO(self._message(rows, "none"))).frames()
        return sum(1 for _ in frames)

    def _measure(self, verb: str, rows: int, compression: str, threads: str, times: int) -> float:
        one = codec(compression, threads)
        function = one.encode if verb == "encode" else one.decode
        given: Any = self.rows[:rows]
        if verb == "decode":
            given = self._message(rows, compression)
        seconds = []
        with collector_off():
            for _ in range(times):
                result, time = timed(lambda: function(given))
                seconds.append(time)
                del result  # before the next result, and not while it is timed
        return statistics.median(seconds)


if __name__ == "__main__":
    sys.exit(main(Bench().answer))
