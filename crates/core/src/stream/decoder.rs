//! Reads streams.

use std::sync::Arc;

use super::damage::{Claim, Search, Skip};
use crate::aside::Aside;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::{MAX_STREAM_FRAME, max_frame};
use crate::memory;
use crate::program::Program;
use crate::wire::message::{
    FrameReader, Framing, MAGIC, MessageHeader, Metadata, PackedFrame, Position,
};

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
    /// The log of the last stream, and how many of its rows were read, or lost.
    log: Option<Position>,
    /// Whether the caller has changed the source since the last rows were read.
    is_anew: bool,
    /// The length of the header of the message that has begun, and its metadata.
    header: (usize, Metadata),
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
            log: None,
            is_anew: false,
            header: (0, Metadata::new()),
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

    /// Sets the log that the source goes on with, and the number of rows before its first byte.
    pub fn at(mut self, first: Option<Position>) -> StreamDecoder {
        self.log = first;
        self
    }

    /// The position of the row after those that were read, in its log; `None` outside of streams.
    pub fn position(&self) -> Option<Position> {
        self.frames.as_ref().map_or(self.log, FrameReader::position)
    }

    /// The length of the header of the message that has begun, in bytes.
    pub fn header_len(&self) -> usize {
        self.header.0
    }

    /// The metadata of the stream that has begun last. It is empty if there is none, or if it is damaged.
    pub fn metadata(&self) -> &Metadata {
        &self.header.1
    }

    /// Whether the header of a message was read.
    pub fn has_begun(&self) -> bool {
        self.header.0 > 0
    }

    /// The numbers of bytes and rows that were skipped. The number of rows is exact if a whole frame or the index
    /// of the log follows, and may be too small otherwise.
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
        let begin = self.before.0 + self.header.0;
        self.frames.take_if(|frames| frames.at() == begin);
    }

    /// Begins with a new source, where the next message begins at its first byte. Rows and bytes are counted
    /// on. If it is a stream of the same log, rows that were read are passed over.
    pub fn begin_anew(&mut self) {
        self.advance();
        self.log = self.frames.as_ref().map_or(self.log, FrameReader::wanted_position);
        self.before = (self.consumed(), self.before.1, self.rows());
        (self.frames, self.is_taken, self.is_anew) = (None, false, true);
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
            self.log = frames.wanted_position().or(self.log);
        }
    }

    /// Returns how many bytes of the header or frame are lacking.
    fn lacking(&self) -> Result<usize> {
        let len = match &self.frames {
            None => {
                MessageHeader::wanted(&self.bytes).map_err(|error| moved(error, self.before.0))?
            }
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
    fn step<'a, 'f>(
        &'a mut self,
        take: impl FnOnce(&mut FrameReader, &'a mut Vec<u8>) -> Result<Option<PackedFrame<'f>>>,
    ) -> Result<Next<PackedFrame<'f>>> {
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
            && let Some((error, claim)) = self.damage()
        {
            self.begin_search(error, claim)?;
            return Ok(Next::More);
        }
        if self.lacking()? > 0 {
            return Ok(Next::More);
        }
        if self.frames.is_none() {
            self.begin_message()?;
            return Ok(Next::More);
        }
        let StreamDecoder { frames: slot, before, log, bytes, is_taken, skip, .. } = self;
        let Some(frames) = slot else { return Ok(Next::More) };
        if let Some(skip) = skip
            && let Some(head) = frames.framing().head(bytes)
        {
            skip.lost.1 += frames.go_on_at(head.position);
        }
        *is_taken = true;
        match take(frames, bytes)? {
            Some(frame) if frame.is_passed_over => Ok(Next::More),
            Some(frame) => Ok(Next::Frame(frame)),
            None => {
                *before = (frames.at(), frames.index(), frames.rows());
                *log = frames.wanted_position().or(*log);
                *slot = None;
                Ok(Next::End)
            }
        }
    }

    /// Begins to read the frames after the header of a message.
    fn begin_message(&mut self) -> Result<()> {
        let at = self.before.0;
        let header = MessageHeader::read(&self.bytes).map_err(|error| moved(error, at))?;
        let MessageHeader { len, stream, metadata } = &header;
        if metadata.is_none() {
            match &mut self.skip {
                Some(skip) => skip.lost.0 += *len as u64,
                None => return Err(moved(Error::decode("its metadata is damaged"), at)),
            }
        }
        let (mut frames, mut goes_on) = (self.new_frames(&header), false);
        if let (Some(first), Some(log)) = (stream, self.log)
            && first.salt == log.salt
            && first.row != log.row
        {
            if self.is_anew {
                frames.begin_with_row(log.row);
                goes_on = first.row < log.row;
            } else if let Some(skip) = &mut self.skip {
                if first.row > 0 {
                    frames.begin_with_row(log.row);
                    skip.lost.1 += first.row.saturating_sub(log.row);
                }
            } else if first.row > 0 {
                let what = format!(
                    "it begins with row {} of the log, and row {} was expected: a part of the file is missing, or \
                     there twice",
                    first.row, log.row
                );
                return Err(moved(Error::decode(what), at));
            }
        }
        (self.is_anew, self.frames) = (goes_on, Some(frames));
        self.header = (*len, header.metadata.unwrap_or_default());
        self.bytes.clear();
        Ok(())
    }

    /// Creates the reader of the frames after a header.
    fn new_frames(&self, header: &MessageHeader) -> FrameReader {
        let mut frames = FrameReader::after(header, self.before);
        frames.set_aside(self.aside);
        self.program.iter().for_each(|program| frames.set_program(program.clone()));
        self.max_memory.iter().for_each(|bytes| frames.set_max_memory(*bytes));
        if self.skip.is_some() {
            frames.forget_index();
        }
        frames
    }

    /// Returns what is wrong with the bytes of the next header or frame, and what is known of the frame; `None` if
    /// nothing is wrong, or if they are too few to tell.
    fn damage(&self) -> Option<(Error, Option<Claim>)> {
        let bytes = &self.bytes;
        let Some(frames) = &self.frames else {
            let error = MessageHeader::wanted(bytes).err()?;
            return Some((moved(error, self.before.0), None));
        };
        let framing = frames.framing();
        if bytes.len() < framing.head_len() {
            return None;
        }
        let damaged = || frames.in_frame("its bytes were damaged on the way");
        let Some(head) = framing.head(bytes).filter(|head| head.len <= MAX_STREAM_FRAME) else {
            return Some((damaged(), None));
        };
        let claim = Claim::of(&head, frames.position());
        if head.len > bytes.len() {
            return None;
        }
        if claim.is_repeated {
            return Some((frames.in_frame("its rows came before"), Some(claim)));
        }
        if !head.is_intact(bytes) {
            return Some((damaged(), Some(claim)));
        }
        let named = head.header.named(head.unmarked(bytes))?;
        let is_unknown = !frames.knows(named);
        let error = || frames.in_frame("the frame with its schema is damaged or missing");
        is_unknown.then(|| (error(), Some(claim)))
    }

    /// Searches for the next frame or header.
    fn begin_search(&mut self, error: Error, claim: Option<Claim>) -> Result<()> {
        let log = self.position().or(self.log);
        let since = self.open_message().map(|begin| self.whole() - begin);
        let StreamDecoder { frames, before, bytes, skip: Some(skip), .. } = self else {
            return Err(error);
        };
        if frames.is_none() && before.0 == 0 {
            skip.no_message = Some(error);
        }
        let framing = frames.as_ref().map(FrameReader::framing);
        // The schema may be what is not damaged. If it is, no frame names it, because its fingerprint is another one.
        if claim.is_some()
            && let Some(frames) = frames
            && let Some(head) = frames.framing().head(bytes)
            && let Some(type_list) = head.header.type_list(head.unmarked(bytes))
            && let Err(error) = frames.learn(type_list)
            && error.kind() == ErrorKind::Memory
        {
            return Err(error);
        }
        let held = skip.with_rest(std::mem::take(bytes))?;
        skip.search = Some(Search::new(held, claim, (framing, since), log));
        self.go_on(false)
    }

    /// Goes on with the search, in bytes that are at their `end` or not.
    fn go_on(&mut self, end: bool) -> Result<()> {
        let at = self.whole();
        let Some(skip) = &mut self.skip else { return Ok(()) };
        let Some(found) = skip.search.as_mut().and_then(|search| search.advance(end)) else {
            return Ok(());
        };
        (skip.no_message, skip.search) = (None, None);
        let at = at + found.after;
        let marked = Position::read(found.bytes()).map(|(first, _)| first);
        let is_header = !found.bytes().is_empty() && MessageHeader::wanted(found.bytes()).is_ok();
        let next = found.next;
        skip.found(found);
        if is_header {
            let counts = |frames: &FrameReader| (frames.index(), frames.rows());
            let (index, rows) = self.frames.as_ref().map_or((self.before.1, self.before.2), counts);
            self.log = next.or(self.position()).or(self.log);
            (self.before, self.frames) = ((at, index, rows), None);
            return Ok(());
        }
        let framing = self.frames.as_ref().map(FrameReader::framing);
        match marked {
            Some(first) if framing != Some(Framing::Marked(first.salt)) => {
                // The header of its stream is damaged.
                let row = self.log.filter(|log| log.salt == first.salt).unwrap_or(first);
                let len = at - self.before.0;
                let header = MessageHeader { len, stream: Some(row), metadata: None };
                self.frames = Some(self.new_frames(&header));
                self.header = (len, Metadata::new());
            }
            _ => self.frames.iter_mut().for_each(|frames| frames.skip_to(at, next)),
        }
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
            let head = self.frames.as_ref().and_then(|frames| {
                let head = frames.framing().head(&self.bytes)?;
                Some(Claim::of(&head, frames.position()))
            });
            self.begin_search(error, head)?;
        }
        self.go_on(true)?;
        let Some(skip) = &mut self.skip else { return Ok(true) };
        let Some(search) = skip.search.take() else { return Ok(skip.is_empty()) };
        if let Some(error) = skip.no_message.take() {
            return Err(error);
        }
        skip.lost.0 += search.len() as u64;
        skip.lost.1 += search.rows();
        Ok(true)
    }

    /// Returns the error of a stream that ends here; `None` if it may end here.
    pub fn cut(&self) -> Option<Error> {
        match &self.frames {
            Some(frames) if frames.is_at_end() => None,
            Some(frames) => Some(frames.cut(self.consumed())),
            None if self.is_taken || self.bytes.is_empty() => None,
            None => {
                let error = MessageHeader::read(&self.bytes).err();
                error.map(|error| moved(error, self.before.0))
            }
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
