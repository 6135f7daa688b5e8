"""The iteration order of Java's `HashMap`, in which Spark's maps come to Python."""

import struct
from typing import Any


def _signed(bits: int) -> int:
    bits &= 0xFFFF_FFFF
    return bits - (1 << 32) if bits >> 31 else bits


def _long(bits: int) -> int:
    bits &= (1 << 64) - 1
    return _signed(bits ^ bits >> 32)


def _horner(items: Any) -> int:
    hashed = 0
    for item in items:
        hashed = _signed(31 * hashed + item)
    return hashed


def hash_code(kind: tuple[Any, ...], value: Any) -> int:
    """Give the `hashCode` of Spark's value of a type."""
    name = kind[0]
    if name == "boolean":
        return 1231 if value else 1237
    if name in ("byte", "short", "int", "date"):
        return int(value)
    if name == "float":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        return _signed(bits) if value == value else 0x7FC0_0000
    if name == "double":
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return _long(bits if value == value else 0x7FF8_0000_0000_0000)
    if name == "string":
        units = value.decode(errors="replace").encode("utf-16-le")
        return _horner(struct.unpack(f"<{len(units) // 2}H", units))
    if name == "decimal":
        words = [abs(value) >> 32 * word & 0xFFFF_FFFF for word in range(3, -1, -1)]
        magnitude = _horner(words)
        return _signed(31 * (-magnitude if value < 0 else magnitude) + kind[2])
    return _long(value)


def ordered(kind: tuple[Any, ...], pairs: list[Any]) -> list[Any]:
    """Give the pairs in the order of the map; their first items are Spark's values of `kind`."""
    if kind[0] in ("binary", "bytearray", "array", "map", "struct", "void"):
        return list(pairs)
    buckets = 1
    while buckets < len(pairs) or buckets * 3 // 4 < len(pairs):
        buckets *= 2

    def bucket(pair: Any) -> int:
        hashed = hash_code(kind, pair[0]) & 0xFFFF_FFFF
        return (hashed ^ hashed >> 16) & (buckets - 1)

    return sorted(pairs, key=bucket)
