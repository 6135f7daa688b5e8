"""Spark's rows as bytes, written from the description of their format and by nothing of serow's.

Types are tuples: ("int",), ("decimal", 20, 2), ("array", element, nullable), ("map", key, value,
nullable) and ("struct", [(name, type, nullable), ...]). Values are Spark's own: days, microseconds,
unscaled decimals, bytes; maps are lists of pairs, and structs lists.
"""

import datetime
import decimal
import json
import struct
import time
from typing import Any

import java_map
from hypothesis import strategies as st

Kind = tuple[Any, ...]

MICROSECOND = datetime.timedelta(microseconds=1)

WIDTHS = {"boolean": 1, "byte": 1, "short": 2, "int": 4, "float": 4, "date": 4}
FORMATS = {
    "boolean": "?",
    "byte": "b",
    "short": "h",
    "int": "i",
    "date": "i",
    "float": "f",
    "double": "d",
}
LONGS = {"long", "timestamp", "timestamp_ntz", "interval", "time"}
BLOBS = {"string", "binary", "bytearray"}


def describe(kind: Kind, nullable: bool = False) -> str:
    """Give the text that describes a type to serow."""
    name, *rest = kind
    if name == "struct":
        fields = (f"{json.dumps(n)}:{describe(kind, null)}" for n, kind, null in rest[0])
        text = f"struct{{{', '.join(fields)}}}"
    elif name == "array":
        text = f"array<{describe(rest[0], rest[1])}>"
    elif name == "map":
        text = f"map<{describe(rest[0])},{describe(rest[1], rest[2])}>"
    else:
        text = f"{name}({rest[0]},{rest[1]})" if rest else name
    return text + "?" * nullable


def padded(data: bytes) -> bytes:
    """Pad `data` to a multiple of eight bytes."""
    return data + bytes(-len(data) % 8)


def word(kind: Kind, value: Any) -> bytes | None:
    """Give the bytes of a value that is stored in its slot; None for other values."""
    name = kind[0]
    if name in FORMATS:
        return struct.pack("<" + FORMATS[name], value)
    if name in LONGS or (name == "decimal" and kind[1] <= 18):
        return struct.pack("<q", value)
    return b"" if name == "void" else None


def elsewhere(kind: Kind, value: Any) -> bytes:
    """Give the bytes of a value that its slot refers to."""
    name, *rest = kind
    if name in BLOBS:
        return bytes(value)
    if name == "decimal":
        bits = (value if value >= 0 else ~value).bit_length()
        return int(value).to_bytes(bits // 8 + 1, "big", signed=True)
    if name == "struct":
        return slots([field[1] for field in rest[0]], value, 8, b"")
    if name == "array":
        return array(rest[0], value)
    keys = array(rest[0], [key for key, _ in value])
    return struct.pack("<q", len(keys)) + keys + array(rest[1], [value for _, value in value])


def array(kind: Kind, values: list[Any]) -> bytes:
    """Give the bytes of a list."""
    count = struct.pack("<q", len(values))
    return slots([kind] * len(values), values, WIDTHS.get(kind[0], 8), count)


def slots(kinds: list[Kind], values: list[Any], width: int, head: bytes) -> bytes:
    """Give the bytes of a row or array with null bits and slots, after `head`."""
    bits = 0
    fixed = b""
    others = b""
    begin = len(head) + (len(values) + 63) // 64 * 8 + (len(values) * width + 7) // 8 * 8
    for nth, (kind, value) in enumerate(zip(kinds, values, strict=True)):
        slot = b""
        # Spark reserves space for the longest decimal in structs, even for null.
        is_long = not head and kind[0] == "decimal" and kind[1] > 18
        if value is None:
            bits |= 1 << nth
        elif (at_once := word(kind, value)) is not None:
            slot = at_once
        if not slot and (is_long or (value is not None and kind[0] != "void")):
            other = b"" if value is None else elsewhere(kind, value)
            slot = struct.pack("<II", len(other), begin + len(others))
            others += other.ljust(16, b"\0") if is_long else padded(other)
        fixed += slot.ljust(width, b"\0")
    bitmap = bits.to_bytes((len(values) + 63) // 64 * 8, "little")
    return head + bitmap + padded(fixed) + others


def batch(kind: Kind, rows: list[Any]) -> bytes:
    """Give a batch of rows of a struct."""
    return framed([elsewhere(kind, row) for row in rows])


def framed(rows: list[bytes]) -> bytes:
    """Give a batch of rows that are bytes already."""
    return b"".join(struct.pack("<q", len(row)) + row for row in rows)


def expected(kind: Kind, value: Any, row: Any) -> Any:
    """Give PySpark's Python value; `row(names, values)` makes its structs."""
    name, *rest = kind
    if value is None:
        return None
    if name == "struct":
        fields = zip(rest[0], value, strict=True)
        names = [field[0] for field in rest[0]]
        return row(names, [expected(field[1], value, row) for field, value in fields])
    if name == "array":
        return [expected(rest[0], item, row) for item in value]
    if name == "map":
        pairs = java_map.ordered(rest[0], value)
        return {expected(rest[0], k, row): expected(rest[1], v, row) for k, v in pairs}
    if name == "float":
        return struct.unpack("<f", struct.pack("<f", value))[0]
    if name in BLOBS:
        return {"string": bytes.decode, "binary": bytes, "bytearray": bytearray}[name](value)
    if name == "decimal":
        return engineering(value, rest[1])
    return moment(name, value)


def engineering(value: int, scale: int) -> decimal.Decimal:
    """Give Python's decimal from the text of Java's `BigDecimal.toEngineeringString`."""
    digits = len(str(abs(value)))
    adjusted = digits - 1 - scale
    zeros = adjusted % 3 + 1 - digits if value and adjusted < -6 else 0
    coefficient = abs(value) * 10 ** max(zeros, 0)
    sign = (0, 1)[value < 0]
    return decimal.Decimal((sign, tuple(map(int, str(coefficient))), -scale - max(zeros, 0)))


def moment(name: str, value: Any) -> Any:
    """Give PySpark's Python value of dates and times; other values are unchanged."""
    epoch = datetime.datetime(1970, 1, 1)
    if name == "date":
        return datetime.date.fromordinal(value + 719_163)
    if name == "timestamp":
        shown = datetime.datetime.fromtimestamp(value // 1_000_000)
        return shown.replace(microsecond=value % 1_000_000)
    if name == "timestamp_ntz":
        return epoch + datetime.timedelta(microseconds=value)
    if name == "interval":
        return datetime.timedelta(microseconds=value)
    if name == "time":
        return (epoch + datetime.timedelta(microseconds=value // 1000)).time()
    return value


def internal(kind: Kind, value: Any) -> Any:
    """Give Spark's value for a result of `expected`."""
    name, *rest = kind
    epoch = datetime.datetime(1970, 1, 1)
    if value is None:
        return None
    if name == "struct":
        return [internal(field[1], item) for field, item in zip(rest[0], value, strict=True)]
    if name == "array":
        return [internal(rest[0], item) for item in value]
    if name == "map":
        return [(internal(rest[0], k), internal(rest[1], v)) for k, v in value.items()]
    if name == "string":
        return value.encode()
    if name == "decimal":
        return int(value.scaleb(rest[1], decimal.Context(prec=50)))
    if name == "date":
        return value.toordinal() - 719_163
    if name == "timestamp":
        return int(time.mktime(value.timetuple())) * 1_000_000 + value.microsecond
    if name == "timestamp_ntz":
        return (value - epoch) // MICROSECOND
    if name == "interval":
        return value // MICROSECOND
    if name == "time":
        return (datetime.datetime.combine(epoch, value) - epoch) // MICROSECOND * 1000
    return value


def whole(bits: int) -> st.SearchStrategy[int]:
    """Give integers of this number of bits, including the limits and small ones."""
    return st.integers(-(1 << bits - 1), (1 << bits - 1) - 1)


# Years 2 to 9998, because clocks are up to a day ahead.
_MICROS = st.integers(-62_104_060_800_000_000, 253_370_678_400_000_000)
# Times at which clocks are turned back somewhere, and times around them.
_RECENT = st.integers(0, 2_000_000_000).map(lambda seconds: seconds * 1_000_000 + 7)

SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "byte": whole(8),
    "short": whole(16),
    "int": whole(32),
    "long": whole(64),
    "float": st.floats(width=32, allow_nan=False) | st.just(float("nan")),
    "double": st.floats(),
    "string": st.text().map(lambda text: text.encode("utf-8", "replace")),
    "binary": st.binary(),
    "bytearray": st.binary(),
    "date": st.integers(-719_162, 2_932_896),
    "timestamp": _MICROS | _RECENT,
    "timestamp_ntz": _MICROS,
    "interval": whole(64),
    "time": st.integers(0, 86_400_000_000_000 - 1),
    "void": st.none(),
}


def values(kind: Kind, nullable: bool = False) -> st.SearchStrategy[Any]:
    """Give values of a type."""
    name, *rest = kind
    if name == "struct":
        of: st.SearchStrategy[Any] = st.tuples(*(values(k, null) for _, k, null in rest[0]))
    elif name == "array":
        of = st.lists(values(rest[0], rest[1]), max_size=70 if rest[0][0] in WIDTHS else 4)
    elif name == "map":
        of = st.lists(st.tuples(values(rest[0]), values(rest[1], rest[2])), max_size=4)
    elif name == "decimal":
        of = st.integers(-(10 ** rest[0]) + 1, 10 ** rest[0] - 1)
    else:
        of = SCALARS[name]
    return st.none() | of if nullable else of


def _decimals() -> st.SearchStrategy[Kind]:
    digits = st.integers(1, 38)
    return digits.flatmap(lambda p: st.tuples(st.just("decimal"), st.just(p), st.integers(0, p)))


def kinds() -> st.SearchStrategy[Kind]:
    """Give types of Spark."""
    scalars = st.sampled_from(sorted(SCALARS)).map(lambda name: (name,)) | _decimals()
    keys = scalars.filter(lambda kind: kind[0] not in ("bytearray", "void"))
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.tuples(st.just("array"), inner, st.booleans()),
            st.tuples(st.just("map"), keys, inner, st.booleans()),
            structs(inner, 3),
        ),
        max_leaves=6,
    )


def structs(kind: st.SearchStrategy[Kind], most: int) -> st.SearchStrategy[Kind]:
    """Give structs of such types."""
    names = st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
    fields = st.lists(st.tuples(names, kind, st.booleans()), max_size=most)
    return st.tuples(st.just("struct"), fields)


def tables() -> st.SearchStrategy[tuple[Kind, list[Any]]]:
    """Give a row's type, and rows."""
    row = structs(kinds(), 6) | structs(st.just(("int",)), 130)
    return row.flatmap(lambda kind: st.tuples(st.just(kind), st.lists(values(kind), max_size=5)))
