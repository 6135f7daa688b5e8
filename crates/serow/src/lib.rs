//! Rows to bytes and back: rows of your own types, which derive [`Row`], of types that implement serde's traits, and
//! [`Value`]s, whose schema is known only at run time. serow for Python and for the JVM read and write the same bytes.
//!
//! ```
//! #[derive(Debug, PartialEq, serow::Row)]
//! struct Part {
//!     key: u64,
//!     name: String,
//!     size: Option<f32>,
//! }
//!
//! let parts = vec![
//!     Part { key: 1, name: "peru".into(), size: Some(0.5) },
//!     Part { key: 2, name: "snow".into(), size: None },
//! ];
//! let bytes = serow::to_vec(&parts)?;
//! assert_eq!(serow::from_slice::<Part>(&bytes)?, parts);
//! # Ok::<(), serow::Error>(())
//! ```
//!
//! A message has the schema of its rows, so programs with another version of a type, or in another language, read it: fields
//! are found by their names, and numbers by their values. What to use for how many rows:
//!
//! | rows at a time | use | because |
//! |---|---|---|
//! | one, between programs that know the type | [`Codec::encode_one`], [`Codec::decode_one`] | a record has 8 bytes besides its values |
//! | one to some hundred | [`to_vec`], [`from_slice`] | a message has its schema and checksums, about 75 bytes |
//! | thousands | a [`Codec`], or [`Options`] | columns, compression and threads |
//! | more than fit in memory, or a few at a time | [`Writer`], [`Reader`] | one frame of 65,536 rows at most is in memory |
//! | any one of many | [`View`] | the first row of a frame costs the frame, others microseconds |
//!
//! A codec is made once and shared, for instance by the tasks of a service:
//!
//! ```
//! use std::sync::LazyLock;
//!
//! use serow::{Codec, Wire};
//!
//! #[derive(serow::Row)]
//! struct Request<'a> {
//!     id: u64,
//!     path: &'a str,
//! }
//!
//! static REQUESTS: LazyLock<Codec<Request<'static>>> =
//!     LazyLock::new(|| Codec::of(Wire::Row).expect("the type has a schema"));
//!
//! let mut buffer = [0; 256];
//! let len = REQUESTS.encode_one_into(&Request { id: 7, path: "/parts" }, &mut buffer)?;
//! let request: Request<'_> = REQUESTS.decode_one(&buffer[..len])?;
//! assert_eq!((request.id, request.path), (7, "/parts"));
//! # Ok::<(), serow::Error>(())
//! ```
//!
//! A log that grows while others read it is a [`Writer::append`]ed file, a cache of one value a key has records of
//! [`Codec::encode_one`], and Parquet takes the batches of the module `arrow`.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `zstd`, `lz4` | [`Compression`]. Both are on; without `zstd` no C compiler is needed |
//! | `serde` | the module `serde`, for types that implement only serde's traits |
//! | `arrow` | the module `arrow`: rows as batches of Apache Arrow, and back |
//! | `chrono`, `time`, `jiff`, `uuid`, `rust_decimal`, `bigdecimal`, `num-bigint`, `bytes`, `smallvec`, `arrayvec`, `indexmap`, `ordered-float`, `compact_str` | types of these crates in rows; `ecosystem` is all of them |

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
pub use stream::{Frames, Reader, Recovered, View, Writer, recover};

/// Rows of types that implement serde's traits, but not [`Row`]: the feature `serde`.
///
/// Their schema is inferred from the rows. [`Codec::typed`], [`Codec::infer_typed`], [`Writer::typed`],
/// [`Reader::typed`] and [`View::typed`] take such types too.
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
