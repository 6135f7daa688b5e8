//! The local time of this process's time zone.
//!
//! The zone is the C library's, because Python's `datetime.fromtimestamp` uses it too. The calls
//! are the same as Python's, so that the second of two equal times is found in the same way.

use std::mem::MaybeUninit;

#[cfg(unix)]
use libc::mktime;

#[cfg(windows)]
unsafe extern "C" {
    #[link_name = "_mktime64"]
    fn mktime(fields: *mut libc::tm) -> i64;
}

const DAY: i64 = 86_400;
/// Seconds from 1970 to the end of the year 9999, and to the start of the year 1.
pub(super) const END: i64 = 253_402_300_800;
pub(super) const BEGIN: i64 = -62_135_596_800;

/// The number of days in the cache. A day's number determines its index.
const DAYS: usize = 1024;

/// A day in UTC, and the offset of local time. There is no offset if it changes on that day or the
/// day before.
#[derive(Clone, Copy)]
struct Day {
    number: i64,
    offset: Option<i64>,
}

/// Local time, with a cache of days.
#[derive(Default)]
pub struct Clock {
    days: Vec<Day>,
}

impl Clock {
    /// Converts seconds since 1970-01-01T00:00:00 UTC to local seconds since 1970-01-01T00:00:00,
    /// and tells whether this local time occurs for the second time. `None` if the year is not from
    /// 1 to 9999.
    #[inline]
    pub fn show(&mut self, seconds: i64) -> Option<(i64, bool)> {
        match self.offset(seconds.div_euclid(DAY)) {
            Some(offset) => Some((seconds + offset, false)),
            None => exactly(seconds),
        }
    }

    /// Converts local seconds to seconds in UTC. If the local time occurs twice or never, the C
    /// library chooses.
    #[inline]
    pub fn find(&mut self, shown: i64) -> Option<i64> {
        let number = shown.div_euclid(DAY);
        // The three days around it: local time differs from UTC by less than a day.
        match (self.offset(number), self.offset(number + 1)) {
            (Some(offset), Some(same)) if offset == same => Some(shown - offset),
            _ => moment(shown),
        }
    }

    /// Returns the offset of local time, if it is the same on the whole day and the day before.
    #[inline]
    fn offset(&mut self, number: i64) -> Option<i64> {
        if self.days.is_empty() {
            self.days = vec![Day { number: i64::MIN, offset: None }; DAYS];
        }
        let day = &mut self.days[number.rem_euclid(DAYS as i64) as usize];
        if day.number != number {
            *day = Day { number, offset: offset_of_day(number) };
        }
        day.offset
    }
}

/// Computes the offset of local time, if it is the same on the whole day and the day before. This
/// checks every six hours. No zone ever changed twice in that time.
#[cold]
fn offset_of_day(number: i64) -> Option<i64> {
    let begin = number.checked_sub(1)?.checked_mul(DAY)?;
    let ahead = |seconds| Some(local(seconds)? - seconds);
    let offset = ahead(begin)?;
    let is_same = (1..=8).all(|nth| ahead(begin + nth * DAY / 4) == Some(offset));
    is_same.then_some(offset)
}

/// Converts a moment as Python does: if clocks were turned back within the day before, it checks
/// the moment that much earlier.
#[cold]
fn exactly(seconds: i64) -> Option<(i64, bool)> {
    let shown = local(seconds)?;
    let turned = shown - local(seconds - DAY)? - DAY;
    let again = turned < 0 && local(seconds + turned)? == shown;
    Some((shown, again))
}

/// Converts local seconds to UTC as `mktime` does.
#[cold]
fn moment(shown: i64) -> Option<i64> {
    let (day, of_day) = (shown.div_euclid(DAY), shown.rem_euclid(DAY));
    // `mktime` accepts any day of a month: January 1st plus a number of days.
    // SAFETY: all fields may be zero.
    let mut fields: libc::tm = unsafe { MaybeUninit::zeroed().assume_init() };
    fields.tm_year = 70;
    fields.tm_mday = i32::try_from(day + 1).ok()?;
    fields.tm_hour = (of_day / 3600) as i32;
    fields.tm_min = (of_day / 60 % 60) as i32;
    fields.tm_sec = (of_day % 60) as i32;
    // Summer time is unknown. The day of the week shows whether there was an error.
    fields.tm_isdst = -1;
    fields.tm_wday = -1;
    // SAFETY: the fields are local, and the function may change them.
    let moment = unsafe { mktime(&mut fields) };
    (fields.tm_wday >= 0).then_some(moment)
}

/// Converts UTC to local seconds.
fn local(seconds: i64) -> Option<i64> {
    // No zone is two days off, so no sum overflows.
    if !(BEGIN - 2 * DAY..END + 2 * DAY).contains(&seconds) {
        return None;
    }
    let mut fields = MaybeUninit::<libc::tm>::zeroed();
    // SAFETY: both places are local. The function fills in the second one or returns null.
    let fields = unsafe {
        #[cfg(unix)]
        let failed = libc::localtime_r(&seconds, fields.as_mut_ptr()).is_null();
        #[cfg(windows)]
        let failed = libc::localtime_s(fields.as_mut_ptr(), &seconds) != 0;
        if failed {
            return None;
        }
        fields.assume_init()
    };
    let year = i64::from(fields.tm_year) + 1900;
    if !(1..=9999).contains(&year) {
        return None;
    }
    let leap_days = |year: i64| year / 4 - year / 100 + year / 400;
    let days = 365 * (year - 1970) + leap_days(year - 1) - leap_days(1969);
    let days = days + i64::from(fields.tm_yday);
    let of_day = (i64::from(fields.tm_hour) * 60 + i64::from(fields.tm_min)) * 60;
    // A leap second repeats the second before it.
    Some(days * DAY + of_day + i64::from(fields.tm_sec).min(59))
}
