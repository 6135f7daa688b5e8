//! Random changes to a schema that readers may make.

use std::sync::Arc;

use serow::{Enum, Logical, MemberValues, Names, Schema, Value};
use serow_core::schema::{Container, Field, Struct, Type};

/// A reader's schema, made from a writer's schema by allowed changes, with the defaults of added
/// fields by their paths. `None` if `seed` leads to no valid schema.
pub fn changed(schema: &Schema, seed: u64) -> Option<(Schema, Vec<(String, Value)>)> {
    let dice = Dice(seed | 1);
    let mut changes = Changes { dice, defaults: Vec::new(), path: Vec::new(), added: 0 };
    let ty = changes.change(schema.root());
    // An added type may have no hash, or a name may occur twice.
    Some((Schema::new(ty).ok()?, changes.defaults))
}

/// A source of random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.roll(i as u64 + 1) as usize);
        }
    }
}

/// Makes a reader's schema from a writer's schema by allowed changes.
struct Changes {
    dice: Dice,
    /// The added fields that have a default, by their names. The names are distinct.
    defaults: Vec<(String, Value)>,
    path: Vec<String>,
    added: usize,
}

impl Changes {
    fn within(&mut self, step: &str, ty: &Type) -> Type {
        self.path.push(step.to_string());
        let changed = self.change(ty);
        self.path.pop();
        changed
    }

    fn change(&mut self, ty: &Type) -> Type {
        let changed = match ty {
            Type::I64 => match self.dice.roll(6) {
                0 => Type::Logical(Logical::Int),
                1 => Type::F64,
                _ => Type::I64,
            },
            Type::Optional(inner) => Type::optional(self.change(inner)),
            Type::Fixed(container, fields) => {
                let before = self.defaults.len();
                let fields: Vec<Type> = fields
                    .iter()
                    .enumerate()
                    .map(|(i, field)| self.within(&i.to_string(), field))
                    .collect();
                // This change would change paths of defaults.
                let plain = self.defaults.len() == before && !is_named(&fields);
                match Type::union(fields.iter().cloned()) {
                    Ok(element) if plain && self.dice.roll(3) == 0 => {
                        Type::Sequence(*container, Box::new(element))
                    }
                    _ => Type::Fixed(*container, fields),
                }
            }
            Type::Sequence(container, element) => {
                Type::Sequence(*container, Box::new(self.within("[]", element)))
            }
            Type::Map(key, value) => {
                Type::Map(Box::new(self.within("key", key)), Box::new(self.within("value", value)))
            }
            Type::Struct(of) => self.structure(of),
            Type::Enum(of) => {
                let mut places: Vec<_> = (0..=of.members.len()).collect();
                self.dice.shuffle(&mut places);
                places.truncate(places.len().max(4) - self.dice.roll(2) as usize);
                let added = Arc::from(format!("added {}", self.dice.roll(3)));
                let name = |&at: &usize| of.members.get(at).unwrap_or(&added).clone();
                let members = places.iter().map(name);
                let values = match &of.values {
                    MemberValues::None => MemberValues::None,
                    MemberValues::Ints(all) => MemberValues::Ints(
                        places.iter().map(|&at| all.get(at).copied().unwrap_or(7)).collect(),
                    ),
                    MemberValues::Strs(all) => MemberValues::Strs(
                        places.iter().map(|&at| all.get(at).unwrap_or(&added).clone()).collect(),
                    ),
                };
                Type::Enum(Arc::new(Enum::new(of.name.clone(), members).with_values(values)))
            }
            Type::Union(arms) => self.union(arms),
            other => other.clone(),
        };
        match self.dice.roll(8) {
            0 => Type::optional(changed),
            1 => Type::union([changed.clone(), Type::Bool]).unwrap_or(changed),
            _ => changed,
        }
    }

    fn union(&mut self, arms: &[Type]) -> Type {
        let name = |arm: &Type| match arm {
            Type::Struct(of) => of.names.name.clone(),
            Type::Enum(of) => Some(of.name.clone()),
            _ => None,
        };
        let before = self.defaults.len();
        let is_single = |arm: &&Type| matches!(arm, Type::Str | Type::Bool);
        let dropped = match self.dice.roll(4) {
            0 => arms.iter().find(is_single),
            _ => None,
        };
        let changed: Vec<Type> = arms
            .iter()
            .filter(|arm| Some(*arm) != dropped)
            .map(|arm| match name(arm) {
                // Arms with the same name are distinguished by their fields, so they stay.
                Some(_) if arms.iter().filter(|other| name(other) == name(arm)).count() > 1 => {
                    arm.clone()
                }
                _ => self.change(arm),
            })
            .collect();
        Type::union(changed).unwrap_or_else(|_| {
            self.defaults.truncate(before);
            Type::Union(arms.to_vec())
        })
    }

    fn structure(&mut self, of: &Struct) -> Type {
        let mut fields: Vec<(Arc<str>, Field)> = Vec::new();
        for (name, field) in of.named() {
            let defaults = self.defaults.len();
            let ty = self.within(&shown(name), &field.ty);
            if self.dice.roll(5) == 0 {
                self.defaults.truncate(defaults);
                continue;
            }
            let maybe = field.maybe || !of.is_record() && self.dice.roll(5) == 0;
            fields.push((name.clone(), Field { ty, maybe }));
        }
        for _ in 0..self.dice.roll(3) {
            self.added += 1;
            let name = format!("added{}", self.added);
            let (ty, maybe) = match self.dice.roll(if of.is_record() { 2 } else { 3 }) {
                0 => (Type::optional(Type::Str), false),
                1 => {
                    let path = self.path.iter().chain([&name]).cloned().collect::<Vec<_>>();
                    let (ty, value) = match self.dice.roll(3) {
                        0 => (Type::Str, "with default".into()),
                        1 => (Type::I64, Value::I64(-7)),
                        _ => (
                            Type::union([
                                Type::Sequence(Container::List, Type::F64.into()),
                                Type::Str,
                            ])
                            .unwrap(),
                            Value::List(vec![Value::F64(1.5)]),
                        ),
                    };
                    self.defaults.push((path.join("."), value));
                    (ty, false)
                }
                _ => (Type::I64, true),
            };
            fields.push((name.into(), Field { ty, maybe }));
        }
        self.dice.shuffle(&mut fields);
        let types = fields.iter().map(|(_, field)| field.ty.clone());
        let is_subset = fields.iter().all(|(name, _)| of.names.fields.contains(name));
        if let Ok(value) = Type::union(types)
            && !of.is_record()
            // A map has all keys of the writer, so their changed types become arms.
            && is_subset
            && !is_named(&fields)
            && fields.len() == of.fields.len()
            && self.dice.roll(3) == 0
            && !self.defaults.iter().any(|(path, _)| path.starts_with(&self.path.join(".")))
        {
            return Type::Map(Type::Str.into(), value.into());
        }
        let (names, fields) = fields.into_iter().unzip();
        let names = Names { name: of.names.name.clone(), fields: names };
        Type::Struct(Arc::new(Struct { names: Arc::new(names), fields }))
    }
}

/// Returns whether there are types with a name. Each occurrence may have changed differently.
fn is_named(types: &impl std::fmt::Debug) -> bool {
    let text = format!("{types:?}");
    text.contains("Enum(") || text.contains("name: Some(")
}

/// Formats a name as paths show it.
fn shown(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_string() } else { format!("\"{}\"", name.replace('"', "\\\"")) }
}
