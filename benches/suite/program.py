"""What the programs of the benchmarks have in common: options, the time of a run, exit status."""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from demo.errors import DemoError

ROOT = Path(__file__).resolve().parents[2]

RESULTS = ROOT / "benches" / "results"
"""The folder with the figures that the pages in `docs` refer to."""


def add_options(parser: argparse.ArgumentParser, out: str, redraw: str) -> None:
    """Adds the options of all benchmarks. make passes QUICK in the environment.

    `out` says what is in the folder of `--out`, and `redraw` what `--redraw` writes.
    """
    is_quick = os.environ.get("QUICK", "0") not in ("", "0")
    parser.add_argument("--quick", action="store_true", default=is_quick, help="little of it")
    parser.add_argument("--out", type=Path, help=f"folder for {out}")
    parser.add_argument("--redraw", action="store_true", help=f"only {redraw}, from the CSV")


def folder(options: argparse.Namespace, is_part: bool = False) -> Path:
    """Returns the folder for the CSV. Only a whole run changes the one with the pages' figures."""
    out: Path | None = options.out
    return out or (ROOT / "build" / "bench-quick" if options.quick or is_part else RESULTS)


def measure(options: argparse.Namespace, run: Callable[[], None]) -> None:
    """Runs the measurement, unless only pages and plots are wanted, and prints how long it took."""
    if not options.redraw:
        begin = time.monotonic()
        run()
        print(f"measured in {(time.monotonic() - begin) / 60:.1f} minutes", file=sys.stderr)


def status(name: str, run: Callable[[], None]) -> int:
    """Runs a program and returns its exit status: 1 after an error, 130 after Ctrl-C."""
    try:
        run()
    except DemoError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0
