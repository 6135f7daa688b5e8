"""Values of several components: round trips, errors, and their side effects."""

import copy
import gc
import pickle
import struct
import subprocess
import sys
import time as clock
import weakref
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta, timezone
from decimal import ROUND_DOWN, Context, Decimal, Inexact, localcontext
from typing import Any
from uuid import UUID, SafeUUID, uuid4
from zoneinfo import ZoneInfo

import leaks
import pytest
import rowtext
import serow
import strategies
import wire_format
from conftest import GOLDEN
from hypothesis import given
from hypothesis import strategies as st
from parts import COUNTS, NAMES, NO_OFFSET, Parts
from strategies import KEYS, LARGE_EDGES, OF_PARTS
from wire_format import Column, RawFrame, signed, spelled, varint


def assert_same(value: Any, back: Any) -> None:
    """Assert that two values differ in nothing but their identity."""
    assert type(back) is type(value)
    assert repr(back) == repr(value)
    assert rowtext.line(back) == rowtext.line(value)
    if isinstance(value, (datetime, time)):
        assert back.fold == value.fold
        assert type(back.tzinfo) is type(value.tzinfo)
        assert back.utcoffset() == value.utcoffset()
        assert back.tzname() == value.tzname()
        if back.tzinfo is not value.tzinfo:
            # Python may treat times in two different zone objects as different.
            return
    if isinstance(value, Decimal) and value.is_snan():
        return
    if type(value) not in (bytearray, complex) and value == value:
        assert back == value
        assert hash(back) == hash(value)


def round_trip(rows: list[Any], wire: str) -> list[Any]:
    back = serow.loads(serow.dumps(rows, wire=wire))
    assert len(back) == len(rows)
    for value, other in zip(rows, back, strict=True):
        assert_same(value, other)
    return back


@pytest.mark.parametrize("kind", OF_PARTS)
class TestRoundTrip:
    @given(data=st.data())
    def test_any_values(self, kind: str, data: st.DataObject, access: str, wire: str) -> None:
        rows = data.draw(st.lists(OF_PARTS[kind], min_size=1, max_size=12))
        round_trip(rows, wire)
        # Often enough for a dictionary.
        round_trip(rows * 30, wire)

    @given(data=st.data())
    def test_within_other_values(self, kind: str, data: st.DataObject, access: str) -> None:
        value = data.draw(OF_PARTS[kind])
        rows = [
            (1, value, None),
            ([value] * 3, "x", value),
            [[value], value, (value,)],
            None,
            value,
        ]
        lines = [rowtext.line(row) for row in rows]
        for wire in ("frame", "row"):
            message = serow.dumps(rows, wire=wire)
            assert [rowtext.line(row) for row in serow.loads(message)] == lines
            assert [rowtext.line(row) for row in wire_format.loads(message)] == lines

    @given(data=st.data())
    def test_both_ways_of_access_give_the_same(self, kind: str, data: st.DataObject) -> None:
        rows = data.draw(st.lists(OF_PARTS[kind], min_size=1, max_size=5))
        wire = data.draw(st.sampled_from(["row", "frame"]))
        before = serow._native.object_access()
        try:
            messages = set()
            for c_api in (False, True):
                serow._native.object_access(c_api)
                messages.add(serow.dumps(rows, wire=wire))
            assert len(messages) == 1
        finally:
            serow._native.object_access(before == "c-api")


class TestInts:
    def test_every_width_in_both_signs(self, access: str, wire: str) -> None:
        round_trip(LARGE_EDGES, wire)
        round_trip([-v for v in LARGE_EDGES], wire)

    def test_in_a_column_of_ints_small_ones_are_ints_too(self, access: str, wire: str) -> None:
        codec = serow.Codec("(int, int?)", wire=wire)
        rows = [(v, None if v % 3 else v) for v in [0, 1, -1, 256, 2**62, *LARGE_EDGES]]
        back = codec.decode(codec.encode(rows))
        assert back == rows
        assert {type(row[0]) for row in back} == {int}

    @pytest.mark.parametrize("wrong", [True, 1.0, "1", None, b"1", Decimal(1)], ids=repr)
    def test_nothing_else_is_one(self, wrong: Any, access: str, wire: str) -> None:
        codec = serow.Codec("(int,)", wire=wire)
        with pytest.raises(serow.EncodeError, match=r"row 0, field 0 \(int\): cannot encode"):
            codec.encode([(wrong,)])

    def test_a_column_of_64_bits_widens(self, access: str, wire: str) -> None:
        rows = [(i, "a") for i in range(2001)]
        rows[1501] = (2**70, "a")
        message = serow.dumps(rows, wire=wire)
        assert [frame.rows for frame in wire_format.frames(message)] == [1501, 500]
        assert serow.loads(message) == rows
        assert str(serow.Schema.infer(rows)) == "(int, str)"
        assert str(serow.Schema.infer([1, 2**70, "x", True])) == "str|bool|int"
        with pytest.raises(serow.EncodeError, match="cannot encode 1180591620717411303424"):
            serow.Codec("(i64, str)").encode(rows)

    def test_more_digits_than_python_prints(self, access: str, wire: str) -> None:
        huge = [7**20_000, -(7**20_000), 2**100_000, -(2**100_000)]
        assert serow.loads(serow.dumps(huge, wire=wire)) == huge


class TestBytes:
    def test_an_entry_of_a_dictionary_is_shared_if_it_never_changes(self, access: str) -> None:
        rows = [(b"key", 2**70, bytearray(b"key"))] * 100
        back = serow.loads(serow.dumps(rows, wire="frame"))
        assert back == rows
        assert len({id(row[0]) for row in back}) == 1
        assert len({id(row[1]) for row in back}) == 1
        assert len({id(row[2]) for row in back}) == 100
        back[0][2].extend(b"!")
        assert back[1][2] == b"key"
        key, alone = back[0][0], bytes(bytearray(b"alone"))
        assert sys.getrefcount(key) == 100 + sys.getrefcount(alone)

    def test_short_ones_are_pythons_own(self, access: str, wire: str) -> None:
        values = [b"", *(bytes([c]) for c in range(256))]
        for one, back in zip(values, serow.loads(serow.dumps(values, wire=wire)), strict=True):
            assert one is back

    def test_large_ones(self, access: str, wire: str) -> None:
        rows = [bytes(range(256)) * 4000, bytearray(10**6)]
        round_trip(rows, wire)

    def test_a_bytearray_that_was_cut_at_its_beginning(self, access: str, wire: str) -> None:
        cut = bytearray(b"0123456789")
        del cut[:3]
        round_trip([cut, bytearray()], wire)
        back = serow.loads(serow.dumps([cut], wire=wire))[0]
        back += b"more"
        assert back == b"3456789more"


class TestTimes:
    def test_timestamps_with_and_without_a_zone_are_two_types(self, access: str) -> None:
        naive = datetime(2024, 1, 1)
        aware = naive.replace(tzinfo=timezone.utc)
        assert str(serow.Schema.infer([naive, aware, naive.date(), None])) == (
            "(date|timestamp|timestamptz)?"
        )
        for schema, good, wrong in [
            ("(timestamp,)", naive, aware),
            ("(timestamptz,)", aware, naive),
            ("(time,)", naive.time(), aware.timetz()),
            ("(timetz,)", aware.timetz(), naive.time()),
            ("(date,)", naive.date(), naive),
            ("(timestamp,)", naive, naive.date()),
        ]:
            codec = serow.Codec(schema)
            assert codec.decode(codec.encode([(good,)])) == [(good,)]
            with pytest.raises(serow.EncodeError, match=r"row 1, field 0 .*: cannot encode"):
                codec.encode([(good,), (wrong,)])

    def test_a_zone_is_made_once_a_message(self, access: str, wire: str) -> None:
        zones = [ZoneInfo("Europe/Berlin"), timezone(timedelta(hours=2)), timezone.utc]
        rows = [(datetime(2024, 1, i % 28 + 1, tzinfo=zones[i % 3]), i) for i in range(300)]
        back = round_trip(rows, wire)
        for i in range(3):
            assert len({id(row[0].tzinfo) for row in back[i::3]}) == 1
        assert back[0][0].tzinfo is ZoneInfo("Europe/Berlin")
        assert back[2][0].tzinfo is timezone.utc

    def test_one_zone_with_many_objects(self, access: str, wire: str) -> None:
        start = datetime(2024, 3, 30)
        rows = [
            (start + timedelta(hours=i)).replace(tzinfo=ZoneInfo.no_cache("Europe/Berlin"))
            for i in range(50)
        ]
        round_trip(rows, wire)
        round_trip([moment.timetz() for moment in rows], wire)

    @pytest.mark.once
    @pytest.mark.parametrize("key", KEYS)
    def test_every_hour_of_a_year_in_a_zone(self, key: str, access: str, wire: str) -> None:
        start = datetime(2024, 1, 1, 0, 30)
        rows = [
            (start + timedelta(hours=i // 2)).replace(tzinfo=ZoneInfo(key), fold=i % 2)
            for i in range(2 * 24 * 366)
        ]
        back = serow.loads(serow.dumps(rows, wire=wire))
        assert back == rows
        assert [moment.fold for moment in back] == [moment.fold for moment in rows]
        assert [moment.utcoffset() for moment in back] == [moment.utcoffset() for moment in rows]

    @pytest.mark.once
    def test_every_day_that_there_is(self, access: str) -> None:
        step = 1 if access == "direct" else 97
        rows = [date.fromordinal(n) for n in range(1, date.max.toordinal() + 1, step)]
        assert serow.loads(serow.dumps(rows)) == rows


class TestDecimals:
    def test_the_context_makes_no_difference(self, access: str, wire: str) -> None:
        rows = [
            Decimal(1) / 7,
            Decimal("1E+400"),
            Decimal("sNaN5"),
            Decimal("-0E-3"),
            Decimal(3**200),
        ]
        narrow = Context(prec=1, rounding=ROUND_DOWN, Emin=0, Emax=0, capitals=0, clamp=1, traps=[])
        with localcontext(narrow) as context:
            message = serow.dumps(rows, wire=wire)
            back = serow.loads(message)
            assert not any(context.flags.values())
        for value, other in zip(rows, back, strict=True):
            assert_same(value, other)

    def test_they_work_as_any_others(self, access: str, wire: str) -> None:
        rows = [Decimal(text) for text in ("1.50", "-7E-5", "9" * 38, "9" * 76, "9" * 77, "1E+20")]
        for value, back in zip(rows, round_trip(rows, wire), strict=True):
            assert back + 1 == value + 1
            assert -back == -value
            assert back.normalize() == value.normalize()
            assert copy.deepcopy(back) == pickle.loads(pickle.dumps(back)) == value
            with localcontext() as context:
                context.traps[Inexact] = False
                assert back / 3 == value / 3

    @pytest.mark.parametrize("digits", [18, 19, 20, 38, 39, 57, 58, 76, 77, 95, 96, 400, 5_000])
    def test_every_number_of_words(self, digits: int, access: str, wire: str) -> None:
        numbers = [10 ** (digits - 1), 10**digits - 1, 3 * 10**digits // 7]
        rows = [
            Decimal((sign, Decimal(n).as_tuple().digits, -2)) for n in numbers for sign in (0, 1)
        ]
        round_trip(rows, wire)

    def test_a_huge_one_takes_no_long_time(self, access: str, wire: str) -> None:
        huge = Decimal("7" * 300_000)
        begun = clock.process_time()
        assert serow.loads(serow.dumps([huge], wire=wire)) == [huge]
        assert clock.process_time() - begun < 10

    @pytest.mark.once
    def test_a_huge_one_that_comes_again_takes_no_long_time(self, access: str) -> None:
        digits = Decimal("3" * 20_000).as_tuple().digits
        rows = [(Decimal((i % 2, digits, -i // 2)), i) for i in range(600)]
        message = serow.dumps(rows)
        assert len(message) < 30_000
        begun = clock.process_time()
        assert serow.loads(message) == rows
        assert clock.process_time() - begun < 10


class TestUuids:
    def test_they_work_as_any_others(self, access: str, wire: str) -> None:
        rows = [uuid4() for _ in range(50)]
        for value, back in zip(rows, round_trip(rows, wire), strict=True):
            assert back.is_safe is SafeUUID.unknown
            assert (back.hex, back.version, back.int) == (value.hex, value.version, value.int)
            assert copy.deepcopy(back) == pickle.loads(pickle.dumps(back)) == value
            with pytest.raises(TypeError, match="immutable"):
                back.int = 5
            gone = weakref.ref(back)
            assert gone() is back
        del back
        gc.collect()
        assert gone() is None


# Hand-made values that Python lacks, and invalid values.


def message_of(parts: Parts, wire: str) -> bytes:
    """Give a message of one row: a tuple of one value with these components."""
    kinds = spelled([5, parts.code, 7])
    if wire == "row":
        body = b"".join(signed(part) for part in parts.ints)
        body += struct.pack(f"<{len(parts.floats)}d", *parts.floats)
        if parts.octets is not None:
            body += varint(len(parts.octets)) + parts.octets
        return wire_format.message(
            RawFrame(wire_format.ROW, 1, kinds, len(body).to_bytes(4, "little") + body)
        )
    columns = [Column("int", 0, 1, signed(part)) for part in parts.ints]
    columns += [Column("float", 0, 1, struct.pack("<d", part)) for part in parts.floats]
    if parts.octets is not None:
        lengths = b"\0" + signed(len(parts.octets))
        columns.append(Column("bytes", 0, 1, varint(len(lengths)) + lengths + parts.octets))
    return wire_format.message(RawFrame(wire_format.FRAME, 1, kinds, wire_format.body(columns)))


def of(name: str, *ints: int, octets: bytes | None = None) -> Parts:
    code = next(code for code, other in NAMES.items() if other == name)
    if octets is None and COUNTS[code][2]:
        octets = b""
    return Parts(code, ints, (), octets)


BEYOND = [
    (of("date", -719_163), "this date is -719163 days from 1970-01-01"),
    (of("date", 2_932_897), "Python's years are 1 to 9999"),
    (of("date", 2**63 - 1), "this date is 9223372036854775807 days"),
    (of("date", -(2**63)), "this date is -9223372036854775808 days"),
    (of("time", 5, 2), "this one has 1 more nanoseconds"),
    (of("time", 5, 1999), "this one has 999 more nanoseconds"),
    (of("timestamp", 0, 3), "this one has 1 more nanoseconds"),
    (of("timestamp", -62_135_596_800_000_001, 0), "this timestamp is -62135596800000001 micro"),
    (of("timestamp", 253_402_300_800_000_000, 1), "Python's years are 1 to 9999"),
    (of("timestamp", 2**63 - 1, 0), "Python's years are 1 to 9999"),
    (of("timestamp", -(2**63), 0), "Python's years are 1 to 9999"),
    (of("timestamptz", -(2**63), 0, 0), "Python's years are 1 to 9999"),
    (of("timestamptz", 0, 4, 0), "this one has 2 more nanoseconds"),
    (of("timestamptz", 0, 4, 0, octets=b"Europe/Berlin"), "this one has 2 more nanoseconds"),
    (of("timetz", 0, 4, 0), "this one has 2 more nanoseconds"),
    (of("timetz", 0, 0, NO_OFFSET), "this time has a time zone without one"),
    (of("timetz", 0, 0, NO_OFFSET, octets=b"=x"), "this time has a time zone without one"),
    (of("duration", 0, 1), "this duration is 0 seconds and 1 nanoseconds"),
    (of("duration", 86_400 * 10**9, 0), "microseconds and at most 999999999 days"),
    (of("duration", -86_400 * 999_999_999 - 1, 999_999_000), "at most 999999999 days"),
    (of("duration", 2**63 - 1, 0), "at most 999999999 days"),
    (of("duration", -(2**63), 0), "at most 999999999 days"),
    (of("decimal", 4 * 10**18, 1), "this one has the exponent 1000000000000000000 and 1 digits"),
    (of("decimal", 4 * (10**18 - 1), 10), "this one has the exponent 999999999999999999 and 2"),
    (of("decimal", -8 * 10**18, 7), "this one has the exponent -2000000000000000000"),
    (of("decimal", 4 * (2**61 - 1) + 2, 0), "Python's decimals range from 1E-1999999999999999997"),
    (of("decimal", 4 * 10**18 + 1, 0, octets=b"\xff" * 8 + b"\0"), "and 20 digits"),
    (of("decimal", 4 * 10**18 + 1, 0, octets=b"\xff" * 80 + b"\0"), "and 193 digits"),
    (of("timestamptz", 0, 0, 0, octets=b"Nowhere/Land"), 'no time zone "Nowhere/Land" here'),
    (
        of("timestamptz", 0, 0, 0, octets=b"Europe"),
        'no time zone "Europe" here; install or update tzdata',
    ),
    (of("timetz", 0, 0, 0, octets=b"../../../etc/passwd"), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"/etc/localtime"), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"tzdata.zi"), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"a\0b"), "no time zone"),
    (of("timetz", 0, 0, 0, octets="é".encode()), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"\xed\xa0\x80"), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"x" * 5000), "no time zone"),
    (of("timetz", 0, 0, 0, octets=b"Europe/Berlin"), "Europe/Berlin has no offset here, but the"),
    (
        of("timestamptz", 0, 0, 0, octets=b"Europe/Berlin"),
        "has the offset 3600 s here, but the off",
    ),
    (of("timestamptz", 0, 0, NO_OFFSET + 1, octets=b""), "its zone is invalid"),
    (of("timestamptz", 0, 0, 60_000_000, octets=b"UTC"), "the time zone databases differ: UTC"),
]

NO_VALUES = [
    of("int", 1, octets=b"\0\0\0\0\0\0\0\0\1"),
    of("int", 0, octets=b"\1"),
    of("int", 0, octets=b"\0" * 9),
    of("int", 0, octets=b"\xff" * 9),
    of("int", 0, octets=b"\0\0\0\0\0\0\0\x80\0\0"),
    of("time", -1, 0),
    of("time", 86_400_000_000, 0),
    of("time", 0, -1),
    of("time", 0, 2000),
    of("timetz", 86_400_000_000, 0, 0),
    of("timetz", 0, 0, 86_400_000_000),
    of("timetz", 0, 0, 0, octets=b"=\xff"),
    of("timestamp", 0, 2**63 - 1),
    of("timestamp", 0, -(2**63)),
    of("timestamptz", 0, 0, NO_OFFSET),
    of("timestamptz", 0, 0, -86_400_000_000),
    of("timestamptz", 0, 0, 0, octets=b"\x80"),
    of("duration", 0, -1),
    of("duration", 0, 10**9),
    of("decimal", 0, 0, octets=b"1"),
    of("decimal", 1, 0, octets=b""),
    of("decimal", 1, 0, octets=b"\0" * 20),
    of("decimal", 1, 5, octets=b"\0" * 8 + b"\1"),
    of("decimal", 2, 1),
    of("decimal", 3, 8),
    of("decimal", 3, 3),
    of("decimal", 3, -1),
    of("decimal", 7, 0),
    of("decimal", 3, 0, octets=b"1"),
    of("decimal", 3, 1, octets=b"0"),
    of("decimal", 3, 1, octets=b"1x"),
    of("decimal", 3, 1, octets="\u0661".encode()),
]


def shown(value: Any) -> str:
    return f"{NAMES[value.code]}{value.ints}{value.octets!r:.30}" if type(value) is Parts else ""


@pytest.mark.parametrize(("parts", "what"), BEYOND, ids=shown)
def test_values_that_python_lacks_are_described(
    parts: Parts, what: str, wire: str, access: str
) -> None:
    for _ in range(2):
        with pytest.raises(serow.DecodeError) as caught:
            serow.loads(message_of(parts, wire))
        assert what in str(caught.value)
        if "zone is invalid" not in what:
            start = f"frame 0, row 0, field 0 ({NAMES[parts.code]}): "
            assert str(caught.value).startswith(start)


@pytest.mark.parametrize("parts", NO_VALUES, ids=shown)
def test_invalid_components_are_refused(parts: Parts, wire: str, access: str) -> None:
    with pytest.raises(serow.DecodeError, match=r"^frame 0, row 0, field 0 "):
        serow.loads(message_of(parts, wire))


@pytest.mark.parametrize("kind", OF_PARTS)
@given(data=st.data())
def test_any_parts_are_a_value_or_an_error(kind: str, access: str, data: st.DataObject) -> None:
    codes = [code for code, name in NAMES.items() if name.startswith(kind)]
    code = data.draw(st.sampled_from(codes))
    ints, floats, octets = COUNTS[code]
    edges = st.sampled_from(
        [0, 1, -1, 2, 3, NO_OFFSET, 86_399_999_999, 999_999_000, 10**9 - 1, 1999, *strategies.EDGES]
    )
    zones = st.sampled_from(
        [b"", b"=", b"=x", b"UTC", b"Europe/Berlin", b"../x", b"12", b"\xff" * 9]
    )
    parts = Parts(
        code,
        data.draw(st.tuples(*[st.one_of(edges, strategies.ints)] * ints)),
        data.draw(st.tuples(*[strategies.floats] * floats)),
        data.draw(st.one_of(zones, st.binary(max_size=30))) if octets else None,
    )
    answers = set()
    for wire in ("frame", "row"):
        try:
            [row] = serow.loads(message_of(parts, wire))
        except serow.DecodeError as error:
            answers.add(str(error))
            continue
        answers.add(rowtext.line(row))
        assert rowtext.line(serow.loads(serow.dumps([row]))[0]) == rowtext.line(row)
    assert len(answers) == 1


@pytest.mark.heavy
def test_rows_before_a_refused_one_are_freed(access: str, wire: str) -> None:
    rows = [(uuid4(), [Decimal(i), 2**70 + i], datetime(2024, 1, 1), b"x" * i) for i in range(50)]
    frame = wire_format.frames(serow.dumps(rows, wire="row"))[0]
    bad = message_of(of("date", 2**40), "row")

    def refuse() -> None:
        body = frame.body[:-1] + b"\xff"
        for message in (wire_format.message(replace(frame, rows=51)), bad):
            with pytest.raises(serow.DecodeError):
                serow.loads(message)
        serow.loads(wire_format.message(replace(frame, body=body)))

    leaks.assert_no_growth(refuse)


EVERYTHING: list[Any] = [
    *(2**70, b"bytes", bytearray(b"array"), date(2024, 2, 29), time(1, 2, 3), timedelta(5)),
    *(time(1, tzinfo=timezone.utc), time(1, tzinfo=ZoneInfo("Europe/Berlin"))),
    *(datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=ZoneInfo("Europe/Berlin"))),
    datetime(2024, 1, 1, tzinfo=timezone(timedelta(hours=1), "eins")),
    *(Decimal("1.5"), Decimal("9" * 100), Decimal("NaN5"), UUID(int=5), 1 + 2j),
]


class TestHost:
    @pytest.mark.heavy
    def test_nothing_leaks(self, wire: str, access: str) -> None:
        rows = [(value, i) for i in range(5) for value in EVERYTHING]
        classes = [type(value) for value in EVERYTHING] + [ZoneInfo, timezone, SafeUUID]
        held = [
            *EVERYTHING,
            *classes,
            *(v.tzinfo for v in EVERYTHING if getattr(v, "tzinfo", None)),
        ]
        held += [SafeUUID.unknown, timezone.utc]

        def work() -> None:
            assert len(serow.loads(serow.dumps(rows, wire=wire))) == len(rows)
            for wrong in (Decimal, UUID, datetime):
                with pytest.raises(serow.EncodeError):
                    serow.dumps([*rows, wrong], wire=wire)
            serow.Schema.infer(rows)

        work()
        gc.collect()
        before = [sys.getrefcount(it) for it in held]
        # A leak would grow with every run.
        leaks.assert_no_growth(work)
        gc.collect()
        after = [sys.getrefcount(it) for it in held]
        grown_by = zip(held, before, after, strict=True)
        assert [(it, b - a) for it, a, b in grown_by if abs(b - a) > 2] == []

    def test_no_garbage_is_collected_while_rows_are_read(self, access: str, wire: str) -> None:
        """A garbage collection may run any code, which may change the rows."""
        rows = [(value, i) for i in range(50) for value in EVERYTHING]
        codec = serow.Codec.infer(rows, wire=wire)
        seen: list[str] = []
        threshold = gc.get_threshold()
        gc.callbacks.append(lambda phase, info: seen.append(phase))
        gc.set_threshold(1, 1, 1)
        try:
            buffer = bytearray(1 << 20)
            seen.clear()
            before = len(seen)
            codec.encode_into(rows, buffer)
            during = len(seen) - before
        finally:
            gc.set_threshold(*threshold)
            gc.callbacks.pop()
        assert during <= 2
        assert gc.isenabled()

    def test_own_code_of_values_does_not_run_in_vain(self, access: str, wire: str) -> None:
        class Spy(datetime):
            def __getattribute__(self, name: str) -> Any:
                raise AssertionError(name)

        class SpyZone(timezone.utc.__class__.__base__):  # type: ignore[misc, name-defined]
            def utcoffset(self, moment: datetime | None) -> timedelta:
                seen.append(moment)
                return timedelta(0)

        seen: list[Any] = []
        codec = serow.Codec("(timestamptz|timestamp,)", wire=wire)
        assert codec.decode(codec.encode([(Spy(2024, 1, 1),)])) == [(datetime(2024, 1, 1),)]
        moment = datetime(2024, 1, 1, tzinfo=SpyZone())
        # An object at which encoding stops is before the zone.
        with pytest.raises(serow.EncodeError, match=r"^row 0"):
            codec.encode([(5,), (moment,)])
        with pytest.raises(serow.EncodeError, match="may have rules of its own"):
            codec.encode([(moment,)])
        assert seen == []

    def test_classes_that_others_have_put_in_place_are_not_taken(self, access: str) -> None:
        """Libraries that freeze time in tests replace the class in the module."""
        import datetime as module

        class Frozen(datetime):
            pass

        genuine, module.datetime = module.datetime, Frozen  # type: ignore[misc]
        try:
            rows = [genuine(2024, 1, 1), genuine(2024, 1, 1, tzinfo=timezone.utc)]
            back = serow.loads(serow.dumps(rows))
        finally:
            module.datetime = genuine  # type: ignore[misc]
        assert [type(moment) for moment in back] == [datetime, datetime]
        assert back == rows


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


LOADED = "print(sorted({'datetime', 'decimal', 'uuid', 'zoneinfo'} & sys.modules.keys()))"


class TestModules:
    def test_importing_and_encoding_loads_none(self) -> None:
        program = (
            f"import sys, serow\n{LOADED}\nserow.loads(serow.dumps([(1, 'x', b'x', 2**70, 1j)]))"
        )
        program += (
            f"\ntry: serow.Codec('i64').encode(['x'])\nexcept serow.EncodeError: pass\n{LOADED}"
        )
        assert run(program) == "[]\n[]\n"

    @pytest.mark.once
    @pytest.mark.parametrize("access", [False, True])
    def test_decoding_loads_what_it_needs(self, access: bool) -> None:
        for value in EVERYTHING:
            message = serow.dumps([value] * 3, wire="frame")
            program = "import sys, serow\nfrom serow import _native\n"
            program += f"_native.object_access({access})\n"
            program += f"row = serow.loads(bytes.fromhex('{message.hex()}'))[2]\n"
            program += (
                f"sys.path.insert(0, {str(GOLDEN)!r})\nimport rowtext\nprint(rowtext.line(row))"
            )
            assert run(program) == rowtext.line(value) + "\n"

    def test_modules_may_be_loaded_at_any_time(self) -> None:
        program = (
            "import serow\n"
            "for name, make in [('datetime', 'date(2024, 2, 29)'), ('uuid', 'UUID(int=1)'),\n"
            "                   ('decimal', 'Decimal(5)')]:\n"
            "    value = eval(f'__import__({name!r}).{make}')\n"
            "    codec = serow.Codec('(date|uuid|decimal|i64, str)')\n"
            "    assert codec.decode(codec.encode([(1, 'a'), (value, 'b')]))[1] == (value, 'b')\n"
            "    assert serow.loads(serow.dumps([value, 1])) == [value, 1]\n"
        )
        assert run(program) == ""

    def test_a_module_that_is_loaded_again_has_other_classes(self) -> None:
        program = (
            "import importlib, sys, uuid, serow\n"
            "old = uuid.UUID(int=5)\n"
            "assert serow.loads(serow.dumps([old])) == [old]\n"
            "del sys.modules['uuid']\n"
            "new = importlib.import_module('uuid').UUID(int=5)\n"
            "back = serow.loads(serow.dumps([new]))[0]\n"
            "print(type(back) is type(new), type(new) is type(old))\n"
        )
        assert run(program) == "True False\n"


def encoders() -> list[Callable[[list[Any]], bytes]]:
    return [serow.dumps, lambda rows: serow.Codec.infer(rows).encode(rows)]


def test_rows_may_be_given_by_many_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    rows = [(value, i) for i in range(200) for value in EVERYTHING]
    lines = [rowtext.line(row) for row in rows]

    def work(encode: Callable[[list[Any]], bytes]) -> bool:
        return [rowtext.line(row) for row in serow.loads(encode(rows))] == lines

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, encoders() * 8))


@pytest.mark.parametrize("tier", ["interpreter", "jit"])
def test_days_and_prices_that_come_again_are_shared(tier: str, wire: str) -> None:
    days = [date(2024, 1, 1) + timedelta(days=i % 97) for i in range(12_000)]
    prices = [Decimal(f"{i % 50}.{'0' * (i % 3)}") for i in range(12_000)]
    # All values differ, so a cache would not pay.
    others = [Decimal(i).scaleb(-i % 5) for i in range(12_000)]
    rows = list(zip(days, prices, others, strict=True))
    codec = serow.Codec.infer(rows, wire=wire)
    if tier == "jit":
        codec.compile()
    back = codec.decode(codec.encode(rows))
    assert [tuple(map(str, row)) for row in back] == [tuple(map(str, row)) for row in rows]
    assert len({id(day) for day, _, _ in back[6000:]}) == 97
    # Some of them share a slot of the cache.
    assert len({id(price) for _, price, _ in back[6000:]}) < 600
    # Only these rows refer to them.
    count = sys.getrefcount(back[-1][0])
    assert count < 130
