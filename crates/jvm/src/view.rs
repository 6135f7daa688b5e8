//! The columns of a frame as Java reads them: the content of a [`block`](crate::block).

use bytemuck::cast_slice;

use crate::block::{DICTIONARY, WORDS};

/// A block.
#[derive(Clone, Copy)]
pub struct View<'a> {
    words: &'a [u64],
}

/// A str column.
#[derive(Clone, Copy)]
pub struct Strings<'a> {
    /// The start offset of each entry in the text, and the end of the last.
    offsets: &'a [u32],
    /// The entry of each value, if there is a dictionary.
    codes: Option<&'a [u32]>,
    text: &'a [u8],
}

impl<'a> View<'a> {
    /// The block in `words`.
    pub fn new(words: &'a [u64]) -> View<'a> {
        View { words }
    }

    /// The numbers of values, of entries and the flags of column `index`, and its data with what follows.
    fn column(self, index: usize) -> (usize, usize, u64, &'a [u64]) {
        let row = &self.words[WORDS * index..][..WORDS];
        (row[0] as usize, row[2] as usize, row[3], &self.words[row[1] as usize / 8..])
    }

    /// The int column at `index` in the table.
    pub fn ints(self, index: usize) -> &'a [i64] {
        let (values, .., data) = self.column(index);
        &cast_slice(data)[..values]
    }

    /// The str column at `index` in the table.
    pub fn strings(self, index: usize) -> Strings<'a> {
        let (values, entries, flags, data) = self.column(index);
        let (offsets, mut rest) = numbers(data, entries + 1);
        let mut codes = None;
        if flags & DICTIONARY != 0 {
            let (taken, text) = numbers(rest, values);
            (codes, rest) = (Some(taken), text);
        }
        Strings { offsets, codes, text: &cast_slice(rest)[..offsets[entries] as usize] }
    }
}

impl<'a> Strings<'a> {
    /// The number of strings.
    pub fn values(self) -> usize {
        self.codes.map_or(self.offsets.len() - 1, <[u32]>::len)
    }

    /// Whether all strings are empty.
    pub fn are_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The bytes of the string at `index`.
    pub fn get(self, index: usize) -> &'a [u8] {
        let entry = self.codes.map_or(index, |codes| codes[index] as usize);
        &self.text[self.offsets[entry] as usize..self.offsets[entry + 1] as usize]
    }
}

/// Splits off `count` numbers of 32 bits with their padding.
fn numbers(words: &[u64], count: usize) -> (&[u32], &[u64]) {
    let (numbers, rest) = words.split_at(count.div_ceil(2));
    (&cast_slice(numbers)[..count], rest)
}
