//! Streams: messages of any length, written and read frame by frame. This module does no input and
//! output: the languages move the bytes.

mod ahead;
mod damage;
mod decoder;
mod encoder;
mod file_index;
mod output;
mod parts;
mod records;
mod salvage;
mod schemas;
mod seek;
#[cfg(test)]
mod tests;
mod view;

pub use ahead::Ahead;
pub use decoder::{Next, ReadBytes, StreamDecoder};
pub use encoder::{Put, StreamEncoder};
pub use file_index::{FileIndex, IndexSearch};
pub use parts::ReadAt;
pub use salvage::{Salvage, end_of_log, end_of_messages, first_position, stamp};
pub use schemas::schema_of;
pub use seek::SeekDecoder;
pub use view::{OpenFrame, View};
