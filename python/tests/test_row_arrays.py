"""Rows made from Arrow's arrays and arrays of rows, and columns that stand for their values."""

import datetime
import gc
import time
from decimal import Decimal
from typing import Any

import leaks
import pytest
import serow
from serow._native import Column, ColumnConverter, RowArrays

pytestmark = pytest.mark.tiers

PAIR = 'struct{"größe":long?,"größe":string}'


class Row(tuple[Any, ...]):
    """Like PySpark's: a tuple with the names of its items in an attribute."""

    __fields__: Any


def row(*values: Any, names: tuple[str, ...] = ("größe", "größe")) -> Row:
    """Make a row."""
    made = Row(values)
    made.__fields__ = list(names)
    return made


def seen(value: Any) -> Any:
    """Give what shows whether a value is the same."""
    if isinstance(value, tuple):
        return type(value), vars(value), list(map(seen, value))
    return type(value), list(map(seen, value)) if isinstance(value, list) else value


def test_rows_have_a_value_of_each_column(access: str) -> None:
    rows = RowArrays(PAIR, Row).rows(serow.to_arrow([(1, "x"), (None, "y")]))
    assert seen(rows) == seen([row(1, "x"), row(None, "y")])
    assert vars(rows[0]) is not vars(rows[1])
    assert RowArrays(PAIR, Row).rows(serow.to_arrow([], tuple[int, str])) == []


def test_values_of_one_column(access: str) -> None:
    given = [[{"a": 1, "b": "x"}, None], None, [], [{"a": None, "b": "y"}]]
    rows = RowArrays(f"array<{PAIR}?>?", Row).rows(serow.to_arrow(given))
    assert seen(rows) == seen([[row(1, "x"), None], None, [], [row(None, "y")]])
    arrow = serow.to_arrow([{"k": 1}, None], dict[str, int] | None)
    assert RowArrays("map<string,int>?", Row).rows(arrow) == [{"k": 1}, None]


def test_arrays_of_rows_are_stored_in_the_given_schema(access: str) -> None:
    given = [(1, "x"), row(None, "y"), [2, ""]]
    wanted = serow.to_arrow([{"größe": 1, "größe (2)": "x"}, {"größe": None, "größe (2)": ""}])
    arrays = RowArrays(PAIR, Row).arrays(given, wanted)
    assert serow.from_arrow(arrays, tuple) == [(1, "x"), (None, "y"), (2, "")]
    dicts = RowArrays('struct{"a":long?,"b":string?}', Row)
    wanted = serow.to_arrow([{"a": 1, "b": "x"}, {"a": None, "b": None}])
    made = dicts.arrays([{"b": "x", "a": 1}, {"c": 2}], wanted)
    assert serow.from_arrow(made, tuple) == [(1, "x"), (None, None)]


@pytest.mark.parametrize(
    ("description", "values", "of"),
    [
        (f"{PAIR}?", [[1, "x"]], (1, "x")),
        (f"{PAIR}?", [type("Other", (Row,), {})((1, "x"))], (1, "x")),
        (f"{PAIR}?", [{"größe": 1}], (1, "x")),
        ("long", [None], 1),
        ("long", [True], 1),
        ("decimal(3,1)", [Decimal("0.25")], Decimal("0.5")),
        ("timestamp", [datetime.datetime.min], datetime.datetime.now(datetime.timezone.utc)),
        ("timestamp", [datetime.datetime(2024, 10, 27, 2, 30, fold=1)], 1),
    ],
    ids=str,
)
def test_other_values_are_errors(description: str, values: list[Any], of: Any, access: str) -> None:
    with pytest.raises(serow.EncodeError):
        RowArrays(description, Row).arrays(values, serow.to_arrow([of]))


def test_arrays_of_other_types_are_errors(access: str) -> None:
    for given in ([("x", 1)], [(1,)], [(1, None)], [1], [(1.5, "x")]):
        with pytest.raises(serow.DecodeError):
            RowArrays(PAIR, Row).rows(serow.to_arrow(given))
    with pytest.raises(TypeError):
        RowArrays(PAIR, Row).rows([(1, "x")])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="subclass of tuple"):
        RowArrays(PAIR, list).rows(serow.to_arrow([(1, "x")]))
    with pytest.raises(serow.SchemaError, match="expected a type"):
        RowArrays("year", Row).rows(serow.to_arrow([1]))


def test_timestamps_are_shown_in_the_local_zone(
    access: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    utc = datetime.timezone.utc
    given = [datetime.datetime(2024, 10, 27, hour, 30, tzinfo=utc) for hour in range(3)]
    times = RowArrays("timestamp", Row)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        stream = serow.to_arrow(given)
        shown = times.rows(stream)
        assert shown == [moment.astimezone().replace(tzinfo=None) for moment in given]
        made = times.arrays([shown[0], given[1], shown[2]], stream)
        # The first of two equal times.
        assert serow.from_arrow(made) == [given[0], given[1], given[2]]
    time.tzset()


def test_rows_can_be_told_apart_from_garbage(access: str) -> None:
    gc.collect()
    rows = RowArrays('struct{"a":array<long>,"b":double}', Row).rows(serow.to_arrow([([1], 1.5)]))
    assert gc.is_tracked(rows[0])
    assert not gc.is_tracked(RowArrays(PAIR, Row).rows(serow.to_arrow([(1, "x")]))[0])


def test_rows_leave_nothing(access: str) -> None:
    value, made = "shared", RowArrays(PAIR, Row)
    stream = serow.to_arrow([{"größe": 1, "größe (2)": "x"}, {"größe": None, "größe (2)": ""}])

    def work() -> None:
        for _ in range(300):
            assert made.rows(made.arrays([(None, value)], stream)) == [(None, value)]
            with pytest.raises(serow.EncodeError):
                made.arrays([(None, value), (value, value)], stream)

    leaks.assert_none(work, [value, None])


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
