//! Rows of a language, and frames of a message, to batches.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema as ArrowSchema, SchemaRef};
use serow_core::compiled::RowSource;
use serow_core::decode::{ReaderSchema, decode_columns, message_reader};
use serow_core::encode::{Inference, Rows, infer, misfit};
use serow_core::error::Fault;
use serow_core::explain::{ErrorContext, explain};
use serow_core::interpreter::RunError;
use serow_core::layout::batch::Batch;
use serow_core::limits::{FRAME_SIZE_TARGET, MAX_FRAME_ROWS};
use serow_core::plan::{Defaults, number};
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::stream::schema_of;
use serow_core::wire::columns::ColumnCursors;
use serow_core::wire::frame::ColumnSet;
use serow_core::wire::message::RawFrame;
use serow_core::{Error, ErrorKind, Result};

use crate::dense;
use crate::export::export;
use crate::fit::Fits;
use crate::pool::Columns;
use crate::types::arrow_schema;

/// Batches of one schema, which the values so far decide.
#[derive(Clone, Debug)]
pub struct Batches {
    program: Arc<Program>,
    fits: Fits,
    schema: SchemaRef,
    /// Whether a caller wants this schema, so that the values do not decide.
    is_wanted: bool,
    /// Whether the rows of each call may have a type of their own.
    is_open: bool,
    /// The most rows of a batch.
    most: usize,
}

/// Why batches could not be made of rows.
enum Unmade {
    /// The schema that earlier batches have does not hold these rows. One that fits these does.
    Wider(Fits),
    /// A frame has another schema than the frames before it.
    OtherType,
    Run(Box<RunError>),
    Error(Error),
}

/// What may be wider.
const OTHERS: &str = "a column has another type, a decimal of another scale, a time of another zone or with \
    nanoseconds, an array of another type or shape, or text that is not UTF-8";

impl From<Error> for Unmade {
    fn from(error: Error) -> Unmade {
        Unmade::Error(error)
    }
}

impl Batches {
    /// Makes batches of all `rows`, of at most `most` rows each. Without a program, the rows are of the
    /// type that fits all of them. The batches have the `wanted` schema, if there is one.
    ///
    /// # Errors
    /// An encode error for the first row that does not fit, or has no type, or for a value that the wanted
    /// schema does not hold exactly.
    pub fn of_all<R: Rows>(
        rows: &R,
        program: Option<&Arc<Program>>,
        wanted: Option<&SchemaRef>,
        most: usize,
    ) -> Result<(Batches, Vec<RecordBatch>)> {
        let is_open = program.is_none() && wanted.is_some();
        let mut is_final = program.is_some();
        let program = match program {
            Some(program) => program.clone(),
            None => Inference::sampled(rows)?.1,
        };
        let mut all = Batches::new(program, wanted, most)?;
        loop {
            let mut made = Vec::new();
            match all.add(rows, true, &mut made) {
                Ok(()) => return Ok((Batches { is_open, ..all }, made)),
                Err(Unmade::Wider(fits)) => all.fits = fits,
                Err(Unmade::Run(error)) if !is_final && error.fault == Fault::TypeMismatch => {
                    is_final = true;
                    all = Batches::new(Program::shared(&infer(rows)?), wanted, most)?;
                }
                Err(why) => return Err(why.into_error(&all.program, rows)),
            }
        }
    }

    /// Makes batches of more rows, which must fit the schema.
    ///
    /// # Errors
    /// An encode error for the first row that does not fit.
    pub fn of_more<R: Rows>(&mut self, rows: &R) -> Result<Vec<RecordBatch>> {
        if self.is_open {
            return Ok(Batches::of_all(rows, None, Some(&self.schema), self.most)?.1);
        }
        let mut made = Vec::new();
        let added = self.add(rows, false, &mut made);
        added.map_err(|why| why.into_error(&self.program, rows))?;
        Ok(made)
    }

    /// The schema of batches of a program's rows, whose values it does not know.
    ///
    /// # Errors
    /// A schema error if Arrow has no such type.
    pub fn usual_schema(program: &Program) -> Result<SchemaRef> {
        Ok(Arc::new(arrow_schema(program.root(), &Fits::default())?))
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn new(program: Arc<Program>, wanted: Option<&SchemaRef>, most: usize) -> Result<Batches> {
        let (fits, most) = (Fits::default(), most.clamp(1, MAX_FRAME_ROWS));
        let schema = match wanted {
            Some(schema) => schema.clone(),
            None => Batches::usual_schema(&program)?,
        };
        Ok(Batches { program, fits, schema, is_wanted: wanted.is_some(), is_open: false, most })
    }

    /// Appends the batches of `rows`. At the first batch, the schema may change.
    fn add<R: Rows>(
        &mut self,
        rows: &R,
        mut is_first: bool,
        made: &mut Vec<RecordBatch>,
    ) -> std::result::Result<(), Unmade> {
        let program = self.program.clone();
        let mut source = rows.source();
        let mut batch = Columns::take();
        batch.reset(&program);
        batch.limit(FRAME_SIZE_TARGET);
        let mut row = 0;
        while row < rows.len() {
            batch.clear();
            // Arrow's columns of text have no dictionaries.
            batch.make_text_plain();
            let to = rows.len().min(row + self.most);
            row = match source.run(&program, &mut *batch, row..to).map_err(Unmade::Run)? {
                ControlFlow::Continue(()) => to,
                ControlFlow::Break(done) => done,
            };
            made.push(self.of_set(&ColumnSet::staged(&program, &batch), is_first)?);
            is_first = false;
        }
        Ok(())
    }

    /// The batch of the rows of `set`. For the first batch, the schema may change.
    fn of_set(
        &mut self,
        set: &ColumnSet<'_>,
        is_first: bool,
    ) -> std::result::Result<RecordBatch, Unmade> {
        let root = number(self.program.root());
        if self.is_wanted {
            return Ok(export(&root, set, &self.schema)?);
        }
        let fits = Fits::of(&root, set)
            .map_err(|fault| fault.into_error(ErrorKind::Encode, "the rows"))?;
        let mut joined = self.fits.clone();
        joined.join(fits);
        if is_first || joined != self.fits {
            let schema = arrow_schema(self.program.root(), &joined)?;
            if schema != *self.schema {
                if !is_first {
                    return Err(Unmade::Wider(joined));
                }
                self.schema = Arc::new(schema);
            }
            self.fits = joined;
        }
        Ok(export(&root, set, &self.schema)?)
    }
}

/// The batch of all `rows`, which are of the type of `program`. `change` may change the columns before they
/// become the arrays of the `wanted` schema.
///
/// # Errors
/// An encode error that says which value is not of its type, or which column does not hold its values.
pub fn batch_of_rows<R: Rows>(
    rows: &R,
    program: &Arc<Program>,
    wanted: &SchemaRef,
    change: impl FnOnce(&mut Batch) -> Result<()>,
) -> Result<RecordBatch> {
    let mut columns = Columns::take();
    columns.reset(program);
    columns.make_text_plain();
    _ = rows
        .source()
        .run(program, &mut *columns, 0..rows.len())
        .map_err(|error| explain(&error, program, ErrorContext::Encoded, |_| None))?;
    change(&mut columns)?;
    export(&number(program.root()), &ColumnSet::staged(program, &columns), wanted)
}

/// Frames that become batches.
pub struct FrameBatches {
    /// The schema that the rows are converted to.
    expected: Option<ReaderSchema>,
    /// The schema that a caller wants.
    wanted: Option<SchemaRef>,
    batches: Option<Batches>,
    /// The memory that arrays may take, in bytes.
    left: Option<usize>,
    /// The most rows of a batch.
    most: usize,
}

impl FrameBatches {
    /// Frames whose rows are converted to the schema of `program`, or all have one schema. Their arrays
    /// may take `max_memory` bytes.
    pub fn new(program: Option<&Arc<Program>>, max_memory: Option<usize>) -> FrameBatches {
        let expected =
            program.map(|program| ReaderSchema::new(program.clone(), Defaults::default()));
        FrameBatches::of(expected, max_memory)
    }

    /// Frames whose rows are read as `expected`, or all have one schema.
    pub fn of(expected: Option<ReaderSchema>, max_memory: Option<usize>) -> FrameBatches {
        FrameBatches {
            expected,
            wanted: None,
            batches: None,
            left: max_memory,
            most: MAX_FRAME_ROWS,
        }
    }

    /// Makes batches of at most `rows` rows of the frames of a message ([`FrameBatches::of_message`]).
    #[must_use]
    pub fn with_most_rows(mut self, rows: usize) -> FrameBatches {
        self.most = rows.clamp(1, MAX_FRAME_ROWS);
        self
    }

    /// Makes batches of this schema, whatever the values are.
    #[must_use]
    pub fn with_schema(mut self, wanted: Option<SchemaRef>) -> FrameBatches {
        self.wanted = wanted;
        self
    }

    /// The schema of the batches. Without an expected one, and without a frame, there are no columns.
    ///
    /// # Errors
    /// A schema error if a batch can't have the columns.
    pub fn schema(&self) -> Result<SchemaRef> {
        if let Some(wanted) = &self.wanted {
            return Ok(wanted.clone());
        }
        match (&self.batches, &self.expected) {
            (Some(batches), _) => Ok(batches.schema.clone()),
            (None, Some(expected)) => {
                Ok(Batches::new(expected.program().clone(), None, MAX_FRAME_ROWS)?.schema)
            }
            (None, None) => Ok(Arc::new(ArrowSchema::empty())),
        }
    }

    /// The batch of the rows of a frame, if it has rows.
    ///
    /// # Errors
    /// A decode error that says what is wrong with the frame, or that it has other columns than those
    /// before it. A limit error if its arrays take more memory than they may.
    pub fn of_frame(&mut self, frame: &RawFrame<'_>) -> Result<Option<RecordBatch>> {
        let is_first = self.batches.is_none();
        let mut made = Vec::new();
        self.add(frame, MAX_FRAME_ROWS, is_first, &mut made).map_err(|why| match why {
            Unmade::Error(error) => error,
            _ => Error::decode(format!(
                "frame {} has rows that do not fit the columns of the frames before it: {OTHERS}; give the `schema` \
                 of Arrow that the batches are to have, or a `type` that fits all rows, or read them as rows",
                frame.index
            )),
        })?;
        Ok(made.pop())
    }

    /// The batches of all frames of a message, whose schema fits all of them.
    ///
    /// # Errors
    /// See [`FrameBatches::of_frame`].
    pub fn of_message(&mut self, data: &[u8]) -> Result<Vec<RecordBatch>> {
        let left = self.left;
        loop {
            self.left = left;
            let mut reader = message_reader(data, self.expected.as_ref(), left)?;
            let (mut made, mut wider) = (Vec::new(), None);
            while let Some(frame) = reader.next_frame()? {
                let is_first = made.is_empty();
                match self.add(&frame, self.most, is_first, &mut made) {
                    Ok(()) => {}
                    Err(Unmade::Wider(fits)) => wider.get_or_insert_with(Fits::default).join(fits),
                    Err(Unmade::Error(error)) => return Err(error),
                    Err(_) => {
                        let all = Program::shared(&schema_of_message(data)?);
                        self.expected = Some(ReaderSchema::new(all, Defaults::default()));
                        (self.batches, wider) = (None, Some(Fits::default()));
                        break;
                    }
                }
            }
            let Some(wider) = wider else { return Ok(made) };
            if let Some(batches) = &mut self.batches {
                batches.fits = wider;
            }
        }
    }

    /// Appends the batches of a frame, of at most `most` rows each. At the first batch, the schema may
    /// change.
    fn add(
        &mut self,
        frame: &RawFrame<'_>,
        most: usize,
        is_first: bool,
        made: &mut Vec<RecordBatch>,
    ) -> std::result::Result<(), Unmade> {
        if frame.rows == 0 {
            return Ok(());
        }
        let mut columns = Columns::take();
        let (program, set) = decode_columns(frame, self.expected.as_ref(), &mut columns)?;
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(dense::size(&set)?).ok_or_else(|| {
                Error::limit(format!(
                    "frame {}: the arrays of its rows would take more memory than max_memory allows",
                    frame.index
                ))
            })?;
        }
        let wanted = self.wanted.as_ref();
        let batches = match &mut self.batches {
            Some(batches) if batches.program.schema() == program.schema() => batches,
            Some(_) if wanted.is_none() => return Err(Unmade::OtherType),
            batches => batches.insert(Batches::new(program.clone(), wanted, MAX_FRAME_ROWS)?),
        };
        if frame.rows <= most {
            made.push(batches.of_set(&set, is_first)?);
            return Ok(());
        }
        let mut rows = ColumnCursors::with_plain_text(&program, set)
            .map_err(|fault| fault.into_error(ErrorKind::Decode, "the columns"))?;
        let (mut part, mut wider) = (Columns::take(), None);
        part.reset(&program);
        for from in (0..frame.rows).step_by(most) {
            part.clear();
            part.make_text_plain();
            let range = from..frame.rows.min(from + most);
            _ = rows
                .run(&program, &mut *part, range)
                .map_err(|error| explain(&error, &program, ErrorContext::Decoded, |_| None))?;
            let set = ColumnSet::staged(&program, &part);
            match batches.of_set(&set, is_first && from == 0) {
                Ok(batch) => made.push(batch),
                // The other rows may need a still wider schema.
                Err(Unmade::Wider(fits)) => wider.get_or_insert_with(Fits::default).join(fits),
                Err(why) => return Err(why),
            }
        }
        wider.map_or(Ok(()), |fits| Err(Unmade::Wider(fits)))
    }
}

/// The schema that fits all frames of a message.
fn schema_of_message(data: &[u8]) -> Result<Schema> {
    schema_of(data.len() as u64, &mut |range, to| {
        to.clear();
        to.extend_from_slice(
            data.get(range.start as usize..range.end as usize).unwrap_or_default(),
        );
        Ok(())
    })
}

impl Unmade {
    fn into_error<R: Rows>(self, program: &Program, rows: &R) -> Error {
        match self {
            Unmade::Error(error) => error,
            Unmade::Run(error) => misfit(&error, program, rows),
            Unmade::Wider(_) | Unmade::OtherType => Error::encode(format!(
                "rows from {} on do not fit the columns that the first rows have: {OTHERS}; give the rows as a \
                 list, whose columns fit all rows, or the `schema` of Arrow that the batches are to have",
                rows.before()
            )),
        }
    }
}
