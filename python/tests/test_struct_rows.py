"""Rows made from the columns of structs, and columns that stand for their values."""

import gc
from typing import Any

import leaks
import pytest
from serow._native import Column, ColumnConverter, StructRows

pytestmark = pytest.mark.tiers


class Row(tuple[Any, ...]):
    """Like PySpark's: a tuple with the names of its items in an attribute."""

    __fields__: Any


def test_a_row_has_the_items_of_all_columns(access: str) -> None:
    names = ["b", "größe", ""]
    columns = [["x", "y"], [[1], None], [2.5, -0.0]]
    rows = StructRows(Row, names).rows(columns, 2)
    assert rows == [("x", [1], 2.5), ("y", None, 0.0)]
    assert list(map(type, rows)) == [Row, Row]
    assert [vars(row) for row in rows] == [{"__fields__": names}] * 2
    assert rows[0].__fields__ is names
    assert vars(rows[0]) is not vars(rows[1])
    assert rows[0][1] is columns[1][0]
    assert StructRows(Row, names).rows([[], [], []], 0) == []


def test_nulls(access: str) -> None:
    rows = StructRows(Row, ["a", "a"]).rows([[1, None, 3], ["xyz"] * 3], 3, [True, False, True])
    assert rows == [(1, "xyz"), None, (3, "xyz")]
    assert StructRows(Row, ["a"]).rows([[1, 2]], 2, [False, False]) == [None, None]


def test_a_struct_without_fields(access: str) -> None:
    first, second, third = StructRows(Row, []).rows([], 3, [True, False, True])
    assert (type(first), first, first.__fields__, second) == (Row, (), [], None)
    assert first is not third
    assert not hasattr((), "__fields__")


def test_rows_can_be_told_apart_from_garbage(access: str) -> None:
    cyclic: list[Any] = []
    rows = StructRows(Row, ["a", "b"]).rows([[cyclic, "x"], [1, 1.5]], 2)
    cyclic.append(rows[0])
    assert list(map(gc.is_tracked, rows)) == [True, False]


def test_rows_leave_nothing(access: str) -> None:
    value, made = ["shared"], StructRows(Row, ["a", "b"])

    def work() -> None:
        for _ in range(300):
            assert made.rows([[value], [None]], 1) == [(["shared"], None)]
            with pytest.raises(ValueError, match="length"):
                made.rows([[value], []], 1)

    leaks.assert_none(work, [value, None])


def test_the_arguments_of_rows_are_checked() -> None:
    made = StructRows(Row, ["a", "b"])
    for columns in ([], [[1]], [[1], [2], [3]]):
        with pytest.raises(ValueError, match="as many columns as names"):
            made.rows(columns, 1)
    for columns, valid in (([[1], [2, 3]], None), ([[1, 2]] * 2, None), ([[1]] * 2, [])):
        with pytest.raises(ValueError, match="length of the rows"):
            made.rows(columns, 1, valid)
    with pytest.raises(TypeError):
        made.rows([[1], (2,)], 1)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="bool"):
        made.rows([[1], [2]], 1, [1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="subclass of tuple"):
        StructRows(list, ["a"])  # type: ignore[arg-type]


def test_a_column_gives_its_values_one_by_one() -> None:
    read = []

    def doubled(array: list[int]) -> list[int]:
        read.append(array)
        return [2 * value for value in array]

    convert = ColumnConverter(doubled, lambda value: ("other", value)).convert
    first, second = [1, 2, 3], [4, 5]
    assert [convert(value) for value in [Column(first)] * 3] == [2, 4, 6]
    assert [convert(value) for value in [Column(second)] * 2] == [8, 10]
    assert read == [first, second]
    for value in (None, [1], {}, Column):
        assert convert(value) == ("other", value)


def test_columns_that_fail() -> None:
    def fails(_: Any) -> Any:
        raise LookupError("x")

    column = Column([1])
    for _ in range(2):
        with pytest.raises(LookupError, match="x"):
            ColumnConverter(fails, fails).convert(column)
    convert = ColumnConverter(list, fails).convert
    assert convert(column) == 1
    with pytest.raises(IndexError, match="no more values"):
        convert(column)
    with pytest.raises(TypeError):
        ColumnConverter(len, fails).convert(Column([1]))  # type: ignore[arg-type]
