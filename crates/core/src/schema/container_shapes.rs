//! How sets, dicts, records and enums join. Most fields have none, so a shape keeps them in a box.

use std::sync::Arc;

use super::dict_shapes::{Dicts, Keys};
use super::join::Shape;
use super::names::{Enum, Field, Names, Struct};
use super::types::{Container, Type};

/// The sets, dicts, records and enums among the values of one field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ContainerShapes {
    /// The joined elements of all sets.
    sets: Option<Shape>,
    frozensets: Option<Shape>,
    dicts: Option<Dicts>,
    /// The fields of records, by their names. Records with other names have another type.
    records: Vec<(Arc<Names>, Vec<Shape>)>,
    /// Enums, and whether other values may have further members of it.
    enums: Vec<(Arc<Enum>, bool)>,
}

impl ContainerShapes {
    /// Returns the shapes of `ty`, if it is a set, dict, record or enum.
    pub(super) fn of(ty: &Type) -> Option<ContainerShapes> {
        let mut containers = ContainerShapes::default();
        match ty {
            Type::Sequence(Container::Set, element) => containers.sets = Some(Shape::of(element)),
            Type::Sequence(Container::FrozenSet, element) => {
                containers.frozensets = Some(Shape::of(element));
            }
            Type::Map(key, value) => {
                containers.dicts = Some(Dicts::Map(Shape::of(key), Shape::of(value)));
            }
            Type::Struct(of) if of.is_record() => {
                let fields = of.fields.iter().map(|field| Shape::of(&field.ty)).collect();
                containers.records.push((of.names.clone(), fields));
            }
            Type::Struct(of) => {
                containers.dicts = Some(Dicts::Keys(Keys::of(of)));
            }
            Type::Enum(of) => containers.enums.push((of.clone(), false)),
            _ => return None,
        }
        Some(containers)
    }

    pub(super) fn of_set(container: Container, element: Shape) -> ContainerShapes {
        let mut containers = ContainerShapes::default();
        match container {
            Container::FrozenSet => containers.frozensets = Some(element),
            _ => containers.sets = Some(element),
        }
        containers
    }

    pub(super) fn of_dict(dict: Dicts) -> ContainerShapes {
        ContainerShapes { dicts: Some(dict), ..ContainerShapes::default() }
    }

    pub(super) fn of_record(names: Arc<Names>, fields: Vec<Shape>) -> ContainerShapes {
        ContainerShapes { records: vec![(names, fields)], ..ContainerShapes::default() }
    }

    pub(super) fn of_enum(of: Arc<Enum>, is_open: bool) -> ContainerShapes {
        ContainerShapes { enums: vec![(of, is_open)], ..ContainerShapes::default() }
    }

    pub(super) fn join(&mut self, other: ContainerShapes) {
        let join = |to: &mut Option<Shape>, from: Option<Shape>| match (to, from) {
            (Some(to), Some(from)) => to.join(from),
            (to, from) => *to = to.take().or(from),
        };
        join(&mut self.sets, other.sets);
        join(&mut self.frozensets, other.frozensets);
        self.dicts = match (self.dicts.take(), other.dicts) {
            (Some(a), Some(b)) => Some(a.join(b)),
            (a, b) => a.or(b),
        };
        for (names, fields) in other.records {
            match self.records.iter_mut().find(|(mine, _)| *mine == names) {
                Some((_, mine)) => mine.iter_mut().zip(fields).for_each(|(a, b)| a.join(b)),
                None => self.records.push((names, fields)),
            }
        }
        for (of, is_open) in other.enums {
            let is_same = |(mine, may_grow): &&mut (Arc<Enum>, bool)| match is_open || *may_grow {
                true => mine.name == of.name,
                false => *mine == of,
            };
            match self.enums.iter_mut().find(is_same) {
                Some((mine, may_grow)) => {
                    *may_grow |= is_open;
                    add_members(mine, &of);
                }
                None => self.enums.push((of, is_open)),
            }
        }
    }

    pub(super) fn settle(&mut self, is_soon: bool) {
        let elements = self.sets.iter_mut().chain(&mut self.frozensets);
        let fields = self.records.iter_mut().flat_map(|(_, fields)| fields);
        elements.chain(fields).for_each(|shape| shape.settle(is_soon));
        if let Some(dicts) = &mut self.dicts {
            dicts.settle(is_soon);
        }
    }

    /// See [`Shape::most_arms`].
    pub(super) fn most_arms(&self) -> usize {
        let elements = self.sets.iter().chain(&self.frozensets);
        let fields = self.records.iter().flat_map(|(_, fields)| fields);
        let dicts = self.dicts.as_ref().map_or(0, Dicts::most_arms);
        elements.chain(fields).map(Shape::most_arms).max().unwrap_or(0).max(dicts)
    }

    /// Returns the number of types.
    pub(super) fn count(&self) -> usize {
        let some = [self.sets.is_some(), self.frozensets.is_some(), self.dicts.is_some()];
        some.into_iter().filter(|some| *some).count() + self.records.len() + self.enums.len()
    }

    pub(super) fn into_types(self, arms: &mut Vec<Type>) {
        let sequence =
            |container, element: Shape| Type::Sequence(container, Box::new(element.into_type()));
        arms.extend(self.sets.map(|element| sequence(Container::Set, element)));
        arms.extend(self.frozensets.map(|element| sequence(Container::FrozenSet, element)));
        arms.extend(self.dicts.map(Dicts::into_type));
        arms.extend(self.records.into_iter().map(|(names, fields)| {
            let field = |shape: Shape| Field { ty: shape.into_type(), maybe: false };
            let fields = fields.into_iter().map(field).collect();
            Type::Struct(Arc::new(Struct { names, fields }))
        }));
        arms.extend(self.enums.into_iter().map(|(of, _)| Type::Enum(of)));
    }
}

/// Adds the members of `other` that `of` lacks, and sorts all members by name. So their order is the same whichever
/// value came first.
fn add_members(of: &mut Arc<Enum>, other: &Enum) {
    for member in &other.members {
        if !of.members.contains(member) {
            let of = Arc::make_mut(of);
            of.members.push(member.clone());
            of.members.sort_unstable();
        }
    }
}
