//! The former names of what a reader's schema names: of records and enums, of fields and members.
//!
//! They belong to the reader, as its defaults do. They are no part of its schema, so equality, the
//! fingerprint and the bytes of messages do not depend on them. Only lowering uses them: a present
//! name comes first, then former names in their order.

use std::collections::HashMap;
use std::sync::Arc;

use super::Parts;
use super::numbering::{Numbered, RowType, number};
use crate::error::{Error, Result};
use crate::schema::{Enum, Struct, Type, Word};

/// The former names in a reader's schema.
///
/// ```
/// use serow_core::plan::{Defaults, Former, FormerNames, Plan};
/// use serow_core::schema::Schema;
///
/// let reader = Plan::new(&Schema::parse("User{username: str}")?);
/// let user = Former { own: vec!["Account".into()], parts: vec![vec!["login".into()]] };
/// let former = FormerNames::new(&reader.to, vec![user], vec![])?;
///
/// let writer = Plan::new(&Schema::parse("Account{login: str}")?);
/// assert!(Plan::evolve(&writer, &reader, &Defaults::default(), &former).is_ok());
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormerNames {
    /// By the index in [`Tables::structs`](super::Tables::structs), without empty ones.
    structs: HashMap<u32, Former>,
    /// By the index in [`Tables::enums`](super::Tables::enums), without empty ones.
    enums: HashMap<u32, Former>,
}

/// The former names of a record or an enum and of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Former {
    /// Of the type itself. A dict has no name.
    pub own: Vec<Arc<str>>,
    /// Of each field or member, by its index. The list may end early.
    pub parts: Vec<Vec<Arc<str>>>,
}

/// A field of the reader that some rows have by one name and others by another.
pub(super) struct Unclear<'t> {
    /// The index of the reader's field.
    pub field: usize,
    /// Two of the writer's fields. Rows may lack the first.
    pub names: [&'t str; 2],
}

impl FormerNames {
    /// Takes the former names in the schema of `rows`: of each of its structs and of each of its enums,
    /// by their indices in [`Tables`](super::Tables). The lists may end early.
    ///
    /// # Errors
    /// A schema error that names both fields, members or types if two of them have one former name,
    /// or if a former name of one is the present name of another.
    pub fn new(rows: &RowType, structs: Vec<Former>, enums: Vec<Former>) -> Result<FormerNames> {
        let tables = &rows.tables;
        for (former, names) in structs.iter().zip(&tables.structs) {
            let of = match &names.name {
                Some(name) => format!("record {}", Word(name)),
                None => String::from("a dict with fixed keys"),
            };
            check(&of, "field", &names.fields, &former.parts)?;
        }
        for (former, of) in enums.iter().zip(&tables.enums) {
            check(&format!("enum {}", Word(&of.name)), "member", &of.members, &former.parts)?;
        }
        let named = |former: Vec<Former>| {
            let some = (0..).zip(former).filter(|(_, former)| {
                !former.own.is_empty() || former.parts.iter().any(|names| !names.is_empty())
            });
            some.collect::<HashMap<u32, Former>>()
        };
        let names = FormerNames { structs: named(structs), enums: named(enums) };
        if !names.is_empty() {
            names.check_unions(&number(rows.schema.root()))?;
        }
        Ok(names)
    }

    /// Returns the former names in a closed type. `parts` says which parts of the open type it has.
    pub(super) fn of_parts(&self, parts: &Parts) -> FormerNames {
        let named = |former: &HashMap<u32, Former>, parts: &HashMap<u32, u32>| {
            let of = |(&closed, open): (&u32, &u32)| Some((closed, former.get(open)?.clone()));
            parts.iter().filter_map(of).collect()
        };
        FormerNames {
            structs: named(&self.structs, &parts.structs),
            enums: named(&self.enums, &parts.enums),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.structs.is_empty() && self.enums.is_empty()
    }

    /// Returns the former names of a struct and of its fields. `table` is its index in
    /// [`Tables::structs`](super::Tables::structs).
    pub fn of_struct(&self, table: u32) -> Option<&Former> {
        self.structs.get(&table)
    }

    /// Returns the former names of an enum and of its members. `table` is its index in
    /// [`Tables::enums`](super::Tables::enums).
    pub fn of_enum(&self, table: u32) -> Option<&Former> {
        self.enums.get(&table)
    }

    /// Returns whether the record or enum `of` had this name.
    pub(super) fn was(&self, of: &Numbered<'_>, name: &str) -> bool {
        let former = match of.ty {
            Type::Struct(_) => self.of_struct(of.tables.structs),
            Type::Enum(_) => self.of_enum(of.tables.enums),
            _ => None,
        };
        former.is_some_and(|former| former.own.iter().any(|own| &**own == name))
    }

    /// Refuses two arms of a union that had the same name, because rows of that name would select
    /// neither.
    fn check_unions(&self, at: &Numbered<'_>) -> Result<()> {
        if let Type::Union(_) = at.ty {
            let mut known = HashMap::new();
            for arm in &at.within {
                let (what, present, former) = match arm.ty {
                    Type::Struct(of) => {
                        ("records", of.names.name.as_deref(), self.of_struct(arm.tables.structs))
                    }
                    Type::Enum(of) => ("enums", Some(&*of.name), self.of_enum(arm.tables.enums)),
                    _ => continue,
                };
                let present = present.unwrap_or_default();
                for name in former.iter().flat_map(|former| &former.own) {
                    let other = known.insert((what, &**name), present);
                    if let Some(other) = other.filter(|other| *other != present) {
                        return Err(Error::schema(format!(
                            "a union has two {what} with the former name {}, {} and {}; only one of \
                             them can read rows of that name",
                            Word(name),
                            Word(other),
                            Word(present)
                        )));
                    }
                }
            }
        }
        at.within.iter().try_for_each(|inner| self.check_unions(inner))
    }
}

/// Refuses former names that could mean two parts of `of`.
fn check(of: &str, part: &str, present: &[Arc<str>], former: &[Vec<Arc<str>>]) -> Result<()> {
    if former.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let places: HashMap<&str, usize> =
        present.iter().enumerate().map(|(at, name)| (&**name, at)).collect();
    let mut known = HashMap::new();
    for (at, names) in former.iter().enumerate().take(present.len()) {
        for name in names {
            if places.get(&**name).is_some_and(|other| *other != at) {
                return Err(Error::schema(format!(
                    "{of}: {} is a former name of {part} {} and the name of another {part}; take it \
                     from the former names, or give the other {part} another name",
                    Word(name),
                    Word(&present[at]),
                )));
            }
            let other = known.insert(&**name, at).filter(|other| *other != at);
            if let Some(other) = other {
                return Err(Error::schema(format!(
                    "{of}: {part}s {} and {} have the same former name {}; only one of them can have \
                     had it",
                    Word(&present[other]),
                    Word(&present[at]),
                    Word(name)
                )));
            }
        }
    }
    Ok(())
}

impl Former {
    /// Returns for each of the writer's fields the reader's field that gets its values. `former` are
    /// the names of the reader's fields.
    pub(super) fn fields<'t>(
        writer: &'t Struct,
        reader: &Struct,
        former: Option<&Former>,
    ) -> std::result::Result<Vec<Option<usize>>, Unclear<'t>> {
        let present: HashMap<&str, usize> =
            reader.names.fields.iter().enumerate().map(|(at, name)| (&**name, at)).collect();
        let names = &writer.names.fields;
        let mut places: Vec<_> = names.iter().map(|name| present.get(&**name).copied()).collect();
        let Some(former) = former else { return Ok(places) };
        let written: HashMap<&str, usize> =
            names.iter().enumerate().map(|(at, name)| (&**name, at)).collect();
        for (field, (name, was)) in reader.names.fields.iter().zip(&former.parts).enumerate() {
            let mut found =
                [name].into_iter().chain(was).filter_map(|name| written.get(&**name).copied());
            let Some(first) = found.next() else { continue };
            places[first] = Some(field);
            if writer.fields[first].maybe
                && let Some(other) = found.find(|other| *other != first)
            {
                return Err(Unclear { field, names: [&names[first], &names[other]] });
            }
        }
        Ok(places)
    }

    /// Returns for each of the writer's members the index of the same member of the reader: the one
    /// with its name, or else the one that had its name, or else the first one with its value.
    pub(super) fn members(
        writer: &Enum,
        reader: &Enum,
        former: Option<&Former>,
    ) -> Vec<Option<u32>> {
        let mut places = writer.places_in(reader);
        let Some(former) = former else { return places };
        let present: HashMap<&str, ()> = reader.members.iter().map(|name| (&**name, ())).collect();
        let was: HashMap<&str, u32> = (0..)
            .zip(&former.parts)
            .flat_map(|(at, names)| names.iter().map(move |name| (&**name, at)))
            .collect();
        for (place, name) in places.iter_mut().zip(&writer.members) {
            if !present.contains_key(&**name)
                && let Some(at) = was.get(&**name)
            {
                *place = Some(*at);
            }
        }
        places
    }
}

#[cfg(test)]
mod tests;
