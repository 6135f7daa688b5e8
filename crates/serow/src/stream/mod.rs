//! Streams: rows to and from anything that writes or reads bytes.
//!
//! `frames` reads frames one after another, and `indexed` in any order. The rows that come from them
//! and go into them are of one of the `kinds`.

mod append;
mod frames;
mod indexed;
mod kinds;
mod reader;
mod writer;

pub use indexed::IndexedReader;
#[cfg(feature = "serde")]
pub use kinds::Typed;
pub use kinds::Values;
pub use reader::{Frames, Reader};
pub use writer::Writer;
