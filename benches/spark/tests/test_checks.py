from collections import namedtuple
from datetime import date
from typing import Any

import numpy
import pandas  # type: ignore[import-untyped]
import pytest

from spark.checks import exactly, plainly


class Row(tuple[object, ...]):
    """A stand-in for Spark's: what is tested here runs without it."""

    names: tuple[str, ...] = ("size", "grams")

    def asDict(self) -> dict[str, object]:  # noqa: N802
        return dict(zip(self.names, self, strict=True))

    def __repr__(self) -> str:
        return f"Row{super().__repr__()}"


ROWS: list[tuple[Any, ...]] = [
    (1, "a", [1.5, 2.5], {"y": 1, "x": 2}, Row((1, 2))),
    (2, "b", [0.5], {"z": None}, Row((3, 4))),
]
Pandas = namedtuple("Pandas", "key name prices stock kind")


@pytest.mark.parametrize(
    "other",
    [
        [(1.0, "a")],
        [(True, "a")],
        [[1, "a"]],
        [Row((1, "a"))],
        [(1, b"a")],
        [(1, "a"), (1, "a")],
        ((1, "a"),),
    ],
)
def test_another_type_is_not_the_same(other: object) -> None:
    assert exactly([(1, "a")]) == exactly([(1, "a")])
    assert exactly(other) != exactly([(1, "a")])


def test_what_is_no_list_is_compared_as_it_is() -> None:
    assert exactly(3) == exactly(3) != exactly(3.0)


def test_rows_are_the_same_whether_of_spark_or_arrow_or_pandas() -> None:
    arrow = [
        {
            "key": row[0],
            "name": row[1],
            "prices": row[2],
            "stock": list(row[3].items()),
            "kind": row[4].asDict(),
        }
        for row in ROWS
    ]
    frame = pandas.DataFrame(
        [Pandas(row[0], row[1], numpy.array(row[2]), row[3], row[4].asDict()) for row in ROWS]
    )
    assert plainly(ROWS) == plainly(arrow) == plainly(frame)


@pytest.mark.parametrize(
    "other",
    [
        (1, "a", [2.5, 1.5], {"y": 1, "x": 2}, Row((1, 2))),
        (1, "a", [1.5, 2.5], {"y": 2, "x": 1}, Row((1, 2))),
        (1, "a", [1.5, 2.5], {"y": 1, "x": 2}, Row((2, 1))),
        (1, "a", [1.5, 2.5], {"y": 1, "x": 2}, None),
        (1, date(2026, 1, 1), [1.5, 2.5], {"y": 1, "x": 2}, Row((1, 2))),
    ],
)
def test_another_value_is_not_the_same(other: object) -> None:
    assert plainly([other]) != plainly(ROWS[:1])
