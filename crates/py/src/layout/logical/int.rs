//! int: Python's `int` of any size.
//!
//! CPython stores the sign and the magnitude in digits of 30 bits. A message has bytes in two's
//! complement. Both start with the lowest part, so one pass converts between them.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::memory;
use serow_core::number::{self, IntBytes, Number};
use serow_core::radix::shorten;

use super::super::offsets::{INT_DIGITS, LENGTH};
use super::super::py_long::Int;
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::classes::Quiet;
use super::{MakeResult, host, made};
use crate::made::{self, Arguments as _, name};

/// How integers of more than 64 bits are read and made.
pub trait LargeInt: Int + Copy {
    /// Stores the shortest two's complement of `object`, which must be an `int`, in `bytes`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_digits(self, object: Object, bytes: &mut Vec<u8>) -> OpResult;

    /// A new reference to the `int` of a two's complement that is not empty and exceeds 64 bits.
    fn make_digits(self, bytes: &[u8]) -> MakeResult;

    /// The value of `object` if it fits in 64 bits, otherwise 0 and its two's complement in
    /// `bytes`; or a type mismatch if it is not an `int`.
    ///
    /// # Safety
    /// `object` must be alive.
    #[inline]
    unsafe fn read_any_int(self, object: Object, bytes: &mut Vec<u8>) -> OpResult<i64> {
        bytes.clear();
        // SAFETY: the object is alive, and its type is checked before its digits are read.
        unsafe {
            match self.read_int(object) {
                Ok(v) => Ok(v),
                Err(_) if is_exactly(object, &raw mut ffi::PyLong_Type) => {
                    self.read_digits(object, bytes)?;
                    Ok(0)
                }
                Err(fault) => Err(fault),
            }
        }
    }

    /// A new reference to the `int` of these components.
    #[inline]
    fn make_any_int(self, v: i64, bytes: &[u8]) -> MakeResult {
        if bytes.is_empty() { made(self.make_int(v)) } else { self.make_digits(bytes) }
    }

    /// The component of an `int` of the type `of`, or a type mismatch. `bytes` is for those of more than 63 bits.
    ///
    /// # Safety
    /// As for [`read_any_int`](Int::read_any_int).
    #[inline]
    unsafe fn read_sized_int(
        self,
        object: Object,
        of: Number,
        bytes: &mut Vec<u8>,
    ) -> OpResult<i64> {
        // SAFETY: the caller's promise.
        let v = unsafe { self.read_any_int(object, bytes) }?;
        component(of, v, bytes)
    }

    /// A new reference to the `int` of the type `of` with this component.
    #[inline]
    fn make_sized_int(self, of: Number, v: i64) -> MakeResult {
        match i64::try_from(of.int_of(v)) {
            Ok(v) => made(self.make_int(v)),
            Err(_) => self.make_digits(IntBytes::of_i128(of.int_of(v)).as_bytes()),
        }
    }
}

/// The component as an integer of the type `of` of one with these components.
pub fn component(of: Number, v: i64, bytes: &[u8]) -> OpResult<i64> {
    let int = match bytes {
        [] => Some(i128::from(v)),
        bytes => match number::Int::of_bytes(bytes) {
            Some(number::Int::U64(v)) => Some(v.into()),
            _ => None,
        },
    };
    // The components of integers beyond 63 bits are negative.
    int.filter(|&int| of.holds(int)).map(|int| int as i64).ok_or(Fault::TypeMismatch)
}

const DIGIT_BITS: u32 = 30;
const DIGIT: u64 = (1 << DIGIT_BITS) - 1;

/// Repacks the bits of a two's complement or a magnitude, lowest first.
struct Bits {
    rest: u64,
    count: u32,
    /// All ones if the bits are to be inverted.
    inverted: u64,
    /// Added to the next digit.
    carry: u64,
}

impl Bits {
    /// Negates the bits if `negative`.
    fn new(negative: bool) -> Bits {
        let inverted = if negative { u64::MAX } else { 0 };
        Bits { rest: 0, count: 0, inverted, carry: u64::from(negative) }
    }

    /// Takes in `width` bits, at most 32.
    fn take(&mut self, bits: u64, width: u32) {
        let mask = (1 << width) - 1;
        let sum = ((bits ^ self.inverted) & mask) + self.carry;
        self.carry = sum >> width;
        self.rest |= (sum & mask) << self.count;
        self.count += width;
    }

    /// Returns the next `width` bits.
    fn give(&mut self, width: u32) -> u64 {
        let given = self.rest & ((1 << width) - 1);
        self.rest >>= width;
        self.count = self.count.saturating_sub(width);
        given
    }
}

impl LargeInt for Direct<'_> {
    unsafe fn read_digits(self, object: Object, bytes: &mut Vec<u8>) -> OpResult {
        // SAFETY: the object is an int with as many digits as its size says.
        let (digits, negative) = unsafe { self.digits_of(object) };
        let mut bits = Bits::new(negative);
        bytes.clear();
        memory::reserve(bytes, digits.len() * 4 + 1)?;
        for &digit in digits {
            bits.take(u64::from(digit), DIGIT_BITS);
            while bits.count >= 8 {
                bytes.push(bits.give(8) as u8);
            }
        }
        // The last byte may have less than eight bits of the digits; fill it with the sign.
        let (left, sign) = (bits.count, if negative { u64::MAX } else { 0 });
        bytes.push((bits.give(8) | sign << left) as u8);
        shorten(bytes);
        Ok(())
    }

    fn make_digits(self, bytes: &[u8]) -> MakeResult {
        let negative = bytes.last().is_some_and(|last| last >> 7 == 1);
        // The magnitude of a negative number may need one bit more than its two's complement, but
        // never more bits than its bytes have.
        let count = (bytes.len() * 8).div_ceil(DIGIT_BITS as usize);
        let Some(size) = count.checked_mul(4).and_then(|size| size.checked_add(INT_DIGITS)) else {
            // SAFETY: the GIL is held.
            return made(unsafe { ffi::PyErr_NoMemory() });
        };
        // SAFETY: nobody else has the object yet, and its size fits all digits.
        unsafe {
            let object = allocate(size, &raw mut ffi::PyLong_Type);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            let digits = object.cast::<u8>().add(INT_DIGITS).cast::<u32>();
            let (mut bits, mut at) = (Bits::new(negative), 0);
            for &byte in bytes {
                bits.take(u64::from(byte), 8);
                if bits.count >= DIGIT_BITS {
                    digits.add(at).write(bits.give(DIGIT_BITS) as u32);
                    at += 1;
                }
            }
            if bits.count > 0 {
                digits.add(at).write((bits.give(DIGIT_BITS) & DIGIT) as u32);
                at += 1;
            }
            while at > 1 && *digits.add(at - 1) == 0 {
                at -= 1;
            }
            self.set_size(object, at, negative);
            Ok(object)
        }
    }
}

impl Direct<'_> {
    /// The digits of an int, and whether it is negative.
    ///
    /// # Safety
    /// `object` must be a live `int`.
    pub unsafe fn digits_of<'a>(self, object: Object) -> (&'a [u32], bool) {
        // SAFETY: the object is an int with as many digits as its size says.
        unsafe {
            let (count, negative) = if self.0.tagged_ints {
                let tag: usize = load(object, LENGTH);
                (tag >> 3, tag & 3 == 2)
            } else {
                let size: isize = load(object, LENGTH);
                (size.unsigned_abs(), size < 0)
            };
            let digits = object.cast::<u8>().add(INT_DIGITS).cast::<u32>();
            (std::slice::from_raw_parts(digits, count), negative)
        }
    }

    /// Sets the number of digits, at least one, and the sign of a new int.
    unsafe fn set_size(self, object: Object, digits: usize, negative: bool) {
        let size = match (self.0.tagged_ints, negative) {
            (true, _) => digits << 3 | if negative { 2 } else { 0 },
            (false, false) => digits,
            (false, true) => digits.wrapping_neg(),
        };
        // SAFETY: nobody else has the object.
        unsafe { store(object, LENGTH, size) };
    }

    /// A new reference to an unsigned `int`; null if there is no memory.
    #[inline]
    pub fn make_unsigned(self, mut v: u128) -> Object {
        // SAFETY: nobody else has the object yet, and its size fits all digits.
        unsafe {
            if let Ok(small) = i64::try_from(v) {
                return self.make_int(small);
            }
            let count = (128 - v.leading_zeros()).div_ceil(DIGIT_BITS) as usize;
            let object = allocate(INT_DIGITS + 4 * count, &raw mut ffi::PyLong_Type);
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            for i in 0..count {
                store(object, INT_DIGITS + 4 * i, (v as u64 & DIGIT) as u32);
                v >>= DIGIT_BITS;
            }
            self.set_size(object, count, false);
            object
        }
    }
}

impl LargeInt for Api<'_> {
    unsafe fn read_digits(self, object: Object, bytes: &mut Vec<u8>) -> OpResult {
        let (py, _quiet) = (self.0, Quiet::new(self.0));
        // SAFETY: the object is alive and an int, whose methods are C code.
        let int = unsafe { Bound::from_borrowed_ptr(py, object) };
        let two_s_complement = || -> PyResult<Vec<u8>> {
            let bits: usize = int.call_method0(name!("bit_length"))?.extract()?;
            let signed = made::dict(py)?;
            signed.set_item(name!("signed"), true)?;
            let args = (bits / 8 + 1, name!("little"));
            let given = int.getattr(name!("to_bytes"))?.call(args.tuple(py)?, Some(&signed))?;
            Ok(given.cast::<PyBytes>()?.as_bytes().to_vec())
        };
        *bytes = host(py, two_s_complement())?;
        shorten(bytes);
        Ok(())
    }

    fn make_digits(self, bytes: &[u8]) -> MakeResult {
        let py = self.0;
        let from_bytes = || -> PyResult<Bound<'_, PyAny>> {
            let signed = made::dict(py)?;
            signed.set_item(name!("signed"), true)?;
            let args = (made::bytes(py, bytes)?, name!("little"));
            let class = py.get_type::<PyInt>();
            class.getattr(name!("from_bytes"))?.call(args.tuple(py)?, Some(&signed))
        };
        Ok(host(py, from_bytes())?.into_ptr())
    }
}
