//! Rows of a language, as an encoder sees them.

use super::Source;
use crate::error::Result;
use crate::path::Path;
use crate::schema::{InferError, Schema, Shape, Type};

/// Rows of some language.
pub trait Rows {
    /// The source that reads them.
    type Source<'a>: Source
    where
        Self: 'a;

    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the rows as a source.
    fn source(&self) -> Self::Source<'_>;

    /// Adds the type of row `row` to `shape`.
    ///
    /// # Errors
    /// If the row, or a value in it, has no serow type. Then nothing is added.
    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), InferError>;

    /// Returns the schema of rows of this shape.
    ///
    /// # Errors
    /// See [`Schema::new`].
    fn schema(&self, shape: Shape) -> Result<Schema> {
        Schema::new(shape.into_type())
    }

    /// Returns a number that is equal for rows whose first values are of one class and length, and
    /// have the same keys in the same order if they are dicts. It finds the schema of similar earlier
    /// rows. `None` if there are no rows, or too many keys.
    fn hint(&self) -> Option<u64>;

    /// Returns whether the host wants to stop. Called every
    /// [`CHECK_ROWS`](crate::limits::CHECK_ROWS) rows.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Describes the value at `path` in row `row` for an error message. `expected` is the type that
    /// it should have, if known.
    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String;
}
