//! The unpacked columns of one frame. The encoder stages rows in them before it packs them, and the
//! JVM receives decoded rows in them.

mod jit_context;
mod mark;
mod prefix;
mod strings;
mod table;

use jit_context::{BatchJit, ROWS_OF_STRINGS};
use std::ops::ControlFlow;

use super::{Numbers, OpResult, Sink, SinkBase, TOO_MANY_ZERO_SIZED, Text};
use crate::error::Fault;
use crate::layout::{JitKind, LayoutKind};
use crate::limits::{MAX_ROW_ZERO_SIZED, ZERO_SIZED_COST};
use crate::memory;
use crate::number::widened;
use crate::plan::{Column, Plan, StrEncoding};
use crate::schema::Container;
pub use jit_context::{BatchColumnContext, BatchContext};
pub use mark::Mark;
pub use strings::{BAD_CODE, Pending, StrColumn};

/// The kind of [`Batch`]. Its context is a [`BatchContext`].
pub static BATCH: LayoutKind = LayoutKind::new("batch");

/// Staged columns. Columns under an optional, a sequence or an arm are dense: only present values
/// take space.
#[derive(Debug, Default)]
pub struct Batch {
    /// The number of rows.
    pub rows: usize,
    /// Integers, sequence lengths, union tags.
    pub ints: Vec<Vec<i64>>,
    /// Floats.
    pub floats: Vec<Vec<f64>>,
    /// Strings.
    pub strs: Vec<StrColumn>,
    /// Booleans and presence bits, a byte of 0 or 1 each.
    pub bits: Vec<Vec<u8>>,
    /// Nulls and empty containers, which have no column, and their number before the current row.
    zero_sized: usize,
    zero_sized_before: usize,
    /// Non-empty lists and tuples of fixed shape, and their number before the current row. Their size
    /// is added when the row ends: a sum beside a count would make both one vector, which waits for
    /// the parts that other code has written.
    containers: usize,
    containers_before: usize,
    jit: BatchJit,
    /// The approximate size of the rows in bytes, and the smallest size of a row.
    size: usize,
    row_size: usize,
    /// The size at which the batch is full.
    full: usize,
}

impl Batch {
    /// Creates empty columns for `plan`.
    pub fn new(plan: &Plan) -> Batch {
        let mut batch = Batch::default();
        batch.reset(plan);
        batch
    }

    /// Makes the batch full at `size` bytes, counted as [`limits`](crate::limits) describes.
    pub fn limit(&mut self, size: usize) {
        self.full = size;
    }

    /// Tells the columns that at least `rows` rows will follow.
    pub fn expect(&mut self, rows: usize) {
        self.strs.iter_mut().for_each(|column| column.expect(rows));
    }

    /// Makes text plain until the rows are removed, for a reader that has no use for dictionaries. There
    /// must be no rows.
    pub fn make_text_plain(&mut self) {
        self.strs.iter_mut().for_each(StrColumn::make_plain);
    }

    /// Replaces the columns by empty ones for `plan`, reusing their memory.
    pub fn reset(&mut self, plan: &Plan) {
        self.full = usize::MAX;
        self.row_size = 8 * plan.to.order.len();
        let columns = &plan.to.columns;
        self.jit.set_usage(&plan.usage);
        self.ints.resize_with(columns.ints as usize, Vec::new);
        self.floats.resize_with(columns.floats as usize, Vec::new);
        self.strs.resize_with(columns.strs as usize, StrColumn::default);
        self.bits.resize_with(columns.bits as usize, Vec::new);
        self.clear();
    }

    /// Returns the approximate number of bytes that the columns hold.
    pub fn capacity(&self) -> usize {
        8 * self.ints.iter().map(Vec::capacity).sum::<usize>()
            + 8 * self.floats.iter().map(Vec::capacity).sum::<usize>()
            + self.strs.iter().map(StrColumn::capacity).sum::<usize>()
            + self.bits.iter().map(Vec::capacity).sum::<usize>()
            + self.jit.capacity()
    }

    /// Returns the approximate size of the rows in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.zero_sized = 0;
        self.zero_sized_before = 0;
        self.containers = 0;
        self.containers_before = 0;
        self.size = 0;
        self.ints.iter_mut().for_each(Vec::clear);
        self.floats.iter_mut().for_each(Vec::clear);
        self.strs.iter_mut().for_each(StrColumn::clear);
        self.bits.iter_mut().for_each(Vec::clear);
    }

    /// Returns the number of values in `column`.
    pub fn count(&self, column: Column) -> usize {
        match column {
            Column::Int(i) => self.ints[i as usize].len(),
            Column::Float(i) => self.floats[i as usize].len(),
            Column::Str(i) => self.strs[i as usize].count(),
            Column::Bit(i) => self.bits[i as usize].len(),
        }
    }

    /// Returns the number of values in all columns, plus the lists and tuples around them.
    pub fn values(&self) -> usize {
        self.containers
            + self.ints.iter().map(Vec::len).sum::<usize>()
            + self.floats.iter().map(Vec::len).sum::<usize>()
            + self.strs.iter().map(StrColumn::count).sum::<usize>()
            + self.bits.iter().map(Vec::len).sum::<usize>()
    }
}

/// Appends to a column. Returns a fault if there is no memory.
#[inline(always)]
fn push<T>(column: &mut Vec<T>, v: T) -> OpResult {
    if column.len() == column.capacity() {
        grow(column)?;
    }
    column.push(v);
    Ok(())
}

#[cold]
fn grow<T>(column: &mut Vec<T>) -> OpResult {
    column.try_reserve(column.len().max(64)).map_err(|_| Fault::NoMemory)
}

impl Batch {
    #[inline(always)]
    fn add_zero_sized(&mut self) -> OpResult {
        self.size += ZERO_SIZED_COST;
        self.zero_sized += 1;
        let of_row = self.zero_sized - self.zero_sized_before;
        if of_row > MAX_ROW_ZERO_SIZED { Err(TOO_MANY_ZERO_SIZED) } else { Ok(()) }
    }
}

/// Appends to a column that has memory for the value. Otherwise returns false.
#[inline(always)]
fn push_ready<T>(columns: &mut [Vec<T>], column: u32, v: T) -> bool {
    match columns.get_mut(column as usize) {
        Some(column) if column.len() < column.capacity() => {
            column.push(v);
            true
        }
        _ => false,
    }
}

/// The fault for rows whose plan does not belong to the batch.
const NO_COLUMN: Fault = Fault::Limit("the columns belong to rows of another schema");

/// Returns the column with an index from the function, or a fault if the batch has none.
macro_rules! column {
    ($batch:ident.$kind:ident[$index:expr]) => {{
        match $batch.$kind.get_mut($index as usize) {
            Some(column) => column,
            None => return Err(NO_COLUMN),
        }
    }};
}

impl SinkBase for Batch {
    fn dictionary(
        &mut self,
        column: u32,
        _encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        column!(self.strs[column]).set_dictionary(ends, bytes)
    }
}

impl Sink for Batch {
    // SAFETY: `enter_jit` returns a `BatchContext` of the columns' spare memory, and `is_ready_for`
    // checks that they are the columns of the plan.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&BATCH) });

    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        let columns = &plan.to.columns;
        let has_columns = self.ints.len() == columns.ints as usize
            && self.floats.len() == columns.floats as usize
            && self.strs.len() == columns.strs as usize
            && self.bits.len() == columns.bits as usize;
        if has_columns {
            self.jit.set_usage(&plan.usage);
        }
        has_columns
    }

    fn enter_jit(&mut self, rows: usize) -> *mut () {
        self.enter_jit_for(rows).map_or(std::ptr::null_mut(), |context| (&raw mut *context).cast())
    }

    fn rows_per_call(&self) -> usize {
        if self.strs.is_empty() { 4096 } else { ROWS_OF_STRINGS }
    }

    unsafe fn exit_jit(&mut self) -> OpResult {
        // SAFETY: the caller makes the same promises.
        unsafe { self.exit_jit_from() }
    }

    #[inline(always)]
    fn row(&mut self) -> OpResult {
        self.zero_sized_before = self.zero_sized;
        self.containers_before = self.containers;
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        self.rows += 1;
        self.size += self.row_size + ZERO_SIZED_COST * (self.containers - self.containers_before);
        if self.size < self.full {
            Ok(ControlFlow::Continue(()))
        } else {
            Ok(ControlFlow::Break(()))
        }
    }

    #[inline(always)]
    fn i64(&mut self, column: u32, v: i64) -> OpResult {
        push(column!(self.ints[column]), v)
    }

    #[inline(always)]
    fn f64(&mut self, column: u32, v: f64) -> OpResult {
        push(column!(self.floats[column]), v)
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        if let Text::Plain(text) = v {
            self.size += text.bytes().len();
        }
        column!(self.strs[column]).push(v)
    }

    #[inline(always)]
    fn bool(&mut self, column: u32, v: bool) -> OpResult {
        push(column!(self.bits[column]), u8::from(v))
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        self.add_zero_sized()
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> OpResult {
        push(column!(self.bits[column]), 1)
    }

    #[inline(always)]
    fn absent(&mut self, column: u32) -> OpResult {
        push(column!(self.bits[column]), 0)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _acyclic: bool) -> OpResult {
        if len == 0 {
            return self.add_zero_sized();
        }
        self.containers += 1;
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
        column: u32,
        len: usize,
        _acyclic: bool,
    ) -> OpResult {
        // A sequence may claim any number of zero-sized elements.
        self.size = self.size.saturating_add(len.saturating_mul(8));
        push(column!(self.ints[column]), len as i64)
    }

    fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        match v {
            Numbers::I64(v) => memory::extend(column!(self.ints[column]), v),
            Numbers::F64(v) => memory::extend(column!(self.floats[column]), v),
            Numbers::F32(v) => {
                let column = column!(self.floats[column]);
                memory::reserve(column, v.len())?;
                column.extend(v.iter().map(|&v| widened(v)));
                Ok(())
            }
            Numbers::Bool(v) => memory::extend(column!(self.bits[column]), v),
            Numbers::Ints(ty, parts) => {
                let mut parts = parts[..ty.counts().ints].iter().zip(column..);
                parts.try_for_each(|(v, column)| memory::extend(column!(self.ints[column]), v))
            }
        }
    }

    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        push(column!(self.ints[column]), arm as i64)
    }

    #[inline(always)]
    fn ready_i64(&mut self, column: u32, v: i64) -> bool {
        push_ready(&mut self.ints, column, v)
    }

    #[inline(always)]
    fn ready_f64(&mut self, column: u32, v: f64) -> bool {
        push_ready(&mut self.floats, column, v)
    }

    #[inline(always)]
    fn ready_bool(&mut self, column: u32, v: bool) -> bool {
        push_ready(&mut self.bits, column, v.into())
    }

    #[inline(always)]
    fn ready_present(&mut self, column: u32, is_present: bool) -> bool {
        push_ready(&mut self.bits, column, is_present.into())
    }

    /// Columns do not depend on the order of fields.
    fn field(&mut self, _index: u32) -> OpResult {
        Ok(())
    }

    fn shorten(&mut self, column: u32, len: usize) -> OpResult {
        // The sequence's length is the last value in its column, because its elements use other
        // columns.
        if let Some(last) = column!(self.ints[column]).last_mut() {
            *last = len as i64;
        }
        Ok(())
    }
}
