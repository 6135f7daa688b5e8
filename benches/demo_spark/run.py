"""`make demo-spark`: PySpark on a standalone cluster, with and without serow.

    python benches/demo_spark/run.py --sf 0.1

Exit status: 0 if every task gave the same result with and without serow, 1 if anything differs or
is missing, 130 on Ctrl-C. Run it with a Python that has PySpark and serow.
"""

import argparse
import os
import platform
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from demo import part  # noqa: E402
from demo.compare import first_difference  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.java_peer import find_java  # noqa: E402
from demo.process import Child  # noqa: E402
from demo.progress import Progress  # noqa: E402
from demo_spark import objects  # noqa: E402
from demo_spark.application import Found, Job, started  # noqa: E402
from demo_spark.cluster import Cluster, standalone  # noqa: E402
from demo_spark.report import Figures, table  # noqa: E402
from demo_spark.tasks import DEMO, Tables  # noqa: E402
from spark_jvm import jars  # noqa: E402

SMALL = part.parse_scale("0.1")


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes SF in the environment."""
    parser = argparse.ArgumentParser(description="PySpark on a cluster, stock and with serow")
    parser.add_argument("--sf", default=os.environ.get("SF") or "0.1", help="TPC-H scale factor")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each task (default 5)")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the table")
    return parser.parse_args(command_line)


def demo(options: argparse.Namespace) -> None:
    """Generates, runs and prints."""
    scale = part.parse_scale(options.sf)
    if options.rounds < 1:
        raise DemoError(f"--rounds must be 1 or more, got {options.rounds}")
    find_java()
    serow_jars = jars.serow_jars()
    large, small = (part.generate(each, options.data) for each in (scale, SMALL))
    tables = Tables(str(large), str(small))
    with ExitStack() as stack:
        steps = len(DEMO) * 2 * options.rounds + 1
        progress = stack.enter_context(closing(Progress(steps)))
        progress.now("starting a master and two workers")
        cluster = stack.enter_context(standalone())
        with ExitStack() as applications:
            stock, serow = (
                applications.enter_context(started(job, cluster.environment))
                for job in jobs(cluster, tables)
            )
            figures = {task: compete(task, stock, serow, options.rounds, progress) for task in DEMO}
        progress.now("case classes in Scala")
        scala = objects.compete(cluster, large, serow_jars)
        progress.step()
    print_report(options, figures, scala)


def jobs(cluster: Cluster, tables: Tables) -> list[Job]:
    """The two contestants."""
    return [
        Job(name, cluster.url, tables, cluster.logs / f"{name}.log", with_serow)
        for name, with_serow in (("stock", False), ("serow", True))
    ]


def compete(task: str, stock: Child, serow: Child, rounds: int, progress: Progress) -> Figures:
    """Runs a task this often on both by turns. Raises if the results differ."""
    figures = Figures(0, [], [])
    for turn in range(1, rounds + 1):
        found: list[Found] = []
        for child in (stock, serow):
            progress.now(f"{task}, run {turn} of {rounds}: {child.name}")
            child.send(task)
            found.append(child.answer())
            progress.step()
        difference = first_difference(found[0].result, found[1].result)
        if difference is not None:
            raise DemoError(f"{task}: with serow the result is another: {difference}")
        figures = Figures(
            len(found[0].result),
            [*figures.stock, found[0].seconds],
            [*figures.serow, found[1].seconds],
        )
    return figures


def print_report(
    options: argparse.Namespace,
    figures: Mapping[str, Figures],
    scala: Mapping[str, objects.Objects],
) -> None:
    """Returns everything that goes to standard output."""
    import pyspark

    print(f"TPC-H Part as text, SF={options.sf}, on a standalone master with two workers")
    print(f"PySpark {pyspark.__version__}, Python {platform.python_version()}")
    print()
    print(table(figures))
    print()
    print(f"Objects on the JVM: RDDs of case classes in Scala, {scala['serow'].rows:,} rows")
    print()
    print(objects.table_of(scala))
    print()
    print(HOW.format(rounds=options.rounds, sf=options.sf))
    print()
    print("Every result was equal, types and bits included, in every run.")


HOW = """\
How it was measured
  Times are wall time: the fastest of {rounds} runs, in which the two take turns. Each has a
  driver and, on each worker, an executor of one core and 1 GB. Every run reads and splits the
  lines again. Python's garbage collector has its default setting for both.
  The combination joins the Part table of SF=0.1 with the Part table of SF={sf}.
  The Scala job has each row 20 times, and runs four times with each of Spark's serializers, one
  after the other. Both have the list of its classes. The cache is MEMORY_ONLY_SER."""


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    # `kill` must not leave anything behind either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        demo(arguments(command_line))
    except DemoError as error:
        print(f"demo-spark: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
