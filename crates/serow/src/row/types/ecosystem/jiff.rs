//! jiff's types.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};
use serow_core::calendar;
use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Logical, Type};

use super::super::times::{ints, joined, logical, nanos, of_nanos, split, utc_nanos, zoned};
use crate::row::{Place, ReadRow, Reading, Row, Writing};

const DAY: i128 = 86_400_000_000_000;

fn days(date: Date) -> i64 {
    calendar::days_of(date.year().into(), date.month() as u8, date.day() as u8)
}

fn date_of(days: i64) -> Option<Date> {
    let (year, month, day) = calendar::date_of(days)?;
    Date::new(i16::try_from(year).ok()?, month as i8, day as i8).ok()
}

/// The nanoseconds since midnight.
fn of_midnight(time: Time) -> i128 {
    let [hour, minute, second] = [time.hour(), time.minute(), time.second()].map(i64::from);
    joined(hour * 3600 + minute * 60 + second, time.subsec_nanosecond() as u32)
}

fn time_of(nanos: i128) -> Option<Time> {
    let (seconds, rest) = split(nanos)?;
    let [hour, minute, second] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    Time::new(hour as i8, minute as i8, second as i8, rest as i32).ok()
}

fn offset_of(micros: i64) -> Option<Offset> {
    let seconds = i32::try_from(micros / 1_000_000).ok()?;
    Offset::from_seconds(seconds).ok().filter(|_| micros % 1_000_000 == 0)
}

/// The zone of a time: one with rules, or an offset.
fn zone_of(zone: &[u8], offset: i64) -> Option<TimeZone> {
    match zone {
        [] | [b'=', ..] => offset_of(offset).map(TimeZone::fixed),
        key => TimeZone::get(std::str::from_utf8(key).ok()?).ok(),
    }
}

logical! {
    Date: Date, |v| ints([days(*v), 0, 0]), |v, _| date_of(v[0]);
    Time: Time, |v| of_nanos(of_midnight(*v), 0), |v, _| time_of(nanos(v));
    DateTime: Timestamp,
        |v| of_nanos(i128::from(days(v.date())) * DAY + of_midnight(v.time()), 0),
        |v, _| {
            let nanos = nanos(v);
            let date = date_of(i64::try_from(nanos.div_euclid(DAY)).ok()?)?;
            Some(date.to_datetime(time_of(nanos.rem_euclid(DAY))?))
        };
    Timestamp: TimestampTz,
        |v| zoned(v.as_nanosecond(), 0, ""),
        |v, _| Timestamp::from_nanosecond(utc_nanos(v)).ok();
    Zoned: TimestampTz,
        |v| {
            let offset = i64::from(v.offset().seconds());
            let zone = v.time_zone().iana_name().unwrap_or_default();
            zoned(v.timestamp().as_nanosecond() + joined(offset, 0), offset * 1_000_000, zone)
        },
        |v, zone| zone_of(zone, v[2])
            .and_then(|zone| Some(Timestamp::from_nanosecond(utc_nanos(v)).ok()?.to_zoned(zone)));
    SignedDuration: Duration,
        |v| split(v.as_nanos()).and_then(|(seconds, rest)| ints([seconds, rest.into(), 0])),
        |v, _| Some(SignedDuration::new(v[0], v[1] as i32));
}
