"""The plots: horizontal bars of the least time of all rounds, with a line up to the median."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from suite.entrants import ENTRANTS, known, label
from suite.results import Key, Record, Results, key
from suite.workloads import OTHERS, PART

SEROW, PEER = ("#b5482a", "#e0a08c"), ("#4a5a6a", "#a9b4bf")
"""A dark and a light colour; the light one is fresh memory."""


@dataclass(frozen=True)
class Bar:
    """One bar: what it is of, its end, and where the line beyond it ends."""

    name: str
    is_serow: bool
    is_light: bool
    value: float
    line: float


@dataclass(frozen=True)
class Panel:
    """Bars below each other."""

    title: str
    unit: str
    bars: Sequence[Bar]


def draw(folder: Path, results: Results) -> None:
    """All plots that the results are enough for, as SVG."""
    scale = next((scale for scale in results.scales() if scale != "-"), "-")
    for where in ("Python", "JVM"):
        _save(folder / f"{where.lower()}.svg", _one_language(results, scale, where))
        _save(folder / f"{where.lower()}-order.svg", _orders(results, scale, where))
        _save(folder / f"{where.lower()}-rows.svg", _by_row(results, scale, where))
    _save(folder / "sockets.svg", _sockets(results, scale))
    _save(folder / "sizes.svg", [_sizes(results, scale)])
    _save(folder / "others.svg", _others(results, scale))


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
            is_new = where == "Python" or ENTRANTS[name].python is None or name == "pickle"
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


def _save(path: Path, panels: Sequence[Panel]) -> None:
    """Two panels beside each other, in as many lines as it takes."""
    panels = [panel for panel in panels if panel.bars]
    if not panels:
        return
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    most = max(len(panel.bars) for panel in panels)
    # Text stays text, so that a file is small and can be searched.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "serow", "font.size": 8}):
        size = (5.4 * columns, (0.19 * most + 0.8) * lines)
        shape, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
        for axis, panel in zip(axes.flat, panels, strict=False):
            _draw(axis, panel)
        for axis in axes.flat[len(panels) :]:
            axis.axis("off")
        shape.tight_layout()
        path.parent.mkdir(parents=True, exist_ok=True)
        shape.savefig(path, metadata={"Date": None})
        plt.close(shape)


def _draw(axis: Axes, panel: Panel) -> None:
    """Bars of one entrant bear its name once."""
    for place, bar in enumerate(panel.bars):
        colour = (SEROW if bar.is_serow else PEER)[bar.is_light]
        axis.barh(place, bar.value, color=colour, height=0.75)
        axis.plot([bar.value, bar.line], [place, place], color="black", linewidth=0.8)
        axis.text(bar.line, place, f" {bar.value:,.0f}", va="center", fontsize=7)
    names = [bar.name for bar in panel.bars]
    shown = ["" if i and names[i - 1] == name else name for i, name in enumerate(names)]
    axis.set_yticks(range(len(names)), shown)
    axis.invert_yaxis()
    axis.set_title(panel.title, loc="left", fontsize=9, fontweight="bold")
    axis.set_xlabel(panel.unit)
    axis.margins(x=0.14)
    axis.spines[["top", "right"]].set_visible(False)
