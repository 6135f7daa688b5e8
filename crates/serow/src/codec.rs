//! A codec for rows of one schema.

use std::sync::Arc;

use serow_core::decode::Expected;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::plan::Defaults;
use serow_core::program::Program;
use serow_core::{decode, encode};

use crate::{Result, Schema, Value, Wire};

/// Encodes and decodes rows of one schema. It is immutable, and several threads may use it at once.
/// Cloning is cheap.
///
/// ```
/// use serow::{Codec, Wire, Schema, Value};
///
/// let codec = Codec::new(&Schema::parse("(i64, str?)")?, Wire::Row);
/// let rows = vec![Value::Tuple(vec![Value::I64(7), Value::Null])];
/// assert_eq!(codec.decode(&codec.encode(&rows)?)?, rows);
/// # Ok::<(), serow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Codec {
    expected: Expected,
    wire: Wire,
}

impl Codec {
    /// Creates a codec for rows of `schema`. It encodes in the wire `wire`.
    pub fn new(schema: &Schema, wire: Wire) -> Codec {
        Codec { expected: Expected::new(Program::of(schema), Defaults::default()), wire }
    }

    /// Returns the codec with a default for a field of a record or a dict. Decoding uses `value` if
    /// the rows of a message lack the field. The path consists of names of fields, indices of
    /// fields without names, `[]` for elements, and `key` and `value` for those of maps.
    ///
    /// ```
    /// use serow::{Codec, Wire, Schema, Value};
    ///
    /// let first = Codec::new(&Schema::parse("[Line{count: i64}]")?, Wire::Frame);
    /// let second = Codec::new(&Schema::parse("[Line{count: i64, price: f64}]")?, Wire::Frame)
    ///     .with_default("[].price", Value::F64(1.5))?;
    /// let line = Value::record("Line", [("count", Value::I64(7))]);
    /// let rows = second.decode(&first.encode(&[Value::List(vec![line])])?)?;
    /// let line = Value::record("Line", [("count", Value::I64(7)), ("price", Value::F64(1.5))]);
    /// assert_eq!(rows, [Value::List(vec![line])]);
    /// # Ok::<(), serow::Error>(())
    /// ```
    ///
    /// # Errors
    /// A schema error if there is no such field, or if the value does not have its type.
    pub fn with_default(self, path: &str, value: impl Into<Value>) -> Result<Codec> {
        let mut defaults = self.expected.defaults().clone();
        defaults.set(self.schema(), path, value.into())?;
        let expected = Expected::new(self.program().clone(), defaults);
        Ok(Codec { expected, wire: self.wire })
    }

    fn program(&self) -> &Arc<Program> {
        self.expected.program()
    }

    /// Returns the schema of the rows.
    pub fn schema(&self) -> &Schema {
        self.program().schema()
    }

    /// Encodes `rows` to a message.
    ///
    /// # Errors
    /// An encode error that names the first value that does not fit the schema.
    pub fn encode(&self, rows: &[Value]) -> Result<Vec<u8>> {
        crate::written(|bytes| encode::encode(self.program(), &ValueRows(rows), self.wire, bytes))
    }

    /// Decodes the rows of a message. Rows of another schema are converted to the codec's schema,
    /// by the names of their fields; see `docs/evolution.md`.
    ///
    /// # Errors
    /// A schema error if rows of the message's schema can't be converted. A decode error if the
    /// message is damaged or has a value that can't be converted.
    pub fn decode(&self, data: &[u8]) -> Result<Vec<Value>> {
        let mut rows = ValueWriter::new();
        decode::decode(data, Some(&self.expected), &mut rows)?;
        Ok(rows.into_rows())
    }
}
