//! Bytes in memory: how they are written, varints, and text.

pub mod out;
pub mod text;
pub mod varint;
pub(crate) mod vector;
