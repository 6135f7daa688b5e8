"""Plain values of instances of subclasses of plain classes.

Only the base class's own functions read the value, not what a subclass puts in their place. The
instance must have no fields of its own, because decoding would lose them.
"""

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import MemberDescriptorType
from typing import Any
from uuid import UUID, SafeUUID

from serow._foreign.results import Conversion, Holds, NoPlainValue

_ALL = slice(None)

#: Subclasses of the standard library. The factory of a `defaultdict` is no data.
_WITHOUT_FIELDS = (OrderedDict, defaultdict, Counter)


def conversion(kind: type) -> Conversion | None:
    """Give the conversion of a plain class's subclass; None for all other classes."""
    base = next((base for base in _READ if issubclass(kind, base)), None)
    if base is None or kind in PLAIN:
        return None
    read = _READ[base]

    def convert(value: Any) -> Any:
        for name in fields(value, base):
            raise NoPlainValue(
                f"decoding would lose its attribute {name}; convert it to a plain {base.__name__}"
            )
        return read(value)

    return convert


def fields(value: Any, base: type) -> Iterator[str]:
    """Yield the names of the fields that subclasses of the base have added."""
    if base is tuple and hasattr(value, "n_sequence_fields"):
        # The names of a struct sequence, such as `time.struct_time`, are of its elements.
        if value.n_fields != value.n_sequence_fields:
            raise NoPlainValue("it has more fields than elements; use tuple(value)")
        return
    for kind in type(value).__mro__:
        if kind is base:
            break
        if kind not in _WITHOUT_FIELDS:
            for name, one in vars(kind).items():
                if type(one) is MemberDescriptorType and _is_set(one, value):
                    yield name
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return
    # `Counter[str](…)` of typing keeps the annotation that was called.
    yield from (name for name in attributes if name != "__orig_class__")


def _is_set(slot: MemberDescriptorType, value: Any) -> bool:
    try:
        slot.__get__(value)
    except AttributeError:
        return False
    return True


def _of_dict(value: Any) -> Holds:
    # The order of an OrderedDict is its own.
    items = OrderedDict.items if isinstance(value, OrderedDict) else dict.items
    return Holds(dict(items(value)))


def _of_datetime(value: datetime) -> Any:
    return _with_offset_of(value, datetime.combine(datetime.date(value), datetime.timetz(value)))


def _of_time(value: time) -> Any:
    parts = (time.hour, time.minute, time.second, time.microsecond, time.tzinfo)
    fold = time.fold.__get__(value)
    return _with_offset_of(value, time(*(part.__get__(value) for part in parts), fold=fold))


def _with_offset_of(value: datetime | time, plain: datetime | time) -> Holds:
    has_own = type(value).utcoffset is not type(plain).utcoffset
    if has_own and value.utcoffset() != plain.utcoffset():
        raise NoPlainValue(
            "its class computes an offset of its own, which decoding would lose; convert it to a "
            "plain datetime or time"
        )
    return Holds(plain)


def _of_date(value: date) -> date:
    return date.fromordinal(date.toordinal(value))


def _of_timedelta(value: timedelta) -> timedelta:
    parts = (timedelta.days, timedelta.seconds, timedelta.microseconds)
    return timedelta(*(part.__get__(value) for part in parts))


def _of_complex(value: complex) -> complex:
    return complex(complex.real.__get__(value), complex.imag.__get__(value))


def _of_uuid(value: UUID) -> UUID:
    if value.is_safe is not SafeUUID.unknown:
        raise NoPlainValue("its is_safe is not unknown; use UUID(int=value.int)")
    return UUID(int=value.int)


#: The function that reads an instance of a subclass. `date` is after its subclass.
_READ: Mapping[type, Callable[[Any], Any]] = {
    str: str.__str__,
    int: int.__int__,
    float: float.__float__,
    dict: _of_dict,
    list: lambda value: Holds(list.__getitem__(value, _ALL)),
    tuple: lambda value: Holds(tuple.__getitem__(value, _ALL)),
    set: lambda value: Holds(set(set.__iter__(value))),
    frozenset: lambda value: Holds(frozenset(frozenset.__iter__(value))),
    bytes: lambda value: bytes.__getitem__(value, _ALL),
    bytearray: lambda value: bytearray.__getitem__(value, _ALL),
    datetime: _of_datetime,
    date: _of_date,
    time: _of_time,
    timedelta: _of_timedelta,
    Decimal: lambda value: Decimal.__new__(Decimal, value),
    UUID: _of_uuid,
    complex: _of_complex,
}

#: The plain classes with elements, components or subclasses.
PLAIN = frozenset([*_READ, bool])
