//! The helpers of this crate that compiled code calls.
//!
//! Code refers to them by name, and the linker sets their addresses. So an object is the same in
//! every process.

use serow_core::bytes::text;
use serow_core::wire::columns::{self, ColumnsContext};
use serow_spark::{Stored, UnsafeRowsContext};

use crate::ir::{Helper, Symbol, helpers};

/// The result of [`TEXT`] and [`UTF_8`] for ASCII.
pub(crate) const TEXT_ASCII: u8 = 2;

/// The storage of values that [`WORD_PARTS`] converts. Decimals of each scale follow them.
const STORED: [Stored; 3] = [Stored::Moment, Stored::Interval, Stored::Time];

helpers! { helpers:
    /// Copies bytes that don't overlap.
    COPY = "serow_copy": copy as fn(to: *mut u8, from: *const u8, len: usize);
    /// Classifies bytes as text: 0 if they are not generalised UTF-8, [`TEXT_ASCII`], or else 1.
    TEXT = "serow_text": text as fn(bytes: *const u8, len: usize) -> u8;
    /// Classifies bytes as text: 0 if they are not UTF-8, [`TEXT_ASCII`], or else 1.
    UTF_8 = "serow_utf_8": utf_8 as fn(bytes: *const u8, len: usize) -> u8;
    /// Writes the components of a value of Spark's rows, whose slot holds `word`, into the context.
    /// 0 if the word is not such a value. [`number_of`] gives `stored`.
    WORD_PARTS = "serow_word_parts": word_parts as
        fn(context: *mut UnsafeRowsContext, word: i64, stored: u32) -> u8;
    /// Writes the components of a decimal with this coefficient into the context. 0 if the bytes
    /// are not a coefficient.
    LONG_DECIMAL = "serow_long_decimal": long_decimal as
        fn(context: *mut UnsafeRowsContext, bytes: *const u8, len: usize, scale: u32) -> u8;
    /// The order in which the entries of a map are read, as indices of its keys; null if the keys
    /// are not a list.
    MAP_ORDER = "serow_map_order": map_order as
        fn(context: *mut UnsafeRowsContext, row: *const u8, keys: *const u8, size: usize, column: u32)
        -> *const u32;
    /// Unpacks more values of a column whose window is used up. 0 if there are none.
    REFILL = "serow_refill": refill as fn(context: *mut ColumnsContext, column: usize) -> u8;
}

/// Returns the number of a storage for calls of [`WORD_PARTS`].
pub(crate) fn number_of(stored: Stored) -> Option<u32> {
    let number = match stored {
        Stored::Decimal { scale, .. } => STORED.len() + usize::from(scale),
        other => STORED.iter().position(|&stored| stored == other)?,
    };
    Some(number as u32)
}

/// Returns the storage for a number of [`number_of`].
fn stored(number: u32) -> Option<Stored> {
    let number = number as usize;
    STORED.get(number).copied().or_else(|| {
        let scale = u8::try_from(number - STORED.len()).ok()?;
        Some(Stored::Decimal { precision: Stored::MOST_DIGITS_OF_WORD, scale })
    })
}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: compiled code has reserved space for the bytes, which belong to a source.
    unsafe { to.copy_from_nonoverlapping(from, len) };
}

unsafe extern "C" fn text(bytes: *const u8, len: usize) -> u8 {
    // SAFETY: the bytes belong to a source.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    match text::is_ascii(bytes) {
        true => TEXT_ASCII,
        false => text::is_valid(bytes).into(),
    }
}

unsafe extern "C" fn utf_8(bytes: *const u8, len: usize) -> u8 {
    // SAFETY: the bytes belong to a source.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    match text::is_ascii(bytes) {
        true => TEXT_ASCII,
        false => std::str::from_utf8(bytes).is_ok().into(),
    }
}

unsafe extern "C" fn word_parts(context: *mut UnsafeRowsContext, word: i64, number: u32) -> u8 {
    let Some(stored) = stored(number) else { return 0 };
    // SAFETY: compiled code passes the context that it was called with.
    unsafe { serow_spark::parts_of_word(context, stored, word) }.into()
}

unsafe extern "C" fn map_order(
    context: *mut UnsafeRowsContext,
    row: *const u8,
    keys: *const u8,
    size: usize,
    column: u32,
) -> *const u32 {
    // SAFETY: as above. The keys are in the batch.
    unsafe { serow_spark::map_order(context, row, (keys, size), column) }
}

unsafe extern "C" fn long_decimal(
    context: *mut UnsafeRowsContext,
    bytes: *const u8,
    len: usize,
    scale: u32,
) -> u8 {
    // SAFETY: as above. The bytes belong to a source.
    unsafe {
        let bytes = std::slice::from_raw_parts(bytes, len);
        serow_spark::long_decimal(context, bytes, scale as u8).into()
    }
}

unsafe extern "C" fn refill(context: *mut ColumnsContext, column: usize) -> u8 {
    // SAFETY: compiled code passes its context and a column of its plan.
    unsafe { columns::refill(context, column) }.into()
}
