//! Rust [`Value`]s as a layout.

mod reader;
mod writer;

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::layout::Rows;
use crate::path::{Path, PathStep};
use crate::schema::{InferError, Shape, Type, mismatch};
use crate::value::Value;
pub use reader::ValueReader;
pub use writer::ValueWriter;

/// Rows to be encoded.
#[derive(Clone, Copy, Debug)]
pub struct ValueRows<'a>(pub &'a [Value]);

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

    fn infer(&self, row: usize, shape: &mut Shape) -> Result<(), InferError> {
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
        let mut shown = format!("{value:?}");
        if let Some((cut, _)) = shown.char_indices().nth(60) {
            shown.truncate(cut);
            shown.push('…');
        }
        let shown = missing.to_string() + &shown;
        match expected.filter(|_| missing.is_empty()).and_then(|of| mismatch(value, of)) {
            Some(why) => format!("{shown}; {why}"),
            None => shown,
        }
    }
}
