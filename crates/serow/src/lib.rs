//! Rows to bytes and back, for types that derive [`Row`], for types by serde, and for schemas that are known only at
//! run time.
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
//! Rows of your own types need no `Value`s: derive [`Row`], and see [`to_vec`], [`from_slice`] and [`Codec`]. With
//! the feature `serde`, rows are of any type that implements serde's traits. With the feature `arrow`, the module `arrow`
//! makes batches of Apache Arrow of rows, and rows of batches. [`Options`] has the same functions with a
//! wire, a compression and threads.

#![deny(missing_docs)]

#[cfg(feature = "arrow")]
pub mod arrow;
mod codec;
mod dictionary;
mod options;
mod record_buffer;
pub mod rounded;
#[doc(hidden)]
pub mod row;
mod rows;
mod stream;
#[cfg(feature = "serde")]
mod typed;

pub use codec::Codec;
pub use options::Options;
pub use record_buffer::RecordBuffer;
pub use row::{Own, ReadRow, Row};
pub use rows::{Decode, Encode};
pub use serow_core::error::{Error, ErrorKind, Result};
pub use serow_core::path::{Path, PathStep};
pub use serow_core::program::SchemaSet;
pub use serow_core::schema::{
    Container, ElementType, Enum, Field, Logical, MemberValue, MemberValues, Names, NdArray,
    Schema, Struct, Type,
};
pub use serow_core::threads::Threads;
pub use serow_core::value::{Composite, Value};
pub use serow_core::wire::compression::Compression;
pub use serow_core::wire::message::Wire;
pub use serow_derive::Row;
pub use stream::{Frames, IndexedReader, Reader, Recovered, Writer, recover};

/// Rows of types that implement serde's traits, but not [`Row`]: the feature `serde`.
///
/// Their schema is inferred from the rows. [`Codec::typed`], [`Codec::infer_typed`], [`Writer::typed`],
/// [`Reader::typed`] and [`IndexedReader::typed`] take such types too.
#[cfg(feature = "serde")]
pub mod serde {
    #[cfg(feature = "arrow")]
    pub use crate::arrow::serde::{from_batches, to_batches};
    pub use crate::typed::{Serde, from_slice, from_slice_with, infer, to_vec, to_vec_with};
}

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

/// Encodes rows of a type that says its schema: in the row wire if they are at most 128 rows and the message
/// takes at most 16 KiB, otherwise in the frame wire.
///
/// ```
/// #[derive(Debug, PartialEq, serow::Row)]
/// struct Part {
///     key: u64,
///     name: String,
/// }
///
/// let parts = vec![Part { key: 1, name: "peru".into() }, Part { key: 2, name: "snow".into() }];
/// let bytes = serow::to_vec(&parts)?;
/// let back: Vec<Part> = serow::from_slice(&bytes)?;
/// assert_eq!(back, parts);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A limit error if a row is too large. A schema error if the type has too many fields.
pub fn to_vec<T: Row>(rows: &[T]) -> Result<Vec<u8>> {
    Options::new().written(rows, &serow_core::encode::OneThread)
}

/// Decodes the rows of a message, which may come from any language. Rows of another schema are converted: by
/// the names of their fields, by former names, and with defaults; see the attributes of the derive.
///
/// ```
/// #[derive(serow::Row)]
/// struct Part {
///     name: String,
///     #[row(default)]
///     size: u32,
/// }
///
/// let bytes = serow::dumps(&[serow::Value::dict([("name", "peru".into())])])?;
/// let parts: Vec<Part> = serow::from_slice(&bytes)?;
/// assert_eq!((parts[0].name.as_str(), parts[0].size), ("peru", 0));
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A decode error if the bytes are cut or damaged, or if a value is beyond the range of its type. It has the
/// row and the path. A schema error if rows of the message's schema can't be converted.
///
/// ```
/// let bytes = serow::to_vec(&[(1, 200), (2, 300)])?;
/// let error = serow::from_slice::<(u8, u8)>(&bytes).unwrap_err();
/// assert_eq!((error.kind(), error.row()), (serow::ErrorKind::Decode, Some(1)));
/// assert_eq!(error.path().map(|path| path.to_string()).as_deref(), Some("1"));
/// assert!(error.message().ends_with("300 can't be read as u8"));
/// # Ok::<(), serow::Error>(())
/// ```
pub fn from_slice<'m, T: ReadRow<'m>>(data: &'m [u8]) -> Result<Vec<T>> {
    let expected = row::reader_schema::<T>()?;
    let read = |rows: &mut <T as Decode<'m, Own>>::Sink| {
        serow_core::decode::decode(data, Some(&*expected), rows)
    };
    let (rows, result) = rows::made_by(data, read);
    result.map(|()| rows)
}

/// Returns the schema of rows of the type `T`.
///
/// ```
/// #[derive(serow::Row)]
/// enum Shape {
///     Point,
///     Circle { radius: f64 },
/// }
///
/// let text = r#""Shape::Circle"{radius: f64}|enum Shape{Point}"#;
/// assert_eq!(serow::schema_of::<Shape>()?.to_string(), text);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A schema error if there is none, because the type has too many fields.
pub fn schema_of<T: Row + ?Sized>() -> Result<Schema> {
    Ok(row::reader_schema::<T>()?.program().schema().clone())
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
/// See [`dumps`].
pub fn infer(rows: &[Value]) -> Result<Schema> {
    serow_core::encode::infer(&<Value as Encode<Own>>::rows(rows))
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
