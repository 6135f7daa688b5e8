//! Writes records.

use std::ops::ControlFlow;

use bytemuck::cast_slice;

use super::{LENGTH, ROW};
use crate::bytes::out::{Memory, Out, copy_short};
use crate::bytes::varint;
use crate::error::Fault;
use crate::layout::{
    Components, JitKind, Numbers, OpResult, Sink, SinkBase, TOO_MANY_CONTAINERS,
    TOO_MANY_ZERO_SIZED, Text, write_components,
};
use crate::limits::{
    FRAME_SIZE_TARGET, FREE_VALUES, MAX_BYTES, MAX_ROW_ZERO_SIZED, ZERO_SIZED_COST,
};
use crate::memory;
use crate::number::narrowed;
use crate::plan::{ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// The number of values in a frame or row that take no bytes in the row wire. serow counts them
/// because the number of bytes does not limit them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroSizedCounts {
    /// Nulls and empty lists and tuples of fixed shape.
    zero_sized: usize,
    /// Lists and tuples of fixed shape with fields.
    containers: usize,
}

impl ZeroSizedCounts {
    /// Returns the bytes for which they count towards the size of a frame.
    pub fn cost(self) -> usize {
        self.zero_sized * ZERO_SIZED_COST
    }
}

/// A frame is full when it has this many non-empty lists and tuples of fixed shape.
pub const FULL_OF_CONTAINERS: usize = FREE_VALUES / 4;

/// A row may have this many of them, plus eight for each of its bytes. This limit and
/// `FULL_OF_CONTAINERS` together give what a reader allows.
const ROW_CONTAINERS: usize = FREE_VALUES - FULL_OF_CONTAINERS;
const _: () = assert!(ROW_CONTAINERS == 3_145_728, "`TOO_MANY_CONTAINERS` has the number");

/// The most integers of a list for which space is reserved at once.
const RESERVED_AT_ONCE: usize = 256;

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
    /// Where the lengths of the open maps are whose numbers of entries are not known yet.
    open: Vec<usize>,
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
    /// begins at `body`. `zero_sized` counts what its rows so far contain.
    pub fn new(
        out: &'a mut Out<'b>,
        body: usize,
        zero_sized: ZeroSizedCounts,
    ) -> RowWriter<'a, 'b> {
        RowWriter {
            begin: out.len(),
            full: body + FRAME_SIZE_TARGET,
            out,
            frame: zero_sized,
            row: ZeroSizedCounts::default(),
            dictionaries: Vec::new(),
            open: Vec::new(),
            context: RowWriterContext {
                memory: std::ptr::null_mut(),
                full: 0,
                zero_sized: 0,
                containers: 0,
            },
        }
    }

    /// Returns the counts of zero-sized values in the frame so far.
    pub fn zero_sized(&self) -> ZeroSizedCounts {
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

impl SinkBase for RowWriter<'_, '_> {
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
}

impl Sink for RowWriter<'_, '_> {
    // SAFETY: `enter_jit` returns a `RowWriterContext`, and its `memory` belongs to the buffer.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&ROW) });

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
    fn row(&mut self) -> OpResult {
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
        let size = end + self.frame.cost();
        let full = size >= self.full || self.frame.containers >= FULL_OF_CONTAINERS;
        if full { Ok(ControlFlow::Break(())) } else { Ok(ControlFlow::Continue(())) }
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
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let first = components.ints[0];
        match ty {
            Logical::F32 => self.out.extend_array(narrowed(components.floats[0]).to_le_bytes()),
            Logical::I8 | Logical::U8 => self.out.push(first as u8),
            Logical::U16 | Logical::U32 | Logical::U64 => self.out.varint(first as u64),
            _ => write_components(self, ty, at, components),
        }
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        match v {
            Text::Plain(text) => self.bytes(text.bytes()),
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

    fn entries(&mut self, _column: u32, most: usize, _acyclic: bool) -> OpResult {
        memory::push(&mut self.open, self.out.len())?;
        self.out.varint(most as u64)
    }

    fn shorten(&mut self, _column: u32, len: usize) -> OpResult {
        let Some(at) = self.open.pop() else { return Ok(()) };
        let written = &mut self.out.written_mut()[at..];
        // The entries begin after the length for the most entries. They move if theirs is shorter.
        let begin = 1 + written.first().map_or(0, |first| first.trailing_zeros() as usize);
        let (length, shorter) = varint::array(len as u64);
        written[..shorter].copy_from_slice(&length[..shorter]);
        written.copy_within(begin.., shorter);
        let end = self.out.len() - (begin - shorter);
        self.out.truncate(end);
        Ok(())
    }

    fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        match v {
            Numbers::F64(v) => self.out.extend(cast_slice(v)),
            Numbers::F32(v) => self.out.extend(cast_slice(v)),
            Numbers::Bool(v) => self.out.extend(v),
            Numbers::I64(v) => {
                for some in v.chunks(RESERVED_AT_ONCE) {
                    self.out.reserve(varint::MAX_LEN * some.len())?;
                    for &v in some {
                        // SAFETY: each varint has its space.
                        unsafe {
                            let len = varint::write(self.out.end(), varint::zigzag(v));
                            self.out.advance(len);
                        }
                    }
                }
                Ok(())
            }
            Numbers::Ints(..) => v.write_each(self, column),
        }
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, arm: usize) -> OpResult {
        self.out.varint(arm as u64)
    }

    // Nothing is written if there is no memory.

    #[inline(always)]
    fn ready_i64(&mut self, column: u32, v: i64) -> bool {
        self.i64(column, v).is_ok()
    }

    #[inline(always)]
    fn ready_f64(&mut self, column: u32, v: f64) -> bool {
        self.f64(column, v).is_ok()
    }

    #[inline(always)]
    fn ready_bool(&mut self, column: u32, v: bool) -> bool {
        self.bool(column, v).is_ok()
    }

    #[inline(always)]
    fn ready_present(&mut self, column: u32, is_present: bool) -> bool {
        self.bool(column, is_present).is_ok()
    }
}
