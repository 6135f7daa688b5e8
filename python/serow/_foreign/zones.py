"""Replaces the zones of `pytz`, `dateutil` and other libraries by plain zones.

A foreign zone may have the key of a zone, or one offset for all times. The plain zone must give the
same offset at the value's own time.
"""

import zoneinfo
from datetime import datetime, time, timedelta, timezone, tzinfo
from typing import Any

from serow._foreign.results import NoPlainValue

_DIRECTORY = "/zoneinfo/"


def has_foreign_zone(value: Any) -> bool:
    """Tell whether the value is a `datetime` or `time` with a zone that has no type in rows."""
    if type(value) is not datetime and type(value) is not time:
        return False
    return value.tzinfo is not None and type(value.tzinfo) not in (timezone, zoneinfo.ZoneInfo)


def with_plain_zone(value: datetime | time) -> datetime | time:
    """Give the same clock time with a plain zone.

    Raises `NoPlainValue` if there is none.
    """
    zone = value.tzinfo
    assert zone is not None
    try:
        offset = value.utcoffset()
        plain = _of_key(zone) or _of_offset(zone)
        if plain is not None:
            for fold in (value.fold, 1 - value.fold):
                same = value.replace(tzinfo=plain, fold=fold)
                if same.utcoffset() == offset:
                    return same
    except Exception as why:
        raise NoPlainValue(f"its tzinfo raises {type(why).__name__}: {why}") from why
    raise NoPlainValue(
        f"no plain zone equals its tzinfo, which is a {_name_of(zone)}; use datetime.timezone, or "
        "zoneinfo.ZoneInfo with the key of a zone"
    )


def _of_key(zone: tzinfo) -> tzinfo | None:
    """Give the zone with the same key. UTC needs none."""
    for name in ("key", "zone", "_filename"):
        key = getattr(zone, name, None)
        if type(key) is str:
            key = key.rpartition(_DIRECTORY)[2]
            if key == "UTC":
                return timezone.utc
            try:
                return zoneinfo.ZoneInfo(key)
            except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
                return None
    return None


def _of_offset(zone: tzinfo) -> tzinfo | None:
    offset = zone.utcoffset(None)
    if offset is None:
        return None
    try:
        name = zone.tzname(None)
    except NotImplementedError:
        name = None
    if offset == timedelta(0) and name in (None, "UTC"):
        return timezone.utc
    plain = timezone(offset)
    return plain if name is None or name == plain.tzname(None) else timezone(offset, name)


def _name_of(zone: tzinfo) -> str:
    return f"{type(zone).__module__}.{type(zone).__qualname__}"
