"""`make bench`: serow compared with its peers in Python, on the JVM, and between them.

    python benches/suite/run.py --sf "1 2 4 8"

Exit status: 0 if everything was measured, 1 if a row came back unequal or something is missing,
130 on Ctrl-C. A missed goal is printed but is not an error.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT / "benches")  # and not this folder, whose names are for `suite.` only

from demo import part  # noqa: E402
from demo.errors import DemoError  # noqa: E402
from demo.java_peer import java_command  # noqa: E402
from demo.progress import Progress  # noqa: E402
from suite import (  # noqa: E402
    compiler,
    goals,
    machine,
    page,
    phases,
    plots,
    program,
    results,
    startup,
    steps,
    tables,
    wider_phases,
)
from suite.entrants import taking_part  # noqa: E402
from suite.java_side import JVM_OPTIONS, has_compiler  # noqa: E402
from suite.phases import Run  # noqa: E402
from suite.settings import Settings, full, quick  # noqa: E402

JAR = ROOT / "java" / "bench" / "target" / "serow-bench.jar"


def arguments(command_line: Sequence[str] | None) -> argparse.Namespace:
    """Parses the command line. make passes SF and QUICK in the environment."""
    parser = argparse.ArgumentParser(description="serow beside its peers")
    parser.add_argument("--sf", default=os.environ.get("SF", ""), help="TPC-H scale factors")
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="folder for the table")
    parser.add_argument("--jar", type=Path, default=JAR, help="the JVM side's jar")
    program.add_options(parser, out="the CSV and the plots", redraw="plots and page")
    return parser.parse_args(command_line)


def bench(options: argparse.Namespace) -> None:
    """Measures, writes and prints."""
    out = program.folder(options)
    path = out / "results.csv"
    program.measure(options, lambda: measure(options, path))
    header, records = results.read(path)
    found = results.Results(records)
    plots.draw(out, found)
    judged = list(goals.Judge(header, found).goals())
    text = page.tables(header, found, judged)
    if since := steps.section(path):
        text += f"\n\n{since}"
    page.publish(path, "Python, the JVM, and between them", "make bench", text)


def measure(options: argparse.Namespace, path: Path) -> None:
    """Runs all phases and writes the CSV."""
    scales = tuple(map(part.parse_scale, options.sf.split() or ["0.1" if options.quick else "1"]))
    settings = (quick if options.quick else full)(scales)
    if not options.jar.exists():
        raise DemoError(f"{options.jar} is missing: run make bench, or make jar first")
    java = java_command(options.jar, JVM_OPTIONS)
    specs = taking_part(compiler.exists(), has_compiler(java))
    parts = {scale: part.generate(scale, options.data) for scale in scales}
    wider = tables.wider(options.data, parts[scales[0]], settings.wider_rows)
    header = machine.header(ROOT, settings, options.jar, machine.java_version(java[0]))
    progress = Progress(phases.steps(settings))
    records = run(settings, Run(settings, specs, parts, wider, java, progress))
    steps.keep(path, header["commit"])
    results.write(path, header, records)


def run(settings: Settings, one: Run) -> list[results.Record]:
    """Runs all phases, one after another, with nothing else at the same time."""
    with closing(one.progress):
        one.progress.now("fresh processes")
        records = startup.measure(settings.starts)
        records += startup.jvm(one.java[0], Path(one.java[-1]), settings.starts)
        for phase in (
            *(phases.python, phases.jvm, phases.sockets),
            *(wider_phases.python, wider_phases.jvm),
        ):
            records += phase(one)
        return records


def main(command_line: Sequence[str] | None = None) -> int:
    """Returns the exit status."""
    return program.status("bench", lambda: bench(arguments(command_line)))


if __name__ == "__main__":
    sys.exit(main())
