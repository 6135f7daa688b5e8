//! Flat rows: what the JVM hands over, as `docs/design.md` describes.
//!
//! Two streams, one of 64-bit slots and one of text, both read from front to back. They come from
//! generated Java code, so they are trusted to mean what they say; but every read is checked to be
//! inside its stream.

use super::{Source, Step, Text};
use crate::compiled::Form;
use crate::error::Fault;
use crate::plan::Arm;
use crate::schema::Container;
use crate::wire::text;

const SHORT: Fault = Fault::Corrupt("flat rows end within a row");

/// Latin-1, one byte a character.
pub const LATIN1: u64 = 0;
/// UTF-16LE, in which surrogates may stand alone.
pub const UTF16: u64 = 1;
/// Generalised UTF-8.
pub const UTF8: u64 = 2;

/// Flat rows as a source.
pub struct FlatRows<'a> {
    slots: &'a [i64],
    text: &'a [u8],
    /// Whether all of `text` is ASCII, which is asked once for all strings: it mostly is.
    ascii: bool,
    scratch: Vec<u8>,
    place: Place,
}

/// Where flat rows are read, as compiled code has it: what is left of both streams.
#[derive(Debug)]
#[repr(C)]
pub struct Place {
    /// The next slot.
    pub slots: *const i64,
    /// The end of the slots.
    pub slots_end: *const i64,
    /// The text of the next string.
    pub text: *const u8,
    /// The end of the text.
    pub text_end: *const u8,
    /// 1 if all text is ASCII, else 0.
    pub ascii: u64,
}

impl Place {
    fn of(slots: &[i64], text: &[u8], ascii: bool) -> Place {
        let (slots, text) = (slots.as_ptr_range(), text.as_ptr_range());
        Place {
            slots: slots.start,
            slots_end: slots.end,
            text: text.start,
            text_end: text.end,
            ascii: ascii.into(),
        }
    }
}

impl<'a> FlatRows<'a> {
    /// Rows in these two streams.
    pub fn new(slots: &'a [i64], text: &'a [u8]) -> FlatRows<'a> {
        let ascii = text::is_ascii(text);
        FlatRows { slots, text, ascii, scratch: Vec::new(), place: Place::of(slots, text, ascii) }
    }

    /// Whether both streams were read to their ends.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.text.is_empty()
    }

    #[inline(always)]
    fn slot(&mut self) -> Step<i64> {
        let Some((&slot, rest)) = self.slots.split_first() else { return Err(SHORT) };
        self.slots = rest;
        Ok(slot)
    }
}

impl Source for FlatRows<'_> {
    const NEVER: Fault = Fault::Corrupt("flat rows hold a value of type never");

    const FORM: Option<Form> = Some(Form::Flat);

    fn lend(&mut self) -> *mut () {
        self.place = Place::of(self.slots, self.text, self.ascii);
        std::ptr::from_mut(&mut self.place).cast()
    }

    fn take_back(&mut self) {
        // The streams' ends stay where they are, so what is left says what was read.
        let left = (self.place.slots_end.addr() - self.place.slots.addr()) / size_of::<i64>();
        self.slots = &self.slots[self.slots.len() - left..];
        let left = self.place.text_end.addr() - self.place.text.addr();
        self.text = &self.text[self.text.len() - left..];
    }

    #[inline(always)]
    fn row(&mut self, _row: usize) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32) -> Step<i64> {
        self.slot()
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32) -> Step<f64> {
        Ok(f64::from_bits(self.slot()? as u64))
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> Step<Text<'_>> {
        let slot = self.slot()? as u64;
        let Some((bytes, rest)) = self.text.split_at_checked((slot >> 2) as usize) else {
            return Err(SHORT);
        };
        self.text = rest;
        let encoding = slot & 3;
        if encoding == LATIN1 && (self.ascii || text::is_ascii(bytes)) {
            return Ok(Text::Plain { bytes, ascii: true });
        }
        self.scratch.clear();
        match encoding {
            LATIN1 => text::push_latin1(&mut self.scratch, bytes),
            UTF16 => {
                let units = bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
                text::push_utf16(&mut self.scratch, units);
            }
            UTF8 if text::is_valid(bytes) => return Ok(Text::Plain { bytes, ascii: false }),
            _ => return Err(Fault::Corrupt("flat rows hold text of an unknown encoding")),
        }
        Ok(Text::Plain { bytes: &self.scratch, ascii: false })
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> Step<Text<'_>> {
        let len = usize::try_from(self.slot()?).map_err(|_| SHORT)?;
        let Some((bytes, rest)) = self.text.split_at_checked(len) else { return Err(SHORT) };
        self.text = rest;
        Ok(Text::Plain { bytes, ascii: false })
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> Step<bool> {
        Ok(self.slot()? != 0)
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> Step<bool> {
        Ok(self.slot()? != 0)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn sequence(&mut self, _container: Container, _column: u32, weightless: bool) -> Step<usize> {
        let len = usize::try_from(self.slot()?).map_err(|_| SHORT)?;
        if !weightless && len > self.slots.len() {
            return Err(SHORT);
        }
        Ok(len)
    }

    #[inline(always)]
    fn arm(&mut self, arms: &[Arm], _column: u32) -> Step<usize> {
        let arm = self.slot()? as usize;
        if arm < arms.len() {
            Ok(arm)
        } else {
            Err(Fault::Corrupt("flat rows hold an unknown arm"))
        }
    }
}
