"""Makes the golden files beside it: `PYTHONPATH=python python tests/golden/make.py`.

They hold the format still: tests in Rust, Python and Java read them, and tests in Rust and Python
encode the same rows to the very same bytes. A file that changes is a change of the format, or of
how an encoding is chosen, and a commit says which. `--check` compares and writes nothing.
"""

import enum
import io
import math
import struct
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import rowtext
import serow
import xxhash
from parts import ELEMENTS, RANGES

FOLDER = Path(__file__).parent
SUFFIXES = (".rows", ".srow", ".records")


def single(value: float) -> float:
    """Return the value of the nearest 32-bit float."""
    nearest: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return nearest


def bits(pattern: int) -> float:
    """Return the float with these bits."""
    value: float = struct.unpack("<d", struct.pack("<Q", pattern))[0]
    return value


def noise(n: int, count: int) -> int:
    """Return the `n`th of a sequence of pseudo-random numbers below `count`."""
    return (n * 0x9E3779B97F4A7C15 >> 20 & 0xFFFFFFFF) % count


def sentence(n: int) -> str:
    """Return the `n`th of many texts of few words; of none if `n` is a multiple of 50."""
    words = ["almond", "blue", "", "größe", "x", "a longer-word", "almond\n", "\0"]
    count = 3 + noise(n, 5) if n % 50 else 0
    chosen = [words[noise(13 * n + k, 8)] for k in range(count)]
    return " ".join([*chosen, f"n{n}", *reversed(chosen)] if chosen else [])


# Python would make a NaN with a payload quiet on the way through some operations, never here.
SIGNALLING = bits(0x7FF0_0000_0000_0001)
PAYLOAD = bits(0xFFF8_0000_DEAD_BEEF)


class Point(NamedTuple):
    """A record."""

    x: int
    y: float | None


class Line(NamedTuple):
    """A record that contains others."""

    name: str
    points: list[Point]
    größe: float


class Color(enum.Enum):
    """An enum; messages have only the names of its members."""

    RED = 1
    GREEN = "g"
    BLUE = None


class Shade(enum.Enum):
    """An enum of one member."""

    GRAY = 0.5


class Plan(str, enum.Enum):
    """An enum whose members are strings; messages have these too."""

    FREE = "free"
    EMPTY = ""
    PRO = 'größer "…"'


class Status(enum.IntEnum):
    """An enum whose members are integers; messages have these too."""

    OK = 200
    LEAST = -(2**63)
    MOST = 2**63 - 1


#: The least and the largest integer of each size.
EDGES = [(integers[0], integers[-1]) for integers in RANGES.values()]

#: The schemas of files whose rows have another schema than the one that they join to.
DECLARED = {"sizes": "(f32, i8, i16, i32, u8, u16, u32, u64, [f32], [u16]?)"}

# name: (why the file exists, rows)
FILES: dict[str, tuple[str, list[Any]]] = {
    "scalars": (
        "Every scalar type in a row, with its extreme values.",
        [
            (None, False, 0, 0.0, ""),
            (None, True, 2**63 - 1, -0.0, "\0"),
            (None, False, -(2**63), math.inf, "serow"),
            (None, True, -1, -math.inf, "a\nb"),
            (None, True, 1, math.nan, "\x7f"),
            (None, True, 256, SIGNALLING, "é"),
            (None, True, 257, PAYLOAD, "€"),
            (None, True, -5, 5e-324, "😀"),
            (None, True, -6, 1.7976931348623157e308, "x" * 130),
        ],
    ),
    "bare_rows": (
        "Rows need not be tuples: here each is a value of another type, so the row is a union.",
        [1, 2.5, "three", True, [4, 5], (6, "seven"), None, 1, (), (8,)],
    ),
    "int_encodings": (
        "Int columns: constant, packed, delta of width 0, delta, from base 0 in 64 bits, delta "
        "that wraps.\nIn the row wire varints of all nine lengths.",
        [
            (
                7,
                noise(i, 50) - 20,
                1000 + 3 * i,
                100 * i + noise(i, 10),
                (-1) ** i * (2 ** (i % 63)) + i,
                (i * 2**62 + 2**63) % 2**64 - 2**63,
            )
            for i in range(130)
        ],
    ),
    "int_exceptions": (
        "Int columns with exceptions: packed, packed in 0 bits, delta; decimals, lengths of texts "
        "and codes of a\ndictionary with exceptions.",
        [
            (
                {0: 2**63 - 1, 17: -(2**63), 599: -1}.get(i, noise(i, 50)),
                77 * (i in (100, 300)),
                1_000_000 + i % 200 * 70 + noise(i, 7),
                (90_000 + i % 150 * 100) / 100,
                chr(97 + noise(i, 26)) * (300 if i == 500 else noise(i, 4)) + str(i),
                f"entry {i if i % 60 == 59 else noise(i, 4)}",
            )
            for i in range(600)
        ],
    ),
    "varint_lengths": (
        "Integers around every power of two where a varint grows, in one column and both signs.",
        sorted(
            sign * 2 ** (7 * k - 1) + d
            for k in range(1, 10)
            for sign in (1, -1)
            for d in (-1, 0, 1)
        ),
    ),
    "float_encodings": (
        "Float columns: constant, decimals of two exponents and with exceptions, raw, singles.",
        [
            (
                PAYLOAD,
                noise(i, 1_000_000) / 100,
                float(i),
                {17: math.nan, 80: -0.0, 81: math.pi, 128: SIGNALLING}.get(i, i / 1000),
                math.sqrt(i),
                single(math.sqrt(i)),
            )
            for i in range(130)
        ],
    ),
    "str_dictionary": (
        "Repeated strings become a dictionary; its codes are constant in the last column.",
        [
            (f"Brand#{noise(i, 4)}{noise(i, 3)}", ["", "naïve", "ß"][i % 3], "only")
            for i in range(100)
        ],
    ),
    "str_plain": (
        "More than 1,024 strings that are all different: a plain column.",
        [f"{i:x}" for i in range(1100)],
    ),
    "unicode": (
        "Text from every plane, of one to four bytes a character, with characters that combine and "
        "NULs.",
        ["", "\0", "a\0b", "\x80\xff", "e\u0301", "\u07ff\u0800", "\ud7ff\ue000", "\uffff"]
        + [chr(plane << 16 | 0x41) * (plane % 3 + 1) for plane in range(17)]
        + ["\U0010ffff", "1é€😀" * 20],
    ),
    "lone_surrogates": (
        "Lone surrogates, which strings of Python and Java may contain: three bytes each.\n"
        "Rust must refuse these messages.",
        [("a\ud800b", 1), ("\udfff", 2), ("plain", 3), ("\udc00\ud800", 4)],
    ),
    "optionals": (
        "Optional columns: often null, null once, present once, and an optional bool.",
        [
            (
                None if i % 3 == 0 else i,
                f"v{i % 5}" if i != 20 else None,
                None if i < 20 else 2.5,
                None if i % 4 == 1 else i % 2 == 0,
            )
            for i in range(21)
        ],
    ),
    "bools": (
        "Bit columns: bitmaps that end within a byte, and a constant.",
        [(i % 3 == 0, True, i == 18) for i in range(19)],
    ),
    "fixed_shapes": (
        "Nested lists and tuples of fixed shape: the row of the type list "
        "4 1 5 2 3 7 6, and lists that have a fixed shape because their fields differ.",
        [
            ([8429 + i, (31.49 + i, "hello")], ((), ((i,),)), [i, "x", None if i % 2 else 0.5])
            for i in range(5)
        ],
    ),
    "sequences": (
        "Sequences: lists and tuples, empty, of optionals, of strings, of lists, of tuples.",
        [
            (
                [i / 4] * (i % 4),
                tuple(range(i % 5)),
                [None if j % 2 else j for j in range(i % 7)],
                [f"tag{j}" for j in range(i % 3)],
                [[j] * j for j in range(i % 4)],
                [(j, str(j)) for j in range(i % 2)],
            )
            for i in range(24)
        ],
    ),
    "unions": (
        "A union with an arm of every kind, an optional union, and a union in a sequence.",
        [
            (
                [i, i / 2, f"u{i % 3}", i % 2 == 0, [i] * (i % 3), (i,), (str(i), None)][i % 7],
                [None, i, str(i)][i % 3],
                [[1, "a"], [2.5], []][i % 3],
            )
            for i in range(42)
        ],
    ),
    "large_ints": (
        "Integers of more than 64 bits, of every width around whole bytes, in both signs.",
        [
            sign * 2**power + d
            for power in (63, 64, 65, 71, 72, 127, 128, 129, 1000)
            for sign in (1, -1)
            for d in (-1, 0, 1)
            if not -(2**63) <= sign * 2**power + d < 2**63
        ],
    ),
    "byte_strings": (
        "bytes and bytearrays: empty, of one byte, not text; in a dictionary and plain.",
        [
            (
                [b"", b"\0", b"\xff\xfe", b"key"][i % 4],
                bytes(noise(i + j, 256) for j in range(i)),
                bytearray([b"", b"abc", b"\x80"][i % 3]),
            )
            for i in range(20)
        ],
    ),
    "dates": (
        "Dates: the first and the last, a leap day, consecutive days.",
        [date.min, date.max, date(1970, 1, 1), date(1969, 12, 31), date(2024, 2, 29)]
        + [date(1900, 2, 27) + timedelta(days) for days in range(4)],
    ),
    "times": (
        "Times of day, and times with an offset.",
        [
            (
                [time.min, time.max, time(1, 2, 3, 4)][i % 3],
                time(i, 30, tzinfo=timezone(timedelta(minutes=90 * i - 600))),
            )
            for i in range(12)
        ],
    ),
    "timestamps": (
        "Timestamps: the first and the last, with microseconds, and with offsets.",
        [
            (
                [datetime.min, datetime.max, datetime(1970, 1, 1), datetime(2024, 2, 29, 12)][i % 4]
                + i % 4 // 2 * timedelta(microseconds=i),
                datetime(2000 + i, 1, 1, tzinfo=timezone(timedelta(minutes=90 * i - 600))),
            )
            for i in range(12)
        ],
    ),
    "zones": (
        "Timestamps in zones of the IANA database, around the hour that New York repeated.",
        [
            datetime(2024, 11, 3, hour, 30, fold=fold, tzinfo=ZoneInfo("America/New_York"))
            for hour, fold in [(0, 0), (1, 0), (1, 1), (2, 0)]
        ]
        + [datetime(1999, 12, 31, tzinfo=ZoneInfo(key)) for key in ("Asia/Tokyo", "Europe/Paris")],
    ),
    "own_zones": (
        "Time zones with a name of their own, with an offset in microseconds, and times of day in\n"
        "zones. Such a time has an offset only if its zone has a single one.\n"
        "Java must refuse these messages.",
        [
            (datetime(2024, 1, 1, tzinfo=zone), time(12, tzinfo=zone))
            for zone in [
                timezone(timedelta(0), "GMT"),
                timezone(timedelta(hours=-3), ""),
                timezone(timedelta(microseconds=-1), "ein Hauch früher"),
                timezone(timedelta(hours=23, microseconds=59)),
                ZoneInfo("America/New_York"),
                ZoneInfo("UTC"),
            ]
        ],
    ),
    "folds": (
        "The second of two equal local times, without a zone. Java must refuse these messages.",
        [(datetime(2024, 11, 3, 1, 30, fold=i % 2), time(1, 30, fold=i // 2)) for i in range(4)],
    ),
    "durations": (
        "Durations: the shortest and the longest, whole days, and minus one microsecond.",
        [timedelta.min, timedelta.max, timedelta(0), timedelta(microseconds=-1)]
        + [timedelta(days, 5, 7) for days in (-1, 0, 1)],
    ),
    "decimals": (
        "Decimals: zeros with different exponents, prices, coefficients around 64 bits, and large.",
        [Decimal(text) for text in ("0", "0.00", "0E+3", "1.50", "-1.5", "1E+400", "-7E-400")]
        + [Decimal(noise(i, 10_000)).scaleb(-2) for i in range(5)]
        + [
            Decimal((sign, tuple(map(int, str(2**power + d))), -3))
            for power in (63, 64, 127, 300)
            for sign in (0, 1)
            for d in (-1, 0, 1)
        ],
    ),
    "decimals_beyond": (
        "Negative zeros, infinities, NaNs with payloads, and the extreme exponents of Python.\n"
        "Java must refuse these messages.",
        [
            Decimal(text)
            for text in [
                *("-0", "-0E+3", "Infinity", "-Infinity", "NaN", "-NaN", "sNaN", "-sNaN"),
                *("NaN1", "-NaN123456789012345678901234567890", "sNaN7"),
                *("1E+999999999999999999", "-1E-1999999999999999997"),
            ]
        ],
    ),
    "sizes": (
        "Numbers of every size: the least, the largest, and varints of every length.",
        [
            (
                single(-0.1 * n),
                *((least, largest, n)[n % 3] for least, largest in EDGES),
                [single(n / 3)] * (n % 4),
                [max(n - 2, 0)] * (n % 3) or None,
            )
            for n in range(12)
        ]
        + [
            (value, *(min(1 << bits, largest) for _, largest in EDGES), [], None)
            for bits, value in enumerate(
                [0.0, -0.0, math.inf, -math.inf, math.nan, bits(0x7FF0_0000_2000_0000)] * 11
            )
            if bits < 64
        ],
    ),
    "uuids": (
        "UUIDs: all bits set, none, some.",
        [UUID(int=v) for v in (0, 1, 2**63, 2**64 - 1, 2**64, 2**127, 2**128 - 1)]
        + [UUID("12345678-90ab-cdef-1234-567890abcdef")],
    ),
    "complexes": (
        "Complex numbers, with the bits of both floats.",
        [
            complex(real, imaginary)
            for real in (0.0, -0.0, 1.5, SIGNALLING)
            for imaginary in (-0.0, math.inf, PAYLOAD)
        ],
    ),
    "arrays": (
        "Arrays of every type of elements, of several shapes, with big-endian ones.",
        [
            (np.arange(math.prod(shape)) % 2).astype(kind).reshape(shape)
            for kind in [*ELEMENTS, ">i2", ">u4", ">u8", ">f2", ">f4", ">f8", ">c8", ">c16"]
            for shape in [(2, 3), (), (0, 3), (1, 2, 1)]
        ]
        + [np.array([-1.5, math.inf, 0.1], "f4"), np.array([-1, 127], "i1")],
    ),
    "kinds": (
        "Unions of values with components, with each other, with strings and with nulls.",
        [
            (
                [2**64, date.min, b"x", bytearray(b"x"), 1j, Decimal(5), UUID(int=5), "x"][i % 8],
                [None, Decimal("1.25"), date.max][i % 3],
                [timedelta(i), datetime.min, time.max][i % 3],
            )
            for i in range(24)
        ],
    ),
    "sets": (
        "Sets and frozensets: empty, of ints, of strings, of tuples, of frozensets.\nTheir order "
        "is the same in every run: they have small ints, or one element at most.",
        [
            (
                set(range(i % 10)),
                frozenset([f"tag{i}"] * (i % 2)),
                {(i, None if i % 3 else "x")},
                {frozenset([i])} if i % 2 else None,
                set(),
            )
            for i in range(12)
        ],
    ),
    "dicts": (
        "Dicts with fixed keys: null and missing, a key that comes late, keys in another order, "
        "nested, empty, names that are not identifiers.",
        [
            {
                "id": i,
                "größe": i / 4,
                "": None if i % 3 else "",
                **({"now and then": i} if i % 2 else {}),
                "inner": {'a "quoted" key': bool(i % 2), "\\n\0": [i]},
                "empty": {},
                **({"late": f"row {i}"} if i > 5 else {}),
            }
            for i in range(9)
        ]
        + [
            {
                "empty": {},
                "inner": {"\\n\0": [], 'a "quoted" key': False},
                "größe": 0.5,
                "": "",
                "id": 9,
            }
        ],
    ),
    "maps": (
        "Maps: of ints, of tuples, of values of several types, empty, nested, and dicts with too "
        "many string keys for fixed keys.",
        [
            (
                {n: f"v{n}" for n in range(i % 4)},
                {(i, "k"): [i] * (i % 3)},
                [{None: 1}, {2.5: 2, "x": None}, {True: "t", b"b": 0}, {-1: -1}][i % 4],
                {i: {date(2024, 1, i + 1): {}}},
                {f"word{i}": i},
            )
            for i in range(28)
        ]
        + [({}, {}, {}, {}, {f"word{i}": i for i in range(28, 40)})],
    ),
    "records": (
        "Records: nested, in a list, two types in one place, a type name that is no identifier.",
        [
            Line(
                f"line {i}",
                [Point(i, n / 2 if n else None) for n in range(i % 3)],
                i / 8,
            )
            if i % 4
            else Point(i, None)
            for i in range(16)
        ]
        + [rowtext.record_class("my type", ("a b", "enum", "class"))(1, "x", None)],
    ),
    "enums": (
        "Members of enums: of several, of one, two enums in one place, with nulls.",
        [
            (
                list(Color)[i * i % 3],
                Shade.GRAY,
                [Color.BLUE, Shade.GRAY, None][i % 3],
                {Color.RED: i},
            )
            for i in range(9)
        ],
    ),
    "enums_with_values": (
        "Members of enums that are strings or integers too, in unions with these, and as keys.",
        [
            (
                list(Plan)[i * i % 3],
                list(Status)[i % 3],
                [Plan.EMPTY, "free", Status.OK, 200, Shade.GRAY, None][i % 6],
                {Plan.FREE: i, Plan.PRO: -i},
            )
            for i in range(9)
        ],
    ),
    "no_rows": ("A message without rows is of type never.", []),
    "weightless": (
        "Values that take no bytes: nulls, empty tuples, empty lists (sequences of never) and "
        "sequences of nulls.",
        [(None, (), [], [None] * (i % 3), [()] * (i % 2)) for i in range(9)],
    ),
    "widening": (
        "Rows that the first schema does not cover: a string among integers, then a null, then a "
        "longer tuple. Each starts a frame with a wider schema.",
        [
            {101: "x", 141: None, 151: (1, 2), 171: (1, 2, "three")}.get(i, i * i)
            for i in range(200)
        ],
    ),
    "many_rows": (
        "More rows than a frame may have: the second frame names the schema of the first by its "
        "fingerprint.\nOnly in the frame wire, since it is small there.",
        [(True, "same")] * 70_000,
    ),
}


TEXT = "almond antique " * 8

# The same, for messages without a named wire.
BORDERS: dict[str, tuple[str, list[Any]]] = {
    "most_rows": ("As many rows as a message may have on the row wire by default.", [7] * 128),
    "too_many_rows": ("One more, so that the default is the frame wire.", [7] * 129),
    "most_bytes": (
        "As many bytes as a message may have on the row wire by default: 16,384.",
        [TEXT] * 127 + ["x" * 462],
    ),
    "too_many_bytes": (
        "One more, so that the default is the frame wire.",
        [TEXT] * 127 + ["x" * 463],
    ),
}


TOWNS = ["Ålesund", "Bergen", "Bodø", "Molde", "Oslo", "Tromsø"]

#: The rows of each are written in every way that FORMATS lists.
PACKED: dict[str, tuple[str, list[Any]]] = {
    "packed": (
        "Rows that shrink when compressed. A stream of them has frames of two schemas.",
        [(n, f"{TOWNS[noise(n, 6)]} {n // 7}", None if n > 60 else n / 4) for n in range(80)],
    ),
    "words": (
        "Texts and byte strings that become words when compressed: with empty words, with spaces\n"
        "at both ends, empty, not ASCII, and in bytes not UTF-8. The third column repeats texts.",
        [
            (
                sentence(n),
                sentence(7 * n).encode("utf-16-le" if n == 9 else "utf-8"),
                sentence(1 + noise(n, 40)),
            )
            for n in range(200)
        ],
    ),
}

#: A wire, perhaps a compression, and perhaps "stream".
FORMATS = [
    "frame",
    "row",
    "frame-zstd",
    "frame-lz4",
    "row-zstd",
    "row-lz4",
    "frame-stream",
    "row-stream",
    "frame-zstd-stream",
    "row-lz4-stream",
]


def encoded(rows: list[Any], how: str, schema: str | None = None) -> bytes:
    """Encode rows, perhaps of a declared schema, in one of the FORMATS, or as `dumps` does."""
    if how == "default":
        return serow.dumps(rows)
    wire, *options = how.split("-")
    if schema is not None:
        return serow.Codec(schema, wire=wire).encode(rows)
    compression = {"zstd": "zstd", "lz4": "lz4"}.get(options[0]) if options else None
    if "stream" not in options:
        return serow.dumps(rows, wire=wire, compression=compression)
    file = io.BytesIO()
    with serow.Writer(file, wire=wire, compression=compression) as writer:
        for n, row in enumerate(rows, 1):
            writer.write(row)
            if n % 20 == 0:
                writer.flush()
    return salted(file.getvalue())


def salted(stream: bytes) -> bytes:
    """Give a stream a certain salt in place of its own, which is random."""
    data, salt = bytearray(stream), b"serow's."

    def put(at: int, checked: tuple[slice, ...], checksum: int) -> None:
        data[at : at + 8] = salt
        digest = xxhash.xxh3_64_intdigest(b"".join(bytes(data[part]) for part in checked))
        data[checksum : checksum + 4] = digest.to_bytes(8, "little")[:4]

    put(8, (slice(28),), 28)
    at = 32
    while at < len(data):
        put(at + 4, (slice(at, at + 20), slice(at + 24, at + 48)), at + 20)
        flags, schema, body = struct.unpack_from("<xBxxxxxxIxxxxQ", data, at + 24)
        at += 48 + (schema if flags & 2 else 8) + body + 8
    return bytes(data)


def framed(record: bytes) -> bytes:
    """Give a record with its length before it."""
    return len(record).to_bytes(4, "little") + record


def formats_of(name: str) -> list[str]:
    """Give the formats of a file's rows."""
    if name in BORDERS:
        return ["default"]
    if name in PACKED:
        return FORMATS
    more = {"many_rows": [], "no_rows": ["row", "frame-stream"]}
    return ["frame", *more.get(name, ["row"])]


def made() -> dict[str, bytes]:
    """Return all files and their bytes."""
    files = {}
    for name, (about, rows) in (BORDERS | FILES | PACKED).items():
        schema = DECLARED.get(name) or str(serow.Schema.infer(rows))
        files[f"{name}.rows"] = rowtext.write(rowtext.Golden(about, schema, rows)).encode("utf-8")
        for how in formats_of(name):
            files[f"{name}.{how}.srow"] = encoded(rows, how, DECLARED.get(name))
        if "row" in formats_of(name):
            codec = serow.Codec(schema)
            files[f"{name}.records"] = b"".join(framed(codec.encode_one(row)) for row in rows)
    return files


def main() -> int:
    """Write the files, or compare them."""
    files = made()
    there = {path.name for path in FOLDER.iterdir() if path.suffix in SUFFIXES}
    if sys.argv[1:] == ["--check"]:
        changed = there ^ files.keys() | {
            name for name in there & files.keys() if (FOLDER / name).read_bytes() != files[name]
        }
        for name in sorted(changed):
            print(f"{name} is not what make.py makes")
        return int(bool(changed))
    for name in there - files.keys():
        (FOLDER / name).unlink()
    for name, content in files.items():
        (FOLDER / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
