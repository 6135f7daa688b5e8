//! Emits LLVM IR for a plan, a source and a sink.
//!
//! A module has one function that converts rows in a loop. [`plan`] unrolls the plan's instructions
//! into the loop's body and knows no layouts. Each layout has a file with a function for every kind
//! of value; [`layout`] has their traits. What can be an SSA value is never stored in memory,
//! because no optimisation passes run afterwards.

mod batch;
mod columns;
mod conversion;
pub(crate) mod cpython;
mod cursor_stack;
mod discard;
mod helpers;
mod layout;
mod plan;
mod row_reader;
mod row_writer;
mod unsafe_row;

pub use conversion::{Conversion, SinkLayout, SourceLayout};
