//! Messages: a header and a sequence of frames. A flag marks the last frame.
//!
//! ```text
//! message    "SROW", version (1), flags (0), two bytes of 0, frames
//! stream      0  "SROW", version (1), flags (1), two bytes of 0
//!             8  salt of the log (8 bytes)
//!            16  number of the first row in the log (8 bytes)
//!            24  bytes of the metadata (4 bytes)
//!            28  the first four bytes of the xxh3-64 of all bytes before it
//!            32  metadata, and its xxh3-64 (8 bytes), unless it has no bytes
//!                frames, each after a marker; the last one is the index
//! marker      0  f5, "row"
//!             4  salt of the log (8 bytes)
//!            12  number of the frame's first row in the log (8 bytes)
//!            20  the first four bytes of the xxh3-64 of all bytes before it and the header of the frame
//! frame       0  content (one byte): 0 row wire, 1 frame wire, 2 index
//!             1  flags (one byte): 1 last frame, 2 schema in band
//!             2  compression of the body (one byte): 0 none, 1 zstd, 2 LZ4
//!             3  0
//!             4  rows (4 bytes)
//!             8  bytes of the schema (4 bytes), or 0
//!            12  four bytes of 0
//!            16  bytes of the body (8 bytes)
//!            24  schema, or the 8-byte fingerprint of a schema in an earlier frame
//!                body
//!                xxh3-64 of all bytes of the frame before it (8 bytes)
//! ```
//!
//! All numbers are little-endian.

mod frame_header;
mod frames;
mod header;
pub mod index;
mod marker;
mod part;
mod reader;
mod schemas;
mod writer;

pub use frame_header::{CHECKSUM, FRAME_HEADER, FrameHeader};
pub use frames::{FrameMeta, FrameReader, PackedFrame, RawFrame};
pub use header::{
    HEADER, MAX_METADATA, MessageHeader, Metadata, STREAM_HEADER, metadata_bytes, metadata_of,
};
pub use marker::{Framing, Head, MARK, MARKED_HEADER, MARKER, Position};
pub use part::Part;
pub use reader::MessageReader;
pub use writer::MessageWriter;

use crate::wire::compression::Compression;

/// The version of the format that this crate reads and writes.
pub const VERSION: u8 = 1;
/// The first bytes of a message.
pub const MAGIC: &[u8; 4] = b"SROW";

/// The encoding of the rows in the body of a frame.
///
/// ```
/// # use serow_core::wire::message::Wire;
/// assert_eq!(Wire::parse("row"), Some(Wire::Row));
/// assert_eq!(Wire::Frame.name(), "frame");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// One record after another; see [`row`](crate::wire::row).
    Row,
    /// One column after another; see [`frame`](crate::wire::frame).
    Frame,
}

impl Wire {
    /// Returns the wire with this name, `row` or `frame`.
    pub fn parse(name: &str) -> Option<Wire> {
        match name {
            "row" => Some(Wire::Row),
            "frame" => Some(Wire::Frame),
            _ => None,
        }
    }

    /// Returns the wire's name.
    pub fn name(self) -> &'static str {
        match self {
            Wire::Row => "row",
            Wire::Frame => "frame",
        }
    }
}

/// How the frames of a message are written: by default in the frame wire, without compression.
///
/// ```
/// use serow_core::wire::compression::Compression;
/// use serow_core::wire::message::{Format, Wire};
///
/// let format = Format::from(Wire::Row).compressed(Compression::Lz4);
/// assert_eq!((format.wire, format.compression), (Wire::Row, Compression::Lz4));
/// assert_eq!(Format::default(), Wire::Frame.into());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// The encoding of the rows.
    pub wire: Wire,
    /// The compression of the bodies.
    pub compression: Compression,
}

impl Format {
    /// Returns the format with this compression.
    pub fn compressed(self, compression: Compression) -> Format {
        Format { compression, ..self }
    }
}

impl Default for Format {
    fn default() -> Format {
        Wire::Frame.into()
    }
}

impl From<Wire> for Format {
    fn from(wire: Wire) -> Format {
        Format { wire, compression: Compression::None }
    }
}
