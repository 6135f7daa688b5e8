//! The frames of a stream that is written, and their bytes until they are put.

use std::ops::Range;
use std::sync::Arc;

use super::encoder::{Appended, Put};
use crate::bytes::out::Out;
use crate::compiled::RowSource;
use crate::encode::{Frames, Staging};
use crate::error::{Error, ErrorKind, Fault, Result};
use crate::host_lock::HostLock;
use crate::interpreter::RunError;
use crate::program::Program;
use crate::schema::Schema;
use crate::wire::message::{Format, MessageHeader, Metadata, Position};

/// The frames of a stream. All rows of a call have the schema of its `program`. If a method fails for another
/// reason than a row, rows are missing from the stream, and the caller must [end](Output::end) it.
#[derive(Debug)]
pub struct Output {
    /// `None` after the end.
    frames: Option<Frames>,
    /// The bytes that are not put yet.
    bytes: Vec<u8>,
    /// How many of them are the message's header.
    header: usize,
    metadata: Metadata,
    written: u64,
    /// The number of frames in earlier messages.
    earlier: u64,
    /// How many bytes the last frame took, and how many its rows took while they waited.
    packed: (u64, u64),
}

impl Output {
    /// Begins a stream. Its header comes with its first frame, or with its end.
    ///
    /// # Errors
    /// A memory error.
    pub fn begin(format: Format, first: Position, metadata: Metadata) -> Result<Output> {
        let (frames, bytes) = begin(format, first, &metadata)?;
        Ok(Output {
            frames: Some(frames),
            header: bytes.len(),
            bytes,
            metadata,
            written: 0,
            earlier: 0,
            packed: (1, 1),
        })
    }

    /// Puts the header now.
    ///
    /// # Errors
    /// An error of `put`.
    pub fn put_header(&mut self, put: Put<'_>) -> Result<()> {
        put(&self.bytes)?;
        self.written += self.bytes.len() as u64;
        self.header = 0;
        self.bytes.clear();
        Ok(())
    }

    /// The frames of the message that were put.
    fn own_frames(&self) -> u64 {
        self.frames.as_ref().map_or(0, Frames::sealed)
    }

    /// Whether the message has frames that were put.
    pub fn has_frames(&self) -> bool {
        self.own_frames() > 0
    }

    /// Ends the message with its index, and begins another one.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn next_message(&mut self, put: Put<'_>) -> Result<()> {
        let frames = self.open()?;
        let (format, host_lock) = (frames.format(), frames.host_lock());
        let Some(next) = frames.position() else { return Ok(()) };
        self.finish(put)?;
        let (frames, bytes) = begin(format, next, &self.metadata)?;
        (self.frames, self.header, self.bytes) = (Some(frames), bytes.len(), bytes);
        self.set_host_lock(host_lock);
        Ok(())
    }

    /// The approximate number of bytes of the rows in the open frame and of `more` bytes of records, once
    /// they are put.
    pub fn waiting_bytes(&self, more: usize) -> u64 {
        let (packed, raw) = self.packed;
        let waiting = (self.staged() + more) as u128 * u128::from(packed) / u128::from(raw.max(1));
        u64::try_from(waiting).unwrap_or(u64::MAX)
    }

    /// The number of bytes of the rows in the open frame.
    fn staged(&self) -> usize {
        let staged = self.frames.as_ref().map_or(0, Frames::staged_bytes);
        staged + (self.bytes.len() - self.header)
    }

    /// The number of rows in the open frame.
    pub fn waiting(&self) -> usize {
        self.frames.as_ref().map_or(0, Frames::rows)
    }

    /// The number of frames that were put.
    pub fn frames(&self) -> u64 {
        self.earlier + self.own_frames()
    }

    /// The number of bytes that were put.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Whether the stream was ended.
    pub fn is_ended(&self) -> bool {
        self.frames.is_none()
    }

    /// Says how other threads may run; see [`Frames::set_host_lock`].
    pub fn set_host_lock(&mut self, host_lock: HostLock) {
        self.frames.iter_mut().for_each(|frames| frames.set_host_lock(host_lock));
    }

    /// Whether other threads may have run since this was asked last: meanwhile frames were packed or put.
    pub fn rows_may_have_changed(&mut self) -> bool {
        self.frames.as_mut().is_some_and(Frames::rows_may_have_changed)
    }

    /// Whether the schema is in the stream.
    pub fn knows(&self, schema: &Schema) -> bool {
        self.frames.as_ref().is_some_and(|frames| frames.knows(schema))
    }

    /// Checks that the stream has not ended.
    ///
    /// # Errors
    /// An encode error if it has.
    pub fn check(&mut self) -> Result<()> {
        self.open().map(drop)
    }

    fn open(&mut self) -> Result<&mut Frames> {
        self.frames.as_mut().ok_or_else(|| {
            Error::encode(
                "the stream has ended, or an earlier error has ended it; begin another one",
            )
        })
    }

    /// Appends rows of `source` from index `done`, which becomes the index of the next row, to the open
    /// frame. If it is full, this puts it, and returns before the last of the rows. `expected` rows, with
    /// these, will follow.
    ///
    /// # Errors
    /// The outer error comes from [`Frames::close`] or from `put`. The inner error is about the row at `done`;
    /// the stream can go on with it.
    pub fn stage<S: RowSource>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
        expected: usize,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<Appended> {
        *done = rows.start;
        self.open()?;
        let Output { frames: Some(frames), bytes, .. } = self else { return Ok(Ok(())) };
        let staged =
            Out::appending(bytes, |out| frames.stage(program, source, rows, expected, out));
        let staged = staged.map_err(lift)?;
        *done = frames.next_row();
        match staged {
            Ok((_, false)) => Ok(Ok(())),
            Ok((_, true)) => self.close(put).map(Ok),
            Err(error) => {
                if frames.rows() == 0 {
                    // No frame begins with this row.
                    self.close(put)?;
                }
                Ok(Err(error))
            }
        }
    }

    /// Writes rows into new frames by calls of `append`, which returns the row after the last that it
    /// appended. The open frame has no rows.
    ///
    /// # Errors
    /// See [`Output::stage`].
    pub fn append(
        &mut self,
        append: &mut impl FnMut(
            &mut Frames,
            Range<usize>,
            &mut Out<'_>,
        ) -> std::result::Result<usize, Box<RunError>>,
        rows: Range<usize>,
        done: &mut usize,
        put: Put<'_>,
    ) -> Result<Appended> {
        while *done < rows.end {
            self.open()?;
            let Output { frames: Some(frames), bytes, .. } = self else { return Ok(Ok(())) };
            let begin = *done;
            let appended = Out::appending(bytes, |out| {
                let appended = append(frames, begin..rows.end, out);
                *done = match &appended {
                    Ok(done) => *done,
                    Err(_) => frames.next_row(),
                };
                appended
            });
            let appended = appended.map_err(lift)?;
            // The rows of the next call are in another source. So a frame ends with the last row.
            if appended.is_err() || *done == rows.end {
                self.close(put)?;
            } else {
                self.put(put)?;
            }
            if let Err(error) = appended {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Appends a complete frame of `rows` rows, which was made apart.
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
        self.open()?;
        let Output { frames: Some(frames), bytes, .. } = self else { return Ok(()) };
        let joined = Out::appending(bytes, |out| frames.join(program, frame, 0..rows, rows, out));
        joined.and_then(|joined| joined).map_err(lift)?;
        self.put(put)
    }

    /// Ends the open frame, if it has rows, and puts it.
    ///
    /// # Errors
    /// The error comes from [`Frames::close`] or from `put`.
    pub fn close(&mut self, put: Put<'_>) -> Result<()> {
        self.open()?;
        let (raw, before) = (self.staged() as u64, self.written);
        let Output { frames: Some(frames), bytes, .. } = self else { return Ok(()) };
        let closed = Out::appending(bytes, |out| frames.close(out));
        closed.and_then(|closed| closed).map_err(lift)?;
        self.put(put)?;
        if raw > 0 && self.written > before {
            self.packed = (self.written - before, raw);
        }
        Ok(())
    }

    /// Puts a frame without rows, which has the schema of `program`.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn put_empty(&mut self, program: &Arc<Program>, put: Put<'_>) -> Result<()> {
        self.open()?;
        let Output { frames: Some(frames), bytes, .. } = self else { return Ok(()) };
        let added = Out::appending(bytes, |out| frames.append_empty(program, out));
        added.and_then(|added| added).map_err(lift)?;
        self.put(put)
    }

    /// Completes the last of the frames in `bytes`, and puts all of them.
    fn put(&mut self, put: Put<'_>) -> Result<()> {
        let Output { frames: Some(frames), bytes, header, written, .. } = self else {
            return Ok(());
        };
        Out::appending(bytes, |out| frames.seal(out)).and_then(|sealed| sealed).map_err(lift)?;
        if bytes.len() == *header {
            return Ok(());
        }
        put(bytes)?;
        frames.note_that_others_ran();
        *written += bytes.len() as u64;
        *header = 0;
        bytes.clear();
        Ok(())
    }

    /// Ends the stream after its last frame.
    ///
    /// # Errors
    /// An error of `put`, or a memory error.
    pub fn finish(&mut self, put: Put<'_>) -> Result<()> {
        self.earlier = self.frames();
        let Some(frames) = self.frames.take() else { return Ok(()) };
        let bytes = &mut self.bytes;
        let ended = Out::appending(bytes, |out| frames.finish_with_index(out));
        ended.and_then(|staging| staging).map_err(lift)?.keep();
        put(bytes)?;
        self.written += bytes.len() as u64;
        self.bytes = Vec::new();
        Ok(())
    }

    /// Ends the stream where it is.
    pub fn end(&mut self) {
        self.earlier = self.frames();
        self.frames = None;
        (self.bytes, self.header) = (Vec::new(), 0);
    }
}

/// Begins a stream. Returns its frames and the bytes of its header.
fn begin(format: Format, first: Position, metadata: &Metadata) -> Result<(Frames, Vec<u8>)> {
    let mut bytes = MessageHeader::of_stream(first, metadata)?;
    let begin =
        |out: &mut Out<'_>| Frames::begin_stream(format, first, Staging::take(format.wire), out);
    let frames = Out::appending(&mut bytes, begin).map_err(lift)?;
    Ok((frames, bytes))
}

/// The error for a fault of the stream as a whole.
pub fn lift(fault: Fault) -> Error {
    fault.into_error(ErrorKind::Encode, "the stream")
}
