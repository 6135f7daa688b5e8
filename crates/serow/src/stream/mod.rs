//! Streams: rows to and from anything that writes or reads bytes.
//!
//! `frames` reads frames one after another, and `indexed` in any order.

mod append;
mod frames;
mod indexed;
mod reader;
mod writer;

pub use indexed::IndexedReader;
pub use reader::{Frames, Reader};
pub use writer::Writer;
