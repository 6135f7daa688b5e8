//! The row wire: one self-contained record after another.
//!
//! ```text
//! record    bytes of the value (4 bytes), value
//! i64       zigzag varint
//! f64       8 bytes
//! str       length (varint), generalised UTF-8
//! bool      one byte, 0 or 1
//! null      nothing
//! optional  one byte, 0 or 1; if 1, the value
//! fixed     the fields, one after another
//! sequence  number of elements (varint), the elements
//! union     index of the arm (varint), the value
//! ```
//!
//! A record depends on nothing but the schema, so records may be moved and concatenated.

mod reader;
mod writer;

pub use reader::{FREE_CONTAINERS, RowReader, RowReaderContext, SLACK};
pub use writer::{FULL_OF_CONTAINERS, RowWriter, RowWriterContext, ZeroSizedCounts};

use crate::layout::LayoutKind;

/// The kind of records: of [`RowReader`] with a [`RowReaderContext`] as a source, and of
/// [`RowWriter`] with a [`RowWriterContext`] as a sink.
pub static ROW: LayoutKind = LayoutKind::new("row");

/// The number of bytes of a record's length.
pub const LENGTH: usize = 4;
