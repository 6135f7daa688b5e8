//! How much memory CPython's objects take.

use serow_core::layout::meter::ObjectSizes;
use serow_core::schema::{ElementType, Logical};

/// The most that an object of each kind takes, with the garbage collector's header and what the
/// allocator rounds up. `python/tests/test_memory_limit.py` compares them with the memory that CPython
/// asks for.
pub const SIZES: ObjectSizes = ObjectSizes {
    place: 16,
    int: 32,
    float: 32,
    ascii: 64,
    text,
    logical,
    nd_array,
    shares_entries: |ty| matches!(ty, Logical::Int | Logical::Bytes),
    list: (80, 8),
    set,
    dict,
    // An instance of a class has a dict.
    record: dict,
};

/// A string that is not ASCII has the width of its widest character for each character (PEP 393).
fn text(text: &[u8]) -> usize {
    let (mut chars, mut widest) = (0usize, 0);
    for &byte in text {
        chars += usize::from(byte & 0xC0 != 0x80);
        widest = widest.max(byte);
    }
    let width = match widest {
        0xF0.. => 4,
        // The first byte of U+0100.
        0xC4.. => 2,
        _ => 1,
    };
    96 + width * chars
}

/// Nested lists of the elements.
fn nd_array(of: ElementType, elements: usize, lists: usize) -> usize {
    let element = match of {
        // CPython has one object for each of these.
        ElementType::Bool | ElementType::U8 => 8,
        ElementType::Complex64 | ElementType::Complex128 => 8 + 48,
        _ => 8 + 32,
    };
    // A long list without room for more has this head.
    elements.saturating_mul(element).saturating_add(lists.saturating_mul(80 + 8))
}

fn logical(ty: Logical, bytes: usize) -> usize {
    match ty {
        // CPython uses 30 of 32 bits.
        Logical::Int => 48 + bytes + bytes / 8,
        Logical::Bytes => 64 + bytes,
        Logical::ByteArray => 112 + bytes,
        Logical::Date | Logical::Time | Logical::Timestamp | Logical::Duration => 64,
        // The offset is a `timezone`, which has a `timedelta` and perhaps a name.
        Logical::TimeTz | Logical::TimestampTz => 224 + 4 * bytes,
        Logical::Decimal => 128 + bytes + bytes / 8,
        // It has an `int`.
        Logical::Uuid => 144,
        Logical::Complex => 48,
        Logical::F32 => 24,
        Logical::I8 | Logical::I16 | Logical::I32 => 32,
        Logical::U8 | Logical::U16 | Logical::U32 | Logical::U64 => 48,
        // `nd_array` knows more.
        Logical::NdArray => 112 + bytes,
    }
}

/// Bytes of an entry of a set's table.
const SET_ENTRY: usize = 16;
/// Slots of the table that a set or dict has in itself, or begins with.
const FIRST_SLOTS: usize = 8;
/// Sets of more elements grow by less.
const LARGE_SET: usize = 50_000;

/// A set of so many elements, while its table grows for the last time: then it has two.
fn set(len: usize) -> usize {
    let (mut slots, mut before) = (FIRST_SLOTS, 0);
    loop {
        // It grows when three fifths of the slots are taken.
        let full = ((slots - 1) * 3).div_ceil(5);
        if len < full {
            break;
        }
        before = slots;
        let wanted = if full > LARGE_SET { 2 * full } else { 4 * full };
        slots = (wanted + 1).next_power_of_two();
    }
    let table = |slots| if slots > FIRST_SLOTS { slots * SET_ENTRY } else { 0 };
    240 + table(slots) + table(before) + items(len)
}

/// The tuple of the items that a container is made of. CPython keeps some of them for later.
fn items(len: usize) -> usize {
    64 + 8 * len
}

/// Bytes of an entry of a dict, and of its place in the index.
const DICT_ENTRY: usize = 24;
const DICT_PLACE: usize = 4;

/// A dict of so many entries, or an object with a dict of its fields, while its table grows for the
/// last time.
fn dict(len: usize) -> usize {
    let table = |slots: usize| 32 + slots * 2 / 3 * DICT_ENTRY + slots * DICT_PLACE;
    let (mut slots, mut before) = (FIRST_SLOTS, 0);
    // Two thirds of the slots may be taken.
    while len > slots * 2 / 3 {
        before = slots;
        slots = (slots * 2 / 3 * 3).next_power_of_two();
    }
    // The items of a map are its keys and its values.
    128 + table(slots) + if before > 0 { table(before) } else { 0 } + items(2 * len)
}
