//! The columns of a frame as a source of rows, unpacked a window at a time.
//!
//! Every column has a cursor with room for a few hundred values, so what is unpacked stays in the
//! first levels of the cache until it is used, whatever the size of the frame.

use super::batch::BAD_CODE;
use super::{Sink, Source, Step, Text};
use crate::error::Fault;
use crate::plan::Arm;
use crate::schema::Container;
use crate::wire::frame::{Frame, bits, floats, ints, strings};

/// Values that a cursor unpacks at a time; a multiple of eight.
const WINDOW: usize = 256;

const SHORT: Fault = Fault::Corrupt("a column has too few values");

/// A frame as a source.
pub struct Columns<'a> {
    ints: Vec<Ints<'a>>,
    floats: Vec<Floats<'a>>,
    strs: Vec<Strs<'a>>,
    bits: Vec<Bits<'a>>,
}

macro_rules! cursor {
    ($name:ident, $reader:ident, $value:ty, |$unpack:ident, $window:ident| $read:expr) => {
        struct $name<'a> {
            reader: $reader::Reader<'a>,
            window: Vec<$value>,
            at: usize,
        }

        impl<'a> $name<'a> {
            fn new(reader: $reader::Reader<'a>) -> $name<'a> {
                $name { reader, window: Vec::new(), at: 0 }
            }

            #[inline(always)]
            fn next(&mut self) -> Step<$value> {
                if self.at == self.window.len() {
                    self.refill()?;
                }
                // SAFETY: after a refill there is at least one value at `at`.
                let v = unsafe { *self.window.get_unchecked(self.at) };
                self.at += 1;
                Ok(v)
            }

            #[cold]
            fn refill(&mut self) -> Step {
                let len = self.reader.left().min(WINDOW);
                if len == 0 {
                    return Err(SHORT);
                }
                self.window.resize(len, Default::default());
                self.at = 0;
                let ($unpack, $window) = (&mut self.reader, &mut self.window[..]);
                $read;
                Ok(())
            }
        }
    };
}

cursor!(Ints, ints, i64, |reader, window| reader.read(window));
cursor!(Bits, bits, u8, |reader, window| reader.read(window));
cursor!(Floats, floats, f64, |reader, window| {
    let mut scratch = [0; WINDOW];
    reader.read(window, &mut scratch[..window.len()]);
});

struct Strs<'a> {
    text: &'a [u8],
    ascii: bool,
    /// Lengths of the values, or their codes.
    numbers: Ints<'a>,
    /// The number of entries, if there is a dictionary.
    entries: Option<u64>,
    at: usize,
}

impl<'a> Strs<'a> {
    fn new(reader: strings::Reader<'a>) -> Strs<'a> {
        let entries = reader.codes.as_ref().map(|_| reader.lengths.left() as u64);
        let numbers = Ints::new(reader.codes.unwrap_or(reader.lengths));
        Strs { text: reader.text, ascii: reader.ascii, numbers, entries, at: 0 }
    }

    #[inline(always)]
    fn next(&mut self) -> Step<Text<'a>> {
        let number = self.numbers.next()? as u64;
        if let Some(entries) = self.entries {
            return if number < entries {
                Ok(Text::Entry(number as u32))
            } else {
                Err(Fault::Corrupt(BAD_CODE))
            };
        }
        let begin = self.at;
        self.at += number as usize;
        match self.text.get(begin..self.at) {
            Some(bytes) => Ok(Text::Plain { bytes, ascii: self.ascii }),
            None => Err(SHORT),
        }
    }
}

impl<'a> Columns<'a> {
    /// The rows of `frame`. The dictionaries of its columns are given to `sink`.
    ///
    /// # Errors
    /// What the sink has to say of a dictionary.
    pub fn new<K: Sink>(frame: Frame<'a>, sink: &mut K) -> Step<Columns<'a>> {
        for (column, reader) in frame.strs.iter().enumerate() {
            if reader.codes.is_some() {
                sink.dictionary(column as u32, reader.holds, &reader.ends()?, reader.text)?;
            }
        }
        Ok(Columns {
            ints: frame.ints.into_iter().map(Ints::new).collect(),
            floats: frame.floats.into_iter().map(Floats::new).collect(),
            strs: frame.strs.into_iter().map(Strs::new).collect(),
            bits: frame.bits.into_iter().map(Bits::new).collect(),
        })
    }
}

/// The cursor of an index that the plan names.
macro_rules! cursor_at {
    ($columns:ident.$kind:ident[$index:expr]) => {{
        debug_assert!(($index as usize) < $columns.$kind.len());
        // SAFETY: `Frame::parse` makes a reader for every column in the plan's order, and the
        // plan's instructions name no others.
        unsafe { $columns.$kind.get_unchecked_mut($index as usize) }
    }};
}

impl Source for Columns<'_> {
    const NEVER: Fault = Fault::Corrupt("a value is of type never");

    #[inline(always)]
    fn row(&mut self, _row: usize) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, column: u32) -> Step<i64> {
        cursor_at!(self.ints[column]).next()
    }

    #[inline(always)]
    fn f64(&mut self, column: u32) -> Step<f64> {
        cursor_at!(self.floats[column]).next()
    }

    #[inline(always)]
    fn str(&mut self, column: u32) -> Step<Text<'_>> {
        cursor_at!(self.strs[column]).next()
    }

    #[inline(always)]
    fn bytes(&mut self, column: u32) -> Step<Text<'_>> {
        self.str(column)
    }

    #[inline(always)]
    fn bool(&mut self, column: u32) -> Step<bool> {
        Ok(cursor_at!(self.bits[column]).next()? != 0)
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> Step<bool> {
        self.bool(column)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn sequence(&mut self, _container: Container, column: u32, _weightless: bool) -> Step<usize> {
        Ok(cursor_at!(self.ints[column]).next()? as usize)
    }

    #[inline(always)]
    fn arm(&mut self, _arms: &[Arm], column: u32) -> Step<usize> {
        Ok(cursor_at!(self.ints[column]).next()? as usize)
    }
}
