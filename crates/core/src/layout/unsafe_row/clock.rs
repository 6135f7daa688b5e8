//! What the clocks of this process's time zone show at a moment.
//!
//! The zone is the one that the C library has, since Python's `datetime.fromtimestamp` asks it too; and
//! what is asked of it is the same, so that the second of two equal times is found in the same way.

use std::mem::MaybeUninit;

const DAY: i64 = 86_400;
/// Seconds from 1970 to the end of the year 9999, and to the beginning of the year 1.
pub(super) const END: i64 = 253_402_300_800;
pub(super) const BEGIN: i64 = -62_135_596_800;

/// Days that are kept, each where its number says.
const DAYS: usize = 1024;

/// A day in UTC, and by how much clocks are ahead of it, unless that changes then or has changed the
/// day before.
#[derive(Clone, Copy)]
struct Day {
    number: i64,
    offset: Option<i64>,
}

/// The clocks, and what was found out about them.
#[derive(Default)]
pub struct Clock {
    days: Vec<Day>,
}

impl Clock {
    /// The seconds from 1970-01-01T00:00:00 to what clocks show at a moment that is so many seconds after it in
    /// UTC, and whether they show it for the second time. None if that is in no year from 1 to 9999.
    #[inline]
    pub fn show(&mut self, seconds: i64) -> Option<(i64, bool)> {
        match self.offset(seconds.div_euclid(DAY)) {
            Some(offset) => Some((seconds + offset, false)),
            None => exactly(seconds),
        }
    }

    /// The other way round: the moment at which clocks show so many seconds, which is the C library's
    /// choice where that is so twice or never.
    #[inline]
    pub fn find(&mut self, shown: i64) -> Option<i64> {
        let number = shown.div_euclid(DAY);
        // The day before, the day, and the day after: clocks are less than a day ahead, or behind.
        match (self.offset(number), self.offset(number + 1)) {
            (Some(offset), Some(same)) if offset == same => Some(shown - offset),
            _ => moment(shown),
        }
    }

    /// By how much clocks are ahead on a day and on the one before, if that is always the same.
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

/// By how much clocks are ahead of UTC on a day and on the one before, if that is always the same. It is
/// looked at every six hours; nowhere did clocks change twice in that time.
#[cold]
fn offset_of_day(number: i64) -> Option<i64> {
    let begin = number.checked_sub(1)?.checked_mul(DAY)?;
    let ahead = |seconds| Some(local(seconds)? - seconds);
    let offset = ahead(begin)?;
    let is_same = (1..=8).all(|nth| ahead(begin + nth * DAY / 4) == Some(offset));
    is_same.then_some(offset)
}

/// As Python finds it: where clocks were turned back within the day before, the moment is looked at that lies
/// as much earlier.
#[cold]
fn exactly(seconds: i64) -> Option<(i64, bool)> {
    let shown = local(seconds)?;
    let turned = shown - local(seconds - DAY)? - DAY;
    let again = turned < 0 && local(seconds + turned)? == shown;
    Some((shown, again))
}

/// A moment at which clocks show so many seconds, as `mktime` finds it.
#[cold]
fn moment(shown: i64) -> Option<i64> {
    let (day, of_day) = (shown.div_euclid(DAY), shown.rem_euclid(DAY));
    // `mktime` takes any day of a month: January 1st, and so many days after it.
    let mut fields = libc::tm {
        tm_year: 70,
        tm_mon: 0,
        tm_mday: i32::try_from(day + 1).ok()?,
        tm_hour: (of_day / 3600) as i32,
        tm_min: (of_day / 60 % 60) as i32,
        tm_sec: (of_day % 60) as i32,
        // Whether it is summer is not known; that there is an error is seen by the day of the week.
        tm_isdst: -1,
        tm_wday: -1,
        tm_yday: 0,
        tm_gmtoff: 0,
        tm_zone: std::ptr::null(),
    };
    // SAFETY: the fields are ours, and the function may change them.
    let moment = unsafe { libc::mktime(&mut fields) };
    (fields.tm_wday >= 0).then_some(moment)
}

/// What clocks show.
fn local(seconds: i64) -> Option<i64> {
    // No zone is two days off, and so no sum overflows.
    if !(BEGIN - 2 * DAY..END + 2 * DAY).contains(&seconds) {
        return None;
    }
    let mut fields = MaybeUninit::<libc::tm>::zeroed();
    // SAFETY: both places are ours; the function fills in the second or gives null.
    let fields = unsafe {
        if libc::localtime_r(&seconds, fields.as_mut_ptr()).is_null() {
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
    // A leap second is the one before it once more.
    Some(days * DAY + of_day + i64::from(fields.tm_sec).min(59))
}
