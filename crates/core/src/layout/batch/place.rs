//! A batch, as compiled code has it: for every column where the next value goes.
//!
//! Columns with one value a row need no counting: value `n` of a run goes `n` places after the
//! first. The others move on as values come, and are committed at each row's end; what was not
//! committed is forgotten when the batch is taken back.
//!
//! Of strings compiled code only says where they stand, and they are taken column by column when the
//! batch is taken back, while they are in the cache: a column's own loop has its table at hand, and
//! nothing has to be put aside for a call in the middle of a row.

use super::strings::Pending;
use super::{Batch, Step};
use crate::limits::MAX_BYTES;

/// Rows that a batch with strings is lent for at a time: few enough for their strings to be in the
/// first or second cache still when they are taken.
pub(super) const ROWS_OF_STRINGS: usize = 256;

/// Strings that there is room for at first.
const FEWEST_PENDING: usize = 4096;

/// A staged column.
#[derive(Debug)]
#[repr(C)]
pub struct ColumnPlace {
    /// Where the next value goes.
    pub next: usize,
    /// Where it went at the last row's end.
    pub committed: usize,
    /// Where there is no room any more.
    pub limit: usize,
}

/// The columns of a batch: ints, floats, strs and bits, each in the plan's order.
#[derive(Debug)]
#[repr(C)]
pub struct Place {
    /// The columns.
    pub columns: *mut ColumnPlace,
    /// The rows that were converted, to be said when the code returns.
    pub rows: usize,
    /// Nulls and empty containers.
    pub weightless: usize,
    /// Lists and tuples of fixed shape with fields.
    pub containers: usize,
    /// About how many bytes the rows take.
    pub size: usize,
    /// The size from which on the batch is full.
    pub full: usize,
}

/// What a batch needs for being lent.
#[derive(Debug)]
pub(super) struct Lent {
    place: Place,
    columns: Vec<ColumnPlace>,
    /// The strings of each column that stand in the source yet.
    pending: Vec<Vec<Pending>>,
    /// Whether each column has one value a row.
    pub(super) per_row: Vec<bool>,
}

impl Default for Lent {
    fn default() -> Lent {
        let columns = std::ptr::null_mut();
        let place = Place { columns, rows: 0, weightless: 0, containers: 0, size: 0, full: 0 };
        Lent { place, columns: Vec::new(), pending: Vec::new(), per_row: Vec::new() }
    }
}

impl Lent {
    /// About how many bytes of memory it holds.
    pub(super) fn capacity(&self) -> usize {
        size_of::<Pending>() * self.pending.iter().map(Vec::capacity).sum::<usize>()
    }
}

// SAFETY: the pointers are only used while the batch is lent, which a borrow spans.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

/// A column with room for `rows` values more.
fn lend<T>(values: &mut Vec<T>, rows: usize) -> ColumnPlace {
    values.reserve(rows);
    let room = values.spare_capacity_mut().as_mut_ptr_range();
    ColumnPlace {
        next: room.start.expose_provenance(),
        committed: room.start.addr(),
        limit: room.end.addr(),
    }
}

fn take_back<T>(values: &mut Vec<T>, place: &ColumnPlace, per_row: bool, rows: usize) {
    let new = match per_row {
        true => rows,
        false => (place.committed - values.as_ptr_range().end.addr()) / size_of::<T>(),
    };
    debug_assert!(new <= values.capacity() - values.len());
    // SAFETY: compiled code has written so many values into the room that it was lent.
    unsafe { values.set_len(values.len() + new) };
}

impl Batch {
    pub(super) fn lend_for(&mut self, rows: usize) -> *mut Place {
        let lent = &mut self.lent;
        lent.columns.clear();
        lent.columns.extend(self.ints.iter_mut().map(|column| lend(column, rows)));
        lent.columns.extend(self.floats.iter_mut().map(|column| lend(column, rows)));
        lent.pending.resize_with(self.strs.len(), Vec::new);
        lent.columns.extend(lent.pending.iter_mut().map(|pending| {
            // Strings within sequences may be many more than rows: there is always twice the room
            // that was needed.
            let room = (2 * pending.len()).max(FEWEST_PENDING).max(rows);
            pending.clear();
            lend(pending, room)
        }));
        lent.columns.extend(self.bits.iter_mut().map(|column| lend(column, rows)));
        lent.place = Place {
            columns: lent.columns.as_mut_ptr(),
            rows: 0,
            weightless: self.weightless,
            containers: self.containers,
            size: self.size,
            // So no column of strings can exceed what it may hold.
            full: self.full.min(MAX_BYTES),
        };
        &mut lent.place
    }

    pub(super) fn take_back_lent(&mut self) -> Step {
        let Batch { lent, ints, floats, strs, bits, .. } = self;
        let rows = lent.place.rows;
        let mut places = lent.columns.iter().zip(lent.per_row.iter().copied());
        for (column, (place, per_row)) in ints.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        for (column, (place, per_row)) in floats.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        for (pending, (place, per_row)) in lent.pending.iter_mut().zip(&mut places) {
            take_back(pending, place, per_row, rows);
        }
        for (column, (place, per_row)) in bits.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        self.rows += rows;
        (self.weightless, self.containers) = (lent.place.weightless, lent.place.containers);
        self.size = lent.place.size;
        for (column, pending) in strs.iter_mut().zip(&lent.pending) {
            // SAFETY: the strings are of rows that the source has, and was lent for this long.
            unsafe { column.push_all(pending) }?;
        }
        Ok(())
    }
}
