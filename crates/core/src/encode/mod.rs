//! Encoding: from rows to a message. This module decides where frames begin and end; [`dumps`]
//! decides how a schema widens when a row does not fit.

mod dumps;
mod one;
mod small;
#[cfg(test)]
mod tests;
mod unsafe_rows;

pub use dumps::{dumps, dumps_like, infer};
pub use one::{encode_one, write_one};
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
use crate::limits::{FRAME_SIZE_TARGET, MAX_DEPTH, MAX_FRAME_ROWS};
use crate::memory;
use crate::path::Path;
use crate::plan::Plan;
use crate::program::Program;
use crate::schema::{Type, Untyped};
use crate::wire::frame::{self, Scratch};
use crate::wire::message::{MessageWriter, Wire};
use crate::wire::row::{RowWriter, ZeroSizedCounts};

/// Writes a message of `rows`, all of the schema of `program`, into `room`. Returns its length.
///
/// # Errors
/// An encode error for the first value that does not fit.
pub fn encode<R: Rows>(
    program: &Arc<Program>,
    rows: &R,
    wire: Wire,
    room: &mut dyn GrowableBuffer,
) -> Result<usize> {
    attempt(program, rows, wire, room).map_err(|error| misfit(&error, program, rows))?
}

/// Like [`encode()`], with the row and the reason if a value does not fit.
fn attempt<R: Rows>(
    program: &Arc<Program>,
    rows: &R,
    wire: Wire,
    room: &mut dyn GrowableBuffer,
) -> std::result::Result<Result<usize>, Box<RunError>> {
    let mut encoder = match Encoder::with_staging(wire, room, Staging::take(wire)) {
        Ok(encoder) => encoder,
        Err(error) => return Ok(Err(error)),
    };
    encoder.encode(program, &mut rows.source(), 0..rows.len())?;
    Ok(encoder.finish(program).map(kept))
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
    // If nothing was seen at this place before, "never" is no help in the message.
    let expected = plan.and_then(|plan| plan.root().at(path)).filter(|ty| **ty != Type::Never);
    explain_at((row, path.clone(), expected), Fault::TypeMismatch, Origin::Encoded, |path| {
        Some(format!("cannot encode {}", rows.describe(row, path, None)))
    })
}

fn misfit<R: Rows>(error: &RunError, plan: &Plan, rows: &R) -> Error {
    describe(error, plan, rows, Origin::Encoded)
}

fn describe<R: Rows>(error: &RunError, plan: &Plan, rows: &R, origin: Origin<'_>) -> Error {
    explain(error, plan, origin, |place| {
        let value = rows.describe(error.row, &place.path, Some(&place.expected));
        Some(format!("cannot encode {value}"))
    })
}

/// Memory for staging rows, kept from one message to the next, because reused memory is several
/// times faster than new memory. It does not affect the bytes.
#[derive(Debug, Default)]
pub struct Staging(Option<Box<StagingMemory>>);

/// What is allocated for the first row of the frame wire.
#[derive(Debug, Default)]
struct StagingMemory {
    batch: Batch,
    scratch: Scratch,
}

/// Staging memory that is not in use.
static SPARE: Mutex<Option<Box<StagingMemory>>> = Mutex::new(None);

/// Larger staging memory is freed.
const SPARE_BYTES: usize = 64 << 20;

impl Staging {
    /// Returns the approximate number of bytes that it holds.
    pub fn capacity(&self) -> usize {
        self.0.as_ref().map_or(0, |memory| memory.batch.capacity() + memory.scratch.capacity())
    }

    fn memory(&mut self) -> &mut StagingMemory {
        self.0.get_or_insert_default()
    }

    /// Takes the spare memory, or makes a new one. Records need none. It does not wait for the lock,
    /// so a forked child can't hang on it.
    fn take(wire: Wire) -> Staging {
        match wire {
            Wire::Row => Staging::default(),
            Wire::Frame => Staging(SPARE.try_lock().ok().and_then(|mut spare| spare.take())),
        }
    }

    /// Makes this the spare memory.
    fn keep(self) {
        if self.0.is_some()
            && self.capacity() <= SPARE_BYTES
            && let Ok(mut spare) = SPARE.try_lock()
        {
            *spare = self.0;
        }
    }
}

/// Keeps the staging memory of a finished message for the next one, and returns the message's
/// length.
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
    program: Option<Arc<Program>>,
    /// The index of the open frame's first row, and the number of its rows.
    first: usize,
    rows: usize,
    /// The offset of the open frame's body, and its counts of zero-sized values. For the row wire.
    body: usize,
    free: ZeroSizedCounts,
    staging: Staging,
    frames: usize,
}

impl<'a> Encoder<'a> {
    /// Begins a message. Stages its rows in memory that [`Encoder::finish`] returned.
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
            program: None,
            first: 0,
            rows: 0,
            body: usize::MAX,
            free: ZeroSizedCounts::default(),
            staging,
            frames: 0,
        })
    }

    /// Appends `rows` of `source`. Ends a frame when it is large enough, and when the plan changes.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are in the message.
    pub fn encode<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
    ) -> std::result::Result<(), Box<RunError>> {
        let mut row = rows.start;
        while row < rows.end {
            self.open(program, row, rows.end - row)
                .map_err(|fault| RunError::at_row(row, fault))?;
            let to = rows.end.min(row + MAX_FRAME_ROWS - self.rows);
            let run = match self.wire {
                Wire::Frame => {
                    run_and_count(program, source, &mut self.staging.memory().batch, row..to)
                }
                Wire::Row => {
                    let mut writer = RowWriter::new(&mut self.out, self.body, self.free);
                    let run = run_and_count(program, source, &mut writer, row..to);
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
                    return Err(self.restage(program, source, error));
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

    /// When a run stops, some values of its row may be staged. The rows before it fit, so this
    /// stages them again. That happens once for each change of schema. All rows of the frame must
    /// be in `source`: a source whose values may not fit must be passed as a whole, in one call.
    fn restage<S: Source>(
        &mut self,
        program: &Program,
        source: &mut S,
        error: Box<RunError>,
    ) -> Box<RunError> {
        if error.fault == Fault::TypeMismatch && self.wire == Wire::Frame {
            let batch = &mut self.staging.memory().batch;
            batch.clear();
            if let Err(again) = run(program, source, batch, self.first..error.row) {
                return again;
            }
        }
        error
    }

    /// Makes sure that a frame for `program` is open. If it is new, `row` is its first row, and it
    /// will have at least `rows` rows.
    fn open(
        &mut self,
        program: &Arc<Program>,
        row: usize,
        rows: usize,
    ) -> std::result::Result<(), Fault> {
        if let Some(open) = &self.program {
            if Arc::ptr_eq(open, program) && self.rows > 0 {
                return Ok(());
            }
            self.close()?;
        }
        memory::check(0)?;
        let is_new = !self.program.as_ref().is_some_and(|open| Arc::ptr_eq(open, program));
        self.program = Some(program.clone());
        (self.first, self.rows) = (row, 0);
        match self.wire {
            Wire::Frame => {
                let batch = &mut self.staging.memory().batch;
                if is_new {
                    batch.reset(program);
                    batch.limit(FRAME_SIZE_TARGET);
                }
                batch.expect(rows);
            }
            Wire::Row => {
                self.message.begin_frame(program.schema(), self.wire, &mut self.out)?;
                self.frames += 1;
                (self.body, self.free) = (self.out.len(), ZeroSizedCounts::default());
            }
        }
        Ok(())
    }

    /// Ends the open frame if it has rows.
    fn close(&mut self) -> std::result::Result<(), Fault> {
        let Some(program) = &self.program else { return Ok(()) };
        match self.wire {
            Wire::Frame if self.rows == 0 => return Ok(()),
            Wire::Frame => {
                self.message.begin_frame(program.schema(), self.wire, &mut self.out)?;
                self.frames += 1;
                let StagingMemory { batch, scratch } = self.staging.memory();
                frame::pack(program, batch, scratch, &mut self.out)?;
                batch.clear();
            }
            Wire::Row if self.body == usize::MAX => return Ok(()),
            Wire::Row if self.rows == 0 => {
                // The frame's first row did not fit. The frame of the wider schema replaces this
                // one.
                self.message.abandon_frame(program.schema(), &mut self.out);
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

    /// Ends the message. Returns its length, and the memory for another message. A message without
    /// rows has one empty frame of the schema of `program`.
    ///
    /// # Errors
    /// A limit error if the last frame is too large or memory runs out.
    pub fn finish(mut self, program: &Arc<Program>) -> Result<(usize, Staging)> {
        self.close().map_err(lift)?;
        if self.frames == 0 {
            self.message.begin_frame(program.schema(), self.wire, &mut self.out).map_err(lift)?;
            if self.wire == Wire::Frame {
                let batch = Batch::new(program);
                frame::pack(program, &batch, &mut self.staging.memory().scratch, &mut self.out)
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
