"""The goals, and the measured figures."""

from collections.abc import Iterator, Mapping, Sequence

from parallel.results import Series
from parallel.settings import AUTO
from suite.figures import ratio, text
from suite.goals import Goal

LARGE = 100_000_000
SPEEDUPS: Mapping[tuple[str, str], float] = {
    ("Rust", "encode"): 1.8,
    ("Rust", "decode"): 1.8,
    ("Java", "encode"): 1.8,
    ("Java", "decode"): 1.8,
    ("Python", "encode"): 1.4,
    ("Python", "decode"): 1.25,
}
"""By language and direction."""

SMALL = (10_000, 100_000)
MOST = 1.03
"""Small messages take no more than this times the time on one thread."""


def goals(all_series: Sequence[Series]) -> Iterator[Goal]:
    """Yields a goal for each series that has one."""
    for one in all_series:
        what = f"{one.language}, {one.verb}, {size_text(one.size)}{compressed(one.compression)}"
        if one.size == LARGE:
            wanted = SPEEDUPS[one.language, one.verb]
            speedup = one.speedup(AUTO)
            yield Goal(
                f"{what}: speedup with auto",
                f">= {wanted}x",
                text(speedup),
                speedup.of_least >= wanted,
            )
        if one.size in SMALL:
            slower = ratio(one.by_threads[AUTO].rounds, one.one.rounds)
            yield Goal(
                f"{what}: time with auto over one thread",
                f"<= {MOST}x",
                text(slower),
                slower.of_least <= MOST,
            )


def size_text(size: int) -> str:
    """Returns a text such as `10 kB`."""
    for unit, name in ((1_000_000, "MB"), (1000, "kB")):
        if size >= unit:
            return f"{size / unit:g} {name}"
    return f"{size} B"


def compressed(compression: str) -> str:
    """Returns the end of a title."""
    return "" if compression == "none" else f", {compression}"
