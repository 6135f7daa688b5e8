"""Plain values of NumPy's values."""

import sys
from datetime import date, datetime, timedelta
from typing import Any

from serow._foreign.results import UNKNOWN, YEARS, Holds, NoPlainValue, duration

#: Type characters of NumPy's arrays whose items Python represents exactly: bool, ints, floats,
#: complex numbers, str and bytes.
_EXACT = "?bBhHiIlLqQefdFDUS"

#: Length of NumPy's time units in microseconds, as (numerator, denominator).
_MICROSECONDS = {
    "W": (604_800_000_000, 1),
    "D": (86_400_000_000, 1),
    "h": (3_600_000_000, 1),
    "m": (60_000_000, 1),
    "s": (1_000_000, 1),
    "ms": (1_000, 1),
    "us": (1, 1),
    "ns": (1, 10**3),
    "ps": (1, 10**6),
    "fs": (1, 10**9),
    "as": (1, 10**12),
}

#: The first and the last number of each unit that `date`, `datetime` and `timedelta` have.
_PLAIN_TIMES = {
    ("M", "D"): (-719_162, 2_932_896),
    ("M", "us"): (-62_135_596_800_000_000, 253_402_300_799_999_999),
    ("m", "us"): (-(2**63) + 1, 2**63 - 1),
}


#: Type characters of the arrays that are values of type `ndarray`.
_OF_ARRAYS = "?bBhHiIlLqQefdFD"


def is_array(value: Any) -> bool:
    """Tell whether a value is an array that serow encodes as it is."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray and value.dtype.char in _OF_ARRAYS


def plain(value: Any) -> Any:
    """Give the plain value of a scalar or an array."""
    numpy = sys.modules["numpy"]
    if isinstance(value, numpy.ndarray):
        return _of_array(value, numpy)
    if isinstance(value, numpy.generic):
        return _of_scalar(value, numpy)
    raise NoPlainValue(UNKNOWN)


def _of_array(value: Any, numpy: Any) -> Any:
    if value.dtype.names is not None and type(value) in (numpy.ndarray, numpy.recarray):
        return Holds(records(value))
    if type(value) is not numpy.ndarray:
        raise NoPlainValue(
            "only numpy.ndarray itself is accepted, not its subclasses; use numpy.asarray(value), "
            "or filled() of a masked array"
        )
    if value.dtype.char in _EXACT:
        return value.tolist()
    if value.dtype.char in "Mm" and (times := _times(value, numpy)) is not None:
        return times.tolist()
    return Holds(list(value) if value.ndim else value[()])


def records(value: Any) -> Any:
    """Give the records of a structured array as dicts, in lists of its shape."""
    if value.ndim == 0:
        return _of_scalar(value[()], sys.modules["numpy"]).value
    if value.ndim > 1:
        return [records(part) for part in value]
    names = value.dtype.names
    columns = (value[name] for name in names)
    listed = [_items(column) for column in columns]
    if not names:
        return [{} for _ in range(len(value))]
    return [dict(zip(names, row, strict=True)) for row in zip(*listed, strict=True)]


def _items(column: Any) -> list[Any]:
    is_plain = column.ndim == 1 and column.dtype.char in _EXACT
    items: list[Any] = column.tolist() if is_plain else list(column)
    return items


def _times(value: Any, numpy: Any) -> Any:
    """Give the array in a unit whose values NumPy gives as plain ones.

    None if a value may have no plain one; then each is looked at by itself.
    """
    kind = value.dtype.char
    unit, _ = numpy.datetime_data(value.dtype)
    if unit not in _MICROSECONDS or (kind == "M" and unit == "W"):
        return None
    plain_unit = "D" if (kind, unit) == ("M", "D") else "us"
    # A number that was rounded or that has overflown does not come back. From some version on NumPy
    # raises an error instead, also on the way back.
    try:
        plain_times = value.astype(f"{kind}8[{plain_unit}]")
        is_back = plain_times.astype(value.dtype) == value
    except OverflowError:
        return None
    numbers = plain_times.view("i8")
    first, last = _PLAIN_TIMES[kind, plain_unit]
    is_plain = is_back & (numbers >= first) & (numbers <= last)
    return plain_times if (is_plain | numpy.isnat(value)).all() else None


def _of_scalar(value: Any, numpy: Any) -> Any:
    kind = type(value)
    if kind is numpy.bool_:
        return bool(value)
    if kind is numpy.datetime64:
        return _of_datetime(value, numpy)
    if kind is numpy.timedelta64:
        return _of_timedelta(value, numpy)
    if kind is numpy.str_:
        return str.__str__(value)
    if kind is numpy.bytes_:
        return bytes.__getitem__(value, slice(None))
    if isinstance(value, numpy.integer):
        return int(value)
    if kind is numpy.longdouble:
        return _of_longdouble(value, numpy)
    if kind is numpy.clongdouble:
        return complex(_of_longdouble(value.real, numpy), _of_longdouble(value.imag, numpy))
    if isinstance(value, numpy.floating):
        return float(value)
    if isinstance(value, numpy.complexfloating):
        return complex(value)
    if kind is numpy.void or kind is numpy.record:
        if value.dtype.names is not None:
            return Holds({name: value[name] for name in value.dtype.names})
        raise NoPlainValue("it is memory without fields; use value.item()")
    raise NoPlainValue(UNKNOWN)


def _of_longdouble(value: Any, numpy: Any) -> float:
    with numpy.errstate(all="ignore"):
        plain = float(value)
        if numpy.longdouble(plain) == value or value != value:
            return plain
    raise NoPlainValue("no float equals it; use float(value), which rounds it")


def _unit(value: Any, numpy: Any) -> tuple[str, int]:
    """Give the unit of a moment or duration, and how many of it are one step."""
    unit, count = numpy.datetime_data(value.dtype)
    if unit == "generic":
        raise NoPlainValue("it has no unit; use a value with a unit, or an int")
    return unit, count


def _of_datetime(value: Any, numpy: Any) -> date | None:
    if numpy.isnat(value):
        return None
    unit, count = _unit(value, numpy)
    if unit in ("Y", "M", "W"):
        raise NoPlainValue(
            f"its unit is {unit}, so it is not a single day; use value.astype('M8[D]')"
        )
    microseconds = _microseconds(value, unit, count)
    try:
        moment = datetime(1970, 1, 1) + timedelta(microseconds=microseconds)
    except OverflowError:
        raise NoPlainValue(YEARS) from None
    return moment.date() if unit == "D" else moment


def _of_timedelta(value: Any, numpy: Any) -> timedelta | None:
    if numpy.isnat(value):
        return None
    unit, count = _unit(value, numpy)
    if unit in ("Y", "M"):
        raise NoPlainValue(f"its unit is {unit}, which has no fixed length; use days")
    return duration(0, 0, _microseconds(value, unit, count))


def _microseconds(value: Any, unit: str, count: int) -> int:
    times, parts = _MICROSECONDS[unit]
    whole, rest = divmod(int(value.astype("i8")) * count * times, parts)
    if rest:
        raise NoPlainValue(
            f"its unit is {unit}, and it is not a whole number of microseconds; use "
            f"value.astype('{value.dtype.kind}8[us]'), which truncates it"
        )
    return whole
