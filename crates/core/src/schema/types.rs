//! The tree of types. Its constructors keep it in canonical form.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Class;
use super::logical::Logical;
use super::names::{Enum, Struct};
use super::valid;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::path::{Path, PathStep};

/// A kind of container of fields or elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Container {
    /// A Python list, a Java `List`.
    List,
    /// A Python tuple, a Java `Object[]`.
    Tuple,
    /// A Python set, a Java `Set`.
    Set,
    /// A Python frozenset, an immutable Java `Set`.
    FrozenSet,
    /// A Python dict with any keys, a Java `Map`. Its elements are a key and a value.
    Map,
    /// A dict with fixed keys, or a record. The number is the index of its names in
    /// [`structs`](crate::plan::Tables::structs) of its plan. It does not occur in a [`Type`].
    Struct(u32),
}

/// The type of a row or of a value in it.
///
/// Make optionals and unions with [`Type::optional`] and [`Type::union`], which keep the canonical
/// form. `docs/wire-format.md` describes it under "Schemas".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value at all: the element type of lists that were always empty.
    Never,
    /// Only null.
    Null,
    /// True or false.
    Bool,
    /// An integer from -2^63 to 2^63 - 1.
    I64,
    /// A 64-bit IEEE 754 float. All its bits are kept.
    F64,
    /// Unicode text; lone surrogates are allowed.
    Str,
    /// A value of several components.
    Logical(Logical),
    /// The type, or null.
    Optional(Box<Type>),
    /// A list or tuple with these fields.
    Fixed(Container, Vec<Type>),
    /// A list, tuple, set or frozenset of any length with elements of one type.
    Sequence(Container, Box<Type>),
    /// A dict with any number of keys of one type and values of another.
    Map(Box<Type>, Box<Type>),
    /// A dict with fixed keys, or a record.
    Struct(Arc<Struct>),
    /// One of the members of an enum.
    Enum(Arc<Enum>),
    /// One of several types, distinguished by [`Type::class`].
    Union(Vec<Type>),
    /// A type that only the writer's schema tells.
    Open(Open),
}

/// A part of a reader's type that is known once there is a writer's type. Rows are never of such a
/// type: [`Plan::evolve`](crate::plan::Plan::evolve) puts the writer's types in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Open {
    /// Whatever type the writer has here.
    Any,
    /// The same type as a dict with fixed keys or a record elsewhere, which may so contain itself. The
    /// number is its index among these, in the order of their beginnings in the type list.
    Struct(u32),
}

impl Type {
    /// Returns the type of `inner`, or null.
    pub fn optional(inner: Type) -> Type {
        match inner {
            Type::Never => Type::Null,
            Type::Null | Type::Optional(_) | Type::Open(Open::Any) => inner,
            other => Type::Optional(Box::new(other)),
        }
    }

    /// Returns the union of `arms`, which may be nulls, optionals and unions.
    ///
    /// # Errors
    /// A schema error if two arms can't be distinguished by class and length. A limit error if
    /// there are too many arms.
    pub fn union(arms: impl IntoIterator<Item = Type>) -> Result<Type> {
        let mut null = false;
        let mut flat: Vec<Type> = Vec::new();
        let mut todo: Vec<Type> = arms.into_iter().collect();
        while let Some(arm) = todo.pop() {
            match arm {
                Type::Never => {}
                Type::Open(Open::Any) => return Ok(arm),
                Type::Null => null = true,
                Type::Optional(inner) => {
                    null = true;
                    todo.push(*inner);
                }
                Type::Union(inner) => todo.extend(inner),
                // `int` includes 64-bit integers.
                Type::I64 if flat.contains(&Type::Logical(Logical::Int)) => {}
                Type::Logical(Logical::Int) if flat.contains(&Type::I64) => {
                    flat.retain(|arm| *arm != Type::I64);
                    flat.push(arm);
                }
                other => match flat.iter().find(|arm| arm.clashes_with(&other)) {
                    None => {
                        valid::container(&other)?;
                        flat.push(other);
                        // Checked here already, because each arm is compared with all earlier ones.
                        valid::arms(flat.len())?;
                    }
                    Some(arm) if *arm == other => {}
                    Some(arm) => {
                        return Err(Error::schema(match (arm.number(), other.number()) {
                            (Some(a), Some(b)) => format!(
                                "a union has at most one type of integers and one of floats; instead of \
                                 {other} and {arm} use {}, which includes both",
                                a.joined(b).name(),
                            ),
                            _ => format!(
                                "the class and length of a value don't distinguish {other} from {arm}; \
                                 join the two types into one, such as [i64|str] for \
                                 [i64]|[str]"
                            ),
                        }));
                    }
                },
            }
        }
        let one = Type::one_of(flat);
        Ok(if null { Type::optional(one) } else { one })
    }

    /// Returns the union of `arms`. They must not be nulls, optionals or unions, and must differ in
    /// class or length.
    pub(super) fn one_of(mut arms: Vec<Type>) -> Type {
        arms.sort_by(Type::order);
        match arms.len() {
            0 => Type::Never,
            1 => arms.remove(0),
            _ => Type::Union(arms),
        }
    }

    /// Returns whether [`Type::union`] could have made a union of these arms.
    pub(super) fn is_union(arms: &[Type]) -> bool {
        let differ = |(i, arm): (usize, &Type)| !arms[..i].iter().any(|a| a.clashes_with(arm));
        arms.len() > 1
            && arms.iter().all(|arm| arm.class(0).is_some())
            && arms.iter().enumerate().all(differ)
            && arms.is_sorted_by(|a, b| a.order(b).is_lt())
    }

    /// Returns the class that distinguishes an arm of this type from other arms; `None` if the type
    /// can't be an arm. `table` is the index of a record's or an enum's names in its plan.
    pub fn class(&self, table: u32) -> Option<Class> {
        Some(match self {
            Type::I64 => Class::I64,
            Type::F64 => Class::F64,
            Type::Str => Class::Str,
            Type::Logical(logical) => match logical.number() {
                None => Class::Logical(*logical),
                Some(Number::F32) => Class::F64,
                // Only these have integers of more than 63 bits.
                Some(Number::Int | Number::U64) => Class::Logical(Logical::Int),
                Some(_) => Class::I64,
            },
            Type::Bool => Class::Bool,
            Type::Fixed(Container::Tuple, fields) => Class::Tuple(Some(fields.len() as u32)),
            Type::Sequence(Container::Tuple, _) => Class::Tuple(None),
            Type::Sequence(Container::Set, _) => Class::Set,
            Type::Sequence(Container::FrozenSet, _) => Class::FrozenSet,
            Type::Fixed(..) | Type::Sequence(..) => Class::List,
            Type::Map(..) => Class::Dict,
            Type::Struct(of) if of.is_record() => Class::Record(table),
            Type::Struct(_) => Class::Dict,
            Type::Enum(_) => Class::Enum(table),
            Type::Open(Open::Struct(_)) => Class::Record(table),
            Type::Never | Type::Null | Type::Optional(_) | Type::Union(_) | Type::Open(_) => {
                return None;
            }
        })
    }

    /// Returns which type of numbers it is.
    pub fn number(&self) -> Option<Number> {
        match self {
            Type::I64 => Some(Number::I64),
            Type::F64 => Some(Number::F64),
            Type::Logical(logical) => logical.number(),
            _ => None,
        }
    }

    /// Returns whether each value that fits this type also has it as its inferred type. A float fits
    /// `f64?`, for example, but its inferred type is `f64`.
    pub fn is_definite(&self) -> bool {
        match self {
            Type::Null | Type::Bool | Type::I64 | Type::F64 | Type::Str | Type::Enum(_) => true,
            // A 64-bit integer fits `int` and others, and an array that is a list fits `ndarray`.
            Type::Logical(logical) => {
                !matches!(logical, Logical::NdArray) && logical.number().is_none()
            }
            Type::Fixed(Container::Tuple, fields) => fields.iter().all(Type::is_definite),
            // A dict may have its keys in another order.
            Type::Struct(of) => {
                of.is_record() && of.fields.iter().all(|field| field.ty.is_definite())
            }
            Type::Never | Type::Optional(_) | Type::Union(_) | Type::Open(_) => false,
            Type::Fixed(..) | Type::Sequence(..) | Type::Map(..) => false,
        }
    }

    /// Like [`Type::is_definite`], for the rows of a message whose first row, if it is a dict, has the
    /// keys of this type in the same order. The order of other rows' keys does not matter.
    pub fn is_definite_for_rows(&self) -> bool {
        match self {
            Type::Struct(of) if !of.is_record() => {
                !of.fields.is_empty()
                    && of.fields.iter().all(|field| !field.maybe && field.ty.is_definite())
            }
            _ => self.is_definite(),
        }
    }

    /// Returns whether values of this type never contain a list or another mutable object, so that
    /// no reference cycle can go through them.
    pub fn is_acyclic(&self) -> bool {
        match self {
            Type::Never | Type::Null | Type::Bool | Type::I64 | Type::F64 | Type::Str => true,
            Type::Logical(_) | Type::Enum(_) => true,
            Type::Optional(inner) => inner.is_acyclic(),
            Type::Fixed(Container::Tuple, types) | Type::Union(types) => {
                types.iter().all(Type::is_acyclic)
            }
            Type::Sequence(Container::Tuple, element) => element.is_acyclic(),
            Type::Fixed(..) | Type::Sequence(..) | Type::Map(..) | Type::Struct(_) => false,
            Type::Open(_) => false,
        }
    }

    /// Returns the part of this type whose values have no hash in some language, if there is one.
    /// Then values of this type can't be elements of a set or keys of a map.
    pub fn unhashable(&self) -> Option<&Type> {
        match self {
            Type::Optional(inner) => inner.unhashable(),
            Type::Fixed(Container::Tuple, types) | Type::Union(types) => {
                types.iter().find_map(Type::unhashable)
            }
            Type::Sequence(Container::Tuple | Container::FrozenSet, element) => {
                element.unhashable()
            }
            Type::Struct(of) if of.is_record() => {
                of.fields.iter().find_map(|field| field.ty.unhashable())
            }
            Type::Logical(Logical::ByteArray | Logical::NdArray) => Some(self),
            Type::Fixed(..) | Type::Sequence(..) | Type::Map(..) | Type::Struct(_) => Some(self),
            _ => None,
        }
    }

    /// Returns the type at `path` below this one, if it exists and does not depend on the value.
    pub fn at(&self, path: &Path) -> Option<&Type> {
        path.0.iter().try_fold(self, |ty, step| match (ty.required(), step) {
            (Type::Fixed(_, fields), PathStep::Item(field)) => fields.get(*field),
            (Type::Sequence(_, element), PathStep::Item(_)) => Some(&**element),
            (Type::Map(key, _), PathStep::Key(_)) => Some(&**key),
            (Type::Map(_, value), PathStep::Value(_)) => Some(&**value),
            (Type::Struct(of), PathStep::Field(name)) => {
                of.named().find(|(other, _)| *other == name).map(|(_, field)| &field.ty)
            }
            _ => None,
        })
    }

    /// Visits it and all types in it, in the order of the type list.
    pub fn each<'t>(&'t self, visit: &mut impl FnMut(&'t Type)) {
        visit(self);
        match self {
            Type::Optional(inner) | Type::Sequence(_, inner) => inner.each(visit),
            Type::Map(key, value) => {
                key.each(visit);
                value.each(visit);
            }
            Type::Fixed(_, types) | Type::Union(types) => {
                types.iter().for_each(|ty| ty.each(visit));
            }
            Type::Struct(of) => of.fields.iter().for_each(|field| field.ty.each(visit)),
            _ => {}
        }
    }

    /// Returns whether it has parts that only a writer's type tells.
    pub fn is_open(&self) -> bool {
        let mut is_open = false;
        self.each(&mut |ty| is_open |= matches!(ty, Type::Open(_)));
        is_open
    }

    /// Returns the type without the optional around it.
    pub fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner,
            other => other,
        }
    }

    /// Returns the type of field `index` of a record, a dict, or a list or tuple of fixed shape, optional if
    /// values may lack the field; `None` if there is no such field.
    pub fn field(&self, index: usize) -> Option<Type> {
        match self {
            Type::Fixed(_, fields) => fields.get(index).cloned(),
            Type::Struct(of) => of.fields.get(index).map(|field| match field.maybe {
                true => Type::optional(field.ty.clone()),
                false => field.ty.clone(),
            }),
            _ => None,
        }
    }

    /// Returns whether values of this type take no bytes in any wire.
    pub fn is_zero_sized(&self) -> bool {
        match self {
            Type::Never | Type::Null => true,
            Type::Fixed(_, fields) => fields.iter().all(Type::is_zero_sized),
            Type::Struct(of) => {
                of.fields.iter().all(|field| !field.maybe && field.ty.is_zero_sized())
            }
            _ => false,
        }
    }

    fn clashes_with(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Enum(a), Type::Enum(b)) => return a == b,
            (Type::Struct(a), Type::Struct(b)) if a.is_record() && b.is_record() => {
                return a.names == b.names;
            }
            (Type::Open(_), _) | (_, Type::Open(_)) => return self == other,
            _ => {}
        }
        match (self.class(0), other.class(0)) {
            (Some(Class::Tuple(a)), Some(Class::Tuple(b))) => a.is_none() || b.is_none() || a == b,
            // `int` includes 64-bit integers.
            (Some(Class::I64), Some(b)) => [Class::I64, Class::Logical(Logical::Int)].contains(&b),
            (Some(Class::Logical(Logical::Int)), Some(Class::I64)) => true,
            (a, b) => a == b,
        }
    }

    /// The order of arms: by their codes, tuples by their lengths, records and enums by their
    /// names.
    fn order(&self, other: &Type) -> Ordering {
        let code = super::list::code(self).cmp(&super::list::code(other));
        code.then_with(|| match (self, other) {
            (Type::Fixed(_, a), Type::Fixed(_, b)) => a.len().cmp(&b.len()),
            (Type::Struct(a), Type::Struct(b)) => a.names.cmp(&b.names),
            (Type::Enum(a), Type::Enum(b)) => a.cmp(b),
            (Type::Open(a), Type::Open(b)) => a.cmp(b),
            _ => Ordering::Equal,
        })
    }
}
