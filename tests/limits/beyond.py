"""Rows just beyond the limits of a writer, by the name that `messages.txt` has for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _nested() -> Any:
    """Give a list in a list and so on, 65 deep."""
    value: Any = [1]
    for _ in range(64):
        value = [value]
    return value


def _shared() -> Any:
    """Give a list that contains one list twice, which contains one twice, and so on."""
    value: Any = [1]
    for _ in range(40):
        value = [value, value]
    return (value,)


ROWS: dict[str, Callable[[], Any]] = {
    "nested": _nested,
    "shared": _shared,
    "nulls": lambda: ([None] * 3_145_729,),
    "digits": lambda: 1 << 8 * 415_242 - 1,
    "name": lambda: {"a" * (1 << 20): 1},
    "keys": lambda: {f"d{n}": {f"k{key}": 1 for key in range(4_000)} for n in range(9)},
}
