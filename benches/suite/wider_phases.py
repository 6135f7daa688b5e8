"""Measures the wider rows: each workload in Python, then on the JVM.

Every entrant has a new process for each workload, so that earlier work does not affect memory or
the JVM's compiled code.
"""

from contextlib import ExitStack, closing

from demo.digest import digest
from suite import workloads
from suite.entrants import in_java, in_python
from suite.java_side import CHECKED, JavaSide
from suite.orders import orders
from suite.phases import Run, Turns, alive, load_all, records_of
from suite.python_side import Job, Load, PythonSide
from suite.results import Record
from suite.wider import WIDER
from suite.work import IN_ORDER
from suite.workload import Workload


def python(run: Run) -> list[Record]:
    """Encodes and decodes in Python."""
    return [one for workload in WIDER for one in _python_rows(run, workload)]


def _python_rows(run: Run, workload: Workload) -> list[Record]:
    names = in_python(run.specs, workload.name)
    sides = [PythonSide(Job(name, run.specs[name])) for name in names]
    records = []
    with alive(sides):
        for order, one in orders(run.settings, workload.name).items():
            load_all(sides, Load(workload.name, run.wider[workload.name], 0, one.count))
            turns = Turns(run)
            what = f"Python, {workload.name} {order}"
            turns.take(sides, one.works, one.times, what, run.settings.wider_rounds)
            records += records_of(turns, sides, _scale(run), workload.name, order, one.times)
    return records


def jvm(run: Run) -> list[Record]:
    """Encodes and decodes on the JVM."""
    return [one for workload in WIDER for one in _jvm_rows(run, workload)]


def _jvm_rows(run: Run, workload: Workload) -> list[Record]:
    table = run.wider[workload.name]
    expected = digest(workloads.rows(workload, table, 0, CHECKED))
    records = []
    with ExitStack() as stack:
        sides = []
        for name in in_java(run.specs, workload.name):
            run.progress.now(f"JVM, {workload.name}: starting and warming up {name}")
            side = JavaSide(name, run.specs[name], run.java, workload.name)
            stack.enter_context(closing(side))
            side.check(table, expected)
            side.load(table, 0, run.settings.wider_rows)
            for _ in range(2):
                for work in IN_ORDER:
                    side.warm_up(work, run.settings.wider_warm_up_rows // 2)
            sides.append(side)
        for order, one in orders(run.settings, workload.name).items():
            for side in sides:
                side.load(table, 0, one.count)
            turns = Turns(run)
            what = f"JVM, {workload.name} {order}"
            turns.take(sides, one.works, one.times, what, run.settings.wider_rounds)
            records += records_of(turns, sides, _scale(run), workload.name, order, one.times)
    return records


def _scale(run: Run) -> str:
    return f"{run.settings.scales[0]:f}"
