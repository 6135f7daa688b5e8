//! What compiled code refers to outside itself, by names that are defined to the linker.
//!
//! No address stands in the code, so an object is the same in every process.

use serow_core::layout::columns;
use serow_core::wire::text;

/// Copies bytes that don't overlap: `void(ptr to, ptr from, i64 len)`.
pub(crate) const COPY: &str = "serow_copy";
/// Whether bytes are ASCII: `i8(ptr bytes, i64 len)`.
pub(crate) const IS_ASCII: &str = "serow_is_ascii";

/// What bytes are as text: `i8(ptr bytes, i64 len)`, 0 if they are not generalised UTF-8.
pub(crate) const TEXT: &str = "serow_text";
/// What [`TEXT`] says of ASCII.
pub(crate) const TEXT_ASCII: u8 = 2;

/// Unpacks more values of a column of which all are used up, and says whether there are any:
/// `i8(ptr place, i64 column)`.
pub(crate) const REFILL: &str = "serow_refill";

/// A name and the address that it stands for in this process.
pub(crate) type Symbol = (&'static str, usize);

/// The helpers that any code may call. None of them unwinds.
pub(crate) fn helpers() -> Vec<Symbol> {
    vec![
        (COPY, copy as unsafe extern "C" fn(*mut u8, *const u8, usize) as usize),
        (IS_ASCII, is_ascii as unsafe extern "C" fn(*const u8, usize) -> u8 as usize),
        (TEXT, text as unsafe extern "C" fn(*const u8, usize) -> u8 as usize),
        (REFILL, refill as unsafe extern "C" fn(*mut columns::Place, usize) -> u8 as usize),
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

unsafe extern "C" fn refill(place: *mut columns::Place, column: usize) -> u8 {
    // SAFETY: the place was lent to the code that calls this, which names columns of its plan.
    unsafe { columns::refill(place, column) }.into()
}
