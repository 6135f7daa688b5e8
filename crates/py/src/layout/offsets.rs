//! Offsets of the fields of CPython's objects, by version.
//!
//! They come from the headers of CPython 3.10 to 3.15 for 64-bit machines:
//! `Include/cpython/{tupleobject,listobject,dictobject,longintrepr,unicodeobject,bytesobject}.h`,
//! `Include/{complexobject,datetime}.h`, `Include/internal/{pycore_dict,pycore_gc}.h`, `Objects/dict-common.h`,
//! `Modules/_decimal/_decimal.c` and `libmpdec/mpdecimal.h`. In all these versions the length of a
//! tuple, list or string and the value of a float are at offset 16.

use pyo3::ffi;

/// Offsets in bytes from the start of an object, and other differences between versions.
#[derive(Debug)]
pub struct Offsets {
    /// Integers have a tag with the sign and the number of digits (since 3.12). Before, they had a
    /// signed number of digits.
    pub tagged_ints: bool,
    /// There are immortal objects, whose reference count must not change (since 3.12).
    pub immortal: bool,
    /// Strings have a flag that says that they are ready (until 3.11).
    pub ready_bit: bool,
    /// Offset of the characters of an ASCII string.
    pub ascii_text: usize,
    /// Offset of the characters of other compact strings.
    pub wide_text: usize,
    /// Offset of a tuple's items. Since 3.14 its hash, or -1, is before them.
    pub tuple_items: usize,
    /// The largest of the integers that CPython keeps as singletons.
    pub largest_int: i64,
    /// The size of the header of a dict's block of keys. Its last field is the number of entries.
    pub keys_header: usize,
    /// That header says what the keys are and how long the index is (since 3.11). Before, the number of places
    /// in the index gave its length.
    pub keys_have_kinds: bool,
}

/// An object's type.
pub const TYPE: usize = 8;
/// The length of a tuple, list or string; the sign and size of an integer; a float's value.
pub const LENGTH: usize = 16;
/// A tuple's hash, or -1, if it has this field.
pub const TUPLE_HASH: usize = 24;
/// A list's pointer to its items.
pub const LIST_ITEMS: usize = 24;
/// A list's capacity in items.
pub const LIST_ROOM: usize = 32;
/// The size of a list object.
pub const LIST_SIZE: usize = 40;
/// An integer's digits, of 30 bits each.
pub const INT_DIGITS: usize = 24;
/// A string's hash, or -1.
pub const STR_HASH: usize = 24;
/// A string's kind and flags.
pub const STR_STATE: usize = 32;
/// A bytes object's hash, or -1, and its content.
pub const BYTES_HASH: usize = 24;
pub const BYTES_TEXT: usize = 32;
/// The two floats of a complex number, and its size.
pub const COMPLEX_PARTS: usize = 16;
pub const COMPLEX_SIZE: usize = 32;
/// The hash, or -1, of a date, time, datetime or timedelta.
pub const DATETIME_HASH: usize = 16;
/// Whether a time or datetime has a `tzinfo`: one byte. Dates have this byte too.
pub const HAS_ZONE: usize = 24;
/// A date's fields, which are also the first of a datetime: the year in two bytes, the month, the
/// day.
pub const DATE_FIELDS: usize = 25;
pub const DATE_SIZE: usize = 32;
/// A time's fields: hour, minute, second, and microseconds in three bytes. Then its fold, and its
/// `tzinfo` if it has one.
pub const TIME_FIELDS: usize = 25;
pub const TIME_FOLD: usize = 31;
pub const TIME_ZONE: usize = 32;
pub const TIME_SIZE: usize = 32;
pub const AWARE_TIME_SIZE: usize = 40;
/// The same fields of a datetime.
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
/// A decimal's hash, or -1. The fields of libmpdec: flags, exponent, number of digits, number of
/// words, allocated words, pointer to the words. The words inside the object, and their number.
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
/// A dict's pointer to its block of keys, and to its values if these are apart.
pub const DICT_KEYS: usize = 32;
pub const DICT_VALUES: usize = 40;
/// The number of places in the index of a block of keys; since 3.11 the logarithm of the index's length in
/// bytes, and what the keys are.
pub const KEYS_PLACES: usize = 8;
pub const KEYS_LOG2_INDEX_BYTES: usize = 9;
pub const KEYS_KIND: usize = 10;
/// What keys are: any objects, or strings without the hash of each.
pub const GENERAL_KEYS: u8 = 0;
pub const STR_KEYS: u8 = 1;
pub const UUID_INT: usize = 16;
pub const UUID_IS_SAFE: usize = 24;
/// The garbage collector's header before an object: two words, zero while it is not registered.
pub const GC_HEAD: usize = 16;

/// The bits of a string's state: three bits of kind from bit 2 on, then flags.
pub const KIND_SHIFT: u32 = 2;
pub const KIND_MASK: u32 = 7;
pub const COMPACT: u32 = 1 << 5;
pub const ASCII: u32 = 1 << 6;
pub const READY: u32 = 1 << 7;

impl Offsets {
    /// The state of a new ASCII string.
    pub fn ascii_state(&self) -> u32 {
        1 << KIND_SHIFT | COMPACT | ASCII | if self.ready_bit { READY } else { 0 }
    }

    /// Whether tuples have a hash.
    #[inline(always)]
    pub fn tuple_hash(&self) -> bool {
        self.tuple_items > TUPLE_HASH
    }
}

static OF_3_10: Offsets = Offsets {
    tagged_ints: false,
    immortal: false,
    ready_bit: true,
    ascii_text: 48,
    wide_text: 72,
    tuple_items: 24,
    largest_int: 256,
    keys_header: 40,
    keys_have_kinds: false,
};

static OF_3_11: Offsets = Offsets { keys_header: 32, keys_have_kinds: true, ..OF_3_10 };

static UNTIL_3_13: Offsets = Offsets {
    tagged_ints: true,
    immortal: true,
    ready_bit: false,
    ascii_text: 40,
    wide_text: 56,
    ..OF_3_11
};

static OF_3_14: Offsets = Offsets { tuple_items: 32, ..UNTIL_3_13 };

static OF_3_15: Offsets = Offsets { largest_int: 1024, ..OF_3_14 };

/// The offsets for the running CPython, if its version is supported.
pub fn of_this_version() -> Option<&'static Offsets> {
    // SAFETY: the interpreter runs.
    let version = unsafe { std::ffi::CStr::from_ptr(ffi::Py_GetVersion()) }.to_str().ok()?;
    let mut numbers = version.split(['.', ' ', '+']);
    let minor = (numbers.next()? == "3").then(|| numbers.next()?.parse::<u32>().ok())??;
    let known = cfg!(all(target_pointer_width = "64", target_endian = "little"));
    match minor {
        10 if known => Some(&OF_3_10),
        11 if known => Some(&OF_3_11),
        12 | 13 if known => Some(&UNTIL_3_13),
        14 if known => Some(&OF_3_14),
        15 if known => Some(&OF_3_15),
        _ => None,
    }
}
