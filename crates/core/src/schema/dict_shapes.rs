//! When dicts have fixed keys, and when they are maps.
//!
//! A key that some dicts lack costs something in each of them: a bit in a frame, a byte in a record, and
//! the time for looking. An entry of a map costs its key. So dicts have fixed keys as long as the keys
//! that some of them lack are few for the keys that they have: then bytes and time grow with the entries
//! of the dicts, however many keys there are. This needs no knowledge of the values' types, and it
//! counts dicts and entries only, so the order of rows does not matter.

use std::collections::HashMap;
use std::sync::Arc;

use super::join::{Shape, join_all};
use super::names::{Field, Names, Struct};
use super::types::Type;
use crate::limits::{
    FEW_LAPSES, FEW_OPTIONAL_KEYS, MAX_ARMS, MAX_GROWTHS, MAX_INFERRED_KEYS, OPTIONAL_KEYS_PER_KEY,
};

/// The dicts among the values of one field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dicts {
    /// All keys are strings, and may become fixed keys.
    Keys(Keys),
    /// The joined keys and the joined values.
    Map(Shape, Shape),
}

/// The keys of dicts, in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    names: Vec<Arc<str>>,
    /// The index of each name. It is made when it is first needed: most dicts at a place have the same
    /// keys.
    places: Option<HashMap<Arc<str>, usize>>,
    values: Vec<Shape>,
    /// The number of dicts that have each key.
    counts: Vec<usize>,
    dicts: usize,
    /// Whether the keys are the names in a type of the program, so that they are no data.
    are_names: bool,
    /// The number of keys in the last schema, and of those that may be missing.
    settled: (usize, usize),
    /// The number of schemas that added a key, or that made one optional, when the one before had few rows.
    growths: u32,
    /// The number of these that made a key optional that all dicts had until then.
    lapses: u32,
}

/// Keys are equal if their types are, however many dicts have them.
impl PartialEq for Keys {
    fn eq(&self, other: &Keys) -> bool {
        self.names == other.names && self.values == other.values && self.maybe().eq(other.maybe())
    }
}

impl Dicts {
    pub(super) fn join(self, other: Dicts) -> Dicts {
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

    /// See [`Shape::most_arms`]. The dicts may become a map.
    pub(super) fn most_arms(&self) -> usize {
        match self {
            Dicts::Keys(keys) => keys.joined().most_arms(),
            Dicts::Map(key, value) => key.most_arms().max(value.most_arms()),
        }
    }

    /// See [`Shape::settle`].
    pub(super) fn settle(&mut self, is_soon: bool) {
        if let Dicts::Keys(keys) = self {
            keys.grow(is_soon);
            if keys.are_data() {
                *self = Dicts::Keys(std::mem::take(keys)).into_map();
            }
        }
        match self {
            Dicts::Keys(keys) => keys.values.iter_mut().for_each(|value| value.settle(is_soon)),
            Dicts::Map(key, value) => [key, value].into_iter().for_each(|it| it.settle(is_soon)),
        }
    }

    pub(super) fn into_type(self) -> Type {
        let keys = match self {
            Dicts::Keys(keys) if !keys.are_data() => keys,
            dicts => match dicts.into_map() {
                Dicts::Map(key, value) => {
                    return Type::Map(Box::new(key.into_type()), Box::new(value.into_type()));
                }
                Dicts::Keys(keys) => keys,
            },
        };
        let maybe: Vec<bool> = keys.maybe().collect();
        let field = |(shape, maybe): (Shape, bool)| Field { ty: shape.into_type(), maybe };
        let fields = keys.values.into_iter().zip(maybe).map(field).collect();
        let names = Arc::new(Names { name: None, fields: keys.names });
        Type::Struct(Arc::new(Struct { names, fields }))
    }
}

impl Keys {
    /// The keys of one dict.
    pub(super) fn new(names: &[Arc<str>], values: Vec<Shape>) -> Keys {
        let counts = vec![1; values.len()];
        Keys { names: names.to_vec(), values, counts, dicts: 1, ..Keys::default() }
    }

    /// The keys of one dict that has some of them, which are names in a type of the program.
    pub(super) fn some_of(names: &[Arc<str>], values: Vec<Shape>, present: &[bool]) -> Keys {
        let mut keys = Keys::new(names, values);
        keys.counts = present.iter().map(|is_present| usize::from(*is_present)).collect();
        keys.are_names = true;
        keys
    }

    /// The keys of dicts of a type. How many dicts have a key that may be missing is not known: they
    /// count as two dicts, and one of them has it. So the type of the result is this type again.
    pub(super) fn of(ty: &Struct) -> Keys {
        let count = |field: &Field| if field.maybe { 1 } else { 2 };
        Keys {
            names: ty.names.fields.clone(),
            values: ty.fields.iter().map(|field| Shape::of(&field.ty)).collect(),
            counts: ty.fields.iter().map(count).collect(),
            dicts: 2,
            ..Keys::default()
        }
    }

    /// For each key, whether some dict lacks it.
    fn maybe(&self) -> impl Iterator<Item = bool> {
        self.counts.iter().map(|count| *count < self.dicts)
    }

    /// The number of keys that some dict lacks.
    fn optional(&self) -> usize {
        self.maybe().filter(|maybe| *maybe).count()
    }

    /// Counts how often schemas follow each other soon, because of keys that no dict had before, or that
    /// all had. After a few of the latter all keys become optional, as if a dict had none: then a dict
    /// that lacks some more keys fits.
    fn grow(&mut self, is_soon: bool) {
        let now = (self.names.len(), self.optional());
        if is_soon && self.settled.0 > 0 && self.settled != now {
            self.growths += 1;
            if now.0 - now.1 < self.settled.0 - self.settled.1 {
                self.lapses += 1;
                self.dicts += usize::from(self.lapses == FEW_LAPSES);
            }
        }
        self.settled = (now.0, self.optional());
    }

    /// Returns whether the keys are data, so that the dicts are maps.
    fn are_data(&self) -> bool {
        if self.are_names {
            return false;
        }
        let optional = self.optional();
        let entries: usize = self.counts.iter().sum();
        let are_many = optional.saturating_mul(self.dicts)
            > entries.saturating_mul(OPTIONAL_KEYS_PER_KEY)
            && optional > FEW_OPTIONAL_KEYS;
        // A union has a limited number of arms, and a dict with fixed keys has a type for each.
        (are_many || self.growths > MAX_GROWTHS) && self.joined().most_arms() <= MAX_ARMS
    }

    /// The joined values of all keys.
    fn joined(&self) -> Shape {
        join_all(self.values.iter().cloned())
    }

    fn join(&mut self, other: Keys) {
        self.dicts += other.dicts;
        self.are_names |= other.are_names;
        if self.names == other.names {
            self.values.iter_mut().zip(other.values).for_each(|(a, b)| a.join(b));
            self.counts.iter_mut().zip(other.counts).for_each(|(a, b)| *a += b);
            return;
        }
        let places =
            self.places.get_or_insert_with(|| self.names.iter().cloned().zip(0..).collect());
        for ((name, value), count) in other.names.into_iter().zip(other.values).zip(other.counts) {
            match places.get(&name) {
                Some(&at) => {
                    self.values[at].join(value);
                    self.counts[at] += count;
                }
                None => {
                    places.insert(name.clone(), self.names.len());
                    self.names.push(name);
                    self.values.push(value);
                    self.counts.push(count);
                }
            }
        }
    }
}
