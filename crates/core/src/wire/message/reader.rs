//! Reads messages that are in memory as a whole.

use std::ops::Range;
use std::sync::Arc;

use super::{FrameReader, HEADER, MessageHeader, PackedFrame, RawFrame};
use crate::aside::Aside;
use crate::error::{Error, Result};
use crate::limits::sized;
use crate::memory;
use crate::program::Program;

/// Reads a message, frame by frame.
#[derive(Debug)]
pub struct MessageReader<'a> {
    data: &'a [u8],
    frames: FrameReader,
    aside: Aside,
}

impl<'a> MessageReader<'a> {
    /// Creates a reader of the message in `data`.
    ///
    /// # Errors
    /// A decode error if `data` is not a message, or has another version of the format.
    pub fn new(data: &'a [u8]) -> Result<MessageReader<'a>> {
        let frames = begin(&MessageHeader::read(data)?)?;
        Ok(MessageReader { data, frames, aside: Aside::NONE })
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> MessageReader<'a> {
        self.frames.set_program(program);
        self
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn with_max_memory(mut self, bytes: usize) -> MessageReader<'a> {
        self.frames.set_max_memory(bytes);
        self
    }

    /// Lets other threads of a language run while a frame is checked or decompressed.
    pub fn with_aside(mut self, aside: Aside) -> MessageReader<'a> {
        self.aside = aside;
        self.frames.set_aside(aside);
        self
    }

    /// Offset in the message of the next frame, or of the message's end.
    pub fn at(&self) -> usize {
        self.frames.at()
    }

    /// Returns the next frame, or `None` after the last.
    ///
    /// # Errors
    /// A decode error if the frame is cut or damaged, or if bytes follow the last frame.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'a>>> {
        let aside = self.aside;
        self.next_packed()?.map(|packed| packed.unpack_aside(aside)).transpose()
    }

    /// Like [`MessageReader::next_frame`], but does not decompress the body.
    ///
    /// # Errors
    /// See [`MessageReader::next_frame`].
    pub fn next_packed(&mut self) -> Result<Option<PackedFrame<'a>>> {
        if !self.frames.is_at_end() {
            let rest = &self.data[self.frames.at()..];
            let frame = rest.get(..self.frames.wanted(rest));
            let frame = frame.ok_or_else(|| self.frames.cut(self.data.len()))?;
            if let Some(packed) = self.frames.take(frame)? {
                return Ok(Some(packed));
            }
        }
        self.frames.check_end(self.data.len())?;
        Ok(None)
    }
}

/// Begins to read the frames after the header of a message.
fn begin(header: &MessageHeader) -> Result<FrameReader> {
    match &header.metadata {
        Some(_) => Ok(FrameReader::after(header, (0, 0, 0))),
        None => Err(Error::decode("the metadata of the stream is damaged").at_offset(0)),
    }
}

/// At least this many bytes are copied at once, if the message has them.
const COPIED_AT_ONCE: usize = sized(1 << 16, 1 << 8);

/// Reads a message that must be copied before it is read, frame by frame, because its owner may change
/// or move it.
#[derive(Debug)]
pub struct CopiedMessage {
    len: usize,
    frames: FrameReader,
    /// Bytes of the message, from the offset `start` on.
    bytes: Vec<u8>,
    start: usize,
}

/// Appends these bytes of the message to the vector.
pub type CopyBytes<'a> = &'a mut dyn FnMut(Range<usize>, &mut Vec<u8>) -> Result<()>;

impl CopiedMessage {
    /// Begins with a message of `len` bytes. The copies are in the memory of `bytes`.
    ///
    /// # Errors
    /// As for [`MessageReader::new`], and the errors of `copy`.
    pub fn new(len: usize, mut bytes: Vec<u8>, copy: CopyBytes<'_>) -> Result<CopiedMessage> {
        bytes.clear();
        let frames = FrameReader::after(&MessageHeader::plain(), (0, 0, 0));
        let mut message = CopiedMessage { len, frames, bytes, start: 0 };
        let (mut had, mut wanted) = (0, HEADER);
        while wanted > had {
            message.load(0..wanted.min(len), copy)?;
            (had, wanted) = (wanted, MessageHeader::wanted(&message.bytes)?);
        }
        message.frames = begin(&MessageHeader::read(&message.bytes)?)?;
        Ok(message)
    }

    /// Uses `program` for frames of its schema.
    pub fn set_program(&mut self, program: Arc<Program>) {
        self.frames.set_program(program);
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn set_max_memory(&mut self, bytes: usize) {
        self.frames.set_max_memory(bytes);
    }

    /// Returns the memory for another message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Copies these bytes, and perhaps more, and returns their place in `bytes`.
    fn load(&mut self, range: Range<usize>, copy: CopyBytes<'_>) -> Result<Range<usize>> {
        let has = self.start + self.bytes.len();
        if range.start >= has {
            self.bytes.clear();
            self.start = range.start;
        } else if range.end > has {
            self.bytes.drain(..range.start - self.start);
            self.start = range.start;
        }
        let has = self.start + self.bytes.len();
        if range.end > has || has == 0 {
            let end = range.end.max(range.start + COPIED_AT_ONCE).min(self.len);
            copy(has..end, &mut self.bytes)?;
        }
        Ok(range.start - self.start..range.end - self.start)
    }

    /// Copies the next frame, which may be the index. Returns its place in `bytes`.
    fn next(&mut self, copy: CopyBytes<'_>) -> Result<Option<Range<usize>>> {
        if self.frames.is_at_end() {
            self.frames.check_end(self.len)?;
            return Ok(None);
        }
        let begin = self.frames.at();
        let head = self.frames.framing().head_len();
        let header = self.load(begin..self.len.min(begin + head), copy)?;
        let end = begin.checked_add(self.frames.wanted(&self.bytes[header]));
        match end.filter(|end| *end <= self.len) {
            Some(end) => self.load(begin..end, copy).map(Some),
            None => Err(self.frames.cut(self.len)),
        }
    }

    /// As [`MessageReader::next_packed`].
    ///
    /// # Errors
    /// See [`MessageReader::next_frame`], and the errors of `copy`.
    pub fn next_packed(&mut self, copy: CopyBytes<'_>) -> Result<Option<PackedFrame<'_>>> {
        let Some(frame) = self.next(copy)? else { return Ok(None) };
        let packed = self.frames.take(&self.bytes[frame])?;
        if packed.is_none() {
            self.frames.check_end(self.len)?;
        }
        Ok(packed)
    }

    /// Like [`CopiedMessage::next_packed`], with the frame's bytes.
    ///
    /// # Errors
    /// See [`CopiedMessage::next_packed`].
    pub fn next_owned(&mut self, copy: CopyBytes<'_>) -> Result<Option<PackedFrame<'static>>> {
        let Some(frame) = self.next(copy)? else { return Ok(None) };
        let packed = if frame == (0..self.bytes.len()) {
            let packed = self.frames.take_owned(&mut self.bytes)?;
            self.start += if packed.is_some() { frame.end } else { 0 };
            packed
        } else {
            let mut copy = memory::copied(&self.bytes[frame]).map_err(|_| Error::no_memory())?;
            self.frames.take_owned(&mut copy)?
        };
        if packed.is_none() {
            self.frames.check_end(self.len)?;
        }
        Ok(packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{OneThread, dumps};
    use crate::layout::value::ValueRows;
    use crate::stream::{Put, StreamEncoder};
    use crate::testing::{int, written};
    use crate::value::Value;
    use crate::wire::message::Wire;

    /// The frames, or the error, of a message that is read in one of two ways.
    fn frames(data: &[u8], is_owned: bool) -> Result<Vec<(usize, usize, Vec<u8>)>> {
        let copy: CopyBytes<'_> = &mut |range, to| {
            to.extend_from_slice(&data[range]);
            Ok(())
        };
        let mut message = CopiedMessage::new(data.len(), vec![7; 3], copy)?;
        let mut found = Vec::new();
        let mut note = |raw: &RawFrame<'_>| found.push((raw.at, raw.rows, raw.body().to_vec()));
        loop {
            if is_owned {
                let owned = match message.next_owned(copy) {
                    Ok(Some(owned)) => owned,
                    Ok(None) => return Ok(found),
                    Err(error) => {
                        assert_eq!(message.next_owned(copy).unwrap_err(), error);
                        return Err(error);
                    }
                };
                note(&owned.unpack()?);
            } else {
                let Some(packed) = message.next_packed(copy)? else { return Ok(found) };
                note(&packed.unpack()?);
            }
        }
    }

    fn whole(data: &[u8]) -> Result<Vec<(usize, usize, Vec<u8>)>> {
        let (mut message, mut found) = (MessageReader::new(data)?, Vec::new());
        while let Some(raw) = message.next_frame()? {
            found.push((raw.at, raw.rows, raw.body().to_vec()));
        }
        Ok(found)
    }

    #[test]
    fn a_copied_message_is_read_as_a_whole_one() {
        let mut stream = Vec::new();
        let put: Put<'_> = &mut |bytes| {
            stream.extend_from_slice(bytes);
            Ok(())
        };
        let mut encoder = StreamEncoder::begin(Wire::Row, None, put).unwrap();
        let long = [COPIED_AT_ONCE, 4 * COPIED_AT_ONCE];
        for text in [3, 70, long[0], 5, long[1], 10, 20].map(|len| "x".repeat(len)) {
            let rows = [Value::from(text.as_str()), int(7)];
            encoder.write(&ValueRows(&rows), &OneThread, &mut 0, put).unwrap();
            encoder.flush(put).unwrap();
        }
        encoder.finish(put).unwrap();
        let rows: Vec<Value> = (0..200).map(int).collect();
        let message = written(|room| dumps(&ValueRows(&rows), Some(Wire::Frame), room));
        for data in [stream, message.unwrap()] {
            let places = (0..data.len()).step_by(data.len() / sized(50, 10) + 1);
            let cut = places.clone().map(|len| data[..len].to_vec());
            let longer = [data.clone(), [&data[..], b"more"].concat()];
            let damaged = places.map(|at| {
                let mut damaged = data.clone();
                damaged[at] ^= 4;
                damaged
            });
            for message in cut.chain(longer).chain(damaged) {
                let text = |result: Result<_>| result.map_err(|error: Error| error.to_string());
                let expected = text(whole(&message));
                assert!(text(frames(&message, false)) == expected);
                assert!(text(frames(&message, true)) == expected);
            }
        }
    }
}
