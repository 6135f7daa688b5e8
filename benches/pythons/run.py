"""`make bench-pythons`: the benchmark's rows in Python, on newer Pythons and on an older one.

    python benches/pythons/run.py --python 3.13=PATH --python 3.14=PATH

All others are compared with the first Python.

Exit status: 0 if everything was measured, 1 if a row came back unequal or something is missing,
130 on Ctrl-C. A missed goal is printed but is not an error.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `pythons.` only

from demo import part  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.progress import Progress  # noqa: E402
from pythons import page, results, turns  # noqa: E402
from pythons.turns import STARTUP, Python, Run  # noqa: E402
from suite import compiler, program, tables  # noqa: E402
from suite.entrants import taking_part  # noqa: E402
from suite.machine import computer  # noqa: E402
from suite.page import publish  # noqa: E402
from suite.workloads import PART, WORKLOADS  # noqa: E402

KINDS = (STARTUP, *WORKLOADS)


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes SF, WORKLOADS and QUICK in the environment."""
    parser = argparse.ArgumentParser(description="serow on newer Pythons")
    parser.add_argument(
        "--python", action="append", default=[], metavar="NAME=PATH", help="with serow; repeated"
    )
    parser.add_argument("--sf", default=os.environ.get("SF", ""), help="TPC-H scale factor")
    chosen = os.environ.get("WORKLOADS", "")
    parser.add_argument("--workloads", default=chosen, help=f"some of: {' '.join(KINDS)}")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the tables")
    program.add_options(parser, out="the CSV", redraw="the page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options, is_part=bool(options.workloads))
    path = out / "pythons.csv"
    program.measure(options, lambda: measure(options, path))
    header, measured = results.read(path)
    text = page.tables(header, results.compare(measured))
    publish(path, "newer versions of Python", "make bench-pythons", text)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Measures everything and writes the CSV."""
    pythons = [_python(each) for each in options.python]
    if len({python.name for python in pythons}) < max(2, len(pythons)):
        raise DemoError("--python is needed at least twice, with different names: NAME=PATH")
    workloads = options.workloads.split() or KINDS
    if not set(workloads) <= set(KINDS):
        raise DemoError(f"WORKLOADS must be some of {' '.join(KINDS)}, got {options.workloads!r}")
    scale = part.parse_scale(options.sf or ("0.1" if options.quick else "1"))
    size = (turns.quick if options.quick else turns.full)(scale)
    header = {
        **computer(ROOT),
        **{f"Python {python.name}": _about(python) for python in pythons},
        "garbage collection": "off while anything is timed",
        "rounds": f"{size.settings.rounds} in each of {size.processes} processes",
    }
    parts = part.generate(scale, options.data)
    wider = tables.wider(options.data, parts, size.settings.wider_rows)
    specs = taking_part(compiler.exists(), java_compiles=False)
    run = Run(pythons, workloads, specs, {PART.name: parts, **wider}, size)
    with closing(Progress(run.steps())) as progress:
        measured = turns.measure(run, progress)
    results.write(path, header, measured)


def _python(text: str) -> Python:
    name, _, path = text.partition("=")
    if not (name and path):
        raise DemoError(f"--python must be NAME=PATH, such as 3.14=build/x/bin/python, got {text}")
    return Python(name, path)


ABOUT = """
import os, platform, serow
print(
    f"{platform.python_version()}, {platform.python_compiler()}, "
    f"{os.confstr('CS_GNU_LIBC_VERSION')}; serow {serow.__version__}"
)
"""


def _about(python: Python) -> str:
    """Returns the versions of a Python, its compiler, its C library and serow."""
    try:
        done = subprocess.run(
            [python.path, "-c", ABOUT], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise DemoError(f"Python {python.name} does not start: {error}") from None
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["it gives no reason"])[-1]
        raise DemoError(f"Python {python.name} ({python.path}) cannot import serow: {reason}")
    return done.stdout.strip()


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-pythons", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
