"""Makes tables of the CSV, so that both are of the same run."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from pythons.results import LIMIT, Compared, Measured
from suite.entrants import ENTRANTS
from suite.page import WIDER_NAMES, markdown
from suite.results import Key

NAMES = {**WIDER_NAMES, "nested": "nested tuples"}
ALL = "all rows"
WORST = 10
"""The number of rows in the table of the slowest."""


def tables(header: Mapping[str, str], compared: Mapping[str, Sequence[Compared]]) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, compared))


def _sections(
    header: Mapping[str, str], compared: Mapping[str, Sequence[Compared]]
) -> Iterator[str]:
    pythons = " and ".join(compared)
    yield f"## Python {pythons}: the run\n\n" + "\n".join(
        f"- {name}: {value}" for name, value in header.items()
    )
    first = next(iter(compared.values()))[0].first.python
    title = f"## Python {pythons}: rows that take at most {LIMIT} times as long as on {first}"
    yield f"{title}\n\n{_summary(compared)}"
    for python, rows in compared.items():
        worst = sorted(rows, key=lambda one: one.ratio, reverse=True)[:WORST]
        cells = [
            (
                name(one.key),
                _time(one.first),
                _time(one.newer),
                "{:.2f} ({:.2f} to {:.2f})".format(one.ratio, *one.spread),
            )
            for one in worst
        ]
        yield f"## Python {python}: the slowest rows\n\n" + markdown(
            ("", first, python, "ratio (spread)"), cells
        )


def _summary(compared: Mapping[str, Sequence[Compared]]) -> str:
    """Returns the number of rows that reach the goal and the median ratio, of each group."""
    groups = dict.fromkeys(group(one.key) for rows in compared.values() for one in rows)
    headings = ["", "rows"]
    for python in compared:
        headings += [f"{python}: reach it", "median ratio", "least", "greatest"]
    lines = []
    for each in (*groups, ALL):
        cells = []
        for rows in compared.values():
            some = [one for one in rows if each in (ALL, group(one.key))]
            ratios = [one.ratio for one in some]
            cells += [str(sum(one.is_met for one in some))]
            cells += [f"{of(ratios):.3f}" for of in (statistics.median, min, max)]
        lines.append((each, str(len(some)), *cells))
    return markdown(headings, lines)


def group(key: Key) -> str:
    """Returns the group of a row in the summary."""
    if key.order == "-":
        return "fresh processes"
    verb = key.scenario.removeprefix("Python ")
    if key.unit != "batch":
        return f"{verb}, single records and small messages"
    return f"{verb}, batches, {'hot' if key.order == 'hot' else 'in order and shuffled'}"


def name(key: Key) -> str:
    """Returns the name of a row in the table of the slowest."""
    if key.order == "-":
        return f"{key.scenario}, {key.workload}".removesuffix(", -")
    workload = NAMES.get(key.workload, key.workload)
    verb = key.scenario.removeprefix("Python ")
    rows = [] if key.unit == "batch" else [f"a {key.unit}" if key.unit == "row" else key.unit]
    how = ", ".join([*rows, key.order, f"{key.memory} memory"])
    return f"{workload}: {verb}, {how}; {ENTRANTS[key.entrant].label}"


def _time(one: Measured) -> str:
    if one.key.unit == "process":
        return f"{one.nanoseconds / 1e6:.3g} ms"
    return f"{one.nanoseconds:.1f} ns"
