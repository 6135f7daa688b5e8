//! Rows as batches of Apache Arrow, and back: the feature `arrow`.
//!
//! ```
//! use serow::Value;
//! use serow::arrow::{from_batches, to_batches};
//!
//! let row = |key, name: &str| Value::Tuple(vec![Value::I64(key), name.into()]);
//! let rows = [row(8429, "almond"), row(8430, "peru")];
//! let (schema, batches) = to_batches(&rows, 65_536)?;
//! assert_eq!(schema.fields().len(), 2);
//! assert_eq!(from_batches::<Value>(&batches)?, rows);
//! # Ok::<(), serow::Error>(())
//! ```
//!
//! `docs/arrow.md` has the table of types. This module exports the crates that define the batches.

pub use arrow_array;
pub use arrow_schema;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use serow_arrow::{Batches, Columns, Import};
use serow_core::decode::decode_set;
use serow_core::wire::frame::ColumnSet;

use crate::rows::made_by;
use crate::{Codec, Decode, Encode, Own, Result};

/// Makes batches of at most `most` rows each. A type `T` determines their schema;
/// for [`Value`](crate::Value)s the schema fits all `rows`. Structs, maps with fixed keys and tuples become columns, other rows one column `value`.
///
/// # Errors
/// An encode error for the first row that has no serow type. A limit error if a batch can't hold it.
pub fn to_batches<T: Encode<Own>>(
    rows: &[T],
    most: usize,
) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    made::<T, Own>(rows, most)
}

/// Makes batches of this schema, whatever the values are. The schema may be that of
/// [`Codec::arrow_schema`](crate::Codec::arrow_schema), with some of its types changed to others that hold the values.
///
/// ```
/// use serow::arrow::{arrow_schema::DataType, to_batches_as};
/// use serow::{Codec, Wire};
///
/// #[derive(serow::Row)]
/// struct Part {
///     key: u32,
///     size: Option<f32>,
/// }
///
/// let schema = Codec::of::<Part>(Wire::Frame)?.arrow_schema()?;
/// assert_eq!(*schema.field(0).data_type(), DataType::UInt32);
/// for rows in [vec![], vec![Part { key: 1, size: None }]] {
///     let batches = to_batches_as(&rows, &schema, 65_536)?;
///     assert!(batches.iter().all(|batch| batch.schema() == schema));
/// }
/// # Ok::<(), serow::Error>(())
/// ```
///
/// # Errors
/// An encode error for the first value that the schema does not hold exactly.
pub fn to_batches_as<T: Encode<Own>>(
    rows: &[T],
    schema: &SchemaRef,
    most: usize,
) -> Result<Vec<RecordBatch>> {
    let program = T::program()?;
    Ok(Batches::of_all(&T::rows(rows), program.as_ref(), Some(schema), most)?.1)
}

impl<T, By> Codec<T, By> {
    /// Returns the Arrow schema of this codec's rows, for [`to_batches_as`](crate::arrow::to_batches_as): times in microseconds,
    /// and decimals without digits after the point, because the type alone tells no more.
    ///
    /// # Errors
    /// A schema error if Arrow has no type for a part of the rows.
    pub fn arrow_schema(&self) -> Result<SchemaRef> {
        Batches::usual_schema(self.program())
    }
}

/// Reads the rows of `batches`, which must have one schema. If [`to_batches`] made them, the rows have
/// the types that they had. Other rows are converted to the schema of `T`.
///
/// # Errors
/// A schema error that names a column whose type serow lacks, or that can't be converted. A decode error if a
/// value is not of its type.
pub fn from_batches<T: Decode<'static, Own>>(batches: &[RecordBatch]) -> Result<Vec<T>> {
    read::<T, Own>(batches)
}

/// The same for types that implement serde's traits.
#[cfg(feature = "serde")]
pub(crate) mod serde {
    use ::serde::Serialize;
    use ::serde::de::DeserializeOwned;

    use super::{RecordBatch, Result, SchemaRef};
    use crate::typed::Serde;

    /// Makes batches of rows of a serializable type, as [`arrow::to_batches`](crate::arrow::to_batches) does. Their
    /// schema fits all `rows`.
    ///
    /// # Errors
    /// An encode error for the first row that has no serow type. A limit error if a batch can't hold it.
    pub fn to_batches<T: Serialize>(
        rows: &[T],
        most: usize,
    ) -> Result<(SchemaRef, Vec<RecordBatch>)> {
        super::made::<T, Serde>(rows, most)
    }

    /// Reads the rows of `batches` to a deserializable type, as
    /// [`arrow::from_batches`](crate::arrow::from_batches) does.
    ///
    /// # Errors
    /// A schema error that names a column whose type serow lacks. A decode error if a value is not of its
    /// type, or if `T` refuses a row.
    pub fn from_batches<T: DeserializeOwned>(batches: &[RecordBatch]) -> Result<Vec<T>> {
        super::read::<T, Serde>(batches)
    }
}

fn made<T: Encode<By>, By>(rows: &[T], most: usize) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let program = T::program()?;
    let (all, made) = Batches::of_all(&T::rows(rows), program.as_ref(), None, most)?;
    Ok((all.schema().clone(), made))
}

fn read<T: Decode<'static, By>, By>(batches: &[RecordBatch]) -> Result<Vec<T>> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let import = Import::new(first.schema_ref())?;
    let program = import.program(batches)?;
    let expected = T::expected()?;
    let (rows, read) = made_by(&[], |sink: &mut T::Sink| {
        let (mut columns, mut before) = (Columns::take(), 0);
        for batch in batches {
            let mut row = 0;
            while row < batch.num_rows() {
                import.read(&program, batch, row, &mut columns)?;
                let set = ColumnSet::staged(&program, &columns);
                decode_set(&program, set, expected.as_deref(), before, sink)?;
                row += columns.rows;
                before += columns.rows;
            }
        }
        Ok(())
    });
    read.map(|()| rows)
}
