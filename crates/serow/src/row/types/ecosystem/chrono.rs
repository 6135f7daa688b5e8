//! chrono's types. A leap second has no place in the rows: it is an error.

use chrono::{
    DateTime, Duration, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike, Utc,
};
use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Logical, Type};

use super::super::times::{ints, joined, logical, nanos, of_nanos, split, utc_nanos, zoned};
use crate::row::{Place, ReadRow, Reading, Row, Writing};

/// Days from the first day of chrono's calendar to 1970-01-01.
const DAYS_TO_1970: i64 = 719_163;

fn date_of(days: i64) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(days.checked_add(DAYS_TO_1970)?).ok()?)
}

/// The nanoseconds since 1970 of a clock, unless it is at a leap second.
fn clock(time: &NaiveDateTime) -> Option<i128> {
    let is_leap = time.nanosecond() >= 1_000_000_000;
    (!is_leap).then(|| joined(time.and_utc().timestamp(), time.nanosecond()))
}

fn clock_of(nanos: i128) -> Option<NaiveDateTime> {
    let (seconds, rest) = split(nanos)?;
    DateTime::from_timestamp(seconds, rest).map(|time| time.naive_utc())
}

fn offset_of(micros: i64) -> Option<FixedOffset> {
    let seconds = i32::try_from(micros / 1_000_000).ok()?;
    FixedOffset::east_opt(seconds).filter(|_| micros % 1_000_000 == 0)
}

logical! {
    NaiveDate: Date,
        |v| ints([i64::from(chrono::Datelike::num_days_from_ce(v)) - DAYS_TO_1970, 0, 0]),
        |v, _| date_of(v[0]);
    NaiveTime: Time,
        |v| match v.nanosecond() < 1_000_000_000 {
            true => of_nanos(joined(v.num_seconds_from_midnight().into(), v.nanosecond()), 0),
            false => None,
        },
        |v, _| split(nanos(v)).and_then(|(seconds, rest)| {
            NaiveTime::from_num_seconds_from_midnight_opt(seconds as u32, rest)
        });
    NaiveDateTime: Timestamp,
        |v| clock(v).and_then(|nanos| of_nanos(nanos, 0)),
        |v, _| clock_of(nanos(v));
    DateTime<Utc>: TimestampTz,
        |v| clock(&v.naive_utc()).and_then(|nanos| zoned(nanos, 0, "")),
        |v, _| clock_of(utc_nanos(v)).map(|time| time.and_utc());
    DateTime<FixedOffset>: TimestampTz,
        |v| clock(&v.naive_local()).and_then(|nanos| {
            zoned(nanos, i64::from(v.offset().local_minus_utc()) * 1_000_000, "")
        }),
        |v, _| offset_of(v[2]).and_then(|offset| {
            Some(offset.from_utc_datetime(&clock_of(utc_nanos(v))?))
        });
    Duration: Duration,
        |v| {
            let behind = i64::from(v.subsec_nanos() < 0);
            let rest = i64::from(v.subsec_nanos()) + behind * 1_000_000_000;
            ints([v.num_seconds() - behind, rest, 0])
        },
        |v, _| Duration::new(v[0], v[1] as u32);
}
