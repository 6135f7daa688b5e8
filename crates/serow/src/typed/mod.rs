//! Rows of Rust types that implement serde's traits.
//!
//! `shape` infers a schema from values; `push` writes values where a plan expects them, and `pull`
//! reads them as the type asks for them. `docs/plans.md` says why both walk the plan themselves.

mod codec;
mod dictionary;
mod failure;
mod int;
mod known;
mod pull;
mod pull_access;
mod pull_de;
mod push;
mod push_parts;
mod push_ser;
mod push_tree;
mod rows;
mod shape;
mod single;
mod to_tree;
mod tree;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serow_core::{decode, encode};

pub use codec::{TypedCodec, with_map_fallback};
pub use rows::TypedRows;

use crate::{Format, Result, Schema, Threads};

/// Encodes rows of any serializable type, with the inferred schema: in the row wire if they are at
/// most 128 rows and the message takes at most 16 KiB, otherwise in the frame wire.
///
/// ```
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
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
/// An encode error that names the first row that the type's own `Serialize` refuses. A limit error if
/// a row nests too deep or is too large. A schema error if the rows have no schema, for instance
/// because a struct has two fields of one name.
pub fn to_vec<T: Serialize>(rows: &[T]) -> Result<Vec<u8>> {
    crate::written(|bytes| encode::dumps(&TypedRows::new(rows), None, bytes))
}

/// Like [`to_vec`], in the given format, which may be only a wire.
///
/// ```
/// use serow::{Compression, Format, Wire};
///
/// let bytes = serow::to_vec_as(&[("peru", 1), ("snow", 2)], Wire::Frame)?;
/// assert_eq!(serow::from_slice::<(String, u8)>(&bytes)?[1], ("snow".into(), 2));
///
/// let rows = ["almond"; 1000];
/// let format = Format::from(Wire::Row).compressed(Compression::Lz4);
/// assert!(serow::to_vec_as(&rows, format)?.len() < 300);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`to_vec`].
pub fn to_vec_as<T: Serialize>(rows: &[T], format: impl Into<Format>) -> Result<Vec<u8>> {
    crate::written_as(&TypedRows::new(rows), format.into(), &encode::OneThread)
}

/// Like [`to_vec_as`], on several threads if there are rows for more than one frame. Several threads
/// serialize rows at once, each thread other rows. The bytes are the same.
///
/// ```
/// use serow::{Threads, Wire};
///
/// let rows: Vec<(u32, String)> = (0..200_000).map(|i| (i, format!("part {i}"))).collect();
/// let bytes = serow::to_vec_on(Threads::Auto, &rows, Wire::Frame)?;
/// assert_eq!(bytes, serow::to_vec_as(&rows, Wire::Frame)?);
/// assert_eq!(serow::from_slice_on::<(u32, String)>(Threads::of(2)?, &bytes)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`to_vec`].
pub fn to_vec_on<T: Serialize + Sync>(
    threads: Threads,
    rows: &[T],
    format: impl Into<Format>,
) -> Result<Vec<u8>> {
    crate::written_as(&TypedRows::new(rows), format.into(), &encode::ManyRead(threads))
}

/// Decodes the rows of a message to a deserializable type. The message may come from any language.
///
/// Fields are found by their names, so the type may be another version of the writer's: serde's
/// attributes say what a missing field gets (`default`) and which other names it has (`alias`).
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Part {
///     name: String,
///     #[serde(default)]
///     size: u32,
/// }
///
/// let bytes = serow::to_vec(&[std::collections::BTreeMap::from([("name", "peru")])])?;
/// let parts: Vec<Part> = serow::from_slice(&bytes)?;
/// assert_eq!((parts[0].name.as_str(), parts[0].size), ("peru", 0));
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A decode error if the bytes are cut or damaged, or if the type refuses a value. It has the row and
/// the path.
///
/// ```
/// let bytes = serow::to_vec(&[(1, 200), (2, 300)])?;
/// let error = serow::from_slice::<(u8, u8)>(&bytes).unwrap_err();
/// assert_eq!((error.kind(), error.row()), (serow::ErrorKind::Decode, Some(1)));
/// assert_eq!(error.path().map(|path| path.to_string()).as_deref(), Some("1"));
/// assert!(error.message().ends_with("invalid value: integer `300`, expected u8"));
/// # Ok::<(), serow::Error>(())
/// ```
pub fn from_slice<T: DeserializeOwned>(data: &[u8]) -> Result<Vec<T>> {
    codec::twice(|rows| decode::decode(data, None, rows))
}

/// Like [`from_slice`], on several threads if the message has more than one frame. Each thread makes
/// rows.
///
/// ```
/// use serow::{Threads, Wire};
///
/// let rows: Vec<u64> = (0..200_000).collect();
/// let bytes = serow::to_vec_as(&rows, Wire::Frame)?;
/// assert_eq!(serow::from_slice_on::<u64>(Threads::Auto, &bytes)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`from_slice`].
pub fn from_slice_on<T: DeserializeOwned + Send>(threads: Threads, data: &[u8]) -> Result<Vec<T>> {
    match threads {
        Threads::ONE => from_slice(data),
        _ => codec::twice_by_many(threads, data),
    }
}

/// Infers the schema of `rows`: the join of all their types.
///
/// ```
/// #[derive(serde::Serialize)]
/// enum Shape {
///     Point,
///     Circle { radius: f64 },
/// }
///
/// let schema = serow::schema_of(&[Shape::Point, Shape::Circle { radius: 0.5 }])?;
/// assert_eq!(schema.to_string(), r#""Shape::Circle"{radius: f64}|enum Shape{Point}"#);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`to_vec`].
pub fn schema_of<T: Serialize>(rows: &[T]) -> Result<Schema> {
    encode::infer(&TypedRows::new(rows))
}
