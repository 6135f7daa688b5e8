"""`make bench-spark`, its second part: serow as Spark's serializer of JVM objects, beside others.

    python benches/spark_jvm/run.py --tasks "cache shuffle"

Exit status: 0 if everything was measured, 1 if contestants found different things or something is
missing, 130 on Ctrl-C. A goal that is missed is printed and is no error.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `spark_jvm.` only

from demo.errors import DemoError  # noqa: E402
from demo.java_peer import find_java  # noqa: E402
from spark_jvm import goals, jars, page, plots, results, rounds, settings  # noqa: E402
from spark_jvm.contestants import CONTESTANTS  # noqa: E402
from spark_jvm.groups import GROUPS  # noqa: E402
from spark_jvm.rounds import Place  # noqa: E402
from suite import program  # noqa: E402
from suite.machine import computer, java_version  # noqa: E402
from suite.page import publish  # noqa: E402


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes TASKS and QUICK in the environment."""
    parser = argparse.ArgumentParser(description="serow as Spark's serializer, beside others")
    tasks = os.environ.get("TASKS") or " ".join(GROUPS)
    parser.add_argument("--tasks", default=tasks, help=f"groups of jobs: {' '.join(GROUPS)}")
    parser.add_argument("--only", default=";".join(CONTESTANTS), help="contestants, between ;")
    parser.add_argument("--spark", type=Path, help="Spark's folder, with bin/spark-submit")
    program.add_options(parser, out="the CSV and the plots", redraw="plots and page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options)
    path = out / "spark_jvm.csv"
    program.measure(options, lambda: measure(options, path))
    header, records = results.read(path)
    found = results.Results(records)
    plots.draw(out, found)
    tables = page.tables(header, found, list(goals.judge(found)))
    publish(path, "Spark's JVM", "make bench-spark", tables)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Measures everything and writes the CSV."""
    size = settings.QUICK if options.quick else settings.FULL
    groups = _chosen("TASKS", options.tasks.split(), GROUPS)
    names = _chosen("contestants", options.only.split(";"), CONTESTANTS)
    place = Place(options.spark or jars.spark(), jars.all_jars())
    measured = rounds.measure(groups, names, size, place)
    header = {
        **computer(ROOT),
        "versions": f"Spark {measured.spark}, Java {java_version(find_java())}, "
        + ", ".join(one.stem for one in place.jars if one.stem.startswith(("fory", "serow-0"))),
        "master": rounds.CONF["spark.master"],
        "JVM": f"heap {rounds.HEAP}, {' '.join(rounds.JVM_OPTIONS[1:])}",
        "rounds": f"{size.rounds} of those in the goals, {size.rounds_of_others} of others; "
        f"in each at least {size.warm_ups} runs as a warm-up and {size.runs} timed, "
        f"both of at least {size.seconds} s, and up to {size.most_seconds} s of warm-ups",
        "rows": f"{size.rows:,} of Part",
    }
    for (group, job, name), why in measured.failed.items():
        header[f"left out of {group}, {job}"] = f"{name} ({why})"
    results.write(path, header, measured.records())


def _chosen(what: str, chosen: Sequence[str], known: Iterable[str]) -> list[str]:
    """Returns what was chosen, once each. Raises DemoError if something is unknown."""
    if not chosen or not set(chosen) <= set(known):
        raise DemoError(f"{what} must be some of {', '.join(known)}, got {' '.join(chosen)!r}")
    return list(dict.fromkeys(chosen))


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench-spark", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
