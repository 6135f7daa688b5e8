"""Draws the plots: for each step of a job, bars of everyone's seconds.

The seconds of Kryo with registered classes are 1. The light colour is without registered classes.
"""

from pathlib import Path

from spark_jvm.contestants import CONTESTANTS, PEER
from spark_jvm.groups import GROUPS
from spark_jvm.results import Key, Results
from suite.bars import Bar, Panel, save

NAMES = {group: f"spark-jvm-{group}.svg" for group in GROUPS}
"""The files, one per group."""


def draw(folder: Path, results: Results) -> None:
    """Draws all plots that the results suffice for."""
    for group, name in NAMES.items():
        steps = results.steps(group)
        if steps:
            save(folder / name, [_panel(results, group, job, step) for job, step in steps])


def _panel(results: Results, group: str, job: str, step: str) -> Panel:
    kryo = results.get(Key(group, job, step, PEER))
    bars = []
    seconds = {}
    for name in results.contestants(group):
        one = results.get(Key(group, job, step, name))
        if one is None or kryo is None:
            continue
        seconds[name] = one.least
        bars.append(
            Bar(
                name,
                CONTESTANTS[name].is_serow,
                not CONTESTANTS[name].is_registered,
                one.least / kryo.least,
                one.median / kryo.least,
            )
        )
    return Panel(
        f"{job}: {step} (light: not registered)",
        "of registered Kryo's seconds",
        bars,
        lambda bar: f"{bar.value:.2f} ({seconds[bar.name]:.3g} s)",
    )
