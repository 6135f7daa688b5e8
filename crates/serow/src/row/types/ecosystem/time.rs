//! The types of the crate `time`.

use serow_core::layout::{OpResult, Sink, Source};
use serow_core::schema::{Logical, Type};
use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use super::super::times::{ints, joined, logical, nanos, of_nanos, split, utc_nanos, zoned};
use crate::row::{Place, ReadRow, Reading, Row, Writing};

/// The Julian day of 1970-01-01.
const JULIAN_1970: i64 = 2_440_588;

fn time_of(nanos: i128) -> Option<Time> {
    let (seconds, rest) = split(nanos)?;
    let [hour, minute, second] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
    Time::from_hms_nano(hour as u8, minute as u8, second as u8, rest).ok()
}

fn of_midnight(time: Time) -> i128 {
    let (hour, minute, second, rest) = time.as_hms_nano();
    joined(i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second), rest)
}

logical! {
    Date: Date,
        |v| ints([i64::from(v.to_julian_day()) - JULIAN_1970, 0, 0]),
        |v, _| v[0].checked_add(JULIAN_1970)
            .and_then(|day| Date::from_julian_day(i32::try_from(day).ok()?).ok());
    Time: Time, |v| of_nanos(of_midnight(*v), 0), |v, _| time_of(nanos(v));
    PrimitiveDateTime: Timestamp,
        |v| of_nanos(v.assume_utc().unix_timestamp_nanos(), 0),
        |v, _| OffsetDateTime::from_unix_timestamp_nanos(nanos(v)).ok()
            .map(|time| PrimitiveDateTime::new(time.date(), time.time()));
    OffsetDateTime: TimestampTz,
        |v| {
            let offset = i64::from(v.offset().whole_seconds());
            zoned(v.unix_timestamp_nanos() + joined(offset, 0), offset * 1_000_000, "")
        },
        |v, _| (v[2] % 1_000_000 == 0).then_some(()).and_then(|()| {
            let offset = UtcOffset::from_whole_seconds(i32::try_from(v[2] / 1_000_000).ok()?).ok()?;
            let time = OffsetDateTime::from_unix_timestamp_nanos(utc_nanos(v)).ok()?;
            time.checked_to_offset(offset)
        });
    Duration: Duration,
        |v| split(v.whole_nanoseconds()).and_then(|(seconds, rest)| ints([seconds, rest.into(), 0])),
        |v, _| Some(Duration::new(v[0], v[1] as i32));
}
