"""The demo's equality: exact types, floats by their bits. Finds the place of a difference.

Decimals are equal with the same digits and exponent, so 1.0 is not 1.00. Dicts are equal with the
same keys in any order.
"""

import struct
from collections.abc import Mapping, Sequence
from decimal import Decimal

_NOT_BY_EQUALITY = frozenset({tuple, list, dict, Decimal})


def first_difference(expected: Sequence[object], received: Sequence[object]) -> str | None:
    """Returns the first difference with its row and field path, or None if the rows are equal."""
    for index, (left, right) in enumerate(zip(expected, received, strict=False)):
        if not _plainly_equal(left, right):
            difference = _difference(left, right, "")
            if difference is not None:
                return f"row {index}{difference}"
    if len(expected) != len(received):
        return f"expected {len(expected):,} rows, got {len(received):,}"
    return None


def _plainly_equal(left: object, right: object) -> bool:
    """Returns whether two flat rows are surely equal: the quick way for nearly every row.

    A zero says False, because 0.0 == -0.0, and the careful way decides.
    """
    if type(left) is not tuple or type(right) is not tuple or len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        kind = type(a)
        if kind is not type(b) or a != b or kind in _NOT_BY_EQUALITY:
            return False
        if kind is float and a == 0.0:
            return False
    return True


def _difference(left: object, right: object, path: str) -> str | None:
    if type(left) is not type(right):
        return f"{path}: expected {_show(left)}, got {_show(right)}"
    if isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
        return _difference_inside(left, right, path)
    if isinstance(left, dict) and isinstance(right, dict):
        return _difference_by_key(left, right, path)
    if isinstance(left, float) and isinstance(right, float):
        same = struct.pack("<d", left) == struct.pack("<d", right)
    elif isinstance(left, Decimal) and isinstance(right, Decimal):
        same = left.as_tuple() == right.as_tuple()
    else:
        same = left == right
    return None if same else f"{path}: expected {_show(left)}, got {_show(right)}"


def _difference_inside(left: Sequence[object], right: Sequence[object], path: str) -> str | None:
    if len(left) != len(right):
        return f"{path}: expected {len(left)} elements, got {len(right)}"
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        difference = _difference(a, b, f"{path}, field {index}")
        if difference is not None:
            return difference
    return None


def _difference_by_key(
    left: Mapping[object, object], right: Mapping[object, object], path: str
) -> str | None:
    if left.keys() != right.keys():
        return f"{path}: expected the keys {_show(list(left))}, got {_show(list(right))}"
    for key, value in left.items():
        difference = _difference(value, right[key], f"{path}, key {_show(key)}")
        if difference is not None:
            return difference
    return None


def _show(value: object) -> str:
    text = ascii(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
