"""Copies rows and puts equal plain values in the place of foreign ones."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from serow._foreign import numpy_values
from serow._foreign.conversions import conversion
from serow._foreign.results import Conversion, Holds, NoPlainValue, converted
from serow._foreign.zones import has_foreign_zone, with_plain_zone
from serow._records import record_class

#: Plain classes without elements and zones.
_ATOMS = frozenset([type(None), bool, int, float, complex, str, bytes, bytearray, date, timedelta])

#: The name, the field names and the values of a record; None for other values.
_FieldsOf = Callable[[Any], tuple[str, tuple[str, ...], tuple[Any, ...]] | None]


def is_foreign(value: Any) -> bool:
    """Tell whether a value, or a key of this dict, may have an equal plain value."""
    keys = list(value) if type(value) is dict else []
    return any(has_foreign_zone(one) or conversion(type(one)) for one in [value, *keys])


def plain_rows(
    rows: list[Any] | tuple[Any, ...],
    start: int,
    stop: int,
    fields_of: _FieldsOf,
    max_depth: int,
    are_lists: bool,
) -> list[Any]:
    """Give the rows, those from `start` to `stop` with plain values in place of foreign ones.

    Objects without foreign values are kept, not copied. A foreign value without an equal plain
    value is kept too, so that encoding stops there and raises its usual error. Arrays of numbers
    are kept, unless they must be lists. Rows nest at most `max_depth` levels.
    """
    copied, copy = list(rows), _Copy(fields_of, max_depth, are_lists)
    for at, row in enumerate(copied[start:stop], start):
        copied[at] = copy.of_row(row)
        if copy.is_too_deep:
            # Encoding stops at this row.
            break
    return copied


class _Copy:
    """Copies rows one by one."""

    def __init__(self, fields_of: _FieldsOf, max_depth: int, are_lists: bool) -> None:
        self.fields_of = fields_of
        self.are_lists = are_lists
        self.max_depth = max_depth
        self.is_too_deep = False
        # Replaces values that nest too deep or contain themselves; encoding it raises LimitError.
        self.too_deep: tuple[Any, ...] = ()
        for _ in range(max_depth):
            self.too_deep = (self.too_deep,)
        # How to convert instances of the class, if they are foreign.
        self.conversions: dict[type, Conversion | None] = {}
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
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is datetime or kind is time:
            return _with_plain_zone(value) if has_foreign_zone(value) else value
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
        if kind not in self.conversions:
            is_record = self.fields_of(value) is not None
            self.conversions[kind] = None if is_record else conversion(kind)
        convert = self.conversions[kind]
        if convert is not None and not self.are_lists and numpy_values.is_array(value):
            return value
        if convert is not None:
            try:
                plain = converted(convert, value)
            except NoPlainValue:
                return value
            # What it holds is as deep as in the foreign value.
            return self._of(plain.value, levels + 1) if type(plain) is Holds else plain
        record = self.fields_of(value)
        if record is None:
            return value
        name, fields, values = record
        copies = [self._of(item, levels) for item in values]
        return value if _same(values, copies) else record_class(name, fields)._make(copies)


def _with_plain_zone(value: datetime | time) -> datetime | time:
    try:
        return with_plain_zone(value)
    except NoPlainValue:
        return value


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
