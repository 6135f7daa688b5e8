//! The schema of rows, from those that were inspected: a sample first, then each row that does not fit.

use std::sync::Arc;

use super::Rows;
use super::{misfit, no_type};
use crate::error::Result;
use crate::interpreter::RunError;
use crate::limits::{FEW_ROWS_OF_SCHEMA, SAMPLE_ROWS};
use crate::program::Program;
use crate::schema::{Schema, Shape};

/// After this many widenings in a message, rows ahead are inspected too.
const FEW_WIDENINGS: u32 = 2;

/// Returns how many rows to inspect when a row does not fit, including that row. `widening` counts
/// the widenings of the message from 1, and `left` rows remain.
///
/// Every widening costs a frame. If rows keep differing, the encoder inspects rows ahead, twice as
/// many each time, so there are few widenings whatever the rows are.
pub(super) fn looked_at(widening: u32, left: usize) -> usize {
    match widening {
        ..=FEW_WIDENINGS => 1,
        more => (SAMPLE_ROWS << (more - FEW_WIDENINGS).min(32)).min(left),
    }
}

/// What is known about the rows of a message or stream.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    /// The join of the rows that were inspected. The schema is made of it, unless none was.
    shape: Shape,
    widenings: u32,
    /// The row that made the last schema, counted over the whole message or stream.
    last: u64,
}

impl Inference {
    /// Infers the type of a sample of `rows`. Returns its program, too.
    ///
    /// # Errors
    /// See [`Schema::new`].
    pub fn sampled<R: Rows>(rows: &R) -> Result<(Inference, Arc<Program>)> {
        let mut shape = Shape::default();
        // Half of the sample are the first rows, half are spread over all rows. A row that can't be
        // inferred is left for the encoder, so that the error names the first bad row.
        let spread = (rows.len() / (SAMPLE_ROWS / 2)).max(1);
        let first = 0..rows.len().min(SAMPLE_ROWS / 2);
        for row in first.chain((SAMPLE_ROWS / 2..rows.len()).step_by(spread)) {
            let _ = rows.infer(row, &mut shape);
        }
        shape.settle(true);
        let program = Program::shared(&Schema::new(shape.clone().into_type())?);
        Ok((Inference { shape, widenings: 0, last: 0 }, program))
    }

    /// Joins the type of `program`, which was inferred, with the type of the row that did not fit and, if
    /// this has happened often, of rows after it. Returns the program of the joined type. `before` rows
    /// of the stream are before `rows`.
    ///
    /// # Errors
    /// An encode error for the row if it has no serow type. Then nothing changes.
    pub fn widen<R: Rows>(
        &mut self,
        program: &Program,
        error: &RunError,
        rows: &R,
        before: u64,
    ) -> Result<Arc<Program>> {
        let mut shape = match self.shape == Shape::default() {
            true => Shape::of(program.root()),
            false => self.shape.clone(),
        };
        rows.infer(error.row, &mut shape)
            .map_err(|untyped| no_type(error.row, &untyped, Some(program), rows))?;
        let widenings = self.widenings.saturating_add(1);
        let looked_at = looked_at(widenings, rows.len() - error.row);
        for row in error.row + 1..error.row + looked_at {
            let _ = rows.infer(row, &mut shape);
        }
        let row = before + error.row as u64;
        shape.settle(row - self.last <= FEW_ROWS_OF_SCHEMA);
        let schema = Schema::new(shape.clone().into_type())?;
        if schema == *program.schema() {
            // Inference says that the row fits, but its source says that it does not. Without this check
            // the caller's loop would not end.
            return Err(misfit(error, program, rows));
        }
        *self = Inference { shape, widenings, last: row };
        Ok(Program::shared(&schema))
    }
}
