"""The rows of each contest."""

import random
from collections.abc import Callable
from dataclasses import make_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from suite import workloads
from suite.wider import LINEITEM, PartFields
from suite.workloads import PART

SEED = 8429

NAMES = {
    "part": [*PartFields.__annotations__],
    "lineitem": [
        "orderkey",
        "partkey",
        "suppkey",
        "linenumber",
        "quantity",
        "extendedprice",
        "discount",
        "tax",
        "returnflag",
        "linestatus",
        "shipdate",
        "commitdate",
        "receiptdate",
        "shipinstruct",
        "shipmode",
        "comment",
    ],
}

_TYPES: dict[str, list[type]] = {
    "part": [int, str, str, str, str, int, str, float, str],
    "lineitem": [*[int] * 4, *[Decimal] * 4, str, str, *[date] * 3, *[str] * 3],
}

CLASSES: dict[str, Any] = {
    name: make_dataclass(name.capitalize(), zip(NAMES[name], _TYPES[name], strict=True), slots=True)
    for name in NAMES
}


def rows(name: str, tables: dict[str, str], count: int) -> list[Any]:
    """Returns at most `count` rows: tuples of a table, or values of one column."""
    if name in NAMES:
        workload = PART if name == "part" else LINEITEM
        return workloads.rows(workload, Path(tables[name]), 0, count)
    chance = random.Random(SEED)
    makers: dict[str, Callable[[], Any]] = {
        "ints": lambda: chance.randrange(1 << 40),
        "strings": lambda: f"customer {chance.randrange(1 << 30)}",
        "dates": lambda: date(1992, 1, 1) + timedelta(chance.randrange(2500)),
        "timestamps": lambda: (
            datetime(1992, 1, 1) + timedelta(microseconds=chance.randrange(1 << 50))
        ),
        "decimals": lambda: Decimal(chance.randrange(10**9)).scaleb(-2),
        "dictionaries": lambda: f"region {chance.randrange(100)}",
        "structs": lambda: {"key": chance.randrange(1 << 30), "price": chance.random()},
        "lists of floats": lambda: [chance.random() for _ in range(5)],
        "arrays of floats": lambda: (
            chance.randrange(1 << 30),
            np.array([chance.random() for _ in range(1000)]),
        ),
    }
    return [makers[name]() for _ in range(count)]
