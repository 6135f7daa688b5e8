//! time and timetz: Python's `datetime.time`, without and with a time zone; and times of day, which
//! timestamps use too.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::logical;

use super::super::offsets::{
    AWARE_TIME_SIZE, DATETIME_HASH, HAS_ZONE, TIME_FIELDS, TIME_FOLD, TIME_SIZE, TIME_ZONE,
};
use super::super::{Access, Api, Direct, Object, allocate, is_exactly, load, store};
use super::classes::TIME;
use super::{MakeResult, Refusal, host, made};
use crate::made::{self, Arguments as _, Made, name};

const SECOND: i64 = 1_000_000;

/// A clock reading: microseconds since midnight, or since 1970-01-01T00:00:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub microseconds: i64,
    /// Whether it is the second of two equal readings after clocks were turned back.
    pub fold: bool,
    /// The `tzinfo`, borrowed from the object that has it, or null.
    pub zone: Object,
}

impl Clock {
    /// The component `rest`: the nanoseconds and the fold.
    pub fn rest(self) -> i64 {
        i64::from(self.fold)
    }

    /// The clock of components that have been checked.
    ///
    /// # Errors
    /// If there are nanoseconds beyond the microseconds, or more microseconds than 64 bits hold.
    #[inline]
    pub fn of_parts(microseconds: i64, rest: i64, zone: Object) -> Result<Clock, Refusal> {
        match rest {
            0 | 1 => Ok(Clock { microseconds, fold: rest == 1, zone }),
            _ => Err(beyond(microseconds, rest)),
        }
    }
}

/// The refusal of a time that no class of Python holds.
#[cold]
fn beyond(first: i64, rest: i64) -> Refusal {
    let microseconds = logical::microseconds(first, rest);
    if microseconds != i128::from(first) {
        return no_year(microseconds);
    }
    Refusal::NoSuchValue(format!(
        "Python's times have microseconds, but this one has {} more nanoseconds; {DROP_NANOSECONDS}",
        logical::nanoseconds(rest)
    ))
}

/// What to do about nanoseconds.
pub const DROP_NANOSECONDS: &str = "times='portable' drops them, as an argument of loads, from_arrow, \
                                    Codec or Reader, and so does the writer's in Java, Times.PORTABLE";

/// The refusal of a timestamp outside Python's years.
#[cold]
pub fn no_year(microseconds: i128) -> Refusal {
    Refusal::NoSuchValue(format!(
        "Python's years are 1 to 9999, but this timestamp is {microseconds} microseconds from \
         1970-01-01"
    ))
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay {
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub microsecond: u32,
}

impl TimeOfDay {
    /// The microseconds since midnight.
    #[inline]
    pub fn to_microseconds(self) -> i64 {
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute);
        (minutes * 60 + i64::from(self.second)) * SECOND + i64::from(self.microsecond)
    }

    /// The time that is `microseconds`, less than a day, after midnight.
    #[inline]
    pub fn of_microseconds(microseconds: i64) -> TimeOfDay {
        // Division of 32-bit integers is faster.
        let (seconds, microsecond) = ((microseconds / SECOND) as u32, microseconds % SECOND);
        let minutes = seconds / 60;
        TimeOfDay {
            hour: (minutes / 60) as u8,
            minute: (minutes % 60) as u8,
            second: (seconds % 60) as u8,
            microsecond: microsecond as u32,
        }
    }

    /// The time of six bytes in CPython's order: hour, minute, second, microseconds big-endian.
    #[inline]
    pub fn of_fields([hour, minute, second, high, middle, low]: [u8; 6]) -> TimeOfDay {
        let microsecond = u32::from_be_bytes([0, high, middle, low]);
        TimeOfDay { hour, minute, second, microsecond }
    }

    /// The inverse of [`TimeOfDay::of_fields`].
    #[inline]
    pub fn to_fields(self) -> [u8; 6] {
        let [_, high, middle, low] = self.microsecond.to_be_bytes();
        [self.hour, self.minute, self.second, high, middle, low]
    }

    /// The time from the attributes of a time or datetime.
    pub fn of_attributes(object: &Bound<'_, PyAny>) -> PyResult<TimeOfDay> {
        Ok(TimeOfDay {
            hour: object.getattr(name!("hour"))?.extract()?,
            minute: object.getattr(name!("minute"))?.extract()?,
            second: object.getattr(name!("second"))?.extract()?,
            microsecond: object.getattr(name!("microsecond"))?.extract()?,
        })
    }
}

/// The fold and the tzinfo from the attributes of a time or datetime.
pub fn fold_and_zone(object: &Bound<'_, PyAny>) -> PyResult<(bool, Object)> {
    let fold: u8 = object.getattr(name!("fold"))?.extract()?;
    let zone = object.getattr(name!("tzinfo"))?;
    // `object` holds a reference to it.
    Ok((fold == 1, if zone.is_none() { null_mut() } else { zone.as_ptr() }))
}

/// The last arguments for the constructor of a time or datetime: its zone, and its fold as a
/// keyword.
///
/// # Safety
/// The zone must be alive or null.
pub unsafe fn zone_and_fold<'py>(
    py: Python<'py>,
    clock: &Clock,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyDict>)> {
    let zone = match clock.zone {
        zone if zone.is_null() => py.None().into_bound(py),
        // SAFETY: the zone is alive.
        zone => unsafe { Bound::from_borrowed_ptr(py, zone) },
    };
    let fold = made::dict(py)?;
    fold.set_item(name!("fold"), Made(u8::from(clock.fold)))?;
    Ok((zone, fold))
}

/// How times of day are read and made.
pub trait Time {
    /// The clock reading of `object`, or a type mismatch if it is not a `time`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_time(self, object: Object) -> OpResult<Clock>;

    /// A new reference to a `time`. The clock must be within a day.
    ///
    /// # Safety
    /// The zone of the clock must be alive or null.
    unsafe fn make_time(self, clock: Clock) -> MakeResult;
}

impl Time for Direct<'_> {
    #[inline]
    unsafe fn read_time(self, object: Object) -> OpResult<Clock> {
        // SAFETY: the object is alive, and its type is checked before its fields are read. It has a
        // zone if its flag says so.
        unsafe {
            if !is_exactly(object, TIME.direct()) {
                return Api(self.1).read_time(object);
            }
            let has_zone = load::<u8>(object, HAS_ZONE) != 0;
            Ok(Clock {
                microseconds: TimeOfDay::of_fields(load(object, TIME_FIELDS)).to_microseconds(),
                fold: load::<u8>(object, TIME_FOLD) != 0,
                zone: if has_zone { load(object, TIME_ZONE) } else { null_mut() },
            })
        }
    }

    #[inline]
    unsafe fn make_time(self, clock: Clock) -> MakeResult {
        let (ty, has_zone) = (TIME.direct(), !clock.zone.is_null());
        // SAFETY: nobody else has the object yet, and all its fields are set. It holds a reference
        // to its zone.
        unsafe {
            if ty.is_null() {
                return Api(self.1).make_time(clock);
            }
            let object = allocate(if has_zone { AWARE_TIME_SIZE } else { TIME_SIZE }, ty);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            store(object, DATETIME_HASH, [-1isize, 0]);
            store(object, HAS_ZONE, u8::from(has_zone));
            store(object, TIME_FIELDS, TimeOfDay::of_microseconds(clock.microseconds).to_fields());
            store(object, TIME_FOLD, u8::from(clock.fold));
            if has_zone {
                self.incref(clock.zone);
                store(object, TIME_ZONE, clock.zone);
            }
            Ok(object)
        }
    }
}

impl Time for Api<'_> {
    #[cold]
    unsafe fn read_time(self, object: Object) -> OpResult<Clock> {
        let py = self.0;
        // SAFETY: the object is alive and a time, whose attributes are C code.
        unsafe {
            if !TIME.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            let object = Bound::from_borrowed_ptr(py, object);
            let microseconds = host(py, TimeOfDay::of_attributes(&object))?.to_microseconds();
            let (fold, zone) = host(py, fold_and_zone(&object))?;
            Ok(Clock { microseconds, fold, zone })
        }
    }

    unsafe fn make_time(self, clock: Clock) -> MakeResult {
        let (py, class) = (self.0, TIME.get(self.0)?);
        let TimeOfDay { hour, minute, second, microsecond } =
            TimeOfDay::of_microseconds(clock.microseconds);
        // SAFETY: the class and the zone are alive.
        let called = unsafe {
            zone_and_fold(py, &clock).and_then(|(zone, fold)| {
                let class = Bound::from_borrowed_ptr(py, class);
                class.call((hour, minute, second, microsecond, zone).tuple(py)?, Some(&fold))
            })
        };
        Ok(host(py, called)?.into_ptr())
    }
}
