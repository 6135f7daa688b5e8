"""Draws the plots: horizontal bars of the least time of all rounds, with a line to the median.

The light colour is fresh memory.
"""

from collections.abc import Sequence
from pathlib import Path

from suite.bars import Bar, Panel, save
from suite.entrants import ENTRANTS, known, label
from suite.results import Key, Record, Results, key
from suite.workloads import OTHERS, PART


def draw(folder: Path, results: Results) -> None:
    """Draws all plots that the results suffice for, as SVG."""
    scale = next((scale for scale in results.scales() if scale != "-"), "-")
    for where in ("Python", "JVM"):
        save(folder / f"{where.lower()}.svg", _one_language(results, scale, where))
        save(folder / f"{where.lower()}-order.svg", _orders(results, scale, where))
        save(folder / f"{where.lower()}-rows.svg", _by_row(results, scale, where))
    save(folder / "sockets.svg", _sockets(results, scale))
    save(folder / "sizes.svg", [_sizes(results, scale)])
    save(folder / "others.svg", _others(results, scale))


def _one_language(results: Results, scale: str, where: str) -> list[Panel]:
    panels = []
    for verb in ("encode", "decode"):
        keys = [
            (name, memory, key(scale, PART.name, where, name, f"{verb}-{memory}", "in order"))
            for name in _names(results, f"{where} {verb}")
            for memory in ("retained", "fresh")
        ]
        title = f"{where}: {verb} Part in order (light: fresh memory)"
        panels.append(_panel(title, results, where, keys))
    return panels


def _orders(results: Results, scale: str, where: str) -> list[Panel]:
    panels = []
    for order in ("hot", "in order", "shuffled"):
        keys = []
        for name in _names(results, f"{where} encode"):
            for memory in ("retained", "fresh"):
                work = f"encode-{memory}"
                keys.append((name, memory, key(scale, PART.name, where, name, work, order)))
        panels.append(_panel(f"{where}: encode, rows {order}", results, where, keys))
    return panels


def _by_row(results: Results, scale: str, where: str) -> list[Panel]:
    return [
        _panel(
            f"{where}: {verb} a message a row, hot",
            results,
            where,
            [
                (name, "retained", key(scale, PART.name, where, name, f"{verb}-row", "hot"))
                for name in _names(results, f"{where} {verb}")
            ],
        )
        for verb in ("encode", "decode")
    ]


def _sockets(results: Results, scale: str) -> list[Panel]:
    return [
        _panel(
            f"{scenario} by socket, {'in batches' if unit == 'batch' else 'a message a row'}",
            results,
            "Python",
            [
                (
                    name,
                    "retained",
                    Key(scale, PART.name, scenario, name, unit, "in order", "fresh"),
                )
                for name in _names(results, scenario)
            ],
        )
        for unit in ("batch", "row")
        for scenario in ("Python to JVM", "JVM to Python")
    ]


def _sizes(results: Results, scale: str) -> Panel:
    bars = []
    for where in ("Python", "JVM"):
        for name in _names(results, f"{where} encode"):
            one = results.get(key(scale, PART.name, where, name, "encode-fresh", "in order"))
            is_new = where == "Python" or not ENTRANTS[name].python or name == "pickle"
            is_new = is_new and not ENTRANTS[name].is_floor
            if one is not None and is_new and not name.endswith("-jit"):
                size = one.bytes / one.rows
                what = label(name, where).removesuffix(", interpreter")
                bars.append(Bar(what, ENTRANTS[name].is_serow, False, size, size))
    return Panel("Part in batches", "bytes a row", bars)


def _others(results: Results, scale: str) -> list[Panel]:
    return [
        _panel(
            f"{verb} {workload.name} in Python (light: fresh memory)",
            results,
            "Python",
            [
                (
                    name,
                    memory,
                    key(scale, workload.name, "Python", name, f"{verb}-{memory}", "in order"),
                )
                for name in _names(results, f"Python {verb}")
                for memory in ("retained", "fresh")
            ],
        )
        for workload in OTHERS
        for verb in ("encode", "decode")
    ]


def _names(results: Results, scenario: str) -> list[str]:
    return known(one.key.entrant for one in results.records if one.key.scenario == scenario)


def _panel(title: str, results: Results, where: str, keys: Sequence[tuple[str, str, Key]]) -> Panel:
    found = [(name, memory, results.get(one)) for name, memory, one in keys]
    return Panel(
        title,
        "ns a row",
        [_bar(name, where, memory, one) for name, memory, one in found if one is not None],
    )


def _bar(name: str, where: str, memory: str, one: Record) -> Bar:
    return Bar(
        label(name, where),
        ENTRANTS[name].is_serow,
        memory == "fresh",
        one.figure.least,
        one.figure.median,
    )
