//! Reads messages that are in memory as a whole.

use std::sync::Arc;

use super::{FrameReader, MessageHeader, PackedFrame, RawFrame};
use crate::error::{Error, Result};
use crate::host_lock::HostLock;
use crate::program::Program;

/// Reads a message, frame by frame.
#[derive(Debug)]
pub struct MessageReader<'a> {
    data: &'a [u8],
    frames: FrameReader,
    host_lock: HostLock,
}

impl<'a> MessageReader<'a> {
    /// Creates a reader of the message in `data`.
    ///
    /// # Errors
    /// A decode error if `data` is not a message, or has another version of the format.
    pub fn new(data: &'a [u8]) -> Result<MessageReader<'a>> {
        let header = MessageHeader::read(data)?;
        if header.metadata.is_none() {
            return Err(Error::decode("the metadata of the stream is damaged").at_offset(0));
        }
        let mut frames = FrameReader::default();
        frames.begin(&header, header.len);
        Ok(MessageReader { data, frames, host_lock: HostLock::NONE })
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
    pub fn with_host_lock(mut self, host_lock: HostLock) -> MessageReader<'a> {
        self.host_lock = host_lock;
        self.frames.set_host_lock(host_lock);
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
        let host_lock = self.host_lock;
        self.next_packed()?.map(|packed| packed.unpack_released(host_lock)).transpose()
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
            if let Some(meta) = self.frames.check(frame)? {
                return Ok(Some(meta.with_bytes(frame)));
            }
        }
        self.frames.check_end(self.data.len())?;
        Ok(None)
    }
}
