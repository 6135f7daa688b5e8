//! The context of compiled code that writes to a batch: for every column, the address of the next
//! value.
//!
//! A column with one value per row needs no counter: value `n` of a run goes `n` places after the
//! first. The other columns advance with each value and commit at the end of each row. `exit_jit`
//! discards uncommitted values.
//!
//! Compiled code only records the address and length of each string. `exit_jit` copies the strings
//! column by column, while they are in the cache. This keeps each column's hash table in the cache
//! too, and compiled code needs no call in the middle of a row.

use std::sync::Arc;

use super::strings::Pending;
use super::{Batch, OpResult};
use crate::limits::MAX_BYTES;
use crate::plan::ColumnUsage;

/// Rows per call of compiled code for a batch with strings. They are so few that their strings are
/// still in the first- or second-level cache when `exit_jit` copies them.
pub(super) const ROWS_OF_STRINGS: usize = 256;

/// The smallest number of strings that a column reserves memory for.
const FEWEST_PENDING: usize = 4096;

/// A staged column.
#[derive(Debug)]
#[repr(C)]
pub struct BatchColumnContext {
    /// The address of the next value.
    pub next: usize,
    /// The address of the next value at the end of the last row.
    pub committed: usize,
    /// The end of the reserved space.
    pub limit: usize,
}

/// The columns of a batch: ints, floats, strs and bits, each in the plan's order.
#[derive(Debug)]
#[repr(C)]
pub struct BatchContext {
    /// The columns.
    pub columns: *mut BatchColumnContext,
    /// The number of converted rows. Compiled code writes it before it returns.
    pub rows: usize,
    /// Nulls and empty containers.
    pub zero_sized: usize,
    /// Non-empty lists and tuples of fixed shape.
    pub containers: usize,
    /// The approximate size of the rows in bytes.
    pub size: usize,
    /// The size at which the batch is full.
    pub full: usize,
}

/// The state of a batch for compiled code.
#[derive(Debug)]
pub(super) struct BatchJit {
    context: BatchContext,
    columns: Vec<BatchColumnContext>,
    /// For each column: the strings that are not copied yet.
    pending: Vec<Vec<Pending>>,
    /// How the plan that the batch is ready for uses the columns.
    pub(super) usage: Option<Arc<ColumnUsage>>,
}

impl Default for BatchJit {
    fn default() -> BatchJit {
        let columns = std::ptr::null_mut();
        let context =
            BatchContext { columns, rows: 0, zero_sized: 0, containers: 0, size: 0, full: 0 };
        BatchJit { context, columns: Vec::new(), pending: Vec::new(), usage: None }
    }
}

impl BatchJit {
    /// Makes the batch ready for a plan that uses the columns so.
    pub(super) fn set_usage(&mut self, usage: &Arc<ColumnUsage>) {
        if !self.usage.as_ref().is_some_and(|known| Arc::ptr_eq(known, usage)) {
            self.usage = Some(usage.clone());
        }
    }

    /// Returns the approximate number of bytes that it holds.
    pub(super) fn capacity(&self) -> usize {
        size_of::<Pending>() * self.pending.iter().map(Vec::capacity).sum::<usize>()
    }
}

// SAFETY: the pointers are only used between `enter_jit` and `exit_jit`, by the thread that owns
// the batch.
unsafe impl Send for BatchJit {}
// SAFETY: as above.
unsafe impl Sync for BatchJit {}

/// Reserves memory for `rows` more values of a column and returns its context. `None` if there is
/// no memory.
fn open_column<T>(values: &mut Vec<T>, rows: usize) -> Option<BatchColumnContext> {
    values.try_reserve(rows).ok()?;
    let room = values.spare_capacity_mut().as_mut_ptr_range();
    Some(BatchColumnContext {
        next: room.start.expose_provenance(),
        committed: room.start.addr(),
        limit: room.end.addr(),
    })
}

/// Appends the values that compiled code has committed.
///
/// # Safety
/// `context` must come from [`open_column`] of these values, and compiled code must have written
/// the values that it committed. Nothing else may have changed the column in between.
unsafe fn commit_column<T>(
    values: &mut Vec<T>,
    context: &BatchColumnContext,
    per_row: bool,
    rows: usize,
) {
    let new = match per_row {
        true => rows,
        false => (context.committed - values.as_ptr_range().end.addr()) / size_of::<T>(),
    };
    debug_assert!(new <= values.capacity() - values.len());
    // SAFETY: compiled code has written these values into the memory that `open_column` reserved.
    unsafe { values.set_len(values.len() + new) };
}

impl Batch {
    /// Returns the context for `rows` rows, or `None` if there is no memory for them.
    pub(super) fn enter_jit_for(&mut self, rows: usize) -> Option<&mut BatchContext> {
        let jit = &mut self.jit;
        jit.columns.clear();
        for column in &mut self.ints {
            jit.columns.push(open_column(column, rows)?);
        }
        for column in &mut self.floats {
            jit.columns.push(open_column(column, rows)?);
        }
        jit.pending.resize_with(self.strs.len(), Vec::new);
        for pending in &mut jit.pending {
            // With sequences there may be many more strings than rows, so reserve twice the number
            // of the last call.
            let strings = (2 * pending.len()).max(FEWEST_PENDING).max(rows);
            pending.clear();
            jit.columns.push(open_column(pending, strings)?);
        }
        for column in &mut self.bits {
            jit.columns.push(open_column(column, rows)?);
        }
        jit.context = BatchContext {
            columns: jit.columns.as_mut_ptr(),
            rows: 0,
            zero_sized: self.zero_sized,
            containers: self.containers,
            size: self.size,
            // This also ensures that no column of strings exceeds its limit.
            full: self.full.min(MAX_BYTES),
        };
        Some(&mut jit.context)
    }

    /// # Safety
    /// See [`Sink::exit_jit`](super::Sink::exit_jit).
    pub(super) unsafe fn exit_jit_from(&mut self) -> OpResult {
        let Batch { jit, ints, floats, strs, bits, .. } = self;
        let rows = jit.context.rows;
        let per_row = jit.usage.as_ref().map_or(&[][..], |usage| &usage.written_once);
        let mut contexts = jit.columns.iter().zip(per_row.iter().copied());
        for (column, (context, per_row)) in ints.iter_mut().zip(&mut contexts) {
            // SAFETY: the caller promises that this is the column's context.
            unsafe { commit_column(column, context, per_row, rows) };
        }
        for (column, (context, per_row)) in floats.iter_mut().zip(&mut contexts) {
            // SAFETY: the caller promises that this is the column's context.
            unsafe { commit_column(column, context, per_row, rows) };
        }
        for (pending, (context, per_row)) in jit.pending.iter_mut().zip(&mut contexts) {
            // SAFETY: the caller promises that this is the column's context.
            unsafe { commit_column(pending, context, per_row, rows) };
        }
        for (column, (context, per_row)) in bits.iter_mut().zip(&mut contexts) {
            // SAFETY: the caller promises that this is the column's context.
            unsafe { commit_column(column, context, per_row, rows) };
        }
        self.rows += rows;
        (self.zero_sized, self.containers) = (jit.context.zero_sized, jit.context.containers);
        self.size = jit.context.size;
        for (column, pending) in strs.iter_mut().zip(&jit.pending) {
            // SAFETY: the strings are in rows of the source, and the caller promises that they are
            // valid until this returns.
            unsafe { column.push_all(pending) }?;
        }
        Ok(())
    }
}
