//! decimal: Python's `decimal.Decimal`, of any precision.
//!
//! CPython's decimals are those of libmpdec: a sign, an exponent, and a coefficient in words of
//! base 10^19, up to four of them in the object itself. Direct access loads and stores these.
//! Through the C API, `as_tuple` takes a decimal apart, and text makes one.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::limits::MAX_DIGITS;
use serow_core::radix::{
    self, Binary, DIGITS, TEN_19, magnitude, push_digits, shorten, two_s_complement,
};
use serow_core::schema::logical::{DecimalKind, NotFinite, TOO_MANY_DIGITS};

use super::super::offsets::{
    DECIMAL_ALLOCATED, DECIMAL_COUNT, DECIMAL_DIGITS, DECIMAL_EXPONENT, DECIMAL_FLAGS,
    DECIMAL_HASH, DECIMAL_OWN, DECIMAL_SIZE, DECIMAL_WORDS, OWN_WORDS,
};
use super::super::{Api, Direct, Object, is_exactly, load, store};
use super::classes::{DECIMAL, Quiet};
use super::{MakeResult, Refusal, host, made};
use crate::made::name;

/// The largest adjusted exponent (`decimal.MAX_EMAX`) and the smallest exponent (`MIN_EMIN -
/// (MAX_PREC - 1)`) on 64-bit machines.
const MOST: i64 = 999_999_999_999_999_999;
const LEAST: i64 = -2 * MOST + 1;

const NEGATIVE: u8 = 1;
const INFINITY: u8 = 2;
const NAN: u8 = 4;
const SIGNALLING: u8 = 8;
/// libmpdec frees neither the number nor its words.
const OWNED: u8 = 16 | 32;

pub trait Decimal {
    /// The two integers of `object`, and its coefficient in `bytes`; or a type mismatch if it is
    /// not a `Decimal`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_decimal(self, object: Object, bytes: &mut Vec<u8>) -> OpResult<[i64; 2]>;

    /// A new reference to a `Decimal` from components that have been checked.
    fn make_decimal(self, ints: [i64; 2], bytes: &[u8]) -> MakeResult;
}

/// The components of a finite decimal.
fn finite(
    negative: bool,
    exponent: i64,
    coefficient: &[u64],
    bytes: &mut Vec<u8>,
) -> OpResult<[i64; 2]> {
    bytes.clear();
    if coefficient.len() > MAX_DIGITS.div_ceil(DIGITS) {
        return Err(TOO_MANY_DIGITS);
    }
    let (kind, small) = match *coefficient {
        [] | [0] if negative => (DecimalKind::NegativeZero, 0),
        [] => (DecimalKind::Small, 0),
        [low] => kind_of(negative, low.into(), bytes),
        [low, high] if high < TEN_19 => {
            kind_of(negative, i128::from(high) * i128::from(TEN_19) + i128::from(low), bytes)
        }
        ref words => {
            let words = radix::convert::<radix::Decimal, Binary>(words);
            two_s_complement(negative, &words, bytes);
            (DecimalKind::Large, 0)
        }
    };
    // CPython makes no decimal whose exponent does not fit.
    Ok([kind.join(exponent).ok_or(Fault::TypeMismatch)?, small])
}

#[inline]
fn kind_of(negative: bool, magnitude: i128, bytes: &mut Vec<u8>) -> (DecimalKind, i64) {
    let coefficient = if negative { -magnitude } else { magnitude };
    match i64::try_from(coefficient) {
        Ok(small) => (DecimalKind::Small, small),
        Err(_) => {
            bytes.extend(coefficient.to_le_bytes());
            shorten(bytes);
            (DecimalKind::Large, 0)
        }
    }
}

fn number_of_digits(words: &[u64]) -> usize {
    words.split_last().map_or(1, |(last, rest)| {
        rest.len() * DIGITS + last.checked_ilog10().map_or(1, |log| log as usize + 1)
    })
}

/// Checks that Python allows a decimal of this exponent and number of digits.
#[inline]
fn check(exponent: i64, digits: usize) -> Result<(), Refusal> {
    if exponent >= LEAST && exponent.saturating_add(digits as i64 - 1) <= MOST {
        return Ok(());
    }
    Err(Refusal::NoSuchValue(format!(
        "Python's decimals range from 1E{LEAST} to 9.9E+{MOST}, but this one has the exponent \
         {exponent} and {digits} digits"
    )))
}

impl Decimal for Direct<'_> {
    #[inline]
    unsafe fn read_decimal(self, object: Object, bytes: &mut Vec<u8>) -> OpResult<[i64; 2]> {
        // SAFETY: the object is alive, and its type is checked before its fields are read. It has
        // as many words as its count says.
        unsafe {
            if !is_exactly(object, DECIMAL.direct()) {
                return Api(self.1).read_decimal(object, bytes);
            }
            let flags: u8 = load(object, DECIMAL_FLAGS);
            let count: usize = load(object, DECIMAL_COUNT);
            let words = std::slice::from_raw_parts(load(object, DECIMAL_WORDS), count);
            let negative = flags & NEGATIVE != 0;
            if flags & (INFINITY | NAN | SIGNALLING) == 0 {
                return finite(negative, load(object, DECIMAL_EXPONENT), words, bytes);
            }
            let nan = flags & INFINITY == 0;
            bytes.clear();
            if nan && !matches!(words, [] | [0]) {
                let mut payload = String::new();
                push_digits(words, &mut payload);
                bytes.extend(payload.bytes());
            }
            let signalling = flags & SIGNALLING != 0;
            Ok(not_finite(NotFinite { nan, signalling, negative }))
        }
    }

    #[inline]
    fn make_decimal(self, ints: [i64; 2], bytes: &[u8]) -> MakeResult {
        let ty = DECIMAL.direct();
        if ty.is_null() {
            return Api(self.1).make_decimal(ints, bytes);
        }
        let (kind, exponent) = DecimalKind::split(ints[0]);
        let mut one = [0];
        let (negative, words): (bool, &[u64]) = match kind {
            DecimalKind::Small => {
                one[0] = ints[1].unsigned_abs();
                (ints[1] < 0, &one)
            }
            DecimalKind::NegativeZero => (true, &one),
            DecimalKind::Large if bytes.len() <= OWN_WORDS * 8 => {
                let (negative, words) = magnitude(bytes);
                if words.len() > OWN_WORDS {
                    return Api(self.1).make_decimal(ints, bytes);
                }
                // SAFETY: the GIL is held.
                return unsafe { self.store_decimal(ty, exponent, negative, &words) };
            }
            DecimalKind::Large | DecimalKind::NotFinite => {
                return Api(self.1).make_decimal(ints, bytes);
            }
        };
        // SAFETY: the GIL is held.
        unsafe { self.store_decimal(ty, exponent, negative, words) }
    }
}

impl Direct<'_> {
    /// A new reference to a finite decimal of one to four words.
    #[inline]
    unsafe fn store_decimal(
        self,
        ty: *mut ffi::PyTypeObject,
        exponent: i64,
        negative: bool,
        words: &[u64],
    ) -> MakeResult {
        let digits = number_of_digits(words);
        check(exponent, digits)?;
        // SAFETY: nobody else has the object yet, and all its fields are set; it has space for four
        // words. The garbage collector need not know it, because it refers to no other object.
        unsafe {
            let object = self.instance(ty, DECIMAL_SIZE);
            if object.is_null() {
                return made(object);
            }
            let own = object.cast::<u8>().add(DECIMAL_OWN).cast::<u64>();
            store(object, DECIMAL_HASH, -1isize);
            store(object, DECIMAL_FLAGS, OWNED | if negative { NEGATIVE } else { 0 });
            store(object, DECIMAL_EXPONENT, exponent);
            store(object, DECIMAL_DIGITS, digits);
            store(object, DECIMAL_COUNT, words.len());
            store(object, DECIMAL_ALLOCATED, OWN_WORDS);
            store(object, DECIMAL_WORDS, own);
            own.copy_from_nonoverlapping(words.as_ptr(), words.len());
            Ok(object)
        }
    }
}

fn not_finite(what: NotFinite) -> [i64; 2] {
    [DecimalKind::NotFinite as i64, what.join()]
}

impl Decimal for Api<'_> {
    #[cold]
    unsafe fn read_decimal(self, object: Object, bytes: &mut Vec<u8>) -> OpResult<[i64; 2]> {
        let (py, _quiet) = (self.0, Quiet::new(self.0));
        // SAFETY: the object is alive and a decimal, whose methods are C code.
        let object = unsafe {
            if !DECIMAL.is_of(self.0, object) {
                return Err(Fault::TypeMismatch);
            }
            Bound::from_borrowed_ptr(py, object)
        };
        let parts = || -> PyResult<(bool, Vec<u8>, Bound<'_, PyAny>)> {
            let tuple = object.call_method0(name!("as_tuple"))?.cast_into::<PyTuple>()?;
            let negative = tuple.get_item(0)?.extract::<u8>()? == 1;
            let digits = tuple.get_item(1)?.cast_into::<PyTuple>()?;
            let digits = digits.iter().map(|digit| digit.extract()).collect::<PyResult<_>>()?;
            Ok((negative, digits, tuple.get_item(2)?))
        };
        let (negative, digits, exponent) = host(py, parts())?;
        if let Ok(exponent) = exponent.extract::<i64>() {
            let skip = digits.iter().take_while(|&&digit| digit == 0).count();
            let words: Vec<u64> = digits[skip..]
                .rchunks(DIGITS)
                .map(|chunk| chunk.iter().fold(0, |word, &digit| word * 10 + u64::from(digit)))
                .collect();
            return finite(negative, exponent, &words, bytes);
        }
        let kind: String = host(py, exponent.extract())?;
        bytes.clear();
        let nan = kind != "F";
        if nan {
            bytes.extend(digits.iter().skip_while(|&&digit| digit == 0).map(|digit| b'0' + digit));
        }
        Ok(not_finite(NotFinite { nan, signalling: kind == "N", negative }))
    }

    fn make_decimal(self, ints: [i64; 2], bytes: &[u8]) -> MakeResult {
        let (kind, exponent) = DecimalKind::split(ints[0]);
        let (negative, words) = match kind {
            DecimalKind::Small => {
                let magnitude = ints[1].unsigned_abs();
                (ints[1] < 0, if magnitude == 0 { vec![] } else { vec![magnitude] })
            }
            DecimalKind::NegativeZero => (true, vec![]),
            DecimalKind::Large => magnitude(bytes),
            DecimalKind::NotFinite => {
                let what = NotFinite::split(ints[1]);
                let what = what.ok_or_else(|| {
                    Refusal::NoSuchValue("the components are not those of a decimal".into())
                })?;
                let mut text = sign(what.negative);
                text.push_str(match what {
                    NotFinite { nan: false, .. } => "Infinity",
                    NotFinite { signalling: false, .. } => "NaN",
                    _ => "sNaN",
                });
                text.extend(bytes.iter().map(|&digit| char::from(digit)));
                // SAFETY: the class is alive, and the GIL is held.
                return unsafe { super::call(self.0, DECIMAL.get(self.0)?, (text,)) };
            }
        };
        make_of_words(self.0, exponent, negative, &words)
    }
}

/// A new reference to the decimal of a coefficient in base 10^19.
pub fn make_of_words(py: Python<'_>, exponent: i64, negative: bool, words: &[u64]) -> MakeResult {
    check(exponent, number_of_digits(words))?;
    let mut text = sign(negative);
    push_digits(words, &mut text);
    text.push('E');
    text.push_str(&exponent.to_string());
    // SAFETY: the class is alive, and the GIL is held.
    unsafe { super::call(py, DECIMAL.get(py)?, (text,)) }
}

fn sign(negative: bool) -> String {
    String::from(if negative { "-" } else { "" })
}
