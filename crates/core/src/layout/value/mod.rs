//! Rust [`Value`]s as a layout.

mod reader;
mod writer;

use crate::value::Value;
pub use reader::ValueReader;
pub use writer::ValueWriter;

/// Rows to be encoded.
#[derive(Clone, Copy, Debug)]
pub struct ValueRows<'a>(pub &'a [Value]);
