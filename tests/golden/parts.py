"""Values that have components, in plain Python; docs/wire-format.md defines the components."""

import struct
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

INT, BYTES, BYTEARRAY, DATE, TIME, TIMETZ = range(16, 22)
TIMESTAMP, TIMESTAMPTZ, DURATION, DECIMAL, UUID_, COMPLEX = range(22, 28)
ND_ARRAY, F32, I8, I16, I32, U8, U16, U32, U64 = range(41, 50)

#: The names of the types, by code.
NAMES = {
    INT: "int",
    BYTES: "bytes",
    BYTEARRAY: "bytearray",
    DATE: "date",
    TIME: "time",
    TIMETZ: "timetz",
    TIMESTAMP: "timestamp",
    TIMESTAMPTZ: "timestamptz",
    DURATION: "duration",
    DECIMAL: "decimal",
    UUID_: "uuid",
    COMPLEX: "complex",
    ND_ARRAY: "ndarray",
    F32: "f32",
    I8: "i8",
    I16: "i16",
    I32: "i32",
    U8: "u8",
    U16: "u16",
    U32: "u32",
    U64: "u64",
}

#: How many parts of each kind the types have: ints, floats, byte strings.
COUNTS = {
    INT: (1, 0, 1),
    BYTES: (0, 0, 1),
    BYTEARRAY: (0, 0, 1),
    DATE: (1, 0, 0),
    TIME: (2, 0, 0),
    TIMETZ: (3, 0, 1),
    TIMESTAMP: (2, 0, 0),
    TIMESTAMPTZ: (3, 0, 1),
    DURATION: (2, 0, 0),
    DECIMAL: (2, 0, 1),
    UUID_: (2, 0, 0),
    COMPLEX: (0, 2, 0),
    ND_ARRAY: (1, 0, 1),
    F32: (0, 1, 0),
    **dict.fromkeys((I8, I16, I32, U8, U16, U32, U64), (1, 0, 0)),
}

#: The integers of each size.
RANGES = {
    **{code: range(-(1 << n - 1), 1 << n - 1) for code, n in ((I8, 8), (I16, 16), (I32, 32))},
    **{code: range(1 << n) for code, n in ((U8, 8), (U16, 16), (U32, 32), (U64, 64))},
}

#: The types of an array's elements, by code. A big-endian one has 16 more.
ELEMENTS = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()  # noqa: SIM905

NO_OFFSET = -(2**63)
EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)


class Parts(NamedTuple):
    """A type's code, and the parts of a value; `octets` are None if the type has none."""

    code: int
    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    octets: bytes | None = None


def is_small(value: int) -> bool:
    """Whether an integer has 64 bits."""
    return -(2**63) <= value < 2**63


def shortest(value: int) -> bytes:
    """Return the shortest two's complement."""
    bits = (value if value >= 0 else ~value).bit_length()
    return value.to_bytes(bits // 8 + 1, "little", signed=True)


def number(value: int) -> tuple[int, bytes]:
    """Return an integer as an int if it has 64 bits, or else as bytes."""
    return (value, b"") if is_small(value) else (0, shortest(value))


def zone(zone: tzinfo, offset: timedelta | None) -> tuple[int, bytes]:
    """Return the parts of a zone."""
    micros = NO_OFFSET if offset is None else offset // MICROSECOND
    if type(zone) is ZoneInfo:
        assert zone.key is not None
        return micros, zone.key.encode()
    assert type(zone) is timezone
    _, *name = zone.__getinitargs__()  # type: ignore[attr-defined]
    return micros, ("=" + name[0]).encode("utf-8", "surrogatepass") if name else b""


def clock_of_day(value: time | datetime) -> int:
    """Return the microseconds since midnight."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return seconds * 1_000_000 + value.microsecond


def decimal(value: Decimal) -> Parts:
    """Return the parts of a decimal."""
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits))
    if not isinstance(exponent, int):
        kind = "FnN".index(exponent)
        payload = b"" if kind == 0 else text.lstrip("0").encode()
        return Parts(DECIMAL, (3, kind + 4 * sign), (), payload)
    # int(text) is limited to a few thousand digits; int(Decimal) is not.
    coefficient = int(Decimal((sign, digits, 0)))
    if coefficient == 0 and sign:
        return Parts(DECIMAL, (4 * exponent + 2, 0), (), b"")
    small, large = number(coefficient)
    return Parts(DECIMAL, (4 * exponent + bool(large), small), (), large)


def array(value: Any) -> Parts:
    """Return the parts of an array whose lengths are below 128."""
    code = ELEMENTS.index(value.dtype.str[1:].replace("b1", "?"))
    shape = bytes(2 * number + 1 for number in (value.ndim, *value.shape))
    little = value.astype(value.dtype.newbyteorder("<"))
    is_big = value.dtype.str[0] == ">"
    return Parts(ND_ARRAY, (code + 16 * is_big,), (), shape + little.tobytes())


def array_of(code: int, data: bytes) -> Any:
    """Return the array of its parts."""
    count = data[0] // 2
    shape = tuple(number // 2 for number in data[1 : count + 1])
    kind = np.dtype(ELEMENTS[code % 16])
    made = np.frombuffer(data, kind.newbyteorder("<"), offset=count + 1).reshape(shape)
    return made.astype(kind.newbyteorder(">" if code >= 16 else "<"))


def parts_of(value: Any) -> Parts | None:
    """Return the parts of a value, or None if it has none."""
    kind = type(value)
    if kind is np.ndarray:
        return array(value)
    if kind is int and not is_small(value):
        return Parts(INT, (0,), (), shortest(value))
    if kind in (bytes, bytearray):
        return Parts(BYTES if kind is bytes else BYTEARRAY, octets=bytes(value))
    if kind is date:
        return Parts(DATE, ((value - EPOCH.date()).days,))
    if kind is time and value.tzinfo is None:
        return Parts(TIME, (clock_of_day(value), value.fold))
    if kind is time:
        offset, name = zone(value.tzinfo, value.utcoffset())
        return Parts(TIMETZ, (clock_of_day(value), value.fold, offset), (), name)
    if kind is datetime:
        micros = (value.replace(tzinfo=None) - EPOCH) // MICROSECOND
        if value.tzinfo is None:
            return Parts(TIMESTAMP, (micros, value.fold))
        offset, name = zone(value.tzinfo, value.utcoffset())
        return Parts(TIMESTAMPTZ, (micros, value.fold, offset), (), name)
    if kind is timedelta:
        return Parts(DURATION, (value // timedelta(seconds=1), value.microseconds * 1000))
    if kind is Decimal:
        return decimal(value)
    if kind is UUID:
        return Parts(UUID_, struct.unpack(">qq", value.bytes))
    if kind is complex:
        return Parts(COMPLEX, floats=(value.real, value.imag))
    return None


def value_of(parts: Parts) -> Any:
    """Return the value of parts."""
    code, ints, floats, octets = parts
    data = octets or b""
    if code == INT:
        return int.from_bytes(data, "little", signed=True) if data else ints[0]
    if code == BYTES:
        return bytes(data)
    if code == BYTEARRAY:
        return bytearray(data)
    if code == DATE:
        return EPOCH.date() + timedelta(ints[0])
    if code == DURATION:
        assert ints[1] % 1000 == 0
        return timedelta(seconds=ints[0]) + ints[1] // 1000 * MICROSECOND
    if code == DECIMAL:
        return decimal_of(ints, data)
    if code == UUID_:
        return UUID(bytes=struct.pack(">qq", *ints))
    if code == COMPLEX:
        return complex(*floats)
    if code == ND_ARRAY:
        return array_of(ints[0], data)
    if code == F32:
        return floats[0]
    if code in RANGES:
        value = ints[0] % 2**64 if code == U64 else ints[0]
        assert value in RANGES[code]
        return value
    assert ints[1] in (0, 1)
    at = {"fold": ints[1]}
    if code in (TIMETZ, TIMESTAMPTZ):
        at["tzinfo"] = zone_of(ints[2], data)
    if code in (TIMESTAMP, TIMESTAMPTZ):
        made = (EPOCH + ints[0] * MICROSECOND).replace(**at)
    else:
        made = (EPOCH + ints[0] * MICROSECOND).time().replace(**at)
    if code in (TIMETZ, TIMESTAMPTZ):
        assert zone(made.tzinfo, made.utcoffset()) == (ints[2], data)
    return made


def zone_of(offset: int, name: bytes) -> tzinfo:
    """Return the zone of its parts."""
    if name[:1] not in (b"", b"="):
        return ZoneInfo(name.decode())
    args = [name[1:].decode("utf-8", "surrogatepass")] if name else []
    return timezone(offset * MICROSECOND, *args)


def decimal_of(ints: tuple[int, ...], data: bytes) -> Decimal:
    """Return the decimal of its parts."""
    form, exponent = ints[0] & 3, ints[0] >> 2
    if form == 3:
        kind, sign = ints[1] & 3, ints[1] >> 2
        digits = tuple(int(digit) for digit in data.decode())
        return Decimal((sign, digits, "FnN"[kind]))
    if form == 2:
        return Decimal((1, (0,), exponent))
    coefficient = int.from_bytes(data, "little", signed=True) if form == 1 else ints[1]
    sign, digits, _ = Decimal(coefficient).as_tuple()
    return Decimal((sign, digits, exponent))
