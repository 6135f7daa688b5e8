"""`make bench-parallel`: large messages on several threads, in Python, Rust and Java.

    python benches/parallel/run.py

Exit status: 0 if everything was measured, 1 if a row came back unequal or something is missing,
130 on Ctrl-C. A missed goal is printed but is not an error.
"""

import argparse
import platform
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `parallel.` only

import serow  # noqa: E402

from demo import part  # noqa: E402
from demo.progress import Progress  # noqa: E402
from parallel import page, results, rounds, settings  # noqa: E402
from parallel.goals import goals as judged  # noqa: E402
from parallel.rounds import Run  # noqa: E402
from suite import program  # noqa: E402
from suite.machine import computer  # noqa: E402
from suite.page import goals_table, publish  # noqa: E402

RUST = ROOT / "target" / "release" / "examples" / "parallel"
JAVA = ROOT / "java" / "bench" / "target" / "serow-bench.jar"


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes QUICK in the environment."""
    parser = argparse.ArgumentParser(description="serow on several threads")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the rows")
    parser.add_argument("--rust", type=Path, default=RUST, help="the process with rows in Rust")
    parser.add_argument("--java", type=Path, default=JAVA, help="the jar with rows in Java")
    program.add_options(parser, out="the CSV", redraw="the page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options)
    path = out / "parallel.csv"
    program.measure(options, lambda: measure(options, path))
    header, records = results.read(path)
    all_series = results.series(records)
    text = page.tables(header, all_series)
    text += "\n\n## Goals\n\n" + goals_table(judged(all_series))
    publish(path, "large messages on several threads", "make bench-parallel", text)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Measures everything and writes the CSV."""
    size = (settings.quick if options.quick else settings.full)()
    processors = settings.processors()
    header = {
        **computer(ROOT),
        "processors of the process": str(processors),
        "Python": f"{platform.python_version()}; serow {serow.__version__}",
        "garbage collection": "off while anything is timed",
        "rounds": str(size.rounds),
    }
    table = part.generate(size.scale, options.data)
    stream = options.data / f"parallel-{size.scale:f}.srow"
    run = Run(
        rounds.commands(options.rust, options.java),
        size,
        settings.numbers_of_threads(processors),
        table,
        stream,
    )
    with closing(Progress(run.steps())) as progress:
        start, records = rounds.measure(run, progress)
    header[page.START] = f"{start * 1e6:.1f} µs to start a thread and wait for its end"
    results.write(path, header, records)


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-parallel", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
