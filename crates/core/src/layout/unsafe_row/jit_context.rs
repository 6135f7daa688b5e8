//! What compiled code gets of a batch of Spark's rows, and the helpers that it calls for values
//! that take more than a load. The interpreter uses the same functions.

use std::ptr::{null, null_mut};

use super::clock::Clock;
use super::source::UnsafeRows;
use super::storage::Stored;
use crate::error::Fault;
use crate::layout::{ComponentsContext, OpResult};
use crate::schema::logical::{DecimalKind, MAX_INTS};

const MICROS: i64 = 1_000_000;
const NANOS_PER_MICRO: i64 = 1_000;
/// The most bytes of a decimal.
pub(super) const LONG: usize = 16;

pub(super) const OTHER: Fault = Fault::Corrupt("the value is stored in no way that its type has");
const NO_DATE: Fault = Fault::Corrupt("Python has no such date in the time zone of this process");

/// What compiled code gets of Spark's rows.
#[derive(Debug)]
#[repr(C)]
pub struct UnsafeRowsContext {
    /// Where the size of the next row stands. All rows are within the batch.
    pub next: *const u8,
    /// The end of the batch.
    pub end: *const u8,
    /// The parts of the value that was asked for last.
    pub components: ComponentsContext,
    /// The bytes among them.
    wide: [u8; LONG],
    /// The [`Clock`].
    pub(super) clock: *mut (),
    /// The [`UnsafeRows`] themselves, for [`map_order`].
    pub(super) rows_of: *mut (),
}

impl Default for UnsafeRowsContext {
    fn default() -> UnsafeRowsContext {
        UnsafeRowsContext {
            next: null(),
            end: null(),
            components: ComponentsContext::default(),
            wide: [0; LONG],
            clock: null_mut(),
            rows_of: null_mut(),
        }
    }
}

/// The parts of a value whose slot holds `word`.
#[inline]
pub(super) fn word(stored: Stored, word: i64, clock: &mut Clock) -> OpResult<[i64; MAX_INTS]> {
    Ok(match stored {
        Stored::Clock => [word, 0, 0],
        Stored::Moment => {
            let shown = clock.show(word.div_euclid(MICROS));
            let (seconds, again) = shown.ok_or(NO_DATE)?;
            [seconds * MICROS + word.rem_euclid(MICROS), again.into(), 0]
        }
        Stored::Interval => [word.div_euclid(MICROS), word.rem_euclid(MICROS) * NANOS_PER_MICRO, 0],
        Stored::Time => [word.div_euclid(NANOS_PER_MICRO), 0, 0],
        Stored::Decimal { scale, .. } => small(word, scale)?,
        Stored::Int(_) | Stored::Date | Stored::Aware | Stored::List(_) | Stored::Map(..) => {
            return Err(OTHER);
        }
    })
}

/// The integers of a decimal with this coefficient.
fn small(coefficient: i64, scale: u8) -> OpResult<[i64; MAX_INTS]> {
    let (coefficient, exponent) = engineering(coefficient, scale);
    Ok([DecimalKind::Small.join(exponent).ok_or(OTHER)?, coefficient, 0])
}

/// Decimals with so many digits behind the point have them in Python too, whatever their coefficient.
pub const PLAIN_SCALE: u8 = 6;

/// The coefficient and the exponent that Python gets of a decimal. Spark sends decimals as text in
/// Java's engineering notation, where one below a millionth has an exponent that is a multiple of
/// three, which adds zeros to a coefficient of one or two digits: a coefficient of 1 with a scale
/// of 7 is `100E-9`.
fn engineering(coefficient: i64, scale: u8) -> (i64, i64) {
    let scale = i64::from(scale);
    let digits = match coefficient.unsigned_abs() {
        1..=9 => 1,
        10..=99 => 2,
        _ => return (coefficient, -scale),
    };
    let adjusted = digits - 1 - scale;
    match adjusted.rem_euclid(3) + 1 - digits {
        zeros @ 1.. if adjusted < -6 => (coefficient * 10i64.pow(zeros as u32), -scale - zeros),
        _ => (coefficient, -scale),
    }
}

/// The coefficient in these bytes, of which the highest comes first.
pub(super) fn wide(bytes: &[u8]) -> OpResult<i128> {
    let mut wide = [0; LONG];
    let Some(at) = LONG.checked_sub(bytes.len()).filter(|&at| at < LONG) else {
        return Err(OTHER);
    };
    let fill = if bytes[0] >> 7 == 1 { 0xFF } else { 0 };
    wide[..at].fill(fill);
    wide[at..].copy_from_slice(bytes);
    Ok(i128::from_be_bytes(wide))
}

/// Put the integers of a decimal with this coefficient, the highest byte first, into `ints`, and its
/// bytes into `bytes`; how many there are.
#[inline]
pub(super) fn decimal(
    coefficient: &[u8],
    scale: u8,
    ints: &mut [i64; MAX_INTS],
    bytes: &mut [u8; LONG],
) -> OpResult<usize> {
    let coefficient = wide(coefficient)?;
    if let Ok(word) = i64::try_from(coefficient) {
        *ints = small(word, scale)?;
        return Ok(0);
    }
    *ints = [DecimalKind::Large.join(-i64::from(scale)).ok_or(OTHER)?, 0, 0];
    *bytes = coefficient.to_le_bytes();
    // As short as can be: without bytes that only repeat the sign.
    let sign = coefficient >> 127;
    let bits = 128 - (coefficient ^ sign).leading_zeros() as usize + 1;
    Ok(bits.div_ceil(8))
}

/// Write the parts of a value whose slot holds `word` into the context. False if the word is not a
/// value of this type.
///
/// # Safety
/// `context` must come from [`UnsafeRows`]' `enter_jit`, and `exit_jit` must not have been called since.
pub unsafe fn parts_of_word(context: *mut UnsafeRowsContext, stored: Stored, word: i64) -> bool {
    // SAFETY: the context is valid by the caller's promise, and only this uses its clock meanwhile.
    let (components, clock) =
        unsafe { (&mut (*context).components, &mut *(*context).clock.cast::<Clock>()) };
    components.len = 0;
    match self::word(stored, word, clock) {
        Ok(ints) => components.ints = ints,
        Err(_) => return false,
    }
    true
}

/// The order in which the entries of a map are read, as indices of its keys. `keys` is the list of
/// the keys, a pointer and a size in bytes. Null if that list is not valid for the map of this
/// column. The indices stay valid until a row other than the one at `row` is read.
///
/// # Safety
/// As for [`parts_of_word`]; the keys must be in the batch.
pub unsafe fn map_order(
    context: *mut UnsafeRowsContext,
    row: *const u8,
    (keys, size): (*const u8, usize),
    column: u32,
) -> *const u32 {
    // SAFETY: the context is valid by the caller's promise, and only this uses its rows meanwhile.
    let rows = unsafe { &mut *(*context).rows_of.cast::<UnsafeRows<'_>>() };
    rows.map_order(row, (keys, size), column).map_or(null(), |order| order.as_ptr())
}

/// Write the parts of a decimal with this coefficient, most significant byte first, into the
/// context. False if the bytes are not a coefficient.
///
/// # Safety
/// As for [`parts_of_word`].
pub unsafe fn long_decimal(context: *mut UnsafeRowsContext, coefficient: &[u8], scale: u8) -> bool {
    // SAFETY: the context is valid by the caller's promise.
    let UnsafeRowsContext { components, wide, .. } = unsafe { &mut *context };
    match decimal(coefficient, scale, &mut components.ints, wide) {
        Ok(len) => (components.bytes, components.len) = (wide.as_ptr(), len),
        Err(_) => return false,
    }
    true
}
