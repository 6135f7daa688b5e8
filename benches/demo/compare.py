"""Equality as the demo means it: exact types, floats by their bits, and where it fails."""

import struct
from collections.abc import Sequence

from demo.rows import Rows


def first_difference(sent: Rows, received: Rows) -> str | None:
    """What differs first, with its row and field path, or None if nothing does."""
    for index, (left, right) in enumerate(zip(sent, received, strict=False)):
        if not _plainly_equal(left, right):
            difference = _difference(left, right, "")
            if difference is not None:
                return f"row {index}{difference}"
    if len(sent) != len(received):
        return f"{len(sent):,} rows were sent and {len(received):,} came back"
    return None


def _plainly_equal(left: object, right: object) -> bool:
    """Whether two flat rows are surely equal: the quick way for nearly every row.

    A zero says False, because 0.0 == -0.0, and the careful way decides.
    """
    if type(left) is not tuple or type(right) is not tuple or len(left) != len(right):
        return False
    for a, b in zip(left, right, strict=True):
        kind = type(a)
        if kind is not type(b) or a != b or kind is tuple or kind is list:
            return False
        if kind is float and a == 0.0:
            return False
    return True


def _difference(left: object, right: object, path: str) -> str | None:
    if type(left) is not type(right):
        return f"{path}: sent {_show(left)}, got {_show(right)}"
    if isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
        return _difference_inside(left, right, path)
    if isinstance(left, float) and isinstance(right, float):
        same = struct.pack("<d", left) == struct.pack("<d", right)
    else:
        same = left == right
    return None if same else f"{path}: sent {_show(left)}, got {_show(right)}"


def _difference_inside(left: Sequence[object], right: Sequence[object], path: str) -> str | None:
    if len(left) != len(right):
        return f"{path}: sent {len(left)} elements, got {len(right)}"
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        difference = _difference(a, b, f"{path}, field {index}")
        if difference is not None:
            return difference
    return None


def _show(value: object) -> str:
    text = ascii(value)
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
