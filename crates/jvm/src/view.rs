//! The columns of a frame as Java reads them: the content of a [`block`](crate::block).

use crate::block::{DICTIONARY, WORDS};

/// A block.
#[derive(Clone, Copy)]
pub struct View<'a> {
    bytes: &'a [u8],
}

/// An int column.
#[derive(Clone, Copy)]
pub struct Ints<'a> {
    /// The number of integers.
    pub values: usize,
    numbers: &'a [u8],
}

/// A str column.
#[derive(Clone, Copy)]
pub struct Strings<'a> {
    /// The number of strings.
    pub values: usize,
    /// The start offset of each entry in the text, and the end of the last.
    offsets: &'a [u8],
    /// The entry of each value, if there is a dictionary.
    codes: Option<&'a [u8]>,
    text: &'a [u8],
}

impl<'a> View<'a> {
    /// The block in `words`.
    pub fn new(words: &'a [u64]) -> View<'a> {
        // SAFETY: all bytes of the words are initialized, and the lifetimes are equal.
        let bytes =
            unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) };
        View { bytes }
    }

    /// The table entry of column `index`.
    fn words(self, index: usize) -> [usize; WORDS] {
        let words = &self.bytes[8 * WORDS * index..];
        std::array::from_fn(|i| u64::from_le_bytes(number(words, i)) as usize)
    }

    /// The int column at `index` in the table.
    pub fn ints(self, index: usize) -> Ints<'a> {
        let [values, offset, ..] = self.words(index);
        Ints { values, numbers: &self.bytes[offset..] }
    }

    /// The str column at `index` in the table.
    pub fn strings(self, index: usize) -> Strings<'a> {
        let [values, offset, entries, flags] = self.words(index);
        let (offsets, rest) = numbers(&self.bytes[offset..], entries + 1);
        let (codes, text) = match flags as u64 & DICTIONARY {
            0 => (None, rest),
            _ => {
                let (codes, text) = numbers(rest, values);
                (Some(codes), text)
            }
        };
        let end = u32::from_le_bytes(number(offsets, entries)) as usize;
        Strings { values, offsets, codes, text: &text[..end] }
    }
}

impl Ints<'_> {
    /// The integer at `index`.
    pub fn get(self, index: usize) -> i64 {
        i64::from_le_bytes(number(self.numbers, index))
    }
}

impl<'a> Strings<'a> {
    /// Whether all strings are empty.
    pub fn are_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The bytes of the string at `index`.
    pub fn get(self, index: usize) -> &'a [u8] {
        let entry = match self.codes {
            Some(codes) => u32::from_le_bytes(number(codes, index)) as usize,
            None => index,
        };
        let offset = |entry| u32::from_le_bytes(number(self.offsets, entry)) as usize;
        &self.text[offset(entry)..offset(entry + 1)]
    }
}

/// Splits off `count` numbers of 32 bits with their padding.
fn numbers(bytes: &[u8], count: usize) -> (&[u8], &[u8]) {
    bytes.split_at((4 * count).next_multiple_of(8))
}

/// The number at `index` in an array of numbers of `N` bytes.
fn number<const N: usize>(bytes: &[u8], index: usize) -> [u8; N] {
    bytes.as_chunks().0[index]
}
