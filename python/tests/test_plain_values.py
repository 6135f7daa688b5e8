"""Values of classes that equal plain values: subclasses, containers, zones, rows of databases."""

import collections
import enum
import os
import re
import sqlite3
import subprocess
import sys
import time as clock
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple
from uuid import UUID, SafeUUID
from zoneinfo import TZPATH, ZoneInfo

import dateutil.tz
import pandas as pd
import pydantic
import pytest
import pytz
import serow
import sqlalchemy
from foreign import assert_refused, check, same, shown
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

ROOT = Path(__file__).parents[2]
SECTION = "## Values of other classes in Python"
ZURICH = "Europe/Zurich"


def table_of_values() -> list[tuple[str, str]]:
    """Give the rows of the table in docs/types.md: a value, and the plain one."""
    text = (ROOT / "docs" / "types.md").read_text().partition(SECTION)[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", text, re.MULTILINE)


def test_the_table_of_values_is_there() -> None:
    assert len(table_of_values()) > 15


@pytest.mark.parametrize(("value", "plain"), table_of_values())
def test_the_examples_of_the_table(value: str, plain: str) -> None:
    class Name(str):
        """The example of a subclass."""

    names = {**vars(collections), "MappingProxyType": MappingProxyType, "Name": Name}
    names |= {"datetime": datetime, "timedelta": timedelta, "timezone": timezone}
    if value.startswith("frozendict") and sys.version_info < (3, 15):
        pytest.skip("Python has no such class before 3.15")
    names |= {"pytz": pytz, "dateutil": dateutil, "ZoneInfo": ZoneInfo}
    check(eval(value, names), eval(plain, names))


class Int(int):
    def __int__(self) -> int:
        raise AssertionError("serow reads the base class's value")

    __index__ = __add__ = __int__  # type: ignore[assignment]


class Float(float):
    pass


class Text(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise AssertionError("serow reads the base class's value")


class Octets(bytes):
    pass


class Buffer(bytearray):
    pass


class Complex(complex):
    pass


class Items(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        raise AssertionError("serow reads the base class's items")


class Fields(tuple[Any, ...]):
    pass


class Elements(set[Any]):
    pass


class Frozen(frozenset[Any]):
    pass


class Entries(dict[Any, Any]):
    def __missing__(self, key: Any) -> Any:
        return key


class Day(date):
    pass


class Moment(datetime):
    pass


class Clock(time):
    pass


class Span(timedelta):
    pass


class Money(Decimal):
    pass


class Key(UUID):
    pass


SUBCLASSES: list[tuple[Any, Any]] = [
    (Int(-7), -7),
    (Int(2**100), 2**100),
    (Float(-0.0), -0.0),
    (Float("nan"), float("nan")),
    (Text("羚"), "羚"),
    (Octets(b"\0\xff"), b"\0\xff"),
    (Complex(-0.0, 1.5), complex(-0.0, 1.5)),
    (Fields([1, Text("a")]), (1, "a")),
    (Frozen({1}), frozenset({1})),
    (Day(2024, 2, 29), date(2024, 2, 29)),
    (Moment(2024, 2, 29, 1, 2, 3, 4), datetime(2024, 2, 29, 1, 2, 3, 4)),
    (
        Moment(2024, 10, 27, 2, 30, fold=1, tzinfo=pytz.utc),
        datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=timezone.utc),
    ),
    (Clock(1, 2, 3, 4, fold=1), time(1, 2, 3, 4, fold=1)),
    (Clock(1, tzinfo=pytz.FixedOffset(90)), time(1, tzinfo=timezone(timedelta(minutes=90)))),
    (Span(-1, 2, 3), timedelta(-1, 2, 3)),
    (Money("-1.50E+7"), Decimal("-1.50E+7")),
    (Money("sNaN123"), Decimal("sNaN123")),
    (Key(int=5), UUID(int=5)),
]


@pytest.mark.parametrize(("value", "plain"), SUBCLASSES, ids=lambda v: type(v).__name__)
def test_subclasses_without_fields(value: Any, plain: Any, access: str) -> None:
    if "sNaN" not in str(plain) and plain == plain:
        check(value, plain)
    else:
        same([(value, [value])], [(plain, [plain])], "row")


def test_subclasses_of_mutable_containers(access: str) -> None:
    check(Items([1, Items()]), [1, []])
    check(Entries({Text("a"): Int(1)}), {"a": 1})
    for wire in ("frame", "row"):
        same([[Elements({1})], [{2}]], [[{1}], [{2}]], wire)
        same([[Buffer(b"x")]], [[bytearray(b"x")]], wire)


def test_the_order_of_an_ordered_dict_is_kept() -> None:
    value = collections.OrderedDict({1: "a", 2: "b"})
    value.move_to_end(1)
    assert list(serow.loads(serow.dumps([value]))[0]) == [2, 1]


class Marked(Fields):
    """Has a dict for attributes."""


class Slotted(dict[str, int]):
    __slots__ = ("unit", "unused")


def with_unit(value: Any) -> Any:
    value.unit = "kg"
    return value


@pytest.mark.parametrize("value", [Marked(), Slotted(), Items(), Moment(1, 1, 1), Money(), Text])
def test_subclasses_with_fields_are_refused(value: Any, wire: str) -> None:
    made = with_unit(type("Text", (str,), {})("x") if value is Text else value)
    assert_refused(made, "; decoding would lose its attribute unit; convert it to a plain ", wire)
    del made.unit
    assert serow.loads(serow.dumps([made]))


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        (clock.gmtime(0), "it has more fields than elements; use tuple(value)"),
        (Key(int=5, is_safe=SafeUUID.safe), "use UUID(int=value.int)"),
        (
            memoryview(b"ab" * 4).cast("H"),
            "its items are not bytes; use value.tolist(), or value.tobytes()",
        ),
        ((x for x in ()), "use list(value)"),
        (map(str, ()), "use list(value)"),
        (timezone.utc, "use str(value)"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_values_that_no_plain_value_equals(value: Any, advice: str, wire: str) -> None:
    assert_refused(value, advice, wire)


def test_struct_sequences_without_more_fields_are_tuples() -> None:
    check(os.terminal_size((80, 24)), (80, 24))


def test_a_container_in_itself_is_an_error(wire: Any) -> None:
    inside: collections.deque[Any] = collections.deque()
    inside.append([inside])
    with pytest.raises(serow.LimitError, match="64 deep"):
        serow.dumps([(1, inside)], wire=wire)


class Grade(str, enum.Enum):
    GOOD = "good"


class Point(NamedTuple):
    x: Any


def test_enums_and_records_stay_what_they_are() -> None:
    rows = [(Grade.GOOD, Point(Int(1)))]
    assert str(serow.Schema.infer(rows)) == '(enum Grade{GOOD = "good"}, Point{x: i64})'


class Eastern(tzinfo):
    """A zone with rules of its own, as in the docs of Python's datetime."""

    def dst(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=moment is not None and 3 < moment.month < 11)

    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=-5) + self.dst(moment)

    def tzname(self, moment: datetime | None) -> str:
        return "EDT" if self.dst(moment) else "EST"


class Keyed(ZoneInfo):
    pass


class EasternKeyed(Eastern):
    """It agrees with the zone of its key in winter."""

    key = zone = _filename = "America/New_York"


class HalfKeyed(ZoneInfo):
    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return timedelta(hours=1)


class OwnOffset(datetime):
    def utcoffset(self) -> timedelta:
        return timedelta(hours=3)


def zone_file(key: str) -> IO[bytes]:
    return (Path(TZPATH[0]) / key).open("rb")


def of_file(key: str) -> ZoneInfo:
    with zone_file(ZURICH) as file:
        return ZoneInfo.from_file(file, key=key)


def pytz_of_file(key: str) -> tzinfo:
    with zone_file("America/New_York") as file:
        zone: tzinfo = pytz.tzfile.build_tzinfo(key, file)
    return zone


def of_pydantic(offset: str) -> tzinfo:
    zone = pydantic.TypeAdapter(datetime).validate_python(f"2024-01-01T00:00:00{offset}").tzinfo
    assert zone is not None
    assert type(zone) is not timezone
    return zone


def test_zones(access: str) -> None:
    noon, zurich = datetime(2024, 7, 1, 12), ZoneInfo(ZURICH)
    fixed = timezone(timedelta(hours=1))
    for zone, plain in [
        (Keyed(ZURICH), zurich),
        (dateutil.tz.gettz(ZURICH), zurich),
        (dateutil.tz.tzutc(), timezone.utc),
        (dateutil.tz.tzoffset("CET", 3600), timezone(timedelta(hours=1), "CET")),
        (dateutil.tz.tzoffset(None, 3600), fixed),
        (pytz.timezone("Etc/GMT-1"), ZoneInfo("Etc/GMT-1")),
        (of_pydantic("+01:00"), fixed),
        (of_pydantic("Z"), timezone.utc),
    ]:
        check(noon.replace(tzinfo=zone), noon.replace(tzinfo=plain))
        check(time(12, tzinfo=zone), time(12, tzinfo=plain))


@pytest.mark.parametrize("month", [1, 7])
def test_zones_that_may_have_rules_of_their_own(month: int, wire: str) -> None:
    moment = datetime(2024, month, 1, 13)
    with zone_file("America/New_York") as file:
        misnamed = dateutil.tz.tzfile(file, ZURICH)
    for zone in (
        *(Eastern(), EasternKeyed(), HalfKeyed(ZURICH), misnamed, pytz_of_file(ZURICH)),
        *(dateutil.tz.tzlocal(), dateutil.tz.gettz("EST5EDT,M3.2.0,M11.1.0")),
    ):
        name = f"its tzinfo, a {type(zone).__module__}.{type(zone).__qualname__}, may have rules"
        assert_refused(moment.replace(tzinfo=zone), name, wire)
        assert_refused(moment.replace(tzinfo=zone), "use value.astimezone(timezone.utc), or", wire)
        assert_refused(time(1, tzinfo=zone), "use a datetime.timezone with its offset, or", wire)
        assert_refused(pd.Timestamp(moment, tz=zone), name, wire)
    for key in (ZURICH, "America/New_York"):
        assert_refused(moment.replace(tzinfo=of_file(key)), "was made from a file", wire)
        assert_refused(time(1, tzinfo=of_file(key)), "was made from a file", wire)


def test_zones_with_attributes(wire: str) -> None:
    zone = Keyed(ZURICH)
    zone.city = "Zurich"  # type: ignore[attr-defined]
    noon = datetime(2024, 7, 1, 12)
    assert_refused(noon.replace(tzinfo=zone), "lose its tzinfo's attribute city", wire)
    assert_refused(OwnOffset(2024, 7, 1), "computes an offset of its own", wire)


def test_zones_before_pickle_is_loaded() -> None:
    """Proving that a zone has a key needs pickle, which nothing else has loaded here."""
    code = """
import sys, serow
from datetime import datetime
from zoneinfo import ZoneInfo
row = datetime(2024, 7, 1, tzinfo=ZoneInfo("Europe/Zurich"))
codec = serow.Codec(serow.Schema.parse("timestamptz"))
assert "pickle" not in sys.modules
assert codec.decode_one(codec.encode_one(row)) == row
assert serow.loads(serow.dumps([row])) == [row]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_zones_of_pandas() -> None:
    zurich = ZoneInfo(ZURICH)
    for zone in (ZURICH, zurich):
        moment = pd.Timestamp("2024-10-27 02:30", tz="UTC").tz_convert(zone)
        check(moment, datetime(2024, 10, 27, 3, 30, tzinfo=zurich))


def test_both_of_two_equal_clock_times() -> None:
    zone, clock_time = pytz.timezone(ZURICH), datetime(2024, 10, 27, 2, 30)
    for is_first in (True, False):
        moment = zone.localize(clock_time, is_dst=is_first)
        plain = clock_time.replace(tzinfo=ZoneInfo(ZURICH), fold=int(not is_first))
        (back,) = serow.loads(serow.dumps([moment]))
        assert shown(back) == shown(plain)
        assert back.utcoffset() == moment.utcoffset()


def test_zones_that_no_plain_zone_equals(wire: str) -> None:
    noon = datetime(2024, 7, 1, 13)
    local_mean_time = noon.replace(tzinfo=pytz.timezone(ZURICH))
    assert_refused(local_mean_time, "Europe/Zurich has another offset at this time", wire)


def test_rows_of_sqlite() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.row_factory = sqlite3.Row
        row = connection.execute("select 1 as a, 'x' as b, null, 2.5 as \"a b\"").fetchone()
        (back,) = serow.loads(serow.dumps([row]))
        assert back == (1, "x", None, 2.5)
        assert back._fields == ("a", "b", "null", "a b")
        twice = connection.execute("select 1 as a, 'x' as a").fetchone()
        assert serow.loads(serow.dumps([twice])) == [(1, "x")]
    connection.close()


class Base(DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    key: Mapped[int] = mapped_column(primary_key=True)


def test_rows_of_sqlalchemy(wire: Any) -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as connection:
        query = sqlalchemy.text("select 1 as a, 'x' as b union all select 2, null")
        rows = serow.loads(serow.dumps(connection.execute(query), wire=wire))
        assert rows == [(1, "x"), (2, None)]
        assert [row.a for row in rows] == [1, 2]
        mappings = connection.execute(query).mappings().all()
        assert serow.loads(serow.dumps(mappings)) == [{"a": 1, "b": "x"}, {"a": 2, "b": None}]
        twice = connection.execute(sqlalchemy.text("select 1 as a, 'x' as a")).all()
        assert serow.loads(serow.dumps(twice)) == [(1, "x")]
    engine.dispose()
    assert_refused(User(key=1), "sqlalchemy.inspect(value).mapper.column_attrs}", wire)


def test_a_typed_codec_takes_them_too() -> None:
    codec = serow.Codec(serow.Schema.of(dict[str, list[int]]))
    value = collections.defaultdict(list, {Text("a"): collections.deque([1])})
    assert codec.decode(codec.encode([value])) == [{"a": [1]}]
    assert codec.decode_one(codec.encode_one(value)) == {"a": [1]}
