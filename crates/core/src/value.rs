//! Rows as Rust values, for programs whose schema is known only at run time.

mod access;
mod components;
mod composite;
#[cfg(feature = "serde")]
mod serde;
pub mod text;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::sync::{Arc, LazyLock};

use crate::number::{IntBytes, widened};
use crate::schema::{Container, Enum, Inspect, Kind, Logical, Names, Scalar};
pub use components::{ColumnText, Components, ComponentsContext, NO_ENTRY, PlainText, Text};
pub use composite::Composite;

/// A row, or a value in one.
///
/// Floats are compared by their bits, so a decoded value equals the encoded one even if it is NaN.
///
/// ```
/// # use serow_core::value::Value;
/// let row = Value::Tuple(vec![Value::I64(8429), Value::F64(31.49), Value::Str("hello".into())]);
/// assert_eq!(row, row.clone());
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    I64(i64),
    /// A float.
    F64(f64),
    /// Text. Values that were one entry of a dictionary share it.
    Str(Arc<str>),
    /// A list.
    List(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A date, a decimal or another value of several components. An integer of up to 64 bits is an
    /// `I64`.
    Logical(Box<Composite>),
    /// A set. Its elements differ, and their order does not matter for equality.
    Set(Vec<Value>),
    /// An immutable set.
    FrozenSet(Vec<Value>),
    /// A map: keys, which differ, and their values. The order does not matter for equality.
    Map(Vec<[Value; 2]>),
    /// A dict with these keys, or a record with these fields, and a value for each. The order of a
    /// dict's keys does not matter for equality, and a map with the same keys and values equals it.
    Struct(Arc<Names>, Box<[Value]>),
    /// The member with this index of an enum.
    Enum(Arc<Enum>, u32),
}

impl Value {
    /// A dict with these keys and their values.
    ///
    /// ```
    /// # use serow_core::value::Value;
    /// let row = Value::dict([("partkey", Value::I64(1)), ("name", "peru".into())]);
    /// ```
    pub fn dict<K: Into<Arc<str>>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::structure(None, entries)
    }

    /// A record with the type name `name` and these fields.
    pub fn record<K: Into<Arc<str>>>(
        name: &str,
        fields: impl IntoIterator<Item = (K, Value)>,
    ) -> Value {
        Value::structure(Some(name.into()), fields)
    }

    fn structure<K: Into<Arc<str>>>(
        name: Option<Arc<str>>,
        entries: impl IntoIterator<Item = (K, Value)>,
    ) -> Value {
        let (fields, values): (Vec<_>, Vec<_>) =
            entries.into_iter().map(|(key, value)| (key.into(), value)).unzip();
        Value::Struct(Arc::new(Names { name, fields }), values.into())
    }

    /// Returns whether all `values` differ.
    pub(crate) fn differ<'a>(mut values: impl ExactSizeIterator<Item = &'a Value> + Clone) -> bool {
        if values.len() <= FEW {
            let rest = &mut values;
            return std::iter::from_fn(|| rest.next().map(|value| (value, rest.clone())))
                .all(|(value, mut rest)| rest.all(|other| other != value));
        }
        // The claimed length may be large while equal values come early, so start small.
        let mut seen = HashSet::with_capacity(values.len().min(1 << 16));
        values.all(|value| seen.insert(value))
    }
}

/// As many values are compared with each other in less time than they are hashed.
const FEW: usize = 8;

/// Hashes the elements of a set independent of their order, so that lookup in a set of sets is not
/// a linear search.
fn hash_of_set(elements: &[Value]) -> u64 {
    static SEEDED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    elements.iter().fold(0, |sum, element| sum.wrapping_add(SEEDED.hash_one(element)))
}

/// Returns whether two sets are equal. Neither has duplicates.
fn same_set(a: &[Value], b: &[Value]) -> bool {
    let a: HashSet<&Value> = a.iter().collect();
    a.len() == b.len() && b.iter().all(|value| a.contains(value))
}

/// Returns whether two maps are equal. Neither has duplicate keys.
fn same_map<'a, K: Eq + Hash>(
    a: impl Iterator<Item = (K, &'a Value)>,
    b: impl ExactSizeIterator<Item = (K, &'a Value)>,
) -> bool {
    let a: HashMap<K, &Value> = a.collect();
    a.len() == b.len() && b.into_iter().all(|(key, value)| a.get(&key) == Some(&value))
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::I64(a), Value::I64(b)) => a == b,
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Logical(a), Value::Logical(b)) => a == b,
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => a == b,
            (Value::Set(a), Value::Set(b)) | (Value::FrozenSet(a), Value::FrozenSet(b)) => {
                same_set(a, b)
            }
            (Value::Map(a), Value::Map(b)) => {
                same_map(a.iter().map(|[k, v]| (k, v)), b.iter().map(|[k, v]| (k, v)))
            }
            (Value::Struct(a, x), Value::Struct(b, y)) if a.name.is_none() && b.name.is_none() => {
                a.fields == b.fields && x == y
                    || same_map(a.fields.iter().zip(x), b.fields.iter().zip(y))
            }
            (Value::Struct(a, x), Value::Struct(b, y)) => a == b && x == y,
            (Value::Map(map), Value::Struct(names, fields))
            | (Value::Struct(names, fields), Value::Map(map)) => {
                names.name.is_none()
                    && same_map(
                        map.iter().map(|[key, value]| (key.as_str(), value)),
                        names.fields.iter().map(|name| Some(&**name)).zip(fields),
                    )
            }
            (Value::Enum(a, x), Value::Enum(b, y)) => a == b && x == y,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Null => {}
            Value::Bool(v) => v.hash(state),
            Value::I64(v) => v.hash(state),
            Value::F64(v) => v.to_bits().hash(state),
            Value::Str(v) => v.hash(state),
            Value::List(v) | Value::Tuple(v) => v.hash(state),
            Value::Logical(v) => v.hash(state),
            // Values whose order does not matter.
            Value::Set(v) | Value::FrozenSet(v) => hash_of_set(v).hash(state),
            Value::Map(v) => v.len().hash(state),
            // A map may equal it.
            Value::Struct(names, v) if names.name.is_none() => v.len().hash(state),
            Value::Struct(names, v) => (names, v).hash(state),
            Value::Enum(of, member) => (of, member).hash(state),
        }
    }
}

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
    i8 => |v| Value::I64(v.into());
    i16 => |v| Value::I64(v.into());
    i32 => |v| Value::I64(v.into());
    i64 => |v| Value::I64(v);
    u8 => |v| Value::I64(v.into());
    u16 => |v| Value::I64(v.into());
    u32 => |v| Value::I64(v.into());
    u64 => |v| i128::from(v).into();
    i128 => |v| match i64::try_from(v) {
        Ok(v) => Value::I64(v),
        Err(_) => {
            Composite::of_parts(Logical::Int, [0; 3], [0.0; 2], IntBytes::of_i128(v).as_bytes()).into()
        }
    };
    f32 => |v| Value::F64(widened(v));
    f64 => |v| Value::F64(v);
    Vec<Value> => |v| Value::List(v);
    Composite => |v| Value::Logical(Box::new(v));
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
            Value::Logical(made) => Kind::Scalar(Scalar::Logical(made.ty())),
            Value::List(elements) => Kind::Container(Container::List, elements.iter()),
            Value::Tuple(elements) => Kind::Container(Container::Tuple, elements.iter()),
            Value::Set(elements) => Kind::Container(Container::Set, elements.iter()),
            Value::FrozenSet(elements) => Kind::Container(Container::FrozenSet, elements.iter()),
            Value::Map(entries) => Kind::Dict(entries.as_flattened().iter()),
            Value::Struct(names, fields) => Kind::Struct(names.clone(), fields.iter()),
            Value::Enum(of, _) => Kind::Enum(of.clone()),
        })
    }

    /// A map stays a map, whatever its keys are.
    fn name(self) -> Option<Arc<str>> {
        None
    }
}
