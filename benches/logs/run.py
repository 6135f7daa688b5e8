"""Times of appending rows to a log, of recovering it and of reading it.

    python benches/logs/run.py            8,000 appends of one row, and a log of 1,000,000 rows

It prints a table. Times are medians, of processor time and of waiting together; run it on a quiet
machine. The first and the last appends show whether the cost depends on the length of the file.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import serow

APPENDS = 8_000
SOME = 500
ROWS = 1_000_000


def row(n: int) -> tuple[int, str, str, float]:
    """Make an event."""
    return n, f"user {n % 1000}", ("login", "search", "click")[n % 3], n % 977 * 0.25


def timed(work: Callable[[], Any]) -> float:
    """Give the seconds of a call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def appends(path: Path) -> list[float]:
    """Append rows, each by a writer of its own. Give the seconds of each."""

    def append(n: int) -> None:
        with serow.Writer(path, append=True) as log:
            log.write(row(n))

    return [timed(lambda n=n: append(n)) for n in range(APPENDS)]  # type: ignore[misc]


def flushes(path: Path) -> float:
    """Give the seconds of a row that one writer writes and flushes."""
    with serow.Writer(path, append=True) as log:

        def write(n: int) -> None:
            log.write(row(n))
            log.flush()

        times = [timed(lambda n=n: write(n)) for n in range(APPENDS)]  # type: ignore[misc]
    return statistics.median(times)


def rows_written(path: Path) -> float:
    """Give the seconds of a row that waits for others."""
    with serow.Writer(path, append=True, flush_rows=10_000) as log:

        def write_all() -> None:
            for n in range(ROWS):
                log.write(row(n))

        return timed(write_all) / ROWS


def main() -> None:
    """Measure, and print the table."""
    folder = Path(tempfile.mkdtemp())
    one_by_one = appends(folder / "appends")
    size = os.path.getsize(folder / "appends") / APPENDS
    flushed = flushes(folder / "flushes")
    written = rows_written(folder / "rows")
    read = timed(lambda: sum(1 for _ in serow.Reader(folder / "appends"))) / APPENDS
    index = timed(lambda: len(serow.view(folder / "appends")))
    large = folder / "rows"
    os.truncate(large, os.path.getsize(large) - 10)
    recovered = timed(lambda: serow.recover(large))
    figures = [
        ("one of the first appends of a row", statistics.median(one_by_one[10:SOME]), "µs", 1e6),
        ("one of the last of 8,000", statistics.median(one_by_one[-SOME:]), "µs", 1e6),
        ("a row that one writer writes and flushes", flushed, "µs", 1e6),
        ("a row with `flush_rows=10_000`", written, "µs", 1e6),
        ("reading a row that was appended alone", read, "µs", 1e6),
        ("opening a view of 8,000 streams", index, "ms", 1e3),
        ("recovering 1,000,000 rows after a cut", recovered, "ms", 1e3),
    ]
    for name, seconds, unit, factor in figures:
        print(f"| {name} | {seconds * factor:.3g} {unit} |")
    print(f"bytes of a row that was appended alone: {size:.0f}")


if __name__ == "__main__":
    main()
