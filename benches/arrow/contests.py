"""What is measured: serow's way, the ways of its peers, and the goal of each contest.

A contest is named by its task and its rows. `CONTESTS` has the goals; `side.Side` does the tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

SEROW = "serow"


@dataclass(frozen=True)
class Contest:
    """One task with rows, for serow and some peers."""

    task: str
    """What is done, by its name in `tasks`."""

    rows: str
    """The name of the rows in `data`."""

    what: str
    """The task in words."""

    peers: Sequence[str]
    wanted: float
    """The goal: the time of the fastest peer divided by the time of serow."""

    share: float = 1.0
    """The part of the rows that is used, because a peer takes long."""


def _both(
    task: str, what: str, peers: Sequence[str], wanted: tuple[float, float], share: float = 1.0
) -> list[Contest]:
    return [
        Contest(task, rows, what, peers, goal, share)
        for rows, goal in zip(("part", "lineitem"), wanted, strict=True)
    ]


CONTESTS: Sequence[Contest] = (
    *_both("tuples to arrow", "tuples to Arrow", ["pyarrow by columns"], (7, 12)),
    *_both("dicts to arrow", "dicts to Arrow", ["pyarrow from_pylist"], (8, 15)),
    *_both("objects to polars", "dataclasses to a Polars frame", ["polars"], (8, 12)),
    *_both("tuples to duckdb", "rows into DuckDB", ["duckdb executemany"], (300, 300), 0.05),
    *_both("arrow to tuples", "Arrow to tuples", ["pyarrow columns zipped"], (4, 12)),
    *_both("arrow to dicts", "Arrow to dicts", ["pyarrow to_pylist"], (4, 8)),
    *_both("arrow to objects", "Arrow to dataclasses", ["pyarrow columns zipped"], (5, 5)),
    *_both("polars to tuples", "a Polars frame to tuples", ["polars rows"], (3, 3)),
    *_both("duckdb to tuples", "a DuckDB relation to tuples", ["duckdb fetchall"], (3, 3)),
    *_both("frames to arrow", "frames with zstd to Arrow", ["Parquet with zstd"], (1, 1)),
    *(
        Contest("arrow to values", kind, f"a column of {kind}", ["pyarrow to_pylist"], goal)
        for kind, goal in {
            "ints": 1.2,
            "strings": 1.2,
            "dates": 25,
            "timestamps": 25,
            "decimals": 25,
            "dictionaries": 25,
            "structs": 3,
            "lists of floats": 3,
        }.items()
    ),
    *(
        Contest(
            f"arrays, {peer}", "arrays of floats", "arrays to bytes and back", [peer], goal, 0.01
        )
        for peer, goal in {"pickle 5 with buffers": 1, "msgspec of lists": 20}.items()
    ),
)
