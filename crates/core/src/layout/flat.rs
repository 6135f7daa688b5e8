//! Flat rows, the form in which the JVM passes rows. `docs/jvm.md` describes it.
//!
//! There are three streams: 64-bit slots, text in generalised UTF-8, and byte strings. All are read
//! from front to back. Generated Java code writes them, so their meaning is trusted, but every read
//! is checked to be inside its stream, and text that is not ASCII to be UTF-8.

use super::{OpResult, PlainText, Source, Text};
use crate::bytes::text;
use crate::error::Fault;
use crate::layout::{JitKind, LayoutKind};
use crate::plan::Arm;
use crate::schema::Container;

const SHORT: Fault = Fault::Corrupt("flat rows end within a row");

/// The kind of [`FlatRows`]. Its context is a [`FlatContext`].
pub static FLAT: LayoutKind = LayoutKind::new("flat");

/// Flat rows as a source.
pub struct FlatRows<'a> {
    slots: &'a [i64],
    text: &'a [u8],
    /// Whether all text is ASCII. It usually is.
    is_ascii: bool,
    bytes: &'a [u8],
    context: FlatContext,
}

/// The context of compiled code that reads flat rows: the unread part of each stream.
#[derive(Debug)]
#[repr(C)]
pub struct FlatContext {
    /// The next slot.
    pub slots: *const i64,
    /// The end of the slots.
    pub slots_end: *const i64,
    /// The text of the next string.
    pub text: *const u8,
    /// The end of the text.
    pub text_end: *const u8,
    /// The next byte string.
    pub bytes: *const u8,
    /// The end of the byte strings.
    pub bytes_end: *const u8,
    /// 1 if all text is ASCII, 0 otherwise.
    pub ascii: u64,
}

impl FlatContext {
    fn of(slots: &[i64], text: &[u8], bytes: &[u8], is_ascii: bool) -> FlatContext {
        let (slots, text) = (slots.as_ptr_range(), text.as_ptr_range());
        let bytes = bytes.as_ptr_range();
        FlatContext {
            slots: slots.start,
            slots_end: slots.end,
            text: text.start,
            text_end: text.end,
            bytes: bytes.start,
            bytes_end: bytes.end,
            ascii: is_ascii.into(),
        }
    }
}

impl<'a> FlatRows<'a> {
    /// Creates a source of rows in these two streams, for values without bytes.
    pub fn new(slots: &'a [i64], text: &'a [u8]) -> FlatRows<'a> {
        let is_ascii = text::is_ascii(text);
        let context = FlatContext::of(slots, text, &[], is_ascii);
        FlatRows { slots, text, is_ascii, bytes: &[], context }
    }

    /// Adds the stream of byte strings.
    pub fn with_bytes(self, bytes: &'a [u8]) -> FlatRows<'a> {
        FlatRows { bytes, ..self }
    }

    /// Returns whether all streams were read to the end.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.text.is_empty() && self.bytes.is_empty()
    }

    #[inline(always)]
    fn slot(&mut self) -> OpResult<i64> {
        let Some((&slot, rest)) = self.slots.split_first() else { return Err(SHORT) };
        self.slots = rest;
        Ok(slot)
    }
}

impl Source for FlatRows<'_> {
    const NEVER: Fault = Fault::Corrupt("flat rows have a value of type never");

    // SAFETY: `enter_jit` returns a `FlatContext` for streams that the source borrows.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&FLAT) });

    fn enter_jit(&mut self) -> *mut () {
        self.context = FlatContext::of(self.slots, self.text, self.bytes, self.is_ascii);
        std::ptr::from_mut(&mut self.context).cast()
    }

    unsafe fn exit_jit(&mut self) {
        // The streams' ends do not change, so the distance to them tells what was read.
        let left = (self.context.slots_end.addr() - self.context.slots.addr()) / size_of::<i64>();
        self.slots = &self.slots[self.slots.len() - left..];
        let left = self.context.text_end.addr() - self.context.text.addr();
        self.text = &self.text[self.text.len() - left..];
        let left = self.context.bytes_end.addr() - self.context.bytes.addr();
        self.bytes = &self.bytes[self.bytes.len() - left..];
    }

    #[inline(always)]
    fn row(&mut self, _row: usize) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32) -> OpResult<i64> {
        self.slot()
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32) -> OpResult<f64> {
        Ok(f64::from_bits(self.slot()? as u64))
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let len = self.slot()? as usize;
        let Some((bytes, rest)) = self.text.split_at_checked(len) else { return Err(SHORT) };
        self.text = rest;
        if self.is_ascii || text::is_ascii(bytes) {
            // SAFETY: this was looked at just now, or in `new`.
            return Ok(Text::Plain(unsafe { PlainText::ascii(bytes) }));
        }
        match text::is_valid(bytes) {
            true => Ok(Text::plain(bytes)),
            false => Err(Fault::Corrupt("flat rows have text that is not UTF-8")),
        }
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let len = usize::try_from(self.slot()?).map_err(|_| SHORT)?;
        let Some((bytes, rest)) = self.bytes.split_at_checked(len) else { return Err(SHORT) };
        self.bytes = rest;
        Ok(Text::plain(bytes))
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        Ok(self.slot()? != 0)
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult<bool> {
        Ok(self.slot()? != 0)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn sequence(
        &mut self,
        _container: Container,
        _column: u32,
        zero_sized: bool,
    ) -> OpResult<usize> {
        let len = usize::try_from(self.slot()?).map_err(|_| SHORT)?;
        if !zero_sized && len > self.slots.len() {
            return Err(SHORT);
        }
        Ok(len)
    }

    #[inline(always)]
    fn arm(&mut self, arms: &[Arm], _column: u32) -> OpResult<usize> {
        let arm = self.slot()? as usize;
        if arm < arms.len() {
            Ok(arm)
        } else {
            Err(Fault::Corrupt("flat rows have an unknown arm"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the consecutive strings of a batch, and tells which are known to be ASCII.
    fn strings<const N: usize>(words: [&[u8]; N]) -> [OpResult<(Vec<u8>, bool)>; N] {
        let text = words.concat();
        let slots = words.map(|word| word.len() as i64);
        let mut source = FlatRows::new(&slots, &text);
        let strings = words.map(|_| match source.str(0)? {
            Text::Plain(text) => Ok((text.bytes().to_vec(), text.is_known_ascii())),
            _ => panic!("a string is in the text"),
        });
        assert!(source.is_empty());
        strings
    }

    #[test]
    fn ascii_and_other_strings_may_be_mixed() {
        let words = ["almond", "", "Straße", "€", "mint", "😀", "\u{7F}", "\u{80}", "x"];
        let expected = words.map(|word| Ok((word.as_bytes().to_vec(), word.is_ascii())));
        assert_eq!(strings(words.map(str::as_bytes)), expected);
        let ascii = ["almond", "mint"];
        assert_eq!(strings(ascii.map(str::as_bytes)), ascii.map(|word| Ok((word.into(), true))));
    }

    #[test]
    fn lone_surrogates_are_text_and_other_bytes_are_not() {
        let lone = b"a\xED\xA0\x80";
        let damaged = Err(Fault::Corrupt("flat rows have text that is not UTF-8"));
        assert_eq!(strings([lone, b"\xFF"]), [Ok((lone.to_vec(), false)), damaged]);
    }

    #[test]
    fn strings_are_within_the_text() {
        for slot in [6, -1] {
            assert!(matches!(FlatRows::new(&[slot], b"ASCII").str(0), Err(SHORT)));
        }
    }

    #[test]
    fn bytes_have_their_own_stream() {
        let mut source = FlatRows::new(&[1, 2, 0, 1, 2, 1], b"ab").with_bytes(b"\xFFx\x80");
        let mut read = |is_text: bool| match if is_text { source.str(0) } else { source.bytes(0) } {
            Ok(Text::Plain(text)) => Some(text.bytes().to_vec()),
            _ => None,
        };
        let expected: [(bool, &[u8]); 4] =
            [(true, b"a"), (false, b"\xFFx"), (false, b""), (true, b"b")];
        for (is_text, bytes) in expected {
            assert_eq!(read(is_text).as_deref(), Some(bytes));
        }
        assert_eq!(read(false), None, "there is one byte and not two");
        assert_eq!(read(false), Some(b"\x80".to_vec()));
        assert!(source.is_empty());
    }
}
