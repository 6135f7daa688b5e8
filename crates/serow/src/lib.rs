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
//! without `Value`s: see `to_vec`, `from_slice` and `TypedCodec`.

#![deny(missing_docs)]

mod codec;
mod stream;
#[cfg(feature = "serde")]
mod typed;

pub use codec::Codec;
pub use serow_core::error::{Error, ErrorKind, Result};
pub use serow_core::path::{Path, PathStep};
pub use serow_core::program::SchemaSet;
pub use serow_core::schema::{Enum, Logical, MemberValue, MemberValues, Names, Schema};
pub use serow_core::threads::Threads;
pub use serow_core::value::{Composite, Value};
pub use serow_core::wire::compression::Compression;
pub use serow_core::wire::message::{Format, Wire};
#[cfg(feature = "serde")]
pub use stream::Typed;
pub use stream::{Frames, IndexedReader, Reader, Values, Writer};
#[cfg(feature = "serde")]
pub use typed::{TypedCodec, from_slice, from_slice_on, schema_of, to_vec, to_vec_as, to_vec_on};

use serow_core::compiled::RowSink;
use serow_core::decode::{Expected, decode, decode_by_many};
use serow_core::encode::Rows;
use serow_core::encode::{MakeFrames, ManyRead, OneThread, dumps_with};
use serow_core::layout::value::{ValueRows, ValueWriter};

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
    written(|bytes| serow_core::encode::dumps(&ValueRows(rows), None, bytes))
}

/// Encodes `rows` with the inferred schema, in the given format, which may be only a wire.
///
/// ```
/// use serow::{Compression, Format, Wire};
///
/// let rows = vec![serow::Value::I64(7); 1000];
/// let bytes = serow::dumps_as(&rows, Wire::Frame)?;
/// assert!(bytes.len() < 100);
/// assert_eq!(serow::loads(&bytes)?, rows);
///
/// let format = Format::from(Wire::Row).compressed(Compression::parse("zstd", Some(9))?);
/// let bytes = serow::dumps_as(&rows, format)?;
/// assert!(bytes.len() < 200);
/// assert_eq!(serow::loads(&bytes)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`dumps`].
pub fn dumps_as(rows: &[Value], format: impl Into<Format>) -> Result<Vec<u8>> {
    written_as(&ValueRows(rows), format.into(), &OneThread)
}

/// Like [`dumps_as`], on several threads if there are rows for more than one frame. The bytes are the
/// same.
///
/// ```
/// use serow::{Threads, Value, Wire};
///
/// let rows: Vec<Value> = (0..200_000).map(Value::I64).collect();
/// let bytes = serow::dumps_on(Threads::Auto, &rows, Wire::Frame)?;
/// assert_eq!(bytes, serow::dumps_as(&rows, Wire::Frame)?);
/// assert_eq!(serow::loads_on(Threads::of(2)?, &bytes)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// See [`dumps`].
pub fn dumps_on(threads: Threads, rows: &[Value], format: impl Into<Format>) -> Result<Vec<u8>> {
    written_as(&ValueRows(rows), format.into(), &ManyRead(threads))
}

fn written_as<R: Rows>(
    rows: &R,
    Format { wire, compression }: Format,
    maker: &impl MakeFrames<R>,
) -> Result<Vec<u8>> {
    written(|bytes| dumps_with(rows, Some(wire), compression, maker, bytes))
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
    decoded_on(Threads::ONE, data, None)
}

/// Like [`loads`], on several threads if the message has more than one frame.
///
/// # Errors
/// See [`loads`].
pub fn loads_on(threads: Threads, data: &[u8]) -> Result<Vec<Value>> {
    decoded_on(threads, data, None)
}

fn decoded_on(threads: Threads, data: &[u8], expected: Option<&Expected>) -> Result<Vec<Value>> {
    if threads == Threads::ONE {
        let mut rows = ValueWriter::new();
        decode(data, expected, &mut rows)?;
        return Ok(rows.into_rows());
    }
    decoded_by_many(threads, data, expected, ValueWriter::new, ValueWriter::into_rows)
}

/// Decodes a message on several threads. `new_sink` makes a sink for the rows of a frame, and
/// `into_rows` takes them from it.
fn decoded_by_many<K: RowSink + Send, T>(
    threads: Threads,
    data: &[u8],
    expected: Option<&Expected>,
    new_sink: impl Fn() -> K + Sync,
    mut into_rows: impl FnMut(K) -> Vec<T>,
) -> Result<Vec<T>> {
    let (mut rows, mut has_memory) = (Vec::new(), true);
    decode_by_many(data, expected, threads, new_sink, |frame| {
        let mut frame = into_rows(frame);
        match rows.try_reserve(frame.len()) {
            Ok(()) => rows.append(&mut frame),
            Err(_) => has_memory = false,
        }
    })?;
    has_memory.then_some(rows).ok_or_else(Error::no_memory)
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
/// A limit error if a row nests too deep.
pub fn infer(rows: &[Value]) -> Result<Schema> {
    serow_core::encode::infer(&ValueRows(rows))
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
