//! Follows the headers of the messages and frames in a file.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::wire::message::{Framing, Part};

/// Reads a range of a file, which is within the file, into the bytes. It replaces what they are.
pub type ReadAt<'a> = &'a mut dyn FnMut(Range<u64>, &mut Vec<u8>) -> Result<()>;

/// The parts of a file, by the lengths that their headers say. Only headers are read.
pub struct FileParts<'a> {
    len: u64,
    at: u64,
    /// How the next part begins; `None` if a message does.
    framing: Option<Framing>,
    read_at: ReadAt<'a>,
    bytes: Vec<u8>,
}

impl<'a> FileParts<'a> {
    /// The parts of a file of `len` bytes.
    pub fn of(len: u64, read_at: ReadAt<'a>) -> FileParts<'a> {
        FileParts { len, at: 0, framing: None, read_at, bytes: Vec::new() }
    }

    /// The length of the file.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The offset of the next part. It is beyond the end of the file if the last part is cut.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Whether a message begins next, or none.
    pub fn is_between(&self) -> bool {
        self.framing.is_none()
    }

    /// Reads a range of the file.
    ///
    /// # Errors
    /// An error of reading, and a decode error if the file has become shorter.
    pub fn read(&mut self, range: Range<u64>) -> Result<&[u8]> {
        let len = range.end - range.start;
        (self.read_at)(range.clone(), &mut self.bytes)?;
        match self.bytes.len() as u64 {
            had if had < len => Err(shorter(range.start + had)),
            _ => Ok(&self.bytes),
        }
    }

    /// Reads the header of the next part. `None` at the end of the file, or if the header is cut.
    ///
    /// # Errors
    /// A decode error if no part begins there, and an error of reading.
    pub fn next(&mut self) -> Result<Option<Part>> {
        let (at, framing) = (self.at, self.framing);
        if at >= self.len {
            return Ok(None);
        }
        let end = at.saturating_add(Part::head_len(framing) as u64);
        let part = Part::read(framing, self.read(at..end.min(self.len))?);
        let part = part.map_err(|error| match (framing, at) {
            (Some(_), _) => damaged(at),
            (None, 0) => error,
            (None, _) => in_file(at, format!("after the message that ends at byte {at}: {error}")),
        })?;
        if let Some(part) = &part {
            self.at = at.saturating_add(part.size() as u64);
            self.framing = part.next(framing);
        }
        Ok(part)
    }
}

/// The error for a place in a file.
pub fn in_file(at: u64, what: String) -> Error {
    Error::decode(what).at_offset(usize::try_from(at).unwrap_or(usize::MAX))
}

/// The error for a frame with a wrong header.
pub fn damaged(at: u64) -> Error {
    in_file(at, format!("the header of the frame at byte {at} is damaged"))
}

/// The error for a file that ends at byte `end` now.
pub fn shorter(end: u64) -> Error {
    Error::decode(format!("the file has become shorter since it was opened: it ends at byte {end}"))
}
