"""Spark's rows, read and written as in PySpark; and malformed bytes do no harm."""

import contextlib
import datetime
import decimal
import gc
import os
import random
import struct
import sys
import time
import weakref
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import serow
import unsafe
from hypothesis import given
from hypothesis import strategies as st
from serow import _native
from serow._native import UnsafeRows

pytestmark = pytest.mark.tiers

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Monrovia"]


class Row(tuple[Any, ...]):
    """A class like PySpark's: each row's dict contains the names of the fields."""

    def __setattr__(self, key: str, value: Any) -> None:
        """Allow only the names."""
        raise AssertionError("code of the class has run")

    def __new__(cls, *args: Any) -> "Row":
        """Make a row of the values."""
        assert sys._getframe(1).f_code is make_row.__code__, "code of the class has run"
        return tuple.__new__(cls, args)


def make_row(names: list[str], values: list[Any]) -> Row:
    """Make a row as PySpark does."""
    row = Row(*values)
    row.__dict__["__fields__"] = names
    return row


@pytest.fixture(params=["direct", "c-api", "compiled"])
def access(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test with direct access to objects, with the C API, and with compiled code."""
    before = _native.object_access()
    wanted = "direct" if request.param == "compiled" else request.param
    if _native.object_access(wanted == "c-api") != wanted:
        pytest.skip("direct access is not proven for this Python")
    is_interpreted = os.environ.get("SEROW_TIER") == "interpreter" or not _native.HAS_COMPILER
    if request.param == "compiled" and is_interpreted:
        pytest.skip("nothing is compiled")
    _ways.append(request.param)
    yield request.param
    _ways.pop()
    _native.object_access(before == "c-api")


# The function with which the current test reads rows.
_ways = ["direct"]


def reader(kind: unsafe.Kind, row_class: type | None = Row) -> UnsafeRows:
    """Give the reader."""
    rows = UnsafeRows(unsafe.describe(kind), row_class)
    if _ways[-1] == "compiled":
        rows.compile()
        assert rows.tier == "jit"
    return rows


def read(kind: unsafe.Kind, data: bytes, row_class: type | None = Row) -> list[Any]:
    """Read a batch."""
    return reader(kind, row_class).read(data)


def same(a: Any, b: Any) -> bool:
    """Tell whether two values have the same classes at every node and are equal; NaNs are equal."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        names = getattr(a, "__dict__", None) == getattr(b, "__dict__", None)
        return names and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(
            same(k, m) and same(a[k], b[m]) for k, m in zip(a, b, strict=True)
        )
    if isinstance(a, float):
        # A NaN of 32 bits may lose bits in a Python float.
        return a != a if b != b else struct.pack("d", a) == struct.pack("d", b)
    if isinstance(a, decimal.Decimal):
        return a.as_tuple() == b.as_tuple()
    return a == b and getattr(a, "fold", 0) == getattr(b, "fold", 0)


def assert_read(kind: unsafe.Kind, rows: list[Any]) -> None:
    """Check that a batch is read as PySpark would read it."""
    data = unsafe.batch(kind, rows)
    for row_class, make in ((Row, make_row), (None, lambda _, values: tuple(values))):
        expected = [unsafe.expected(kind, row, make) for row in rows]
        got = read(kind, data, row_class)
        assert same(got, expected), (got, expected)


@pytest.fixture
def zone() -> Iterator[None]:
    """Restore the process's time zone after the test."""
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def struct_of(*kinds: unsafe.Kind, nullable: bool = False) -> unsafe.Kind:
    """Give a struct with fields of these types."""
    return ("struct", [(chr(97 + nth), kind, nullable) for nth, kind in enumerate(kinds)])


@given(unsafe.tables(), st.sampled_from(ZONES))
def test_rows_are_what_pyspark_makes(
    access: str, zone: None, table: tuple[unsafe.Kind, list[Any]], name: str
) -> None:
    os.environ["TZ"] = name
    time.tzset()
    assert_read(*table)


@pytest.mark.parametrize("name", ZONES)
def test_clocks_that_are_turned(zone: None, name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()
    rows = [
        [(day * 86_400 + seconds) * 1_000_000 + 123]
        for year in (1883, 1918, 1972, 1981, 2024)
        for day in range((year - 1970) * 365, (year - 1970) * 365 + 400)
        for seconds in (0, 1800, 3599, 5400, 7200, 23_400, 24_000, 55_800, 57_599, 86_399)
    ]
    random.Random(1).shuffle(rows)
    assert_read(struct_of(("timestamp",)), rows)
    edges = [[-62_104_060_800_000_000], [253_370_678_400_000_000]]
    assert_read(struct_of(("timestamp",)), edges)


def test_every_type_alone_and_null(access: str) -> None:
    kinds: list[unsafe.Kind] = [(name,) for name in sorted(unsafe.SCALARS)]
    kinds += [("decimal", 18, 2), ("decimal", 38, 38), ("decimal", 19, 0)]
    kinds += [("array", kind, True) for kind in kinds] + [struct_of(), struct_of(("int",))]
    kinds += [("map", ("string",), ("array", ("double",), False), True)]
    for kind in kinds:
        assert_read(struct_of(kind, ("string",), nullable=True), [[None, b"x"], [None, None]])


def test_decimals_of_all_sizes(access: str) -> None:
    edges = [
        edge for bits in range(1, 126, 4) for edge in (2**bits, 2**bits - 1, 10 ** (bits // 4))
    ]
    rows = [[sign * edge + more] for edge in edges for sign in (1, -1) for more in (-1, 0, 1)]
    assert_read(struct_of(("decimal", 38, 10)), rows)
    assert_read(struct_of(("decimal", 18, 18)), [row for row in rows if abs(row[0]) < 10**18])


def test_equal_keys_of_a_map(access: str) -> None:
    kind = struct_of(("map", ("double",), ("int",), False))
    data = unsafe.batch(kind, [[[(0.0, 1), (-0.0, 2), (1.5, 3), (0.0, 4)]]])
    assert read(kind, data) == [make_row(["a"], [{0.0: 4, 1.5: 3}])]


def test_text_that_is_not_utf_8(access: str) -> None:
    # As Java's decoder does.
    for data, text in [
        (b"\xed\xa0\x80", "\ufffd"),
        (b"\xed\xa0", "\ufffd"),
        (b"\xed\xa0A\xed", "\ufffdA\ufffd"),
        (b"a\xc3", "a\ufffd"),
        (b"\xf0\x9f\x98", "\ufffd"),
        (b"\xf0\x9f\x98A\xc0\x80", "\ufffdA\ufffd\ufffd"),
        (b"\xe0\x9f\x80\xff", "\ufffd\ufffd\ufffd\ufffd"),
        (b"\xf5\x80\x80\x80", "\ufffd" * 4),
        (b"\xc3\xa9\x80\xc3\xa9", "é\ufffdé"),
    ]:
        kind = struct_of(("string",))
        assert read(kind, unsafe.batch(kind, [[data]]))[0][0] == text


def test_rows_are_known_to_the_collector_where_they_hold_what_can_change(access: str) -> None:
    kind = struct_of(("int",), ("array", ("int",), False), struct_of(("int",)))
    [row] = read(kind, unsafe.batch(kind, [[1, [2], [3]]]))
    inner = row[2]
    known = [gc.is_tracked(it) for it in (row, row[1], inner, inner.__dict__)]
    assert known == [True, True, False, False]
    stock = make_row(["a", "b", "c"], [1, [2], make_row(["a"], [3])])
    assert sys.getsizeof(row) == sys.getsizeof(stock)
    if sys.version_info >= (3, 11):  # before, the dicts of a class's objects share their keys
        assert sys.getsizeof(row.__dict__) <= sys.getsizeof(stock.__dict__)
    assert row.__dict__ == {"__fields__": ["a", "b", "c"]}
    assert gc.isenabled()


def test_rows_in_a_cycle_are_collected(access: str) -> None:
    class Seen:
        pass

    kind = struct_of(("string",), ("array", ("int",), False))
    rows = read(kind, unsafe.batch(kind, [[b"a", [n]] for n in range(5)]))
    refs = []
    for row in rows:
        seen = Seen()
        refs.append(weakref.ref(seen))
        row[1].extend([row, seen])
    del rows, row, seen
    gc.collect()
    assert [ref() for ref in refs] == [None] * 5


@pytest.mark.parametrize("width", [0, 1, 2, 16, 17, 40, 300])
def test_attributes_are_each_row_s_own(access: str, width: int) -> None:
    kind = struct_of(*[("string",)] * width)
    data = unsafe.batch(kind, [[b"%d" % n] * width for n in range(50)])
    rows = read(kind, data)
    assert rows == [tuple([str(n)] * width) for n in range(50)]
    assert {type(row) for row in rows} == {Row}
    names = rows[0].__dict__["__fields__"]
    assert len(names) == width
    rows[0].__dict__["__fields__"] = ["other"]
    rows[1].__dict__.clear()
    rows[2].__dict__["more"] = rows
    if sys.version_info < (3, 14):
        # Later versions never register a dict that was unregistered. The row is not registered
        # either, so this cycle is never freed in any version.
        assert gc.is_tracked(rows[2].__dict__)
    rows[2].__dict__.clear()
    assert all(row.__dict__ == {"__fields__": names} for row in rows[3:] + read(kind, data))


def test_a_class_whose_rows_have_no_attributes(access: str) -> None:
    class Bare(tuple[Any, ...]):
        __slots__ = ()

    kind = struct_of(("int",), ("string",))
    with pytest.raises(AttributeError, match="__dict__"):
        read(kind, unsafe.batch(kind, [[1, b"a"]]), Bare)


@pytest.mark.once
def test_nothing_is_lost(access: str) -> None:
    kind = struct_of(("string",), ("array", ("long",), True), ("decimal", 20, 2), ("date",))
    good = [[b"text", [1 << 40, None], 10**19, day] for day in range(100)]
    data, hurt = (unsafe.batch(kind, [*good, [b"", [], 1, day]]) for day in (0, 1 << 30))
    rows = reader(kind)

    def once() -> int:
        rows.read(data)
        with pytest.raises(serow.DecodeError):
            rows.read(hurt)
        gc.collect()
        return sys.getallocatedblocks()

    for _ in range(3):
        once()
    before = min(once() for _ in range(3))
    assert min(once() for _ in range(5)) < before + 50


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (("date",), 2_932_897, "field a (date): Python's years are 1 to 9999"),
        (("timestamp",), 1 << 60, "field a (timestamp): Python has no such date"),
        (("timestamp",), -62_135_596_800_000_000, "field a (timestamp): Python has no such date"),
        (("timestamp_ntz",), -(1 << 63), "field a (timestamp): Python's years are 1 to 9999"),
        (("time",), 86_400_000_000_000, "field a (time): a time is not within a day"),
        (("time",), -1, "field a (time): a time is not within a day"),
        (("int",), None, "field a (i64): a value is null, but its type is not optional"),
    ],
)
def test_values_that_python_has_not(access: str, kind: unsafe.Kind, value: Any, said: str) -> None:
    kind = struct_of(kind)
    good = [0]
    data = unsafe.batch(kind, [good, good, [value], good])
    with pytest.raises(serow.DecodeError) as caught:
        read(kind, data)
    assert str(caught.value).startswith(f"row 2, {said}")


def test_a_fault_names_its_place(access: str) -> None:
    inner = ("struct", [("day", ("array", ("date",), True), True)])
    kind = ("struct", [("x y", ("map", ("string",), inner, True), False)])
    good = ([(b"k", [[1, None]])],)
    bad = ([(b"k", [[1]]), (b"o", [[0, None, 2**31 - 1]])],)
    with pytest.raises(serow.DecodeError) as caught:
        read(kind, unsafe.batch(kind, [good, bad]))
    assert str(caught.value).startswith("row 1, field x y.value 1.day.2 (date?): Python's years")


WIDE = struct_of(
    ("string",),
    ("array", ("string",), True),
    ("map", ("string",), ("array", ("short",), False), True),
    struct_of(("decimal", 30, 3), ("binary",), nullable=True),
    ("array", struct_of(("boolean",), ("date",)), False),
    nullable=True,
)
WIDE_ROW = [
    "näme".encode(),
    [b"a", None, b"b" * 20],
    [(b"k", [1, 2, 3]), (b"l", None)],
    [-(10**25), b"\0\1"],
    [[True, 5], [False, -9]],
]


def test_every_cut_is_an_error(access: str) -> None:
    data = unsafe.batch(WIDE, [WIDE_ROW, WIDE_ROW])
    first = 8 + struct.unpack_from("<q", data)[0]
    for length in range(len(data)):
        if length in (0, first):
            continue
        with pytest.raises(serow.DecodeError):
            read(WIDE, data[:length])
    row = data[8:first]
    for length in range(0, len(row), 8):
        with pytest.raises(serow.DecodeError):
            read(WIDE, unsafe.framed([row[:length]]))


def test_no_change_of_a_row_does_harm(access: str) -> None:
    row = unsafe.elsewhere(WIDE, WIDE_ROW)
    rows = reader(WIDE)
    words = [0, 1, 8, 2**31, 2**32 - 1, 2**63, 2**64 - 1, (8 << 32) | 8, (2**32 - 8) << 32 | 8]
    changed = [
        row[:at] + struct.pack("<Q", value) + row[at + 8 :]
        for at in range(0, len(row), 8)
        for value in words
    ]
    for bit in range(len(row) * 8):
        flipped = bytearray(row)
        flipped[bit // 8] ^= 1 << bit % 8
        changed.append(bytes(flipped))
    for data in changed:
        with contextlib.suppress(serow.DecodeError):
            [got] = rows.read(unsafe.framed([data]))
            # All values come from bytes of the row.
            assert len(repr(got)) < 40 * len(row)


@given(unsafe.tables(), st.randoms(use_true_random=False))
def test_random_damage_does_no_harm(
    access: str, table: tuple[unsafe.Kind, list[Any]], random: random.Random
) -> None:
    kind, values = table
    for value in values:
        row = bytearray(unsafe.elsewhere(kind, value))
        for _ in range(random.randrange(1, 4) if row else 0):
            row[random.randrange(len(row))] = random.randrange(256)
        with contextlib.suppress(serow.DecodeError):
            read(kind, unsafe.framed([bytes(row)]))


def test_values_that_overlap_are_refused(access: str) -> None:
    # Eight lists of lists, each with the same eight lists.
    kind: unsafe.Kind = ("long",)
    for _ in range(30):
        kind = ("array", kind, False)
    kind = struct_of(kind)
    same_list = struct.pack("<qq8Q", 8, 0, *[(80 << 32)] * 8)
    data = struct.pack("<qQ", 0, 16 << 32 | 80 * 31)
    lists = b"".join(
        struct.pack("<qq8Q", 8, 0, *[80 << 32 | 80 * (30 - depth)] * 8) for depth in range(30)
    )
    data += lists + same_list
    with pytest.raises(serow.DecodeError, match="more bytes than the row has"):
        read(kind, unsafe.framed([data]))


@pytest.mark.long
def test_wide_rows_are_cut_into_functions(access: str) -> None:
    of: list[unsafe.Kind] = [
        ("int",),
        ("string",),
        ("decimal", 30, 2),
        ("array", struct_of(*[("short",)] * 40, ("string",)), True),
        ("map", ("string",), struct_of(*[("double",)] * 70, nullable=True), True),
    ]
    kind = struct_of(*of * 20, nullable=True)
    inner = [[*list(range(40)), b"x"], None]
    row = [7, b"text", -(10**20), inner, [(b"k", [0.5] * 69 + [None]), (b"l", None)]] * 20
    assert_read(kind, [row, [None] * len(row), row])


def test_only_unusual_rows_are_left_to_the_interpreter(access: str) -> None:
    kind = struct_of(("string",), ("timestamp",), ("array", ("string",), True), nullable=True)
    rows = [[b"a" * (nth % 70), nth, [b"\xff"] * (nth % 50 == 7)] for nth in range(5000)]
    got = read(kind, unsafe.batch(kind, rows))
    assert [row[0] for row in got] == ["a" * (nth % 70) for nth in range(5000)]
    assert [row[2] for row in got] == [["\ufffd"] * (nth % 50 == 7) for nth in range(5000)]


def test_lists_of_more_elements_than_there_are(access: str) -> None:
    for element in ("boolean", "long", "void"):
        kind = struct_of(("array", (element,), False))
        for count in (65, 2**31, 2**40, 2**61, 2**63, 2**64 - 1):
            row = struct.pack("<qQQQ", 0, 16 << 32 | 80, count, 0) + bytes(64)
            with pytest.raises(serow.DecodeError, match="not within"):
                read(kind, unsafe.framed([row]))


def test_sizes_of_rows(access: str) -> None:
    kind = struct_of()
    assert read(kind, b"") == []
    assert read(kind, unsafe.framed([b"", b""])) == [make_row([], [])] * 2
    for data in (
        b"\0",
        b"\0" * 9,
        b"\4" + bytes(11),
        b"\xff" * 8,
        b"\xf8" + b"\xff" * 7 + bytes(80),
    ):
        with pytest.raises(serow.DecodeError, match=r"row \d does not end within its batch"):
            read(kind, data)
    assert read(kind, bytearray(8)) == read(kind, memoryview(bytes(8))) == [make_row([], [])]  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        UnsafeRows("struct{}", Row).read("text")  # type: ignore[arg-type]


def test_descriptions_that_are_wrong() -> None:
    with pytest.raises(serow.SchemaError, match="at byte 11 of the description of rows"):
        UnsafeRows('struct{"a":year}', Row)
    with pytest.raises(serow.SchemaError, match="hash"):
        UnsafeRows('struct{"a":map<array<int>,int>}', Row)
    with pytest.raises(serow.LimitError, match="64"):
        UnsafeRows(f'struct{{"a":{"array<" * 99}int{">" * 99}}}', Row)
    with pytest.raises(TypeError, match="subclass of tuple"):
        UnsafeRows("struct{}", dict)


def test_dates_are_shared_and_right(access: str) -> None:
    rows = [[day % 50, day % 7 * 100] for day in range(10_000)]
    assert_read(struct_of(("date",), ("decimal", 10, 2)), rows)


def write(kind: unsafe.Kind, rows: list[Any]) -> bytes:
    """Write a batch."""
    return UnsafeRows(unsafe.describe(kind), Row).write(rows)


def refusal(kind: unsafe.Kind, row: Any) -> str:
    """Give the error text for a row that can't be written."""
    with pytest.raises(serow.EncodeError) as caught:
        write(kind, [row])
    return str(caught.value)


@given(unsafe.tables())
def test_rows_are_written_as_spark_has_them(
    access: str, zone: None, table: tuple[unsafe.Kind, list[Any]]
) -> None:
    os.environ["TZ"] = "UTC"
    time.tzset()
    kind, values = table
    made: list[Any] = [unsafe.expected(kind, value, make_row) for value in values]
    expected = unsafe.batch(kind, [unsafe.internal(kind, row) for row in made])
    for rows in (made, [tuple(row) for row in made], [list(row) for row in made]):
        assert write(kind, rows) == expected


@pytest.mark.parametrize("name", ZONES)
def test_moments_are_written_as_clocks_show_them(zone: None, name: str) -> None:
    os.environ["TZ"] = name
    time.tzset()
    kind = struct_of(("timestamp",))
    rows = [
        [(day * 86_400 + seconds) * 1_000_000 + 123]
        for year in (1883, 1972, 1981, 2024)
        for day in range((year - 1970) * 365, (year - 1970) * 365 + 400)
        for seconds in (0, 3599, 7200, 55_800)
    ]
    made = [unsafe.expected(kind, row, make_row) for row in rows]
    # For an hour that clocks show twice, mktime may give either moment.
    sure = [row for row in made if row[0].timestamp() == row[0].replace(fold=1).timestamp()]
    assert len(sure) > 0.99 * len(made)
    expected = unsafe.batch(kind, [unsafe.internal(kind, row) for row in sure])
    assert write(kind, sure) == expected
    aware = [(row[0].astimezone(datetime.timezone.utc),) for row in sure]
    assert write(kind, aware) == expected


def test_bytes_of_either_class(access: str) -> None:
    for name in ("binary", "bytearray"):
        kind = struct_of((name,), (name,))
        rows = [(b"ab", bytearray(b"cde")), (bytearray(), b"")]
        assert write(kind, rows) == unsafe.batch(kind, [[b"ab", b"cde"], [b"", b""]])


def test_decimals_are_brought_to_their_scale(access: str) -> None:
    kind = struct_of(("decimal", 20, 3), ("decimal", 5, 3))
    rows = [("1.5", "-12.345"), ("1e2", "0e5"), ("-0.00", "99.999"), ("9e16", "1e1")]
    rows += [("1.50000000", "0e-99"), ("0e999999", "7.000000")]
    made = [tuple(map(decimal.Decimal, row)) for row in rows]
    values = [[1500, -12_345], [100_000, 0], [0, 99_999], [9 * 10**19, 10_000]]
    values += [[1500, 0], [0, 7000]]
    assert write(kind, made) == unsafe.batch(kind, values)


REFUSED: list[tuple[unsafe.Kind, Any, str]] = [
    (("byte",), 128, "field a (i64): cannot write 128 (type int): it is not an integer of 8 bits"),
    (("short",), -(2**15) - 1, "it is not an integer of 16 bits"),
    (("int",), 2**31, "it is not an integer of 32 bits"),
    (("long",), 2**63, "field a (i64): cannot write 9223372036854775808 (type int)"),
    (("int",), True, "field a (i64): cannot write True (type bool)"),
    (("int",), None, "field a (i64): cannot write None (type NoneType)"),
    (("int",), 1.0, "cannot write 1.0 (type float)"),
    (("double",), 1, "cannot write 1 (type int)"),
    (("boolean",), 1, "cannot write 1 (type int)"),
    (("string",), "a\ud800", "it has a surrogate"),
    (("string",), b"a", "cannot write b'a' (type bytes)"),
    (("decimal", 5, 2), decimal.Decimal("1.001"), "it is not a decimal of 5 digits with 2 after"),
    (("decimal", 5, 2), decimal.Decimal(1000), "it is not a decimal of 5 digits with 2 after"),
    (("decimal", 38, 2), decimal.Decimal(10**36), "it is not a decimal of 38 digits"),
    (("decimal", 38, 2), decimal.Decimal("1e999999"), "it is not a decimal of 38 digits"),
    (("decimal", 38, 2), decimal.Decimal("NaN"), "it is not a decimal of 38 digits"),
    (("date",), datetime.datetime(2020, 1, 1), "field a (date): cannot write datetime.datetime"),
    (("timestamp",), datetime.date(2020, 1, 1), "cannot write datetime.date"),
    (
        ("timestamp_ntz",),
        datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc),
        "field a (timestamp): cannot write datetime.datetime",
    ),
    (("interval",), datetime.timedelta.max, "its microseconds exceed 64 bits"),
    (("array", ("int",), False), (1,), "cannot write (1,) (type tuple)"),
    (("array", ("byte",), False), [1, 2, 300], "field a.2 (i64): cannot write 300 (type int)"),
    (("array", ("int",), False), [1, None], "field a.1 (i64): cannot write None"),
    (("map", ("string",), ("int",), False), {"k": None}, "field a.value 0 (i64): cannot write"),
    (("map", ("string",), ("int",), False), {None: 1}, "field a.key 0 (str): cannot write"),
    (("void",), 1, "cannot write 1 (type int)"),
    (struct_of(("int",)), (1, 2), "field a (Row{a: i64}): cannot write (1, 2) (type tuple)"),
    (struct_of(("int",)), {"b": 1}, "field a.a (i64): cannot write"),
    (struct_of(("int",)), OrderedDict(a=1), "cannot write OrderedDict"),
    (struct_of(struct_of(("byte",))), [(1000,)], "field a.a.a (i64): cannot write"),
]


@pytest.mark.parametrize(("kind", "value", "said"), REFUSED, ids=lambda it: str(it)[:30])
def test_values_that_spark_lacks_are_refused(
    access: str, kind: unsafe.Kind, value: Any, said: str
) -> None:
    found = refusal(struct_of(kind), (value,))
    assert found.startswith("row 0, field a")
    assert said in found


def test_a_row_of_another_class_is_refused(access: str) -> None:
    class Other(tuple[Any, ...]):
        def __iter__(self) -> Iterator[Any]:
            return iter((2,))

    for row in (Other((1,)), (1, 2), (), OrderedDict(a=1), None, 1, "a"):
        assert refusal(struct_of(("int",)), row).startswith("row 0, (Row{a: i64}): cannot write")


def test_dicts_and_named_tuples_are_rows(access: str) -> None:
    class Pair(NamedTuple):
        first: int
        second: str

    rows = UnsafeRows(unsafe.describe(struct_of(("int",), ("string",))), Row)
    expected = rows.write([(1, "x"), (1, "x"), (2, "")])
    assert rows.write([{"b": "x", "a": 1, "c": 3}, Pair(1, "x"), {"b": "", "a": 2}]) == expected


@pytest.mark.once
def test_writing_stops_at_the_row_and_loses_nothing(access: str) -> None:
    kind = struct_of(("string",), ("map", ("int",), ("array", ("decimal", 20, 1), True), True))
    good = ("text", {1: [decimal.Decimal("2.5"), None], 2: None})
    rows = UnsafeRows(unsafe.describe(kind), Row)
    bad = [good] * 70 + [("text", {1: [decimal.Decimal("2.55")]})]

    def once() -> int:
        rows.write([good] * 100)
        with pytest.raises(serow.EncodeError, match=r"row 70, field b.value 0.0 \(decimal"):
            rows.write(bad)
        gc.collect()
        return sys.getallocatedblocks()

    for _ in range(3):
        once()
    before = min(once() for _ in range(3))
    assert min(once() for _ in range(5)) < before + 50
    with pytest.raises(TypeError):
        rows.write(iter([good]))  # type: ignore[arg-type]
