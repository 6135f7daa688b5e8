//! Describes how the fields of a container differ from its type.

use super::infer::{Inspect, Kind};
use super::types::Type;

/// Returns how the fields of `value` differ from those of `expected`, if both are containers of one
/// kind with fixed fields.
pub fn mismatch<V: Inspect>(value: V, expected: &Type) -> Option<String> {
    match (expected.required(), value.kind()?) {
        (Type::Fixed(of, fields), Kind::Container(container, items))
            if *of == container && items.len() != fields.len() =>
        {
            let s = if items.len() == 1 { "" } else { "s" };
            Some(format!("it has {} field{s} and must have {}", items.len(), fields.len()))
        }
        (Type::Struct(of), Kind::Dict(mut items)) => {
            while let (Some(key), Some(_)) = (items.next(), items.next()) {
                match key.name() {
                    Some(name) if of.names.fields.contains(&name) => {}
                    Some(name) => {
                        return Some(format!(
                            "it has the extra key {name:?}; remove it, or add it to the schema"
                        ));
                    }
                    None => return Some("one of its keys is not a str".into()),
                }
            }
            None
        }
        _ => None,
    }
}
