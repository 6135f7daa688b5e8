//! The wires: messages, frames of columns, and records.

pub mod columns;
pub mod compression;
pub mod frame;
pub mod message;
pub mod row;
pub mod single;
