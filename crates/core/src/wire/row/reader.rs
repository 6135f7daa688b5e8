//! Reads records.

use bytemuck::{cast_slice, cast_slice_mut};

use super::{LENGTH, ROW};
use crate::bytes::{text, varint};
use crate::error::Fault;
use crate::layout::{
    Components, JitKind, NumberType, Numbers, OpResult, PlainText, Source, Text, read_components,
};
use crate::limits::{CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS, MAX_ZERO_SIZED, max_values};
use crate::memory;
use crate::number::{Number, widened};
use crate::plan::{Arm, ComponentColumns};
use crate::schema::{Container, Logical};

/// The most floats that are read together. They stay in the first level of the cache.
const FLOATS_AT_ONCE: usize = 1024;

const SHORT: Fault = Fault::Corrupt("a record is shorter than its values");
/// The fault of a frame that goes on after its records.
pub const BYTES_TO_SPARE: Fault = Fault::Corrupt("there are bytes after the last record");
const BEYOND: Fault = Fault::Corrupt("an integer is beyond the range of its type");

/// The records of a frame as a source.
pub struct RowReader<'a> {
    /// The bytes after the current record.
    rest: &'a [u8],
    /// The unread bytes of the current record.
    record: &'a [u8],
    /// The number of sequence elements that the frame may still claim. Each takes at least one
    /// byte, so there are at most as many elements as bytes.
    elements: usize,
    /// The number of nulls and of empty lists and tuples that the frame may still have.
    zero_sized: usize,
    /// The number of non-empty lists and tuples of fixed shape that the frame may still have.
    containers: usize,
    /// The floats of a list that were read together last.
    floats: Vec<f64>,
    context: RowReaderContext,
}

/// The context of compiled code that reads records.
#[derive(Debug)]
#[repr(C)]
pub struct RowReaderContext {
    /// The next record.
    pub next: *const u8,
    /// The end of the last record.
    pub end: *const u8,
    /// The end of the readable memory, which may be some bytes after `end`.
    pub readable: *const u8,
    /// The number of sequence elements that the frame may still claim.
    pub elements: usize,
    /// The number of nulls and of empty lists and tuples that the frame may still have.
    pub zero_sized: usize,
    /// The number of non-empty lists and tuples of fixed shape that the frame may still have.
    pub containers: usize,
}

/// The number of bytes after a record that compiled code may read.
pub const SLACK: usize = 8;

/// Every row may have this many non-empty lists and tuples without counting: the 4 bytes of its
/// length alone allow for them (see [`max_values`]). Code needs to count only the rest.
pub const FREE_CONTAINERS: usize = max_values(LENGTH, LENGTH) - max_values(0, 0);

/// A record of at most so many bytes has no more elements than a row may have. Each sequence, and each
/// element that is not zero-sized, has a byte at least.
const UNCOUNTED: usize = (MAX_ROW_ELEMENTS - MAX_ZERO_SIZED) / (CONTAINER_ELEMENTS + 1);

impl<'a> RowReader<'a> {
    /// Creates a source of the records in `bytes`, except the last `slack` bytes, which may be
    /// anything. With [`SLACK`] or more, compiled code can read the last record too.
    #[inline]
    pub fn new(bytes: &'a [u8], slack: usize) -> RowReader<'a> {
        let body = &bytes[..bytes.len() - slack];
        let context = RowReaderContext {
            next: body.as_ptr(),
            end: body.as_ptr_range().end,
            readable: bytes.as_ptr_range().end,
            elements: 0,
            zero_sized: 0,
            containers: 0,
        };
        RowReader {
            rest: body,
            record: &[],
            elements: body.len(),
            zero_sized: MAX_ZERO_SIZED,
            containers: max_values(body.len(), body.len()),
            floats: Vec::new(),
            context,
        }
    }

    /// Creates a source of one record without a length, which is the current one.
    #[inline(always)]
    pub fn of_value(value: &'a [u8]) -> RowReader<'a> {
        let with_length = value.len() + LENGTH;
        RowReader {
            record: value,
            elements: with_length,
            containers: max_values(with_length, with_length),
            ..RowReader::new(&[], 0)
        }
    }

    /// Limits what the records may claim by their number of bytes in the message, which is less than
    /// here if they were compressed.
    pub fn packed_in(mut self, packed: usize) -> RowReader<'a> {
        self.containers = max_values(self.rest.len(), packed);
        self
    }

    /// Returns the offset of each of `rows` records, which must be all, and the end of the last.
    ///
    /// # Errors
    /// A fault if there are more or fewer records, or memory runs out.
    pub fn begins(&mut self, rows: usize) -> OpResult<Vec<usize>> {
        let all = self.rest.len();
        let mut begins = memory::with_capacity(rows.min(all / LENGTH) + 1)?;
        begins.push(0);
        for row in 0..rows {
            self.row(row)?;
            begins.push(all - self.rest.len());
        }
        match self.rest.is_empty() {
            true => Ok(begins),
            false => Err(BYTES_TO_SPARE),
        }
    }

    /// Returns whether all records were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.record.is_empty()
    }

    #[inline(always)]
    fn varint(&mut self) -> OpResult<u64> {
        varint::take(&mut self.record).ok_or(SHORT)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> OpResult<[u8; N]> {
        let Some((bytes, rest)) = self.record.split_first_chunk() else { return Err(SHORT) };
        self.record = rest;
        Ok(*bytes)
    }

    /// Reads a length and then that many bytes.
    #[inline(always)]
    fn take(&mut self) -> OpResult<&'a [u8]> {
        let len = usize::try_from(self.varint()?).map_err(|_| SHORT)?;
        let Some((bytes, rest)) = self.record.split_at_checked(len) else { return Err(SHORT) };
        self.record = rest;
        Ok(bytes)
    }

    #[inline(always)]
    fn flag(&mut self) -> OpResult<bool> {
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
    // SAFETY: `enter_jit` returns a `RowReaderContext` for bytes that the reader borrows.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&ROW) });

    /// Compiled code does not count the elements of a row, so it gets no record that is long enough for
    /// too many.
    fn prepare(&mut self, rows: usize) -> usize {
        if self.rest.len() <= UNCOUNTED {
            return rows;
        }
        let (mut rest, mut ready) = (self.rest, 0);
        while ready < rows
            && let Some((len, after)) = rest.split_first_chunk::<LENGTH>()
            && let len = u32::from_le_bytes(*len) as usize
            && len <= UNCOUNTED
            && let Some(after) = after.get(len..)
        {
            (rest, ready) = (after, ready + 1);
        }
        ready
    }

    fn enter_jit(&mut self) -> *mut () {
        self.context.next = self.rest.as_ptr();
        self.context.elements = self.elements;
        self.context.zero_sized = self.zero_sized;
        self.context.containers = self.containers;
        std::ptr::from_mut(&mut self.context).cast()
    }

    unsafe fn exit_jit(&mut self) {
        let read = self.context.next.addr() - self.rest.as_ptr().addr();
        // Compiled code stops only after whole records.
        (self.record, self.rest) = (&[], &self.rest[read..]);
        self.elements = self.context.elements;
        self.zero_sized = self.context.zero_sized;
        self.containers = self.context.containers;
    }

    #[inline(always)]
    fn row(&mut self, _row: usize) -> OpResult {
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
    fn end_row(&mut self) -> OpResult {
        if self.record.is_empty() {
            Ok(())
        } else {
            Err(Fault::Corrupt("a record is longer than its values"))
        }
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32) -> OpResult<i64> {
        Ok(varint::unzigzag(self.varint()?))
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32) -> OpResult<f64> {
        self.array().map(f64::from_le_bytes)
    }

    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        let record = self.record;
        let first = match ty {
            Logical::F32 => {
                let floats = [widened(f32::from_le_bytes(self.array()?)), 0.0];
                return Ok(Components { floats, ..Components::default() });
            }
            Logical::U8 => u8::from_le_bytes(self.array()?).into(),
            Logical::I8 => i8::from_le_bytes(self.array()?).into(),
            Logical::U16 | Logical::U32 | Logical::U64 => self.varint()? as i64,
            Logical::I16 | Logical::I32 => varint::unzigzag(self.varint()?),
            _ => return read_components(self, ty, at),
        };
        if ty.sized_int().is_some_and(|of| of != Number::U64 && !of.holds(first.into())) {
            self.record = record;
            return Err(BEYOND);
        }
        Ok(Components { ints: [first, 0, 0], ..Components::default() })
    }

    /// Floats are not aligned in a record, so these are copies.
    fn ready_numbers(&mut self, of: NumberType, _column: u32, most: usize) -> Numbers<'_> {
        let size = match of {
            NumberType::F64 => size_of::<f64>(),
            NumberType::Logical(Logical::F32) => size_of::<f32>(),
            _ => return Numbers::F64(&[]),
        };
        let len = most.min(self.record.len() / size).min(FLOATS_AT_ONCE);
        self.floats.clear();
        if memory::resize(&mut self.floats, (len * size).div_ceil(size_of::<f64>()), 0.0).is_err() {
            return Numbers::F64(&[]);
        }
        let (bytes, rest) = self.record.split_at(len * size);
        cast_slice_mut(&mut self.floats)[..bytes.len()].copy_from_slice(bytes);
        self.record = rest;
        match of {
            NumberType::Logical(Logical::F32) => Numbers::F32(&cast_slice(&self.floats)[..len]),
            _ => Numbers::F64(&self.floats),
        }
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Ok(Text::plain(self.take()?))
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let text = PlainText::checked(self.take()?);
        if !text.is_known_ascii() && !text::is_valid(text.bytes()) {
            return Err(Fault::Corrupt("a string holds bytes that are not UTF-8"));
        }
        Ok(Text::Plain(text))
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        self.flag()
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        match self.zero_sized.checked_sub(1) {
            Some(left) => self.zero_sized = left,
            None => {
                return Err(Fault::Corrupt("a frame has more nulls and empty tuples than it may"));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult<bool> {
        self.flag()
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32) -> OpResult {
        if len == 0 {
            return self.null();
        }
        match self.containers.checked_sub(1) {
            Some(left) => self.containers = left,
            None => return Err(Fault::Corrupt("a frame has more lists and tuples than it may")),
        }
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
        let len = usize::try_from(self.varint()?).map_err(|_| SHORT)?;
        // The budget for zero-sized elements decreases when each one is read, not here.
        let budget = if zero_sized { self.zero_sized } else { self.elements };
        let Some(left) = budget.checked_sub(len) else {
            return Err(Fault::Corrupt("a sequence claims more elements than can be there"));
        };
        if !zero_sized {
            self.elements = left;
        }
        Ok(len)
    }

    #[inline(always)]
    fn arm(&mut self, arms: &[Arm], _column: u32) -> OpResult<usize> {
        match usize::try_from(self.varint()?) {
            Ok(arm) if arm < arms.len() => Ok(arm),
            _ => Err(Fault::Corrupt("a union has an arm that its schema lacks")),
        }
    }

    // A value that is cut stays where it is.

    #[inline(always)]
    fn ready_i64(&mut self, _column: u32) -> Option<i64> {
        varint::take(&mut self.record).map(varint::unzigzag)
    }

    #[inline(always)]
    fn ready_f64(&mut self, _column: u32) -> Option<f64> {
        let (bits, rest) = self.record.split_first_chunk()?;
        self.record = rest;
        Some(f64::from_le_bytes(*bits))
    }

    #[inline(always)]
    fn ready_bool(&mut self, _column: u32) -> Option<bool> {
        match self.record.split_first() {
            Some((&flag @ (0 | 1), rest)) => {
                self.record = rest;
                Some(flag == 1)
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn ready_present(&mut self, column: u32) -> Option<bool> {
        self.ready_bool(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "the records take 16 MB")]
    fn compiled_code_gets_no_record_that_may_have_too_many_elements() {
        let record = |len: usize| [&(len as u32).to_le_bytes()[..], &vec![1; len]].concat();
        let bytes = [record(3), record(5), record(UNCOUNTED + 1), record(2)].concat();
        let mut reader = RowReader::new(&bytes, 0);
        assert_eq!([1, 2, 4].map(|rows| reader.prepare(rows)), [1, 2, 2]);
        let after = record(3).len() + record(5).len();
        assert_eq!(RowReader::new(&bytes[after..], 0).prepare(2), 0);
        let few = [record(3), record(UNCOUNTED - 20)].concat();
        assert_eq!(RowReader::new(&few, 0).prepare(2), 2);
    }
}
