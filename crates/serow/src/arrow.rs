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
//! assert_eq!(from_batches::<Value, _>(&batches)?, rows);
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
use crate::{Decode, Encode, Result};

/// Makes batches of at most `most` rows each, whose schema fits all `rows`. Structs, maps with fixed
/// keys and tuples become columns, other rows one column `value`.
///
/// # Errors
/// An encode error for the first row that has no serow type. A limit error if a batch can't hold it.
pub fn to_batches<T: Encode<By>, By>(
    rows: &[T],
    most: usize,
) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let program = T::program()?;
    let (all, made) = Batches::of_all(&T::rows(rows), program.as_ref(), None, most)?;
    Ok((all.schema().clone(), made))
}

/// Reads the rows of `batches`, which must have one schema. If [`to_batches`] made them, the rows have
/// the types that they had.
///
/// # Errors
/// A schema error that names a column whose type serow lacks. A decode error if a value is not of its
/// type, or if `T` refuses a row.
pub fn from_batches<T: Decode<By>, By>(batches: &[RecordBatch]) -> Result<Vec<T>> {
    let Some(first) = batches.first() else { return Ok(Vec::new()) };
    let import = Import::new(first.schema_ref())?;
    let program = import.program(batches)?;
    let expected = T::expected()?;
    let (rows, read) = made_by(|sink: &mut T::Sink| {
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
