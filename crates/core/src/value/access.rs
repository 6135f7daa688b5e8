//! The parts of a value.

use std::ops::Index;

use super::{Composite, Value};
use crate::schema::Logical;

/// Defines methods that return what one kind of value holds.
macro_rules! held {
    ($($(#[$doc:meta])* $name:ident: $ty:ty, $pattern:pat $(if $guard:expr)? => $held:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self) -> Option<$ty> {
            match self {
                $pattern $(if $guard)? => Some($held),
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
        /// The bytes, if it is bytes.
        as_bytes: &[u8], Value::Logical(v) if matches!(v.ty(), Logical::Bytes | Logical::ByteArray) => v.as_bytes();
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
    /// # use serow_core::value::Value;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_give_what_they_hold() {
        let list = || Value::List(vec![Value::Bool(true), Value::Null]);
        let map = Value::Map(vec![["a".into(), 1.5.into()], [list(), Value::I64(2)]]);
        assert_eq!(list().as_elements().map(<[Value]>::len), Some(2));
        assert_eq!((list()[0].as_bool(), list()[1].is_null()), (Some(true), true));
        assert_eq!((map.get("a").and_then(Value::as_f64), map.get("b")), (Some(1.5), None));
        assert_eq!(map.as_map().map(<[_]>::len), Some(2));
        let record = Value::record("Part", [("key", Value::I64(7)), ("name", "peru".into())]);
        assert_eq!((record["key"].as_i64(), record[1].as_str()), (Some(7), Some("peru")));
        let names: Vec<&str> = record.fields().map(|(name, _)| name).collect();
        assert_eq!((names, map.fields().count()), (vec!["key", "name"], 0));
        let date = Value::from(Composite::date(1));
        assert_eq!(date.as_composite().map(Composite::ty), Some(Logical::Date));
        assert_eq!((date.as_bytes(), date.as_i64()), (None, None));
        assert_eq!(Value::from(Composite::bytes(b"a")).as_bytes(), Some(&b"a"[..]));
        let color = crate::testing::member("Color", &["red", "blue"], 1);
        assert_eq!(color.as_member(), Some("blue"));
    }

    #[test]
    #[should_panic(expected = "the value has no field \"b\"")]
    fn a_missing_field_has_no_index() {
        let _ = &Value::dict([("a", Value::Null)])["b"];
    }
}
