//! The parts of a value.

use std::ops::Index;

use super::{Composite, Value};

/// Defines methods that return what one kind of value holds.
macro_rules! held {
    ($($(#[$doc:meta])* $name:ident: $ty:ty, $pattern:pat => $held:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> Option<$ty> {
            match self {
                $pattern => Some($held),
                _ => None,
            }
        }
    )*};
}

impl Value {
    held! {
        /// The boolean, if it is one.
        as_bool: bool, Value::Bool(v) => *v;
        /// The integer, if it is one of 64 bits.
        as_i64: i64, Value::I64(v) => *v;
        /// The float, if it is one.
        as_f64: f64, Value::F64(v) => *v;
        /// The text, if it is a string.
        as_str: &str, Value::Str(v) => v;
        /// The value of several components, if it is one.
        as_composite: &Composite, Value::Logical(v) => v;
        /// The elements, if it is a list, a tuple or a set.
        as_elements: &[Value], Value::List(v) | Value::Tuple(v) | Value::Set(v) | Value::FrozenSet(v) => v;
        /// The entries, if it is a map without fixed keys.
        as_map: &[[Value; 2]], Value::Map(v) => v;
        /// The name of the member, if it is one of an enum.
        as_member: &str, Value::Enum(of, member) => of.members.get(*member as usize)?;
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The value of the field `name` of a record, or of the key `name` of a dict or a map.
    ///
    /// ```
    /// use serow_core::value::Value;
    ///
    /// let row = Value::dict([("key", Value::I64(7))]);
    /// assert_eq!(row.get("key").and_then(Value::as_i64), Some(7));
    /// assert_eq!(row.get("name"), None);
    /// ```
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Struct(names, fields) => {
                let at = names.fields.iter().position(|field| **field == *name)?;
                fields.get(at)
            }
            Value::Map(entries) => {
                let entry = entries.iter().find(|[key, _]| key.as_str() == Some(name))?;
                Some(&entry[1])
            }
            _ => None,
        }
    }

    /// The names of the fields of a record or the keys of a dict, each with its value.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Value)> {
        let (names, fields) = match self {
            Value::Struct(names, fields) => (&names.fields[..], &fields[..]),
            _ => (&[][..], &[][..]),
        };
        names.iter().map(|name| &**name).zip(fields)
    }
}

/// The value of a field, like [`Value::get`].
///
/// # Panics
/// If there is no such field.
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        match self.get(name) {
            Some(field) => field,
            None => panic!("the value has no field {name:?}"),
        }
    }
}

/// The element of a list or a tuple, or the field of a record, at an index.
///
/// # Panics
/// If there is none.
impl Index<usize> for Value {
    type Output = Value;

    fn index(&self, index: usize) -> &Value {
        match self {
            Value::Struct(_, fields) => &fields[index],
            other => &other.as_elements().unwrap_or_default()[index],
        }
    }
}
