"""`make bench-spark`: PySpark with serow, compared with plain PySpark.

    python benches/spark/run.py --sf "1 4"

Exit status: 0 if everything was measured, 1 if contestants found different things or something is
missing, 130 on Ctrl-C. A goal that is missed is printed and is no error.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `spark.` only

from demo import part  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.progress import Progress  # noqa: E402
from spark import goals, page, plots, results, settings  # noqa: E402
from spark.contestants import CONTESTANTS  # noqa: E402
from spark.rounds import Place, measure, turns  # noqa: E402
from spark.settings import Settings  # noqa: E402
from spark.tasks import TASKS  # noqa: E402
from suite import program  # noqa: E402
from suite.machine import computer  # noqa: E402
from suite.page import publish  # noqa: E402

PYTHON = ROOT / "build" / "venv-spark" / "bin" / "python"


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes SF, TASKS and QUICK in the environment."""
    parser = argparse.ArgumentParser(description="PySpark with serow, beside PySpark alone")
    parser.add_argument("--sf", default=os.environ.get("SF", ""), help="TPC-H scale factors")
    tasks = os.environ.get("TASKS") or " ".join(TASKS)
    parser.add_argument("--tasks", default=tasks, help=f"groups of jobs: {' '.join(TASKS)}")
    parser.add_argument("--only", default=";".join(CONTESTANTS), help="contestants, between ;")
    parser.add_argument("--python", type=Path, default=PYTHON, help="one with PySpark")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the table")
    program.add_options(parser, out="the CSV and the plots", redraw="plots and page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options)
    path = out / "spark.csv"
    program.measure(
        options, lambda: run(options, settings.QUICK if options.quick else settings.FULL, path)
    )
    header, records = results.read(path)
    found = results.Results(records)
    plots.draw(out, found)
    tables = page.tables(header, found, list(goals.judge(found)))
    publish(path, "PySpark", "make bench-spark", tables)


def run(options: argparse.Namespace, size: Settings, path: Path) -> None:
    """Measures at all scale factors. Writes the CSV after each."""
    scales = list(map(part.parse_scale, options.sf.split() or ["0.1" if options.quick else "1"]))
    groups = options.tasks.split()
    if not set(groups) <= set(TASKS):
        raise DemoError(f"TASKS must be some of {', '.join(TASKS)}, got {options.tasks!r}")
    if not options.python.exists():
        raise DemoError(f"{options.python} is missing: run make bench-spark")
    names = options.only.split(";")
    small = part.generate(Decimal("0.1"), options.data)
    header = computer(ROOT)
    records: list[results.Record] = []
    # Jobs that read no text are the same at every scale factor, or take long.
    of_scale = [groups, *[[group for group in groups if group == "text"]] * (len(scales) - 1)]
    steps = sum(len(turns(here, names, size)) for here in of_scale)
    with closing(Progress(steps)) as progress:
        for scale, here in zip(scales, of_scale, strict=True):
            place = Place(options.python, part.generate(scale, options.data), small)
            more, versions = measure(scale, here, size, place, names, progress)
            records += more
            header["versions"] = ", ".join(f"{name} {one}" for name, one in versions.items())
            header["master"] = "local[2]"
            header["rounds"] = (
                f"{size.rounds} of those in the goals, {size.rounds_of_others} of others"
            )
            header["rows of DataFrames"] = f"{size.rows:,}, nested {size.nested_rows:,}"
            results.write(path, header, records)


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-spark", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
