//! Arrow's arrays to messages and streams: columns become columns, and no row is made.

use std::sync::Arc;

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use serow_arrow::{BatchRows, Import, Target};
use serow_core::Error;
use serow_core::bytes::out::GrowableBuffer;
use serow_core::encode::{Encoder, Staging};
use serow_core::host_lock::HostLock;
use serow_core::plan::FormerNames;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::wire::message::Format;

use super::Extensions;
use super::given::ArrowInput;
use crate::errors::raise;
use crate::releasing::Releasing;

/// How to read arrays as rows of a schema, if there is one.
fn import(py: Python<'_>, given: &ArrowInput, program: Option<&Arc<Program>>) -> PyResult<Import> {
    match given.columns() {
        Some(columns) => Import::of_rows(&given.schema(columns), program),
        None => Import::of_values(given.field()),
    }
    .map_err(|error| raise(py, error))
}

/// All rows that a caller gave as Arrow's arrays.
pub struct ArrowTable {
    import: Import,
    batches: Releasing<Vec<RecordBatch>>,
    program: Option<Arc<Program>>,
    former_names: FormerNames,
}

impl ArrowTable {
    /// The rows of `data`, of the schema of `program` or of their own.
    ///
    /// # Errors
    /// A `SchemaError` if a column has a type that serow lacks. A `DecodeError` if an array is damaged, or
    /// its producer fails.
    pub fn of(
        data: &Bound<'_, PyAny>,
        program: Option<&Arc<Program>>,
        extensions: Extensions,
    ) -> PyResult<ArrowTable> {
        let mut given = ArrowInput::of(data, extensions)?;
        let import = import(data.py(), &given, program)?;
        let mut batches = Releasing::new(Vec::new());
        while let Some(batch) = given.next_batch(data.py())? {
            batches.push(RecordBatch::clone(&batch));
        }
        let (program, former_names) = (program.cloned(), FormerNames::default());
        Ok(ArrowTable { import, batches, program, former_names })
    }

    /// Also takes columns that have the former names of the program's fields.
    pub fn with_former_names(self, former_names: &FormerNames) -> ArrowTable {
        ArrowTable { former_names: former_names.clone(), ..self }
    }

    /// The schema of the rows.
    ///
    /// # Errors
    /// See [`Schema::new`].
    pub fn schema(&self) -> Result<Schema, Error> {
        Ok(self.import.program(&self.batches)?.schema().clone())
    }

    /// Writes a message of the rows into `room`, while other threads run as `host_lock` says. Returns its length.
    ///
    /// # Errors
    /// A schema error if the schema has not the columns. A decode error if a value is not of its type.
    pub fn encode(
        &self,
        py: Python<'_>,
        format: Format,
        host_lock: HostLock,
        room: &mut dyn GrowableBuffer,
    ) -> Result<usize, Error> {
        let target = match &self.program {
            Some(program) => Target::Exactly(program, &self.former_names),
            None => Target::Own,
        };
        let mut rows = BatchRows::new(&self.import, &self.batches, target, 0)?;
        let staging = Staging::take(format.wire);
        let mut encoder = Encoder::with_staging(format, room, staging)?.with_host_lock(host_lock);
        for batch in self.batches.iter() {
            rows.each(batch, |program, rows, count| {
                encoder.encode(program, rows, 0..count).map_err(|error| rows.misfit(&error))?;
                py.check_signals().map_err(|error| {
                    error.restore(py);
                    Error::host()
                })
            })?;
        }
        let (_, len, staging) = encoder.finish(rows.program())?;
        staging.keep();
        Ok(len)
    }
}

/// Passes each batch of `data` to `write`, with how to read it and the number of rows before it. `declared`
/// is the schema of the rows, if there is one.
///
/// # Errors
/// See [`ArrowTable::of`]. Errors of `write`.
pub fn each_batch(
    data: &Bound<'_, PyAny>,
    declared: Option<&Arc<Program>>,
    extensions: Extensions,
    mut write: impl FnMut(&Import, &RecordBatch, usize) -> PyResult<()>,
) -> PyResult<()> {
    let py = data.py();
    let mut given = ArrowInput::of(data, extensions)?;
    let import = import(py, &given, declared)?;
    let mut before = 0;
    while let Some(batch) = given.next_batch(py)? {
        write(&import, &batch, before)?;
        before += batch.num_rows();
        py.check_signals()?;
    }
    if before == 0 {
        let empty = given.empty_batch().map_err(|error| raise(py, error))?;
        write(&import, &empty, 0)?;
    }
    Ok(())
}
