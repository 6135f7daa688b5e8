"""The process of a contestant. It does the timed work.

`suite/json_process.py` describes how it is asked:

    {"do": "load", "workload": ..., "table": ..., "rows": ..., "contestant": ...}
                                                  the number of rows
    {"do": "check", "compression": ...}           the bytes of the message; decodes it
    {"do": "measure", "verb": ..., "compression": ..., "least_seconds": ...}
                                                  the median seconds

The verb `decode-kept` decodes while one row in some hundred of the last result is still alive, so
CPython keeps its memory. With `decode` all results were dropped, and CPython has returned the
memory to the system.
"""

import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

from demo.clock import collector_off, timed  # noqa: E402
from demo.compare import first_difference  # noqa: E402
from demo.rows import Rows  # noqa: E402
from demo.trip import KEEP_EVERY  # noqa: E402
from large.contestants import MAKERS  # noqa: E402
from large.formats import Contestant  # noqa: E402
from large.workloads import WORKLOADS  # noqa: E402
from suite.json_process import main  # noqa: E402

MOST_TIMES = 20


class Bench:
    """The rows, a contestant, and its messages."""

    def __init__(self) -> None:
        """Has no rows yet."""
        self._rows: Rows = []
        self._workload = self._name = ""
        self._made: dict[str, tuple[Contestant, bytes]] = {}

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants."""
        does: dict[str, Callable[..., object]] = {
            "load": self._load,
            "check": self._check,
            "measure": self._measure,
        }
        return does[do](**request)

    def _load(self, workload: str, table: str, rows: int, contestant: str) -> int:
        self._workload, self._name = workload, contestant
        self._rows = WORKLOADS[workload].make(Path(table), rows)
        return len(self._rows)

    def _check(self, compression: str) -> int:
        one = MAKERS[self._name](self._workload, compression)
        message = one.encode(self._rows)
        if difference := first_difference(self._rows, one.decode(message)):
            raise ValueError(f"{self._workload}, {compression}: {difference}")
        self._made[compression] = one, message
        return len(message)

    def _measure(self, verb: str, compression: str, least_seconds: float) -> float:
        one, message = self._made[compression]
        kept = one.decode(message)[::KEEP_EVERY] if verb == "decode-kept" else []
        seconds: list[float] = []
        with collector_off():
            while not seconds or (sum(seconds) < least_seconds and len(seconds) < MOST_TIMES):
                if verb == "encode":
                    _, time = timed(lambda: one.encode(self._rows))
                else:
                    result, time = timed(lambda: one.decode(message))
                    del result  # before the next result, and not while it is timed
                seconds.append(time)
        del kept
        return statistics.median(seconds)


if __name__ == "__main__":
    sys.exit(main(Bench().answer))
