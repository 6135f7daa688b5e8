//! The index: the last frame of a stream. It says where the stream's frames are, and readers can do
//! without it.
//!
//! ```text
//! body     bytes of the header of the stream (varint), frames (varint)
//!          for each: bytes of the frame (varint), rows (varint), how many frames before it is the frame
//!          with its schema in band (varint)
//!          bytes of the index's whole frame, with its marker (8 bytes)
//! ```
//!
//! Its marker has the number of rows in the log. The length at the end, before the checksum, is where a reader finds the index from the end of a file.

use std::collections::HashMap;

use super::frame_header::CHECKSUM;
use super::header::STREAM_HEADER;
use super::marker::{Framing, MARKED_HEADER, Position};
use crate::bytes::out::Out;
use crate::bytes::varint;
use crate::error::{Corrupt, Fault, malformed};
use crate::memory;

/// Bytes at the end of a message with an index that are needed to find it.
pub const TAIL: usize = 8 + CHECKSUM;

/// An index that grows with the frames.
#[derive(Debug)]
pub struct Index {
    /// The bytes of the header of the stream.
    header: usize,
    frames: u64,
    entries: Vec<u8>,
    /// Fingerprints of the schemas, with the numbers of the frames that have them in band.
    schemas: HashMap<u64, u64>,
}

impl Index {
    /// The index of a stream with a header of so many bytes, without frames.
    pub fn of(header: usize) -> Index {
        Index { header, frames: 0, entries: Vec::new(), schemas: HashMap::new() }
    }

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
        out.varint(self.header as u64)?;
        out.varint(self.frames)?;
        out.extend(&self.entries)?;
        let frame = MARKED_HEADER + (out.len() - begin) + TAIL;
        out.extend(&(frame as u64).to_le_bytes())
    }

    /// Checks the body of an index that follows frames with this index.
    pub(super) fn check(&self, body: &[u8]) -> Result<(), Fault> {
        let mut rest = body;
        let (header, frames) = (varint::take(&mut rest), varint::take(&mut rest));
        let is_right = rest.split_last_chunk().is_some_and(|(entries, len)| {
            entries == self.entries
                && u64::from_le_bytes(*len) == (MARKED_HEADER + body.len() + CHECKSUM) as u64
        });
        match is_right && (header, frames) == (Some(self.header as u64), Some(self.frames)) {
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
    /// The position in its log that its marker says, if it has one.
    pub position: Option<Position>,
}

impl FrameEntry {
    /// Returns the entry with its numbers counted from the beginning of the file. So many frames and rows of the file
    /// come before the message.
    #[must_use]
    pub fn after(self, frames: usize, rows: u64) -> FrameEntry {
        FrameEntry { first_row: self.first_row + rows, schema: self.schema + frames, ..self }
    }
}

/// Returns the length in bytes of the index's frame at the end of a message, given the last [`TAIL`]
/// bytes and the most bytes that the message can have. `None` if the message can't end with an index.
pub fn len_of(tail: &[u8; TAIL], message: u64) -> Option<u64> {
    let len = tail.first_chunk().map(|len| u64::from_le_bytes(*len))?;
    let most = message.checked_sub(STREAM_HEADER as u64)?;
    (len >= (MARKED_HEADER + 2 + TAIL) as u64 && len <= most).then_some(len)
}

/// What an index says.
#[derive(Debug)]
pub struct Described {
    /// The offset of its stream.
    pub begin: u64,
    /// The position of the first row after the stream.
    pub end: Position,
    /// The frames of the stream.
    pub frames: Vec<FrameEntry>,
}

/// Reads the index `frame`, which is at offset `at`. `None` if the bytes are no index, or damaged.
///
/// # Errors
/// A fault if the index can't be right. Whether it describes the frames is not known until they are
/// read.
pub fn described(frame: &[u8], at: u64) -> Result<Option<Described>, Fault> {
    let Some((end, _)) = Position::read(frame) else { return Ok(None) };
    let head = Framing::Marked(end.salt).head(frame);
    let is_index = head.is_some_and(|head| {
        head.header.is_index() && head.len == frame.len() && head.is_intact(frame)
    });
    if !is_index {
        return Ok(None);
    }
    let Some(mut entries) = frame.get(MARKED_HEADER..frame.len() - TAIL) else {
        return Ok(malformed("the index is cut")?);
    };
    let header = varint::take(&mut entries).ok_or(CUT)?;
    let count = varint::take(&mut entries).ok_or(CUT)?;
    // An entry has three bytes at least.
    let count =
        usize::try_from(count).ok().filter(|count| *count <= entries.len() / 3).ok_or(CUT)?;
    let mut frames: Vec<FrameEntry> = memory::with_capacity(count)?;
    let mut next =
        FrameEntry { at: header, bytes: 0, first_row: 0, rows: 0, schema: 0, position: None };
    for number in 0..count {
        let mut take = || varint::take(&mut entries).ok_or(CUT);
        let (bytes, rows, back) = (take()?, take()?, take()?);
        let schema = usize::try_from(back).ok().and_then(|back| number.checked_sub(back));
        // The frame with a schema in band has this schema itself.
        let schema = schema.filter(|&of| of == number || frames[of].schema == of);
        let frame_end = next.at.checked_add(bytes).filter(|end| *end <= at);
        let end_row = next.first_row.checked_add(rows).filter(|row| *row <= end.row);
        let (Some(schema), Some(frame_end), Some(end_row), true) =
            (schema, frame_end, end_row, bytes >= LEAST_FRAME)
        else {
            return Ok(malformed("the index describes frames that can't be")?);
        };
        frames.push(FrameEntry { bytes, rows, schema, ..next });
        next = FrameEntry { at: frame_end, first_row: end_row, ..next };
    }
    let Some(begin) = at.checked_sub(next.at).filter(|_| entries.is_empty()) else {
        return Ok(malformed("the index does not describe the frames before it")?);
    };
    let first = end.row - next.first_row;
    for frame in &mut frames {
        frame.at += begin;
        frame.position = Some(Position { row: first + frame.first_row, ..end });
    }
    Ok(Some(Described { begin, end, frames }))
}

/// The fewest bytes of a frame.
pub const LEAST_FRAME: u64 = (MARKED_HEADER + CHECKSUM) as u64;

const CUT: Corrupt = Corrupt("the index is cut");
