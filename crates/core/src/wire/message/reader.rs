//! Reads messages that are in memory as a whole.

use std::sync::Arc;

use super::{FrameHeader, FrameReader, PackedFrame, RawFrame, check_header};
use crate::error::{Error, Result};
use crate::program::Program;
use crate::wire::compression::Decompressor;

/// Reads a message, frame by frame.
#[derive(Debug)]
pub struct MessageReader<'a> {
    data: &'a [u8],
    frames: FrameReader,
    decompressor: Decompressor,
}

impl<'a> MessageReader<'a> {
    /// Creates a reader of the message in `data`.
    ///
    /// # Errors
    /// A decode error if `data` is not a message, or has another version of the format.
    pub fn new(data: &'a [u8]) -> Result<MessageReader<'a>> {
        check_header(data)?;
        let (frames, decompressor) = (FrameReader::new(), Decompressor::default());
        Ok(MessageReader { data, frames, decompressor })
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> MessageReader<'a> {
        self.frames.set_program(program);
        self
    }

    /// Offset in the message of the next frame, or of the message's end.
    pub fn at(&self) -> usize {
        self.frames.at()
    }

    /// Returns the next frame, or `None` after the last. The body of a compressed frame is in memory
    /// that the next frame reuses.
    ///
    /// # Errors
    /// A decode error if the frame is cut or damaged, or if bytes follow the last frame.
    pub fn next_frame(&mut self) -> Result<Option<RawFrame<'_>>> {
        let packed = self.next_packed()?;
        packed.map(|packed| packed.unpack(&mut self.decompressor)).transpose()
    }

    /// Like [`MessageReader::next_frame`], and leaves the body as it is.
    ///
    /// # Errors
    /// See [`MessageReader::next_frame`].
    pub fn next_packed(&mut self) -> Result<Option<PackedFrame<'a>>> {
        let (begin, data) = (self.frames.at(), self.data);
        if !self.frames.is_at_end() {
            let rest = &data[begin..];
            let header = FrameHeader::take(rest);
            let frame = header.and_then(|header| Some((header, rest.get(..header.frame_len()?)?)));
            let Some((header, frame)) = frame else { return Err(self.frames.cut(data.len())) };
            // An index is the end. Its frame is not returned.
            if !header.is_index() {
                return self.frames.check(&header, frame);
            }
            self.frames.check(&header, frame)?;
        }
        let end = self.frames.at();
        match data.len() - end {
            0 => Ok(None),
            spare => Err(Error::decode(format!(
                "there are {spare} bytes after the message's last frame, which ends at byte {end}"
            ))
            .at_offset(end)),
        }
    }
}
