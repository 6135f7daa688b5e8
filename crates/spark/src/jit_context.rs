//! The context of compiled code that reads Spark's rows, and its helpers for values that need more
//! than a load. The interpreter uses the same functions.

use std::ptr::{null, null_mut};

use super::clock::Clock;
use super::source::UnsafeRows;
use super::storage::Stored;
use serow_core::error::Fault;
use serow_core::layout::{ComponentsContext, OpResult};
use serow_core::schema::logical::{DecimalKind, MAX_INTS};

const MICROS: i64 = 1_000_000;
const NANOS_PER_MICRO: i64 = 1_000;
/// The largest size of a decimal in bytes.
pub(super) const LONG: usize = 16;

pub(super) const OTHER: Fault = Fault::Corrupt("the type has no such storage in Spark's rows");
const NO_DATE: Fault = Fault::Corrupt("Python has no such date in the time zone of this process");

/// The context of compiled code that reads Spark's rows.
#[derive(Debug)]
#[repr(C)]
pub struct UnsafeRowsContext {
    /// The address of the next row's size. All rows are within the batch.
    pub next: *const u8,
    /// The end of the batch.
    pub end: *const u8,
    /// The components of the last requested value.
    pub components: ComponentsContext,
    /// The bytes of these components.
    wide: [u8; LONG],
    /// The [`Clock`].
    pub(super) clock: *mut (),
    /// The [`UnsafeRows`] that this context belongs to, for [`map_order`].
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

/// Returns the components of a value whose slot is `word`.
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

/// Returns the integers of a decimal with this coefficient.
fn small(coefficient: i64, scale: u8) -> OpResult<[i64; MAX_INTS]> {
    let (coefficient, exponent) = engineering(coefficient, scale);
    Ok([DecimalKind::Small.join(exponent).ok_or(OTHER)?, coefficient, 0])
}

/// Decimals with up to this scale also have it in Python, whatever their coefficient.
pub const PLAIN_SCALE: u8 = 6;

/// Returns the coefficient and the exponent of a decimal in Python. Spark sends decimals as text in
/// Java's engineering notation. There, a number below a millionth has an exponent that is a
/// multiple of three. This adds zeros to a coefficient of one or two digits: a coefficient of 1
/// with a scale of 7 is `100E-9`.
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

/// Decodes a coefficient, most significant byte first.
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

/// Decodes a decimal with this coefficient, most significant byte first, to `ints` and `bytes`.
/// Returns the number of bytes.
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
    // As few bytes as possible: without bytes that only repeat the sign.
    let sign = coefficient >> 127;
    let bits = 128 - (coefficient ^ sign).leading_zeros() as usize + 1;
    Ok(bits.div_ceil(8))
}

/// Writes the components of a value whose slot is `word` to the context. Returns false if the word
/// is not a value of this type.
///
/// # Safety
/// `context` must come from `enter_jit` of [`UnsafeRows`], and `exit_jit` must not have been called
/// since.
pub unsafe fn parts_of_word(context: *mut UnsafeRowsContext, stored: Stored, word: i64) -> bool {
    // SAFETY: the caller promises that the context is valid. Nothing else uses its clock now.
    let (components, clock) =
        unsafe { (&mut (*context).components, &mut *(*context).clock.cast::<Clock>()) };
    components.len = 0;
    match self::word(stored, word, clock) {
        Ok(ints) => components.ints = ints,
        Err(_) => return false,
    }
    true
}

/// Returns the order of a map's entries, as indices of its keys. `keys` is the list of the keys: a
/// pointer and a size in bytes. Returns null if that list is not valid for the map of this column.
/// The indices are valid until a row other than the one at `row` is read.
///
/// # Safety
/// See [`parts_of_word`]. The keys must be in the batch.
pub unsafe fn map_order(
    context: *mut UnsafeRowsContext,
    row: *const u8,
    (keys, size): (*const u8, usize),
    column: u32,
) -> *const u32 {
    // SAFETY: the caller promises that the context is valid. Nothing else uses its rows now.
    let rows = unsafe { &mut *(*context).rows_of.cast::<UnsafeRows<'_>>() };
    rows.map_order(row, (keys, size), column).map_or(null(), |order| order.as_ptr())
}

/// Writes the components of a decimal with this coefficient, most significant byte first, to the
/// context. Returns false if the bytes are not a coefficient.
///
/// # Safety
/// See [`parts_of_word`].
pub unsafe fn long_decimal(context: *mut UnsafeRowsContext, coefficient: &[u8], scale: u8) -> bool {
    // SAFETY: the caller promises that the context is valid.
    let UnsafeRowsContext { components, wide, .. } = unsafe { &mut *context };
    match decimal(coefficient, scale, &mut components.ints, wide) {
        Ok(len) => (components.bytes, components.len) = (wide.as_ptr(), len),
        Err(_) => return false,
    }
    true
}
