//! Where the fields of CPython's objects are, by version.
//!
//! From the headers of CPython 3.10 to 3.13 (`Include/cpython/{tupleobject,listobject,
//! longintrepr,unicodeobject,bytesobject}.h`, `Include/internal/pycore_gc.h`), on 64-bit machines. A tuple's
//! and a list's length, a float's value and a string's length stand at 16 in all of them.

use pyo3::ffi;

/// Offsets in bytes from the beginning of an object, and what differs in kind.
#[derive(Debug)]
pub struct Offsets {
    /// Integers have a tag of sign and number of digits (from 3.12 on); before, a signed number of
    /// digits.
    pub tagged_ints: bool,
    /// Reference counts of all ones in the lower half are never changed (from 3.12 on).
    pub immortal: bool,
    /// Strings have a bit that says that they are ready (until 3.11).
    pub ready_bit: bool,
    /// Where the text of an ASCII string begins.
    pub ascii_text: usize,
    /// Where the text of other compact strings begins.
    pub wide_text: usize,
}

/// The length of a tuple, list or string; the sign and size of an integer; a float's value.
pub const LENGTH: usize = 16;
/// A tuple's items.
pub const TUPLE_ITEMS: usize = 24;
/// A list's pointer to its items.
pub const LIST_ITEMS: usize = 24;
/// The number of items that a list has room for.
pub const LIST_ROOM: usize = 32;
/// The size of a list object.
pub const LIST_SIZE: usize = 40;
/// An integer's digits, of 30 bits each.
pub const INT_DIGITS: usize = 24;
/// A string's hash, or -1.
pub const STR_HASH: usize = 24;
/// A string's kind and flags.
pub const STR_STATE: usize = 32;
/// A bytes object's hash, or -1, and its bytes.
pub const BYTES_HASH: usize = 24;
pub const BYTES_TEXT: usize = 32;
/// What the garbage collector keeps before an object: two words, zero while it does not know it.
pub const GC_HEAD: usize = 16;

/// Bits of a string's state: three bits of kind from bit 2 on, then flags.
pub const KIND_SHIFT: u32 = 2;
pub const KIND_MASK: u32 = 7;
pub const COMPACT: u32 = 1 << 5;
pub const ASCII: u32 = 1 << 6;
pub const READY: u32 = 1 << 7;

impl Offsets {
    /// The state of an ASCII string that nothing else is known of.
    pub fn ascii_state(&self) -> u32 {
        1 << KIND_SHIFT | COMPACT | ASCII | if self.ready_bit { READY } else { 0 }
    }
}

static UNTIL_3_11: Offsets =
    Offsets { tagged_ints: false, immortal: false, ready_bit: true, ascii_text: 48, wide_text: 72 };

static FROM_3_12: Offsets =
    Offsets { tagged_ints: true, immortal: true, ready_bit: false, ascii_text: 40, wide_text: 56 };

/// The offsets of the CPython that runs, if it is a version whose objects are known.
pub fn of_this_version() -> Option<&'static Offsets> {
    // SAFETY: the interpreter runs.
    let version = unsafe { std::ffi::CStr::from_ptr(ffi::Py_GetVersion()) }.to_str().ok()?;
    let mut numbers = version.split(['.', ' ', '+']);
    let minor = (numbers.next()? == "3").then(|| numbers.next()?.parse::<u32>().ok())??;
    let known = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    match minor {
        10 | 11 if known => Some(&UNTIL_3_11),
        12 | 13 if known => Some(&FROM_3_12),
        _ => None,
    }
}
