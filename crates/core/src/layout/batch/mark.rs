//! A mark in a batch, and the way back to it. A row that does not fit may leave some values in the
//! columns, and the rows before it may be gone from their source.

use super::Batch;
use super::strings::StrMark;

/// How long the columns of a batch were when the mark was set.
#[derive(Debug, Default)]
pub struct Mark {
    rows: usize,
    zero_sized: usize,
    containers: usize,
    size: usize,
    /// The lengths of the ints, floats and bits.
    lengths: Vec<usize>,
    strs: Vec<StrMark>,
}

impl Batch {
    /// Sets the mark behind the last row. It reuses the memory of `mark`.
    pub fn set(&self, mark: &mut Mark) {
        (mark.rows, mark.size) = (self.rows, self.size);
        if mark.rows == 0 {
            // The way back is to clear the columns.
            return;
        }
        (mark.zero_sized, mark.containers) = (self.zero_sized, self.containers);
        let Batch { ints, floats, bits, .. } = self;
        mark.lengths.clear();
        mark.lengths.extend(ints.iter().map(Vec::len));
        mark.lengths.extend(floats.iter().map(Vec::len));
        mark.lengths.extend(bits.iter().map(Vec::len));
        mark.strs.clear();
        mark.strs.extend(self.strs.iter().map(|column| column.mark()));
    }

    /// Removes everything behind the mark, which was set in these columns.
    pub fn roll_back(&mut self, mark: &Mark) {
        if mark.rows == 0 {
            // The columns forget what they have learned from the values, too.
            return self.clear();
        }
        let Batch { ints, floats, strs, bits, .. } = self;
        let mut lengths = mark.lengths.iter().copied();
        ints.iter_mut().zip(&mut lengths).for_each(|(column, len)| column.truncate(len));
        floats.iter_mut().zip(&mut lengths).for_each(|(column, len)| column.truncate(len));
        bits.iter_mut().zip(&mut lengths).for_each(|(column, len)| column.truncate(len));
        strs.iter_mut().zip(&mark.strs).for_each(|(column, &mark)| column.roll_back(mark));
        (self.rows, self.size) = (mark.rows, mark.size);
        (self.zero_sized, self.containers) = (mark.zero_sized, mark.containers);
    }
}
