//! duration: Python's `datetime.timedelta`.

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{DATETIME_HASH, TIMEDELTA_FIELDS, TIMEDELTA_SIZE};
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::classes::TIMEDELTA;
use super::time::DROP_NANOSECONDS;
use super::{MakeResult, Refusal, host, made};
use crate::made::name;

const DAY: i64 = 86_400;
const MOST_DAYS: i64 = 999_999_999;
const MICROSECOND: i64 = 1_000;

pub trait Duration {
    /// The seconds of `object`, rounded down, and the remaining nanoseconds; or a type mismatch if
    /// it is not a `timedelta`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_duration(self, object: Object) -> OpResult<[i64; 2]>;

    /// A new reference to a `timedelta`.
    fn make_duration(self, components: [i64; 2]) -> MakeResult;
}

/// Days, seconds and microseconds of a `timedelta`. Only the days can be negative.
type Fields = [i32; 3];

#[inline]
fn components([days, seconds, microseconds]: Fields) -> [i64; 2] {
    [i64::from(days) * DAY + i64::from(seconds), i64::from(microseconds) * MICROSECOND]
}

/// Its fields, if Python has such a `timedelta`.
#[inline]
pub fn fields([seconds, nanoseconds]: [i64; 2]) -> Result<Fields, Refusal> {
    let days = seconds.div_euclid(DAY);
    let is_in_range = (-MOST_DAYS..=MOST_DAYS).contains(&days);
    if !is_in_range || nanoseconds % MICROSECOND != 0 {
        let what = format!(
            "Python's timedelta has microseconds and at most {MOST_DAYS} days, but this duration is \
             {seconds} seconds and {nanoseconds} nanoseconds"
        );
        let advice = if is_in_range { format!("; {DROP_NANOSECONDS}") } else { String::new() };
        return Err(Refusal::NoSuchValue(what + &advice));
    }
    let seconds = seconds.rem_euclid(DAY);
    Ok([days as i32, seconds as i32, (nanoseconds / MICROSECOND) as i32])
}

impl Duration for Direct<'_> {
    #[inline]
    unsafe fn read_duration(self, object: Object) -> OpResult<[i64; 2]> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, TIMEDELTA.direct()) {
                return Api(self.1).read_duration(object);
            }
            Ok(components(load(object, TIMEDELTA_FIELDS)))
        }
    }

    #[inline]
    fn make_duration(self, components: [i64; 2]) -> MakeResult {
        let ty = TIMEDELTA.direct();
        // SAFETY: nobody else has the object yet, and all its fields are set.
        unsafe {
            if ty.is_null() {
                return Api(self.1).make_duration(components);
            }
            let fields = fields(components)?;
            let object = allocate(TIMEDELTA_SIZE, ty);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            store(object, DATETIME_HASH, -1isize);
            store(object, TIMEDELTA_FIELDS, fields);
            Ok(object)
        }
    }
}

impl Duration for Api<'_> {
    #[cold]
    unsafe fn read_duration(self, object: Object) -> OpResult<[i64; 2]> {
        let py = self.0;
        // SAFETY: the object is alive and a timedelta, whose attributes are C code.
        let object = unsafe {
            if !TIMEDELTA.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            Bound::from_borrowed_ptr(py, object)
        };
        let fields = || -> PyResult<Fields> {
            Ok([
                object.getattr(name!("days"))?.extract()?,
                object.getattr(name!("seconds"))?.extract()?,
                object.getattr(name!("microseconds"))?.extract()?,
            ])
        };
        Ok(components(host(py, fields())?))
    }

    fn make_duration(self, components: [i64; 2]) -> MakeResult {
        let [days, seconds, microseconds] = fields(components)?;
        // SAFETY: the class is alive, and the GIL is held.
        unsafe { super::call(self.0, TIMEDELTA.get(self.0)?, (days, seconds, microseconds)) }
    }
}
