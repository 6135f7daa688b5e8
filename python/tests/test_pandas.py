"""Values and tables of pandas: the plain values that they decode to, and those that are errors."""

from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
import serow
from foreign import assert_refused, check


def test_zones_and_folds_are_kept() -> None:
    zurich = ZoneInfo("Europe/Zurich")
    for plain in (
        datetime(2024, 10, 27, 2, 30, tzinfo=zurich),
        datetime(2024, 10, 27, 2, 30, tzinfo=zurich, fold=1),
        datetime(2024, 7, 1, 12, 0, 0, 999_999, tzinfo=timezone(timedelta(hours=-3))),
        datetime(2024, 7, 1, tzinfo=timezone.utc),
    ):
        stamp = pd.Timestamp(plain)
        check(stamp, plain)
        (back,) = serow.loads(serow.dumps([stamp]))
        assert (back.fold, back.tzinfo) == (plain.fold, plain.tzinfo)


def test_rows_of_a_table_are_records() -> None:
    table = pd.DataFrame({"n": [1, 2], "t": pd.to_datetime(["2024-02-29", None])})
    rows = list(table.itertuples())
    back = serow.loads(serow.dumps(rows))
    assert [tuple(row) for row in back] == [(0, 1, datetime(2024, 2, 29)), (1, 2, None)]
    assert str(serow.Schema.infer(rows)) == "Pandas{Index: i64, n: i64, t: timestamp?}"
    assert serow.loads(serow.dumps(table.to_dict("records"))) == [
        {"n": 1, "t": datetime(2024, 2, 29)},
        {"n": 2, "t": None},
    ]


class OwnTable(pd.DataFrame):
    pass


class WithoutPyarrow(pd.DataFrame):
    """As pandas gives no arrays without pyarrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise ImportError("`Import pyarrow` failed.")


class DataFrame:
    """An old table of pandas, which has no arrays."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.columns = columns

    def __iter__(self) -> Any:
        return iter(self.columns)

    def itertuples(self, index: bool = True) -> Any:
        raise NotImplementedError


DataFrame.__module__ = "pandas"


@pytest.mark.parametrize("kind", [DataFrame, WithoutPyarrow])
def test_a_table_without_arrays_is_refused_with_advice_how_to_get_rows(kind: Any) -> None:
    table = kind({"a": [1]})
    codec = serow.Codec("i64")
    for function in (serow.dumps, serow.Schema.infer, serow.Codec.infer, codec.encode):
        with pytest.raises(TypeError, match=r"use rows\.to_dict\('records'\)"):
            function(table)


@pytest.mark.parametrize("kind", [pd.DataFrame, OwnTable])
def test_a_table_is_encoded_by_its_arrays(kind: Any) -> None:
    pytest.importorskip("pyarrow")
    table = kind({"a": [1, 2], "b": ["x", None]})
    assert serow.loads(serow.dumps(table)) == [{"a": 1, "b": "x"}, {"a": 2, "b": None}]
    # A column of it is rows by itself, with its NaN.
    assert str(serow.loads(serow.dumps(pd.Series([1.5, float("nan")])))) == "[1.5, nan]"


REFUSED = [
    (pd.Timestamp(1), "use value.round('us')"),
    (pd.Timestamp(np.datetime64("20000-01-01", "s")), "years from 1 to 9999"),
    (pd.Timestamp(np.datetime64("0000-01-01", "s")), "years from 1 to 9999"),
    (pd.Timedelta(-1), "use value.round('us')"),
    (pd.Timedelta(np.timedelta64(2**62, "s")), "exceeds the range of timedelta"),
    (pd.Series([1]), "use value.tolist()"),
    (pd.Index([1]), "use value.tolist()"),
    (pd.array([1, None]), "use value.tolist()"),
    (pd.Categorical(["a"]), "use value.tolist()"),
    (pd.DataFrame({"a": [1]}), "use value.to_dict('records')"),
    (pd.Period("2024-02"), "use str(value), or value.to_timestamp()"),
    (pd.Interval(1, 2), "use (value.left, value.right)"),
    (pd.offsets.Day(1), "serow knows no plain value for its class; convert it"),
]


@pytest.mark.once
@pytest.mark.parametrize(("value", "advice"), REFUSED, ids=lambda v: type(v).__name__)
def test_inexact_values_are_an_error(value: Any, advice: str, wire: str, access: str) -> None:
    assert_refused(value, advice, wire)
