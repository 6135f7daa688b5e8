//! The types of trees.

use std::slice;
use std::sync::Arc;

use serow_core::path::{Path, PathStep};
use serow_core::schema::{Container, Enum, Inspect, Kind, Logical, Names, Scalar};

use super::tree::{Name, Tree};

impl<'a> Inspect for &'a Tree {
    type Elements = slice::Iter<'a, Tree>;

    fn kind(self) -> Option<Kind<Self::Elements>> {
        Some(match self {
            Tree::Null => Kind::Scalar(Scalar::Null),
            Tree::Bool(_) => Kind::Scalar(Scalar::Bool),
            Tree::I64(_) => Kind::Scalar(Scalar::I64),
            Tree::Int(_) => Kind::Scalar(Scalar::Logical(Logical::Int)),
            Tree::F64(_) => Kind::Scalar(Scalar::F64),
            Tree::Str(_) => Kind::Scalar(Scalar::Str),
            Tree::Bytes(_) => Kind::Scalar(Scalar::Logical(Logical::Bytes)),
            Tree::List(values) => Kind::Sequence(Container::List, values.iter()),
            Tree::Tuple(values) => Kind::Container(Container::Tuple, values.iter()),
            Tree::Map(entries) => Kind::Map(entries.iter()),
            Tree::Record(name, fields, values) => {
                let name = Some(name.to_string().into());
                Kind::Struct(Arc::new(Names { name, fields: texts(fields) }), values.iter())
            }
            Tree::Partial(fields, present, values) => {
                let names = Names { name: None, fields: texts(fields) };
                Kind::Partial(Arc::new(names), present.clone(), values.iter())
            }
            Tree::Unit(Name { of, variant }) => {
                Kind::Variant(Enum::new(*of, [variant.unwrap_or_default()]))
            }
        })
    }

    /// Only asked for the keys of dicts, and trees have none.
    fn name(self) -> Option<Arc<str>> {
        None
    }
}

fn texts(names: &[&'static str]) -> Vec<Arc<str>> {
    names.iter().map(|name| (*name).into()).collect()
}

impl Tree {
    /// Returns the value at `path`.
    pub(super) fn at(&self, path: &Path) -> Option<&Tree> {
        path.0.iter().try_fold(self, |tree, step| match (tree, step) {
            (Tree::List(values) | Tree::Tuple(values), PathStep::Item(item)) => values.get(*item),
            (Tree::Map(entries), PathStep::Key(entry)) => entries.get(entry.checked_mul(2)?),
            (Tree::Map(entries), PathStep::Value(entry)) => {
                entries.get(entry.checked_mul(2)?.checked_add(1)?)
            }
            (Tree::Record(_, fields, values), PathStep::Field(name)) => {
                values.get(fields.iter().position(|field| **field == **name)?)
            }
            (Tree::Partial(fields, present, values), PathStep::Field(name)) => {
                let present = fields.iter().zip(present).filter(|(_, is_present)| **is_present);
                values.get(present.map(|(field, _)| *field).position(|field| *field == **name)?)
            }
            _ => None,
        })
    }
}
