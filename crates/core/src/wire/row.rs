//! The row wire: one self-contained record after another.
//!
//! ```text
//! record    bytes of the value (4 bytes), value
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
//! A record depends on nothing but the schema, so records may be moved and concatenated.

use crate::bytes::out::{Memory, Out, copy_short};
use crate::bytes::{text, varint};
use crate::error::Fault;
use crate::layout::{
    JitKind, LayoutKind, OpResult, Sink, Source, TOO_MANY_CONTAINERS, TOO_MANY_ZERO_SIZED, Text,
};
use crate::limits::{
    FRAME_SIZE_TARGET, FREE_VALUES, MAX_BYTES, MAX_ROW_ZERO_SIZED, MAX_ZERO_SIZED, ZERO_SIZED_COST,
    max_values,
};
use crate::memory;
use crate::plan::{Arm, StrEncoding};
use crate::schema::Container;
use std::ops::ControlFlow;

const LENGTH: usize = 4;

/// The number of values in a frame or row that take no bytes in the row wire. serow counts them
/// because the number of bytes does not limit them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroSizedCounts {
    /// Nulls and empty lists and tuples of fixed shape.
    zero_sized: usize,
    /// Lists and tuples of fixed shape with fields.
    containers: usize,
}

/// A frame is full when it has this many non-empty lists and tuples of fixed shape.
pub const FULL_OF_CONTAINERS: usize = FREE_VALUES / 4;

/// A row may have this many of them, plus eight for each of its bytes. This limit and
/// `FULL_OF_CONTAINERS` together give what a reader allows.
const ROW_CONTAINERS: usize = FREE_VALUES - FULL_OF_CONTAINERS;

/// The row wire as a sink.
pub struct RowWriter<'a, 'b> {
    out: &'a mut Out<'b>,
    /// Offset of the current record.
    begin: usize,
    /// The length of `out` at which the frame is full, if all its values take bytes.
    full: usize,
    /// Counts of the finished rows of the frame, and of the current row.
    frame: ZeroSizedCounts,
    row: ZeroSizedCounts,
    /// Ends and text of the dictionary entries of each column, if the source has dictionaries.
    dictionaries: Vec<Option<(Vec<u32>, Vec<u8>)>>,
    context: RowWriterContext,
}

/// The context of compiled code that writes records.
#[derive(Debug)]
#[repr(C)]
pub struct RowWriterContext {
    /// The output buffer.
    pub memory: *mut Memory,
    /// The length at which the frame is full. Each zero-sized value counts as `ZERO_SIZED_COST`.
    pub full: usize,
    /// The number of nulls and of empty lists and tuples of fixed shape.
    pub zero_sized: usize,
    /// The number of non-empty lists and tuples of fixed shape.
    pub containers: usize,
}

impl<'a, 'b> RowWriter<'a, 'b> {
    /// Creates a sink that appends records to `out` until the frame is full. The body of the frame
    /// begins at `body`, and its rows so far contain `free` zero-sized values.
    pub fn new(out: &'a mut Out<'b>, body: usize, free: ZeroSizedCounts) -> RowWriter<'a, 'b> {
        RowWriter {
            begin: out.len(),
            full: body + FRAME_SIZE_TARGET,
            out,
            frame: free,
            row: ZeroSizedCounts::default(),
            dictionaries: Vec::new(),
            context: RowWriterContext {
                memory: std::ptr::null_mut(),
                full: 0,
                zero_sized: 0,
                containers: 0,
            },
        }
    }

    /// Returns the counts of zero-sized values in the frame so far.
    pub fn free(&self) -> ZeroSizedCounts {
        self.frame
    }

    /// Removes the bytes of a record that was not finished.
    pub fn roll_back(&mut self) {
        self.out.truncate(self.begin);
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) -> OpResult {
        if bytes.len() > MAX_BYTES {
            return Err(Fault::Limit("a string is longer than 4 GiB"));
        }
        self.out.reserve(varint::MAX_LEN + bytes.len())?;
        // SAFETY: the space for the string was reserved, and the slack follows it.
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
    // SAFETY: `enter_jit` returns a `RowWriterContext`, and its `memory` belongs to the buffer.
    const KIND: Option<JitKind> = Some(unsafe { JitKind::new(LayoutKind::Row) });

    fn enter_jit(&mut self, _rows: usize) -> *mut () {
        self.context = RowWriterContext {
            memory: self.out.enter_jit(),
            full: self.full,
            zero_sized: self.frame.zero_sized,
            containers: self.frame.containers,
        };
        std::ptr::from_mut(&mut self.context).cast()
    }

    unsafe fn exit_jit(&mut self) -> OpResult {
        // Compiled code stops only after whole records.
        self.begin = self.out.len();
        self.frame = ZeroSizedCounts {
            zero_sized: self.context.zero_sized,
            containers: self.context.containers,
        };
        Ok(())
    }

    #[inline(always)]
    fn row(&mut self, bound: usize) -> OpResult {
        // After this, only strings and sequences need more memory within the row.
        self.out.reserve(bound + LENGTH)?;
        self.begin = self.out.len();
        self.row = ZeroSizedCounts::default();
        // Placeholder: `end_row` writes the length.
        self.out.extend_array([0; LENGTH])
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        let (begin, end) = (self.begin, self.out.len());
        let len = end - begin - LENGTH;
        if len > MAX_BYTES {
            return Err(Fault::Limit("a row is longer than 4 GiB"));
        }
        self.out.written_mut()[begin..begin + LENGTH].copy_from_slice(&(len as u32).to_le_bytes());
        if self.row.containers > len * 8 + ROW_CONTAINERS {
            return Err(TOO_MANY_CONTAINERS);
        }
        self.begin = end;
        self.frame.zero_sized += self.row.zero_sized;
        self.frame.containers += self.row.containers;
        let size = end + self.frame.zero_sized * ZERO_SIZED_COST;
        let full = size >= self.full || self.frame.containers >= FULL_OF_CONTAINERS;
        if full { Ok(ControlFlow::Break(())) } else { Ok(ControlFlow::Continue(())) }
    }

    #[inline(always)]
    fn element(&mut self, _bound: usize) -> OpResult {
        Ok(())
    }

    fn dictionary(
        &mut self,
        column: u32,
        _encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let column = column as usize;
        let before = self.dictionaries.len();
        memory::resize(&mut self.dictionaries, (column + 1).max(before), None)?;
        self.dictionaries[column] = Some((memory::copied(ends)?, memory::copied(bytes)?));
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, v: i64) -> OpResult {
        self.out.varint(varint::zigzag(v))
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, v: f64) -> OpResult {
        self.out.extend_array(v.to_le_bytes())
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
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
    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        self.out.push(u8::from(v))
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        self.row.zero_sized += 1;
        if self.row.zero_sized > MAX_ROW_ZERO_SIZED { Err(TOO_MANY_ZERO_SIZED) } else { Ok(()) }
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult {
        self.out.push(1)
    }

    #[inline(always)]
    fn absent(&mut self, _column: u32) -> OpResult {
        self.out.push(0)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _acyclic: bool) -> OpResult {
        if len == 0 {
            return self.null();
        }
        self.row.containers += 1;
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        _container: Container,
        _column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        self.out.varint(len as u64)
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, arm: usize) -> OpResult {
        self.out.varint(arm as u64)
    }
}

const SHORT: Fault = Fault::Corrupt("a record is shorter than its values");

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

/// Every row may have this many non-empty lists and tuples without counting: the 4 bytes of its
/// length alone allow for them (see [`max_values`]). Code needs to count only the rest.
pub const FREE_CONTAINERS: usize = max_values(LENGTH) - max_values(0);

impl<'a> RowReader<'a> {
    /// Creates a source of the records in `bytes`, except the last `slack` bytes, which may be
    /// anything. With 8 or more bytes of slack, compiled code can read the last record too.
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
            containers: max_values(body.len()),
            context,
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
    const KIND: Option<JitKind> = Some(unsafe { JitKind::new(LayoutKind::Row) });

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
        let Some((bits, rest)) = self.record.split_first_chunk() else { return Err(SHORT) };
        self.record = rest;
        Ok(f64::from_le_bytes(*bits))
    }

    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Ok(Text::Plain { bytes: self.take()?, ascii: false })
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let bytes = self.take()?;
        let ascii = text::is_ascii(bytes);
        if !ascii && !text::is_valid(bytes) {
            return Err(Fault::Corrupt("a string holds bytes that are not UTF-8"));
        }
        Ok(Text::Plain { bytes, ascii })
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
            _ => Err(Fault::Corrupt("a union has an armthat its schema lacks")),
        }
    }
}
