//! The parts of messages, which are headers and frames, and the way from one to the next.

use super::header::{MessageHeader, STREAM_HEADER};
use super::marker::{Framing, Head};
use crate::error::{Error, Result};

/// A part of messages that follow each other.
#[derive(Clone, Debug)]
pub enum Part {
    /// The header of a message, without its metadata.
    Header(MessageHeader),
    /// A frame.
    Frame(Head),
}

impl Part {
    /// Returns how many bytes [`Part::read`] needs.
    pub fn head_len(framing: Option<Framing>) -> usize {
        framing.map_or(STREAM_HEADER, Framing::head_len)
    }

    /// Reads the beginning of the part at the beginning of `bytes`: of a frame with this framing, or of a message if
    /// there is none. `None` if the bytes are too few.
    ///
    /// # Errors
    /// A decode error if no such part begins there.
    pub fn read(framing: Option<Framing>, bytes: &[u8]) -> Result<Option<Part>> {
        match framing {
            None => {
                MessageHeader::wanted(bytes)?;
                Ok(MessageHeader::fixed(bytes).map(Part::Header))
            }
            Some(framing) if bytes.len() < framing.head_len() => Ok(None),
            Some(framing) => match framing.head(bytes) {
                Some(head) => Ok(Some(Part::Frame(head))),
                None => Err(Error::decode("the header of the frame is damaged")),
            },
        }
    }

    /// The length of the part in bytes.
    pub fn size(&self) -> usize {
        match self {
            Part::Header(header) => header.len,
            Part::Frame(head) => head.len,
        }
    }

    /// The framing of the part after this one, which has the framing `own`; `None` if a message begins there.
    pub fn next(&self, own: Option<Framing>) -> Option<Framing> {
        match self {
            Part::Header(header) => Some(Framing::of(header.stream)),
            Part::Frame(head) => own.filter(|_| !head.header.is_last()),
        }
    }
}
