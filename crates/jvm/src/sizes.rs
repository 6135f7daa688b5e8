//! How much memory Java's objects take.

use serow_core::layout::meter::ObjectSizes;
use serow_core::schema::{ElementType, Logical};

/// The most that an object of each kind takes, on a JVM with references of 8 bytes, with what serow needs
/// for a moment to make it. Java's `ObjectSizes` has the same numbers, and a test compares them.
/// `MaxMemoryTest` compares them with the memory that the JVM uses.
pub const SIZES: ObjectSizes = ObjectSizes {
    // The list of rows may be copied while it grows.
    place: 24,
    int: 24,
    float: 24,
    ascii: TEXT,
    text,
    logical,
    nd_array,
    shares_entries: |ty| matches!(ty, Logical::Int),
    // The values are in an array before they are in the list.
    list: (64, 16),
    set: |len| 240 + ENTRY * len,
    dict: |len| 160 + ENTRY * len,
    record: |len| 64 + 8 * len,
};

/// A `String` and its array, without its characters.
const TEXT: usize = 56;
/// An entry of a `LinkedHashMap`, perhaps one of a tree, with its places in the table and in the array of
/// the values, and another entry for a moment, to find duplicates that Java's tables don't find.
const ENTRY: usize = 168;

/// An `NdArray` and its array of bytes, without the bytes.
const ND_ARRAY: usize = 64;

/// A string has two bytes for each UTF-16 unit if one is beyond U+00FF.
fn text(text: &[u8]) -> usize {
    let (mut units, mut is_wide) = (0, false);
    for &byte in text {
        units += usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0);
        is_wide |= byte >= 0xC4;
    }
    TEXT + if is_wide { 2 * units } else { units }
}

fn logical(ty: Logical, bytes: usize) -> usize {
    match ty {
        Logical::Int => 72 + bytes,
        Logical::Bytes => 24 + bytes,
        Logical::ByteArray => 88 + bytes,
        Logical::Date | Logical::Time | Logical::Duration => 24,
        Logical::Timestamp => 80,
        // Each may have a `ZoneOffset` of its own, with its name.
        Logical::TimeTz => 160 + bytes,
        Logical::TimestampTz => 216 + bytes,
        Logical::Decimal => 120 + bytes,
        Logical::Uuid | Logical::Complex => 32,
        // A `Long` or a `Double`.
        Logical::F32 | Logical::I8 | Logical::I16 | Logical::I32 => 24,
        Logical::U8 | Logical::U16 | Logical::U32 => 24,
        Logical::U64 => 72,
        Logical::NdArray => ND_ARRAY + bytes,
    }
}

/// An array keeps its bytes as they are. One that is read as lists never comes here: its lists are counted.
fn nd_array(of: ElementType, elements: usize, _lists: usize) -> usize {
    ND_ARRAY + of.size() * elements
}
