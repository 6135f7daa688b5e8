//! Reads streams.

use std::ops::Range;
use std::sync::Arc;

use super::damage::Skip;
use crate::error::{Error, Result};
use crate::host_lock::HostLock;
use crate::limits::{MAX_STREAM_FRAME, max_frame, sized};
use crate::memory;
use crate::program::Program;
use crate::wire::message::{
    FrameMeta, FrameReader, MAGIC, MessageHeader, Metadata, PackedFrame, Position,
};

/// The most bytes that a decoder asks for at once. A damaged length must not cause a large request of
/// memory.
const MOST_WANTED: usize = 1 << 20;

/// At least this many bytes of a message are read at once, if it has them.
pub(super) const READ_AT_ONCE: usize = sized(1 << 16, 1 << 8);

/// Memory of a frame beyond this size is freed after it.
const KEPT_BYTES: usize = 32 << 20;

/// Reads a stream of one or more messages. It never asks for a byte after the part that it is reading.
///
/// The caller calls [`StreamDecoder::next_packed`], and [`StreamDecoder::fill`] when more bytes are
/// needed.
#[derive(Debug)]
pub struct StreamDecoder {
    /// The frames of the message that has begun, or what is before the one that begins next.
    pub(super) frames: FrameReader,
    /// The offset of the message that has begun, and the position of the log before it; `None` between messages.
    pub(super) message: Option<(usize, Option<Position>)>,
    /// Whether the caller has changed the source since the last rows were read.
    is_anew: bool,
    /// The length of the header of the message that has begun last, and its metadata.
    pub(super) header: (usize, Metadata),
    /// Bytes that were read. Those from `begin` on are what comes next, and the others were given.
    pub(super) bytes: Vec<u8>,
    pub(super) begin: usize,
    /// The length of the only message, if it is known.
    len: Option<usize>,
    /// The most bytes of a frame.
    most: usize,
    /// `None` if damage is an error.
    pub(super) skip: Option<Box<Skip>>,
    /// Whether the end of a message is the end.
    is_one: bool,
    /// Whether more bytes may come after the last.
    follows: bool,
    /// What to do about a stream that is cut.
    advice: Option<String>,
    /// Whether [`StreamDecoder::read_frame`] reads no more.
    is_ended: bool,
}

/// Reads bytes into the space. Returns their number, which is 0 at the end.
pub type ReadBytes<'a> = &'a mut dyn FnMut(&mut [u8]) -> Result<usize>;

impl Default for StreamDecoder {
    fn default() -> StreamDecoder {
        StreamDecoder {
            frames: FrameReader::default(),
            message: None,
            is_anew: false,
            header: (0, Metadata::new()),
            bytes: Vec::new(),
            begin: 0,
            len: None,
            most: MAX_STREAM_FRAME,
            skip: None,
            is_one: false,
            follows: false,
            advice: None,
            is_ended: false,
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

    /// Creates a decoder of one message of `len` bytes, which may be read beyond the frame that comes next. It has the
    /// errors of [`MessageReader`](crate::wire::message::MessageReader). Bytes are read into the memory of `bytes`.
    pub fn of_message(len: usize, mut bytes: Vec<u8>) -> StreamDecoder {
        bytes.clear();
        StreamDecoder { bytes, len: Some(len), most: usize::MAX, ..StreamDecoder::default() }
    }

    /// Returns the memory for another message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> StreamDecoder {
        self.frames.set_program(program);
        self
    }

    /// Refuses frames of streams that can't be of rows which take `bytes` bytes of memory at most, before it holds
    /// their bytes, and frames whose compressed bodies take more than so many bytes without compression.
    pub fn with_max_memory(mut self, bytes: usize) -> StreamDecoder {
        self.frames.set_max_memory(bytes);
        if self.len.is_none() {
            self.most = max_frame(bytes).min(MAX_STREAM_FRAME);
        }
        self
    }

    /// Lets other threads of a language run while the checksum of a frame is computed.
    pub fn with_host_lock(mut self, host_lock: HostLock) -> StreamDecoder {
        self.frames.set_host_lock(host_lock);
        self
    }

    /// Leaves out damaged frames instead of ending with an error, and what a cut stream has of its last
    /// one. The next whole frame is found even if the damage hides where it begins.
    pub fn skipping(mut self) -> StreamDecoder {
        self.skip = Some(Box::default());
        self
    }

    /// Makes the end of a message the end for [`StreamDecoder::read_frame`].
    pub fn one_stream(mut self) -> StreamDecoder {
        self.is_one = true;
        self
    }

    /// Expects that more bytes come after the last: [`StreamDecoder::read_frame`] forgets a part of a frame then.
    pub fn following(mut self) -> StreamDecoder {
        self.follows = true;
        self
    }

    /// Adds this to the error of a stream that is cut.
    pub fn with_advice(mut self, advice: String) -> StreamDecoder {
        self.advice = Some(advice);
        self
    }

    /// Sets the log that the source goes on with, and the number of rows before its first byte.
    pub fn at(mut self, first: Option<Position>) -> StreamDecoder {
        self.frames.set_log(first);
        self
    }

    /// The position of the row after those that were read, in its log; `None` outside of streams.
    pub fn position(&self) -> Option<Position> {
        match self.message {
            Some(_) => self.frames.position(),
            None => self.frames.log(),
        }
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

    /// The bytes that were read of what comes next.
    pub(super) fn held(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }

    /// The number of bytes that were read.
    pub fn consumed(&self) -> usize {
        self.whole() + self.held().len()
    }

    /// The number of bytes in the header and the frames that were read.
    pub fn whole(&self) -> usize {
        self.frames.at()
    }

    /// The number of rows in the frames that were read.
    pub fn rows(&self) -> usize {
        self.frames.rows()
    }

    /// The offset of the message that has begun and not ended; `None` if there is none.
    pub fn open_message(&self) -> Option<usize> {
        let message = self.message.filter(|_| !self.frames.is_at_end());
        message.map(|(begin, _)| begin)
    }

    /// Whether the bytes that were read are a stream that has begun and not ended.
    pub fn is_cut(&self) -> bool {
        let held = self.held();
        match self.message {
            Some(_) => !self.frames.is_at_end(),
            None => !held.is_empty() && MAGIC.starts_with(&held[..held.len().min(MAGIC.len())]),
        }
    }

    /// Whether the last frame of a message was read last.
    pub fn is_at_end(&self) -> bool {
        self.message.is_some() && self.frames.is_at_end()
    }

    pub(super) fn is_searching(&self) -> bool {
        self.skip.as_ref().is_some_and(|skip| skip.search.is_some())
    }

    /// Forgets the part of a header or frame that was read, so that it can be read again from offset
    /// [`StreamDecoder::consumed`]. The header of a message is forgotten too, if none of its frames was read:
    /// if its writer was killed there, another one may take its place.
    pub fn forget_part(&mut self) {
        self.leave_message();
        if self.is_searching() {
            return;
        }
        self.bytes.truncate(self.begin);
        let is_first = |(begin, _): &mut (usize, _)| *begin + self.header.0 == self.frames.at();
        if let Some((_, log)) = self.message.take_if(is_first) {
            self.frames.take_back(self.header.0, log);
        }
    }

    /// Begins with a new source, where the next message begins at its first byte. Rows and bytes are counted
    /// on. If it is a stream of the same log, rows that were read are passed over.
    pub fn begin_anew(&mut self) {
        let held = self.held().len();
        self.frames.skip(held);
        self.bytes.truncate(self.begin);
        self.frames.end();
        (self.message, self.is_anew) = (None, true);
        if let Some(skip) = &mut self.skip
            && skip.search.take().is_some()
        {
            skip.lost.0 += held as u64;
        }
    }

    /// Ends the message whose last frame was read. Returns whether there was one.
    pub(super) fn leave_message(&mut self) -> bool {
        let ends = self.is_at_end();
        if ends {
            self.frames.end();
            self.message = None;
        }
        ends
    }

    /// Returns the length of the header or frame that comes next, or of what must be read to know it.
    fn next_len(&self) -> Result<usize> {
        let (frames, held) = (&self.frames, self.held());
        let len = match self.message {
            Some(_) => frames.wanted(held),
            None => MessageHeader::wanted(held).map_err(|error| moved(error, frames.at()))?,
        };
        match self.len {
            Some(all) if len <= all - frames.at() => Ok(len),
            Some(all) if self.message.is_some() => Err(frames.cut(all)),
            // The header is cut.
            Some(all) if held.len() == all => MessageHeader::read(held).map(|header| header.len),
            None if self.message.is_none() => Ok(len),
            None if len > MAX_STREAM_FRAME => Err(frames.in_frame(&format!(
                "it claims {len} bytes, and a frame of a stream has {MAX_STREAM_FRAME} at most"
            ))),
            None if len > self.most => Err(frames.beyond_limit(&format!(
                "it has {len} bytes, and rows within the memory limit have {} at most",
                self.most
            ))),
            _ => Ok(len),
        }
    }

    /// Returns how many bytes `fill` will ask for.
    ///
    /// # Errors
    /// A decode error if a frame claims more bytes than any may have, a limit error if it has more than
    /// [`StreamDecoder::with_max_memory`] allows.
    pub fn wanted(&mut self) -> Result<usize> {
        if let Some(search) = self.skip.as_ref().and_then(|skip| skip.search.as_ref()) {
            return Ok(search.wanted().min(MOST_WANTED));
        }
        self.leave_message();
        let lacking = self.next_len()?.saturating_sub(self.held().len());
        Ok(match self.len {
            Some(all) => lacking.max(READ_AT_ONCE).min(all - self.consumed()),
            None => lacking.min(MOST_WANTED),
        })
    }

    /// Frees the bytes that were given.
    fn free_given(&mut self) {
        if self.begin < self.bytes.len() {
            self.bytes.drain(..self.begin);
        } else if self.bytes.capacity() > KEPT_BYTES && self.len.is_none() {
            self.bytes = Vec::new();
        } else {
            self.bytes.clear();
        }
        self.begin = 0;
    }

    /// Calls `read` with space for bytes that are needed. It returns how many it has read.
    ///
    /// # Errors
    /// A memory error, or an error of `read`. Then nothing was read.
    pub fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<usize> {
        let wanted = self.wanted()?;
        self.free_given();
        let had = self.bytes.len();
        memory::resize(&mut self.bytes, had + wanted, 0).map_err(|_| Error::no_memory())?;
        let result = read(&mut self.bytes[had..]);
        let read = result.as_ref().map_or(0, |read| *read);
        self.bytes.truncate(had + read.min(wanted));
        result
    }

    /// Takes the next bytes of the source: as many as are needed, or more. They are none at the end.
    ///
    /// # Errors
    /// A memory error.
    pub fn give(&mut self, bytes: &[u8]) -> Result<()> {
        self.free_given();
        memory::reserve(&mut self.bytes, bytes.len()).map_err(|_| Error::no_memory())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Calls `read`, which appends bytes that are needed to a vector. It gets their offsets in the source.
    ///
    /// # Errors
    /// An error of `read`.
    pub fn fill_from(
        &mut self,
        read: impl FnOnce(Range<usize>, &mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let wanted = self.wanted()?;
        self.free_given();
        let at = self.consumed();
        read(at..at + wanted, &mut self.bytes)
    }

    /// Returns what comes next. After an error nothing does.
    ///
    /// # Errors
    /// A decode error if the bytes are damaged or no stream.
    pub fn next_packed(&mut self) -> Result<Next<PackedFrame<'_>>> {
        self.next_meta()?.try_map(|meta| Ok(self.packed(meta)))
    }

    /// Like [`StreamDecoder::next_packed`], with the frame's bytes.
    ///
    /// # Errors
    /// See [`StreamDecoder::next_packed`].
    pub fn next_owned(&mut self) -> Result<Next<PackedFrame<'static>>> {
        self.next_meta()?.try_map(|meta| self.owned(meta))
    }

    /// Reads bytes until a frame is there. [`StreamDecoder::packed`] gives its bytes then. Returns `None` at the end.
    /// After an error of `read` the next call goes on where this one stopped. After any other error it finds nothing
    /// more.
    ///
    /// # Errors
    /// An error of `read`, a decode error if the bytes are damaged, cut or no stream, or a memory error.
    pub fn read_frame(&mut self, read: ReadBytes<'_>) -> Result<Option<FrameMeta>> {
        self.read_until(StreamDecoder::next_meta, read)
    }

    /// Reads the header of the first message, if none was read.
    ///
    /// # Errors
    /// See [`StreamDecoder::read_frame`].
    pub fn read_header(&mut self, read: ReadBytes<'_>) -> Result<()> {
        match self.has_begun() {
            true => Ok(()),
            false => self.read_until(StreamDecoder::next_header, read).map(drop),
        }
    }

    fn read_until<T>(
        &mut self,
        next: fn(&mut StreamDecoder) -> Result<Next<T>>,
        read: ReadBytes<'_>,
    ) -> Result<Option<T>> {
        if std::mem::replace(&mut self.is_ended, true) {
            return Ok(None);
        }
        loop {
            match next(self)? {
                Next::Frame(found) => {
                    self.is_ended = false;
                    return Ok(Some(found));
                }
                Next::End if self.is_one => return Ok(None),
                Next::End => continue,
                Next::More => {}
            }
            let mut has_failed = false;
            let count = self.fill(|space| read(space).inspect_err(|_| has_failed = true));
            self.is_ended = !has_failed;
            if count? > 0 {
                continue;
            }
            if self.follows {
                self.forget_part();
                self.is_ended = false;
                return Ok(None);
            }
            if self.ends()? {
                return Ok(None);
            }
        }
    }

    /// Whether [`StreamDecoder::read_frame`] reads no more.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Ends the stream for [`StreamDecoder::read_frame`].
    pub fn end(&mut self) {
        self.is_ended = true;
    }

    /// The frame that was read last.
    pub fn packed(&self, frame: FrameMeta) -> PackedFrame<'_> {
        let begin = self.begin - frame.frame_len();
        frame.with_bytes(&self.bytes[begin..self.begin])
    }

    /// Like [`StreamDecoder::packed`], with the frame's bytes.
    ///
    /// # Errors
    /// A memory error.
    pub fn owned(&mut self, frame: FrameMeta) -> Result<PackedFrame<'static>> {
        let len = frame.frame_len();
        if len == self.bytes.len() {
            self.begin = 0;
            return Ok(frame.with_bytes(std::mem::take(&mut self.bytes)));
        }
        let bytes = memory::copied(&self.bytes[self.begin - len..self.begin]);
        Ok(frame.with_bytes(bytes.map_err(|_| Error::no_memory())?))
    }

    /// Goes on until the header of the first message is read.
    ///
    /// # Errors
    /// See [`StreamDecoder::next_packed`].
    pub fn next_header(&mut self) -> Result<Next<()>> {
        while !self.has_begun() {
            if let Some(next) = self.step()? {
                return next.try_map(|_| Ok(()));
            }
        }
        Ok(Next::Frame(()))
    }

    fn next_meta(&mut self) -> Result<Next<FrameMeta>> {
        loop {
            if let Some(next) = self.step()? {
                return Ok(next);
            }
        }
    }

    /// Goes on with the bytes that were read. `None` if there is more to do. The bytes of a frame end at `begin` then.
    fn step(&mut self) -> Result<Option<Next<FrameMeta>>> {
        if self.is_searching() {
            self.search(false)?;
            return Ok(self.is_searching().then_some(Next::More));
        }
        if self.leave_message() || self.is_one_and_ended() {
            return self.end_message();
        }
        if self.skip.is_some()
            && let Some((error, claim)) = self.damage()
        {
            self.begin_search(error, claim)?;
            return Ok(None);
        }
        let len = self.next_len()?;
        if self.held().len() < len {
            return Ok(Some(Next::More));
        }
        if self.message.is_none() {
            self.begin_message()?;
            return Ok(None);
        }
        let next = &self.bytes[self.begin..self.begin + len];
        if let Some(skip) = &mut self.skip
            && let Some(head) = self.frames.framing().head(next)
        {
            skip.lost.1 += self.frames.go_on_at(head.position);
        }
        let meta = self.frames.check(next)?;
        self.begin += len;
        match meta {
            Some(meta) => Ok((!meta.is_passed_over).then_some(Next::Frame(meta))),
            None => {
                self.leave_message();
                self.end_message()
            }
        }
    }

    /// Whether no other message may follow.
    fn is_one_and_ended(&self) -> bool {
        self.len.is_some() && self.has_begun() && self.message.is_none()
    }

    /// A message has ended.
    fn end_message(&self) -> Result<Option<Next<FrameMeta>>> {
        self.len.map_or(Ok(()), |len| self.frames.check_end(len))?;
        Ok(Some(Next::End))
    }

    /// Begins to read the frames after the header of a message.
    fn begin_message(&mut self) -> Result<()> {
        let (at, log) = (self.frames.at(), self.frames.log());
        let header = MessageHeader::read(self.held()).map_err(|error| moved(error, at))?;
        let MessageHeader { len, stream, metadata } = &header;
        if metadata.is_none() {
            match &mut self.skip {
                Some(skip) => skip.lost.0 += *len as u64,
                None => {
                    return Err(moved(Error::decode("the metadata of the stream is damaged"), at));
                }
            }
        }
        // Rows before this one are passed over.
        let mut wanted_row = 0;
        let is_anew = std::mem::take(&mut self.is_anew);
        if let (Some(first), Some(log)) = (stream, log)
            && first.salt == log.salt
            && first.row != log.row
        {
            if is_anew {
                wanted_row = log.row;
                self.is_anew = first.row < log.row;
            } else if let Some(skip) = &mut self.skip {
                if first.row > 0 {
                    wanted_row = log.row;
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
        self.begin += *len;
        self.begin_frames(header, at);
        self.frames.begin_with_row(wanted_row);
        Ok(())
    }

    /// Begins to read the frames of the message at offset `at`.
    pub(super) fn begin_frames(&mut self, header: MessageHeader, at: usize) {
        self.message = Some((at, self.frames.log()));
        self.frames.begin(&header, at + header.len);
        if self.skip.is_some() {
            self.frames.forget_index();
        }
        self.header = (header.len, header.metadata.unwrap_or_default());
    }

    /// Returns the error of a stream that ends here; `None` if it may end here.
    pub fn cut(&self) -> Option<Error> {
        let error = match self.message {
            Some(_) if self.frames.is_at_end() => return None,
            Some(_) => self.frames.cut(self.consumed()),
            None if self.held().is_empty() => return None,
            None => moved(MessageHeader::read(self.held()).err()?, self.frames.at()),
        };
        Some(match &self.advice {
            Some(advice) if self.is_cut() => error.followed_by(advice),
            _ => error,
        })
    }
}

/// Gives the error for a message the offset in its stream.
pub(super) fn moved(error: Error, by: usize) -> Error {
    match by {
        0 => error,
        _ => error.within(format_args!("the message at byte {by} of the stream")).at_offset(by),
    }
}
