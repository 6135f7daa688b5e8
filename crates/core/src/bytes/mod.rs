//! Bytes in memory: output buffers, varints and text.

pub mod out;
pub(crate) mod search;
pub mod shared;
pub mod text;
pub mod thread_buffer;
pub mod varint;
pub(crate) mod vector;
