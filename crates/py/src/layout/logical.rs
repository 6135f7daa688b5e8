//! Types of several components, such as dates and decimals, as Python objects.
//!
//! [`serow_core::schema::logical`] defines the components. Each type has a file with its trait for
//! both kinds of access; this module dispatches on the type. Only instances of the exact classes
//! are accepted: a subclass might add data that would be lost, or code that would run.

mod advice;
mod bytes;
mod classes;
mod complex;
mod counts;
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

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::{Components, ComponentsContext, OpResult, Text};
use serow_core::number::{Number, exact};
use serow_core::schema::logical::{MAX_FLOATS, MAX_INTS};
use serow_core::schema::{Logical, NdArray};

use super::foreign::scalars::{self, ScalarValue};
use super::{Access, Object, is_exactly, nd_arrays};
use crate::made::{Arguments, Calls};
pub use advice::advice;
use classes::{DATE, DECIMAL, TIME, TIMEDELTA, UUID};
pub use classes::{DATETIME, Quiet, look_again, of_module};
pub use counts::{are_counts, count};
pub use date::DAYS;
pub use making::LogicalMaking;
pub use time::Clock;
pub use timestamp::{MOMENTS, clock_of};
pub use zone::prepare_zones;
use zone::{MadeZones, ReadZones};

/// Access to objects of all these types.
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

/// A new reference to an object, or why it could not be made.
pub type MakeResult = Result<Object, Refusal>;

/// Why an object could not be made.
#[derive(Debug)]
pub enum Refusal {
    /// Python raised an exception.
    Raised,
    /// Python lacks such a value; the text says which.
    NoSuchValue(String),
}

/// Python raised an exception.
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

/// For code that reads an object that it has just made: that fails only if Python raises.
impl From<Fault> for Refusal {
    fn from(_: Fault) -> Refusal {
        Refusal::Raised
    }
}

/// Checks a new object: null means that Python raised an exception.
fn made(object: Object) -> MakeResult {
    if object.is_null() { Err(Refusal::Raised) } else { Ok(object) }
}

/// Restores the exception of a pyo3 result.
fn host<T>(py: Python<'_>, result: PyResult<T>) -> Result<T, Raised> {
    result.map_err(|error| {
        error.restore(py);
        Raised
    })
}

/// Calls `class`.
///
/// # Safety
/// `class` must be alive.
unsafe fn call<'py>(py: Python<'py>, class: Object, args: impl Arguments<'py>) -> MakeResult {
    // SAFETY: the caller's promise.
    let class = unsafe { Bound::from_borrowed_ptr(py, class) };
    Ok(host(py, class.call_with(args))?.into_ptr())
}

/// The bytes of a text that is not an entry of a dictionary.
fn plain(text: Text<'_>) -> OpResult<&[u8]> {
    match text {
        Text::Plain(text) => Ok(text.bytes()),
        Text::Entry(_) => Err(Fault::Corrupt("a dictionary has another kind than its column")),
    }
}

/// What becomes of what the times of other languages lack, such as the name of an offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Times {
    /// It is kept, or an error.
    #[default]
    Exact,
    /// It is dropped: [`Logical::portable`].
    Portable,
}

impl Times {
    /// The components of a value, whose bytes are `bytes`.
    #[inline]
    fn of<'a>(self, ty: Logical, ints: &mut [i64; MAX_INTS], bytes: &'a [u8]) -> &'a [u8] {
        match self {
            Times::Exact => bytes,
            Times::Portable => ty.portable(ints, bytes),
        }
    }
}

/// State between values during reading.
pub struct LogicalReading {
    times: Times,
    /// Whether an array that a list would keep may be of type `ndarray`.
    takes_lists: bool,
    scratch: Vec<u8>,
    zones: ReadZones,
    /// Bytes of components that compiled code still uses.
    kept: Vec<Box<[u8]>>,
}

impl LogicalReading {
    pub fn new(times: Times, takes_lists: bool) -> LogicalReading {
        LogicalReading {
            times,
            takes_lists,
            scratch: vec![],
            zones: ReadZones::default(),
            kept: vec![],
        }
    }

    /// The components of `plain`, the value of the scalar `object`, as of the type `ty`.
    ///
    /// # Safety
    /// `object` must be alive and unchanged while the components are used.
    pub unsafe fn of_scalar<A: Access>(
        &mut self,
        access: A,
        (ty, plain): (Logical, ScalarValue),
        object: Object,
    ) -> OpResult<Components<'_>> {
        let LogicalReading { times, scratch, zones, .. } = self;
        let (mut ints, mut floats, mut bytes) = ([0; MAX_INTS], [0.0; MAX_FLOATS], &[][..]);
        // SAFETY: the caller's promise; the int is alive while it is read.
        unsafe {
            match plain {
                ScalarValue::Int(_) | ScalarValue::Large(_) => {
                    let int = match plain {
                        ScalarValue::Int(v) => ffi::PyLong_FromLongLong(v),
                        ScalarValue::Large(v) => ffi::PyLong_FromUnsignedLongLong(v),
                        _ => return Err(Fault::TypeMismatch),
                    };
                    if int.is_null() {
                        return Err(Fault::Host);
                    }
                    let first = access.read_any_int(int, scratch);
                    ffi::Py_DecRef(int);
                    (ints[0], bytes) = (first?, &**scratch);
                    if let Some(of) = ty.sized_int() {
                        (ints[0], bytes) = (int::component(of, ints[0], bytes)?, &[]);
                    }
                }
                ScalarValue::Float(v) if ty == Logical::F32 => floats[0] = single(v)?,
                ScalarValue::Date(days) => ints[0] = days,
                ScalarValue::Duration([seconds, nanoseconds]) => ints = [seconds, nanoseconds, 0],
                ScalarValue::Timestamp(clock) => {
                    ints = [clock.microseconds, clock.rest(), 0];
                    let mut ty = Logical::Timestamp;
                    if !clock.zone.is_null() {
                        ty = Logical::TimestampTz;
                        (ints[2], bytes) = zones.read(access, clock.zone, object, scratch)?;
                    }
                    bytes = times.of(ty, &mut ints, bytes);
                }
                ScalarValue::Bytes => bytes = scalars::bytes(object),
                ScalarValue::Null
                | ScalarValue::Bool(_)
                | ScalarValue::Float(_)
                | ScalarValue::Str => {
                    return Err(Fault::TypeMismatch);
                }
            }
        }
        Ok(Components { ints, floats, bytes: Text::plain(bytes) })
    }

    /// Moves the bytes in `place` to where they stay until [`LogicalReading::forget`].
    ///
    /// # Safety
    /// `place` must hold the components of a value of type `ty`.
    unsafe fn keep(&mut self, ty: Logical, place: &mut ComponentsContext) {
        // The bytes of byte strings are in the objects; the bytes of other types are temporary.
        if place.len > 0 && !matches!(ty, Logical::Bytes | Logical::ByteArray) {
            // SAFETY: the caller's promise.
            let kept: Box<[u8]> =
                unsafe { std::slice::from_raw_parts(place.bytes, place.len) }.into();
            place.bytes = kept.as_ptr();
            self.kept.push(kept);
        }
    }

    /// Frees the bytes that compiled code has used by now.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}

/// Stores the components of `object` in `place`. Returns whether it is of type `ty`. The bytes stay
/// in place until [`LogicalReading::forget`].
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
    // A date has one component, and rows have many dates.
    if ty == Logical::Date {
        // SAFETY: the object is alive, as the caller promises.
        return unsafe { access.read_date(object) }.is_ok_and(|days| place.set_int(days));
    }
    // SAFETY: the caller's promise.
    let is =
        unsafe { read(access, ty, object, reading) }.is_ok_and(|components| place.set(components));
    if is {
        // SAFETY: `read` has just set them.
        unsafe { reading.keep(ty, place) };
    }
    is
}

/// Like [`read_into`], for the value `plain` of the scalar `object`.
///
/// # Safety
/// As for [`read`].
pub unsafe fn scalar_into<A: Access>(
    access: A,
    (ty, plain): (Logical, ScalarValue),
    object: Object,
    reading: &mut LogicalReading,
    place: &mut ComponentsContext,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let is = plain.is_of(ty)
            && reading.of_scalar(access, (ty, plain), object).is_ok_and(|of| place.set(of));
        if is {
            reading.keep(ty, place);
        }
        is
    }
}

/// Whether `object` is of a class of numbers, or of numbers in tuples or frozensets, whose hash is the
/// same in every process.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn may_collide(object: Object) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let builtin = [
            &raw mut ffi::PyLong_Type,
            &raw mut ffi::PyFloat_Type,
            &raw mut ffi::PyComplex_Type,
            &raw mut ffi::PyTuple_Type,
            &raw mut ffi::PyFrozenSet_Type,
        ];
        builtin.into_iter().any(|class| is_exactly(object, class))
            || UUID.is_known_of(object)
            || DECIMAL.is_known_of(object)
            || TIMEDELTA.is_known_of(object)
    }
}

/// Whether `object` is exactly of the class of values of type `ty`.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn is_of_class(py: Python<'_>, object: Object, ty: Logical) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        match ty {
            Logical::F32 => is_exactly(object, &raw mut ffi::PyFloat_Type),
            Logical::Bytes => is_exactly(object, &raw mut ffi::PyBytes_Type),
            Logical::ByteArray => is_exactly(object, &raw mut ffi::PyByteArray_Type),
            Logical::Date => DATE.is_known_of(object),
            Logical::Time | Logical::TimeTz => TIME.is_known_of(object),
            Logical::Timestamp | Logical::TimestampTz => DATETIME.is_known_of(object),
            Logical::Duration => TIMEDELTA.is_known_of(object),
            Logical::Decimal => DECIMAL.is_known_of(object),
            Logical::Uuid => UUID.is_known_of(object),
            Logical::Complex => is_exactly(object, &raw mut ffi::PyComplex_Type),
            Logical::NdArray => nd_arrays::is(py, object),
            _ => is_exactly(object, &raw mut ffi::PyLong_Type),
        }
    }
}

/// Whether `object` is of type `ty`, judged by its class and by whether it has a time zone. Classes
/// that are not known yet don't match.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is<A: Access>(access: A, object: Object, ty: Logical) -> bool {
    let has_zone = |clock: OpResult<Clock>| clock.is_ok_and(|clock| !clock.zone.is_null());
    // SAFETY: the caller's promise.
    unsafe {
        is_of_class(access.py(), object, ty)
            && match ty {
                Logical::Time => !has_zone(access.read_time(object)),
                Logical::TimeTz => has_zone(access.read_time(object)),
                Logical::Timestamp => !has_zone(access.read_timestamp(object)),
                Logical::TimestampTz => has_zone(access.read_timestamp(object)),
                _ => true,
            }
    }
}

/// The logical type of `object`, if it has one and can be encoded.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn type_of<A: Access>(access: A, object: Object) -> Option<Logical> {
    // SAFETY: the caller's promise.
    unsafe {
        // Whether an array is one of these or a list depends on what it holds.
        let is_other = |ty: &Logical| *ty != Logical::NdArray && !ty.is_sized_number();
        let others = || Logical::ALL.into_iter().filter(is_other);
        let find = || others().find(|&ty| is(access, object, ty));
        let ty = find().or_else(|| if look_again(access.py()) { find() } else { None })?;
        let is_sure = !matches!(ty, Logical::TimeTz | Logical::TimestampTz | Logical::Uuid);
        let mut reading = LogicalReading::new(Times::Exact, true);
        if !is_sure && read(access, ty, object, &mut reading).is_err() {
            ffi::PyErr_Clear();
            return None;
        }
        Some(ty)
    }
}

/// Whether the zone of a scalar's value, if it has one, can be read.
///
/// # Safety
/// As for [`type_of`].
pub unsafe fn is_readable<A: Access>(access: A, plain: ScalarValue, object: Object) -> bool {
    let ScalarValue::Timestamp(Clock { zone, .. }) = plain else { return true };
    let mut reading = LogicalReading::new(Times::Exact, true);
    // SAFETY: the caller's promise.
    let is = zone.is_null()
        || unsafe { reading.of_scalar(access, (Logical::TimestampTz, plain), object) }.is_ok();
    if !is {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
    }
    is
}

/// `v`, or a type mismatch if no float of 32 bits equals it.
fn single(v: f64) -> OpResult<f64> {
    exact(v).map(|_| v).ok_or(Fault::TypeMismatch)
}

/// The components of `object`, or a type mismatch if it is not of type `ty`.
///
/// # Safety
/// `object` must be alive and unchanged while the components are used. The objects in it must live
/// as long as `reading`.
pub unsafe fn read<A: Access>(
    access: A,
    ty: Logical,
    object: Object,
    reading: &mut LogicalReading,
) -> OpResult<Components<'_>> {
    let LogicalReading { times, takes_lists, scratch, zones, .. } = reading;
    let mut components = Components::default();
    let bytes: &[u8];
    // SAFETY: the caller's promise.
    unsafe {
        match ty {
            Logical::F32 => {
                components.floats[0] = single(access.read_float(object)?)?;
                return Ok(components);
            }
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
                times.of(ty, &mut components.ints, &[]);
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
            Logical::NdArray if !*takes_lists && !nd_arrays::is_no_list(access.py(), object) => {
                return Err(Fault::TypeMismatch);
            }
            Logical::NdArray => {
                components.ints[0] = nd_arrays::read(access.py(), object, scratch)?;
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
            _ => {
                let of = ty.sized_int().ok_or(Fault::TypeMismatch)?;
                components.ints[0] = access.read_sized_int(object, of, scratch)?;
                return Ok(components);
            }
        }
    }
    ty.check_digits(bytes.len())?;
    let bytes = times.of(ty, &mut components.ints, bytes);
    Ok(Components { bytes: Text::plain(bytes), ..components })
}

/// A new reference to the object of type `ty` with these components and `bytes`.
///
/// # Safety
/// The components must have been checked.
unsafe fn make<A: Access>(
    access: A,
    ty: Logical,
    components: &Components<'_>,
    bytes: &[u8],
    zones: &mut MadeZones,
) -> MakeResult {
    let [first, second, third] = components.ints;
    // SAFETY: the caller's promise.
    unsafe {
        match ty {
            Logical::Int => access.make_any_int(first, bytes),
            Logical::F32 => made(access.make_float(components.floats[0])),
            Logical::Bytes => access.make_bytes(bytes),
            Logical::ByteArray => access.make_bytearray(bytes),
            Logical::Date => access.make_date(first),
            Logical::Time => access.make_time(Clock::of_parts(first, second, null_mut())?),
            Logical::Timestamp => {
                access.make_timestamp(Clock::of_parts(first, second, null_mut())?)
            }
            Logical::TimeTz => {
                let zone = zones.zone(access.py(), third, bytes)?;
                zone.check(access, ffi::Py_None(), third)?;
                access.make_time(Clock::of_parts(first, second, zone.object())?)
            }
            Logical::TimestampTz => {
                let zone = zones.zone(access.py(), third, bytes)?;
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
            Logical::NdArray => {
                nd_arrays::make_lists(access, &NdArray::of_components(first, bytes)?)
            }
            _ => access.make_sized_int(ty.number().unwrap_or(Number::I64), first),
        }
    }
}
