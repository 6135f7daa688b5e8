//! What compiled code refers to outside itself, by names that are defined to the linker.
//!
//! No address stands in the code, so an object is the same in every process.

use serow_core::layout::columns;
use serow_core::layout::unsafe_row::{self, Stored};
use serow_core::wire::text;

/// Copies bytes that don't overlap: `void(ptr to, ptr from, i64 len)`.
pub(crate) const COPY: &str = "serow_copy";
/// Whether bytes are ASCII: `i8(ptr bytes, i64 len)`.
pub(crate) const IS_ASCII: &str = "serow_is_ascii";

/// What bytes are as text: `i8(ptr bytes, i64 len)`, 0 if they are not generalised UTF-8.
pub(crate) const TEXT: &str = "serow_text";
/// What [`TEXT`] says of ASCII.
pub(crate) const TEXT_ASCII: u8 = 2;

/// What bytes are as UTF-8: `i8(ptr bytes, i64 len)`, 0 if they are none, [`TEXT_ASCII`] for ASCII.
pub(crate) const UTF_8: &str = "serow_utf_8";

/// Writes the parts of a value of Spark's into the context; false if the word is not such a value:
/// `i8(ptr context, i64 word, i32 stored)`, where the last is what [`number_of`] gives.
pub(crate) const WORD_PARTS: &str = "serow_word_parts";
/// How values are stored whose parts are asked for; after these come decimals of every scale.
const STORED: [Stored; 3] = [Stored::Moment, Stored::Interval, Stored::Time];
/// The same for a decimal: `i8(ptr context, ptr bytes, i64 len, i32 scale)`.
pub(crate) const LONG_DECIMAL: &str = "serow_long_decimal";

/// In which order the entries of a map are read: `ptr(ptr context, ptr row, ptr keys, i64 size, i32 column)`,
/// null if the keys are none.
pub(crate) const MAP_ORDER: &str = "serow_map_order";

/// Unpacks more values of a column of which all are used up, and says whether there are any:
/// `i8(ptr context, i64 column)`.
pub(crate) const REFILL: &str = "serow_refill";

/// The number by which [`WORD_PARTS`] is told how a value is stored.
pub(crate) fn number_of(stored: Stored) -> Option<u32> {
    let number = match stored {
        Stored::Decimal { scale, .. } => STORED.len() + usize::from(scale),
        other => STORED.iter().position(|&stored| stored == other)?,
    };
    Some(number as u32)
}

/// What [`number_of`] gives this number for.
fn stored(number: u32) -> Option<Stored> {
    let number = number as usize;
    STORED.get(number).copied().or_else(|| {
        let scale = u8::try_from(number - STORED.len()).ok()?;
        Some(Stored::Decimal { precision: Stored::MOST_DIGITS_OF_WORD, scale })
    })
}

/// A name and the address that it stands for in this process.
pub(crate) type Symbol = (&'static str, usize);

/// The helpers that any code may call. None of them unwinds.
pub(crate) fn helpers() -> Vec<Symbol> {
    vec![
        (COPY, copy as unsafe extern "C" fn(*mut u8, *const u8, usize) as usize),
        (IS_ASCII, is_ascii as unsafe extern "C" fn(*const u8, usize) -> u8 as usize),
        (TEXT, text as unsafe extern "C" fn(*const u8, usize) -> u8 as usize),
        (UTF_8, utf_8 as unsafe extern "C" fn(*const u8, usize) -> u8 as usize),
        (
            WORD_PARTS,
            word_parts as unsafe extern "C" fn(*mut unsafe_row::UnsafeRowsContext, i64, u32) -> u8
                as usize,
        ),
        (
            LONG_DECIMAL,
            long_decimal
                as unsafe extern "C" fn(
                    *mut unsafe_row::UnsafeRowsContext,
                    *const u8,
                    usize,
                    u32,
                ) -> u8 as usize,
        ),
        (
            MAP_ORDER,
            map_order
                as unsafe extern "C" fn(
                    *mut unsafe_row::UnsafeRowsContext,
                    *const u8,
                    *const u8,
                    usize,
                    u32,
                ) -> *const u32 as usize,
        ),
        (
            REFILL,
            refill as unsafe extern "C" fn(*mut columns::ColumnsContext, usize) -> u8 as usize,
        ),
    ]
}

unsafe extern "C" fn copy(to: *mut u8, from: *const u8, len: usize) {
    // SAFETY: compiled code has made room for the bytes, which are a source's.
    unsafe { to.copy_from_nonoverlapping(from, len) };
}

unsafe extern "C" fn is_ascii(bytes: *const u8, len: usize) -> u8 {
    // SAFETY: the bytes are a source's.
    unsafe { std::slice::from_raw_parts(bytes, len) }.is_ascii().into()
}

unsafe extern "C" fn text(bytes: *const u8, len: usize) -> u8 {
    // SAFETY: the bytes are a source's.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    match text::is_ascii(bytes) {
        true => TEXT_ASCII,
        false => text::is_valid(bytes).into(),
    }
}

unsafe extern "C" fn utf_8(bytes: *const u8, len: usize) -> u8 {
    // SAFETY: the bytes are a source's.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, len) };
    match text::is_ascii(bytes) {
        true => TEXT_ASCII,
        false => std::str::from_utf8(bytes).is_ok().into(),
    }
}

unsafe extern "C" fn word_parts(
    context: *mut unsafe_row::UnsafeRowsContext,
    word: i64,
    number: u32,
) -> u8 {
    let Some(stored) = stored(number) else { return 0 };
    // SAFETY: compiled code passes the context that it was called with.
    unsafe { unsafe_row::parts_of_word(context, stored, word) }.into()
}

unsafe extern "C" fn map_order(
    context: *mut unsafe_row::UnsafeRowsContext,
    row: *const u8,
    keys: *const u8,
    size: usize,
    column: u32,
) -> *const u32 {
    // SAFETY: as above; the keys are in the batch.
    unsafe { unsafe_row::map_order(context, row, (keys, size), column) }
}

unsafe extern "C" fn long_decimal(
    context: *mut unsafe_row::UnsafeRowsContext,
    bytes: *const u8,
    len: usize,
    scale: u32,
) -> u8 {
    // SAFETY: as above; the bytes are a source's.
    unsafe {
        let bytes = std::slice::from_raw_parts(bytes, len);
        unsafe_row::long_decimal(context, bytes, scale as u8).into()
    }
}

unsafe extern "C" fn refill(context: *mut columns::ColumnsContext, column: usize) -> u8 {
    // SAFETY: compiled code passes its context and a column of its plan.
    unsafe { columns::refill(context, column) }.into()
}
