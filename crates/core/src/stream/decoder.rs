//! Reads streams.

use std::sync::Arc;

use super::damage::{Search, Skip};
use crate::aside::Aside;
use crate::error::{Error, Result};
use crate::limits::{MAX_STREAM_FRAME, max_frame};
use crate::memory;
use crate::program::Program;
use crate::wire::message::index::frame_entries;
use crate::wire::message::{FrameHeader, FrameReader, HEADER, MAGIC, PackedFrame, check_header};

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
    /// `None` if damage is an error.
    skip: Option<Box<Skip>>,
    aside: Aside,
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
            skip: None,
            aside: Aside::NONE,
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

    /// Lets other threads of a language run while the checksum of a frame is computed.
    pub fn with_aside(mut self, aside: Aside) -> StreamDecoder {
        self.aside = aside;
        self
    }

    /// Leaves out damaged frames instead of ending with an error, and what a cut stream has of its last
    /// one. The next whole frame is found even if the damage hides where it begins.
    pub fn skipping(mut self) -> StreamDecoder {
        self.skip = Some(Box::default());
        self
    }

    /// The numbers of bytes and rows that were skipped. The number of rows is exact if the lengths of the
    /// damaged frames are right, or if the damaged stream has an index, and may be too small otherwise.
    pub fn lost(&self) -> (u64, u64) {
        self.skip.as_ref().map_or((0, 0), |skip| skip.lost)
    }

    /// The number of bytes that were read.
    pub fn consumed(&self) -> usize {
        let held = match self.search() {
            Some(search) => search.len(),
            None if self.is_taken => 0,
            None => self.bytes.len(),
        };
        self.whole() + held
    }

    /// The number of bytes in the header and the frames that were read.
    pub fn whole(&self) -> usize {
        self.frames.as_ref().map_or(self.before.0, FrameReader::at)
    }

    /// The offset of the message that has begun and not ended; `None` if there is none.
    pub fn open_message(&self) -> Option<usize> {
        let frames = self.frames.as_ref().filter(|frames| !frames.is_at_end());
        frames.map(|_| self.before.0)
    }

    /// Whether the bytes that were read are a stream that has begun and not ended.
    pub fn is_cut(&self) -> bool {
        match &self.frames {
            Some(frames) => !frames.is_at_end(),
            None => {
                !self.is_taken && !self.bytes.is_empty() && MAGIC.starts_with(head(&self.bytes))
            }
        }
    }

    /// Whether the last frame of a message was read last.
    pub fn is_at_end(&self) -> bool {
        self.frames.as_ref().is_some_and(FrameReader::is_at_end)
    }

    fn search(&self) -> Option<&Search> {
        self.skip.as_ref().and_then(|skip| skip.search.as_ref())
    }

    /// Forgets the part of a header or frame that was read, so that it can be read again from offset
    /// [`StreamDecoder::consumed`]. The header of a message is forgotten too, if none of its frames was read:
    /// if its writer was killed there, another one may take its place.
    pub fn forget_part(&mut self) {
        self.advance();
        self.bytes.clear();
        let begin = self.before.0 + HEADER;
        self.frames.take_if(|frames| frames.at() == begin);
    }

    /// Begins with a new source, where the next message begins at its first byte. Rows and bytes are counted
    /// on.
    pub fn begin_anew(&mut self) {
        self.advance();
        self.before = (self.consumed(), self.before.1, self.rows());
        (self.frames, self.is_taken) = (None, false);
        self.bytes.clear();
        if let Some(skip) = &mut self.skip {
            let held = skip.search.as_ref().map_or(0, Search::len) as u64;
            **skip = Skip::after((skip.lost.0 + held, skip.lost.1));
        }
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
        if let Some(search) = self.search() {
            return Ok(search.wanted().min(MOST_WANTED));
        }
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
        let lacking = self.wanted()?;
        let StreamDecoder { bytes, skip, .. } = self;
        let bytes = match skip {
            Some(skip) => match skip.search.is_some() {
                true => skip.search.as_mut().map_or(bytes, Search::bytes),
                false => {
                    if let Some(had) = skip.take(lacking) {
                        memory::reserve(bytes, had.len()).map_err(|_| Error::no_memory())?;
                        bytes.extend_from_slice(had);
                        return Ok(had.len());
                    }
                    bytes
                }
            },
            None => bytes,
        };
        let had = bytes.len();
        memory::resize(bytes, had + lacking, 0).map_err(|_| Error::no_memory())?;
        let result = read(&mut bytes[had..]);
        let read = result.as_ref().map_or(0, |read| *read);
        bytes.truncate(had + read.min(lacking));
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
        if self.search().is_some() {
            self.go_on(false)?;
            return Ok(Next::More);
        }
        let had_frames = self.frames.is_some();
        self.advance();
        if had_frames && self.frames.is_none() {
            return Ok(Next::End);
        }
        if self.skip.is_some()
            && let Some(error) = self.damage()
        {
            self.begin_search(error)?;
            return Ok(Next::More);
        }
        if self.lacking()? > 0 {
            return Ok(Next::More);
        }
        if self.frames.is_none() {
            check_header(&self.bytes).map_err(|error| moved(error, self.before.0))?;
            self.frames = Some(self.new_frames());
            self.bytes.clear();
            return Ok(Next::More);
        }
        self.note();
        let StreamDecoder { frames: Some(frames), before, bytes, is_taken, .. } = self else {
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

    /// Creates the reader of the frames after a header.
    fn new_frames(&mut self) -> FrameReader {
        let mut frames = FrameReader::after(self.before);
        frames.set_aside(self.aside);
        self.program.iter().for_each(|program| frames.set_program(program.clone()));
        self.max_memory.iter().for_each(|bytes| frames.set_max_memory(*bytes));
        if let Some(skip) = &mut self.skip {
            frames.forget_index();
            skip.begin_message(frames.rows());
        }
        frames
    }

    /// Returns what is wrong with the bytes of the next header or frame; `None` if nothing is, or if they are
    /// too few to tell.
    fn damage(&self) -> Option<Error> {
        let Some(frames) = &self.frames else {
            let is_whole = self.bytes.len() == HEADER;
            let error = check_header(&self.bytes).err().filter(|_| is_whole);
            return error.map(|error| moved(error, self.before.0));
        };
        let header = FrameHeader::take(&self.bytes)?;
        match header.frame_len().filter(|_| header.has_known_flags()) {
            Some(len) if len > self.bytes.len() && len <= MAX_STREAM_FRAME => None,
            Some(len) if len == self.bytes.len() && header.is_intact(&self.bytes) => {
                let named = header.named(&self.bytes)?;
                let is_unknown = !frames.knows(named);
                is_unknown
                    .then(|| frames.in_frame("the frame with its schema is damaged or missing"))
            }
            _ => Some(frames.in_frame("its bytes were damaged on the way")),
        }
    }

    /// Notes what a decoder that skips must know of the next frame, which is whole. If it is the index, this
    /// counts the rows that the message has lost.
    fn note(&mut self) {
        let StreamDecoder { frames: Some(frames), before, bytes, skip: Some(skip), .. } = self
        else {
            return;
        };
        skip.see(bytes);
        if FrameHeader::take(bytes).is_some_and(|header| header.is_index())
            && let Ok(Some((begin, entries))) = frame_entries(bytes, frames.at() as u64)
            && begin == before.0 as u64
        {
            skip.correct(entries.iter().map(|entry| entry.rows).sum(), frames.rows());
        }
    }

    /// Searches for the next whole frame.
    fn begin_search(&mut self, error: Error) -> Result<()> {
        let StreamDecoder { frames, before, bytes, skip: Some(skip), .. } = self else {
            return Err(error);
        };
        if frames.is_none() && before.0 == 0 {
            skip.no_message = Some(error);
        }
        let mut held = std::mem::take(bytes);
        skip.append_rest(&mut held)?;
        skip.search = Some(Search::new(held, frames.is_some()));
        self.go_on(false)
    }

    /// Goes on with the search, in bytes that are at their `end` or not.
    fn go_on(&mut self, end: bool) -> Result<()> {
        let (at, begin) = (self.whole(), self.open_message());
        let Some(skip) = &mut self.skip else { return Ok(()) };
        let Some(found) = skip.advance(end, at, begin)? else { return Ok(()) };
        skip.no_message = None;
        let at = at + found.after;
        let is_message = check_header(&found.rest).is_ok();
        skip.found(found);
        if is_message {
            let (index, rows) = self
                .frames
                .as_ref()
                .map_or((self.before.1, self.before.2), |it| (it.index(), it.rows()));
            (self.before, self.frames) = ((at, index, rows), None);
            return Ok(());
        }
        if self.frames.is_none() {
            self.frames = Some(self.new_frames());
        }
        self.frames.iter_mut().for_each(|frames| frames.skip_to(at));
        Ok(())
    }

    /// The source has no more bytes. Returns whether the stream ends here; if not, more frames are in the
    /// bytes that were read.
    ///
    /// # Errors
    /// [`StreamDecoder::cut`] gives the error. A decoder that skips damage ([`StreamDecoder::skipping`]) gives
    /// one only for bytes that are no message at all.
    pub fn ends(&mut self) -> Result<bool> {
        if self.skip.is_none() {
            return self.cut().map_or(Ok(true), Err);
        }
        self.advance();
        if self.search().is_none() && !self.bytes.is_empty() {
            let error = self.cut().unwrap_or_else(Error::no_memory);
            self.begin_search(error)?;
        }
        self.go_on(true)?;
        let Some(skip) = &mut self.skip else { return Ok(true) };
        let Some(search) = skip.search.take() else { return Ok(skip.is_empty()) };
        if let Some(error) = skip.no_message.take() {
            return Err(error);
        }
        skip.lost.0 += search.len() as u64;
        skip.lost.1 += search.rows() as u64;
        Ok(true)
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

/// Returns as many bytes as tell a message from other bytes, or fewer if there are fewer.
fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAGIC.len())]
}

/// Gives the error for a message the offset in its stream.
fn moved(error: Error, by: usize) -> Error {
    match by {
        0 => error,
        _ => error.within(format_args!("the message at byte {by} of the stream")).at_offset(by),
    }
}
