//! The columns of one frame, unpacked: where rows are staged before they are packed, and what the
//! JVM gets back.

mod head;
mod place;
mod strings;
mod table;

use place::{Lent, ROWS_OF_STRINGS};

use super::{Sink, Step, TOO_MANY_WEIGHTLESS, Text};
use crate::compiled::Form;
use crate::error::Fault;
use crate::limits::{MAX_ROW_WEIGHTLESS, WEIGHTLESS_SIZE};
use crate::plan::{Column, Holds, Plan};
use crate::schema::Container;
pub use place::{ColumnPlace, Place};
pub use strings::{BAD_CODE, Pending, StrColumn};

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
    /// Nulls and empty containers, which have no column; and how many there were before the row.
    weightless: usize,
    weightless_before: usize,
    /// Lists and tuples of fixed shape with fields.
    containers: usize,
    lent: Lent,
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

    /// Be told of how many rows there will be at least, as far as that is known.
    pub fn expect(&mut self, rows: usize) {
        self.strs.iter_mut().for_each(|column| column.expect(rows));
    }

    /// Become empty columns for `plan`, in the memory of the columns before.
    pub fn reset(&mut self, plan: &Plan) {
        self.full = usize::MAX;
        self.row_size = 8 * plan.order.len();
        let columns = &plan.columns;
        self.lent.per_row = plan.per_row();
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
            + self.lent.capacity()
    }

    /// Forget all rows and keep the memory.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.weightless = 0;
        self.weightless_before = 0;
        self.containers = 0;
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

    /// The number of values in all columns, and of lists and tuples around them.
    pub fn values(&self) -> usize {
        self.containers
            + self.ints.iter().map(Vec::len).sum::<usize>()
            + self.floats.iter().map(Vec::len).sum::<usize>()
            + self.strs.iter().map(StrColumn::count).sum::<usize>()
            + self.bits.iter().map(Vec::len).sum::<usize>()
    }
}

/// Append to a column; a fault and no abort if there is no memory.
#[inline(always)]
fn push<T>(column: &mut Vec<T>, v: T) -> Step {
    if column.len() == column.capacity() {
        grow(column)?;
    }
    column.push(v);
    Ok(())
}

#[cold]
fn grow<T>(column: &mut Vec<T>) -> Step {
    column.try_reserve(column.len().max(64)).map_err(|_| Fault::NoMemory)
}

impl Batch {
    #[inline(always)]
    fn add_weightless(&mut self) -> Step {
        self.size += WEIGHTLESS_SIZE;
        self.weightless += 1;
        let of_row = self.weightless - self.weightless_before;
        if of_row > MAX_ROW_WEIGHTLESS { Err(TOO_MANY_WEIGHTLESS) } else { Ok(()) }
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
    const FORM: Option<Form> = Some(Form::Batch);

    fn lend(&mut self, rows: usize) -> *mut () {
        self.lend_for(rows).cast()
    }

    fn at_once(&self) -> usize {
        if self.strs.is_empty() { 4096 } else { ROWS_OF_STRINGS }
    }

    fn take_back(&mut self) -> Step {
        self.take_back_lent()
    }

    #[inline(always)]
    fn row(&mut self, _bound: usize) -> Step {
        self.weightless_before = self.weightless;
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

    fn dictionary(&mut self, column: u32, _holds: Holds, ends: &[u32], bytes: &[u8]) -> Step {
        self.strs[column as usize].set_dictionary(ends, bytes);
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, column: u32, v: i64) -> Step {
        push(column!(self.ints[column]), v)
    }

    #[inline(always)]
    fn f64(&mut self, column: u32, v: f64) -> Step {
        push(column!(self.floats[column]), v)
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
        push(column!(self.bits[column]), u8::from(v))
    }

    #[inline(always)]
    fn null(&mut self) -> Step {
        self.add_weightless()
    }

    #[inline(always)]
    fn present(&mut self, column: u32) -> Step {
        push(column!(self.bits[column]), 1)
    }

    #[inline(always)]
    fn absent(&mut self, column: u32) -> Step {
        push(column!(self.bits[column]), 0)
    }

    #[inline(always)]
    fn enter(&mut self, _container: Container, len: u32, _atomic: bool) -> Step {
        if len == 0 {
            return self.add_weightless();
        }
        self.containers += 1;
        self.size += WEIGHTLESS_SIZE;
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) -> Step {
        Ok(())
    }

    #[inline(always)]
    fn sequence(&mut self, _container: Container, column: u32, len: usize, _atomic: bool) -> Step {
        // Elements that take no bytes may be said to be any number.
        self.size = self.size.saturating_add(len.saturating_mul(8));
        push(column!(self.ints[column]), len as i64)
    }

    #[inline(always)]
    fn arm(&mut self, column: u32, arm: usize) -> Step {
        push(column!(self.ints[column]), arm as i64)
    }
}
