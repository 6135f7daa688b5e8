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
//! serow for Python and for the JVM read and write the same bytes.
//!
//! With the feature `serde`, rows of any type that implements serde's traits are encoded and decoded
//! without `Value`s: see `to_vec`, `from_slice` and [`Codec`]. With the feature `arrow`, the module `arrow`
//! makes batches of Apache Arrow of rows, and rows of batches. [`Options`] has the same functions with a
//! wire, a compression and threads.

#![deny(missing_docs)]

#[cfg(feature = "arrow")]
pub mod arrow;
mod codec;
mod options;
mod rows;
mod stream;
#[cfg(feature = "serde")]
mod typed;

pub use codec::Codec;
pub use options::Options;
pub use rows::{Decode, Encode};
pub use serow_core::error::{Error, ErrorKind, Result};
pub use serow_core::path::{Path, PathStep};
pub use serow_core::program::SchemaSet;
pub use serow_core::schema::{
    ElementType, Enum, Logical, MemberValue, MemberValues, Names, NdArray, Schema,
};
pub use serow_core::threads::Threads;
pub use serow_core::value::{Composite, Value};
pub use serow_core::wire::compression::Compression;
pub use serow_core::wire::message::Wire;
pub use stream::{Frames, IndexedReader, Reader, Recovered, Writer, recover};
#[cfg(feature = "serde")]
pub use typed::{from_slice, to_vec};

/// Encodes `rows` with the inferred schema: in the row wire if they are at most 128 rows and the
/// message takes at most 16 KiB, otherwise in the frame wire.
///
/// ```
/// let rows = [serow::Value::I64(7), "almond".into()];
/// assert_eq!(serow::loads(&serow::dumps(&rows)?)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A limit error if a row nests too deep or is too large.
pub fn dumps(rows: &[Value]) -> Result<Vec<u8>> {
    Options::new().dumps(rows)
}

/// Decodes the rows of a message.
///
/// ```
/// let bytes = serow::dumps(&[serow::Value::Bool(true)])?;
/// assert_eq!(serow::loads(&bytes)?, [serow::Value::Bool(true)]);
///
/// let error = serow::loads(&bytes[..bytes.len() - 1]).unwrap_err();
/// assert_eq!(error.kind(), serow::ErrorKind::Decode);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A decode error if the bytes are cut, damaged, or have another version.
pub fn loads(data: &[u8]) -> Result<Vec<Value>> {
    Options::new().loads(data)
}

/// Infers the schema of `rows`: the join of all their types.
///
/// ```
/// let schema = serow::infer(&[serow::Value::I64(7), serow::Value::Null])?;
/// assert_eq!(schema.to_string(), "i64?");
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`dumps`] and `to_vec`.
pub fn infer<T: Encode<By>, By>(rows: &[T]) -> Result<Schema> {
    serow_core::encode::infer(&T::rows(rows))
}

/// Returns the message that `write` writes to a vector.
fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<usize>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(bytes)
}

/// Runs the README's Rust code as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Runs the Rust code of the page on single records as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/records.md")]
struct SingleRecords;

/// Runs the Rust code of the page on evolution as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evolution.md")]
struct Evolution;

/// Runs the code of the page for Rust users as a test.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../docs/rust.md")]
struct RustPage;
