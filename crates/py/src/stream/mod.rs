//! Streams: `StreamWriter` and `StreamReader`, the bases of `serow.Writer` and `serow.Reader`.

mod reader;
mod sink;
mod writer;

pub use reader::StreamReader;
pub use writer::StreamWriter;
