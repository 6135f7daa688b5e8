//! Messages: a header and a sequence of frames. A flag marks the last frame.
//!
//! ```text
//! message    "SROW", version (1), flags (0), two bytes of 0, frames
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
pub mod index;
mod reader;
mod schemas;
mod writer;

pub use frame_header::{CHECKSUM, FRAME_HEADER, FrameHeader};
pub use frames::{FrameMeta, FrameReader, PackedFrame, RawFrame};
pub use reader::{CopiedMessage, CopyBytes, MessageReader};
pub use writer::MessageWriter;

use crate::error::{Error, Result};
use crate::wire::compression::Compression;

/// The version of the format that this crate reads and writes.
pub const VERSION: u8 = 1;
/// Bytes of a message's header.
pub const HEADER: usize = 8;
const HEADER_BYTES: [u8; HEADER] = [b'S', b'R', b'O', b'W', VERSION, 0, 0, 0];
/// The first bytes of a message.
pub const MAGIC: &[u8; 4] = b"SROW";

/// The encoding of the rows in the body of a frame.
///
/// ```
/// use serow_core::wire::message::Wire;
///
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

/// Checks the first bytes of a message, which are fewer than [`HEADER`] only if the message ends there.
///
/// # Errors
/// A decode error if they don't begin a message, or one of another version of the format.
pub fn check_header(bytes: &[u8]) -> Result<()> {
    let error = |what: String| Err(Error::decode(what).at_offset(0));
    match bytes.get(..HEADER) {
        Some(header) if header == HEADER_BYTES => Ok(()),
        Some([b'S', b'R', b'O', b'W', VERSION, ..]) => {
            error("the message has flags that this version of serow does not know".into())
        }
        Some([b'S', b'R', b'O', b'W', version, ..]) => error(format!(
            "the message has version {version} of the format, but this serow reads version \
             {VERSION}; read it with the serow that wrote it, or with a later one"
        )),
        None if MAGIC.starts_with(&bytes[..bytes.len().min(4)]) => {
            error(format!("the message is cut after {} bytes", bytes.len()))
        }
        Some(_) | None => error("this is not a serow message: it does not begin with SROW".into()),
    }
}
