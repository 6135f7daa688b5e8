"""Makes tables of the CSV, so that both are of the same run."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from spark_jvm.contestants import CONTESTANTS, SEROW
from spark_jvm.groups import GROUPS
from spark_jvm.plots import NAMES
from spark_jvm.results import Key, Record, Results
from suite.goals import Goal
from suite.page import goals_table, markdown


def tables(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, results, goals))


def _sections(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> Iterator[str]:
    yield "## Spark's JVM: the run\n\n" + "\n".join(
        f"- {name}: {value}" for name, value in header.items()
    )
    yield "## Spark's JVM: goals\n\n" + goals_table(goals)
    if losses := list(_losses(results)):
        yield "## Spark's JVM: where registered serow is not the fastest\n\n" + markdown(
            ("job", "faster than serow", "its time, ms", "serow, ms"), losses
        )
    for group, about in GROUPS.items():
        if not results.steps(group):
            continue
        title = f"## Spark's JVM, {about.title}"
        for what, cell in (
            ("milliseconds", _milliseconds),
            ("of these, the garbage collector, milliseconds (median)", _gc),
            (f"{about.bytes} kilobytes", _kilobytes),
        ):
            if grid := _grid(results, group, cell):
                yield f"{title}: {what}\n\n{grid}"
        yield f"![{about.title}]({NAMES[group]})"


def _grid(results: Results, group: str, cell: Callable[[Record], str]) -> str:
    """Returns a column a contestant, and a line for each step with a figure that is not 0."""
    names = results.contestants(group)
    lines = []
    for job, step in results.steps(group):
        found = [results.get(Key(group, job, step, name)) for name in names]
        cells = ["left out" if one is None else cell(one) for one in found]
        if not {*cells} <= {"left out", "0"}:
            lines.append((f"{job}: {step}", *cells))
    return markdown(("", *names), lines) if lines else ""


def _losses(results: Results) -> Iterator[tuple[str, str, str, str]]:
    """Yields contestants that took less time than serow with registered classes."""
    for group, about in GROUPS.items():
        for job, step in results.steps(group):
            ours = results.get(Key(group, job, step, SEROW))
            for name in results.contestants(group):
                one = results.get(Key(group, job, step, name))
                if one and ours and not CONTESTANTS[name].is_serow and one.least < ours.least:
                    what = f"{about.title}: {job}, {step}"
                    yield what, name, _milliseconds(one), _milliseconds(ours)


def _milliseconds(one: Record) -> str:
    return f"{one.least * 1e3:,.3g}" if one.least < 1 else f"{one.least * 1e3:,.0f}"


def _gc(one: Record) -> str:
    return f"{one.gc * 1e3:.0f}"


def _kilobytes(one: Record) -> str:
    return f"{one.bytes / 1e3:,.0f}"
