//! What the tree of types can't rule out by itself.

use std::collections::HashSet;
use std::sync::Arc;

use super::names::Quoted;
use super::types::Type;
use crate::error::{Error, Result};
use crate::limits::MAX_ARMS;

/// That names come once, that elements of sets and keys of maps have a hash, and that unions have few
/// arms.
pub(super) fn check(ty: &Type) -> Result<()> {
    match ty {
        Type::Optional(inner) => check(inner),
        Type::Sequence(container, element) => {
            use super::types::Container::{FrozenSet, Set};
            if matches!(container, Set | FrozenSet) {
                hashable("the elements of a set", element)?;
            }
            check(element)
        }
        Type::Map(key, value) => {
            hashable("the keys of a map", key)?;
            check(key)?;
            check(value)
        }
        Type::Fixed(_, types) => types.iter().try_for_each(check),
        Type::Union(arms) => {
            if arms.len() > MAX_ARMS {
                return Err(Error::limit(format!(
                    "values at one place are of more than {MAX_ARMS} types"
                )));
            }
            arms.iter().try_for_each(check)
        }
        Type::Struct(of) => {
            let name = of.names.name.as_deref().unwrap_or("a dict");
            distinct(&of.names.fields, "field", name)?;
            if let Some((field, _)) = of.named().find(|(_, field)| field.maybe && of.is_record()) {
                return Err(Error::schema(format!(
                    "field {} of record {name} can't be missing; those of dicts can",
                    Quoted(field)
                )));
            }
            of.fields.iter().try_for_each(|field| check(&field.ty))
        }
        Type::Enum(of) => match of.members.is_empty() {
            true => Err(Error::schema(format!("enum {} has no members", Quoted(&of.name)))),
            false => distinct(&of.members, "member", &of.name),
        },
        _ => Ok(()),
    }
}

fn hashable(what: &str, ty: &Type) -> Result<()> {
    match ty.unhashable() {
        None => Ok(()),
        Some(part) => Err(Error::schema(format!(
            "{what} must have a hash in every language, and values of type {part} have none"
        ))),
    }
}

fn distinct(names: &[Arc<str>], what: &str, of: &str) -> Result<()> {
    let mut seen = HashSet::with_capacity(names.len());
    match names.iter().find(|name| !seen.insert(*name)) {
        None => Ok(()),
        Some(twice) => Err(Error::schema(format!("{what} {} comes twice in {of}", Quoted(twice)))),
    }
}
