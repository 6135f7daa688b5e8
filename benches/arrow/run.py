"""`make bench-arrow`: rows to Arrow and back, beside pyarrow, Polars and DuckDB.

    python benches/arrow/run.py

Exit status: 0 if everything was measured, 1 if a result is wrong or something is missing, 130 on
Ctrl-C. A missed goal is printed but is not an error.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `arrow.` only

from arrow import page, results  # noqa: E402
from arrow.contests import CONTESTS, SEROW, Contest  # noqa: E402
from arrow.results import Record  # noqa: E402
from demo import part  # noqa: E402
from demo.progress import Progress  # noqa: E402
from suite import program, tables  # noqa: E402
from suite.json_process import JsonProcess, rotated  # noqa: E402
from suite.machine import computer  # noqa: E402
from suite.page import publish  # noqa: E402

SIDE = Path(__file__).with_name("side.py")


@dataclass(frozen=True)
class Size:
    """The amount of work."""

    rows: int
    rounds: int
    times: int
    """Repetitions in a round. The round counts the fastest."""

    warm: float
    """Seconds before the first round."""


FULL = Size(200_000, 7, 5, 2.0)
QUICK = Size(20_000, 3, 3, 0.5)


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes QUICK and TASKS in the environment."""
    parser = argparse.ArgumentParser(description="rows to Arrow and back")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the tables")
    chosen = os.environ.get("TASKS", "")
    parser.add_argument(
        "--python", default=sys.executable, help="with serow, pyarrow, polars and duckdb"
    )
    parser.add_argument("--tasks", default=chosen, help="only contests with this text in the task")
    program.add_options(parser, out="the CSV and the plot", redraw="the page and the plot")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes, draws and prints."""
    out = program.folder(options, is_part=bool(options.tasks))
    path = out / "arrow.csv"
    program.measure(options, lambda: measure(options, path))
    header, records = results.read(path)
    decided = results.decide(records)
    text = page.tables(header, decided)
    page.draw(out, decided)
    publish(path, "rows and Arrow", "make bench-arrow", text)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Measures everything and writes the CSV."""
    size = QUICK if options.quick else FULL
    contests = [one for one in CONTESTS if options.tasks in one.task]
    parts = part.generate(part.parse_scale("1"), options.data)
    lineitem = part.generate(tables.LINEITEM_SCALE, options.data, "lineitem")
    files = {"part": str(parts), "lineitem": str(lineitem)}
    header = {
        **computer(ROOT),
        "garbage collection": "off while anything is timed",
        "rows": f"{size.rows}, of lineitem at most 60,175",
        "rounds": f"{size.rounds} in turns, the fastest of {size.times} repetitions in each, "
        f"after {size.warm:g} seconds of warming up; a result is dropped before the next",
    }
    records: list[Record] = []
    with closing(Progress(len(contests) * size.rounds)) as progress:
        for contest in contests:
            progress.now(f"{contest.what}, {contest.rows}")
            records += _held(options.python, contest, size, files, progress)
    with closing(JsonProcess([options.python, str(SIDE)], SEROW, os.environ)) as side:
        header["Python"] = side.ask("versions")
    results.write(path, header, records)


def _held(
    python: str, contest: Contest, size: Size, files: dict[str, str], progress: Progress
) -> list[Record]:
    """Returns the records of all contestants, which take turns in processes of their own."""
    whos = (SEROW, *contest.peers)
    with ExitStack() as stack:
        sides = {
            who: stack.enter_context(closing(JsonProcess([python, str(SIDE)], who, os.environ)))
            for who in whos
        }
        for who, side in sides.items():
            side.ask(
                "load",
                what=contest.task,
                rows=contest.rows,
                who=who,
                tables=files,
                count=round(size.rows * contest.share),
            )
            side.ask("warm", seconds=size.warm)
        rounds: dict[str, list[float]] = {who: [] for who in whos}
        for number in range(size.rounds):
            for who in rotated(whos, number):
                rounds[who].append(min(sides[who].ask("measure", times=size.times)))
            progress.step()
        return [
            Record(contest.task, contest.rows, who, tuple(rounds[who]), side.ask("memory"))
            for who, side in sides.items()
        ]


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-arrow", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
