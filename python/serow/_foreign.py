"""Plain values for those of NumPy, of pandas and of the module array.

Rows are read in place, where no code in Python may run, since it could change them. The values of
these libraries can't be taken apart without code of theirs. So rows with such values are not read
themselves: encoding that stops at one begins anew with a copy of the rows, in which plain values
stand in their place. This module makes the copy. It is imported only then, and it imports none of
the libraries.
"""

import sys
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from serow._native import is_foreign
from serow._records import record_class

#: What is plain, and has nothing in it.
_ATOMS = frozenset(
    [type(None), bool, int, float, complex, str, bytes, bytearray, date, time, datetime, timedelta]
)

#: The types of arrays, by NumPy's letters, whose items Python has exactly: bool, ints, floats,
#: complex numbers, str and bytes.
_EXACT = "?bBhHiIlLqQefdFDUS"

#: The microseconds of each unit of time that NumPy has, as a fraction.
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

_NANOSECONDS = "its nanoseconds are no whole number of microseconds; use round('us')"
_NO_UNIT = "it has no unit; give it one, or an int"
_UNKNOWN = "no plain value is known for its class; convert it"
_YEARS = "a datetime has years from 1 to 9999; give a str or an int"

#: The name and the fields of a record, and their values; None for what is no record.
_FieldsOf = Callable[[Any], tuple[str, tuple[str, ...], tuple[Any, ...]] | None]


class _NoPlainValue(Exception):  # noqa: N818 (no error, until encoding stops there)
    """There is no plain value that is the same; says what to do."""


def plain_rows(
    rows: list[Any] | tuple[Any, ...], fields_of: _FieldsOf, max_depth: int
) -> list[Any]:
    """Give the rows with plain values in the place of foreign ones.

    What has none in it is the very object that it was. What has no plain value stays too, so that
    encoding stops there, with the error that it has for values of no type. Rows nest `max_depth`
    deep at most.
    """
    rows, copy = tuple(rows), _Copy(fields_of, max_depth)
    copied: list[Any] = []
    for row in rows:
        copied.append(copy.of_row(row))
        if copy.is_too_deep:
            # Encoding comes no farther than this row.
            copied.extend(rows[len(copied) :])
            break
    return copied


def advice(value: Any) -> str | None:
    """Say why a foreign value still stands in rows whose foreign values were replaced."""
    try:
        _plain(value)
    except _NoPlainValue as why:
        return str(why)
    return (
        "as a plain value it, or another beside it, has no hash, or is equal to another element of "
        "its set or key of its dict; convert them"
    )


class _Copy:
    """Copies rows, one after another."""

    def __init__(self, fields_of: _FieldsOf, max_depth: int) -> None:
        self.fields_of = fields_of
        self.max_depth = max_depth
        self.is_too_deep = False
        # What stands for what nests too deep or holds itself, which is an error when it is encoded.
        self.too_deep: tuple[Any, ...] = ()
        for _ in range(max_depth):
            self.too_deep = (self.too_deep,)
        # Whether the objects of a class are foreign.
        self.classes: dict[type, bool] = {}
        # What is copied already of a row, by identity, with the original, which must live as long.
        self.copied: dict[int, tuple[Any, Any]] = {}
        # What is being copied.
        self.open: set[int] = set()

    def of_row(self, row: Any) -> Any:
        """Give the row, or what takes its place."""
        self.copied.clear()
        return self._of(row, self.max_depth)

    def _of(self, value: Any, levels: int) -> Any:
        """Give the value, or what takes its place. So many levels more may be in it."""
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
    """Give what `make` does; the value if that has less elements, or can't be made of them.

    That is where plain values of a set, or of keys, have no hash or are equal, and the foreign ones
    were not.
    """
    try:
        made = make()
    except TypeError:
        return value
    return made if len(made) == len(elements) else value


def _library(kind: type) -> str:
    return str(kind.__module__).partition(".")[0]


def _plain(value: Any) -> Any:
    """Give the plain value of a foreign one; for an array with items to look at, their tuple."""
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
        raise _NoPlainValue("a table is no value; give its to_dict('records')")
    if hasattr(value, "tolist"):
        raise _NoPlainValue("give its tolist()")
    raise _NoPlainValue(_UNKNOWN)


def _of_array(value: Any, numpy: Any) -> Any:
    if type(value) is not numpy.ndarray:
        raise _NoPlainValue(
            "only numpy.ndarray itself is taken, and no subclass; give numpy.asarray(value), or "
            "filled() of a masked array"
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
        "a value with fields has no plain one; give its item(), or tolist() of the array"
    )


def _of_longdouble(value: Any, numpy: Any) -> float:
    with numpy.errstate(all="ignore"):
        plain = float(value)
        if numpy.longdouble(plain) == value or value != value:
            return plain
    raise _NoPlainValue("a float can't hold it; use float(value), which rounds it")


def _of_datetime(value: Any, numpy: Any) -> date | None:
    if numpy.isnat(value):
        return None
    unit, count = numpy.datetime_data(value.dtype)
    if unit == "generic":
        raise _NoPlainValue(_NO_UNIT)
    if unit in ("Y", "M", "W"):
        raise _NoPlainValue(f"its unit is {unit}, so it is no day; use astype('M8[D]')")
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
        raise _NoPlainValue(f"its unit is {unit}, which has no fixed length; give days")
    return _duration(0, 0, _microseconds(value, unit, count))


def _microseconds(value: Any, unit: str, count: int) -> int:
    times, parts = _MICROSECONDS[unit]
    whole, rest = divmod(int(value.astype("i8")) * count * times, parts)
    if rest:
        raise _NoPlainValue(
            f"its unit is {unit}, and it is no whole number of microseconds; use "
            f"astype('{value.dtype.kind}8[us]'), which cuts off the rest"
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
        raise _NoPlainValue("it is longer than a timedelta can be; give an int") from None
