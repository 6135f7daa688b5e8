"""The rows of the benchmark: TPC-H's Part first, then rows that differ from it."""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from demo import part
from demo.rows import Row
from suite.wider import WIDER
from suite.workload import Workload

SEED = 8429
LEAST, MOST = -(1 << 63), (1 << 63) - 1


def rows(workload: Workload, table: Path, skip: int, count: int) -> list[Any]:
    """Returns at most `count` rows after the first `skip`. All their objects are new."""
    if workload.make is not None:
        chance = random.Random(SEED)
        return [workload.make(chance) for _ in range(count)]
    if workload.parse is not None:
        with table.open(encoding="utf-8") as lines:
            return [workload.parse(line) for line in islice(lines, skip, skip + count)]
    return list(islice(_parts(table), skip, skip + count))


def _parts(table: Path) -> Iterator[Row]:
    for portion in part.portions(table, 10_000):
        yield from portion


def _numbers(chance: random.Random) -> Row:
    """Twenty numbers: small, large and in between, half of them floats."""
    number, uniform = chance.randrange, chance.uniform
    return (
        *(number(1 << bits) for bits in (4, 7, 8, 12, 16, 24, 31, 40, 52, 62)),
        *(uniform(-1e6, 1e6) for _ in range(6)),
        *(number(100_000) / 100 for _ in range(4)),
    )


def _nested(chance: random.Random) -> Row:
    """Tuples in tuples, three deep."""
    number, uniform = chance.randrange, chance.random
    return (
        number(1 << 30),
        (uniform(), uniform(), (f"point {number(1000)}", number(100))),
        (number(1000), (uniform(), (number(50), number(1 << 20)))),
        bool(number(2)),
    )


def _arrays(chance: random.Random) -> Row:
    """Lists of different lengths, and an optional."""
    number, uniform = chance.randrange, chance.random
    return (
        number(1 << 40),
        [uniform() for _ in range(number(20))],
        [number(1 << 16) for _ in range(number(20))],
        [f"tag {number(500)}" for _ in range(number(5))],
        None if number(3) == 0 else f"note {number(1 << 20)}",
    )


PART = Workload(
    "part",
    "(i64, str, str, str, str, i64, str, f64, str)",
    tuple[int, str, str, str, str, int, str, float, str],
    [
        (0, "", "é", "羚", "😀", -1, "\0", -0.0, "x" * 70_000),
        (2**31 - 1, "a", "", "ÿ", "", -(2**31), "", float("inf"), "é" * 300),
        (127, "x" * 15, "x" * 16, "x" * 17, "x" * 31, 128, "x" * 32, 5e-324, "x" * 255),
    ],
)

OTHERS = (
    Workload(
        "numbers",
        f"({', '.join(['i64'] * 10 + ['f64'] * 10)})",
        tuple[(int,) * 10 + (float,) * 10],  # type: ignore[misc]
        [
            (*(LEAST, MOST, -1, 0, 1, 63, 64, 1 << 30, 1 << 31, 1 << 60), *(-0.0, 0.5) * 5),
            (*(0,) * 10, *(float("inf"), 1e308, 5e-324, 0.1, 1 / 3) * 2),
        ],
        _numbers,
    ),
    Workload(
        "nested",
        "(i64, (f64, f64, (str, i64)), (i64, (f64, (i64, i64))), bool)",
        tuple[
            int,
            tuple[float, float, tuple[str, int]],
            tuple[int, tuple[float, tuple[int, int]]],
            bool,
        ],
        [
            (LEAST, (-0.0, 5e-324, ("😀", MOST)), (0, (1.0, (-1, 1))), True),
            (0, (0.0, 0.0, ("", 0)), (0, (0.0, (0, 0))), False),
        ],
        _nested,
    ),
    Workload(
        "arrays",
        "(i64, [f64], [i64], [str], str?)",
        tuple[int, list[float], list[int], list[str], str | None],
        [
            (0, [], [], [], None),
            (MOST, [-0.0] * 1000, [LEAST, 0, MOST], ["", "é", "x" * 70_000], ""),
        ],
        _arrays,
    ),
)

WORKLOADS = {workload.name: workload for workload in (PART, *OTHERS, *WIDER)}
