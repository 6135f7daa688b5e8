"""A process that does one task of one contestant, so that its memory and its warm-up are its own.

`suite/json_process.py` describes how it is asked:

    {"do": "load", "what": ..., "rows": ..., "who": ..., "tables": ..., "count": ...}
                              the number of rows; checks that the result is right
    {"do": "warm", "seconds": ...}   repeats the task, so that code is compiled
    {"do": "measure", "times": ...}  nanoseconds per row of each repetition
    {"do": "versions"}               of Python and the packages
    {"do": "memory"}                 bytes a row by which the process grows at most during the task
"""

import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

from arrow import data  # noqa: E402
from arrow.tasks import task  # noqa: E402
from demo.clock import collector_off, timed  # noqa: E402
from suite.json_process import main  # noqa: E402


class Side:
    """The task, with its input."""

    def __init__(self) -> None:
        """Has nothing yet."""
        self.count = 0
        self.work: Callable[[], object] = lambda: None

    def answer(self, do: str, request: dict[str, Any]) -> object:
        """Does what a request wants."""
        does: dict[str, Callable[..., object]] = {
            "load": self._load,
            "warm": self._warm,
            "measure": self._measure,
            "memory": self._memory,
            "versions": _versions,
        }
        return does[do](**request)

    def _load(self, what: str, rows: str, who: str, tables: dict[str, str], count: int) -> int:
        some = data.rows(rows, tables, count)
        self.count = len(some)
        self.work = task(what, who, rows, some)
        return self.count

    def _warm(self, seconds: float) -> None:
        begin = time.monotonic()
        with collector_off():
            while time.monotonic() - begin < seconds:
                self.work()

    def _measure(self, times: int) -> list[float]:
        taken = []
        with collector_off():
            for _ in range(times):
                result, seconds = timed(self.work)
                taken.append(seconds * 1e9 / self.count)
                del result  # before the next result, and not while it is timed
        return taken

    def _memory(self) -> float:
        Path("/proc/self/clear_refs").write_text("5")  # the high-water mark is the present size
        before = _status("VmRSS")
        result = self.work()
        grown = _status("VmHWM") - before
        del result
        return grown / self.count


def _versions() -> str:
    packages = (f"{name} {version(name)}" for name in ("serow", "pyarrow", "polars", "duckdb"))
    return f"{platform.python_version()}; {', '.join(packages)}"


def _status(name: str) -> int:
    """Returns a size of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) << 10
    raise ValueError(f"/proc/self/status has no {name}")


if __name__ == "__main__":
    sys.exit(main(Side().answer))
