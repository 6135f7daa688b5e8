"""Replaces values of NumPy, pandas and the module `array` by equal plain values.

The encoder reads rows in place and runs no Python code meanwhile, because Python code could change
the rows. But only Python code of these libraries can take their values apart. So when encoding
stops at such a value, it starts again with a copy of the rows in which plain values replace them.
This module makes the copy. serow imports it only then, and it imports none of the libraries.
"""

import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from serow._native import is_foreign
from serow._records import record_class

#: Plain classes without elements.
_ATOMS = frozenset(
    [type(None), bool, int, float, complex, str, bytes, bytearray, date, time, datetime, timedelta]
)

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

_NANOSECONDS = "its nanoseconds are not a whole number of microseconds; use round('us')"
_NO_UNIT = "it has no unit; use a value with a unit, or an int"
_UNKNOWN = "serow knows no plain value for its class; convert it"
_YEARS = "a datetime has years from 1 to 9999; use a str or an int"

#: The name, the field names and the values of a record; None for other values.
_FieldsOf = Callable[[Any], tuple[str, tuple[str, ...], tuple[Any, ...]] | None]


class _NoPlainValue(Exception):  # noqa: N818 (caught in this module)
    """No equal plain value exists; the message says what to do."""


def plain_rows(
    rows: list[Any] | tuple[Any, ...], fields_of: _FieldsOf, max_depth: int
) -> list[Any]:
    """Give the rows with plain values in place of foreign ones.

    Objects without foreign values are kept, not copied. A foreign value without an equal plain
    value is kept too, so that encoding stops there and raises its usual error. Rows nest at most
    `max_depth` levels.
    """
    rows, copy = tuple(rows), _Copy(fields_of, max_depth)
    copied: list[Any] = []
    for row in rows:
        copied.append(copy.of_row(row))
        if copy.is_too_deep:
            # Encoding stops at this row.
            copied.extend(rows[len(copied) :])
            break
    return copied


def advice(value: Any) -> str | None:
    """Explain why a foreign value is still in the copied rows."""
    try:
        _plain(value)
    except _NoPlainValue as why:
        return str(why)
    return (
        "its plain value, or one beside it, has no hash, or equals another element of its set or "
        "another key of its dict; convert them"
    )


class _Copy:
    """Copies rows one by one."""

    def __init__(self, fields_of: _FieldsOf, max_depth: int) -> None:
        self.fields_of = fields_of
        self.max_depth = max_depth
        self.is_too_deep = False
        # Replaces values that nest too deep or contain themselves; encoding it raises LimitError.
        self.too_deep: tuple[Any, ...] = ()
        for _ in range(max_depth):
            self.too_deep = (self.too_deep,)
        # Whether instances of the class are foreign.
        self.classes: dict[type, bool] = {}
        # Copies of the current row's objects by id, with the originals to keep the ids valid.
        self.copied: dict[int, tuple[Any, Any]] = {}
        # The ids of the containers around the current value.
        self.open: set[int] = set()

    def of_row(self, row: Any) -> Any:
        """Give the row or its copy."""
        self.copied.clear()
        return self._of(row, self.max_depth)

    def _of(self, value: Any, levels: int) -> Any:
        """Give the value or its copy; at most `levels` more levels may be inside."""
        if type(value) in _ATOMS:
            return value
        known = self.copied.get(id(value))
        if known is not None:
            return known[1]
        if id(value) in self.open or levels < 0:
            self.is_too_deep = True
            return self.too_deep
        self.open.add(id(value))
        copied = self._copy(value, levels - 1)
        self.open.remove(id(value))
        if type(copied) not in _ATOMS:
            self.copied[id(value)] = (value, copied)
        return copied

    def _copy(self, value: Any, levels: int) -> Any:
        kind = type(value)
        if kind is list or kind is tuple or kind is set or kind is frozenset:
            items = list(value)
            copies = [self._of(item, levels) for item in items]
            if _same(items, copies):
                return value
            return _remade(value, items, lambda: kind(copies))
        if kind is dict:
            items = [part for item in list(value.items()) for part in item]
            copies = [self._of(item, levels) for item in items]
            if _same(items, copies):
                return value
            pairs = zip(copies[::2], copies[1::2], strict=True)
            return _remade(value, items[::2], lambda: dict(pairs))
        has_plain = self.classes.get(kind)
        if has_plain is None:
            has_plain = self.classes[kind] = is_foreign(kind)
        if has_plain:
            try:
                plain = _plain(value)
            except _NoPlainValue:
                return value
            if type(plain) is not tuple:
                return plain
            copies = [self._of(item, levels) for item in plain]
            return copies if value.ndim else copies[0]
        record = self.fields_of(value)
        if record is None:
            return value
        name, fields, values = record
        copies = [self._of(item, levels) for item in values]
        return value if _same(values, copies) else record_class(name, fields)._make(copies)


def _same(items: Any, copies: list[Any]) -> bool:
    return all(map(lambda item, copy: item is copy, items, copies))


def _remade(value: Any, elements: list[Any], make: Callable[[], Any]) -> Any:
    """Call `make`; give the original value if that fails or loses elements.

    This happens if plain elements or keys have no hash or are equal, unlike the foreign ones.
    """
    try:
        made = make()
    except TypeError:
        return value
    return made if len(made) == len(elements) else value


def _library(kind: type) -> str:
    return str(kind.__module__).partition(".")[0]


def _plain(value: Any) -> Any:
    """Give the plain value of a foreign one; an array of inexact items gives their tuple."""
    kind = type(value)
    library = sys.modules.get(_library(kind))
    name = getattr(library, "__name__", None)
    if library is not None and name == "array" and kind is library.array:
        return value.tolist()
    if library is not None and name == "numpy":
        if isinstance(value, library.ndarray):
            return _of_array(value, library)
        if isinstance(value, library.generic):
            return _of_scalar(value, library)
    if library is not None and name == "pandas":
        return _of_pandas(value, library)
    raise _NoPlainValue(_UNKNOWN)


def _of_pandas(value: Any, pandas: Any) -> Any:
    if value is pandas.NaT or value is pandas.NA:
        return None
    if type(value) is pandas.Timestamp:
        return _of_timestamp(value)
    if type(value) is pandas.Timedelta:
        if value.nanoseconds:
            raise _NoPlainValue(_NANOSECONDS)
        return _duration(value.days, value.seconds, value.microseconds)
    if isinstance(value, pandas.DataFrame):
        raise _NoPlainValue("serow does not encode tables; use to_dict('records')")
    if hasattr(value, "tolist"):
        raise _NoPlainValue("use tolist()")
    raise _NoPlainValue(_UNKNOWN)


def _of_array(value: Any, numpy: Any) -> Any:
    if type(value) is not numpy.ndarray:
        raise _NoPlainValue(
            "only numpy.ndarray itself is accepted, not its subclasses; use numpy.asarray(value), "
            "or filled() of a masked array"
        )
    if value.dtype.char in _EXACT:
        return value.tolist()
    return tuple(value) if value.ndim else (value[()],)


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
    raise _NoPlainValue(
        "a value with fields has no equal plain value; use its item(), or tolist() of the array"
    )


def _of_longdouble(value: Any, numpy: Any) -> float:
    with numpy.errstate(all="ignore"):
        plain = float(value)
        if numpy.longdouble(plain) == value or value != value:
            return plain
    raise _NoPlainValue("no float equals it; use float(value), which rounds it")


def _of_datetime(value: Any, numpy: Any) -> date | None:
    if numpy.isnat(value):
        return None
    unit, count = numpy.datetime_data(value.dtype)
    if unit == "generic":
        raise _NoPlainValue(_NO_UNIT)
    if unit in ("Y", "M", "W"):
        raise _NoPlainValue(f"its unit is {unit}, so it is not a single day; use astype('M8[D]')")
    microseconds = _microseconds(value, unit, count)
    try:
        moment = datetime(1970, 1, 1) + timedelta(microseconds=microseconds)
    except OverflowError:
        raise _NoPlainValue(_YEARS) from None
    return moment.date() if unit == "D" else moment


def _of_timedelta(value: Any, numpy: Any) -> timedelta | None:
    if numpy.isnat(value):
        return None
    unit, count = numpy.datetime_data(value.dtype)
    if unit == "generic":
        raise _NoPlainValue(_NO_UNIT)
    if unit in ("Y", "M"):
        raise _NoPlainValue(f"its unit is {unit}, which has no fixed length; use days")
    return _duration(0, 0, _microseconds(value, unit, count))


def _microseconds(value: Any, unit: str, count: int) -> int:
    times, parts = _MICROSECONDS[unit]
    whole, rest = divmod(int(value.astype("i8")) * count * times, parts)
    if rest:
        raise _NoPlainValue(
            f"its unit is {unit}, and it is not a whole number of microseconds; use "
            f"astype('{value.dtype.kind}8[us]'), which truncates it"
        )
    return whole


def _of_timestamp(value: Any) -> datetime:
    if value.nanosecond:
        raise _NoPlainValue(_NANOSECONDS)
    if not 1 <= value.year <= 9999:
        raise _NoPlainValue(_YEARS)
    plain: datetime = value.to_pydatetime(warn=False)
    return plain


def _duration(days: int, seconds: int, microseconds: int) -> timedelta:
    try:
        return timedelta(days, seconds, microseconds)
    except OverflowError:
        raise _NoPlainValue("it exceeds the range of timedelta; use an int") from None
