//! Streams: `StreamWriter` and `StreamReader`, the bases of `serow.Writer` and `serow.Reader`.

mod flushing;
mod log_file;
mod reader;
pub mod salvage;
mod sink;
mod writer;

pub use reader::StreamReader;
pub use writer::StreamWriter;
