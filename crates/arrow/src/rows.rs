//! Rows of a language to batches.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serow_core::compiled::RowSource;
use serow_core::encode::{Inference, Rows, infer, misfit};
use serow_core::error::Fault;
use serow_core::interpreter::RunError;
use serow_core::limits::{FRAME_SIZE_TARGET, MAX_FRAME_ROWS};
use serow_core::plan::number;
use serow_core::program::Program;
use serow_core::wire::frame::ColumnSet;
use serow_core::{Error, ErrorKind, Result};

use crate::export::export;
use crate::fit::Fits;
use crate::spare::Columns;
use crate::types::arrow_schema;

/// Batches of one schema, which the values so far decide.
#[derive(Clone, Debug)]
pub struct Batches {
    program: Arc<Program>,
    fits: Fits,
    schema: SchemaRef,
    /// The most rows of a batch.
    most: usize,
}

/// Why batches could not be made of rows.
enum Stopped {
    /// The schema that earlier batches have does not hold these rows.
    Wider,
    Run(Box<RunError>),
    Error(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Stopped {
        Stopped::Error(error)
    }
}

impl Batches {
    /// Makes batches of all `rows`, of at most `most` rows each. Without a program, the rows are of the
    /// type that fits all of them.
    ///
    /// # Errors
    /// An encode error for the first row that does not fit, or has no type.
    pub fn of_all<R: Rows>(
        rows: &R,
        program: Option<&Arc<Program>>,
        most: usize,
    ) -> Result<(Batches, Vec<RecordBatch>)> {
        let mut is_final = program.is_some();
        let program = match program {
            Some(program) => program.clone(),
            None => Inference::sampled(rows)?.1,
        };
        let mut all = Batches::new(program, most)?;
        loop {
            let mut made = Vec::new();
            match all.add(rows, true, &mut made) {
                Ok(()) => return Ok((all, made)),
                // The fits are wider now.
                Err(Stopped::Wider) => {}
                Err(Stopped::Run(error)) if !is_final && error.fault == Fault::TypeMismatch => {
                    is_final = true;
                    all = Batches::new(Program::shared(&infer(rows)?), most)?;
                }
                Err(stopped) => return Err(stopped.into_error(&all.program, rows)),
            }
        }
    }

    /// Makes batches of more rows, which must fit the schema.
    ///
    /// # Errors
    /// An encode error for the first row that does not fit.
    pub fn of_more<R: Rows>(&mut self, rows: &R) -> Result<Vec<RecordBatch>> {
        let mut made = Vec::new();
        let added = self.add(rows, false, &mut made);
        added.map_err(|stopped| stopped.into_error(&self.program, rows))?;
        Ok(made)
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn new(program: Arc<Program>, most: usize) -> Result<Batches> {
        let fits = Fits::default();
        let schema = Arc::new(arrow_schema(program.root(), &fits)?);
        Ok(Batches { program, fits, schema, most: most.clamp(1, MAX_FRAME_ROWS) })
    }

    /// Appends the batches of `rows`. At the first batch, the schema may change.
    fn add<R: Rows>(
        &mut self,
        rows: &R,
        mut is_first: bool,
        made: &mut Vec<RecordBatch>,
    ) -> std::result::Result<(), Stopped> {
        let program = self.program.clone();
        let root = number(program.root());
        let mut source = rows.source();
        let mut batch = Columns::take();
        batch.reset(&program);
        batch.limit(FRAME_SIZE_TARGET);
        let mut row = 0;
        while row < rows.len() {
            batch.clear();
            batch.expect(rows.len() - row);
            let to = rows.len().min(row + self.most);
            row = match source.run(&program, &mut *batch, row..to).map_err(Stopped::Run)? {
                ControlFlow::Continue(()) => to,
                ControlFlow::Break(done) => done,
            };
            let set = ColumnSet::staged(&program, &batch);
            let fits = Fits::of(&root, &set)
                .map_err(|fault| fault.into_error(ErrorKind::Encode, "the rows"))?;
            self.fits.join(fits);
            let schema = arrow_schema(program.root(), &self.fits)?;
            if schema != *self.schema {
                if !is_first {
                    return Err(Stopped::Wider);
                }
                self.schema = Arc::new(schema);
            }
            is_first = false;
            made.push(export(&root, &set, &self.schema)?);
        }
        Ok(())
    }
}

impl Stopped {
    fn into_error<R: Rows>(self, program: &Program, rows: &R) -> Error {
        match self {
            Stopped::Error(error) => error,
            Stopped::Run(error) => misfit(&error, program, rows),
            Stopped::Wider => Error::encode(format!(
                "rows from {} on do not fit the columns that the first rows have: a column has a \
                 decimal of another scale, a time of another zone or with nanoseconds, or text that is \
                 not UTF-8; give the rows as a list, whose columns fit all rows",
                rows.before()
            )),
        }
    }
}
