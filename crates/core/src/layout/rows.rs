//! Rows of a language, as an encoder sees them.

use super::Source;
use crate::path::Path;
use crate::schema::{Shape, Type, Untyped};

/// Rows of some language.
pub trait Rows {
    /// How they are read.
    type Source<'a>: Source
    where
        Self: 'a;

    /// The number of rows.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows as a source.
    fn source(&self) -> Self::Source<'_>;

    /// Add the type of row `row` to `shape`.
    ///
    /// # Errors
    /// If it, or something in it, has no type here; nothing is added then.
    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), Untyped>;

    /// Whether the host wants no more of them, which is asked every [`CHECK_ROWS`](crate::limits::CHECK_ROWS) rows.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// The value at `path` in row `row`, as error messages show it where a value of type `expected` had
    /// to be, if that is known.
    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String;
}
