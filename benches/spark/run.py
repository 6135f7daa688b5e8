"""`make bench-spark`: PySpark's RDDs with serow, beside PySpark alone.

    python benches/spark/run.py --sf 1 --rounds 3

Every contestant has a process of its own, and they take turns. Exit status: 0 if everything was
measured, 1 if a task gave another result than with stock PySpark, 130 on Ctrl-C. A goal that is
missed is printed and is no error.
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")

from demo import part  # noqa: E402
from spark.contestants import CONTESTANTS  # noqa: E402
from spark.tasks import TASKS  # noqa: E402

Seconds = dict[tuple[str, str], list[float]]
"""The least seconds of each round, by task and contestant."""

KINDS = {"seconds": "seconds", "busy": "processors' seconds"}
"""What is measured, and how it is called."""


def arguments() -> argparse.Namespace:
    """The command line; SF may also come from the environment, as make hands it on."""
    parser = argparse.ArgumentParser(description="PySpark's RDDs with serow and without")
    parser.add_argument("--sf", default=os.environ.get("SF") or "1", help="TPC-H scale factors")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each contestant")
    parser.add_argument("--times", type=int, default=3, help="runs of each task in a process")
    parser.add_argument("--only", default=";".join(CONTESTANTS), help="contestants, between ;")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the table")
    parser.add_argument("--out", type=Path, default=ROOT / "benches/results/spark.csv")
    return parser.parse_args()


def one(contestant: str, large: Path, small: Path, times: int) -> dict[str, Any]:
    """What a process of this contestant measures."""
    program = Path(__file__).with_name("one.py")
    command = [sys.executable, *map(str, (program, contestant, large, small, times))]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return measured


def measure(scale: Decimal, names: list[str], options: argparse.Namespace) -> dict[str, Seconds]:
    """What all contestants take for all tasks; ends the program if they find different things."""
    large = part.generate(scale, options.data)
    small = part.generate(Decimal("0.1"), options.data)
    measured: dict[str, Seconds] = {kind: defaultdict(list) for kind in KINDS}
    checksums: dict[str, int] = {}
    for turn in range(options.rounds):
        for name in names:
            print(f"SF={scale}, round {turn + 1}: {name}", file=sys.stderr, flush=True)
            for task, found in one(name, large, small, options.times).items():
                if checksums.setdefault(task, found["checksum"]) != found["checksum"]:
                    sys.exit(f"{task}: {name} gives another result than {names[0]}")
                for kind, seconds in measured.items():
                    seconds[task, name].append(min(found[kind]))
    return measured


def show(kind: str, scale: Decimal, names: list[str], seconds: Seconds) -> None:
    """Print each task's seconds, and how many times as many stock with the same gc takes."""
    print(f"\nPart, SF={scale}, local[2]: least {KINDS[kind]}, and stock's by them\n")
    print(" " * 26 + "".join(f"{name:>22}" for name in names) + "   goal")
    for task in TASKS:
        cells = []
        for name in names:
            least = min(seconds[task.name, name])
            stock = "stock" if CONTESTANTS[name].gc else "stock, gc off"
            ratio = min(seconds.get((task.name, stock), [least])) / max(least, 0.01)
            cells.append(f"{least:>14.3f} {ratio:>6.2f}x")
        print(f"{task.name:<26}" + "".join(cells) + f"  {task.goal:>4}x")


def write(path: Path, rows: list[list[Any]]) -> None:
    """The results, a line for each task and contestant."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["scale", "task", "contestant", "kind", "least", "median", "rounds"])
        out.writerows(rows)


def main() -> None:
    """Measure, print, write."""
    options = arguments()
    names = options.only.split(";")
    rows = []
    for scale in map(part.parse_scale, options.sf.split()):
        for kind, seconds in measure(scale, names, options).items():
            show(kind, scale, names, seconds)
            for (task, name), rounds in seconds.items():
                figures = [min(rounds), round(statistics.median(rounds), 4)]
                rows.append([scale, task, name, kind, *figures, " ".join(map(str, rounds))])
        write(options.out, rows)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
