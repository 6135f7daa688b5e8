//! Reads streams.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::limits::{MAX_STREAM_FRAME, max_frame};
use crate::memory;
use crate::program::Program;
use crate::wire::message::{FrameReader, HEADER, PackedFrame, check_header};

/// The most bytes that a decoder asks for at once. A damaged length must not cause a large request of
/// memory.
const MOST_WANTED: usize = 1 << 20;

/// Memory of a frame beyond this size is freed after it.
const KEPT_BYTES: usize = 32 << 20;

/// Reads a stream of one or more messages. It never asks for a byte after the part that it is reading.
///
/// The caller calls [`StreamDecoder::next_packed`], and [`StreamDecoder::fill`] when more bytes are
/// needed.
#[derive(Debug)]
pub struct StreamDecoder {
    /// The frames of the message that has begun.
    frames: Option<FrameReader>,
    /// Offset in the stream of the message that begins next, and the frames and rows before it.
    before: (usize, usize, usize),
    program: Option<Arc<Program>>,
    /// See [`FrameReader::set_max_memory`].
    max_memory: Option<usize>,
    /// The bytes of a message's header, or of a frame, as far as they were read.
    bytes: Vec<u8>,
    /// Whether they were given to the caller as a frame.
    is_taken: bool,
    /// The most bytes of a frame.
    most: usize,
}

impl Default for StreamDecoder {
    fn default() -> StreamDecoder {
        StreamDecoder {
            frames: None,
            before: (0, 0, 0),
            program: None,
            bytes: Vec::new(),
            is_taken: false,
            most: MAX_STREAM_FRAME,
            max_memory: None,
        }
    }
}

/// What comes next in a stream.
#[derive(Debug)]
pub enum Next<F> {
    /// A frame.
    Frame(F),
    /// More bytes are needed to tell.
    More,
    /// A message has ended. Another one may follow.
    End,
}

impl<F> Next<F> {
    /// Passes the frame to `make`.
    ///
    /// # Errors
    /// The error that `make` returns.
    pub fn try_map<T, E>(
        self,
        make: impl FnOnce(F) -> std::result::Result<T, E>,
    ) -> std::result::Result<Next<T>, E> {
        Ok(match self {
            Next::Frame(frame) => Next::Frame(make(frame)?),
            Next::More => Next::More,
            Next::End => Next::End,
        })
    }
}

impl StreamDecoder {
    /// Creates a decoder at the beginning of a stream.
    pub fn new() -> StreamDecoder {
        StreamDecoder::default()
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> StreamDecoder {
        self.program = Some(program);
        self
    }

    /// Refuses frames that can't be of rows which take `bytes` bytes of memory at most, before it holds
    /// their bytes, and frames whose compressed bodies take more than so many bytes without compression.
    pub fn with_max_memory(mut self, bytes: usize) -> StreamDecoder {
        self.max_memory = Some(bytes);
        self.most = max_frame(bytes).min(MAX_STREAM_FRAME);
        self
    }

    /// The number of bytes that were read.
    pub fn consumed(&self) -> usize {
        let at = self.frames.as_ref().map_or(self.before.0, FrameReader::at);
        at + if self.is_taken { 0 } else { self.bytes.len() }
    }

    /// The number of rows in the frames that were read.
    pub fn rows(&self) -> usize {
        self.frames.as_ref().map_or(self.before.2, FrameReader::rows)
    }

    /// Removes bytes that are no longer needed.
    fn advance(&mut self) {
        if std::mem::take(&mut self.is_taken) {
            self.bytes.clear();
            if self.bytes.capacity() > KEPT_BYTES {
                self.bytes = Vec::new();
            }
        }
        if let Some(frames) = self.frames.take_if(|frames| frames.is_at_end()) {
            self.before = (frames.at(), frames.index(), frames.rows());
        }
    }

    /// Returns how many bytes of the header or frame are lacking.
    fn lacking(&self) -> Result<usize> {
        let len = match &self.frames {
            None => HEADER,
            Some(frames) => {
                let len = frames.wanted(&self.bytes);
                if len > MAX_STREAM_FRAME {
                    return Err(frames.in_frame(&format!(
                        "it claims {len} bytes, and a frame of a stream has {MAX_STREAM_FRAME} at most"
                    )));
                }
                if len > self.most {
                    return Err(frames.beyond_limit(&format!(
                        "it has {len} bytes, and rows within the memory limit have {} at most",
                        self.most
                    )));
                }
                len
            }
        };
        Ok(len - self.bytes.len())
    }

    /// Returns how many bytes `fill` will ask for.
    ///
    /// # Errors
    /// A decode error if a frame claims more bytes than any may have, a limit error if it has more than
    /// [`StreamDecoder::with_max_memory`] allows.
    pub fn wanted(&mut self) -> Result<usize> {
        self.advance();
        Ok(self.lacking()?.min(MOST_WANTED))
    }

    /// Calls `read` with space for bytes that are needed. It returns how many it has read.
    ///
    /// # Errors
    /// A memory error, or an error of `read`. Then nothing was read.
    pub fn fill<E: From<Error>>(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> std::result::Result<usize, E>,
    ) -> std::result::Result<usize, E> {
        let (lacking, had) = (self.wanted()?, self.bytes.len());
        memory::resize(&mut self.bytes, had + lacking, 0).map_err(|_| Error::no_memory())?;
        let result = read(&mut self.bytes[had..]);
        let read = result.as_ref().map_or(0, |read| *read);
        self.bytes.truncate(had + read.min(lacking));
        result
    }

    /// Returns what comes next. After an error nothing does.
    ///
    /// # Errors
    /// A decode error if the bytes are damaged or no stream.
    pub fn next_packed(&mut self) -> Result<Next<PackedFrame<'_>>> {
        self.step(|frames, bytes| frames.take(bytes))
    }

    /// Like [`StreamDecoder::next_packed`], with the frame's bytes.
    ///
    /// # Errors
    /// See [`StreamDecoder::next_packed`].
    pub fn next_owned(&mut self) -> Result<Next<PackedFrame<'static>>> {
        self.step(|frames, bytes| frames.take_owned(bytes))
    }

    /// Goes on until a frame is in `bytes`, and lets `take` read it.
    fn step<'a, T>(
        &'a mut self,
        take: impl FnOnce(&mut FrameReader, &'a mut Vec<u8>) -> Result<Option<T>>,
    ) -> Result<Next<T>> {
        let had_frames = self.frames.is_some();
        self.advance();
        if had_frames && self.frames.is_none() {
            return Ok(Next::End);
        }
        if self.lacking()? > 0 {
            return Ok(Next::More);
        }
        let StreamDecoder { frames, before, bytes, is_taken, .. } = self;
        let Some(frames) = frames else {
            check_header(bytes).map_err(|error| moved(error, before.0))?;
            let mut new = FrameReader::after(*before);
            self.program.iter().for_each(|program| new.set_program(program.clone()));
            self.max_memory.iter().for_each(|bytes| new.set_max_memory(*bytes));
            *frames = Some(new);
            bytes.clear();
            return Ok(Next::More);
        };
        *is_taken = true;
        if let Some(frame) = take(frames, bytes)? {
            return Ok(Next::Frame(frame));
        }
        *before = (frames.at(), frames.index(), frames.rows());
        self.frames = None;
        Ok(Next::End)
    }

    /// Returns the error of a stream that ends here; `None` if it may end here.
    pub fn cut(&self) -> Option<Error> {
        match &self.frames {
            Some(frames) if frames.is_at_end() => None,
            Some(frames) => Some(frames.cut(self.consumed())),
            None if self.is_taken || self.bytes.is_empty() => None,
            None => check_header(&self.bytes).err().map(|error| moved(error, self.before.0)),
        }
    }
}

/// Gives the error for a message the offset in its stream.
fn moved(error: Error, by: usize) -> Error {
    match by {
        0 => error,
        _ => error.within(format_args!("the message at byte {by} of the stream")).at_offset(by),
    }
}
