//! Rows to bytes and back, for Rust programs whose schema is known only at run time.
//!
//! ```
//! use serow::{Value, dumps, loads};
//!
//! let rows: Vec<Value> = (0..3)
//!     .map(|i| Value::Tuple(vec![Value::I64(i), Value::F64(i as f64 / 2.0), "goat".into()]))
//!     .collect();
//! let bytes = dumps(&rows)?;
//! assert_eq!(loads(&bytes)?, rows);
//! # Ok::<(), serow::Error>(())
//! ```
//!
//! The bytes are those that serow for Python and for the JVM read and write.

mod codec;

pub use codec::Codec;
pub use serow_core::error::{Error, ErrorKind, Result};
pub use serow_core::schema::{Enum, Logical, Names, Schema};
pub use serow_core::value::{Composite, Value};
pub use serow_core::wire::message::Wire;

use serow_core::layout::value::{ValueRows, ValueWriter};

/// The bytes of `rows`, with the schema that they turn out to have, in the frame wire.
///
/// # Errors
/// A limit error if a row nests too deep or is too large.
pub fn dumps(rows: &[Value]) -> Result<Vec<u8>> {
    dumps_as(rows, Wire::Frame)
}

/// The bytes of `rows` in a wire of choice.
///
/// # Errors
/// As [`dumps`].
pub fn dumps_as(rows: &[Value], wire: Wire) -> Result<Vec<u8>> {
    written(|bytes| serow_core::encode::dumps(&ValueRows(rows), wire, bytes))
}

/// The rows of a message.
///
/// # Errors
/// A decode error if the bytes are cut, damaged, or of another version.
pub fn loads(data: &[u8]) -> Result<Vec<Value>> {
    let mut rows = ValueWriter::new();
    serow_core::decode::decode(data, None, &mut rows)?;
    Ok(rows.into_rows())
}

/// The schema of `rows`: the join of the types of all of them.
///
/// # Errors
/// A limit error if a row nests too deep.
pub fn infer(rows: &[Value]) -> Result<Schema> {
    serow_core::encode::infer(&ValueRows(rows))
}

/// The vector that `write` appends to, cut to the length that it gives.
fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<usize>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let len = write(&mut bytes)?;
    assert!(len <= bytes.capacity());
    // SAFETY: the encoder wrote `len` bytes into the vector's memory, which is that large.
    unsafe { bytes.set_len(len) };
    Ok(bytes)
}

/// The Rust lines of the README, which are run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Those of the page on schemas that change.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evolution.md")]
struct Evolution;
