//! How sets, dicts, records and enums join. Most fields have none, so a shape keeps them in a box.

use std::collections::HashMap;
use std::sync::Arc;

use super::join::{Shape, join_all};
use super::names::{Enum, Field, Names, Struct};
use super::types::{Container, Type};
use crate::limits::{MAX_INFERRED_KEYS, MAX_SPARSE_KEYS};

/// The sets, dicts, records and enums among the values of one field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ContainerShapes {
    /// The joined elements of all sets.
    sets: Option<Shape>,
    frozensets: Option<Shape>,
    dicts: Option<Dicts>,
    /// The fields of records, by their names. Records with other names have another type.
    records: Vec<(Arc<Names>, Vec<Shape>)>,
    enums: Vec<Arc<Enum>>,
}

/// The dicts among the values of one field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dicts {
    /// All keys are strings and become fixed keys.
    Keys(Keys),
    /// The joined keys and the joined values.
    Map(Shape, Shape),
}

/// The keys of dicts, in the order in which they were first seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Keys {
    names: Vec<Arc<str>>,
    places: HashMap<Arc<str>, usize>,
    values: Vec<Shape>,
    /// For each key: whether some dict lacks it.
    maybe: Vec<bool>,
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
                let mut keys = Keys::default();
                for (name, field) in of.named() {
                    keys.push(name.clone(), Shape::of(&field.ty), field.maybe);
                }
                containers.dicts = Some(Dicts::Keys(keys));
            }
            Type::Enum(of) => containers.enums.push(of.clone()),
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

    pub(super) fn of_enum(of: Arc<Enum>) -> ContainerShapes {
        ContainerShapes { enums: vec![of], ..ContainerShapes::default() }
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
        for of in other.enums {
            if !self.enums.contains(&of) {
                self.enums.push(of);
            }
        }
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
        arms.extend(self.enums.into_iter().map(Type::Enum));
    }
}

impl Dicts {
    fn join(self, other: Dicts) -> Dicts {
        match (self, other) {
            (Dicts::Keys(mut a), Dicts::Keys(b)) => {
                a.join(b);
                match a.names.len() > MAX_INFERRED_KEYS {
                    true => Dicts::Keys(a).into_map(),
                    false => Dicts::Keys(a),
                }
            }
            (a, b) => match (a.into_map(), b.into_map()) {
                (Dicts::Map(mut key, mut value), Dicts::Map(other_key, other_value)) => {
                    key.join(other_key);
                    value.join(other_value);
                    Dicts::Map(key, value)
                }
                (a, _) => a,
            },
        }
    }

    pub(super) fn into_map(self) -> Dicts {
        match self {
            Dicts::Keys(keys) => {
                let key = if keys.names.is_empty() { Type::Never } else { Type::Str };
                Dicts::Map(Shape::of(&key), join_all(keys.values))
            }
            map => map,
        }
    }

    /// Dicts have fixed keys, unless there are many keys, some dicts lack some, and all values have
    /// one type.
    fn into_type(self) -> Type {
        let keys = match self {
            Dicts::Map(key, value) => {
                return Type::Map(Box::new(key.into_type()), Box::new(value.into_type()));
            }
            Dicts::Keys(keys) => keys,
        };
        if keys.names.len() > MAX_SPARSE_KEYS && keys.maybe.contains(&true) {
            let joined = join_all(keys.values.iter().cloned());
            if !joined.is_mixed() {
                return Dicts::Keys(keys).into_map().into_type();
            }
        }
        let field = |(shape, maybe): (Shape, bool)| Field { ty: shape.into_type(), maybe };
        let fields = keys.values.into_iter().zip(keys.maybe).map(field).collect();
        let names = Arc::new(Names { name: None, fields: keys.names });
        Type::Struct(Arc::new(Struct { names, fields }))
    }
}

impl Keys {
    /// The keys of one dict.
    pub(super) fn new(names: &[Arc<str>], values: Vec<Shape>) -> Keys {
        let places = names.iter().cloned().zip(0..).collect();
        Keys { names: names.to_vec(), places, maybe: vec![false; values.len()], values }
    }

    /// The keys of one dict that has some of them.
    pub(super) fn some_of(names: &[Arc<str>], values: Vec<Shape>, present: &[bool]) -> Keys {
        let mut keys = Keys::new(names, values);
        keys.maybe = present.iter().map(|is_present| !is_present).collect();
        keys
    }

    fn push(&mut self, name: Arc<str>, value: Shape, maybe: bool) {
        self.places.insert(name.clone(), self.names.len());
        self.names.push(name);
        self.values.push(value);
        self.maybe.push(maybe);
    }

    fn join(&mut self, other: Keys) {
        if self.names == other.names {
            self.values.iter_mut().zip(other.values).for_each(|(a, b)| a.join(b));
            self.maybe.iter_mut().zip(other.maybe).for_each(|(a, b)| *a |= b);
            return;
        }
        let mine = self.names.len();
        let mut seen = vec![false; mine];
        for ((name, value), maybe) in other.names.into_iter().zip(other.values).zip(other.maybe) {
            match self.places.get(&name) {
                Some(&at) => {
                    seen[at] = true;
                    self.values[at].join(value);
                    self.maybe[at] |= maybe;
                }
                None => self.push(name, value, true),
            }
        }
        self.maybe.iter_mut().zip(seen).for_each(|(maybe, seen)| *maybe |= !seen);
    }
}
