//! Flat rows, the form in which the JVM passes rows. `docs/jvm.md` describes it.
//!
//! There are three streams: 64-bit slots, UTF-16 text, and byte strings. All are read from front to
//! back. Generated Java code writes them, so their meaning is trusted, but every read is checked to
//! be inside its stream.

use super::{OpResult, PlainText, Source, Text};
use crate::bytes::text;
use crate::bytes::vector::vectorized;
use crate::error::Fault;
use crate::layout::{JitKind, LayoutKind};
use crate::plan::Arm;
use crate::schema::Container;

const SHORT: Fault = Fault::Corrupt("flat rows end within a row");

/// The text of flat rows. The memory is reused for the next batch.
///
/// The text arrives as UTF-16, because Java's strings are copied to that form fastest. It is
/// usually ASCII. So it is narrowed at once to one byte per unit. A unit that is not ASCII becomes
/// `0x80` and must be looked up in `units`.
#[derive(Debug, Default)]
pub struct Units {
    bytes: Vec<u8>,
    /// The text in UTF-16; empty if all of it is ASCII.
    units: Vec<u16>,
    len: usize,
}

impl Units {
    /// Replaces the text by `units`.
    pub fn set(&mut self, units: &[u16]) {
        self.len = units.len();
        if self.bytes.len() < self.len {
            self.bytes.resize(self.len, 0);
        }
        self.units.clear();
        if !narrow(units, &mut self.bytes[..self.len]) {
            self.units.extend_from_slice(units);
        }
    }

    /// Returns the number of bytes of allocated memory.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity() + 2 * self.units.capacity()
    }
}

impl From<&[u16]> for Units {
    fn from(units: &[u16]) -> Units {
        let mut text = Units::default();
        text.set(units);
        text
    }
}

vectorized! {
    /// Writes a byte for each unit. Returns whether all units are ASCII.
    fn narrow(units: &[u16], to: &mut [u8]) -> bool {
        let mut all = 0;
        for (&unit, to) in units.iter().zip(to) {
            all |= unit;
            *to = unit.min(0x80) as u8;
        }
        all < 0x80
    }
}

/// The kind of [`FlatRows`]. Its context is a [`FlatContext`].
pub static FLAT: LayoutKind = LayoutKind::new("flat");

/// Flat rows as a source.
pub struct FlatRows<'a> {
    slots: &'a [i64],
    text: &'a [u8],
    /// The units of all text; empty if all of it is ASCII. `text` corresponds to their end.
    units: &'a [u16],
    bytes: &'a [u8],
    scratch: Vec<u8>,
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
    fn of(slots: &[i64], text: &[u8], bytes: &[u8], units: &[u16]) -> FlatContext {
        let (slots, text) = (slots.as_ptr_range(), text.as_ptr_range());
        let bytes = bytes.as_ptr_range();
        FlatContext {
            slots: slots.start,
            slots_end: slots.end,
            text: text.start,
            text_end: text.end,
            bytes: bytes.start,
            bytes_end: bytes.end,
            ascii: units.is_empty().into(),
        }
    }
}

impl<'a> FlatRows<'a> {
    /// Creates a source of rows in these two streams, for values without bytes.
    pub fn new(slots: &'a [i64], text: &'a Units) -> FlatRows<'a> {
        let (text, units) = (&text.bytes[..text.len], &text.units[..]);
        let context = FlatContext::of(slots, text, &[], units);
        FlatRows { slots, text, units, bytes: &[], scratch: Vec::new(), context }
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
        self.context = FlatContext::of(self.slots, self.text, self.bytes, self.units);
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
        let at = self.units.len().wrapping_sub(self.text.len());
        let Some((bytes, rest)) = self.text.split_at_checked(len) else { return Err(SHORT) };
        self.text = rest;
        if self.units.is_empty() || text::is_ascii(bytes) {
            // SAFETY: this was looked at just now, or when the units were narrowed, which are kept unless
            // all are ASCII.
            return Ok(Text::Plain(unsafe { PlainText::ascii(bytes) }));
        }
        self.scratch.clear();
        text::push_utf16(&mut self.scratch, self.units[at..at + len].iter().copied());
        Ok(Text::plain(&self.scratch))
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
    use crate::testing::sized;

    /// Reads the consecutive strings of a batch. `lens` has their numbers of units.
    fn strings(lens: &[i64], units: &[u16]) -> Vec<(Vec<u8>, bool)> {
        let text = Units::from(units);
        let mut source = FlatRows::new(lens, &text);
        let strings = lens.iter().map(|_| match source.str(0) {
            Ok(Text::Plain(text)) => (text.bytes().to_vec(), text.is_known_ascii()),
            _ => panic!("a string is in the text"),
        });
        let strings = strings.collect();
        assert!(source.is_empty());
        strings
    }

    #[test]
    fn text_of_any_length_is_narrowed() {
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 100, 1000] {
            let units: Vec<u16> = (0..len).map(|i| i % 0x80).collect();
            let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
            assert_eq!(strings(&[len.into()], &units), [(bytes, true)]);
        }
    }

    #[test]
    fn ascii_and_other_strings_may_be_mixed() {
        let words =
            ["almond", "", "Straße", "€", "mint", "😀", "\u{7F}\u{80}\u{FF}\u{100}\u{FFFF}", "x"];
        let units: Vec<u16> = words.iter().flat_map(|word| word.encode_utf16()).collect();
        let lens = words.map(|word| word.encode_utf16().count() as i64);
        let expected = words.map(|word| (word.as_bytes().to_vec(), word.is_ascii()));
        assert_eq!(strings(&lens, &units), expected);
        let lone = [0x61, 0xD800, 0xDC00, 0xD83D];
        let halves =
            [(b"a\xED\xA0\x80".to_vec(), false), (b"\xED\xB0\x80\xED\xA0\xBD".to_vec(), false)];
        assert_eq!(strings(&[2, 2], &lone), halves);
    }

    #[test]
    fn a_single_unit_that_is_not_ascii_is_found() {
        let len = sized(20_000, 8_200);
        let mut units: Vec<u16> = (0..len).map(|i| (i % 0x7F) as u16).collect();
        let ascii: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        assert_eq!(strings(&[len as i64], &units), [(ascii, true)]);
        for place in [8192, 8191, 0, len - 1].into_iter().take(sized(4, 1)) {
            let before = std::mem::replace(&mut units[place], 0xE9);
            let text = String::from_utf16(&units).expect("no surrogates").into_bytes();
            assert_eq!(strings(&[len as i64], &units), [(text, false)]);
            units[place] = before;
        }
    }

    #[test]
    fn text_can_be_replaced() {
        let mut text = Units::default();
        for word in ["long and ASCII", "kürzer", "ASCII"] {
            let units: Vec<u16> = word.encode_utf16().collect();
            text.set(&units);
            let slots = [units.len() as i64];
            let mut source = FlatRows::new(&slots, &text);
            assert!(
                matches!(source.str(0), Ok(Text::Plain(text)) if text.bytes() == word.as_bytes())
            );
        }
        assert!(matches!(FlatRows::new(&[6], &text).str(0), Err(SHORT)));
        assert!(matches!(FlatRows::new(&[-1], &text).str(0), Err(SHORT)));
    }

    #[test]
    fn bytes_have_their_own_stream() {
        let text = Units::from(&[0x61, 0x62][..]);
        let mut source = FlatRows::new(&[1, 2, 0, 1, 2, 1], &text).with_bytes(b"\xFFx\x80");
        let mut read = |is_text: bool| match if is_text { source.str(0) } else { source.bytes(0) } {
            Ok(Text::Plain(text)) => Some(text.bytes().to_vec()),
            _ => None,
        };
        let expected = [(true, "a"), (false, "\u{FF}x"), (false, ""), (true, "b")];
        for (is_text, expected) in expected {
            let bytes: Vec<u8> = expected.chars().map(|c| c as u8).collect();
            assert_eq!(read(is_text), Some(bytes));
        }
        assert_eq!(read(false), None, "there is one byte and not two");
        assert_eq!(read(false), Some(b"\x80".to_vec()));
        assert!(source.is_empty());
    }
}
