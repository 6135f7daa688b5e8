//! The types of trees, and the schema of rows of a serializable type.

use std::collections::HashSet;
use std::slice;
use std::sync::Arc;

use serow_core::error::Result;
use serow_core::path::{Path, PathStep};
use serow_core::schema::{
    Container, Enum, Field, Inspect, Kind, Logical, Names, Scalar, Schema, Shape, Struct, Type,
};

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
                Kind::Enum(Arc::new(Enum::new(*of, [variant.unwrap_or_default()])))
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

/// Returns the schema of rows of this shape. A value shows only its own variant of an enum, so enums
/// of one name are the members of one enum.
pub(super) fn schema_of(shape: Shape) -> Result<Schema> {
    Schema::new(merged(shape.into_type())?)
}

fn merged(ty: Type) -> Result<Type> {
    let all = |types: Vec<Type>| types.into_iter().map(merged).collect::<Result<Vec<_>>>();
    Ok(match ty {
        Type::Optional(inner) => Type::optional(merged(*inner)?),
        Type::Fixed(container, fields) => Type::Fixed(container, all(fields)?),
        Type::Sequence(container, element) => {
            Type::Sequence(container, Box::new(merged(*element)?))
        }
        Type::Map(key, value) => Type::Map(Box::new(merged(*key)?), Box::new(merged(*value)?)),
        Type::Struct(of) => {
            let field =
                |field: &Field| Ok(Field { ty: merged(field.ty.clone())?, maybe: field.maybe });
            let fields = of.fields.iter().map(field).collect::<Result<_>>()?;
            Type::Struct(Arc::new(Struct { names: of.names.clone(), fields }))
        }
        Type::Union(arms) => {
            let (mut enums, mut others): (Vec<Arc<Enum>>, Vec<Type>) = (Vec::new(), Vec::new());
            for arm in arms {
                match arm {
                    Type::Enum(of) => join_enum(&mut enums, of),
                    arm => others.push(merged(arm)?),
                }
            }
            others.extend(enums.into_iter().map(Type::Enum));
            match others.len() {
                1 => others.remove(0),
                _ => Type::union(others)?,
            }
        }
        ty => ty,
    })
}

/// Adds the members of `of` to the enum of its name.
fn join_enum(enums: &mut Vec<Arc<Enum>>, of: Arc<Enum>) {
    let Some(same) = enums.iter_mut().find(|other| other.name == of.name) else {
        enums.push(of);
        return;
    };
    let known: HashSet<&Arc<str>> = same.members.iter().collect();
    let new: Vec<_> = of.members.iter().filter(|name| !known.contains(name)).cloned().collect();
    Arc::make_mut(same).members.extend(new);
}
