//! The columns of one frame, unpacked: where rows are staged before they are packed, and what the
//! JVM gets back.

mod strings;
mod table;

use super::TOO_MANY_WEIGHTLESS;
use super::{Sink, Step, Text};
use crate::error::Fault;
use crate::limits::{MAX_WEIGHTLESS, WEIGHTLESS_SIZE};
use crate::plan::{Column, Plan};
use crate::schema::Container;
pub use strings::{BAD_CODE, StrColumn};

/// Staged columns. Values under an optional, a sequence or an arm are dense: only what is there
/// takes a place.
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
    /// Nulls and empty containers, which have no column.
    weightless: usize,
    /// About how many bytes the rows take, and how many of that every row takes at least.
    size: usize,
    row_size: usize,
    /// The size from which on the batch is full.
    full: usize,
}

impl Batch {
    /// Empty columns for `plan`.
    pub fn new(plan: &Plan) -> Batch {
        let mut batch = Batch::default();
        batch.reset(plan);
        batch
    }

    /// Be full with the row that brings the batch to `size` bytes, as [`limits`](crate::limits)
    /// counts them.
    pub fn limit(&mut self, size: usize) {
        self.full = size;
    }

    /// Become empty columns for `plan`, in the memory of the columns before.
    pub fn reset(&mut self, plan: &Plan) {
        self.full = usize::MAX;
        self.row_size = 8 * plan.order.len();
        let columns = &plan.columns;
        self.ints.resize_with(columns.ints as usize, Vec::new);
        self.floats.resize_with(columns.floats as usize, Vec::new);
        self.strs.resize_with(columns.strs as usize, StrColumn::default);
        self.bits.resize_with(columns.bits as usize, Vec::new);
        self.clear();
        self.strs.iter_mut().for_each(StrColumn::reset);
    }

    /// About how many bytes of memory the columns hold.
    pub fn capacity(&self) -> usize {
        8 * self.ints.iter().map(Vec::capacity).sum::<usize>()
            + 8 * self.floats.iter().map(Vec::capacity).sum::<usize>()
            + self.strs.iter().map(StrColumn::capacity).sum::<usize>()
            + self.bits.iter().map(Vec::capacity).sum::<usize>()
    }

    /// Forget all rows and keep the memory.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.weightless = 0;
        self.size = 0;
        self.ints.iter_mut().for_each(Vec::clear);
        self.floats.iter_mut().for_each(Vec::clear);
        self.strs.iter_mut().for_each(StrColumn::clear);
        self.bits.iter_mut().for_each(Vec::clear);
    }

    /// The number of values in `column`.
    pub fn count(&self, column: Column) -> usize {
        match column {
            Column::Int(i) => self.ints[i as usize].len(),
            Column::Float(i) => self.floats[i as usize].len(),
            Column::Str(i) => self.strs[i as usize].count(),
            Column::Bit(i) => self.bits[i as usize].len(),
        }
    }

    /// The number of values in all columns.
    pub fn values(&self) -> usize {
        self.ints.iter().map(Vec::len).sum::<usize>()
            + self.floats.iter().map(Vec::len).sum::<usize>()
            + self.strs.iter().map(StrColumn::count).sum::<usize>()
            + self.bits.iter().map(Vec::len).sum::<usize>()
    }
}

impl Batch {
    #[inline(always)]
    fn add_weightless(&mut self) -> Step {
        self.size += WEIGHTLESS_SIZE;
        self.weightless += 1;
        if self.weightless > MAX_WEIGHTLESS { Err(TOO_MANY_WEIGHTLESS) } else { Ok(()) }
    }
}

/// The column of an index that the plan names.
macro_rules! column {
    ($batch:ident.$kind:ident[$index:expr]) => {{
        debug_assert!(($index as usize) < $batch.$kind.len());
        // SAFETY: a batch has as many columns as its plan counts, and the plan's instructions
        // name no others: both are made by `plan::lower` from one schema.
        unsafe { $batch.$kind.get_unchecked_mut($index as usize) }
    }};
}

impl Sink for Batch {
    #[inline(always)]
    fn row(&mut self, _bound: usize) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> Step {
        self.rows += 1;
        self.size += self.row_size;
        if self.size < self.full { Ok(()) } else { Err(Fault::Full) }
    }

    #[inline(always)]
    fn element(&mut self, _bound: usize) -> Step {
        Ok(())
    }

    fn dictionary(&mut self, column: u32, ends: &[u32], bytes: &[u8]) -> Step {
        self.strs[column as usize].set_dictionary(ends, bytes);
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, column: u32, v: i64) -> Step {
        column!(self.ints[column]).push(v);
        Ok(())
    }

    #[inline(always)]
    fn f64(&mut self, column: u32, v: f64) -> Step {
        column!(self.floats[column]).push(v);
        Ok(())
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> Step {
        if let Text::Plain { bytes, .. } = v {
            self.size += bytes.len();
        }
        column!(self.strs[column]).push(v)
    }

    #[inline(always)]
    fn bool(&mut self, column: u32, v: bool) -> Step {
        column!(self.bits[column]).push(u8::from(v));
        Ok(())
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        self.add_weightless()
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> Step {
        column!(self.bits[column]).push(1);
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, column: u32) -> Step {
        column!(self.bits[column]).push(0);
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _atomic: bool) -> Step {
        if len == 0 { self.add_weightless() } else { Ok(()) }
    }

    #[inline(always)]
    fn leave(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn sequence(&mut self, _container: Container, column: u32, len: usize, _atomic: bool) -> Step {
        self.size += 8 * len;
        column!(self.ints[column]).push(len as i64);
        Ok(())
    }

    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> Step {
        column!(self.ints[column]).push(arm as i64);
        Ok(())
    }
}
