"""Random rows: small ones from hypothesis, which shrink well, and large tables from a seed."""

import collections
import dataclasses
import enum
import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

#: Integers at the limits of varints, of CPython's digits and of its cache of small integers.
EDGES = sorted(
    {
        v
        for k in [*range(7, 64, 7), 8, 13, 15, 16, 30, 31, 32, 53, 60, 62, 63]
        for edge in (2**k, -(2**k))
        for v in (edge - 1, edge, edge + 1)
        if -(2**63) <= v < 2**63
    }
    | {-6, -5, -1, 0, 1, 256, 257}
)

#: Bit patterns of floats that are easily lost.
FLOAT_BITS = [
    0x0000_0000_0000_0000,
    0x8000_0000_0000_0000,
    0x0000_0000_0000_0001,
    0x7FEF_FFFF_FFFF_FFFF,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF8_0000_0000_0001,
    0xFFFF_FFFF_FFFF_FFFF,
    0x7FF0_0000_0000_0001,
    0x4340_0000_0000_0000,
    0x4320_0000_0000_0000,
    0xC330_0000_0000_0000,
]

#: Characters at which the width of a character changes, in UTF-8 or in CPython; surrogates; and one
#: character of every plane.
CHARACTERS = [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF]
SURROGATES = [0xD800, 0xDBFF, 0xDC00, 0xDFFF]
PLANES = [plane << 16 | low for plane in range(17) for low in (0x41, 0xFFFE)]

SURROGATE_TEXTS = ["\ud800", "\udfffa", "\ud83d\ude00", "\ude00\ud83d", "a\ud83d\ude00\U0001f600"]


def float_of(pattern: int) -> float:
    """Give the float of these bits."""
    value: float = struct.unpack("<d", struct.pack("<Q", pattern))[0]
    return value


ints = st.one_of(st.sampled_from(EDGES), st.integers(-(2**63), 2**63 - 1), st.integers(-1000, 1000))
floats = st.one_of(
    st.sampled_from(FLOAT_BITS).map(float_of),
    st.integers(0, 2**64 - 1).map(float_of),
    st.integers(-(10**6), 10**6).map(lambda v: v / 100),
)
#: Strings that every language can represent.
texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from([chr(c) for c in CHARACTERS + PLANES]),
    st.text(st.sampled_from("abc"), max_size=2),
    st.integers(0, 200).map(lambda n: "x" * n),
    st.integers(0, 80).map(lambda n: "é" * n),
)
#: Strings that only Python can represent: with lone surrogates, or pairs of surrogates as two
#: characters.
wild_texts = st.one_of(
    texts,
    st.sampled_from(SURROGATE_TEXTS),
    st.text(st.sampled_from([chr(c) for c in CHARACTERS + SURROGATES + PLANES]), max_size=6),
)


#: Integers around the powers of two at which a byte or a digit of CPython is full, and random ones.
LARGE_EDGES = [
    sign * 2**power + d
    for power in [*range(56, 140), 150, 180, 256, 300, 600, 4096]
    for sign in (1, -1)
    for d in (-1, 0, 1)
]
all_ints = st.one_of(
    # By index, because otherwise the strategy's description would contain all their digits.
    st.sampled_from(range(len(LARGE_EDGES))).map(lambda at: LARGE_EDGES[at]),
    st.integers(),
    st.integers(2, 2000).flatmap(lambda bits: st.integers(-(2**bits), 2**bits)),
)

#: Keys of zones: with and without rules, behind and ahead of UTC, with quarters of hours.
KEYS = [
    *("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"),
    *("Etc/GMT+12", "Pacific/Kiritimati", "Africa/Monrovia", "America/Argentina/Buenos_Aires"),
]
DAY = timedelta(days=1) - timedelta(microseconds=1)
offsets = st.one_of(
    st.sampled_from([timedelta(0), DAY, -DAY, timedelta(hours=1)]),
    st.integers(-23 * 4, 23 * 4).map(lambda quarters: timedelta(minutes=15 * quarters)),
    st.timedeltas(-DAY, DAY),
)
zones = st.one_of(
    offsets.map(timezone),
    st.builds(
        timezone, offsets, st.one_of(st.text(max_size=5), st.sampled_from(["UTC", "\ud800"]))
    ),
    st.sampled_from(KEYS).map(ZoneInfo),
)
folds = st.integers(0, 1)
dates = st.one_of(st.dates(), st.sampled_from([date.min, date.max, date(2024, 2, 29)]))
times = st.one_of(st.times(), st.sampled_from([time.min, time.max]))
datetimes = st.one_of(
    st.datetimes(),
    st.sampled_from([datetime.min, datetime.max, datetime(1970, 1, 1)]),
    # Hours that clocks skip or show twice.
    st.sampled_from([datetime(2024, 3, 31, 2, 30), datetime(2024, 11, 3, 1, 30)]),
)


def at(moments: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Give times with a fold and perhaps with a zone."""
    replaced = lambda moment, fold, zone: moment.replace(fold=fold, tzinfo=zone)  # noqa: E731
    return st.builds(replaced, moments, folds, st.one_of(st.none(), zones))


digits = st.one_of(
    st.integers(0, 10**6),
    st.integers(0, 10**40),
    st.integers(1, 400).flatmap(lambda n: st.integers(10 ** (n - 1), 10**n)),
    st.sampled_from([10 ** (19 * n) + d for n in range(1, 6) for d in (-1, 0, 1)]),
    st.sampled_from([2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64, 2**127, 2**128]),
).map(lambda number: tuple(map(int, str(number))))
exponents = st.one_of(
    st.integers(-20, 20),
    st.integers(-(10**6), 10**6),
    st.sampled_from([10**18 - 1000, -(2 * 10**18) + 3]),
)
decimals = st.one_of(
    st.builds(lambda *parts: Decimal(parts), folds, digits, exponents),
    st.builds(lambda *parts: Decimal(parts), folds, digits, st.sampled_from("nN")),
    st.sampled_from(["Infinity", "-Infinity", "NaN", "-NaN", "sNaN", "-0", "-0E-9"]).map(Decimal),
    st.integers(0, 10**6).map(lambda cents: Decimal(cents).scaleb(-2)),
)
uuids = st.one_of(
    st.uuids(),
    st.sampled_from([0, 1, 2**30, 2**60, 2**63, 2**64, 2**120, 2**128 - 1]).map(
        lambda bits: UUID(int=bits)
    ),
)
timedeltas = st.one_of(
    st.timedeltas(), st.sampled_from([timedelta.min, timedelta.max, timedelta(microseconds=-1)])
)
octets = st.one_of(st.binary(max_size=20), st.sampled_from([b"", b"key", b"\xff" * 300]))

#: Values of several components, by the names of their types.
OF_PARTS: dict[str, st.SearchStrategy[Any]] = {
    "int": all_ints,
    "bytes": octets,
    "bytearray": octets.map(bytearray),
    "date": dates,
    "time": at(times),
    "timestamp": at(datetimes),
    "duration": timedeltas,
    "decimal": decimals,
    "uuid": uuids,
    "complex": st.builds(complex, floats, floats),
}
of_parts = st.one_of(*OF_PARTS.values())


def scalars(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Give values without elements."""
    return st.one_of(st.none(), st.booleans(), ints, floats, text, of_parts)


class Point(NamedTuple):
    x: Any
    y: Any


#: A record with the same name and other fields, which is another type.
OtherPoint = collections.namedtuple("Point", "y x z")  # type: ignore[name-match]


@dataclass(frozen=True)
class Pair:
    """A record with its fields in a dict."""

    first: Any
    second: Any


@dataclass(frozen=True)
class Slots:
    """A record with its fields in slots."""

    __slots__ = ("a", "größe")
    a: Any
    größe: Any


class Unit(NamedTuple):
    """A record without fields."""


class Color(enum.Enum):
    """An enum with an alias."""

    RED = 1
    GREEN = 2
    CRIMSON = 1


class Level(enum.IntEnum):
    """An enum whose members are ints too."""

    LOW = 1
    HIGH = 2**63 - 1


class Plan(str, enum.Enum):
    """An enum whose members are strings too."""

    FREE = "free"
    PRO = ""


members = st.sampled_from([*Color, *Level, *Plan])


def record(parts: tuple[Any, list[Any]]) -> Any:
    """Give a record of a class, with one value for each field."""
    make, fields = parts
    return make(*fields[: {OtherPoint: 3, Unit: 0}.get(make, 2)])


def records(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Give records of several classes."""
    classes = st.sampled_from([Point, OtherPoint, Pair, Slots, Unit])
    return st.tuples(classes, st.lists(inner, min_size=3, max_size=3)).map(record)


def has_hash(value: Any) -> bool:
    """Tell whether a value may be in a set: a signalling NaN may not."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def brief(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Give the same strategy with a short description, for strategies that occur several times."""
    # The description of a deferred strategy is long once it was drawn from; that of a function is
    # short.
    return st.none().flatmap(lambda _: strategy)


def hashables(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Give values that may be in sets and be keys."""
    return st.recursive(
        st.one_of(scalars(text).filter(has_hash), members),
        lambda inner: of_hashables(brief(inner)),
        max_leaves=6,
    )


def as_tuples(value: Any) -> Any:
    """Give a value with tuples in place of all records inside it."""
    if dataclasses.is_dataclass(value):
        return tuple(as_tuples(getattr(value, f.name)) for f in dataclasses.fields(value))
    if isinstance(value, tuple):
        return tuple(map(as_tuples, value))
    return frozenset(map(as_tuples, value)) if isinstance(value, frozenset) else value


def stay_apart(values: Any) -> bool:
    """Tell whether elements or keys still differ after records have been decoded to tuples."""
    return len(set(map(as_tuples, values))) == len(values)


def of_hashables(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Give containers that may be in sets."""
    return st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.frozensets(inner, max_size=3).filter(stay_apart),
        records(inner),
    )


def values(text: st.SearchStrategy[str] = wild_texts) -> st.SearchStrategy[Any]:
    """Give any values."""
    keys = st.one_of(st.sampled_from(["a", "b", "c d", "größe", ""]), text)
    in_sets = brief(hashables(text))

    def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        inner = brief(inner)
        return st.one_of(
            st.lists(inner, max_size=6),
            st.lists(inner, max_size=4).map(tuple),
            st.tuples(inner, st.integers(0, 40)).map(lambda pair: [pair[0]] * pair[1]),
            st.sets(in_sets, max_size=5).filter(stay_apart),
            st.frozensets(in_sets, max_size=5).filter(stay_apart),
            st.dictionaries(keys, inner, max_size=5),
            st.dictionaries(in_sets, inner, max_size=4).filter(stay_apart),
            records(inner),
        )

    return st.recursive(st.one_of(scalars(text), members), containers, max_leaves=25)


def rows(text: st.SearchStrategy[str] = wild_texts) -> st.SearchStrategy[list[Any]]:
    """Give rows that have nothing in common."""
    return st.lists(values(text), max_size=20)


class Drawn(random.Random):
    """A random generator whose numbers come from given bytes, with zeros after them.

    With it, one draw of hypothesis makes a whole value, which shrinks like bytes.
    """

    def __init__(self, octets: bytes) -> None:
        """Start at the first byte."""
        super().__init__()
        self.octets, self.at = octets, 0

    def getrandbits(self, k: int) -> int:
        """Give the next k bits."""
        begin, self.at = self.at, self.at + (k + 7) // 8
        return int.from_bytes(self.octets[begin : self.at], "little") & ((1 << k) - 1)

    def random(self) -> float:
        """Give a number below 1, one of a few."""
        return self.getrandbits(8) / 256


class Table:
    """Makes random tables from a seed: each column has a random type, which may change."""

    def __init__(self, seed: int | random.Random, *, wild: bool = True) -> None:
        """Start; without `wild` strings have no surrogates."""
        self.random = seed if isinstance(seed, random.Random) else random.Random(seed)
        self.wild = wild

    def rows(self, most: int = 1500, widest: int = 8) -> list[Any]:
        """Give up to `most` rows."""
        count = self.random.choice([0, 1, 2, 63, 64, 65, 66, 200, most])
        if self.random.random() < 0.15:
            cell = self.column(2)
            return [cell(i) for i in range(count)]
        columns = [self.column(2) for _ in range(self.random.randrange(widest + 1))]
        return [tuple(cell(i) for cell in columns) for i in range(count)]

    def column(self, depth: int) -> Callable[[int], Any]:
        """Give a function that makes the value of row `i`."""
        kinds = [self.int, self.float, self.str, self.bool, self.null]
        if self.random.random() < 0.3:
            kinds = [self.moment, self.number, self.octets, self.enum]
        if depth:
            kinds += [
                self.list,
                self.tuple,
                self.fields,
                self.set,
                self.dict,
                self.map,
                self.record,
            ]
        cell = self.random.choice(kinds)(depth)
        how = self.random.random()
        if how < 0.15:
            share = self.random.random()
            return lambda i: None if self.random.random() < share else cell(i)
        if how < 0.25:
            other, at = self.column(0), self.random.randrange(300)
            return lambda i: cell(i) if i < at else other(i)
        if how < 0.30:
            other = self.column(max(depth - 1, 0))
            return lambda i: self.random.choice((cell, other))(i)
        if how < 0.35:
            other, at = self.column(0), self.random.randrange(300)
            return lambda i: other(i) if i == at else cell(i)
        return cell

    def int(self, _depth: int) -> Callable[[int], Any]:
        """Make integers: few, many, in order, or at the edges."""
        rand, base = self.random, self.random.choice([0, *EDGES])
        spread = self.random.choice([1, 2, 3, 100, 2**20, 2**40, 2**62])
        fit = lambda v: max(-(2**63), min(v, 2**63 - 1))  # noqa: E731
        return self.random.choice(
            [
                lambda i: fit(base + rand.randrange(spread)),
                lambda i: fit(base + i * spread),
                lambda i: fit(base + i * spread + rand.randrange(4)),
                lambda i: rand.choice(EDGES),
                lambda i: rand.getrandbits(64) - 2**63,
            ]
        )

    def float(self, _depth: int) -> Callable[[int], Any]:
        """Make floats: decimals, whole numbers, decimals with exponents, any bits."""
        rand, power = self.random, 10 ** self.random.randrange(16)
        strange = self.random.choice([0, 0.01, 0.2])
        decimal = lambda i: rand.randrange(-(10**6), 10**6) / power  # noqa: E731
        special = lambda i: float_of(rand.choice(FLOAT_BITS))  # noqa: E731
        return self.random.choice(
            [
                lambda i: special(i) if rand.random() < strange else decimal(i),
                lambda i: float(i),
                lambda i: float_of(rand.getrandbits(64)),
                special,
            ]
        )

    def str(self, _depth: int) -> Callable[[int], Any]:
        """Make strings: a few different ones, all different, any characters, long ones."""
        rand = self.random
        alphabet = [chr(c) for c in CHARACTERS + PLANES]
        strange = alphabet + [chr(c) for c in SURROGATES] if self.wild else alphabet
        few = ["".join(rand.choices(alphabet, k=rand.randrange(5))) for _ in range(5)]
        long = "".join(rand.choices(alphabet, k=50))
        return self.random.choice(
            [
                lambda i: rand.choice(few),
                lambda i: f"name {i}",
                lambda i: "x" * rand.randrange(100),
                lambda i: "".join(rand.choices(strange, k=rand.randrange(6))),
                lambda i: long * rand.randrange(4),
            ]
        )

    def moment(self, _depth: int) -> Callable[[int], Any]:
        """Make dates and times: in order, random, with zones."""
        rand, start = self.random, datetime(self.random.randrange(1900, 2100), 1, 1)
        step = timedelta(microseconds=rand.choice([1, 10**6, 86_400 * 10**6, rand.getrandbits(40)]))
        zone = rand.choice(
            [timezone.utc, timezone(timedelta(hours=2)), ZoneInfo(rand.choice(KEYS))]
        )
        in_order = lambda i: start + i * step  # noqa: E731
        return rand.choice(
            [
                in_order,
                lambda i: in_order(i).date(),
                lambda i: in_order(i).time(),
                lambda i: in_order(i).replace(tzinfo=zone, fold=rand.randrange(2)),
                lambda i: in_order(i).time().replace(tzinfo=zone),
                lambda i: in_order(i) - start,
                lambda i: date.fromordinal(rand.randrange(1, 3_652_060)),
                lambda i: timedelta(rand.randrange(-999_999_999, 10**9), rand.randrange(86_400)),
            ]
        )

    def number(self, _depth: int) -> Callable[[int], Any]:
        """Make prices, decimals of any size, ints of any size, UUIDs, complex numbers."""
        rand, width = self.random, self.random.choice([40, 63, 64, 65, 200])
        return rand.choice(
            [
                lambda i: Decimal(rand.randrange(10**6)).scaleb(-2),
                lambda i: Decimal((rand.randrange(2), (1,) * rand.randrange(90), -i)),
                lambda i: Decimal(rand.choice(["NaN", "-0", "Infinity", "1.5", "sNaN12"])),
                lambda i: rand.choice([1, -1]) * rand.getrandbits(width),
                lambda i: UUID(int=rand.getrandbits(128)),
                lambda i: complex(i, rand.choice([0.5, -0.0])),
            ]
        )

    def octets(self, _depth: int) -> Callable[[int], Any]:
        """Make bytes and bytearrays: a few different ones, and all different."""
        rand = self.random
        few = [rand.getrandbits(8 * n).to_bytes(n, "little") for n in (0, 1, 2, 40)]
        return rand.choice(
            [
                lambda i: rand.choice(few),
                lambda i: bytearray(rand.choice(few)),
                lambda i: i.to_bytes(8, "big"),
                lambda i: bytearray(i % 100),
            ]
        )

    def bool(self, _depth: int) -> Callable[[int], Any]:
        """Make booleans; one of the two may be rare or missing."""
        share = self.random.choice([0, 0.5, 0.01, 1])
        return lambda i: self.random.random() < share

    def null(self, _depth: int) -> Callable[[int], Any]:
        """Make nulls."""
        return lambda i: None

    def list(self, depth: int) -> Callable[[int], Any]:
        """Make lists with one type of element, of any length or of one."""
        cell, most = self.column(depth - 1), self.random.choice([0, 1, 3, 20])
        least = self.random.choice([0, most])
        return lambda i: [cell(i) for _ in range(self.random.randint(least, most))]

    def tuple(self, depth: int) -> Callable[[int], Any]:
        """Make tuples with one type of element and a few lengths."""
        lengths = self.random.choice([[2], [0, 1], [1, 2, 3], list(range(20))])
        cell = self.column(depth - 1)
        return lambda i: tuple(cell(i) for _ in range(self.random.choice(lengths)))

    def enum(self, _depth: int) -> Callable[[int], Any]:
        """Make members of an enum."""
        of = list(self.random.choice([Color, Level, Plan]))
        return lambda i: self.random.choice(of)

    def set(self, depth: int) -> Callable[[int], Any]:
        """Make sets or frozensets of other values, or of random ints."""
        make, most = self.random.choice([set, frozenset]), self.random.choice([0, 1, 3, 20])
        rand, cell = self.random, self.hashable(depth)
        return lambda i: make(cell(i) for _ in range(rand.randint(0, most)))

    def hashable(self, depth: int) -> Callable[[int], Any]:
        """Make values that may be in sets."""
        cells = [kind(depth) for kind in (self.int, self.str, self.bool, self.moment, self.enum)]
        cells.append(lambda i: (i % 3, cells[1](i)))
        cells.append(lambda i: Point(i % 2, frozenset([i % 5])))
        return self.random.choice(cells)

    def map(self, depth: int) -> Callable[[int], Any]:
        """Make dicts with any keys."""
        key, cell, most = (
            self.hashable(depth),
            self.column(depth - 1),
            self.random.choice([1, 3, 20]),
        )
        return lambda i: {key(i): cell(i) for _ in range(self.random.randint(0, most))}

    def dict(self, depth: int) -> Callable[[int], Any]:
        """Make dicts with some keys, in any order or missing."""
        rand, names = self.random, ["id", "name", "größe", "", "a b", "\0", "last"]
        cells = {name: self.column(depth - 1) for name in names[: rand.randrange(8)]}
        there, shuffled = rand.choice([1, 1, 0.8, 0.1]), rand.random() < 0.3

        def make(i: int) -> dict[str, Any]:
            keys = [name for name in cells if rand.random() < there]
            if shuffled:
                rand.shuffle(keys)
            return {name: cells[name](i) for name in keys}

        return make

    def record(self, depth: int) -> Callable[[int], Any]:
        """Make records of a class."""
        make = self.random.choice([Point, Pair, Slots])
        first, second = self.column(depth - 1), self.column(depth - 1)
        return lambda i: make(first(i), second(i))

    def fields(self, depth: int) -> Callable[[int], Any]:
        """Make lists or tuples of fields."""
        make = self.random.choice([list, tuple])
        cells = [self.column(depth - 1) for _ in range(self.random.randrange(5))]
        return lambda i: make(cell(i) for cell in cells)


seeds = st.integers(0, 2**32 - 1)


def row_of(octets: bytes) -> Any:
    """Give a row of a random table that is determined by these bytes."""
    table = Table(Drawn(octets))
    cells = [table.column(2) for _ in range(table.random.randrange(1, 5))]
    return tuple(cell(i) for i, cell in enumerate(cells))


#: Rows of random tables, with one draw each.
drawn_rows = st.binary(min_size=400, max_size=400).map(row_of)
