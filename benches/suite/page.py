"""Makes tables of the CSV, so that both are of the same run."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from suite.entrants import ENTRANTS, known, label
from suite.figures import ratio
from suite.goals import Goal
from suite.results import Key, Record, Results, key
from suite.wider import WIDER
from suite.work import SMALL, WORKS
from suite.workload import Workload
from suite.workloads import OTHERS, PART

Column = tuple[str, str, str]
"""Heading, work and order."""

PYTHON_COLUMNS: Sequence[Column] = (
    ("encode", "encode-fresh", "in order"),
    ("retained", "encode-retained", "in order"),
    ("shuffled", "encode-fresh", "shuffled"),
    ("retained", "encode-retained", "shuffled"),
    ("hot", "encode-fresh", "hot"),
    ("retained", "encode-retained", "hot"),
    ("decode", "decode-fresh", "in order"),
    ("retained", "decode-retained", "in order"),
    ("hot", "decode-retained", "hot"),
)
JVM_COLUMNS: Sequence[Column] = (
    *PYTHON_COLUMNS[:6],
    ("decode", "decode-retained", "in order"),
    ("hot", "decode-retained", "hot"),
)
ROW_COLUMNS: Sequence[Column] = (
    ("encode, in order", "encode-row", "in order"),
    ("shuffled", "encode-row", "shuffled"),
    ("hot", "encode-row", "hot"),
    ("decode, in order", "decode-row", "in order"),
    ("hot", "decode-row", "hot"),
)
LOOP_COLUMNS: Sequence[Column] = (
    ("encode", "encode-dropped", "in order"),
    ("decode", "decode-dropped", "in order"),
    ("with retain_memory", "decode-kept", "in order"),
)
SMALL_COLUMNS: Sequence[Column] = tuple(
    (WORKS[work].verb + " " + WORKS[work].unit.replace("1 rows", "1 row"), work, "hot")
    for work in SMALL
)

WIDER_COLUMNS: Mapping[str, Sequence[Column]] = {
    "Python": (*PYTHON_COLUMNS[:2], *PYTHON_COLUMNS[4:]),
    "JVM": (*JVM_COLUMNS[:2], *JVM_COLUMNS[4:]),
}

WIDER_NAMES = {
    "lineitem": "lineitem",
    "readings": "nested rows",
    "dicts": "rows as dicts",
    "amounts": "five numbers",
    "versions": "records of two versions",
}

RATIOS = "speed of serow relative to each peer"

COLUMNS = {
    "Python": (
        "Times in fresh memory; a column *retained* shows its left neighbour in retained memory. "
        "Hot decoding is in retained memory."
    ),
    "JVM": (
        "Times in fresh memory; a column *retained* shows its left neighbour in retained memory. "
        "Decoding is always in retained memory."
    ),
}
"""How to read them."""


def publish(csv: Path, title: str, command: str, text: str) -> None:
    """Prints tables and writes them to a file beside their CSV. `command` is what measured them."""
    about = (
        f"`{command}` writes this file from [{csv.name}]({csv.name}), which has every round. "
        "[Benchmarks](../../docs/benchmarks.md) says what is measured and why not to trust it."
    )
    page = f"# Measured: {title}\n\n{about}\n\n{text}\n"
    csv.with_suffix(".md").write_text(page, encoding="utf-8")
    print(plain(text))
    print()
    print(f"{csv} has all figures, with every round; tables, and plots if any, are beside it.")


def goals_table(goals: Iterable[Goal]) -> str:
    """Returns each goal with the measured figure, in Markdown."""
    lines = [(one.what, one.wanted, one.figure or "-", one.verdict) for one in goals]
    return markdown(("what", "goal", "figure (spread)", ""), lines)


def plain(text: str) -> str:
    """Returns the tables for a terminal."""
    return re.sub(r"^\|[:|-]+\|\n?", "", text, flags=re.MULTILINE)


def tables(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> str:
    """Returns all tables in Markdown."""
    return "\n\n".join(_sections(header, results, goals))


def _sections(header: Mapping[str, str], results: Results, goals: Sequence[Goal]) -> Iterator[str]:
    scales = [scale for scale in results.scales() if scale != "-"]
    first = scales[0]
    machine = "\n".join(f"- {name}: {value}" for name, value in header.items())
    yield f"## The machine\n\n{machine}"
    yield "## Goals\n\n" + goals_table(goals)
    for where, columns in (("Python", PYTHON_COLUMNS), ("JVM", JVM_COLUMNS)):
        yield (
            f"## {where}, Part at SF={first}, in batches: ns a row\n\n{COLUMNS[where]}\n\n"
            + _grid(results, first, where, columns, "bytes a row")
        )
        yield f"## {where}, Part, a single record or message a row: ns a row\n\n" + _grid(
            results, first, where, ROW_COLUMNS, "bytes a row"
        )
        if where == "JVM":
            yield (
                "## JVM, Part, a single record or message a row, hot: bytes allocated\n\n"
                + _allocated(results, first)
            )
    if any(one.key.memory == "dropped" for one in results.records):
        yield (
            f"## Python, Part at SF={first}, in a loop that drops each result: ns a row\n\n"
            + _grid(results, first, "Python", LOOP_COLUMNS, "bytes a row")
        )
    yield (
        "## Python, Part, hot, small messages by dumps and loads: ns a row\n\n"
        + _grid(results, first, "Python", SMALL_COLUMNS, "bytes a row")
    )
    ratios = _ratio_lines(results, first, ["Python", "JVM"])
    yield f"## {RATIOS.capitalize()}\n\n" + _ratio_table(ratios)
    yield f"## Between Python and the JVM, SF={first}: ns a row\n\n" + _sockets(results, first)
    yield "## Other rows, in Python: ns a row\n\n" + _others(results, first)
    for workload in WIDER:
        yield from _wider(results, first, workload)
    if len(scales) > 1:
        yield "## By scale factor: milliseconds\n\n" + _by_scale(results, scales)


def markdown(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Returns a table with aligned columns. All but the first are aligned to the right."""
    widths = [max(len(line[i]) for line in (headings, *lines)) for i in range(len(headings))]
    rule = ["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]

    def row(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    return "\n".join([row(headings), f"|{'|'.join(rule)}|", *map(row, lines)])


def _entrants(results: Results, scenarios: Sequence[str]) -> list[str]:
    return known(one.key.entrant for one in results.records if one.key.scenario in scenarios)


def _wider(results: Results, scale: str, workload: Workload) -> Iterator[str]:
    """Returns times and ratios of one of the wider workloads, as far as they were measured."""
    what = WIDER_NAMES[workload.name]
    for where, columns in WIDER_COLUMNS.items():
        if any(
            one.key.workload == workload.name and one.key.scenario.startswith(where)
            for one in results.records
        ):
            yield f"## {where}, {what}: ns a row\n\n" + _grid(
                results, scale, where, columns, "bytes a row", workload
            )
            if ratios := _ratio_lines(results, scale, [where], workload):
                yield f"## {where}, {what}: {RATIOS}\n\n" + _ratio_table(ratios)


def _cell(record: Record | None) -> str:
    return "" if record is None else f"{record.figure.least:,.0f}"


def _grid(
    results: Results,
    scale: str,
    where: str,
    columns: Sequence[Column],
    last: str,
    workload: Workload = PART,
) -> str:
    lines = []
    for name in _entrants(results, [f"{where} encode"]):
        found = [
            results.get(key(scale, workload.name, where, name, work, order))
            for _, work, order in columns
        ]
        if found[0] is None:
            continue
        size = f"{found[0].bytes / found[0].rows:.1f}"
        lines.append((label(name, where), *map(_cell, found), size))
    return markdown(("", *(heading for heading, _, _ in columns), last), lines)


def _allocated(results: Results, scale: str) -> str:
    """Returns the bytes that a call allocates on the heap, its result included."""
    lines = []
    for name in _entrants(results, ["JVM encode"]):
        keys = (key(scale, PART.name, "JVM", name, f"{verb}-row", "hot") for verb in VERBS)
        found = [results.get(one) for one in keys]
        if all(found):
            lines.append((label(name, "JVM"), *(f"{one.allocated:,}" for one in found if one)))
    return markdown(("", *VERBS), lines)


VERBS = ("encode", "decode")


def _ratio_table(lines: Sequence[Sequence[str]]) -> str:
    return markdown(("peer", "row encode", "frame encode", "frame decode"), lines)


def _ratio_lines(
    results: Results, scale: str, languages: Sequence[str], workload: Workload = PART
) -> list[Sequence[str]]:
    """Returns a line per peer: its times with its best memory, and the spread."""
    lines: list[Sequence[str]] = []
    for where in languages:
        for name in _entrants(results, [f"{where} encode"]):
            one = key(scale, workload.name, where, name, "encode-fresh", "in order")
            spec = ENTRANTS[name]
            if spec.is_serow or spec.is_floor or results.get(one) is None:
                continue
            cells = [
                _ratio(results, (scale, workload.name, where), name, wire, work)
                for wire, work in (("row", "encode"), ("frame", "encode"), ("frame", "decode"))
            ]
            prefix = f"{where}: " if len(languages) > 1 else ""
            lines.append((f"{prefix}{label(name, where)}", *cells))
    return lines


def _ratio(results: Results, place: tuple[str, str, str], peer: str, wire: str, verb: str) -> str:
    def best(name: str) -> Record | None:
        for memory in ("retained", "fresh"):
            one = key(*place, name, f"{verb}-{memory}", "in order")
            if (found := results.get(one)) is not None:
                return found
        return None

    slow, fast = best(peer), best(f"serow-{wire}-jit") or best(f"serow-{wire}")
    if slow is None or fast is None:
        return ""
    one = ratio(slow.rounds, fast.rounds)
    return f"{one.of_least:.2f} ({one.low:.2f} to {one.high:.2f})"


SOCKETS = (
    ("Python to JVM", "batch"),
    ("JVM to Python", "batch"),
    ("Python to JVM", "row"),
    ("JVM to Python", "row"),
)


def _sockets(results: Results, scale: str) -> str:
    lines = []
    for name in _entrants(results, ["Python to JVM"]):
        keys = [
            Key(scale, PART.name, scenario, name, unit, "in order", "fresh")
            for scenario, unit in SOCKETS
        ]
        lines.append((label(name, "Python"), *(_cell(results.get(one)) for one in keys)))
    headings = [f"{scenario}{', by row' * (unit == 'row')}" for scenario, unit in SOCKETS]
    return markdown(("", *headings), lines)


def _others(results: Results, scale: str) -> str:
    columns = (
        ("encode", "encode-fresh", "in order"),
        ("retained", "encode-retained", "in order"),
        ("hot", "encode-fresh", "hot"),
        ("decode", "decode-fresh", "in order"),
        ("retained", "decode-retained", "in order"),
    )
    lines = []
    for workload in OTHERS:
        for name in _entrants(results, ["Python encode"]):
            found = [
                results.get(key(scale, workload.name, "Python", name, work, order))
                for _, work, order in columns
            ]
            if found[0] is not None:
                size = f"{found[0].bytes / found[0].rows:.1f}"
                who = f"{workload.name}: {label(name, 'Python')}"
                lines.append((who, *map(_cell, found), size))
    return markdown(("", *(heading for heading, _, _ in columns), "bytes a row"), lines)


def _by_scale(results: Results, scales: Sequence[str]) -> str:
    """Returns the six scenarios in batches. Each entrant has the memory that suits it best."""
    lines = []
    for scenario in (
        *("Python encode", "Python decode", "JVM encode", "JVM decode"),
        *("Python to JVM", "JVM to Python"),
    ):
        for name in _entrants(results, [scenario]):
            cells = [_milliseconds(results, scale, scenario, name) for scale in scales]
            if all(cells):
                lines.append((f"{scenario}: {label(name, scenario.split()[0])}", *cells))
    return markdown(("", *(f"SF={scale}" for scale in scales)), lines)


def _milliseconds(results: Results, scale: str, scenario: str, name: str) -> str:
    for memory in ("retained", "fresh"):
        one = results.get(Key(scale, PART.name, scenario, name, "batch", "in order", memory))
        if one is not None:
            return f"{one.figure.least * one.rows / 1e6:,.0f}"
    return ""
