"""`make demo`: Part rows from Python to the JVM and back, with serow and with its peers.

    python benches/demo/run.py --sf 0.1

Exit status: 0 if every row came back unchanged, 1 if anything differs or is missing, 130 on
Ctrl-C.
"""

import argparse
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from demo import part, report  # noqa: E402
from demo.columns import Converted, convert  # noqa: E402
from demo.contestants import CONTESTANTS  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.java_peer import JVM_OPTIONS, java_command  # noqa: E402
from demo.orchestrator import Plan, Result, compete  # noqa: E402
from demo.streams import Streamed, stream  # noqa: E402

JAR = ROOT / "java" / "demo" / "target" / "serow-demo.jar"
WARM_UP_ROWS = 1_000_000


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes SF in the environment."""
    parser = argparse.ArgumentParser(description="Part rows from Python to the JVM and back")
    parser.add_argument("--sf", default=os.environ.get("SF", "0.1"), help="TPC-H scale factor")
    parser.add_argument("--rounds", type=int, default=7, help="timed rounds (default 7)")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the table")
    parser.add_argument("--jar", type=Path, default=JAR, help="the JVM side's jar")
    return parser.parse_args(command_line)


def demo(options: argparse.Namespace, contestants: Mapping[str, str]) -> None:
    """Generates, runs and prints."""
    scale = part.parse_scale(options.sf)
    if options.rounds < 1:
        raise DemoError(f"--rounds must be 1 or more, got {options.rounds}")
    if not options.jar.exists():
        raise DemoError(f"{options.jar} is missing: run make demo, or make jar first")
    java = java_command(options.jar)
    table = part.generate(scale, options.data)
    rows = int(part.ROWS_AT_SCALE_1 * scale)
    plan = Plan(contestants, table, rows, part.PORTION, java, options.rounds, WARM_UP_ROWS)
    results = compete(plan)
    streamed = stream(table, java, options.rounds)
    print_report(options, results, streamed, convert(table, options.rounds))


def print_report(
    options: argparse.Namespace,
    results: Mapping[str, Result],
    streamed: Sequence[Streamed],
    converted: Sequence[Converted],
) -> None:
    """Returns everything that goes to standard output."""
    first = next(iter(results.values()))
    print(f"TPC-H Part, SF={options.sf}: {first.summary.rows:,} rows, Python to the JVM and back")
    print(f"Python {platform.python_version()}, Java {first.description.java_version}")
    print()
    for result in results.values():
        for note in result.description.notes:
            print(note)
    print()
    print(report.table(results))
    print()
    print(report.streams(streamed))
    print()
    print(report.columns(converted))
    print()
    rows = {"warm_up": WARM_UP_ROWS, "portion": part.PORTION}
    print(HOW.format(rounds=options.rounds, options=" ".join(JVM_OPTIONS), **rows))
    print()
    print(report.ratios(results))
    print()
    print("Every row came back equal, types and bits included, in every round of every contestant.")


HOW = """\
How it was measured
  Times are wall time: the fastest of {rounds} rounds, in which the contestants take turns. Each
  has its own Python process and JVM ({options}). Before
  that, each JVM decodes and encodes {warm_up:,} rows untimed. Garbage is collected before
  each piece of work; while it runs, Python's collector is off for everyone.
  Transfer is from the first byte sent to the last received, without encoding and decoding.
  Python decodes "warm" while a few rows of an earlier result are alive, so that CPython keeps its
  memory, and "cold" without; "decode" and "rows/s" in the table are warm.
  pickle is protocol 5 in batches of 1000 rows, with Pyrolite set up as in Spark; BSON has a
  document for each row; Protocol Buffers is upb in Python. Converting from and to tuples and
  Object[] counts.
  Streams are files of up to {portion:,} rows. The Writer and the Reader of each language write
  and read them, and the time for the file counts. The JVM writes the rows that it has read.
  Their JVM has not converted other rows before, so more rounds make it faster.
  Arrow's columns are of the same rows. pyarrow makes them by columns, and tuples of their lists."""


def main(
    command_line: Sequence[str] | None = None, contestants: Mapping[str, str] = CONTESTANTS
) -> int:
    """Returns the exit status."""
    try:
        demo(arguments(command_line), contestants)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
