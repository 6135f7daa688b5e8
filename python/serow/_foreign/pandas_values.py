"""Plain values of pandas' values."""

import sys
from datetime import datetime
from typing import Any

from serow._foreign.results import UNKNOWN, YEARS, Holds, NoPlainValue, duration

_NANOSECONDS = "its nanoseconds are not a whole number of microseconds; use value.round('us')"


def plain(value: Any) -> Any:
    """Give the plain value."""
    pandas = sys.modules["pandas"]
    if value is pandas.NaT or value is pandas.NA:
        return None
    if type(value) is pandas.Timestamp:
        return Holds(_of_timestamp(value))
    if type(value) is pandas.Timedelta:
        if value.nanoseconds:
            raise NoPlainValue(_NANOSECONDS)
        return duration(value.days, value.seconds, value.microseconds)
    if isinstance(value, pandas.DataFrame):
        raise NoPlainValue("serow does not encode tables; use value.to_dict('records')")
    if isinstance(value, pandas.Interval):
        raise NoPlainValue("use (value.left, value.right)")
    if isinstance(value, pandas.Period):
        raise NoPlainValue("use str(value), or value.to_timestamp()")
    if hasattr(value, "tolist"):
        raise NoPlainValue("use value.tolist()")
    raise NoPlainValue(UNKNOWN)


def _of_timestamp(value: Any) -> datetime:
    if value.nanosecond:
        raise NoPlainValue(_NANOSECONDS)
    if not 1 <= value.year <= 9999:
        raise NoPlainValue(YEARS)
    moment: datetime = value.to_pydatetime(warn=False)
    return moment
