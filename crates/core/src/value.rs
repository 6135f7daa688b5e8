//! Rows as Rust values, for programs whose schema is known only at run time.

use std::sync::Arc;

use crate::schema::{Container, Inspect, Kind, Scalar};

/// A row, or a value in one.
///
/// Floats are compared by their bits, so that a value that came back is equal to the one that
/// was sent, NaN included.
///
/// ```
/// use serow_core::value::Value;
/// let row = Value::Tuple(vec![Value::I64(8429), Value::F64(31.49), Value::Str("hello".into())]);
/// assert_eq!(row, row.clone());
/// ```
#[derive(Clone, Debug)]
// Compiled code reads values where they lie: `layout/value/place.rs`.
#[repr(C, u8)]
pub enum Value {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    I64(i64),
    /// A float.
    F64(f64),
    /// Text, which values that were one entry of a dictionary share.
    Str(Arc<str>),
    /// A list.
    List(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

macro_rules! from {
    ($($from:ty => |$v:ident| $to:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($v: $from) -> Value {
                $to
            }
        }
    )*};
}

from! {
    bool => |v| Value::Bool(v);
    i64 => |v| Value::I64(v);
    f64 => |v| Value::F64(v);
    &str => |v| Value::Str(v.into());
    String => |v| Value::Str(v.into());
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(v: Option<T>) -> Value {
        v.map_or(Value::Null, Into::into)
    }
}

impl<'a> Inspect for &'a Value {
    type Elements = std::slice::Iter<'a, Value>;

    fn kind(self) -> Option<Kind<Self::Elements>> {
        Some(match self {
            Value::Null => Kind::Scalar(Scalar::Null),
            Value::Bool(_) => Kind::Scalar(Scalar::Bool),
            Value::I64(_) => Kind::Scalar(Scalar::I64),
            Value::F64(_) => Kind::Scalar(Scalar::F64),
            Value::Str(_) => Kind::Scalar(Scalar::Str),
            Value::List(elements) => Kind::Container(Container::List, elements.iter()),
            Value::Tuple(elements) => Kind::Container(Container::Tuple, elements.iter()),
        })
    }
}
