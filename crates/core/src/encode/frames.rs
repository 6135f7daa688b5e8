//! Frames of a message: where they begin and end, and the memory in which their rows are staged.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::estimate::Estimate;
use super::uses;
use crate::bytes::out::Out;
use crate::compiled::RowSource;
use crate::error::Fault;
use crate::host_lock::{HostLock, YIELD_INTERVAL};
use crate::interpreter::RunError;
use crate::layout::batch::{Batch, Mark};
use crate::limits::{FRAME_SIZE_TARGET, MAX_FRAME_ROWS};
use crate::memory;
use crate::program::Program;
use crate::schema::Schema;
use crate::wire::frame::{self, Scratch, TextForm};
use crate::wire::message::{Format, MessageWriter, Position, Wire};
use crate::wire::row::{RowWriter, ZeroSizedCounts};

/// Memory for staging rows, kept from one message to the next, because reused memory is several
/// times faster than new memory. It does not affect the bytes.
#[derive(Debug, Default)]
pub struct Staging(Option<Box<StagingMemory>>);

/// What is allocated for the first row of the frame wire.
#[derive(Debug, Default)]
struct StagingMemory {
    batch: Batch,
    /// The end of the rows before those that are being staged.
    mark: Mark,
    scratch: Scratch,
    /// The bytes of a frame that is made apart from its message.
    bytes: Vec<u8>,
}

/// Staging memories that are not in use, with the bytes that each holds.
static SPARES: Mutex<Vec<(usize, Box<StagingMemory>)>> = Mutex::new(Vec::new());

/// Staging memory beyond this size in all is freed.
const SPARE_BYTES: usize = 128 << 20;

impl Staging {
    /// Returns the approximate number of bytes that it holds.
    pub fn capacity(&self) -> usize {
        self.0.as_ref().map_or(0, |memory| {
            memory.batch.capacity() + memory.scratch.capacity() + memory.bytes.capacity()
        })
    }

    fn memory(&mut self) -> &mut StagingMemory {
        self.0.get_or_insert_default()
    }

    /// Takes spare memory, or makes a new one. Records need none. It does not wait for the lock, so a
    /// forked child can't hang on it.
    pub fn take(wire: Wire) -> Staging {
        let spare = match (wire, SPARES.try_lock()) {
            (Wire::Frame, Ok(mut spares)) => spares.pop(),
            _ => None,
        };
        Staging(spare.map(|(_, memory)| memory))
    }

    /// Takes the memory for the bytes of a frame.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.0.as_mut().map_or_else(Vec::new, |memory| std::mem::take(&mut memory.bytes))
    }

    /// Makes this spare memory, with the memory for the bytes of a frame.
    pub fn keep_with(mut self, mut bytes: Vec<u8>) {
        bytes.clear();
        self.memory().bytes = bytes;
        self.keep();
    }

    /// Makes this spare memory.
    pub fn keep(self) {
        let bytes = self.capacity();
        if let Some(memory) = self.0
            && let Ok(mut spares) = SPARES.try_lock()
            && spares.iter().map(|(bytes, _)| bytes).sum::<usize>() + bytes <= SPARE_BYTES
            && spares.try_reserve(1).is_ok()
        {
            spares.push((bytes, memory));
        }
    }
}

/// The body of a frame whose rows are records: its offset in the message, and the zero-sized values
/// until now.
#[derive(Debug)]
struct RecordBody {
    start: usize,
    zero_sized: ZeroSizedCounts,
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
    /// The most rows of the open frame.
    max_rows: usize,
    /// The body of the open frame, if its rows are records.
    records: Option<RecordBody>,
    staging: Staging,
    /// The number of frames.
    count: usize,
    estimate: Estimate,
    host_lock: HostLock,
    /// Whether others have run since [`Frames::rows_may_have_changed`] was asked.
    rows_may_have_changed: bool,
    /// Since when others may have waited, if rows have been read since they ran last.
    held_since: Option<Instant>,
}

impl Frames {
    /// Begins a message. Stages its rows in this memory.
    pub fn begin(format: Format, staging: Staging, out: &mut Out<'_>) -> Result<Frames, Fault> {
        let estimate = Estimate::begin(out);
        Ok(Frames { estimate, ..Frames::new(MessageWriter::begin(format, out)?, staging) })
    }

    /// Begins a stream after its header, which is what `out` has.
    pub fn begin_stream(
        format: Format,
        first: Position,
        staging: Staging,
        out: &mut Out<'_>,
    ) -> Frames {
        let message = MessageWriter::begin_stream(format, out.len(), first);
        Frames { estimate: Estimate::begin(out), ..Frames::new(message, staging) }
    }

    /// The frames of a stream so far.
    pub fn sealed(&self) -> u64 {
        self.message.frames()
    }

    /// The position of the next frame's first row, in a stream.
    pub fn position(&self) -> Option<Position> {
        self.message.position()
    }

    /// Begins to make frames for [`Frames::join`] of a message. The first begins with row `first` and has
    /// `max_rows` rows at most. `known` is a schema that will be in the message before them.
    pub fn begin_apart(
        format: Format,
        known: Option<&Schema>,
        (first, max_rows): (usize, usize),
        staging: Staging,
    ) -> Frames {
        let message = MessageWriter::begin_apart(format, known.cloned());
        Frames { first, max_rows, ..Frames::new(message, staging) }
    }

    fn new(message: MessageWriter, staging: Staging) -> Frames {
        Frames {
            wire: message.format().wire,
            message,
            program: None,
            first: 0,
            rows: 0,
            max_rows: MAX_FRAME_ROWS,
            records: None,
            staging,
            count: 0,
            estimate: Estimate::default(),
            host_lock: HostLock::NONE,
            rows_may_have_changed: false,
            held_since: None,
        }
    }

    /// Returns whether the schema is in the message.
    pub fn knows(&self, schema: &Schema) -> bool {
        self.message.knows(schema)
    }

    /// How frames are written.
    pub fn format(&self) -> Format {
        self.message.format()
    }

    /// Says how other threads of a language may run while frames are packed, compressed and checked. A
    /// source of rows is not used meanwhile.
    pub fn set_host_lock(&mut self, host_lock: HostLock) {
        self.host_lock = host_lock;
    }

    /// Returns how other threads may run.
    pub fn host_lock(&self) -> HostLock {
        self.host_lock
    }

    /// Returns whether other threads may have run since this was asked last, and may have changed rows.
    pub fn rows_may_have_changed(&mut self) -> bool {
        std::mem::take(&mut self.rows_may_have_changed)
    }

    /// Notes that other threads have run.
    pub fn note_that_others_ran(&mut self) {
        self.rows_may_have_changed = true;
    }

    /// Lets other threads run now, if they may and have waited for long. A long message may have frames so
    /// short that none of them takes long by itself.
    pub fn let_others_run(&mut self) {
        if self.host_lock.can_be_released()
            && self.held_since.get_or_insert_with(Instant::now).elapsed() >= YIELD_INTERVAL
        {
            self.rows_may_have_changed = true;
            self.held_since = None;
            self.host_lock.release(|| ());
        }
    }

    /// Calls `work`, which works on `bytes` bytes, and lets other threads run meanwhile.
    fn apart<T>(&mut self, bytes: usize, work: impl FnOnce(&mut Frames) -> T) -> T {
        // Work in parts gives up the lock once.
        let host_lock = std::mem::take(&mut self.host_lock);
        self.rows_may_have_changed |= host_lock.is_released_for(bytes);
        let result = host_lock.release_for(bytes, || work(self));
        self.host_lock = host_lock;
        result
    }

    /// Completes what ends before a row of `program`: the open frame if it is of another program, and the
    /// checksum of the frame before a new one. Such a row must follow.
    ///
    /// # Errors
    /// See [`Frames::close`].
    pub fn make_ready(&mut self, program: &Arc<Program>, out: &mut Out<'_>) -> Result<(), Fault> {
        if self.is_open_for(program) {
            return Ok(());
        }
        let bytes = self.bytes_to_close(out).max(self.message.unsealed(out));
        self.apart(bytes, |frames| {
            frames.close(out)?;
            frames.message.seal_frame(out)
        })
    }

    /// The most rows of the next frame.
    pub fn max_rows(&self) -> usize {
        self.max_rows
    }

    /// Sets the most rows of the next frame.
    pub fn set_max_rows(&mut self, max_rows: usize) {
        self.max_rows = max_rows;
    }

    /// Appends a complete frame, which was made apart, with the rows `rows` of the source. Rows up to
    /// `end` will follow. The frame is left out if there are no rows.
    ///
    /// # Errors
    /// A limit fault if the open frame is too large or memory runs out.
    pub fn join(
        &mut self,
        program: &Arc<Program>,
        frame: &[u8],
        rows: std::ops::Range<usize>,
        end: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Fault> {
        self.close(out)?;
        self.first = rows.start;
        if rows.is_empty() {
            return Ok(());
        }
        self.message.join_frame(program.schema(), frame, out)?;
        self.first = rows.end;
        self.estimate.add(rows.len());
        self.estimate.tell(end - rows.end, out);
        self.count += 1;
        Ok(())
    }

    /// Returns the staging memory.
    pub fn into_staging(self) -> Staging {
        self.staging
    }

    /// The number of rows of the open frame.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of bytes of the rows in the columns of the open frame; 0 if they are records.
    pub fn staged_bytes(&self) -> usize {
        match &self.staging.0 {
            Some(memory) if self.wire == Wire::Frame && self.rows > 0 => memory.batch.size(),
            _ => 0,
        }
    }

    /// Returns whether rows of this program would be added to a frame that is open.
    pub fn is_open_for(&self, program: &Arc<Program>) -> bool {
        self.rows > 0 && self.program.as_ref().is_some_and(|open| Arc::ptr_eq(open, program))
    }

    /// Returns whether all rows until now, which have the schema of `program`, use all that its type allows.
    /// False if they are no longer in the open frame.
    pub fn rows_use_all(&mut self, program: &Arc<Program>, out: &Out<'_>) -> bool {
        let begun = usize::from(self.records.is_some());
        if self.count != begun || !self.is_open_for(program) {
            return false;
        }
        match &self.records {
            None => uses::are_all_in_columns(program, &self.staging.memory().batch),
            Some(body) => {
                uses::are_all_in_records(program, &out.written()[body.start..], self.rows)
            }
        }
    }

    /// Appends rows of `source` until the frame is full, and closes it then. Returns the row after the
    /// last.
    ///
    /// # Errors
    /// The row and the reason. All rows before that row are in the message, if the source is
    /// [indexed](RowSource::IS_INDEXED).
    pub fn append<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
        out: &mut Out<'_>,
    ) -> Result<usize, Box<RunError>> {
        let expected = rows.len();
        let (done, is_full) = self.stage(program, source, rows, expected, out)?;
        if is_full {
            self.close(out).map_err(|fault| RunError::at_row(done - 1, fault))?;
        }
        Ok(done)
    }

    /// Appends rows of `source` until the frame is full. Returns the row after the last, and whether
    /// the frame is full. Another source may have the rows of earlier calls. `expected` rows, with
    /// these, will follow.
    ///
    /// # Errors
    /// See [`Frames::append`].
    pub fn stage<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
        expected: usize,
        out: &mut Out<'_>,
    ) -> Result<(usize, bool), Box<RunError>> {
        let (mut row, end) = (rows.start, rows.end);
        // Earlier calls may have added rows to this frame from another source, which counts from 0 too.
        self.first = row.wrapping_sub(self.rows);
        self.open(program, row, expected, out).map_err(|fault| RunError::at_row(row, fault))?;
        loop {
            let mut to = end.min(row + self.max_rows - self.rows);
            if self.wire == Wire::Row {
                to = to.min(row + self.estimate.next());
            }
            // The rows of an open frame of columns are staged.
            if self.wire == Wire::Row || self.rows == 0 {
                self.estimate.tell(expected.saturating_sub(row - rows.start), out);
            }
            let (done, is_full) = self.run(program, source, row..to, out)?;
            if is_full || done == end {
                return Ok((done, is_full));
            }
            row = done;
        }
    }

    /// Appends rows until the frame is full, as [`Frames::stage`] does.
    fn run<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: std::ops::Range<usize>,
        out: &mut Out<'_>,
    ) -> Result<(usize, bool), Box<RunError>> {
        let (row, to) = (rows.start, rows.end);
        let run = match &mut self.records {
            None => {
                let StagingMemory { batch, mark, .. } = self.staging.memory();
                batch.set(mark);
                source.run(program, batch, row..to)
            }
            Some(body) => {
                let mut writer = RowWriter::new(out, body.start, body.zero_sized);
                let run = source.run(program, &mut writer, row..to);
                if run.is_err() {
                    writer.roll_back();
                }
                body.zero_sized = writer.zero_sized();
                run
            }
        };
        let (done, is_full) = match run {
            Ok(ControlFlow::Continue(())) => (to, false),
            Ok(ControlFlow::Break(done)) => (done, true),
            Err(error) => {
                let (kept, error) = match self.records {
                    None => self.restage(program, source, row, error),
                    Some(_) => (error.row - row, error),
                };
                self.rows += kept;
                self.estimate.add(kept);
                return Err(error);
            }
        };
        self.rows += done - row;
        self.estimate.add(done - row);
        let is_full = is_full || self.rows == self.max_rows;
        if is_full {
            let size = match &self.records {
                None => self.staging.memory().batch.size(),
                Some(body) => out.len() - body.start + body.zero_sized.cost(),
            };
            self.max_rows = max_rows_after(self.max_rows, self.rows, size);
        }
        Ok((done, is_full))
    }

    /// When a run from row `from` on stops, some values of its last row may be staged. The rows before it
    /// fit, so this stages them again. That happens once for each change of schema. Returns their number.
    ///
    /// If the host or lack of memory stopped the run, they would stop it again. Then the rows of the run
    /// are dropped, and so are rows that the source can't read again; see [`Frames::next_row`].
    fn restage<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        from: usize,
        error: Box<RunError>,
    ) -> (usize, Box<RunError>) {
        let StagingMemory { batch, mark, .. } = self.staging.memory();
        batch.roll_back(mark);
        if !S::IS_INDEXED || matches!(error.fault, Fault::Host | Fault::NoMemory) {
            return (0, error);
        }
        match source.run(program, batch, from..error.row) {
            Ok(_) => (error.row - from, error),
            Err(again) => {
                batch.roll_back(mark);
                (0, again)
            }
        }
    }

    /// Returns the first row that the last call of `append` did not put into the message, whether the
    /// call failed or not.
    pub fn next_row(&self) -> usize {
        self.first.wrapping_add(self.rows)
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
        (self.first, self.rows) = (row, 0);
        memory::check(0)?;
        let is_new = !self.program.as_ref().is_some_and(|open| Arc::ptr_eq(open, program));
        self.program = Some(program.clone());
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
                let zero_sized = ZeroSizedCounts::default();
                self.records = Some(RecordBody { start: out.len(), zero_sized });
            }
        }
        Ok(())
    }

    /// Ends the open frame if it has rows.
    ///
    /// # Errors
    /// A limit fault if the frame is too large or memory runs out.
    pub fn close(&mut self, out: &mut Out<'_>) -> Result<(), Fault> {
        let bytes = self.bytes_to_close(out);
        self.apart(bytes, |frames| frames.close_here(out))
    }

    /// The number of bytes to work on when the open frame ends.
    fn bytes_to_close(&self, out: &Out<'_>) -> usize {
        match &self.records {
            None => self.staged_bytes(),
            Some(_) if !self.format().compression.is_of_bodies() => 0,
            Some(body) => out.len() - body.start,
        }
    }

    fn close_here(&mut self, out: &mut Out<'_>) -> Result<(), Fault> {
        let Some(program) = &self.program else { return Ok(()) };
        let mut values = 0;
        match self.wire {
            Wire::Frame if self.rows == 0 => return Ok(()),
            Wire::Frame => {
                self.message.begin_frame(program.schema(), out)?;
                self.count += 1;
                let text = self.format().compression.text_form();
                let StagingMemory { batch, scratch, .. } = self.staging.memory();
                if let Err(fault) = frame::pack(program, batch, text, scratch, out) {
                    self.message.abandon_frame(program.schema(), out);
                    self.count -= 1;
                    return Err(fault);
                }
                values = batch.values();
                batch.clear();
            }
            Wire::Row if self.records.is_none() => return Ok(()),
            Wire::Row if self.rows == 0 => {
                // The frame's first row did not fit. The frame of the wider schema replaces this
                // one.
                self.message.abandon_frame(program.schema(), out);
                self.count -= 1;
                self.records = None;
                return Ok(());
            }
            Wire::Row => {}
        }
        self.message.end_frame(self.rows, values, out)?;
        (self.first, self.rows) = (self.next_row(), 0);
        self.records = None;
        Ok(())
    }

    /// Completes the frame that was closed, so that its bytes may leave the buffer. Other frames must
    /// follow.
    pub fn seal(&mut self, out: &mut Out<'_>) -> Result<(), Fault> {
        let bytes = self.message.unsealed(out);
        self.apart(bytes, |frames| frames.message.seal_frame(out))
    }

    /// Ends a stream, of frames that are complete, with their index. Returns the memory for another message.
    pub fn finish_with_index(mut self, out: &mut Out<'_>) -> Result<Staging, Fault> {
        self.message.finish_with_index(out)?;
        Ok(self.staging)
    }

    /// Ends the message. Returns the memory for another message. A message without rows has one empty
    /// frame of the schema of `program`.
    ///
    /// # Errors
    /// A limit fault if the last frame is too large or memory runs out.
    pub fn finish(mut self, program: &Arc<Program>, out: &mut Out<'_>) -> Result<Staging, Fault> {
        let bytes = self.bytes_to_close(out).max(self.message.unsealed(out));
        self.apart(bytes, |frames| frames.finish_here(program, out))?;
        Ok(self.staging)
    }

    fn finish_here(&mut self, program: &Arc<Program>, out: &mut Out<'_>) -> Result<(), Fault> {
        self.close(out)?;
        if self.count == 0 {
            self.append_empty(program, out)?;
        }
        self.message.finish(out)
    }

    /// Appends a frame without rows, which has the schema of `program`.
    ///
    /// # Errors
    /// A fault if memory runs out.
    pub fn append_empty(&mut self, program: &Arc<Program>, out: &mut Out<'_>) -> Result<(), Fault> {
        self.message.begin_frame(program.schema(), out)?;
        self.count += 1;
        if self.wire == Wire::Frame {
            let batch = Batch::new(program);
            let text = TextForm::Fast;
            frame::pack(program, &batch, text, &mut self.staging.memory().scratch, out)?;
        }
        self.message.end_frame(0, 0, out)
    }
}

/// Returns the most rows of the frame after a full one of `rows` rows and `size` bytes, which had
/// `most` rows at most. It is such that rows of the same length make a frame of about
/// [`FRAME_SIZE_TARGET`] bytes at most. It is a power of two, and changes rarely: then threads can tell
/// where the next frames begin.
fn max_rows_after(most: usize, rows: usize, size: usize) -> usize {
    // A frame ends with the row that reaches the target, so it is a little larger.
    let target = FRAME_SIZE_TARGET + FRAME_SIZE_TARGET / 8;
    let fitting = (rows.saturating_mul(target) / size.max(1)).clamp(1, MAX_FRAME_ROWS);
    match fitting < most || fitting / 3 >= most {
        true if fitting == MAX_FRAME_ROWS => fitting,
        true => 1 << fitting.ilog2(),
        false => most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "frames have few rows")]
    fn frames_of_long_rows_have_fewer_rows() {
        let target = FRAME_SIZE_TARGET;
        let after = |most, rows: usize, bytes: usize| max_rows_after(most, rows, rows * bytes);
        let most = MAX_FRAME_ROWS;
        assert_eq!(after(most, most, 8), most);
        // The size ended the frame.
        assert_eq!(after(most, 700, target / 700), 512);
        assert_eq!(after(512, 512, target / 700), 512);
        assert_eq!(after(512, 512, target / 1300), 512);
        assert_eq!(after(512, 512, target / 1900), 2048);
        assert_eq!(after(512, 300, target / 300), 256);
        assert_eq!(after(most, 16, target / 16 + 8), 16);
        // One very long row, and then short ones.
        assert_eq!(after(most, 1, 3 * target), 1);
        assert_eq!(after(1, 1, 100), most);
    }
}
