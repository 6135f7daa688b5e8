"""Makes tables of the CSV, so that both are of the same run."""

from collections.abc import Iterator, Mapping, Sequence

from spark.goals import Goal
from spark.plots import NAMES
from spark.results import Key, Results, where, without_gc
from spark.tasks import TASKS, TITLES
from suite.page import markdown


def tables(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, results, goals))


def _sections(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> Iterator[str]:
    yield "## PySpark: the run\n\n" + "\n".join(
        f"- {name}: {value}" for name, value in header.items()
    )
    lines = [
        (one.job, one.wanted, one.reached, "met" if one.is_met else "MISSED", one.slow, one.fast)
        for one in goals
    ]
    headings = ("job", "goal", "reached (spread)", "", "stock or marshal, s", "serow, s")
    yield "## PySpark: goals\n\n" + markdown(headings, lines)
    if losses := list(_losses(results)):
        yield "## PySpark: where serow is not the fastest\n\n" + markdown(
            ("job", "faster than serow", "its time, s", "serow, s"), losses
        )
    for group in TASKS:
        scales = results.scales(group)
        for scale in scales:
            title = f"{TITLES[group]}{where(group, scale)}"
            yield f"## PySpark, {title}: seconds\n\n" + _seconds(results, scale, group)
        if scales:
            yield f"![{title}]({NAMES[group]})"


def _seconds(results: Results, scale: str, group: str) -> str:
    """Returns everyone's least time of all rounds."""
    names = results.contestants(group)
    lines = []
    for task in TASKS[group]:
        found = [results.get(Key(scale, group, task.name, name)) for name in names]
        cells = ("" if one is None else f"{one.figure.least:.2f}" for one in found)
        lines.append((task.name, *cells))
    return markdown(("", *names), lines)


def _losses(results: Results) -> Iterator[tuple[str, str, str, str]]:
    """Yields contestants that took less time than serow with the same garbage collector setting."""
    for group, tasks in TASKS.items():
        for scale in results.scales(group):
            for task in tasks:
                for name in results.contestants(group):
                    serow = "serow, gc off" if without_gc(name) else "serow"
                    one, ours = (
                        results.get(Key(scale, group, task.name, who)) for who in (name, serow)
                    )
                    if one and ours and one.figure.least < ours.figure.least:
                        job = f"{TITLES[group]}{where(group, scale)}: {task.name}"
                        yield job, name, f"{one.figure.least:.2f}", f"{ours.figure.least:.2f}"
