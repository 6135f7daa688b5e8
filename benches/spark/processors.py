"""The CPU time of a process and all its child processes."""

import os
from pathlib import Path


class Processors:
    """Counts from its creation."""

    def __init__(self) -> None:  # noqa: D107
        self._before = _ticks()

    def seconds(self) -> float:
        """Returns the CPU seconds since then of all processes that still run."""
        ticks = sum(now - self._before.get(process, 0) for process, now in _ticks().items())
        return ticks / os.sysconf("SC_CLK_TCK")


def _ticks() -> dict[int, int]:
    """Yields this process, the JVM that it started, and the JVM's workers.

    What a process has of children that have ended is left out: Spark stops workers that are idle,
    in whatever job that happens to be.
    """
    times: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended
        process = int(stat.parent.name)
        children.setdefault(int(fields[1]), []).append(process)
        times[process] = int(fields[11]) + int(fields[12])
    found, left = {}, [os.getpid()]
    while left:
        process = left.pop()
        found[process] = times.get(process, 0)
        left += children.get(process, [])
    return found
