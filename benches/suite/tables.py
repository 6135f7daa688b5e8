"""The tables that rows are read from in both languages, as text in `data`.

TPC-H's are made by its generator. That of the readings is made here, since another language's
random numbers would be others:

    key | sensor's name | its room | 1 if indoors | samples | their mean | note | day | cost

Samples are what a thermometer shows, so to a hundredth; their mean has all the bits of a float.
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
    """The table of each of the wider workloads; `rows` is what is wanted of readings."""
    return {
        "lineitem": part.generate(LINEITEM_SCALE, folder, "lineitem"),
        "readings": readings(folder, rows),
        "dicts": parts,
    }


def readings(folder: Path, rows: int) -> Path:
    """The path of the readings' text. It is written if it isn't there yet, and then whole."""
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
