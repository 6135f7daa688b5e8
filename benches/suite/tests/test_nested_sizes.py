"""Checks a claim of docs/benchmarks.md: the bytes of nested rows depend on their floats."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from suite.entrants import ENTRANTS
from suite.entrants.entrant import create, cut
from suite.wider import READINGS
from suite.workloads import rows


def size(name: str, some: Sequence[Any]) -> int:
    entrant = create(ENTRANTS[name], READINGS)
    return sum(map(len, entrant.encode(cut(entrant.prepared(some), entrant.batch))))


def share(some: Sequence[Any]) -> float:
    return size("serow-frame", some) / size("fory-xlang", some)


def test_samples_with_two_decimals_make_it_a_third(tables: Mapping[str, Path]) -> None:
    assert share(rows(READINGS, tables["readings"], 0, 1500)) < 0.4


def test_samples_with_all_bits_make_it_more_than_the_goal(tables: Mapping[str, Path]) -> None:
    chance = random.Random(8429)
    some = [
        (key, sensor, [chance.uniform(10, 30) for _ in samples], *more)
        for key, sensor, samples, *more in rows(READINGS, tables["readings"], 0, 1500)
    ]
    assert 0.75 < share(some) < 0.85
