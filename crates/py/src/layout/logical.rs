//! Values that are made of parts: dates, decimals and the like, as Python objects.
//!
//! What the parts mean is told by [`serow_core::schema::logical`]. Each type has its file, with its
//! trait and both ways of access; here a type's number leads to them. Only objects of the very classes
//! are taken. What a subclass adds would be lost, and its code might run.

mod advice;
mod bytes;
mod classes;
mod complex;
mod date;
mod decimal;
mod duration;
mod instance;
mod int;
mod intern_cache;
mod making;
mod proof;
mod time;
mod timestamp;
mod uuid;
mod zone;

use std::ptr::null_mut;

use pyo3::call::PyCallArgs;
use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::{Components, ComponentsContext, OpResult, Text};
use serow_core::schema::Logical;

use super::{Access, Object, is_exactly};
pub use advice::advice;
use classes::{DATE, DATETIME, DECIMAL, TIME, TIMEDELTA, UUID};
pub use classes::{Quiet, look_again, of_module};
pub use making::LogicalMaking;
use time::Clock;
use zone::{MadeZones, ReadZones};

/// A way to read and make all of them.
pub trait Composite:
    int::LargeInt
    + bytes::Bytes
    + date::Date
    + time::Time
    + timestamp::Timestamp
    + zone::TimeZone
    + duration::Duration
    + decimal::Decimal
    + uuid::Uuid
    + complex::Complex
{
}

impl<A> Composite for A where
    A: int::LargeInt
        + bytes::Bytes
        + date::Date
        + time::Time
        + timestamp::Timestamp
        + zone::TimeZone
        + duration::Duration
        + decimal::Decimal
        + uuid::Uuid
        + complex::Complex
{
}

/// A new reference to what was made.
pub type MakeResult = Result<Object, Refusal>;

/// Why an object was not made of parts.
#[derive(Debug)]
pub enum Refusal {
    /// Python has raised an error.
    Raised,
    /// Python has no such value; this says what it is.
    NoSuchValue(String),
}

/// Python has raised an error.
struct Raised;

impl From<Raised> for Fault {
    fn from(_: Raised) -> Fault {
        Fault::Host
    }
}

impl From<Raised> for Refusal {
    fn from(_: Raised) -> Refusal {
        Refusal::Raised
    }
}

/// What is read again from an object that was made can't be refused but for what Python raised.
impl From<Fault> for Refusal {
    fn from(_: Fault) -> Refusal {
        Refusal::Raised
    }
}

/// What was made, or that Python raised an error if it is null.
fn made(object: Object) -> MakeResult {
    if object.is_null() { Err(Refusal::Raised) } else { Ok(object) }
}

/// The token of the interpreter, which whoever reads or makes objects holds.
fn python() -> Python<'static> {
    // SAFETY: the GIL is held, as every function that touches objects asks for.
    unsafe { Python::assume_attached() }
}

/// A result of pyo3's, of which the error is set as Python's own.
fn host<T>(py: Python<'_>, result: PyResult<T>) -> Result<T, Raised> {
    result.map_err(|error| {
        error.restore(py);
        Raised
    })
}

/// What `class`, which is alive, gives when it is called.
fn call<'py>(class: Object, args: impl PyCallArgs<'py>) -> MakeResult {
    let py = python();
    // SAFETY: the class is alive.
    let class = unsafe { Bound::from_borrowed_ptr(py, class) };
    Ok(host(py, class.call1(args))?.into_ptr())
}

/// The bytes of a text that is no entry of a dictionary.
fn plain(text: Text<'_>) -> OpResult<&[u8]> {
    match text {
        Text::Plain { bytes, .. } => Ok(bytes),
        Text::Entry(_) => Err(Fault::Corrupt("a dictionary is not of its column's kind")),
    }
}

/// What is kept from one value to the next while rows are read.
#[derive(Default)]
pub struct LogicalReading {
    scratch: Vec<u8>,
    zones: ReadZones,
    /// The bytes that were read for compiled code.
    kept: Vec<Box<[u8]>>,
}

impl LogicalReading {
    /// Let go of what was read for compiled code, which has been taken from it.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}

/// Put the parts of `object` into `place`, and say whether it is of type `ty`. The bytes stay where
/// they are until `reading` forgets them.
///
/// # Safety
/// As for [`read`].
pub unsafe fn read_into<A: Access>(
    access: A,
    ty: Logical,
    object: Object,
    reading: &mut LogicalReading,
    place: &mut ComponentsContext,
) -> bool {
    // SAFETY: as above.
    let is =
        unsafe { read(access, ty, object, reading) }.is_ok_and(|components| place.set(components));
    // Those of a byte string are the object's own; others are made for the value.
    if is && place.len > 0 && !matches!(ty, Logical::Bytes | Logical::ByteArray) {
        // SAFETY: they were read just now.
        let bytes = unsafe { std::slice::from_raw_parts(place.bytes, place.len) };
        let kept: Box<[u8]> = bytes.into();
        place.bytes = kept.as_ptr();
        reading.kept.push(kept);
    }
    is
}

/// Whether `object` is of a type, as far as its class tells and whether it has a time zone; only of
/// classes that are known.
///
/// # Safety
/// `object` must be alive and the GIL be held.
pub unsafe fn is<A: Access>(access: A, object: Object, ty: Logical) -> bool {
    let has_zone = |clock: OpResult<Clock>| clock.is_ok_and(|clock| !clock.zone.is_null());
    // SAFETY: as above.
    unsafe {
        match ty {
            Logical::Int => is_exactly(object, &raw mut ffi::PyLong_Type),
            Logical::Bytes => is_exactly(object, &raw mut ffi::PyBytes_Type),
            Logical::ByteArray => is_exactly(object, &raw mut ffi::PyByteArray_Type),
            Logical::Date => DATE.is_known_of(object),
            Logical::Time => TIME.is_known_of(object) && !has_zone(access.read_time(object)),
            Logical::TimeTz => TIME.is_known_of(object) && has_zone(access.read_time(object)),
            Logical::Timestamp => {
                DATETIME.is_known_of(object) && !has_zone(access.read_timestamp(object))
            }
            Logical::TimestampTz => {
                DATETIME.is_known_of(object) && has_zone(access.read_timestamp(object))
            }
            Logical::Duration => TIMEDELTA.is_known_of(object),
            Logical::Decimal => DECIMAL.is_known_of(object),
            Logical::Uuid => UUID.is_known_of(object),
            Logical::Complex => is_exactly(object, &raw mut ffi::PyComplex_Type),
        }
    }
}

/// The type of `object`, if it has one of these and can be encoded.
///
/// # Safety
/// `object` must be alive and the GIL be held.
pub unsafe fn type_of<A: Access>(access: A, object: Object) -> Option<Logical> {
    // SAFETY: as above.
    unsafe {
        let find = || Logical::ALL.into_iter().find(|&ty| is(access, object, ty));
        let ty = find().or_else(|| if look_again() { find() } else { None })?;
        let is_sure = !matches!(ty, Logical::TimeTz | Logical::TimestampTz | Logical::Uuid);
        if !is_sure && read(access, ty, object, &mut LogicalReading::default()).is_err() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(ty)
    }
}

/// The parts of `object`; a misfit if it is not of type `ty`.
///
/// # Safety
/// `object` must be alive and unchanged as long as the parts are used, what it holds as long as
/// `reading` is, and the GIL be held.
pub unsafe fn read<A: Access>(
    access: A,
    ty: Logical,
    object: Object,
    reading: &mut LogicalReading,
) -> OpResult<Components<'_>> {
    let LogicalReading { scratch, zones, .. } = reading;
    let mut components = Components::default();
    let bytes: &[u8];
    // SAFETY: as above.
    unsafe {
        match ty {
            Logical::Date => {
                components.ints[0] = access.read_date(object)?;
                return Ok(components);
            }
            Logical::Time | Logical::Timestamp => {
                let clock = match ty {
                    Logical::Time => access.read_time(object)?,
                    _ => access.read_timestamp(object)?,
                };
                if !clock.zone.is_null() {
                    return Err(Fault::TypeMismatch);
                }
                components.ints = [clock.microseconds, clock.rest(), 0];
                return Ok(components);
            }
            Logical::Duration => {
                let [seconds, nanoseconds] = access.read_duration(object)?;
                components.ints = [seconds, nanoseconds, 0];
                return Ok(components);
            }
            Logical::Uuid => {
                let bits = access.read_uuid(object)?;
                components.ints = [(bits >> 64) as i64, bits as i64, 0];
                return Ok(components);
            }
            Logical::Complex => {
                components.floats = access.read_complex(object)?;
                return Ok(components);
            }
            Logical::Int => {
                components.ints[0] = access.read_any_int(object, scratch)?;
                bytes = scratch;
            }
            Logical::Bytes => bytes = access.read_bytes(object)?,
            Logical::ByteArray => bytes = access.read_bytearray(object)?,
            Logical::Decimal => {
                let [first, second] = access.read_decimal(object, scratch)?;
                components.ints = [first, second, 0];
                bytes = scratch;
            }
            Logical::TimeTz | Logical::TimestampTz => {
                let (clock, moment) = match ty {
                    Logical::TimeTz => (access.read_time(object)?, ffi::Py_None()),
                    _ => (access.read_timestamp(object)?, object),
                };
                if clock.zone.is_null() {
                    return Err(Fault::TypeMismatch);
                }
                let offset;
                (offset, bytes) = zones.read(access, clock.zone, moment, scratch)?;
                components.ints = [clock.microseconds, clock.rest(), offset];
            }
        }
    }
    Ok(Components { bytes: Text::Plain { bytes, ascii: false }, ..components })
}

/// A new reference to the object of type `ty` of these parts, of which the bytes are `bytes`.
///
/// # Safety
/// The parts must be those of a value, and the GIL be held.
unsafe fn make<A: Access>(
    access: A,
    ty: Logical,
    components: &Components<'_>,
    bytes: &[u8],
    zones: &mut MadeZones,
) -> MakeResult {
    let [first, second, third] = components.ints;
    // SAFETY: as above.
    unsafe {
        match ty {
            Logical::Int => access.make_any_int(first, bytes),
            Logical::Bytes => access.make_bytes(bytes),
            Logical::ByteArray => access.make_bytearray(bytes),
            Logical::Date => access.make_date(first),
            Logical::Time => access.make_time(Clock::of_parts(first, second, null_mut())?),
            Logical::Timestamp => {
                access.make_timestamp(Clock::of_parts(first, second, null_mut())?)
            }
            Logical::TimeTz => {
                let zone = zones.zone(third, bytes)?;
                zone.check(access, ffi::Py_None(), third)?;
                access.make_time(Clock::of_parts(first, second, zone.object())?)
            }
            Logical::TimestampTz => {
                let zone = zones.zone(third, bytes)?;
                let clock = Clock::of_parts(first, second, zone.object())?;
                let object = access.make_timestamp(clock)?;
                if let Err(refusal) = zone.check(access, object, third) {
                    ffi::Py_DecRef(object);
                    return Err(refusal);
                }
                Ok(object)
            }
            Logical::Duration => access.make_duration([first, second]),
            Logical::Decimal => access.make_decimal([first, second], bytes),
            Logical::Uuid => {
                let bits = u128::from(first as u64) << 64 | u128::from(second as u64);
                access.make_uuid(bits)
            }
            Logical::Complex => access.make_complex(components.floats),
        }
    }
}
