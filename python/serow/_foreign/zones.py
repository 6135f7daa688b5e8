"""Replaces the zones of `pytz`, `dateutil` and other libraries by plain zones.

A message carries an offset, or the key of a zone in the time zone database. So a zone has a plain
zone only if it is certain to be one of these. What it answers proves neither: a zone with rules of
its own agrees with a fixed offset, or with a zone of the database, at many times. Therefore the
class must be known, and a zone of the database must be the very one that its library gives for the
key, or equal it in all its rules.
"""

import re
import sys
import zoneinfo
from datetime import datetime, time, timedelta, timezone, tzinfo
from pickle import PicklingError
from typing import Any

from serow._foreign.results import NoPlainValue
from serow._foreign.subclasses import fields

_DIRECTORY = "/zoneinfo/"

#: The classes whose instances have one offset for all times, by module.
_FIXED = {
    "bson.tz_util": ("FixedOffset",),
    "dateutil.tz.tz": ("tzutc", "tzoffset"),
    "isodate.tzinfo": ("FixedOffset", "Utc"),
    "pendulum.tz.timezone": ("FixedTimezone",),
    "psycopg2.tz": ("FixedOffsetTimezone",),
    "pydantic_core._pydantic_core": ("TzInfo",),
    "pytz": ("_FixedOffset",),
}

#: The methods that give a zone's rules.
_RULES = ("utcoffset", "dst", "tzname", "fromutc")

#: Names that only say the offset, such as psycopg2's `+02` and pydantic's `+02:00`.
_SPELLED_OFFSET = re.compile(r"(UTC)?[+-]\d\d(:?\d\d){0,2}")


def has_foreign_zone(value: Any) -> bool:
    """Tell whether the value is a `datetime` or `time` with a zone that has no type in rows."""
    if type(value) is not datetime and type(value) is not time:
        return False
    zone = value.tzinfo
    if zone is None or type(zone) is timezone:
        return False
    return not (type(zone) is zoneinfo.ZoneInfo and _is_of_key(zone))


def with_plain_zone(value: datetime | time) -> datetime | time:
    """Give the same clock time with a plain zone.

    Raises `NoPlainValue` if there is none.
    """
    zone = value.tzinfo
    assert zone is not None
    try:
        plain = _plain(zone)
        if plain is not None:
            offset = value.utcoffset()
            for fold in (value.fold, 1 - value.fold):
                same = value.replace(tzinfo=plain, fold=fold)
                if same.utcoffset() == offset:
                    return same
    except (NoPlainValue, MemoryError):
        raise
    except Exception as why:
        raise NoPlainValue(f"its tzinfo raises {type(why).__name__}: {why}") from why
    if type(value) is datetime:
        use = "value.astimezone(timezone.utc)"
    else:
        use = "a datetime.timezone with its offset"
    if plain is not None:
        raise NoPlainValue(
            f"{plain} has another offset at this time than its tzinfo, a {_name_of(zone)}; "
            f"use {use}"
        )
    raise NoPlainValue(
        f"its tzinfo, a {_name_of(zone)}, may have rules of its own, which a message can't carry; "
        f"use {use}, or zoneinfo.ZoneInfo with the key of a zone"
    )


def _plain(zone: tzinfo) -> tzinfo | None:
    """Give the plain zone that certainly equals the zone; None if nothing is certain."""
    if isinstance(zone, zoneinfo.ZoneInfo):
        return _of_zoneinfo(zone)
    kind, modules = type(zone), sys.modules
    if any(kind is _attribute(kind.__module__, name) for name in _FIXED.get(kind.__module__, ())):
        return _of_offset(zone)
    pytz, dateutil = modules.get("pytz"), modules.get("dateutil.tz")
    if pytz is not None and isinstance(zone, pytz.BaseTzInfo):
        # pytz makes a class for each key. A zone has an instance of it for each of its offsets.
        is_pytz = zone is pytz.utc or kind is type(pytz.timezone(str(zone.zone)))
        return _of_key(zone.zone) if is_pytz else None
    if dateutil is not None and kind in (
        dateutil.tzfile,
        _attribute("dateutil.zoneinfo", "tzfile"),
    ):
        key = str(getattr(zone, "_filename", "")).rpartition(_DIRECTORY)[2]
        # dateutil compares all the rules.
        return _of_key(key) if dateutil.gettz(key) == zone else None
    return None


def _attribute(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)


def _of_zoneinfo(zone: zoneinfo.ZoneInfo) -> tzinfo | None:
    kind = type(zone)
    if any(getattr(kind, name) is not getattr(zoneinfo.ZoneInfo, name) for name in _RULES):
        return None
    if not _is_of_key(zone):
        raise NoPlainValue(
            "its tzinfo is a ZoneInfo that was made from a file, whose rules a message can't "
            "carry; use zoneinfo.ZoneInfo with the key of a zone"
        )
    for name in fields(zone, zoneinfo.ZoneInfo):
        raise NoPlainValue(
            f"decoding would lose its tzinfo's attribute {name}; use zoneinfo.ZoneInfo"
        )
    return _of_key(_key(zone))


def _key(zone: zoneinfo.ZoneInfo) -> Any:
    return zoneinfo.ZoneInfo.key.__get__(zone)


def _is_of_key(zone: zoneinfo.ZoneInfo) -> bool:
    """Tell whether a zone was made of its key. One that was made from a file can't be pickled."""
    try:
        zoneinfo.ZoneInfo.__reduce__(zone)
    except PicklingError:
        return False
    return True


def _of_key(key: str) -> tzinfo | None:
    """Give the zone of the key. UTC needs none."""
    if key == "UTC":
        return timezone.utc
    try:
        return zoneinfo.ZoneInfo(key)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return None


def _of_offset(zone: tzinfo) -> tzinfo | None:
    """Give the plain zone of a zone with one offset for all times."""
    offset, name = zone.utcoffset(None), zone.tzname(None)
    assert offset is not None
    if name is None or _SPELLED_OFFSET.fullmatch(name):
        return timezone(offset)
    if offset == timedelta(0) and name == "UTC":
        return timezone.utc
    return timezone(offset, name)


def _name_of(zone: tzinfo) -> str:
    return f"{type(zone).__module__}.{type(zone).__qualname__}"
