//! The index: the last frame of a stream. It says where the stream's frames are, and readers can do
//! without it.
//!
//! ```text
//! body     frames (varint)
//!          for each: bytes of the frame (varint), rows (varint), how many frames before it is the frame
//!          with its schema in band (varint)
//!          bytes of the index's whole frame (8 bytes)
//! ```
//!
//! The length at the end, before the checksum, is where a reader finds the index from the end of a file.

use std::collections::HashMap;

use super::HEADER;
use super::frame_header::{CHECKSUM, FRAME_HEADER, FrameHeader};
use crate::bytes::out::Out;
use crate::bytes::varint;
use crate::error::{Corrupt, Fault, malformed};
use crate::limits::MAX_FRAME_ROWS;
use crate::memory;

/// Bytes at the end of a message with an index that are needed to find it.
pub const TAIL: usize = 8 + CHECKSUM;

/// An index that grows with the frames.
#[derive(Debug, Default)]
pub struct Index {
    frames: u64,
    entries: Vec<u8>,
    /// Fingerprints of the schemas, with the numbers of the frames that have them in band.
    schemas: HashMap<u64, u64>,
}

impl Index {
    /// The number of frames.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds the next frame, by its length in bytes, its number of rows, and its schema's fingerprint.
    ///
    /// # Errors
    /// A fault if there is no memory.
    pub fn add(&mut self, bytes: usize, rows: usize, schema: u64) -> Result<(), Fault> {
        self.schemas.try_reserve(1).map_err(|_| Fault::NoMemory)?;
        let in_band = *self.schemas.entry(schema).or_insert(self.frames);
        memory::reserve(&mut self.entries, 3 * varint::MAX_LEN)?;
        for number in [bytes as u64, rows as u64, self.frames - in_band] {
            varint::push(&mut self.entries, number);
        }
        self.frames += 1;
        Ok(())
    }

    /// Appends the body of the index's frame, which has no schema.
    pub(super) fn write(&self, out: &mut Out<'_>) -> Result<(), Fault> {
        let begin = out.len();
        out.varint(self.frames)?;
        out.extend(&self.entries)?;
        let frame = FRAME_HEADER + (out.len() - begin) + TAIL;
        out.extend(&(frame as u64).to_le_bytes())
    }

    /// Checks the body of an index that follows frames with this index.
    pub(super) fn check(&self, body: &[u8]) -> Result<(), Fault> {
        let mut rest = body;
        let frames = varint::take(&mut rest);
        let is_right = rest.split_last_chunk().is_some_and(|(entries, len)| {
            entries == self.entries
                && u64::from_le_bytes(*len) == (FRAME_HEADER + body.len() + CHECKSUM) as u64
        });
        match is_right && frames == Some(self.frames) {
            true => Ok(()),
            false => Err(Fault::Corrupt("the index does not describe the frames before it")),
        }
    }
}

/// The place of a frame, by what an index says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameEntry {
    /// The offset in bytes.
    pub at: u64,
    /// The length in bytes.
    pub bytes: u64,
    /// The number of rows in earlier frames.
    pub first_row: u64,
    /// The number of rows.
    pub rows: u64,
    /// The number of the frame that has the schema in band.
    pub schema: usize,
}

/// Returns the length in bytes of the index's frame at the end of a message, given the last [`TAIL`]
/// bytes and the most bytes that the message can have. `None` if the message can't end with an index.
pub fn len_of(tail: &[u8; TAIL], message: u64) -> Option<u64> {
    let len = tail.first_chunk().map(|len| u64::from_le_bytes(*len))?;
    let most = message.checked_sub(HEADER as u64)?;
    (len >= (FRAME_HEADER + 1 + TAIL) as u64 && len <= most).then_some(len)
}

/// Returns the offset of the message with the index `frame`, which is at offset `at`, and the entries of
/// the message's frames. `None` if the bytes are no index.
///
/// # Errors
/// A fault if the index can't be right. Whether it describes the frames is not known until they are
/// read.
pub fn frame_entries(frame: &[u8], at: u64) -> Result<Option<(u64, Vec<FrameEntry>)>, Fault> {
    let Some(header) = FrameHeader::take(frame) else { return Ok(None) };
    if !header.is_index() || header.frame_len() != Some(frame.len()) || !header.is_intact(frame) {
        return Ok(None);
    }
    let Some(mut entries) = frame.get(FRAME_HEADER..frame.len() - TAIL) else {
        return Ok(malformed("the index is cut")?);
    };
    let count = varint::take(&mut entries).ok_or(CUT)?;
    // An entry has three bytes at least.
    let count =
        usize::try_from(count).ok().filter(|count| *count <= entries.len() / 3).ok_or(CUT)?;
    let mut frames: Vec<FrameEntry> = memory::with_capacity(count)?;
    let mut next = FrameEntry { at: 0, bytes: 0, first_row: 0, rows: 0, schema: 0 };
    for number in 0..count {
        let mut take = || varint::take(&mut entries).ok_or(CUT);
        let (bytes, rows, back) = (take()?, take()?, take()?);
        let schema = usize::try_from(back).ok().and_then(|back| number.checked_sub(back));
        // The frame with a schema in band has this schema itself.
        let schema = schema.filter(|&of| of == number || frames[of].schema == of);
        let end = next.at.checked_add(bytes).filter(|end| *end <= at);
        let is_frame = bytes >= LEAST_FRAME && rows <= MAX_FRAME_ROWS as u64;
        let (Some(schema), Some(end), true) = (schema, end, is_frame) else {
            return Ok(malformed("the index describes frames that can't be")?);
        };
        frames.push(FrameEntry { bytes, rows, schema, ..next });
        next = FrameEntry { at: end, first_row: next.first_row + rows, ..next };
    }
    let Some(begin) = at.checked_sub(next.at + HEADER as u64).filter(|_| entries.is_empty()) else {
        return Ok(malformed("the index does not describe the frames before it")?);
    };
    frames.iter_mut().for_each(|frame| frame.at += begin + HEADER as u64);
    Ok(Some((begin, frames)))
}

/// The fewest bytes of a frame.
const LEAST_FRAME: u64 = (FRAME_HEADER + CHECKSUM) as u64;

const CUT: Corrupt = Corrupt("the index is cut");
