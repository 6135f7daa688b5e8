"""The figures as text for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """The result of a task, and the seconds of each run of both contestants."""

    rows: int
    stock: Sequence[float]
    serow: Sequence[float]


def table(tasks: Mapping[str, Figures]) -> str:
    """Returns a line for each task, with the ratio of the fastest runs."""
    width = max(map(len, tasks))
    lines = [f"{'':{width}}  {'rows':>9}  {'stock s':>8}  {'serow s':>8}  {'stock / serow':>13}"]
    for name, figures in tasks.items():
        stock, serow = min(figures.stock), min(figures.serow)
        lines.append(
            f"{name:{width}}  {figures.rows:>9,}  {stock:>8.3f}  {serow:>8.3f}"
            f"  {stock / serow:>12.2f}x"
        )
    return "\n".join(lines)
