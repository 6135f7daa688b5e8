//! Unpacks a column, one window at a time.

use std::mem::MaybeUninit;

use bytemuck::cast_slice_mut;

use crate::error::Fault;
use crate::layout::OpResult;
use crate::wire::frame::{bits, floats, ints};

/// The number of values that a cursor unpacks at a time. A multiple of eight.
pub(super) const WINDOW: usize = 256;

pub(super) const SHORT: Fault = Fault::Corrupt("a column has too few values");

/// A word of a window.
pub(super) type Word = MaybeUninit<u64>;

/// Reads the values of a column as words.
#[derive(Clone)]
pub(super) enum ColumnReader<'a> {
    Ints(ints::IntReader<'a>),
    Floats(floats::FloatReader<'a>),
    /// The offset of each string in the text, computed from the remaining lengths.
    Begins {
        lengths: ints::IntReader<'a>,
        at: u64,
        text: u64,
    },
    Bits(bits::BitReader<'a>),
}

impl ColumnReader<'_> {
    pub(super) fn left(&self) -> usize {
        match self {
            ColumnReader::Ints(reader) => reader.left(),
            ColumnReader::Floats(reader) => reader.left(),
            ColumnReader::Begins { lengths, .. } => lengths.left(),
            ColumnReader::Bits(reader) => reader.left(),
        }
    }

    /// Fills all of `window` except the last word, which holds the end of the text.
    fn read(&mut self, window: &mut [u64], scratch: &mut Vec<i64>) -> OpResult {
        let len = window.len() - 1;
        match self {
            ColumnReader::Ints(reader) => reader.read(cast_slice_mut(&mut window[..len])),
            ColumnReader::Floats(reader) => {
                scratch.resize(scratch.len().max(len), 0);
                reader.read(cast_slice_mut(&mut window[..len]), &mut scratch[..len]);
            }
            ColumnReader::Begins { lengths, at, text } => {
                lengths.read(cast_slice_mut(&mut window[..len]));
                let mut begin = *at;
                for word in &mut window[..len] {
                    begin += std::mem::replace(word, begin);
                    // `StrReader` has checked the sum of the lengths. This check protects code that
                    // reads the text without a bounds check.
                    if begin > *text {
                        return Err(SHORT);
                    }
                }
                window[len] = begin;
                *at = begin;
            }
            ColumnReader::Bits(reader) => {
                let mut scratch = [0; WINDOW];
                for words in window[..len].chunks_mut(WINDOW) {
                    let bits = &mut scratch[..words.len()];
                    reader.read(bits);
                    for (word, &mut bit) in words.iter_mut().zip(bits) {
                        *word = bit.into();
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) struct Cursor<'a> {
    /// Index of its window in `Windows::words`, and the most values that the window has; the next value
    /// and the end of the values in it.
    pub(super) window: usize,
    pub(super) most: usize,
    pub(super) at: usize,
    pub(super) len: usize,
    /// The number of words at the start of its window that are initialised.
    pub(super) written: usize,
    pub(super) reader: ColumnReader<'a>,
}

/// All windows, one after another, and scratch memory for unpacking.
pub(super) struct Windows {
    /// Not a box: an access through a box invalidates other pointers to its content.
    pub(super) words: Vec<Word>,
    pub(super) scratch: Vec<i64>,
}

impl Cursor<'_> {
    #[cold]
    pub(super) fn refill(&mut self, windows: &mut Windows) -> OpResult {
        let len = self.reader.left().min(self.most);
        if len == 0 {
            return Err(SHORT);
        }
        let window = &mut windows.words[self.window..][..=len];
        if self.written <= len {
            window.fill(Word::new(0));
            self.written = len + 1;
        }
        // SAFETY: all words of the window are initialised, by this call or an earlier one.
        let window =
            unsafe { std::slice::from_raw_parts_mut(window.as_mut_ptr().cast(), window.len()) };
        self.reader.read(window, &mut windows.scratch)?;
        (self.at, self.len) = (0, len);
        Ok(())
    }
}
