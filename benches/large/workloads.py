"""The rows: two tables of TPC-H, and made-up map statuses as in Spark.

A map status is what the driver of Spark holds for each output of a map task: the task, the executor
that has the output, and the bytes of the block for each reducer. Here it is the tuple

    (task, (executor, host, port), [bytes of each block])

The bytes are log-normal: the median is 60 kB, and one block in a hundred exceeds 2 MB. Every object
is new, as in a table that was received.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from demo import part
from demo.rows import Rows
from large.settings import BLOCKS
from suite.wider import LINEITEM as WIDER_LINEITEM

PART, LINEITEM = "Part", "lineitem"
SEED = 8429
EXECUTORS = 40
MEDIAN_LOG, DEVIATION = 11.0, 1.5
"""Of the logarithm of a block's bytes."""


@dataclass(frozen=True)
class Workload:
    """Rows of one schema."""

    schema: str
    make: Callable[[Path, int], Rows]
    """Takes the table's path and the number of rows."""


def _part(table: Path, rows: int) -> Rows:
    return list(islice(chain.from_iterable(part.portions(table, part.PORTION)), rows))


def _lineitem(table: Path, rows: int) -> Rows:
    parse = WIDER_LINEITEM.parse
    assert parse is not None
    with table.open(encoding="utf-8") as lines:
        return [parse(line) for line in islice(lines, rows)]


def statuses(blocks: int) -> str:
    """Returns the name of the workload whose map statuses have `blocks` blocks."""
    return f"{blocks} blocks"


def _statuses(blocks: int) -> Callable[[Path, int], Rows]:
    def make(_: Path, rows: int) -> Rows:
        chance = random.Random(SEED)

        def size() -> int:
            return int(chance.lognormvariate(MEDIAN_LOG, DEVIATION))

        def executor() -> tuple[str, str, int]:
            number = chance.randrange(EXECUTORS)
            return str(number), f"worker-{number // 2:02}.cluster", 40_000 + number

        return [(task, executor(), [size() for _ in range(blocks)]) for task in range(rows)]

    return make


WORKLOADS: Mapping[str, Workload] = {
    PART: Workload("(i64, str, str, str, str, i64, str, f64, str)", _part),
    LINEITEM: Workload(WIDER_LINEITEM.schema, _lineitem),
    **{
        statuses(blocks): Workload("(i64, (str, str, i64), [i64])", _statuses(blocks))
        for blocks in BLOCKS
    },
}
