//! One value of a serializable type as a tree. Types are inferred from trees, and values whose place
//! in the schema is only known at their end wait in one: sequences of unknown length, structs that
//! leave out fields.

use std::fmt;
use std::slice;
use std::sync::Arc;

use serow_core::number::Number;
use serow_core::path::{Path, PathStep};
use serow_core::schema::{Container, Enum, Inspect, Kind, Logical, Names, Scalar};

use super::known::{CONTENT, Name};

/// A value.
#[derive(Clone)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    I64(i64),
    /// An integer of another size, as its component.
    Sized(Logical, i64),
    F64(f64),
    F32(f32),
    Str(Box<str>),
    /// Bytes, or the bytes of an integer beyond 64 bits.
    Bytes(Logical, Box<[u8]>),
    List(Vec<Tree>),
    Tuple(Vec<Tree>),
    Map(Vec<[Tree; 2]>),
    /// A struct, or the contents of a variant of an enum. It has no name if it leaves out fields.
    Record(Option<Name>, Fields, Vec<Tree>),
    /// A variant without contents.
    Unit(Name),
}

/// The names of the fields of a struct, and whether each has a value.
pub(super) type Fields = Vec<(&'static str, bool)>;

/// Returns the fields that have values, with them.
pub(super) fn named<'a>(
    fields: &'a Fields,
    values: &'a [Tree],
) -> impl Iterator<Item = (&'static str, &'a Tree)> {
    fields.iter().filter(|(_, is_present)| *is_present).map(|(name, _)| *name).zip(values)
}

impl Tree {
    /// Returns whether the value may be the key of a map in every language.
    fn is_hashable(&self) -> bool {
        match self {
            Tree::List(_) | Tree::Map(_) | Tree::Record(None, ..) => false,
            Tree::Tuple(values) | Tree::Record(_, _, values) => {
                values.iter().all(Tree::is_hashable)
            }
            _ => true,
        }
    }

    /// Returns the map of these keys and values, alternating. If a key can't be the key of a map, it
    /// is a list of pairs.
    pub(super) fn map(values: Vec<Tree>) -> Tree {
        let mut entries = Vec::with_capacity(values.len() / 2);
        let mut values = values.into_iter();
        while let (Some(key), Some(value)) = (values.next(), values.next()) {
            entries.push([key, value]);
        }
        match entries.iter().all(|[key, _]| key.is_hashable()) {
            true => Tree::Map(entries),
            false => Tree::List(entries.into_iter().map(|pair| Tree::Tuple(pair.into())).collect()),
        }
    }

    /// Returns the newtype variant or tuple variant with this content.
    pub(super) fn content(name: Name, content: Vec<Tree>) -> Tree {
        Tree::Record(Some(name), vec![(CONTENT, true)], content)
    }

    /// Returns the struct or variant of these fields.
    pub(super) fn record(name: Name, fields: Fields, values: Vec<Tree>) -> Tree {
        // A field with the name of a variant's contents would be taken for them.
        let is_whole =
            fields.len() == values.len() && (name.variant.is_none() || fields != [(CONTENT, true)]);
        match (is_whole, name.variant) {
            (true, _) => Tree::Record(Some(name), fields, values),
            (false, None) => Tree::Record(None, fields, values),
            (false, Some(_)) => Tree::content(name, vec![Tree::Record(None, fields, values)]),
        }
    }

    /// Describes the value at `path`.
    pub(super) fn described(&self, path: &Path) -> String {
        match self.at(path) {
            Some(value) => format!("{value:?}"),
            None => format!("a missing field of {self:?}"),
        }
    }

    fn at(&self, path: &Path) -> Option<&Tree> {
        path.0.iter().try_fold(self, |tree, step| match (tree, step) {
            (Tree::List(values) | Tree::Tuple(values), PathStep::Item(item)) => values.get(*item),
            (Tree::Map(entries), PathStep::Key(entry)) => Some(&entries.get(*entry)?[0]),
            (Tree::Map(entries), PathStep::Value(entry)) => Some(&entries.get(*entry)?[1]),
            (Tree::Record(_, fields, values), PathStep::Field(name)) => {
                named(fields, values).find(|(field, _)| *field == &**name).map(|(_, value)| value)
            }
            _ => None,
        })
    }
}

impl<'a> Inspect for &'a Tree {
    type Elements = slice::Iter<'a, Tree>;

    fn kind(self) -> Option<Kind<Self::Elements>> {
        Some(match self {
            Tree::Null => Kind::Scalar(Scalar::Null),
            Tree::Bool(_) => Kind::Scalar(Scalar::Bool),
            Tree::I64(_) => Kind::Scalar(Scalar::I64),
            Tree::Sized(ty, _) => Kind::Scalar(Scalar::Logical(*ty)),
            Tree::F64(_) => Kind::Scalar(Scalar::F64),
            Tree::F32(_) => Kind::Scalar(Scalar::Logical(Logical::F32)),
            Tree::Str(_) => Kind::Scalar(Scalar::Str),
            Tree::Bytes(ty, _) => Kind::Scalar(Scalar::Logical(*ty)),
            Tree::List(values) => Kind::Sequence(Container::List, values.iter()),
            Tree::Tuple(values) => Kind::Container(Container::Tuple, values.iter()),
            Tree::Map(entries) => Kind::Map(entries.as_flattened().iter()),
            Tree::Record(name, fields, values) => {
                let names = Arc::new(Names {
                    name: name.map(|name| name.to_string().into()),
                    fields: fields.iter().map(|(name, _)| (*name).into()).collect(),
                });
                match name {
                    Some(_) => Kind::Struct(names, values.iter()),
                    None => {
                        let present = fields.iter().map(|(_, is_present)| *is_present).collect();
                        Kind::Partial(names, present, values.iter())
                    }
                }
            }
            Tree::Unit(Name { of, variant, .. }) => {
                Kind::Variant(Enum::new(*of, [variant.unwrap_or_default()]))
            }
        })
    }

    /// Only asked for the keys of dicts, and trees have none.
    fn name(self) -> Option<Arc<str>> {
        None
    }
}

/// Formats a value for error messages, much as Rust's `Debug` does.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Null => f.write_str("null"),
            Tree::Bool(v) => v.fmt(f),
            Tree::I64(v) => v.fmt(f),
            Tree::Sized(ty, v) => ty.number().unwrap_or(Number::I64).int_of(*v).fmt(f),
            Tree::F64(v) => v.fmt(f),
            Tree::F32(v) => v.fmt(f),
            Tree::Str(v) => v.fmt(f),
            Tree::Bytes(Logical::Int, _) => f.write_str("an integer beyond 64 bits"),
            Tree::Bytes(_, v) => write!(f, "{} bytes", v.len()),
            Tree::List(values) => f.debug_list().entries(values).finish(),
            Tree::Tuple(values) => {
                let mut tuple = f.debug_tuple("");
                values.iter().for_each(|value| {
                    tuple.field(value);
                });
                tuple.finish()
            }
            Tree::Map(entries) => {
                f.debug_map().entries(entries.iter().map(|[key, value]| (key, value))).finish()
            }
            Tree::Record(Some(name), fields, values) => {
                let mut record = f.debug_struct(&name.to_string());
                named(fields, values).for_each(|(name, value)| {
                    record.field(name, value);
                });
                record.finish()
            }
            Tree::Record(None, fields, values) => {
                f.debug_map().entries(named(fields, values)).finish()
            }
            Tree::Unit(name) => write!(f, "{name}"),
        }
    }
}
