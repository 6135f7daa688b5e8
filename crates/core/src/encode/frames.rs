//! Frames of a message: where they begin and end, and the memory in which their rows are staged.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::estimate::Estimate;
use crate::bytes::out::Out;
use crate::compiled::{run, run_and_count};
use crate::error::Fault;
use crate::interpreter::RunError;
use crate::layout::Source;
use crate::layout::batch::Batch;
use crate::limits::{FRAME_SIZE_TARGET, MAX_FRAME_ROWS};
use crate::memory;
use crate::program::Program;
use crate::wire::frame::{self, Scratch};
use crate::wire::message::index::Index;
use crate::wire::message::{Format, MessageWriter, Wire};
use crate::wire::row::{RowWriter, ZeroSizedCounts};

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
    pub fn take(wire: Wire) -> Staging {
        match wire {
            Wire::Row => Staging::default(),
            Wire::Frame => Staging(SPARE.try_lock().ok().and_then(|mut spare| spare.take())),
        }
    }

    /// Makes this the spare memory.
    pub fn keep(self) {
        if self.0.is_some()
            && self.capacity() <= SPARE_BYTES
            && let Ok(mut spare) = SPARE.try_lock()
        {
            *spare = self.0;
        }
    }
}

/// The frames of one message. They are appended to a buffer of the caller, the same in every call or,
/// after frames that are complete, another.
#[derive(Debug)]
pub struct Frames {
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
    /// The number of frames.
    count: usize,
    estimate: Estimate,
}

impl Frames {
    /// Begins a message. Stages its rows in this memory.
    pub fn begin(format: Format, staging: Staging, out: &mut Out<'_>) -> Result<Frames, Fault> {
        let estimate = Estimate::begin(out);
        Ok(Frames {
            message: MessageWriter::begin(format, out)?,
            wire: format.wire,
            program: None,
            first: 0,
            rows: 0,
            body: usize::MAX,
            free: ZeroSizedCounts::default(),
            staging,
            count: 0,
            estimate,
        })
    }

    /// Appends rows of `source` until the frame is full. Returns the row after the last.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are in the message.
    pub fn append<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>> {
        let row = rows.start;
        self.open(program, row, rows.len(), out).map_err(|fault| RunError::at_row(row, fault))?;
        let mut to = rows.end.min(row + MAX_FRAME_ROWS - self.rows);
        if self.wire == Wire::Row {
            to = to.min(row + self.estimate.next());
        }
        // The rows of an open frame of columns are staged.
        if self.wire == Wire::Row || self.rows == 0 {
            self.estimate.tell(rows.len(), out);
        }
        let run = match self.wire {
            Wire::Frame => {
                run_and_count(program, source, &mut self.staging.memory().batch, row..to)
            }
            Wire::Row => {
                let mut writer = RowWriter::new(out, self.body, self.free);
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
                self.estimate.add(error.row - row);
                return Err(self.restage(program, source, error));
            }
        };
        self.rows += done - row;
        self.estimate.add(done - row);
        if is_full || self.rows == MAX_FRAME_ROWS {
            self.close(out).map_err(|fault| RunError::at_row(done - 1, fault))?;
        }
        Ok(done)
    }

    /// When a run stops, some values of its row may be staged. The rows before it fit, so this
    /// stages them again. That happens once for each change of schema. All rows of the frame must
    /// be in `source`: a source whose values may not fit must be passed as a whole, in one call.
    ///
    /// If the host or lack of memory stopped the run, they would stop it again. Then the frame's rows
    /// are dropped; see [`Frames::next_row`].
    fn restage<S: Source>(
        &mut self,
        program: &Program,
        source: &mut S,
        error: Box<RunError>,
    ) -> Box<RunError> {
        if self.wire == Wire::Row {
            return error;
        }
        let batch = &mut self.staging.memory().batch;
        batch.clear();
        let again = match error.fault {
            Fault::Host | Fault::NoMemory => Err(error.clone()),
            _ => run(program, source, batch, self.first..error.row),
        };
        match again {
            Ok(_) => error,
            Err(again) => {
                self.staging.memory().batch.clear();
                self.rows = 0;
                again
            }
        }
    }

    /// Returns the first row that the last call of `append` did not put into the message, whether the
    /// call failed or not.
    pub fn next_row(&self) -> usize {
        self.first + self.rows
    }

    /// Makes sure that a frame for `program` is open. If it is new, `row` is its first row, and it
    /// will have at least `rows` rows.
    fn open(
        &mut self,
        program: &Arc<Program>,
        row: usize,
        rows: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Fault> {
        if let Some(open) = &self.program {
            if Arc::ptr_eq(open, program) && self.rows > 0 {
                return Ok(());
            }
            self.close(out)?;
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
                self.message.begin_frame(program.schema(), out)?;
                self.count += 1;
                (self.body, self.free) = (out.len(), ZeroSizedCounts::default());
            }
        }
        Ok(())
    }

    /// Ends the open frame if it has rows.
    ///
    /// # Errors
    /// A limit fault if the frame is too large or memory runs out.
    pub fn close(&mut self, out: &mut Out<'_>) -> Result<(), Fault> {
        let Some(program) = &self.program else { return Ok(()) };
        match self.wire {
            Wire::Frame if self.rows == 0 => return Ok(()),
            Wire::Frame => {
                self.message.begin_frame(program.schema(), out)?;
                self.count += 1;
                let StagingMemory { batch, scratch } = self.staging.memory();
                if let Err(fault) = frame::pack(program, batch, scratch, out) {
                    self.message.abandon_frame(program.schema(), out);
                    self.count -= 1;
                    return Err(fault);
                }
                batch.clear();
            }
            Wire::Row if self.body == usize::MAX => return Ok(()),
            Wire::Row if self.rows == 0 => {
                // The frame's first row did not fit. The frame of the wider schema replaces this
                // one.
                self.message.abandon_frame(program.schema(), out);
                self.count -= 1;
                self.body = usize::MAX;
                return Ok(());
            }
            Wire::Row => {}
        }
        self.message.end_frame(self.rows, out)?;
        self.rows = 0;
        self.body = usize::MAX;
        Ok(())
    }

    /// Completes the frame that was closed, so that its bytes may leave the buffer. Other frames must
    /// follow.
    pub fn seal(&mut self, out: &mut Out<'_>) -> Result<(), Fault> {
        self.message.seal_frame(out)
    }

    /// Ends the message, of frames that are complete, with their index. Returns the memory for another
    /// message.
    pub fn finish_with(mut self, index: &Index, out: &mut Out<'_>) -> Result<Staging, Fault> {
        self.message.finish_with(index, out)?;
        Ok(self.staging)
    }

    /// Ends the message. Returns the memory for another message. A message without rows has one empty
    /// frame of the schema of `program`.
    ///
    /// # Errors
    /// A limit fault if the last frame is too large or memory runs out.
    pub fn finish(mut self, program: &Arc<Program>, out: &mut Out<'_>) -> Result<Staging, Fault> {
        self.close(out)?;
        if self.count == 0 {
            self.message.begin_frame(program.schema(), out)?;
            if self.wire == Wire::Frame {
                let batch = Batch::new(program);
                frame::pack(program, &batch, &mut self.staging.memory().scratch, out)?;
            }
            self.message.end_frame(0, out)?;
        }
        self.message.finish(out)?;
        Ok(self.staging)
    }
}
