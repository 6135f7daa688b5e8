//! The bytes: messages, frames, and the pieces they are made of.

pub mod frame;
pub mod message;
pub mod out;
pub mod text;
pub mod varint;
