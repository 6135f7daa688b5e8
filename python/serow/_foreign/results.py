"""What a conversion of a foreign value gives."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

#: Gives the plain value of an instance of a class, or its elements, or raises `NoPlainValue`.
Conversion = Callable[[Any], Any]

UNKNOWN = "serow knows no plain value for its class; convert it"
YEARS = "a datetime has years from 1 to 9999; use a str or an int"


class NoPlainValue(Exception):  # noqa: N818 (caught in this package)
    """No equal plain value exists; the message says what to do."""


class Holds:
    """A plain value that may hold foreign ones: elements, or a zone."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        """Take the plain value."""
        self.value = value


def converted(convert: Conversion, value: Any) -> Any:
    """Give what a conversion gives.

    Raises only `NoPlainValue`, whatever the value's own code raises.
    """
    try:
        return convert(value)
    except (NoPlainValue, MemoryError):
        raise
    except Exception as why:
        raise NoPlainValue(f"its own code raises {type(why).__name__}: {why}") from why


def duration(days: int, seconds: int, microseconds: int) -> timedelta:
    """Give the duration."""
    try:
        return timedelta(days, seconds, microseconds)
    except OverflowError:
        raise NoPlainValue("it exceeds the range of timedelta; use an int") from None
