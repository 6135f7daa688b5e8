//! date: Python's `datetime.date`, and the calendar that timestamps use too.

use std::ops::RangeInclusive;

use pyo3::prelude::*;
use serow_core::calendar;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{DATE_FIELDS, DATE_SIZE, DATETIME_HASH};
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::classes::DATE;
use super::{MakeResult, Refusal, host, made};
use crate::made::name;

/// The days of Python's years, from 0001-01-01 to 9999-12-31, in days since 1970-01-01.
pub const DAYS: RangeInclusive<i64> = -719_162..=2_932_896;

/// A day in the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

impl Day {
    /// Days since 1970-01-01.
    #[inline]
    pub fn to_days(self) -> i64 {
        calendar::days_of(self.year.into(), self.month, self.day)
    }

    /// The day that is `days` after 1970-01-01, if it is in Python's range.
    #[inline]
    pub fn of_days(days: i64) -> Option<Day> {
        let (year, month, day) = DAYS.contains(&days).then(|| calendar::date_of(days))??;
        Some(Day { year: year as u16, month, day })
    }

    /// The day of four bytes in CPython's order: the year's high and low byte, month, day.
    #[inline]
    pub fn of_fields([high, low, month, day]: [u8; 4]) -> Day {
        Day { year: u16::from_be_bytes([high, low]), month, day }
    }

    /// The inverse of [`Day::of_fields`].
    #[inline]
    pub fn to_fields(self) -> [u8; 4] {
        let [high, low] = self.year.to_be_bytes();
        [high, low, self.month, self.day]
    }

    /// The day from the attributes of a date or datetime.
    pub fn of_attributes(object: &Bound<'_, PyAny>) -> PyResult<Day> {
        Ok(Day {
            year: object.getattr(name!("year"))?.extract()?,
            month: object.getattr(name!("month"))?.extract()?,
            day: object.getattr(name!("day"))?.extract()?,
        })
    }
}

/// How dates are read and made, as days since 1970-01-01.
pub trait Date {
    /// The days of `object`, or a type mismatch if it is not a `date`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_date(self, object: Object) -> OpResult<i64>;

    /// A new reference to a `date`.
    fn make_date(self, days: i64) -> MakeResult;
}

pub fn day(days: i64) -> Result<Day, Refusal> {
    Day::of_days(days).ok_or_else(|| {
        Refusal::NoSuchValue(format!(
            "Python's years are 1 to 9999, and this date is {days} days from 1970-01-01"
        ))
    })
}

impl Date for Direct<'_> {
    #[inline]
    unsafe fn read_date(self, object: Object) -> OpResult<i64> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, DATE.direct()) {
                return Api(self.1).read_date(object);
            }
            Ok(Day::of_fields(load(object, DATE_FIELDS)).to_days())
        }
    }

    #[inline]
    fn make_date(self, days: i64) -> MakeResult {
        let ty = DATE.direct();
        // SAFETY: nobody else has the object yet, and all its fields are set.
        unsafe {
            if ty.is_null() {
                return Api(self.1).make_date(days);
            }
            let fields = day(days)?.to_fields();
            let object = allocate(DATE_SIZE, ty);
            if object.is_null() {
                return made(pyo3::ffi::PyErr_NoMemory());
            }
            store(object, DATETIME_HASH, [-1isize, 0]);
            store(object, DATE_FIELDS, fields);
            Ok(object)
        }
    }
}

impl Date for Api<'_> {
    #[cold]
    unsafe fn read_date(self, object: Object) -> OpResult<i64> {
        let py = self.0;
        // SAFETY: the object is alive and a date, whose attributes are C code.
        unsafe {
            if !DATE.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            let object = Bound::from_borrowed_ptr(py, object);
            Ok(host(py, Day::of_attributes(&object))?.to_days())
        }
    }

    fn make_date(self, days: i64) -> MakeResult {
        let Day { year, month, day } = day(days)?;
        // SAFETY: the class is alive, and the GIL is held.
        unsafe { super::call(self.0, DATE.get(self.0)?, (year, month, day)) }
    }
}
