//! Verifies, on real objects, that direct access reads and makes the same as the C API. This runs
//! for a class when it is first used, because `import serow` does not load its module.

use std::ptr::null_mut;

use pyo3::Python;
use pyo3::ffi;

use super::super::offsets::{
    AWARE_DATETIME_SIZE, AWARE_TIME_SIZE, DATE_SIZE, DECIMAL_SIZE, TIMEDELTA_SIZE, TIMEZONE_SIZE,
    UUID_INT, UUID_IS_SAFE,
};
use super::super::proof::{Owned, equal};
use super::super::{Api, Direct, Object, load};
use super::MakeResult;
use super::classes::{DATE, DATETIME, DECIMAL, LazyClass, TIME, TIMEDELTA, TIMEZONE, UUID};
use super::date::Date;
use super::decimal::Decimal;
use super::duration::Duration;
use super::time::{Clock, Time};
use super::timestamp::Timestamp;
use super::uuid::{self, Uuid};
use super::zone::{MadeZones, TimeZone};
use crate::made::name;

/// For classes without direct access.
///
/// # Safety
/// None; the signature is that of all proofs.
pub unsafe fn has_no_fields(_: Direct<'_>) -> bool {
    false
}

/// Whether both kinds of access make objects that are equal, have the same hash, and can be freed.
unsafe fn alike(a: MakeResult, b: MakeResult, reads: impl FnOnce(Object, Object) -> bool) -> bool {
    let (Ok(a), Ok(b)) = (a, b) else {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
        return false;
    };
    let (a, b) = (Owned(a), Owned(b));
    // SAFETY: both are alive, and C code compares and hashes them.
    unsafe {
        equal(a.0, b.0) && ffi::PyObject_Hash(a.0) == ffi::PyObject_Hash(b.0) && reads(a.0, b.0)
    }
}

/// Whether instances of `class` have this size.
unsafe fn has_size(direct: Direct<'_>, class: &LazyClass, size: usize) -> bool {
    // SAFETY: the class is known.
    unsafe { direct.is_of_size(class.known(), size) }
}

/// Dates.
///
/// # Safety
/// As for all proofs: the class must be known and marked as proven.
pub unsafe fn dates(direct: Direct<'_>) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        has_size(direct, &DATE, DATE_SIZE)
            && [-719_162, -1, 0, 59, 11_016, 19_782, 2_932_896].into_iter().all(|days| {
                alike(Api(direct.1).make_date(days), direct.make_date(days), |a, b| {
                    direct.read_date(a) == Ok(days) && Api(direct.1).read_date(b) == Ok(days)
                })
            })
    }
}

/// Clocks with and without a zone and a fold.
fn clocks(py: Python<'_>, times: &[i64], proof: &dyn Fn(Clock) -> bool) -> bool {
    let mut zones = MadeZones::default();
    let Ok(utc) = zones.zone(py, 0, b"") else { return false };
    times.iter().all(|&microseconds| {
        [(false, null_mut()), (true, null_mut()), (false, utc.object()), (true, utc.object())]
            .into_iter()
            .all(|(fold, zone)| proof(Clock { microseconds, fold, zone }))
    })
}

/// Times.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn times(direct: Direct<'_>) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        has_size(direct, &TIME, AWARE_TIME_SIZE)
            && clocks(direct.1, &[0, 1, 3_723_000_004, 86_399_999_999], &|clock| {
                alike(Api(direct.1).make_time(clock), direct.make_time(clock), |a, b| {
                    direct.read_time(a) == Ok(clock) && Api(direct.1).read_time(b) == Ok(clock)
                })
            })
    }
}

/// Datetimes.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn datetimes(direct: Direct<'_>) -> bool {
    let times = [-62_135_596_800_000_000, -1, 0, 1_709_251_199_000_001, 253_402_300_799_999_999];
    // SAFETY: the caller's promise.
    unsafe {
        has_size(direct, &DATETIME, AWARE_DATETIME_SIZE)
            && clocks(direct.1, &times, &|clock| {
                alike(Api(direct.1).make_timestamp(clock), direct.make_timestamp(clock), |a, b| {
                    direct.read_timestamp(a) == Ok(clock)
                        && Api(direct.1).read_timestamp(b) == Ok(clock)
                })
            })
    }
}

/// Timedeltas.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn timedeltas(direct: Direct<'_>) -> bool {
    let day = 86_400;
    let components = [[0, 0], [-1, 999_999_000], [day + 1, 2_000], [-999_999_999 * day, 0]];
    // SAFETY: the caller's promise.
    unsafe {
        has_size(direct, &TIMEDELTA, TIMEDELTA_SIZE)
            && components.into_iter().all(|components| {
                alike(
                    Api(direct.1).make_duration(components),
                    direct.make_duration(components),
                    |a, b| {
                        direct.read_duration(a) == Ok(components)
                            && Api(direct.1).read_duration(b) == Ok(components)
                    },
                )
            })
    }
}

/// Timezones, which direct access only reads.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn timezones(direct: Direct<'_>) -> bool {
    let mut zones = MadeZones::default();
    // SAFETY: the caller's promise; the zone is alive while it is read.
    unsafe {
        has_size(direct, &TIMEZONE, TIMEZONE_SIZE)
            && [(0, &b""[..]), (3_600_000_000, b""), (-1, b"=x")].into_iter().all(
                |(offset, name)| {
                    zones.zone(direct.1, offset, name).is_ok_and(|zone| {
                        let read = direct.read_timezone(zone.object());
                        read.is_ok() && read == Api(direct.1).read_timezone(zone.object())
                    })
                },
            )
    }
}

/// Decimals.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn decimals(direct: Direct<'_>) -> bool {
    let finite = ["0", "-0E+3", "1.50", "-9223372036854775808E-7", "12345678901234567890"];
    let longer = ["-99999999999999999999999999999999999999E400", "1E+75", "1234567890E-999"];
    let not_finite = ["Infinity", "-NaN", "sNaN0012345678901234567890"];
    let same_parts = |text: &&str, is_made: bool| {
        // SAFETY: the caller's promise; the class is alive, as it is to be proven.
        let made = unsafe { super::call(direct.1, DECIMAL.known(), (*text,)) };
        let Ok(object) = made.map(Owned) else { return false };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // SAFETY: the caller's promise.
        unsafe {
            let ints = direct.read_decimal(object.0, &mut a);
            let same =
                ints.is_ok() && Api(direct.1).read_decimal(object.0, &mut b) == ints && a == b;
            let Ok(ints) = ints else { return false };
            same && (!is_made
                || alike(
                    Api(direct.1).make_decimal(ints, &a),
                    direct.make_decimal(ints, &a),
                    |x, y| {
                        equal(x, object.0)
                            && Api(direct.1).read_decimal(y, &mut b) == Ok(ints)
                            && a == b
                    },
                ))
        }
    };
    let before = refcount(&DECIMAL);
    // SAFETY: the class is known.
    let has_size = unsafe { has_size(direct, &DECIMAL, DECIMAL_SIZE) };
    has_size
        && finite.iter().chain(&longer).all(|text| same_parts(text, true))
        && not_finite.iter().all(|text| same_parts(text, false))
        && refcount(&DECIMAL) == before
}

/// UUIDs. The C API does not make any here, because it would call their Python class.
///
/// # Safety
/// As for [`dates`].
pub unsafe fn uuids(direct: Direct<'_>) -> bool {
    let before = refcount(&UUID);
    let size = uuid::SIZES[usize::from(direct.0.immortal)];
    // SAFETY: the caller's promise. An object of that size contains both slots.
    unsafe {
        has_size(direct, &UUID, size)
            && uuid::prepare(direct.1)
            && [0, 1, 1 << 63, 1 << 64, u128::MAX, u128::MAX - 1].into_iter().all(|bits| {
                let Ok(made) = direct.make_uuid(bits).map(Owned) else { return false };
                let int = uuid::slot(direct.1, made.0, name!("int"));
                int == load(made.0, UUID_INT)
                    && uuid::slot(direct.1, made.0, name!("is_safe")) == load(made.0, UUID_IS_SAFE)
                    && Api(direct.1).read_uuid(made.0) == Ok(bits)
                    && direct.read_uuid(made.0) == Ok(bits)
            })
            && refcount(&UUID) == before
    }
}

/// The reference count of a class; its instances may hold references to it.
fn refcount(class: &LazyClass) -> isize {
    // SAFETY: the class is known, and the GIL is held.
    unsafe { ffi::Py_REFCNT(class.known()) }
}
