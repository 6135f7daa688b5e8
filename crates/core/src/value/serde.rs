//! Values by serde: the feature `serde`.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Composite, Value};
use crate::number::Int;
use crate::schema::{Logical, MemberValue};

/// Records and dicts are maps, sets are sequences, and a member of an enum is its value, or its name if it has none.
/// Dates, decimals and the like are text, as [`Composite`]'s `Display` gives it.
///
/// ```
/// # use serow_core::value::{Composite, Value};
/// let row = Value::record("Part", [("key", 7.into()), ("at", Composite::date(0).into())]);
/// assert_eq!(serde_json::to_string(&row).unwrap(), r#"{"key":7,"at":"1970-01-01"}"#);
/// ```
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => to.serialize_unit(),
            Value::Bool(v) => to.serialize_bool(*v),
            Value::I64(v) => to.serialize_i64(*v),
            Value::F64(v) => to.serialize_f64(*v),
            Value::Str(v) => to.serialize_str(v),
            Value::List(v) | Value::Tuple(v) | Value::Set(v) | Value::FrozenSet(v) => {
                to.collect_seq(v)
            }
            Value::Map(entries) => to.collect_map(entries.iter().map(|[key, value]| (key, value))),
            Value::Struct(names, fields) => {
                let mut map = to.serialize_map(Some(fields.len()))?;
                for (name, field) in names.fields.iter().zip(fields) {
                    map.serialize_entry(&**name, field)?;
                }
                map.end()
            }
            Value::Enum(of, member) => match of.values.get(*member as usize) {
                Some(MemberValue::Int(value)) => to.serialize_i64(value),
                Some(MemberValue::Str(value)) => to.serialize_str(value),
                None => match of.members.get(*member as usize) {
                    Some(name) => to.serialize_str(name),
                    None => Err(serde::ser::Error::custom("a value is no member of its enum")),
                },
            },
            Value::Logical(made) => composite(made, to),
        }
    }
}

fn composite<S: Serializer>(made: &Composite, to: S) -> Result<S::Ok, S::Error> {
    match (made.ty(), Int::of_bytes(made.as_bytes())) {
        (Logical::Bytes | Logical::ByteArray, _) => to.serialize_bytes(made.as_bytes()),
        (Logical::Int, Some(Int::U64(v))) => to.serialize_u64(v),
        (Logical::Int, Some(Int::I128(v))) => to.serialize_i128(v),
        (Logical::Int, Some(Int::U128(v))) => to.serialize_u128(v),
        (Logical::Complex, _) => made.floats().serialize(to),
        _ => to.collect_str(made),
    }
}

/// A map whose keys are all text becomes a dict. If the format has no dates, a date comes back as what the format
/// stores for it, such as text; the same holds for its other missing types.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        from.deserialize_any(Any)
    }
}

struct Any;

/// Defines the methods of a visitor that make a [`Value`] of the one value that they take.
macro_rules! visits {
    ($($name:ident($ty:ty) => |$v:ident| $value:expr;)*) => {$(
        fn $name<E: serde::de::Error>(self, $v: $ty) -> Result<Value, E> {
            Ok($value)
        }
    )*};
}

impl<'de> Visitor<'de> for Any {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of serow")
    }

    visits! {
        visit_bool(bool) => |v| v.into();
        visit_i64(i64) => |v| v.into();
        visit_u64(u64) => |v| v.into();
        visit_i128(i128) => |v| v.into();
        visit_f64(f64) => |v| v.into();
        visit_str(&str) => |v| v.into();
        visit_bytes(&[u8]) => |v| Composite::bytes(v).into();
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(Any)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(Any)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Value::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries: Vec<[Value; 2]> = Vec::new();
        while let Some((key, value)) = map.next_entry()? {
            entries.push([key, value]);
        }
        let text = |[key, _]: &[Value; 2]| match key {
            Value::Str(key) => Some(key.clone()),
            _ => None,
        };
        let names: Option<Vec<Arc<str>>> = entries.iter().map(text).collect();
        Ok(match names {
            Some(names) => {
                Value::dict(names.into_iter().zip(entries.into_iter().map(|[_, value]| value)))
            }
            None => Value::Map(entries),
        })
    }
}
