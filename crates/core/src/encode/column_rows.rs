//! Rows of columns, as an encoder takes rows.

use std::ops::Range;
use std::sync::Arc;

use crate::compiled::{RowSink, RowSource};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::explain::{ErrorContext, explain};
use crate::interpreter::{Run, RunError};
use crate::layout::Sink;
use crate::layout::Unique;
use crate::plan::{Defaults, FormerNames, Op, SinkCall};
use crate::program::Program;
use crate::wire::columns::ColumnCursors;
use crate::wire::frame::ColumnSet;

/// Returns the program that reads rows of the schema of `from` as rows of the schema of `to`. Each
/// field of one must have a field of the other. `former_names` are the former names of the fields of `to`.
///
/// # Errors
/// A schema error that names a field that only one of them has, or types that differ.
pub fn exactly(
    from: &Arc<Program>,
    to: &Arc<Program>,
    former_names: &FormerNames,
) -> Result<Arc<Program>> {
    if from.schema() == to.schema() {
        return Ok(to.clone());
    }
    // A field without a column would get its default, which shows where one is lacking.
    let mut defaults = Defaults::default();
    for (table, names) in (0..).zip(&to.to.tables.structs) {
        (0..names.fields.len() as u32).for_each(|field| defaults.set_of_sink((table, field)));
    }
    let program = Program::evolve(from, to, &defaults, former_names)?;
    let lacks = |op: &Op| match *op {
        Op::Write { first, count } => program.writes[first as usize..][..count as usize]
            .iter()
            .any(|write| matches!(write, SinkCall::Default)),
        _ => false,
    };
    // A null would get that default too. A column of nulls is skipped before it.
    let drops_null = |at: usize| match program.ops[at..] {
        [Op::IfPresent { .. }, ..] => true,
        [Op::Skip { .. }, Op::Null { .. }, Op::Skipped, ref op, ..] => {
            lacks(op) && program.place(at + 1, 0, &[]).path == program.place(at + 3, 0, &[]).path
        }
        _ => false,
    };
    for (at, op) in program.ops.iter().enumerate() {
        if drops_null(at) {
            let at = if matches!(op, Op::Skip { .. }) { at + 1 } else { at };
            let place = program.place(at, 0, &[]);
            let (path, expected) = (place.path, place.expected);
            return Err(Error::schema(format!(
                "field {path}: it may be null, but {expected} may not be null"
            )));
        }
        let (what, at) = match op {
            // A skip has no place of its own. The next instruction has the place that it skips.
            Op::Skip { .. } => ("the schema has no field for the column", at + 1),
            op if lacks(op) => ("there is no column for the field", at),
            _ => continue,
        };
        return Err(Error::schema(format!("{what} {}", program.place(at, 0, &[]).path)));
    }
    Ok(Arc::new(program))
}

/// Rows of columns, which an encoder takes one after another.
pub struct ColumnRows<'a> {
    cursors: ColumnCursors<'a>,
    program: &'a Arc<Program>,
    before: usize,
}

impl<'a> ColumnRows<'a> {
    /// The rows of `set`, read by `program`, which [`exactly`] made. Errors count them from row `before`.
    ///
    /// # Errors
    /// An encode error if a set has an element twice, or a map a key.
    pub fn new(
        program: &'a Arc<Program>,
        set: ColumnSet<'a>,
        before: usize,
    ) -> Result<ColumnRows<'a>> {
        let rows = 0..set.rows;
        if program.has_sets_or_maps {
            let mut unique = Unique::default();
            let cursors = ColumnCursors::new(program, set.clone(), &mut unique).map_err(lift)?;
            let mut checked = ColumnRows { cursors, program, before };
            unique
                .run_to_end(program, &mut checked.cursors, rows)
                .map_err(|error| checked.misfit(&error))?;
        }
        let cursors = ColumnCursors::with_plain_text(program, set).map_err(lift)?;
        Ok(ColumnRows { cursors, program, before })
    }

    /// Returns the error for a row that did not fit.
    pub fn misfit(&self, error: &RunError) -> Error {
        let named = RunError { row: self.before + error.row, ..error.clone() };
        explain(&named, self.program, ErrorContext::Encoded, |_| None)
    }
}

fn lift(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Encode, "the columns")
}

impl RowSource for ColumnRows<'_> {
    const IS_INDEXED: bool = false;

    /// The columns have their own program, which makes rows of `program`'s schema.
    fn run<K: Sink>(&mut self, _program: &Arc<Program>, sink: &mut K, rows: Range<usize>) -> Run {
        self.cursors.run(self.program, sink, rows)
    }
}
