//! Reads frames of a file by their numbers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::file_index::{FileIndex, HEAD_GUESS};
use super::parts::shorter;
use crate::error::{Error, Result};
use crate::program::Program;
use crate::wire::message::index::FrameEntry;
use crate::wire::message::{FRAME_HEADER, FrameReader, Head, PackedFrame};

/// Reads the frames of a file in any order, and checks what its indexes say about them.
///
/// To read a frame, the caller first passes the bytes of its schema to [`SeekDecoder::give_schema`]
/// while [`SeekDecoder::schema_wanted`] wants any, then those of the frame to [`SeekDecoder::read`].
#[derive(Debug)]
pub struct SeekDecoder {
    index: FileIndex,
    frames: FrameReader,
    /// Fingerprints of the schemas that are known, by the numbers of the frames that have them in band.
    schemas: BTreeMap<usize, u64>,
    /// A frame with a schema that is longer than [`HEAD_GUESS`], and how many of its bytes are needed.
    long: Option<(usize, u64)>,
}

impl SeekDecoder {
    /// Creates a decoder of the file with this index.
    pub fn new(index: FileIndex) -> SeekDecoder {
        let (frames, schemas) = (FrameReader::default(), BTreeMap::new());
        SeekDecoder { index, frames, schemas, long: None }
    }

    /// Uses `program` for frames of its schema.
    pub fn with_program(mut self, program: Arc<Program>) -> SeekDecoder {
        self.frames.set_program(program);
        self
    }

    /// Refuses frames whose compressed bodies exceed this number of bytes without compression.
    pub fn with_max_memory(mut self, bytes: usize) -> SeekDecoder {
        self.frames.set_max_memory(bytes);
        self
    }

    /// The index.
    pub fn index(&self) -> &FileIndex {
        &self.index
    }

    /// Returns which bytes of the file are needed to know the schema of a frame, before the frame can be
    /// read; `None` if none are.
    pub fn schema_wanted(&self, frame: usize) -> Option<Range<u64>> {
        let of = self.index.entry(frame)?.schema;
        if of == frame || self.schemas.contains_key(&of) {
            return None;
        }
        let entry = self.index.entry(of)?;
        let len = self.long.filter(|(long, _)| *long == of).map_or(HEAD_GUESS, |(_, len)| len);
        Some(entry.at..entry.at + len.min(entry.bytes))
    }

    /// Takes the bytes that are needed to know the schema of a frame. More may be needed then.
    ///
    /// # Errors
    /// A decode error if the schema is invalid, or is not where the index says.
    pub fn give_schema(&mut self, frame: usize, bytes: &[u8]) -> Result<()> {
        let Some(wanted) = self.schema_wanted(frame) else { return Ok(()) };
        if bytes.len() as u64 != wanted.end - wanted.start {
            return Err(shorter(wanted.start + bytes.len() as u64));
        }
        let of = self.index.frames[frame].schema;
        let entry = self.jump(of)?;
        let head = self.frames.framing().head(bytes);
        let is_described = |Head { header, marker, .. }: &Head| {
            header.is_in_band() && (marker + header.body_at()) as u64 <= entry.bytes
        };
        let Some(Head { header, marker, .. }) = head.filter(is_described) else {
            return Err(self.frames.in_frame(&format!(
                "the index says that it has the schema of frame {frame}, but it has none"
            )));
        };
        let body_at = marker + header.body_at();
        match bytes.get(marker + FRAME_HEADER..body_at) {
            Some(type_list) => {
                let fingerprint = self.frames.learn(type_list)?;
                self.schemas.insert(of, fingerprint);
            }
            None => self.long = Some((of, body_at as u64)),
        }
        Ok(())
    }

    /// Checks the bytes of a frame, which are all bytes of its [`FrameEntry`].
    ///
    /// # Errors
    /// A decode error if the frame is damaged, or if it is not what the index says.
    pub fn read<'a>(&mut self, frame: usize, bytes: &'a [u8]) -> Result<PackedFrame<'a>> {
        let entry = self.jump(frame)?;
        if bytes.len() as u64 != entry.bytes {
            return Err(shorter(entry.at + bytes.len() as u64));
        }
        if self.schema_wanted(frame).is_some() {
            return Err(self.frames.in_frame("its schema was not given"));
        }
        let SeekDecoder { frames, schemas, .. } = self;
        let is_described = |Head { header, len, .. }: Head| {
            len == bytes.len()
                && header.rows() as u64 == entry.rows
                && (header.is_in_band() || entry.schema != frame)
        };
        if !frames.framing().head(bytes).is_some_and(is_described) {
            let FrameEntry { bytes, rows, .. } = entry;
            return Err(frames.in_frame(&format!(
                "the index says that it has {bytes} bytes and {rows} rows, but its header does not; \
                 one of them is damaged"
            )));
        }
        let other = "the index says that it has another schema; one of them is damaged";
        let (at, known) = (frames.at(), schemas.get(&entry.schema).copied());
        let meta = frames.check(bytes)?;
        let packed = meta.ok_or_else(|| Error::decode("an index is not a frame of rows"))?;
        let packed = packed.with_bytes(bytes);
        let fingerprint = packed.program.schema().fingerprint();
        match known {
            Some(known) if known != fingerprint => {
                let error = Error::decode(format!("frame {frame} (at byte {at}): {other}"));
                return Err(error.at_offset(at));
            }
            Some(_) => {}
            None => drop(schemas.insert(entry.schema, fingerprint)),
        }
        Ok(packed)
    }

    /// Returns the entry of frame `frame`. From now on errors name its place in the file.
    fn jump(&mut self, frame: usize) -> Result<FrameEntry> {
        let Some(entry) = self.index.entry(frame).copied() else {
            let frames = self.index.frames();
            return Err(Error::decode(format!("there is no frame {frame}: the file has {frames}")));
        };
        let (Ok(at), Ok(rows)) = (usize::try_from(entry.at), usize::try_from(entry.first_row))
        else {
            return Err(Error::limit("the file is too long for this machine"));
        };
        self.frames.jump((at, frame, rows), entry.position);
        Ok(entry)
    }
}

#[cfg(test)]
mod tests;
