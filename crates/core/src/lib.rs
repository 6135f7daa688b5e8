//! Schemas, plans, layouts and wires of serow: everything about rows that does not depend on a
//! language or on a compiler.
//!
//! A [`Schema`](schema::Schema) is inferred from rows or parsed from text; it is lowered to a
//! [`Plan`](plan::Plan); and the [`interpreter`] runs the plan between a
//! [`Source`](layout::Source) and a [`Sink`](layout::Sink). `docs/design.md` shows how the pieces
//! fit, `docs/wire-format.md` the bytes.

pub mod bytes;
pub mod calendar;
pub mod compiled;
pub mod decode;
pub mod emergency;
pub mod encode;
pub mod error;
pub mod explain;
pub mod forked;
pub mod host_lock;
pub mod interpreter;
pub mod layout;
pub mod limits;
pub mod memory;
pub mod number;
pub mod path;
pub mod plan;
pub mod program;
pub mod radix;
pub mod runs;
pub mod schema;
pub mod stream;
#[cfg(test)]
mod testing;
pub mod threads;
pub mod value;
pub mod wire;

pub use error::{Error, ErrorKind, Result};
