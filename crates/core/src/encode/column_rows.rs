//! Rows of columns, as an encoder takes rows.

use std::ops::Range;
use std::sync::Arc;

use crate::compiled::{RowSink, RowSource};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::explain::{ErrorContext, explain};
use crate::interpreter::{Run, RunError};
use crate::layout::Sink;
use crate::layout::Unique;
use crate::plan::{Defaults, FormerNames, Op};
use crate::program::Program;
use crate::schema::{Type, Word};
use crate::wire::columns::ColumnCursors;
use crate::wire::frame::ColumnSet;

/// Returns the program that reads rows of the schema of `from` as rows of the schema of `to`, which must
/// have a place for each of their values, and no other.
///
/// # Errors
/// A schema error that names a field that only one of them has, or types that differ.
pub fn exactly(from: &Arc<Program>, to: &Arc<Program>) -> Result<Arc<Program>> {
    if from.schema() == to.schema() {
        return Ok(to.clone());
    }
    let program = Program::evolve(from, to, &Defaults::default(), &FormerNames::default())?;
    if let Some(skip) = program.ops.iter().position(|op| matches!(op, Op::Skip { .. })) {
        let place = program.place(skip + 1, 0, &[]);
        return Err(Error::schema(format!(
            "the schema has no field for the column {}",
            place.path
        )));
    }
    if let Some(name) = lacking(from.root(), to.root()) {
        return Err(Error::schema(format!("there is no column for the field {}", Word(name))));
    }
    Ok(Arc::new(program))
}

/// Returns the name of a field that rows of `to` have and rows of `from` lack. A reader would take the
/// default of that field.
fn lacking<'t>(from: &Type, to: &'t Type) -> Option<&'t str> {
    match (from.required(), to.required()) {
        (Type::Struct(from), Type::Struct(to)) => {
            let mut fields = to.names.fields.iter().zip(&to.fields);
            fields.find_map(|(name, field)| {
                match from.names.fields.iter().position(|other| other == name) {
                    Some(at) => lacking(&from.fields[at].ty, &field.ty),
                    None => (!field.maybe).then_some(&**name),
                }
            })
        }
        (Type::Sequence(_, from), Type::Sequence(_, to))
        | (Type::Map(_, from), Type::Map(_, to)) => lacking(from, to),
        (Type::Fixed(_, from), Type::Fixed(_, to)) => {
            from.iter().zip(to.iter()).find_map(|(from, to)| lacking(from, to))
        }
        _ => None,
    }
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
