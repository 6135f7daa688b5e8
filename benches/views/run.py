"""Times of looking into a file of a gigabyte: views, sums of a column, and the command `serow`.

    python benches/views/run.py           20,000,000 rows of nine fields; QUICK=1 for a twentieth

It prints a table. The file is read once before, so that it is in the page cache if there is room.
Times are medians of five rounds in which all tasks take turns, with the slowest in parentheses.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import serow

MILLIONS = 1 if os.environ.get("QUICK") else 20
ROUNDS = 5
#: Rows of one frame that are read in random order.
RANDOM = 10_000
PRICE = 3


def million() -> list[tuple[Any, ...]]:
    """Make a million rows of orders, of nine fields each."""
    chance = random.Random(1)
    words = [f"word{n}" for n in range(5000)]
    days = [date(1995, 1, 1) + timedelta(days=n) for n in range(2500)]
    return [
        (
            n,
            chance.randrange(200_000),
            chance.randrange(10_000),
            chance.random() * 50,
            chance.randrange(1000) / 100,
            chance.choice("AFN"),
            chance.choice(days),
            chance.choice(["AIR", "TRUCK", "MAIL", "SHIP"]),
            " ".join(chance.choices(words, k=4)),
        )
        for n in range(1_000_000)
    ]


def write(folder: Path) -> tuple[Path, Path]:
    """Write the rows as a stream and as Parquet."""
    rows, stream, parquet = million(), folder / "rows.srow", folder / "rows.parquet"
    with serow.Writer(stream) as writer:
        for _ in range(MILLIONS):
            writer.write_rows(rows)
    table = pyarrow.table(serow.to_arrow(rows))
    with pyarrow.parquet.ParquetWriter(parquet, table.schema, compression="zstd") as writer:
        for _ in range(MILLIONS):
            writer.write_table(table)
    return stream, parquet


def timed(work: Callable[[], Any]) -> float:
    """Give the seconds of a call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def tasks(stream: Path, parquet: Path) -> dict[str, tuple[Callable[[], float], str, float]]:
    """Give the tasks: each gives its seconds, which are shown in a unit."""
    view = serow.view(stream)
    late = len(view) * 7 // 10
    frame = next(frame for frame in view.frames if late in frame)
    chance = random.Random(2)
    numbers = [chance.randrange(frame.start, frame.stop) for _ in range(RANDOM)]
    name = pyarrow.parquet.read_schema(parquet).names[PRICE]

    def each(rows: Any) -> float:
        rows[numbers[0]]
        return timed(lambda: [rows[number] for number in numbers]) / RANDOM

    def parquet_sum(threads: bool) -> float:
        def work() -> float:
            table = pyarrow.parquet.read_table(parquet, columns=[name], use_threads=threads)
            return float(table[name].to_numpy().sum())

        return timed(work)

    def command(*arguments: str) -> float:
        with open(os.devnull, "wb") as nowhere:
            run = [sys.executable, "-m", "serow", *arguments]
            return timed(lambda: subprocess.run(run, stdout=nowhere, check=True))

    def arrays() -> float:
        return sum(float(array.sum()) for array in serow.view(stream).column(PRICE).arrays())

    def all_rows() -> None:
        for _ in serow.Reader(stream).frames():
            pass

    return {
        "opening a view, and the first row": (
            lambda: timed(lambda: serow.view(stream)[0]),
            "ms",
            1e3,
        ),
        "the first field of a row in another frame": (
            lambda: timed(lambda: serow.view(stream).column(PRICE)[late]),
            "ms",
            1e3,
        ),
        "a field of the next random rows of the frame": (
            lambda: each(view.column(PRICE)),
            "µs",
            1e6,
        ),
        "such a row of nine fields": (lambda: each(view), "µs", 1e6),
        "the sum of a column, by `arrays()`": (lambda: timed(arrays), "ms", 1e3),
        "the same by pyarrow, of Parquet with zstd, one thread": (
            lambda: parquet_sum(False),
            "ms",
            1e3,
        ),
        "the same with two threads": (lambda: parquet_sum(True), "ms", 1e3),
        "making all rows, by a `Reader`": (lambda: timed(all_rows), "ms", 1e3),
        "`serow cat` into /dev/null": (lambda: command("cat", str(stream)), "ms", 1e3),
        "`serow inspect`": (lambda: command("inspect", str(stream)), "ms", 1e3),
        "`serow --help`": (lambda: command("--help"), "ms", 1e3),
        "`python -c pass`": (
            lambda: timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
            "ms",
            1e3,
        ),
    }


def main() -> None:
    """Measure, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        stream, parquet = write(Path(folder))
        all_tasks = tasks(stream, parquet)
        times: dict[str, list[float]] = {task: [] for task in all_tasks}
        stream.read_bytes()
        for _ in range(ROUNDS):
            for task, (work, _, _) in all_tasks.items():
                times[task].append(work())
        for task, (_, unit, factor) in all_tasks.items():
            middle, most = (of(times[task]) * factor for of in (statistics.median, max))
            shown = [f"{it:,.0f}" if it >= 100 else f"{it:.3g}" for it in (middle, most)]
            print(f"| {task} | {shown[0]} {unit} ({shown[1]}) |")
        sizes = [
            f"{path.stat().st_size / 1e6:,.0f} MB as {path.suffix}" for path in (stream, parquet)
        ]
        print(f"{MILLIONS},000,000 rows, {sizes[0]}, {sizes[1]}")


if __name__ == "__main__":
    main()
