//! Rows of a language, as an encoder sees them.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::compiled::RowSource;
use crate::error::Fault;
use crate::host_lock::HostLock;
use crate::layout::value::{ValueReader, ValueRows};
use crate::path::{Path, PathStep};
use crate::schema::{InferError, Shape, Type, mismatch};
use crate::value::Value;

/// Rows of some language.
pub trait Rows {
    /// The source that reads them.
    type Source<'a>: RowSource
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

    /// Returns the rows as a source for which a dict whose keys are in another order than the fields of its
    /// type does not fit. `None` if there is no such source.
    fn source_by_key_order(&self) -> Option<Self::Source<'_>> {
        None
    }

    /// Adds the type of row `row` to `shape`.
    ///
    /// # Errors
    /// If the row, or a value in it, has no serow type. Then nothing is added.
    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), InferError>;

    /// Returns a number that is equal for rows whose first values are of one class and length, and
    /// have the same keys in the same order if they are dicts. It finds the schema of similar earlier
    /// rows. `None` if there are no rows, or too many keys.
    fn hint(&self) -> Option<u64>;

    /// Returns how many rows the caller gave before these, which errors count too.
    fn before(&self) -> usize {
        0
    }

    /// Returns whether the host wants to stop. Called every
    /// [`CHECK_ROWS`](crate::limits::CHECK_ROWS) rows.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Returns how other threads of the language may run while frames are packed and compressed.
    fn host_lock(&self) -> HostLock {
        HostLock::NONE
    }

    /// Other threads of the language have run, and may have changed rows. The sources that were made before
    /// must not be used again.
    ///
    /// # Errors
    /// `Host` if there are no longer as many rows. Then no more are read.
    fn look_again(&self) -> std::result::Result<(), Fault> {
        Ok(())
    }

    /// Describes the value at `path` in row `row` for an error message. `expected` is the type that
    /// it should have, if known.
    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String;
}

/// Returns the text of a value for an error message: its first `most` characters.
pub fn shortened(mut text: String, most: usize) -> String {
    if let Some((cut, _)) = text.char_indices().nth(most) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

impl<'v> Rows for ValueRows<'v> {
    type Source<'a>
        = ValueReader<'v>
    where
        Self: 'a;

    fn hint(&self) -> Option<u64> {
        Some(match self.0.first()? {
            Value::Tuple(fields) => 1 | (fields.len() as u64) << 2,
            Value::Struct(names, fields) if names.name.is_some() => 2 | (fields.len() as u64) << 2,
            Value::Struct(names, _) => {
                let mut hasher = DefaultHasher::new();
                names.fields.hash(&mut hasher);
                hasher.finish()
            }
            _ => 0,
        })
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn source(&self) -> ValueReader<'v> {
        ValueReader::new(self.0)
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), InferError> {
        shape.add_value(&self.0[row])
    }

    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String {
        let (mut value, mut missing) = (&self.0[row], "");
        for step in &path.0 {
            let inner = match (value, step) {
                (
                    Value::List(items)
                    | Value::Tuple(items)
                    | Value::Set(items)
                    | Value::FrozenSet(items),
                    PathStep::Item(item),
                ) => items.get(*item),
                (Value::Map(entries), PathStep::Key(entry)) => entries.get(*entry).map(|e| &e[0]),
                (Value::Map(entries), PathStep::Value(entry)) => entries.get(*entry).map(|e| &e[1]),
                (Value::Struct(names, fields), PathStep::Field(name)) => {
                    names.fields.iter().position(|other| other == name).map(|at| &fields[at])
                }
                _ => None,
            };
            let Some(inner) = inner else {
                missing = if let PathStep::Field(_) = step { "a missing field of " } else { "" };
                break;
            };
            value = inner;
        }
        let shown = missing.to_string() + &shortened(format!("{value:?}"), 60);
        match expected.filter(|_| missing.is_empty()).and_then(|of| mismatch(value, of)) {
            Some(why) => format!("{shown}; {why}"),
            None => shown,
        }
    }
}
