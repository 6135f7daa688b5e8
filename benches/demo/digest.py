"""The digest both languages compute on their own: SHA-256 over what the values *are*.

No value is printed on the way, since printing can hide what differs (1 and 1.0, -0.0 and 0.0,
NaN payloads). The stream is defined as follows, every integer little-endian; `Digest.java`
implements the same words independently.

    value   bytes
    None    'n'
    bool    'b', then 0 or 1
    int     'i', then the value as 8 bytes, two's complement
    float   'f', then its 8 raw bytes
    str     's', then 8 bytes of length, then UTF-8, a lone surrogate as three bytes
    list    'l', then 8 bytes of length, then the elements
    tuple   't', then 8 bytes of length, then the elements

The digest of rows is the SHA-256 of the list of rows.

A string that spells a pair of surrogates as two characters isn't the same string as one with
the single character beyond U+FFFF; Java can't tell the two apart, and no such string is sent.
"""

import hashlib
import struct
from collections.abc import Sequence

from demo.errors import DemoError

_INT = struct.Struct("<cq").pack
_FLOAT = struct.Struct("<cd").pack
_LENGTH = struct.Struct("<cQ").pack
_FLUSH = 1 << 16


def digest(rows: Sequence[object]) -> bytes:
    """The 32 bytes of SHA-256 over the stream of the list `rows`."""
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
    """Append one value's part of the stream to `out`."""
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
    else:
        raise DemoError(f"no digest for a value of type {kind.__name__}")
