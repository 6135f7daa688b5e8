//! The rows of batches, as an encoder takes them. No row is made: columns become columns.

use std::sync::Arc;

use arrow_array::RecordBatch;
use serow_core::Result;
use serow_core::encode::{ColumnRows, exactly};
use serow_core::plan::FormerNames;
use serow_core::program::Program;
use serow_core::schema::{Schema, Shape};
use serow_core::wire::frame::ColumnSet;

use crate::import::Import;
use crate::pool::Columns;

/// The schema that rows of batches get.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// Their own.
    Own,
    /// This one, which must have a field for each column, and no other. A column may have a former name of its
    /// field.
    Exactly(&'a Arc<Program>, &'a FormerNames),
    /// The one that holds rows of this one, too.
    Joined(&'a Arc<Program>),
}

/// Rows of batches, to be written with one schema.
pub struct BatchRows<'i> {
    import: &'i Import,
    own: Arc<Program>,
    /// The program of the rows when they are written.
    written: Arc<Program>,
    /// From the own schema to the written one.
    conversion: Arc<Program>,
    columns: Columns,
    before: usize,
}

impl<'i> BatchRows<'i> {
    /// Rows of `batches`, which `import` reads. Errors count them from row `before`.
    ///
    /// # Errors
    /// A schema error if the target has not the fields that the batches have.
    pub fn new(
        import: &'i Import,
        batches: &[RecordBatch],
        target: Target<'_>,
        before: usize,
    ) -> Result<BatchRows<'i>> {
        let own = import.program(batches)?;
        let written = match target {
            Target::Own => own.clone(),
            Target::Exactly(program, _) => program.clone(),
            Target::Joined(program) => joined(program, &own)?,
        };
        let none = FormerNames::default();
        let former_names = if let Target::Exactly(_, names) = target { names } else { &none };
        let conversion = exactly(&own, &written, former_names)?;
        Ok(BatchRows { import, own, written, conversion, columns: Columns::take(), before })
    }

    /// The program of the rows when they are written.
    pub fn program(&self) -> &Arc<Program> {
        &self.written
    }

    /// Passes the rows of `batch`, which must be one of the batches, to `take`, some after some, with
    /// their program and their number.
    ///
    /// # Errors
    /// See [`Import::read`]. Errors of `take`.
    pub fn each<E: From<serow_core::Error>>(
        &mut self,
        batch: &RecordBatch,
        mut take: impl FnMut(&Arc<Program>, &mut ColumnRows<'_>, usize) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut row = 0;
        while row < batch.num_rows() {
            self.import.read(&self.own, batch, row, &mut self.columns)?;
            let (set, rows) = (ColumnSet::staged(&self.own, &self.columns), self.columns.rows);
            let mut source = ColumnRows::new(&self.conversion, set, self.before)?;
            take(&self.written, &mut source, rows)?;
            row += rows;
            self.before += rows;
        }
        Ok(())
    }
}

fn joined(known: &Arc<Program>, own: &Arc<Program>) -> Result<Arc<Program>> {
    let mut shape = Shape::of(known.root());
    shape.join(Shape::of(own.root()));
    let schema = Schema::new(shape.into_type())?;
    if schema == *known.schema() {
        return Ok(known.clone());
    }
    Ok(Program::shared(&schema))
}
