"""Values that are easy to confuse, for the digests of both languages.

`digest_vectors.txt` has a line for each: its name, its bytes in the stream and the SHA-256 of the
list of just this value. `python -m demo.tests.digest_cases` prints that file. Java's test
(`DigestTest.java`) makes the same values from their names and reads the same file.
"""

import struct
from datetime import date
from decimal import Decimal
from pathlib import Path

from demo.digest import append, digest

VECTORS = Path(__file__).with_name("digest_vectors.txt")


def _float(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


CASES: dict[str, object] = {
    "none": None,
    "false": False,
    "true": True,
    "int 0": 0,
    "int 1": 1,
    "int -1": -1,
    "int smallest": -(1 << 63),
    "int largest": (1 << 63) - 1,
    "float 0": 0.0,
    "float -0": -0.0,
    "float 1": 1.0,
    "float infinity": float("inf"),
    "float nan": _float(0x7FF8000000000000),
    "float nan with payload": _float(0x7FF8000000000123),
    "float nan negative": _float(0xFFF8000000000000),
    "float nan signalling": _float(0x7FF0000000000001),
    "str empty": "",
    "str zero byte": "\0",
    "str ascii": "serow",
    "str latin": "é",
    "str two bytes": "ж",
    "str three bytes": "羚",
    "str four bytes": "😀",
    "str high surrogate": "\ud83d",
    "str low surrogate": "\ude00",
    "str surrogates in the wrong order": "\ude00\ud83d",
    "str high surrogate before four bytes": "\ud83d😀",
    "str of one": "1",
    "tuple empty": (),
    "list empty": [],
    "tuple of none": (None,),
    "tuple of bool, int, float, str": (True, 1, 1.0, "1"),
    "list of lists": [[1], [], [[]]],
    "tuple of tuples": ((1, 2), 3),
    "tuple with its split elsewhere": (1, (2, 3)),
    "list in a tuple": (1, [2, None]),
    "dict empty": {},
    "dict": {"b": 1, "a": None},
    "dict with keys beyond U+FFFF": {"😀": 1, "\uff5e": 2},
    "dict in a list": [{"a": {"a": 1.0}}],
    "date 0": date(1970, 1, 1),
    "date first": date(1, 1, 1),
    "date last": date(9999, 12, 31),
    "decimal 0": Decimal("0"),
    "decimal 0.00": Decimal("0.00"),
    "decimal -12.50": Decimal("-12.50"),
    "decimal 1E+2": Decimal("1E+2"),
    "decimal large": Decimal("123456789012345678901234567890.12"),
    "part": (1, "lace é", "Manufacturer#1", "Brand#13", "PROMO", 7, "JUMBO", 901.0, ""),
}


def lines() -> list[str]:
    """Returns the vectors of all cases."""
    result = []
    for name, value in CASES.items():
        stream = bytearray()
        append(stream, value)
        result.append(f"{name}\t{stream.hex()}\t{digest([value]).hex()}")
    return result


if __name__ == "__main__":
    print("\n".join(lines()))
