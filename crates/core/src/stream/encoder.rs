//! Writes streams.

use std::ops::Range;
use std::sync::Arc;

use super::records::Records;
use crate::bytes::out::Out;
use crate::encode::{Frames, Inference, MakeFrames, Staging, misfit};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::interpreter::RunError;
use crate::layout::{Rows, Source};
use crate::limits::MAX_STREAM_FRAME;
use crate::program::Program;
use crate::schema::Schema;
use crate::wire::message::index::Index;
use crate::wire::message::{Format, FrameHeader};

/// A call with at least this many rows writes them into new frames. The rows of smaller calls wait as
/// records until they fill a frame: encoding them twice costs less than small frames.
const MANY_ROWS: usize = 1 << 14;

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
    /// `None` after the end.
    frames: Option<Frames>,
    /// The finished bytes of the open frame.
    bytes: Vec<u8>,
    index: Index,
    records: Records,
    /// The program of the last rows. `None` before the first rows.
    program: Option<Arc<Program>>,
    /// Infers the schema, and widens it; `None` if the schema is given.
    inference: Option<Inference>,
    written: u64,
    rows: u64,
}

/// Whether the frame is full, or which row could not be appended, and why.
type Appended = std::result::Result<bool, Box<RunError>>;

/// The caller's function that takes finished bytes.
pub type Put<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

impl StreamEncoder {
    /// Begins a stream of rows of the schema of `program`, or, if there is none, of the inferred schema,
    /// which widens when a row does not fit.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn begin(
        format: impl Into<Format>,
        program: Option<Arc<Program>>,
        put: Put<'_>,
    ) -> Result<StreamEncoder> {
        let format = format.into();
        let mut bytes = Vec::new();
        let frames = Out::appending(&mut bytes, |out| {
            Frames::begin(format, Staging::take(format.wire), out)
        });
        let frames = frames.and_then(|frames| frames).map_err(lift)?;
        put(&bytes)?;
        let written = bytes.len() as u64;
        bytes.clear();
        Ok(StreamEncoder {
            frames: Some(frames),
            bytes,
            index: Index::default(),
            records: Records::default(),
            inference: program.is_none().then(Inference::default),
            program,
            written,
            rows: 0,
        })
    }

    /// The number of rows in the stream, with those that wait for the end of their frame.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of rows in the stream that wait for the end of their frame.
    pub fn waiting(&self) -> usize {
        self.records.rows()
    }

    /// The program of the last rows; `None` before the first.
    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// The number of frames that were put.
    pub fn frames(&self) -> u64 {
        self.index.frames()
    }

    /// The number of bytes that were put.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns whether the stream was ended, by [`StreamEncoder::finish`], [`StreamEncoder::abort`] or an
    /// error.
    pub fn is_ended(&self) -> bool {
        self.frames.is_none()
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
        open(&mut self.frames)?;
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
            let appended = match rows.len() - before < MANY_ROWS {
                true => self.append_records(&program, &mut source, before..rows.len(), done),
                false => {
                    let append = |frames: &mut Frames, range, out: &mut Out<'_>| {
                        let rows = (rows, &mut source);
                        maker.append(frames, &program, rows, range, maker.at_once(), out)
                    };
                    self.append_frames(append, before..rows.len(), done, put)?
                }
            };
            match self.appended(appended, *done - before, put)? {
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

    /// Appends the rows of `source` from index `done`, which becomes the index of the next row, to
    /// index `end`. They have the schema of `program`, which may differ from that of earlier rows.
    ///
    /// # Errors
    /// An error of `put`, or that of a frame that can't be finished. The inner error is that of a row,
    /// after which the stream can go on as [`StreamEncoder::write`] says.
    #[allow(
        clippy::type_complexity,
        reason = "a result in a result tells both kinds of errors apart"
    )]
    pub fn append<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        end: usize,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<std::result::Result<(), Box<RunError>>> {
        open(&mut self.frames)?;
        self.switch(program, put)?;
        while *done < end {
            let before = *done;
            let appended = match end - before < MANY_ROWS {
                true => self.append_records(program, source, before..end, done),
                false => {
                    let append = |frames: &mut Frames, range, out: &mut Out<'_>| {
                        frames.append(program, source, range, out)
                    };
                    self.append_frames(append, before..end, done, put)?
                }
            };
            if let Err(error) = self.appended(appended, *done - before, put)? {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Counts rows that were appended, and ends their frame if it is full.
    fn appended(
        &mut self,
        appended: Appended,
        rows: usize,
        put: Put<'_>,
    ) -> Result<std::result::Result<(), Box<RunError>>> {
        self.rows += rows as u64;
        Ok(match appended {
            Ok(true) => {
                self.flush(put)?;
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        })
    }

    /// Makes sure that the open frame has the schema of `program`, which the next rows have. If it has few
    /// rows, and a schema that `program` has widened, they get the wider schema. Otherwise the frame ends.
    fn switch(&mut self, program: &Arc<Program>, put: Put<'_>) -> Result<()> {
        if let Some(open) = &self.program {
            if Arc::ptr_eq(open, program) {
                return Ok(());
            }
            let overhead = FRAME_OVERHEAD + program.schema().as_bytes().len();
            let are_few = (1..=overhead * FEW_BYTES).contains(&self.records.size());
            if !are_few || !self.records.widen(open, program).map_err(lift)? {
                self.flush(put)?;
            }
        }
        self.program = Some(program.clone());
        Ok(())
    }

    /// Appends rows to the records that wait. Returns whether their frame is full.
    fn append_records<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
        done: &mut usize,
    ) -> Appended {
        let waiting = self.records.rows();
        let appended = self.records.append(program, source, rows);
        *done += self.records.rows() - waiting;
        appended.map(|(_, is_full)| is_full)
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
        let mut result = Ok(false);
        while result.is_ok() && *done < rows.end {
            let frames = open(&mut self.frames)?;
            let begin = *done;
            let appended = Out::appending(&mut self.bytes, |out| {
                let appended = append(frames, begin..rows.end, out);
                *done = match &appended {
                    Ok(done) => *done,
                    Err(_) => frames.next_row(),
                };
                appended
            });
            result = appended.map_err(lift)?.map(|_| false);
            // The rows of the next call are in another source. So a frame ends with the last row.
            if result.is_err() || *done == rows.end {
                self.close(put)?;
            } else {
                self.put_frames(put)?;
            }
        }
        Ok(result)
    }

    /// Returns whether the schema is in the stream.
    pub fn knows(&self, schema: &Schema) -> bool {
        self.frames.as_ref().is_some_and(|frames| frames.knows(schema))
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
        let frames = open(&mut self.frames)?;
        let joined =
            Out::appending(&mut self.bytes, |out| frames.join(program, frame, 0..rows, rows, out));
        self.or_end(joined.and_then(|joined| joined).map_err(lift))?;
        self.rows += rows as u64;
        self.put_frames(put)
    }

    /// Ends the open frame, so that readers get all rows until now.
    ///
    /// # Errors
    /// An error of `put`, or a limit error if the frame can't be finished.
    pub fn flush(&mut self, put: Put<'_>) -> Result<()> {
        let frames = open(&mut self.frames)?;
        let StreamEncoder { records, bytes, .. } = self;
        if records.rows() == 0 {
            return Ok(());
        }
        let Some(program) = &self.program else { return Ok(()) };
        let taken = records.take(|mut source, rows| -> Result<()> {
            let mut row = 0;
            while row < rows {
                let appended = Out::appending(bytes, |out| {
                    frames.append(program, &mut source, row..rows, out).and_then(|done| {
                        row = done;
                        if done == rows {
                            frames.close(out).map_err(|fault| RunError::at_row(done - 1, fault))?;
                        }
                        Ok(())
                    })
                });
                appended.map_err(lift)?.map_err(|error| lift(error.fault))?;
                put_sealed(frames, bytes, &mut self.index, &mut self.written, program, put)?;
            }
            Ok(())
        });
        self.or_end(taken.map_err(lift).and_then(|result| result))
    }

    /// Ends the frame that was appended to.
    fn close(&mut self, put: Put<'_>) -> Result<()> {
        let frames = open(&mut self.frames)?;
        let closed = Out::appending(&mut self.bytes, |out| frames.close(out));
        self.or_end(closed.and_then(|closed| closed).map_err(lift))?;
        self.put_frames(put)
    }

    /// Passes on the frames that were closed.
    fn put_frames(&mut self, put: Put<'_>) -> Result<()> {
        let frames = open(&mut self.frames)?;
        let Some(program) = &self.program else { return Ok(()) };
        let StreamEncoder { bytes, index, written, .. } = self;
        let result = put_sealed(frames, bytes, index, written, program, put);
        self.or_end(result)
    }

    /// Ends the stream after an error that leaves a gap in it.
    fn or_end(&mut self, result: Result<()>) -> Result<()> {
        if result.is_err() {
            self.frames = None;
            self.bytes = Vec::new();
            self.records = Records::default();
        }
        result
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// See [`StreamEncoder::flush`].
    pub fn finish(&mut self, put: Put<'_>) -> Result<()> {
        self.flush(put)?;
        let Some(frames) = self.frames.take() else { return Ok(()) };
        let StreamEncoder { bytes, index, .. } = self;
        let ended = Out::appending(bytes, |out| frames.finish_with(index, out));
        ended.and_then(|staging| staging).map_err(lift)?.keep();
        put(bytes)?;
        self.written += bytes.len() as u64;
        self.bytes = Vec::new();
        Ok(())
    }

    /// Ends the open frame, and lets the stream end without its last frame. Readers get all rows until
    /// now, and then an error. For a writer that an error has stopped: what it has written must not read
    /// as complete.
    ///
    /// # Errors
    /// See [`StreamEncoder::flush`].
    pub fn abort(&mut self, put: Put<'_>) -> Result<()> {
        let flushed = self.flush(put);
        self.frames = None;
        self.bytes = Vec::new();
        flushed
    }
}

/// Completes the last of the frames in `bytes`, and passes all of them on.
fn put_sealed(
    frames: &mut Frames,
    bytes: &mut Vec<u8>,
    index: &mut Index,
    written: &mut u64,
    program: &Program,
    put: Put<'_>,
) -> Result<()> {
    Out::appending(bytes, |out| frames.seal(out)).and_then(|sealed| sealed).map_err(lift)?;
    let mut rest = &bytes[..];
    while let Some(header) = FrameHeader::take(rest)
        && let Some(frame) = header.frame_len()
    {
        if frame > MAX_STREAM_FRAME {
            return Err(Error::limit(format!(
                "a frame of one row has {frame} bytes, and in a stream it has at most {MAX_STREAM_FRAME}"
            )));
        }
        index.add(frame, header.rows(), program.schema().fingerprint()).map_err(lift)?;
        rest = rest.get(frame..).unwrap_or_default();
    }
    if !bytes.is_empty() {
        put(bytes)?;
        *written += bytes.len() as u64;
        bytes.clear();
    }
    Ok(())
}

fn open(frames: &mut Option<Frames>) -> Result<&mut Frames> {
    frames.as_mut().ok_or_else(|| {
        Error::encode("the stream has ended, or an earlier error has ended it; begin another one")
    })
}

fn lift(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Encode, "the stream")
}
