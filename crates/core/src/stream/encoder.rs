//! Writes streams.

use std::ops::Range;
use std::sync::Arc;

use super::output::{Output, lift};
use super::records::Records;
use crate::bytes::out::Out;
use crate::compiled::RowSource;
use crate::encode::Rows;
use crate::encode::{Frames, Inference, MakeFrames, misfit};
use crate::error::{Fault, Result};
use crate::host_lock::HostLock;
use crate::interpreter::RunError;
use crate::limits::{MAX_FRAME_ROWS, sized};
use crate::program::Program;
use crate::schema::Schema;
use crate::wire::message::{Format, Metadata, Position};

/// A call with at least this many rows writes them into new frames, which several threads may make.
const MANY_ROWS: usize = sized(1 << 14, 1 << 6);

/// A call with at least this many rows appends them to the open frame at once. The rows of smaller calls
/// wait as records until they are many: opening all columns would take longer than encoding twice.
const SOME_ROWS: usize = sized(128, 16);

/// The approximate bytes of a frame of one column, without its schema and its rows.
const FRAME_OVERHEAD: usize = 100;

/// Records are few up to this many bytes for each byte that a frame needs besides them. It takes about as
/// long to widen them as it takes to widen the schema.
const FEW_BYTES: usize = 8;

/// Writes a stream: a message whose length is not known when it begins, and which ends with an index.
///
/// Each method passes finished bytes to `put`, in order. If `put` fails, or a frame can't be finished,
/// the stream ends there, and every later call is an error.
#[derive(Debug)]
pub struct StreamEncoder {
    output: Output,
    /// The last rows of the open frame.
    records: Records,
    /// The program of the last rows. `None` before the first rows.
    program: Option<Arc<Program>>,
    /// Infers the schema, and widens it; `None` if the schema is given.
    inference: Option<Inference>,
    rows: u64,
}

/// Which row could not be appended, and why.
pub(super) type Appended = std::result::Result<(), Box<RunError>>;

/// The caller's function that takes finished bytes.
pub type Put<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

impl StreamEncoder {
    /// Begins a stream of rows of the schema of `program`, or, if there is none, of the inferred schema,
    /// which widens when a row does not fit. It is a log of its own, without metadata.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn begin(
        format: impl Into<Format>,
        program: Option<Arc<Program>>,
        put: Put<'_>,
    ) -> Result<StreamEncoder> {
        let mut encoder = StreamEncoder::of_messages(format, program, Metadata::new())?;
        encoder.put_header(put)?;
        Ok(encoder)
    }

    /// Like [`StreamEncoder::begin`], with metadata, for a log to which several writers append in turns. Nothing is
    /// put before the first frame or [`StreamEncoder::put_header`], and [`StreamEncoder::end_message`] ends a stream
    /// where another writer may go on. The log begins here; [`stamp`](super::stamp) moves streams to the end of
    /// another one.
    ///
    /// # Errors
    /// A memory error, or a limit error if the metadata is too long.
    pub fn of_messages(
        format: impl Into<Format>,
        program: Option<Arc<Program>>,
        metadata: Metadata,
    ) -> Result<StreamEncoder> {
        StreamEncoder::at(format, program, metadata, Position::of_new_log()?)
    }

    /// Like [`StreamEncoder::of_messages`], for rows that begin at this position of a log.
    ///
    /// # Errors
    /// See [`StreamEncoder::of_messages`].
    pub fn at(
        format: impl Into<Format>,
        program: Option<Arc<Program>>,
        metadata: Metadata,
        first: Position,
    ) -> Result<StreamEncoder> {
        Ok(StreamEncoder {
            output: Output::begin(format.into(), first, metadata)?,
            records: Records::default(),
            inference: program.is_none().then(Inference::default),
            program,
            rows: 0,
        })
    }

    /// Puts the header of the stream now.
    ///
    /// # Errors
    /// An error of `put`.
    pub fn put_header(&mut self, put: Put<'_>) -> Result<()> {
        self.output.put_header(put)
    }

    /// Says how other threads of a language may run while frames are packed, compressed and checked. They
    /// may also run while `put` is called.
    pub fn set_host_lock(&mut self, host_lock: HostLock) {
        self.output.set_host_lock(host_lock);
    }

    /// The number of rows in the stream, with those that wait for the end of their frame.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of rows in the stream that wait for the end of their frame.
    pub fn waiting(&self) -> usize {
        self.output.waiting() + self.records.rows()
    }

    /// The program of the last rows; `None` before the first.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// The number of frames that were put.
    pub fn frames(&self) -> u64 {
        self.output.frames()
    }

    /// The number of bytes that were put.
    pub fn written(&self) -> u64 {
        self.output.written()
    }

    /// The number of bytes that were put, plus an estimate for the rows that wait for the end of their frame:
    /// as many bytes a row as in the last frame.
    pub fn written_and_waiting(&self) -> u64 {
        self.written() + self.output.waiting_bytes(self.records.size())
    }

    /// Whether frames of the message were put.
    pub fn has_frames(&self) -> bool {
        self.output.has_frames()
    }

    /// Returns whether the stream was ended, by [`StreamEncoder::finish`], [`StreamEncoder::abort`] or an
    /// error.
    pub fn is_ended(&self) -> bool {
        self.output.is_ended()
    }

    /// Appends the rows from index `done` on, which becomes the index of the next row. Many rows are
    /// appended by the threads of `maker`.
    ///
    /// # Errors
    /// An encode error for the first row that does not fit or has no serow type. All rows before it
    /// are in the stream, and the stream can go on. If memory ran out or the host raised an error, some
    /// rows before it may not be in the stream: `done` says where to go on.
    pub fn write<R: Rows>(
        &mut self,
        rows: &R,
        maker: &impl MakeFrames<R>,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<()> {
        self.output.check()?;
        let mut source = rows.source();
        while *done < rows.len() {
            let program = match &self.program {
                Some(program) => program.clone(),
                None => {
                    let (inference, program) = Inference::sampled(rows)?;
                    self.inference = Some(inference);
                    self.program.insert(program).clone()
                }
            };
            self.switch(&program, put)?;
            let before = *done;
            if (SOME_ROWS..MANY_ROWS).contains(&(rows.len() - before)) {
                self.stage_records(MAX_FRAME_ROWS, put)?;
            }
            self.look_again(rows, &mut source)?;
            let appended = match rows.len() - before < MANY_ROWS {
                true => self.append_few(&program, &mut source, before..rows.len(), done, put)?,
                false => {
                    let append = |frames: &mut Frames, range, out: &mut Out<'_>| {
                        let rows = (rows, &mut source);
                        maker.append(frames, &program, rows, range, maker.frames_per_call(), out)
                    };
                    self.append_frames(append, before..rows.len(), done, put)?
                }
            };
            self.rows += (*done - before) as u64;
            self.look_again(rows, &mut source)?;
            match appended {
                Ok(()) => {}
                Err(error) => match &mut self.inference {
                    Some(inference) if error.fault == Fault::TypeMismatch => {
                        let before = self.rows.saturating_sub(error.row as u64);
                        let wider = inference.widen(&program, &error, rows, before)?;
                        self.switch(&wider, put)?;
                    }
                    _ => return Err(misfit(&error, &program, rows)),
                },
            }
        }
        Ok(())
    }

    /// Reads on from a new source if other threads may have changed rows.
    fn look_again<'r, R: Rows>(&mut self, rows: &'r R, source: &mut R::Source<'r>) -> Result<()> {
        if self.output.rows_may_have_changed() {
            rows.look_again().map_err(lift)?;
            *source = rows.source();
        }
        Ok(())
    }

    /// Appends row 0 of `source`, if it fits the schema of the last rows. If not, this returns `None`, nothing
    /// has changed, and [`StreamEncoder::write`] says why. Otherwise it returns whether so many rows wait
    /// that [`StreamEncoder::stage_waiting`] must be called. This is made for calls with one row.
    ///
    /// # Errors
    /// An encode error if the stream has ended.
    #[inline]
    pub fn append_one<S: RowSource>(&mut self, source: &mut S) -> Result<Option<bool>> {
        self.output.check()?;
        let Some(program) = &self.program else { return Ok(None) };
        let Ok(are_many) = self.records.append_one(program, source) else { return Ok(None) };
        self.rows += 1;
        Ok(Some(are_many))
    }

    /// Makes the rows that wait rows of the open frame, and puts that if it is full.
    ///
    /// # Errors
    /// An error of `put`, or the error of a frame that can't be finished.
    pub fn stage_waiting(&mut self, put: Put<'_>) -> Result<()> {
        self.stage_records(MAX_FRAME_ROWS, put)
    }

    /// Appends the rows of `source` from index `done`, which becomes the index of the next row, to
    /// index `end`. All of them have the schema of `program`; earlier rows may have another schema. Only the
    /// last of them may be too large. Then this method reads no row of `source` twice.
    ///
    /// # Errors
    /// The outer error comes from `put`, or from a frame that can't be finished. The inner error says what
    /// is wrong with a row; after it the stream can go on as [`StreamEncoder::write`] says.
    #[allow(
        clippy::type_complexity,
        reason = "a result in a result tells both kinds of errors apart"
    )]
    pub fn append<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        end: usize,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<std::result::Result<(), Box<RunError>>> {
        self.output.check()?;
        self.switch(program, put)?;
        while *done < end {
            let before = *done;
            // The last row waits as a record, so that it can be cut off without the rows before it.
            let to = if end - before < SOME_ROWS { end } else { end - 1 };
            let appended = self.append_few(program, source, before..to, done, put)?;
            self.rows += (*done - before) as u64;
            if let Err(error) = appended {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Gives the stream the schema of `program` if it has none yet. A stream that ends without rows keeps it.
    pub fn expect(&mut self, program: &Arc<Program>) {
        self.program.get_or_insert_with(|| program.clone());
    }

    /// Makes sure that the open frame has the schema of `program`, which the next rows have. If it has few
    /// rows, and a schema that `program` has widened, they get the wider schema. Otherwise the frame ends.
    fn switch(&mut self, program: &Arc<Program>, put: Put<'_>) -> Result<()> {
        if let Some(open) = &self.program {
            if Arc::ptr_eq(open, program) {
                return Ok(());
            }
            let overhead = FRAME_OVERHEAD + program.schema().as_bytes().len();
            let are_few = self.output.waiting() == 0
                && (1..=overhead * FEW_BYTES).contains(&self.records.size());
            if !are_few || !self.records.widen(open, program).map_err(lift)? {
                self.flush(put)?;
            }
        }
        self.program = Some(program.clone());
        Ok(())
    }

    /// Appends rows to the open frame: some at once, and few to the records that wait. The outer error
    /// ends the stream.
    fn append_few<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<Appended> {
        if rows.len() >= SOME_ROWS {
            self.stage_records(MAX_FRAME_ROWS, put)?;
            let staged = self.output.stage(program, source, rows, MAX_FRAME_ROWS, done, put);
            return self.or_end(staged);
        }
        let waiting = self.records.rows();
        let appended = self.records.append(program, source, rows);
        *done += self.records.rows() - waiting;
        if let Ok((_, true)) = appended {
            self.stage_records(MAX_FRAME_ROWS, put)?;
        }
        Ok(appended.map(drop))
    }

    /// Makes the records that wait rows of the open frame, which will have `expected` rows more with them.
    fn stage_records(&mut self, expected: usize, put: Put<'_>) -> Result<()> {
        let StreamEncoder { output, records, program: Some(program), .. } = self else {
            return Ok(());
        };
        if records.rows() == 0 {
            return Ok(());
        }
        let staged = records.take(|mut source, rows| {
            let mut done = 0;
            while done < rows {
                let staged =
                    output.stage(program, &mut source, done..rows, expected, &mut done, put)?;
                if staged.is_err() {
                    return Ok(staged);
                }
            }
            Ok(Ok(()))
        });
        let staged = staged.map_err(lift).and_then(|staged| staged);
        let staged = staged.and_then(|staged| staged.map_err(|error| lift(error.fault)));
        self.or_end(staged)
    }

    /// Writes rows into new frames by calls of `append`, which returns the row after the last that it
    /// appended. The outer error ends the stream. The inner error is about one row, and the stream can
    /// go on.
    fn append_frames(
        &mut self,
        mut append: impl FnMut(
            &mut Frames,
            Range<usize>,
            &mut Out<'_>,
        ) -> std::result::Result<usize, Box<RunError>>,
        rows: Range<usize>,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<Appended> {
        self.flush(put)?;
        let appended = self.output.append(&mut append, rows, done, put);
        self.or_end(appended)
    }

    /// Returns whether the schema is in the stream.
    pub fn knows(&self, schema: &Schema) -> bool {
        self.output.knows(schema)
    }

    /// Appends a complete frame of `rows` rows of the schema of `program`, which was made apart. The last
    /// call has ended the open frame ([`StreamEncoder::flush`]), or was this one.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn join(
        &mut self,
        program: &Arc<Program>,
        frame: &[u8],
        rows: usize,
        put: Put<'_>,
    ) -> Result<()> {
        self.switch(program, put)?;
        let joined = self.output.join(program, frame, rows, put);
        self.or_end(joined)?;
        self.rows += rows as u64;
        Ok(())
    }

    /// Ends the open frame, so that readers get all rows until now.
    ///
    /// # Errors
    /// An error of `put`, or a limit error if the frame can't be finished.
    pub fn flush(&mut self, put: Put<'_>) -> Result<()> {
        self.output.check()?;
        self.stage_records(self.records.rows(), put)?;
        let closed = self.output.close(put);
        self.or_end(closed)
    }

    /// Ends the stream after an error that leaves a gap in it.
    fn or_end<T>(&mut self, result: Result<T>) -> Result<T> {
        if result.is_err() {
            self.end();
        }
        result
    }

    /// Ends the stream. If it has a schema and no rows, it gets an empty frame with the schema.
    ///
    /// # Errors
    /// See [`StreamEncoder::flush`].
    pub fn finish(&mut self, put: Put<'_>) -> Result<()> {
        self.flush(put)?;
        if let Some(program) = self.program.as_ref().filter(|_| self.output.frames() == 0) {
            let added = self.output.put_empty(program, put);
            self.or_end(added)?;
        }
        self.output.finish(put)
    }

    /// Ends the open frame, and the message with its index if it has frames. The rows that follow go
    /// to another message, which begins with the current schema.
    ///
    /// # Errors
    /// See [`StreamEncoder::flush`].
    pub fn end_message(&mut self, put: Put<'_>) -> Result<()> {
        self.flush(put)?;
        match self.output.has_frames() {
            true => {
                let ended = self.output.next_message(put);
                self.or_end(ended)
            }
            false => Ok(()),
        }
    }

    /// Ends the stream where it is, after an error of the file.
    pub fn end(&mut self) {
        self.output.end();
        self.records = Records::default();
    }

    /// Ends the open frame, and lets the stream end without its last frame. Readers get all rows until
    /// now, and then an error. For a writer that an error has stopped: what it has written must not read
    /// as complete.
    ///
    /// # Errors
    /// See [`StreamEncoder::flush`].
    pub fn abort(&mut self, put: Put<'_>) -> Result<()> {
        let flushed = self.flush(put);
        self.output.end();
        flushed
    }
}
