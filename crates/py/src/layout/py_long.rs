//! i64: the digits of Python's `int`. Sinks of core (`wire::row::writer`, `layout::batch`) write them as bytes.

use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::offsets::{INT_DIGITS, LENGTH};
use super::{Access, Api, Direct, Object, allocate, is_exactly, load, store};

pub trait Int {
    /// The value of `object`, or a type mismatch if it is not an `int` of at most 64 bits.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_int(self, object: Object) -> OpResult<i64>;

    /// A new reference to an `int`; null if there is no memory.
    fn make_int(self, v: i64) -> Object;
}

const DIGIT_BITS: u32 = 30;
const DIGIT: u64 = (1 << DIGIT_BITS) - 1;

impl Int for Direct<'_> {
    #[inline(always)]
    unsafe fn read_int(self, object: Object) -> OpResult<i64> {
        // SAFETY: the object is alive, and its type is checked before its fields are read; its tag
        // or size tells how many digits it has.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyLong_Type) {
                return Err(Fault::TypeMismatch);
            }
            let (digits, sign) = if self.0.tagged_ints {
                let tag: usize = load(object, LENGTH);
                (tag >> 3, 1 - (tag & 3) as i64)
            } else {
                let size: isize = load(object, LENGTH);
                (size.unsigned_abs(), size.signum() as i64)
            };
            let first = || i64::from(load::<u32>(object, INT_DIGITS));
            match digits {
                0 => Ok(0),
                1 => Ok(sign * first()),
                2 => {
                    let second = i64::from(load::<u32>(object, INT_DIGITS + 4));
                    Ok(sign * (second << DIGIT_BITS | first()))
                }
                _ => read_large(object),
            }
        }
    }

    #[inline(always)]
    fn make_int(self, v: i64) -> Object {
        // SAFETY: nobody else has the object yet, and its size fits its digits.
        unsafe {
            if (SMALLEST..=self.0.largest_int).contains(&v) {
                let small = small_ints(self.1).0[(v - SMALLEST) as usize];
                self.incref(small);
                return small;
            }
            let mut rest = v.unsigned_abs();
            let digits = match rest {
                0..=DIGIT => 1,
                _ => (64 - rest.leading_zeros()).div_ceil(DIGIT_BITS) as usize,
            };
            let object = allocate(INT_DIGITS + 4 * digits.max(2), &raw mut ffi::PyLong_Type);
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            let size = if self.0.tagged_ints {
                (digits << 3 | if v < 0 { 2 } else { 0 }) as isize
            } else {
                digits as isize * v.signum() as isize
            };
            store(object, LENGTH, size);
            for i in 0..digits {
                store(object, INT_DIGITS + 4 * i, (rest & DIGIT) as u32);
                rest >>= DIGIT_BITS;
            }
            object
        }
    }
}

impl Int for Api<'_> {
    unsafe fn read_int(self, object: Object) -> OpResult<i64> {
        // SAFETY: the object is alive.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyLong_Type) {
                read_large(object)
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    fn make_int(self, v: i64) -> Object {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyLong_FromLongLong(v) }
    }
}

/// The value of an int of any size, or a type mismatch beyond 64 bits.
///
/// # Safety
/// `object` must be a live `int`.
#[cold]
unsafe fn read_large(object: Object) -> OpResult<i64> {
    let mut overflow = 0;
    // SAFETY: for an int, the only error is overflow.
    let v = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow) };
    if overflow == 0 { Ok(v) } else { Err(Fault::TypeMismatch) }
}

/// The smallest of the integers that CPython keeps as singletons. [`Offsets`](super::Offsets) has the
/// largest.
pub const SMALLEST: i64 = -5;
/// The largest in any version.
const LARGEST: i64 = 1024;

struct SmallInts([Object; (LARGEST - SMALLEST + 1) as usize]);

// SAFETY: the objects live as long as the interpreter, and are only used with the GIL held.
unsafe impl Send for SmallInts {}
// SAFETY: the caller's promise.
unsafe impl Sync for SmallInts {}

/// The address of the table of these objects, from [`SMALLEST`] on.
pub fn small_int_table(py: Python<'_>) -> *const Object {
    small_ints(py).0.as_ptr()
}

#[inline(always)]
fn small_ints(_py: Python<'_>) -> &'static SmallInts {
    static SMALL: OnceLock<SmallInts> = OnceLock::new();
    SMALL.get_or_init(|| {
        // SAFETY: the GIL is held, as the token says. The references are never released.
        SmallInts(std::array::from_fn(|i| unsafe { ffi::PyLong_FromLongLong(i as i64 + SMALLEST) }))
    })
}
