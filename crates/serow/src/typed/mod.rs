//! Rows of Rust types that implement serde's traits.
//!
//! `ser` is the serializer. It passes values to `push`, which writes them where a plan expects them, or to
//! `to_tree`, which makes trees of them: for a schema, and where the place of a value is not yet certain. `pull`
//! reads values as the type asks for them. `docs/plans.md` says why both walk the plan themselves.

mod failure;
mod known;
mod pull;
mod pull_access;
mod pull_de;
mod push;
mod push_ser;
mod push_tree;
mod rows;
mod ser;
mod to_tree;
mod tree;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serow_core::{decode, encode};

use rows::TypedRows;
pub use rows::{Serde, TypedWriter};

use crate::rows::{made_by, of_message};
use crate::{Options, Result, Schema};

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
/// let bytes = serow::serde::to_vec(&parts)?;
/// let back: Vec<Part> = serow::serde::from_slice(&bytes)?;
/// assert_eq!(back, parts);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// An encode error that names the first row that the type's own `Serialize` refuses. A limit error if
/// a row nests too deep or is too large. A schema error if the rows have no schema, for instance
/// because a struct has two fields of one name.
pub fn to_vec<T: Serialize>(rows: &[T]) -> Result<Vec<u8>> {
    crate::written(|bytes| encode::dumps(&TypedRows(rows), None, bytes))
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
/// let bytes = serow::serde::to_vec(&[std::collections::BTreeMap::from([("name", "peru")])])?;
/// let parts: Vec<Part> = serow::serde::from_slice(&bytes)?;
/// assert_eq!((parts[0].name.as_str(), parts[0].size), ("peru", 0));
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// A decode error if the bytes are cut or damaged, or if the type refuses a value. It has the row and
/// the path.
///
/// ```
/// let bytes = serow::serde::to_vec(&[(1, 200), (2, 300)])?;
/// let error = serow::serde::from_slice::<(u8, u8)>(&bytes).unwrap_err();
/// assert_eq!((error.kind(), error.row()), (serow::ErrorKind::Decode, Some(1)));
/// assert_eq!(error.path().map(|path| path.to_string()).as_deref(), Some("1"));
/// assert!(error.message().ends_with("invalid value: integer `300`, expected u8"));
/// # Ok::<(), serow::Error>(())
/// ```
pub fn from_slice<T: DeserializeOwned>(data: &[u8]) -> Result<Vec<T>> {
    let (rows, result) =
        made_by(data, |rows: &mut TypedWriter<T>| decode::decode(data, None, rows));
    result.map(|()| rows)
}

/// Infers the schema of `rows`: the join of all their types.
///
/// ```
/// assert_eq!(serow::serde::infer(&[Some(1), None])?.to_string(), "i32?");
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`to_vec`].
pub fn infer<T: Serialize>(rows: &[T]) -> Result<Schema> {
    encode::infer(&TypedRows(rows))
}

/// Like [`to_vec`], with a wire, a compression and threads.
///
/// ```
/// use serow::{Options, Wire};
///
/// let bytes = serow::serde::to_vec_with(&[("peru", 1), ("snow", 2)], Options::from(Wire::Frame))?;
/// assert_eq!(serow::serde::from_slice::<(String, u8)>(&bytes)?[1], ("snow".into(), 2));
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`to_vec`].
pub fn to_vec_with<T: Serialize + Sync>(rows: &[T], options: Options) -> Result<Vec<u8>> {
    options.inferred(&TypedRows(rows))
}

/// Like [`from_slice`], by the threads of the options.
///
/// ```
/// use serow::{Options, Threads, serde::{from_slice_with, to_vec_with}};
///
/// let options = Options::new().with_threads(Threads::Auto);
/// let rows: Vec<u64> = (0..200_000).collect();
/// assert_eq!(from_slice_with::<u64>(&to_vec_with(&rows, options)?, options)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`from_slice`].
pub fn from_slice_with<T: DeserializeOwned + Send>(
    data: &[u8],
    options: Options,
) -> Result<Vec<T>> {
    of_message::<_, TypedWriter<T>>(data, None, options.threads)
}
