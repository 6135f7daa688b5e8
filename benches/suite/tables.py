"""The tables of both languages' rows, as text files in `data`.

TPC-H's generator makes its tables. This file makes the table of readings, because another language
would have other random numbers:

    key | sensor's name | its room | 1 if indoors | samples | their mean | note | day | cost

Samples have two decimals, as a thermometer shows. Their mean uses all bits of a float.
"""

import math
import os
import random
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

from demo import part
from suite.wider import NULL

SEED = 8429
LINEITEM_SCALE = Decimal("0.01")
"""60,175 rows."""

FIRST_DAY = date(2020, 1, 1)
DAYS = 2000
WORDS = (
    *("battery", "cable", "changed", "checked", "cleaned", "draught", "filter", "heating"),
    *("moved", "noise", "opened", "replaced", "restarted", "roof", "slow", "sunlight"),
    *("valve", "ventilator", "weak", "window"),
)


def wider(folder: Path, parts: Path, rows: int) -> Mapping[str, Path]:
    """Returns the table of each of the wider workloads. `rows` is the number of readings."""
    lineitem = part.generate(LINEITEM_SCALE, folder, "lineitem")
    return {
        "lineitem": lineitem,
        "amounts": lineitem,
        "readings": readings(folder, rows),
        "dicts": parts,
        "versions": parts,
    }


def readings(folder: Path, rows: int) -> Path:
    """Returns the path of the readings' text. Writes it, completely, if it does not exist yet."""
    path = folder / f"readings-{rows}.tbl"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(".part")
        chance = random.Random(SEED)
        with scratch.open("w", encoding="utf-8") as out:
            for key in range(rows):
                out.write(_reading(chance, key))
        os.replace(scratch, path)
    return path


def _reading(chance: random.Random, key: int) -> str:
    number = chance.randrange
    samples = [round(chance.gauss(21, 3), 2) for _ in range(number(16))]
    fields = (
        10_000_000 + key,
        f"sensor {number(400):03}",
        number(60),
        number(2),
        ";".join(map(repr, samples)),
        repr(math.fsum(samples) / len(samples) if samples else 0.0),
        NULL if number(3) else " ".join(chance.choices(WORDS, k=2 + number(4))),
        FIRST_DAY + timedelta(number(DAYS)),
        f"{number(10_000) / 100:.2f}",
    )
    return "|".join(map(str, fields)) + "\n"
