//! From rows to a message: how frames begin and end, and how a schema widens when a row does not
//! fit.

#[cfg(test)]
mod tests;
mod unsafe_rows;

pub use unsafe_rows::write_unsafe_rows;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use crate::bytes::out::{GrowableBuffer, Out};
use crate::compiled::{run, run_and_count};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::explain::{Origin, explain, explain_at};
use crate::interpreter::RunError;
use crate::layout::batch::Batch;
use crate::layout::{Rows, Source, TOO_MANY_ELEMENTS};
use crate::limits::{CHECK_ROWS, FRAME_SIZE_TARGET, MAX_DEPTH, MAX_FRAME_ROWS, SAMPLE_ROWS};
use crate::memory;
use crate::path::Path;
use crate::plan::Plan;
use crate::program::Program;
use crate::schema::{Schema, Shape, Type, Untyped};
use crate::wire::frame::{self, Scratch};
use crate::wire::message::{MessageWriter, Wire};
use crate::wire::row::{RowWriter, ZeroSizedCounts};

/// After so many widenings in a message rows are looked at ahead.
const FEW_WIDENINGS: u32 = 8;

/// How many rows, the first of which does not fit, are looked at for the schema to widen to, at the
/// message's `widening`-th time and with `left` rows to come.
///
/// Every widening costs a frame. Where rows go on differing they are looked at ahead, twice as many
/// each time, so that there are few widenings whatever the rows are.
pub fn looked_at(widening: u32, left: usize) -> usize {
    match widening {
        ..=FEW_WIDENINGS => 1,
        more => (SAMPLE_ROWS << (more - FEW_WIDENINGS).min(32)).min(left),
    }
}

/// The schema of all of `rows`.
///
/// # Errors
/// An encode error for the first row that has no type here.
pub fn infer<R: Rows>(rows: &R) -> Result<Schema> {
    let mut shape = Shape::default();
    for row in 0..rows.len() {
        if row % CHECK_ROWS == CHECK_ROWS - 1 && rows.is_interrupted() {
            return Err(Error::host());
        }
        rows.infer(row, &mut shape).map_err(|untyped| no_type(row, &untyped, None, rows))?;
    }
    Schema::new(shape.into_type())
}

/// Write a message of `rows` into `room`, with the schema that they turn out to have, and give its
/// length.
///
/// # Errors
/// An encode error for the first row that has no type here.
pub fn dumps<R: Rows>(rows: &R, wire: Wire, room: &mut dyn GrowableBuffer) -> Result<usize> {
    dumps_like(&mut None, rows, wire, room)
}

/// The type of a sample of `rows`, and its plan.
fn sampled<R: Rows>(rows: &R) -> Result<(Shape, Arc<Program>)> {
    let mut shape = Shape::default();
    // Half of the sample is the first rows, half is spread over all. A row that can't be
    // inferred is left for the encoder, which comes to it after those before it.
    let spread = (rows.len() / (SAMPLE_ROWS / 2)).max(1);
    let first = 0..rows.len().min(SAMPLE_ROWS / 2);
    for row in first.chain((SAMPLE_ROWS / 2..rows.len()).step_by(spread)) {
        let _ = rows.infer(row, &mut shape);
    }
    let plan = Program::shared(&Schema::new(shape.clone().into_type())?);
    Ok((shape, plan))
}

/// As [`dumps`], for one message of many whose rows are mostly alike. `known` is the plan of the message
/// before, and becomes that of this one. If its first row fits that, no rows are looked at to find their type,
/// which for a few rows takes longer than to write them.
///
/// # Errors
/// As [`dumps`]; what was known still is then.
pub fn dumps_like<R: Rows>(
    known: &mut Option<Arc<Program>>,
    rows: &R,
    wire: Wire,
    room: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let mut encoder = Encoder::with_staging(wire, room, Staging::take())?;
    let (mut shape, mut plan) = match known {
        Some(plan) => (Shape::default(), plan.clone()),
        None => sampled(rows)?,
    };
    let mut is_sampled = known.is_none();
    let mut source = rows.source();
    let mut from = 0;
    let mut widened = 0u32;
    while let Err(error) = encoder.encode(&plan, &mut source, from..rows.len()) {
        if error.fault != Fault::TypeMismatch {
            return Err(misfit(&error, &plan, rows));
        }
        if error.row == 0 && !is_sampled {
            // These are other rows: joined with what was known, their type would only be wider.
            (shape, plan) = sampled(rows)?;
            is_sampled = true;
            continue;
        }
        let mut joined = Shape::of(plan.root());
        joined.join(shape.clone());
        rows.infer(error.row, &mut joined)
            .map_err(|untyped| no_type(error.row, &untyped, Some(&plan), rows))?;
        widened += 1;
        for row in error.row + 1..error.row + looked_at(widened, rows.len() - error.row) {
            let _ = rows.infer(row, &mut joined);
        }
        let schema = Schema::new(joined.clone().into_type())?;
        if schema == *plan.schema() {
            // The row was judged to fit and yet does not; going on would never end.
            return Err(misfit(&error, &plan, rows));
        }
        shape = joined;
        plan = Program::shared(&schema);
        from = error.row;
    }
    let len = encoder.finish(&plan).map(kept)?;
    *known = Some(plan);
    Ok(len)
}

/// Write a message of `rows`, all of the schema of `plan`, into `room`, and give its length.
///
/// # Errors
/// An encode error for the first value that does not fit.
pub fn encode<R: Rows>(
    plan: &Arc<Program>,
    rows: &R,
    wire: Wire,
    room: &mut dyn GrowableBuffer,
) -> Result<usize> {
    let mut encoder = Encoder::with_staging(wire, room, Staging::take())?;
    encoder
        .encode(plan, &mut rows.source(), 0..rows.len())
        .map_err(|error| misfit(&error, plan, rows))?;
    encoder.finish(plan).map(kept)
}

fn no_type<R: Rows>(row: usize, untyped: &Untyped, plan: Option<&Plan>, rows: &R) -> Error {
    let path = match untyped {
        Untyped::Value(path) => path,
        Untyped::Depth => {
            return Error::limit(format!(
                "row {row}: lists, dicts and the like nest more than {MAX_DEPTH} deep; does one hold itself?"
            ))
            .at_row(row);
        }
        Untyped::Interrupted => return Error::host(),
        Untyped::NoMemory => return Error::no_memory(),
        Untyped::Size => {
            return explain_at(
                (row, Path::default(), None),
                TOO_MANY_ELEMENTS,
                Origin::Encoded,
                |_| None,
            );
        }
    };
    // That nothing was seen at the place before says nothing to anybody.
    let expected = plan.and_then(|plan| plan.root().at(path)).filter(|ty| **ty != Type::Never);
    explain_at((row, path.clone(), expected), Fault::TypeMismatch, Origin::Encoded, |path| {
        Some(format!("cannot encode {}", rows.describe(row, path, None)))
    })
}

fn misfit<R: Rows>(error: &RunError, plan: &Plan, rows: &R) -> Error {
    explain(error, plan, Origin::Encoded, |place| {
        let value = rows.describe(error.row, &place.path, Some(&place.expected));
        Some(format!("cannot encode {value}"))
    })
}

/// What an encoder stages rows in, to be kept from one message to the next: memory that was used
/// before is several times as fast as fresh memory. What is kept makes no difference to the bytes.
#[derive(Debug, Default)]
pub struct Staging {
    batch: Batch,
    scratch: Scratch,
}

/// A piece of staging memory that nobody uses at the moment.
static SPARE: Mutex<Option<Staging>> = Mutex::new(None);

/// More memory than this is given back to the system.
const SPARE_BYTES: usize = 64 << 20;

impl Staging {
    /// About how many bytes of memory it holds.
    pub fn capacity(&self) -> usize {
        self.batch.capacity() + self.scratch.capacity()
    }

    /// The spare piece, or a new one. Nobody waits for it, so a fork can't hang on it.
    fn take() -> Staging {
        SPARE.try_lock().ok().and_then(|mut spare| spare.take()).unwrap_or_default()
    }

    /// Be the spare piece.
    fn keep(self) {
        if self.capacity() <= SPARE_BYTES
            && let Ok(mut spare) = SPARE.try_lock()
        {
            *spare = Some(self);
        }
    }
}

/// The length of a message whose staging memory is kept for the next.
fn kept((len, staging): (usize, Staging)) -> usize {
    staging.keep();
    len
}

/// Writes rows into the frames of one message.
pub struct Encoder<'a> {
    out: Out<'a>,
    message: MessageWriter,
    wire: Wire,
    /// The plan of the open frame.
    plan: Option<Arc<Program>>,
    /// The rows of the open frame: its first, and how many there are.
    first: usize,
    rows: usize,
    /// Where the body of the open frame begins, and what it holds that takes no bytes, in the row
    /// wire.
    body: usize,
    free: ZeroSizedCounts,
    staging: Staging,
    frames: usize,
}

impl<'a> Encoder<'a> {
    /// Begin a message and stage its rows in memory that [`Encoder::finish`] gave back.
    pub fn with_staging(
        wire: Wire,
        room: &'a mut dyn GrowableBuffer,
        staging: Staging,
    ) -> Result<Encoder<'a>> {
        let mut out = Out::new(room);
        let message = MessageWriter::begin(&mut out).map_err(lift)?;
        Ok(Encoder {
            out,
            message,
            wire,
            plan: None,
            first: 0,
            rows: 0,
            body: usize::MAX,
            free: ZeroSizedCounts::default(),
            staging,
            frames: 0,
        })
    }

    /// Append `rows` of `source`. A frame is ended where it is large enough, and where the plan
    /// is another than before.
    ///
    /// # Errors
    /// Where and why it stopped. All rows before that one are in the message then.
    pub fn encode<S: Source>(
        &mut self,
        plan: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
    ) -> std::result::Result<(), Box<RunError>> {
        let mut row = rows.start;
        while row < rows.end {
            self.open(plan, row, rows.end - row).map_err(|fault| RunError::at_row(row, fault))?;
            let to = rows.end.min(row + MAX_FRAME_ROWS - self.rows);
            let run = match self.wire {
                Wire::Frame => run_and_count(plan, source, &mut self.staging.batch, row..to),
                Wire::Row => {
                    let mut writer = RowWriter::new(&mut self.out, self.body, self.free);
                    let run = run_and_count(plan, source, &mut writer, row..to);
                    if run.is_err() {
                        writer.roll_back();
                    }
                    self.free = writer.free();
                    run
                }
            };
            let (done, is_full) = match run {
                Ok(ControlFlow::Continue(())) => (to, false),
                Ok(ControlFlow::Break(done)) => (done, true),
                Err(error) => {
                    self.rows += error.row - row;
                    return Err(self.restage(plan, source, error));
                }
            };
            self.rows += done - row;
            if is_full || self.rows == MAX_FRAME_ROWS {
                self.close().map_err(|fault| RunError::at_row(done - 1, fault))?;
            }
            row = done;
        }
        Ok(())
    }

    /// Of the row at which a run stopped some values may be staged. The rows before it are known
    /// to fit, so they are staged again; that happens once for a change of schema. They must all be
    /// in `source`: a source whose values may not fit is given whole, in one call.
    fn restage<S: Source>(
        &mut self,
        plan: &Program,
        source: &mut S,
        error: Box<RunError>,
    ) -> Box<RunError> {
        if error.fault == Fault::TypeMismatch && self.wire == Wire::Frame {
            self.staging.batch.clear();
            if let Err(again) = run(plan, source, &mut self.staging.batch, self.first..error.row) {
                return again;
            }
        }
        error
    }

    /// Have a frame open for `plan`, whose first row is `row` if it is new, and which is to have
    /// `rows` rows or more.
    fn open(
        &mut self,
        plan: &Arc<Program>,
        row: usize,
        rows: usize,
    ) -> std::result::Result<(), Fault> {
        if let Some(open) = &self.plan {
            if Arc::ptr_eq(open, plan) && self.rows > 0 {
                return Ok(());
            }
            self.close()?;
        }
        memory::check(0)?;
        let is_new = !self.plan.as_ref().is_some_and(|open| Arc::ptr_eq(open, plan));
        self.plan = Some(plan.clone());
        (self.first, self.rows) = (row, 0);
        match self.wire {
            Wire::Frame => {
                if is_new {
                    self.staging.batch.reset(plan);
                    self.staging.batch.limit(FRAME_SIZE_TARGET);
                }
                self.staging.batch.expect(rows);
            }
            Wire::Row => {
                self.message.begin_frame(plan.schema(), self.wire, &mut self.out)?;
                self.frames += 1;
                (self.body, self.free) = (self.out.len(), ZeroSizedCounts::default());
            }
        }
        Ok(())
    }

    /// End the open frame, if there is one with rows.
    fn close(&mut self) -> std::result::Result<(), Fault> {
        let Some(plan) = &self.plan else { return Ok(()) };
        match self.wire {
            Wire::Frame if self.rows == 0 => return Ok(()),
            Wire::Frame => {
                self.message.begin_frame(plan.schema(), self.wire, &mut self.out)?;
                self.frames += 1;
                frame::pack(plan, &self.staging.batch, &mut self.staging.scratch, &mut self.out)?;
                self.staging.batch.clear();
            }
            Wire::Row if self.body == usize::MAX => return Ok(()),
            Wire::Row if self.rows == 0 => {
                // Its first row did not fit, and the schema that it does fit has a frame of its own.
                self.message.abandon_frame(plan.schema(), &mut self.out);
                self.frames -= 1;
                self.body = usize::MAX;
                return Ok(());
            }
            Wire::Row => {}
        }
        self.message.end_frame(self.rows, &mut self.out);
        self.rows = 0;
        self.body = usize::MAX;
        Ok(())
    }

    /// End the message and give its length, and the memory for another. A message without rows has
    /// one empty frame of the schema of `plan`.
    ///
    /// # Errors
    /// A limit error if the last frame is too large or there is no memory.
    pub fn finish(mut self, plan: &Arc<Program>) -> Result<(usize, Staging)> {
        self.close().map_err(lift)?;
        if self.frames == 0 {
            self.message.begin_frame(plan.schema(), self.wire, &mut self.out).map_err(lift)?;
            if self.wire == Wire::Frame {
                let batch = Batch::new(plan);
                frame::pack(plan, &batch, &mut self.staging.scratch, &mut self.out)
                    .map_err(lift)?;
            }
            self.message.end_frame(0, &mut self.out);
        }
        self.message.finish(&mut self.out).map_err(lift)?;
        Ok((self.out.len(), self.staging))
    }
}

fn lift(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Encode, "the message")
}
