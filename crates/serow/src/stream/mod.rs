//! Streams: rows to and from anything that writes or reads bytes.
//!
//! `frames` reads frames one after another, and `indexed` in any order.

mod append;
mod frames;
mod indexed;
mod reader;
mod recover;
mod writer;

pub use indexed::IndexedReader;
pub use reader::{Frames, Reader};
pub use recover::{Recovered, recover};
pub use writer::Writer;
