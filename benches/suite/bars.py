"""Draws panels of horizontal bars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

SEROW, PEER = ("#b5482a", "#e0a08c"), ("#4a5a6a", "#a9b4bf")
"""A dark and a light colour."""


@dataclass(frozen=True)
class Bar:
    """One bar: its label, its end, and the end of the line beyond it."""

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
    show: Callable[[Bar], str] = lambda bar: f"{bar.value:,.0f}"
    """The text after a bar."""


def save(path: Path, panels: Sequence[Panel]) -> None:
    """Draws panels in rows of two."""
    panels = [panel for panel in panels if panel.bars]
    if not panels:
        return
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    most = max(len(panel.bars) for panel in panels)
    # Keep text as text, so that files are small and searchable.
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
    """Draws a panel. Bars of one entrant show its name once."""
    for place, bar in enumerate(panel.bars):
        colour = (SEROW if bar.is_serow else PEER)[bar.is_light]
        axis.barh(place, bar.value, color=colour, height=0.75)
        axis.plot([bar.value, bar.line], [place, place], color="black", linewidth=0.8)
        axis.text(bar.line, place, f" {panel.show(bar)}", va="center", fontsize=7)
    names = [bar.name for bar in panel.bars]
    shown = ["" if i and names[i - 1] == name else name for i, name in enumerate(names)]
    axis.set_yticks(range(len(names)), shown)
    axis.invert_yaxis()
    axis.set_title(panel.title, loc="left", fontsize=9, fontweight="bold")
    axis.set_xlabel(panel.unit)
    axis.margins(x=0.14)
    axis.spines[["top", "right"]].set_visible(False)
