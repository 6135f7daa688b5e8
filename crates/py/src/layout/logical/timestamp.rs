//! timestamp and timestamptz: Python's `datetime.datetime`, without and with a time zone.

use std::ops::RangeInclusive;
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{
    AWARE_DATETIME_SIZE, DATE_FIELDS, DATETIME_FOLD, DATETIME_HASH, DATETIME_SIZE, DATETIME_TIME,
    DATETIME_ZONE, HAS_ZONE,
};
use super::super::{Access, Api, Direct, Object, allocate, is_exactly, load, store};
use super::classes::DATETIME;
use super::date::{DAYS, Day};
use super::time::{Clock, TimeOfDay, fold_and_zone, no_year, zone_and_fold};
use super::{MakeResult, Refusal, host, made};
use crate::made::Arguments as _;

const DAY: i64 = 86_400_000_000;

/// The timestamps of Python's years, in microseconds since 1970-01-01T00:00:00.
pub const MOMENTS: RangeInclusive<i64> = *DAYS.start() * DAY..=(*DAYS.end() + 1) * DAY - 1;

pub trait Timestamp {
    /// The clock reading of `object`, or a type mismatch if it is not a `datetime`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_timestamp(self, object: Object) -> OpResult<Clock>;

    /// A new reference to a `datetime`.
    ///
    /// # Safety
    /// The zone of the clock must be alive or null.
    unsafe fn make_timestamp(self, clock: Clock) -> MakeResult;
}

#[inline]
fn split(microseconds: i64) -> Result<(Day, TimeOfDay), Refusal> {
    match Day::of_days(microseconds.div_euclid(DAY)) {
        Some(day) => Ok((day, TimeOfDay::of_microseconds(microseconds.rem_euclid(DAY)))),
        None => Err(no_year(microseconds.into())),
    }
}

/// The clock reading in the fields of `object`, and the year.
///
/// # Safety
/// `object` must be alive and of a subclass of `datetime`, whose fields must be proven.
#[inline(always)]
pub unsafe fn clock_of(object: Object) -> (Clock, i64) {
    // SAFETY: the caller's promise. It has a zone if its flag says so.
    unsafe {
        let day = Day::of_fields(load(object, DATE_FIELDS));
        let time = TimeOfDay::of_fields(load(object, DATETIME_TIME));
        let has_zone = load::<u8>(object, HAS_ZONE) != 0;
        let clock = Clock {
            microseconds: day.to_days() * DAY + time.to_microseconds(),
            fold: load::<u8>(object, DATETIME_FOLD) != 0,
            zone: if has_zone { load(object, DATETIME_ZONE) } else { null_mut() },
        };
        (clock, day.year.into())
    }
}

impl Timestamp for Direct<'_> {
    #[inline]
    unsafe fn read_timestamp(self, object: Object) -> OpResult<Clock> {
        // SAFETY: the object is alive, and its type is checked before its fields are read. It has a
        // zone if its flag says so.
        unsafe {
            if !is_exactly(object, DATETIME.direct()) {
                return Api(self.1).read_timestamp(object);
            }
            Ok(clock_of(object).0)
        }
    }

    #[inline]
    unsafe fn make_timestamp(self, clock: Clock) -> MakeResult {
        let (ty, has_zone) = (DATETIME.direct(), !clock.zone.is_null());
        // SAFETY: nobody else has the object yet, and all its fields are set. It holds a reference
        // to its zone.
        unsafe {
            if ty.is_null() {
                return Api(self.1).make_timestamp(clock);
            }
            let (day, time) = split(clock.microseconds)?;
            let object = allocate(if has_zone { AWARE_DATETIME_SIZE } else { DATETIME_SIZE }, ty);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            store(object, DATETIME_HASH, [-1isize, 0, 0]);
            store(object, HAS_ZONE, u8::from(has_zone));
            store(object, DATE_FIELDS, day.to_fields());
            store(object, DATETIME_TIME, time.to_fields());
            store(object, DATETIME_FOLD, u8::from(clock.fold));
            if has_zone {
                self.incref(clock.zone);
                store(object, DATETIME_ZONE, clock.zone);
            }
            Ok(object)
        }
    }
}

impl Timestamp for Api<'_> {
    #[cold]
    unsafe fn read_timestamp(self, object: Object) -> OpResult<Clock> {
        let py = self.0;
        // SAFETY: the object is alive and a datetime, whose attributes are C code.
        unsafe {
            if !DATETIME.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            let object = Bound::from_borrowed_ptr(py, object);
            let day = host(py, Day::of_attributes(&object))?;
            let time = host(py, TimeOfDay::of_attributes(&object))?;
            let (fold, zone) = host(py, fold_and_zone(&object))?;
            let microseconds = day.to_days() * DAY + time.to_microseconds();
            Ok(Clock { microseconds, fold, zone })
        }
    }

    unsafe fn make_timestamp(self, clock: Clock) -> MakeResult {
        let (py, class) = (self.0, DATETIME.get(self.0)?);
        let (Day { year, month, day }, time) = split(clock.microseconds)?;
        let TimeOfDay { hour, minute, second, microsecond } = time;
        // SAFETY: the class and the zone are alive.
        let called = unsafe {
            zone_and_fold(py, &clock).and_then(|(zone, fold)| {
                let class = Bound::from_borrowed_ptr(py, class);
                let args = (year, month, day, hour, minute, second, microsecond, zone);
                class.call(args.tuple(py)?, Some(&fold))
            })
        };
        Ok(host(py, called)?.into_ptr())
    }
}
