//! Where the fields of CPython's objects are, by version.
//!
//! From the headers of CPython 3.10 to 3.13 (`Include/cpython/{tupleobject,listobject,
//! longintrepr,unicodeobject,bytesobject}.h`, `Include/{complexobject,datetime}.h`,
//! `Include/internal/pycore_gc.h`, `Modules/_decimal/_decimal.c`, `libmpdec/mpdecimal.h`), on 64-bit
//! machines. A tuple's and a list's length, a float's value and a string's length stand at 16 in all of them.

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

/// An object's type.
pub const TYPE: usize = 8;
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
/// The two floats of a complex number, and its size.
pub const COMPLEX_PARTS: usize = 16;
pub const COMPLEX_SIZE: usize = 32;
/// The hash, or -1, of a date, time, datetime or timedelta.
pub const DATETIME_HASH: usize = 16;
/// Whether a time or datetime has a `tzinfo`: a byte, which a date has too.
pub const HAS_ZONE: usize = 24;
/// A date's fields, which a datetime begins with: the year in two bytes, the month, the day.
pub const DATE_FIELDS: usize = 25;
pub const DATE_SIZE: usize = 32;
/// A time's fields: hour, minute, second, and the microseconds in three bytes; then its fold, and the
/// `tzinfo` if it has one.
pub const TIME_FIELDS: usize = 25;
pub const TIME_FOLD: usize = 31;
pub const TIME_ZONE: usize = 32;
pub const TIME_SIZE: usize = 32;
pub const AWARE_TIME_SIZE: usize = 40;
/// The same of a datetime.
pub const DATETIME_TIME: usize = 29;
pub const DATETIME_FOLD: usize = 35;
pub const DATETIME_ZONE: usize = 40;
pub const DATETIME_SIZE: usize = 40;
pub const AWARE_DATETIME_SIZE: usize = 48;
/// Days, seconds and microseconds of a timedelta, 32 bits each.
pub const TIMEDELTA_FIELDS: usize = 24;
pub const TIMEDELTA_SIZE: usize = 40;
/// A timezone's offset and its name, or null; and its size.
pub const TIMEZONE_OFFSET: usize = 16;
pub const TIMEZONE_NAME: usize = 24;
pub const TIMEZONE_SIZE: usize = 32;
/// A decimal's hash, or -1; libmpdec's flags, exponent, number of digits, number of words, room for
/// words, and where those are; and the words that the object has room for itself.
pub const DECIMAL_HASH: usize = 16;
pub const DECIMAL_FLAGS: usize = 24;
pub const DECIMAL_EXPONENT: usize = 32;
pub const DECIMAL_DIGITS: usize = 40;
pub const DECIMAL_COUNT: usize = 48;
pub const DECIMAL_ALLOCATED: usize = 56;
pub const DECIMAL_WORDS: usize = 64;
pub const DECIMAL_OWN: usize = 72;
pub const OWN_WORDS: usize = 4;
pub const DECIMAL_SIZE: usize = 104;
/// The slots of a UUID.
pub const UUID_INT: usize = 16;
pub const UUID_IS_SAFE: usize = 24;
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
