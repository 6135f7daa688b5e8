"""Compares the figures of serow with the figures of the commit that was measured before."""

import statistics
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from suite import results
from suite.page import markdown
from suite.results import Key, Results

LARGE = 0.03
"""A change that is listed."""

SAME = ("CPU", "memory", "rows")
"""What two runs must have in common, of their headers."""


def earlier(path: Path) -> Path:
    """Returns the file beside a CSV with the figures of the commit before."""
    return path.with_suffix(".before.csv")


def keep(path: Path, commit: str) -> None:
    """Keeps the figures of another commit before this one's replace them."""
    if path.exists() and results.read(path)[0].get("commit") != commit:
        path.replace(earlier(path))


def section(path: Path) -> str:
    """Returns what became slower or faster since, in Markdown. It is empty if nothing was kept."""
    if not earlier(path).exists():
        return ""
    header, records = results.read(path)
    header_before, before = results.read(earlier(path))
    commit = header_before.get("commit", "an unknown commit")
    if differing := [name for name in SAME if header.get(name) != header_before.get(name)]:
        return f"## Since {commit}\n\nNot compared: another {', another '.join(differing)}."
    lines = [
        (_name(key), f"{was:,.0f}", f"{now:,.0f}", f"{step - 1:+.0%}")
        for key, (was, now, step) in _steps(Results(before), Results(records)).items()
        if abs(step - 1) > LARGE
    ]
    about = (
        f"Rows of serow whose time has changed by more than {LARGE:.0%} since {commit}, relative "
        "to what the peers of the same scenario took then and now."
    )
    table = markdown(("", "ns before", "ns now", "step"), lines) if lines else "There are none."
    return f"## Since {commit}\n\n{about}\n\n{table}"


def _steps(before: Results, now: Results) -> Mapping[Key, tuple[float, float, float]]:
    """Returns the times of each row of serow and how far it moved against its peers' median."""
    own: dict[Key, tuple[float, float]] = {}
    peers: defaultdict[tuple[str, ...], list[float]] = defaultdict(list)
    for record in now.records:
        if (then := before.get(record.key)) is None:
            continue
        times = then.figure.least, record.figure.least
        if record.key.entrant.startswith("serow"):
            own[record.key] = times
        else:
            peers[_scenario(record.key)].append(times[1] / times[0])
    return {
        key: (was, is_now, is_now / was / statistics.median(peers.get(_scenario(key)) or [1.0]))
        for key, (was, is_now) in own.items()
    }


def _scenario(key: Key) -> tuple[str, ...]:
    return key.scale, key.workload, key.scenario, key.unit, key.order, key.memory


def _name(key: Key) -> str:
    parts = (key.workload, key.scenario, key.entrant, key.unit, key.order, key.memory)
    return ", ".join(part for part in parts if part != "-")
