//! The row wire: one self-contained record after another.
//!
//! ```text
//! record    length of what follows (4 bytes), value
//! i64       zigzag varint
//! f64       8 bytes
//! str       length (varint), generalised UTF-8
//! bool      one byte, 0 or 1
//! null      nothing
//! optional  one byte, 0 or 1; if 1, the value
//! fixed     the fields, one after another
//! sequence  number of elements (varint), the elements
//! union     index of the arm (varint), the value
//! ```
//!
//! A record refers to nothing outside itself but the schema, so records may be moved and joined.

use super::{Sink, Source, Step, TOO_MANY_WEIGHTLESS, Text};
use crate::error::Fault;
use crate::limits::{FRAME_SIZE_TARGET, MAX_BYTES, MAX_WEIGHTLESS, WEIGHTLESS_SIZE};
use crate::plan::Arm;
use crate::schema::Container;
use crate::wire::out::{Out, copy_short};
use crate::wire::{text, varint};

const LENGTH: usize = 4;

/// The row wire as a sink.
pub struct RowWriter<'a, 'b> {
    out: &'a mut Out<'b>,
    /// Where the record began.
    begin: usize,
    /// Where the frame is full, if it holds no values that take no bytes; and how many it holds.
    full: usize,
    weightless: usize,
    /// Room that was asked for and must be there again after a string.
    bound: usize,
    /// Ends of the dictionary entries of each column, if the source has dictionaries.
    dictionaries: Vec<Option<(Vec<u32>, Vec<u8>)>>,
}

impl<'a, 'b> RowWriter<'a, 'b> {
    /// Append records to `out`, in a frame whose body began at `body` and holds `weightless` values
    /// that take no bytes, until it is as large as frames get.
    pub fn new(out: &'a mut Out<'b>, body: usize, weightless: usize) -> RowWriter<'a, 'b> {
        RowWriter {
            begin: out.len(),
            full: body + FRAME_SIZE_TARGET,
            out,
            weightless,
            bound: 0,
            dictionaries: Vec::new(),
        }
    }

    /// How many values that take no bytes the frame holds now.
    pub fn weightless(&self) -> usize {
        self.weightless
    }

    /// Take back what was written of a record that was not ended.
    pub fn roll_back(&mut self) {
        self.out.truncate(self.begin);
    }

    #[inline(always)]
    fn varint(&mut self, v: u64) {
        // SAFETY: the room for every scalar of the row was reserved by `row` or `element`.
        unsafe {
            let n = varint::write(self.out.end(), v);
            self.out.advance(n);
        }
    }

    #[inline(always)]
    fn byte(&mut self, v: u8) {
        // SAFETY: as in `varint`.
        unsafe {
            *self.out.end() = v;
            self.out.advance(1);
        }
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) -> Step {
        if bytes.len() > MAX_BYTES {
            return Err(Fault::Limit("a string is longer than 4 GiB"));
        }
        self.out.reserve(bytes.len() + self.bound)?;
        // SAFETY: the room for the string was reserved, and the slack stands behind it.
        unsafe {
            let to = self.out.end();
            let length = varint::write(to, bytes.len() as u64);
            copy_short(bytes.as_ptr(), to.add(length), bytes.len());
            self.out.advance(length + bytes.len());
        }
        Ok(())
    }
}

impl Sink for RowWriter<'_, '_> {
    #[inline(always)]
    fn row(&mut self, bound: usize) -> Step {
        self.bound = bound + LENGTH;
        self.out.reserve(self.bound)?;
        self.begin = self.out.len();
        // SAFETY: the room was reserved; `end_row` writes the length there.
        unsafe { self.out.advance(LENGTH) };
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> Step {
        let (begin, end) = (self.begin, self.out.len());
        let len = end - begin - LENGTH;
        if len > MAX_BYTES {
            return Err(Fault::Limit("a row is longer than 4 GiB"));
        }
        self.out.written_mut()[begin..begin + LENGTH].copy_from_slice(&(len as u32).to_le_bytes());
        self.begin = end;
        if end + self.weightless * WEIGHTLESS_SIZE < self.full { Ok(()) } else { Err(Fault::Full) }
    }

    #[inline(always)]
    fn element(&mut self, bound: usize) -> Step {
        // An element's own bound covers nothing of what stands after its sequence.
        self.bound = self.bound.max(bound);
        self.out.reserve(self.bound + bound)
    }

    fn dictionary(&mut self, column: u32, ends: &[u32], bytes: &[u8]) -> Step {
        let column = column as usize;
        self.dictionaries.resize(self.dictionaries.len().max(column + 1), None);
        self.dictionaries[column] = Some((ends.to_vec(), bytes.to_vec()));
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, v: i64) -> Step {
        self.varint(varint::zigzag(v));
        Ok(())
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, v: f64) -> Step {
        // SAFETY: as in `varint`.
        unsafe {
            self.out.end().cast::<[u8; 8]>().write_unaligned(v.to_le_bytes());
            self.out.advance(8);
        }
        Ok(())
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> Step {
        match v {
            Text::Plain { bytes, .. } => self.bytes(bytes),
            Text::Entry(code) => {
                let (ends, text) = self.dictionaries[column as usize].take().unwrap_or_default();
                let begin = if code == 0 { 0 } else { ends[code as usize - 1] } as usize;
                let done = self.bytes(&text[begin..ends[code as usize] as usize]);
                self.dictionaries[column as usize] = Some((ends, text));
                done
            }
        }
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, v: bool) -> Step {
        self.byte(u8::from(v));
        Ok(())
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        self.weightless += 1;
        if self.weightless > MAX_WEIGHTLESS { Err(TOO_MANY_WEIGHTLESS) } else { Ok(()) }
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> Step {
        self.byte(1);
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, _column: u32) -> Step {
        self.byte(0);
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _atomic: bool) -> Step {
        if len == 0 { self.null() } else { Ok(()) }
    }

    #[inline(always)]
    fn leave(&mut self) -> Step {
        // After a sequence the rest of the row needs its room again.
        self.out.reserve(self.bound)
    }

    #[inline(always)]
    fn sequence(&mut self, _container: Container, _column: u32, len: usize, _atomic: bool) -> Step {
        self.varint(len as u64);
        Ok(())
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, arm: usize) -> Step {
        self.varint(arm as u64);
        Ok(())
    }
}

const SHORT: Fault = Fault::Corrupt("a record is shorter than its values");

/// The records of a frame as a source.
pub struct RowReader<'a> {
    /// What follows the record.
    rest: &'a [u8],
    /// What was not read of the record.
    record: &'a [u8],
    /// Sequence elements that may still be claimed: each takes a byte at least, so there can't be
    /// more of them than bytes.
    elements: usize,
    /// The same for elements that take no bytes.
    weightless: usize,
}

impl<'a> RowReader<'a> {
    /// The records in `body`.
    pub fn new(body: &'a [u8]) -> RowReader<'a> {
        RowReader { rest: body, record: &[], elements: body.len(), weightless: MAX_WEIGHTLESS }
    }

    /// Whether all records were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.record.is_empty()
    }

    #[inline(always)]
    fn varint(&mut self) -> Step<u64> {
        varint::take(&mut self.record).ok_or(SHORT)
    }

    #[inline(always)]
    fn flag(&mut self) -> Step<bool> {
        let Some((&flag, rest)) = self.record.split_first() else { return Err(SHORT) };
        self.record = rest;
        match flag {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Fault::Corrupt("a record has a boolean that is neither 0 nor 1")),
        }
    }
}

impl Source for RowReader<'_> {
    const NEVER: Fault = Fault::Corrupt("a value is of type never");

    #[inline(always)]
    fn row(&mut self, _row: usize) -> Step {
        let Some((len, rest)) = self.rest.split_first_chunk::<LENGTH>() else {
            return Err(Fault::Corrupt("a frame has fewer records than rows"));
        };
        let Some((record, rest)) = rest.split_at_checked(u32::from_le_bytes(*len) as usize) else {
            return Err(Fault::Corrupt("a record is longer than its frame"));
        };
        (self.record, self.rest) = (record, rest);
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> Step {
        if self.record.is_empty() {
            Ok(())
        } else {
            Err(Fault::Corrupt("a record is longer than its values"))
        }
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32) -> Step<i64> {
        Ok(varint::unzigzag(self.varint()?))
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32) -> Step<f64> {
        let Some((bits, rest)) = self.record.split_first_chunk() else { return Err(SHORT) };
        self.record = rest;
        Ok(f64::from_le_bytes(*bits))
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> Step<Text<'_>> {
        let len = usize::try_from(self.varint()?).map_err(|_| SHORT)?;
        let Some((bytes, rest)) = self.record.split_at_checked(len) else { return Err(SHORT) };
        self.record = rest;
        let ascii = text::is_ascii(bytes);
        if !ascii && !text::is_valid(bytes) {
            return Err(Fault::Corrupt("a string holds bytes that are not UTF-8"));
        }
        Ok(Text::Plain { bytes, ascii })
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> Step<bool> {
        self.flag()
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> Step<bool> {
        self.flag()
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, _len: u32) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn sequence(&mut self, _container: Container, _column: u32, weightless: bool) -> Step<usize> {
        let len = usize::try_from(self.varint()?).map_err(|_| SHORT)?;
        let budget = if weightless { &mut self.weightless } else { &mut self.elements };
        match budget.checked_sub(len) {
            Some(left) => *budget = left,
            None => {
                return Err(Fault::Corrupt("a sequence claims more elements than can be there"));
            }
        }
        Ok(len)
    }

    #[inline(always)]
    fn arm(&mut self, arms: &[Arm], _column: u32) -> Step<usize> {
        match usize::try_from(self.varint()?) {
            Ok(arm) if arm < arms.len() => Ok(arm),
            _ => Err(Fault::Corrupt("a union has an arm that its schema has not")),
        }
    }
}
