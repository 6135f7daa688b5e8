"""Draws the plots: for each job, bars of everyone's seconds, with stock PySpark's as 1.

The light colour is without Python's garbage collector. Stock with it is 1 for both.
"""

from pathlib import Path

from spark.results import Key, Results, where, without_gc
from spark.tasks import TASKS, TITLES
from suite.bars import Bar, Panel, save

NAMES = {group: f"spark-{group}.svg" for group in TASKS}
"""The files, one per group."""


def draw(folder: Path, results: Results) -> None:
    """Draws all plots that the results suffice for. Texts are at the last scale factor."""
    for group, tasks in TASKS.items():
        scales = results.scales(group)
        if scales:
            panels = [_panel(results, scales[-1], group, task.name) for task in tasks]
            save(folder / NAMES[group], panels)


def _panel(results: Results, scale: str, group: str, task: str) -> Panel:
    stock = results.get(Key(scale, group, task, "stock"))
    bars = []
    seconds = {}
    for name in results.contestants(group):
        one = results.get(Key(scale, group, task, name))
        if one is None or stock is None:
            continue
        unit = stock.figure.least
        seconds[name] = one.figure.least
        bars.append(
            Bar(
                name,
                name.startswith("serow"),
                without_gc(name),
                one.figure.least / unit,
                one.figure.median / unit,
            )
        )
    return Panel(
        f"{TITLES[group]}{where(group, scale)}: {task} (light: gc off)",
        "of stock's seconds",
        bars,
        lambda bar: f"{bar.value:.2f} ({seconds[bar.name]:.2f} s)",
    )
