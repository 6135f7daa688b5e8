"""Rows made from the dicts of structs."""

import collections
import gc
from collections.abc import Callable
from typing import Any

import leaks
import pytest
from serow._native import DictRows

_Converter = Callable[[Any], Any]


class Row(tuple[Any, ...]):
    """Like PySpark's: a tuple with the names of its items in an attribute."""

    __fields__: Any


def other(value: Any) -> Any:
    return "other", value


def rows_of(names: list[str], *converters: _Converter | None) -> DictRows:
    """Make rows from dicts with the same names."""
    return DictRows(Row, names, names, list(converters) or [None] * len(names), other)


def test_a_row_has_the_values_of_its_fields_in_their_order(access: str) -> None:
    names = ["b", "größe", ""]
    row = rows_of(names).row({"größe": [1], "": 2.5, "b": "x", "more": 3})
    assert type(row) is Row
    assert row == ("x", [1], 2.5)
    assert vars(row) == {"__fields__": names}
    assert row.__fields__ is names
    again = rows_of(names).row({})
    assert again == (None, None, None)
    assert vars(again) is not vars(row)


def test_keys_of_dicts_may_be_others_than_names(access: str) -> None:
    made = DictRows(Row, ["a", "a"], ["a_0", "a_1"], [None, None], other)
    row = made.row({"a_1": 2, "a_0": 1})
    assert (row, row.__fields__) == ((1, 2), ["a", "a"])


def test_converters_make_values(access: str) -> None:
    inner = rows_of(["c"], str)
    row = rows_of(["a", "b"], inner.row, repr).row({"a": {"c": 1}})
    assert row == (("1",), "None")
    assert (type(row[0]), row[0].__fields__) == (Row, ["c"])


def test_a_struct_without_fields(access: str) -> None:
    row = rows_of([]).row({})
    assert (type(row), row, row.__fields__) == (Row, (), [])
    assert not hasattr((), "__fields__")


def test_values_that_are_not_dicts(access: str) -> None:
    made = rows_of(["a"])
    assert made.row(None) is None
    for value in ([], (1,), 1, collections.OrderedDict(a=1), Row()):
        assert made.row(value) == ("other", value)


def test_rows_can_be_told_apart_from_garbage(access: str) -> None:
    made = rows_of(["a", "b"])
    cyclic: list[Any] = []
    cyclic.append(made.row({"a": cyclic, "b": 1}))
    assert gc.is_tracked(cyclic[0])
    assert not gc.is_tracked(made.row({"a": "x", "b": 1.5}))


def test_errors_come_through_and_leave_nothing(access: str) -> None:
    def fails(value: Any) -> Any:
        raise LookupError(value)

    class Strange:
        """A key of a dict that can't be compared, with the hash of a key that is looked up."""

        def __hash__(self) -> int:
            return hash("b")

        def __eq__(self, other: object) -> bool:
            raise ArithmeticError

    value, failing = ["shared"], rows_of(["a", "b", "c"], None, fails, None)
    strange, whole = {"a": value, Strange(): 1}, rows_of(["a", "b"], list, None)

    def work() -> None:
        for _ in range(300):
            with pytest.raises(LookupError, match="x"):
                failing.row({"a": value, "b": "x"})
            with pytest.raises(ArithmeticError):
                whole.row(strange)
            assert whole.row({"a": value, "b": value}) == (["shared"], ["shared"])

    leaks.assert_none(work, [value, None])


def test_its_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="as many converters as keys"):
        DictRows(Row, ["a"], ["a"], [], other)
    with pytest.raises(TypeError, match="subclass of tuple"):
        DictRows(list, ["a"], ["a"], [None], other)  # type: ignore[arg-type]
