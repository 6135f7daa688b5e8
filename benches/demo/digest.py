"""The digest that both languages compute independently: SHA-256 of the exact values.

Values are not printed as text, because text can hide differences (1 and 1.0, -0.0 and 0.0, NaN
payloads). The stream is defined as follows. All integers are little-endian. `Digest.java`
implements the same definition independently.

    value   bytes
    None    'n'
    bool    'b', then 0 or 1
    int     'i', then the value as 8 bytes, two's complement
    float   'f', then its 8 raw bytes
    str     's', then 8 bytes of length, then UTF-8, a lone surrogate as three bytes
    list    'l', then 8 bytes of length, then the elements
    tuple   't', then 8 bytes of length, then the elements
    dict    'k', then 8 bytes of length, then key, value, …, in the order of the keys' UTF-16
    date    'd', then the days since 1970-01-01 as 8 bytes, two's complement
    Decimal 'e', then its exponent as 8 bytes, two's complement, then its digits as a str, a minus
            sign before them if it is negative

The digest of rows is the SHA-256 of the list of rows.

A string with a pair of surrogates as two characters differs from one with the single character
beyond U+FFFF. Java can't distinguish the two, so no such string is sent.
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from demo.errors import DemoError

_INT = struct.Struct("<cq").pack
_FLOAT = struct.Struct("<cd").pack
_LENGTH = struct.Struct("<cQ").pack
_FLUSH = 1 << 16
_EPOCH = date(1970, 1, 1).toordinal()


def digest(rows: Sequence[object]) -> bytes:
    """Returns the 32 bytes of SHA-256 of the stream of the list `rows`."""
    sha = hashlib.sha256(_LENGTH(b"l", len(rows)))
    pending = bytearray()
    for row in rows:
        append(pending, row)
        if len(pending) >= _FLUSH:
            sha.update(pending)
            pending.clear()
    sha.update(pending)
    return sha.digest()


def append(out: bytearray, value: object) -> None:
    """Appends one value's part of the stream to `out`."""
    kind = type(value)
    if kind is str:
        data = value.encode("utf-8", "surrogatepass")  # type: ignore[attr-defined]
        out += _LENGTH(b"s", len(data))
        out += data
    elif kind is int:
        if not -(1 << 63) <= value < 1 << 63:  # type: ignore[operator]
            raise DemoError(f"no digest for an integer beyond 64 bits: {value!r}")
        out += _INT(b"i", value)
    elif kind is float:
        out += _FLOAT(b"f", value)
    elif kind is tuple or kind is list:
        out += _LENGTH(b"t" if kind is tuple else b"l", len(value))  # type: ignore[arg-type]
        for element in value:  # type: ignore[attr-defined]
            append(out, element)
    elif value is None:
        out += b"n"
    elif kind is bool:
        out += b"b\x01" if value else b"b\x00"
    elif kind is dict:
        _append_dict(out, value)  # type: ignore[arg-type]
    elif kind is date:
        out += _INT(b"d", value.toordinal() - _EPOCH)  # type: ignore[attr-defined]
    elif kind is Decimal:
        _append_decimal(out, value)  # type: ignore[arg-type]
    else:
        raise DemoError(f"no digest for a value of type {kind.__name__}")


def _append_dict(out: bytearray, value: Mapping[object, object]) -> None:
    if not all(type(key) is str for key in value):
        raise DemoError("no digest for a dict with keys that are not str")
    out += _LENGTH(b"k", len(value))
    # Java's order of strings.
    for key in sorted(value, key=lambda key: str(key).encode("utf-16-be", "surrogatepass")):
        append(out, key)
        append(out, value[key])


def _append_decimal(out: bytearray, value: Decimal) -> None:
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or (sign and not value):
        raise DemoError(f"no digest for a decimal that Java does not have: {value}")
    out += _INT(b"e", exponent)
    append(out, "-" * sign + "".join(map(str, digits)))
