"""`make bench-large`: sizes beside Parquet's and pickle's, compression in steps, and streams.

    python benches/large/run.py

Exit status: 0 if everything was measured, 1 if a row came back unequal or something is missing,
130 on Ctrl-C. A missed goal is printed but is not an error.
"""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import PackageNotFoundError
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `large.` only

from demo import part  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.progress import Progress  # noqa: E402
from large import page, results, rounds, settings  # noqa: E402
from large.goals import Judge  # noqa: E402
from large.rounds import Run  # noqa: E402
from suite import program  # noqa: E402
from suite.machine import computer, package_version  # noqa: E402
from suite.page import goals_table, publish  # noqa: E402


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes QUICK and BYTES in the environment."""
    parser = argparse.ArgumentParser(description="serow with large data")
    size = os.environ.get("BYTES") or None
    parser.add_argument("--bytes", type=float, default=size, help="of the stream, such as 20e9")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the rows")
    program.add_options(parser, out="the CSV", redraw="the page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options)
    path = out / "large.csv"
    program.measure(options, lambda: measure(options, path))
    header, found = results.read(path)
    text = page.tables(header, found)
    text += "\n\n## Goals\n\n" + goals_table(Judge(found).goals())
    publish(path, "large data", "make bench-large", text)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Measures everything and writes the CSV."""
    made = settings.quick if options.quick else settings.full
    size = made() if options.bytes is None else made(options.bytes)
    header = {
        **computer(ROOT),
        "Python": f"{platform.python_version()}; " + ", ".join(map(_version, _packages())),
        "garbage collection": "off while anything is timed",
        "rounds": f"{size.rounds}, of the stream {size.stream_rounds}",
    }
    run = Run(
        size,
        part.generate(size.part_scale, options.data),
        part.generate(size.lineitem_scale, options.data, "lineitem"),
    )
    with closing(Progress(run.steps())) as progress:
        records = rounds.measure(run, progress)
    results.write(path, header, records)


def _packages() -> Sequence[str]:
    in_library = sys.version_info >= (3, 14)
    return ("serow", "pyarrow") if in_library else ("serow", "pyarrow", "zstandard")


def _version(name: str) -> str:
    try:
        return f"{name} {package_version(name)}"
    except PackageNotFoundError:
        raise DemoError(f"{name} is missing: run make setup, with a Python that has it") from None


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-large", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
