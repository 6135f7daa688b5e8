//! A batch, as compiled code has it: for every column where the next value goes.
//!
//! Columns with one value a row need no counting: value `n` of a run goes `n` places after the
//! first. The others move on as values come, and are committed at each row's end; what was not
//! committed is forgotten when the batch is taken back.

use super::{Batch, StrColumn};

/// A staged column. Numbers and bits stand at addresses; of strings there are counts.
#[derive(Debug)]
#[repr(C)]
pub struct ColumnPlace {
    /// Where the next value goes.
    pub next: usize,
    /// Where it went at the last row's end.
    pub committed: usize,
    /// Where there is no room any more.
    pub limit: usize,
    /// The strings.
    pub strings: *mut StrColumn,
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
    /// Whether each column has one value a row.
    pub(super) per_row: Vec<bool>,
}

impl Default for Lent {
    fn default() -> Lent {
        let columns = std::ptr::null_mut();
        let place = Place { columns, rows: 0, weightless: 0, containers: 0, size: 0, full: 0 };
        Lent { place, columns: Vec::new(), per_row: Vec::new() }
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
        strings: std::ptr::null_mut(),
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
        lent.columns.extend(self.strs.iter_mut().map(|strings| {
            let count = strings.count();
            ColumnPlace { next: count, committed: count, limit: 0, strings }
        }));
        lent.columns.extend(self.bits.iter_mut().map(|column| lend(column, rows)));
        lent.place = Place {
            columns: lent.columns.as_mut_ptr(),
            rows: 0,
            weightless: self.weightless,
            containers: self.containers,
            size: self.size,
            full: self.full,
        };
        &mut lent.place
    }

    pub(super) fn take_back_lent(&mut self) {
        let Batch { lent, ints, floats, strs, bits, .. } = self;
        let rows = lent.place.rows;
        let mut places = lent.columns.iter().zip(lent.per_row.iter().copied());
        for (column, (place, per_row)) in ints.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        for (column, (place, per_row)) in floats.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        for (column, (place, per_row)) in strs.iter_mut().zip(&mut places) {
            // `next` was the count, which is moved on only for columns that are not per row.
            column.truncate(if per_row { place.next + rows } else { place.committed });
        }
        for (column, (place, per_row)) in bits.iter_mut().zip(&mut places) {
            take_back(column, place, per_row, rows);
        }
        self.rows += rows;
        (self.weightless, self.containers) = (lent.place.weightless, lent.place.containers);
        self.size = lent.place.size;
    }
}
