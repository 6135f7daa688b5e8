//! Checks that the tree of types can't enforce, in particular for trees that were built by hand.

use std::collections::HashSet;
use std::sync::Arc;

use super::names::{Quoted, Word};
use super::types::{Container, Open, Type};
use crate::error::{Error, Result};
use crate::limits::MAX_ARMS;

/// Checks that names are distinct, that elements of sets and keys of maps have a hash, that unions
/// do not have too many arms, and that the type is in canonical form.
pub(super) fn check(ty: &Type) -> Result<()> {
    match ty {
        Type::Optional(inner) => {
            if inner.class(0).is_none() && !matches!(**inner, Type::Union(_)) {
                return Err(Error::schema(format!(
                    "an optional {inner} is not in canonical form; make it with Type::optional"
                )));
            }
            check(inner)
        }
        Type::Sequence(container, element) => {
            self::container(ty)?;
            if matches!(container, Container::Set | Container::FrozenSet) {
                hashable("the elements of a set", element)?;
            }
            check(element)
        }
        Type::Map(key, value) => {
            hashable("the keys of a map", key)?;
            check(key)?;
            check(value)
        }
        Type::Fixed(_, types) => {
            container(ty)?;
            types.iter().try_for_each(check)
        }
        Type::Union(types) => {
            arms(types.len())?;
            types.iter().try_for_each(container)?;
            if !Type::is_union(types) {
                return Err(Error::schema(format!(
                    "the union {ty} is not in canonical form; make it with Type::union"
                )));
            }
            types.iter().try_for_each(check)
        }
        Type::Struct(of) => {
            let name = of.names.name.as_deref().map_or("a dict".into(), |n| Word(n).to_string());
            if of.names.fields.len() != of.fields.len() {
                return Err(Error::schema(format!(
                    "{name} has {} field names and {} field type(s)",
                    of.names.fields.len(),
                    of.fields.len()
                )));
            }
            distinct(&of.names.fields, "field", &name)?;
            if let Some((field, _)) = of.named().find(|(_, field)| field.maybe && of.is_record()) {
                return Err(Error::schema(format!(
                    "field {} of record {name} can't be missing; only fields of dicts can",
                    Quoted(field)
                )));
            }
            of.fields.iter().try_for_each(|field| check(&field.ty))
        }
        Type::Enum(of) => match of.members.is_empty() {
            true => Err(Error::schema(format!("enum {} has no members", Quoted(&of.name)))),
            false => {
                let count = of.values.count().unwrap_or(of.members.len());
                if count != of.members.len() {
                    return Err(Error::schema(format!(
                        "enum {} has {} members and {count} value(s)",
                        Word(&of.name),
                        of.members.len()
                    )));
                }
                distinct(&of.members, "member", &Word(&of.name).to_string())
            }
        },
        _ => Ok(()),
    }
}

/// Checks that each type that is named by the index of a dict or record has such a one.
pub(super) fn structs(root: &Type) -> Result<()> {
    let (mut count, mut most) = (0, None);
    root.each(&mut |ty| match ty {
        Type::Struct(_) => count += 1,
        Type::Open(Open::Struct(index)) => most = most.max(Some(*index)),
        _ => {}
    });
    match most {
        Some(index) if index >= count => Err(Error::schema(format!(
            "^{index} is the dict with fixed keys or the record number {index}, but {root} has only \
             {count}; the first is number 0"
        ))),
        _ => Ok(()),
    }
}

/// Checks that the container of `ty`, if it is one, can have fixed fields or any number of
/// elements.
pub(super) fn container(ty: &Type) -> Result<()> {
    use Container::{FrozenSet, List, Set, Tuple};
    match ty {
        Type::Fixed(List | Tuple, _) | Type::Sequence(List | Tuple | Set | FrozenSet, _) => Ok(()),
        Type::Fixed(container, _) => Err(Error::schema(format!(
            "a {container:?} can't have fixed fields; only lists and tuples can"
        ))),
        Type::Sequence(container, _) => Err(Error::schema(format!(
            "a {container:?} is not a sequence; use Type::Map or Type::Struct"
        ))),
        _ => Ok(()),
    }
}

/// Checks the number of arms of a union.
pub(super) fn arms(count: usize) -> Result<()> {
    if count > MAX_ARMS {
        return Err(Error::limit(format!("a union has more than {MAX_ARMS} arms")));
    }
    Ok(())
}

fn hashable(what: &str, ty: &Type) -> Result<()> {
    match ty.unhashable() {
        None => Ok(()),
        Some(part) => Err(Error::schema(format!(
            "{what} must have a hash in every language, but values of type {part} have none"
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
