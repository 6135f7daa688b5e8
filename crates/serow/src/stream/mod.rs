//! Streams: rows to and from anything that writes or reads bytes.
//!
//! `frames` reads frames one after another, and `indexed` in any order.

mod append;
mod frames;
mod reader;
mod recover;
mod view;
mod writer;

pub use reader::{Frames, Reader};
pub use recover::{Recovered, recover};
pub use view::View;
pub use writer::Writer;
