//! The names of a plan's records and enums, found by the names that serde passes.

use std::cell::Cell;
use std::sync::Arc;

use serow_core::plan::{Arm, Tables};
use serow_core::schema::Class;

use super::tree::Name;

/// A static name by its address. Equal addresses are equal names, so most comparisons touch no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Address(usize, usize);

impl Address {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(name: &'static str) -> Address {
        Address(name.as_ptr() as usize, name.len())
    }
}

/// What is known about names. It belongs to one plan.
#[derive(Default)]
pub(super) struct Known {
    tables: Option<Arc<Tables>>,
    pub(super) structs: Structs,
    pub(super) variants: Variants,
}

impl Known {
    /// Forgets everything if the names are of another plan.
    pub(super) fn begin(&mut self, tables: &Arc<Tables>) {
        if !self.tables.as_ref().is_some_and(|known| Arc::ptr_eq(known, tables)) {
            let structs = Structs::new(tables);
            *self = Known { tables: Some(tables.clone()), structs, ..Known::default() };
        }
    }
}

/// The names of structs that were last found to be equal to the plan's.
#[derive(Default)]
pub(super) struct Structs {
    records: Vec<Cell<Address>>,
    /// The names of the fields of all structs, one after another.
    fields: Vec<Cell<Address>>,
    /// For each struct of the plan: the ends of the fields before it and of its own.
    ranges: Vec<(usize, usize)>,
}

/// The names of the fields of a struct that are left.
pub(super) type FieldNames<'a> = &'a [Cell<Address>];

impl Structs {
    fn new(tables: &Tables) -> Structs {
        let mut made = Structs::default();
        made.records.resize_with(tables.structs.len(), Cell::default);
        for names in &tables.structs {
            let start = made.fields.len();
            made.fields.resize_with(start + names.fields.len(), Cell::default);
            made.ranges.push((start, made.fields.len()));
        }
        made
    }

    /// Returns whether struct `table` of the plan is a record with this name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_record(&self, tables: &Tables, table: u32, name: &'static str) -> bool {
        let known = &self.records[table as usize];
        known.get() == Address::of(name)
            || learn(known, tables.structs[table as usize].name.as_deref(), name)
    }

    /// Returns the names of the fields of struct `table` of the plan.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fields(&self, table: u32) -> FieldNames<'_> {
        let (start, end) = self.ranges[table as usize];
        &self.fields[start..end]
    }
}

/// Returns whether the next one of the fields that are `left` of struct `table` of the plan has this
/// name, and moves past it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_next_field(
    left: &mut FieldNames<'_>,
    tables: &Tables,
    table: u32,
    name: &'static str,
) -> bool {
    let [next, rest @ ..] = *left else { return false };
    let is =
        next.get() == Address::of(name) || learn_field(next, tables, (table, rest.len()), name);
    *left = rest;
    is
}

/// Compares the name of the field that `after` fields of struct `table` follow.
#[cold]
fn learn_field(
    known: &Cell<Address>,
    tables: &Tables,
    (table, after): (u32, usize),
    name: &'static str,
) -> bool {
    let fields = &tables.structs[table as usize].fields;
    learn(known, fields.iter().nth_back(after).map(|field| &**field), name)
}

#[cold]
fn learn(known: &Cell<Address>, expected: Option<&str>, name: &'static str) -> bool {
    let is = expected == Some(name);
    if is {
        known.set(Address::of(name));
    }
    is
}

/// The variants of enums.
#[derive(Default)]
pub(super) struct Variants {
    /// For each enum of the plan, by serde's index of the variant: the member.
    members: Vec<Vec<Found>>,
    /// For each union of the plan, the same: the arm of a variant's record.
    arms: Vec<Vec<Found>>,
}

/// What was found for a variant.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    name: Address,
    variant: Address,
    at: u32,
}

/// Variants with a larger index are looked up each time.
const MAX_KEPT: usize = 1024;

impl Variants {
    /// Returns the index of a variant among the members of enum `table` of the plan.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn member(
        &mut self,
        tables: &Tables,
        table: u32,
        (name, index, variant): (&'static str, u32, &'static str),
    ) -> Option<u32> {
        remembered(&mut self.members, table, (name, index, variant), || {
            let of = &tables.enums[table as usize];
            (*of.name == *name).then(|| member_of(tables, table, variant)).flatten()
        })
    }

    /// Returns the arm of union `table` of the plan for the record of a variant whose contents are
    /// not a struct's fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn arm(
        &mut self,
        tables: &Tables,
        (table, arms): (u32, &[Arm]),
        (name, index, variant): (&'static str, u32, &'static str),
    ) -> Option<u32> {
        remembered(&mut self.arms, table, (name, index, variant), || {
            let name = Name { of: name, variant: Some(variant) };
            let fits = |arm: &Arm| match arm.class {
                Class::Record(of) => {
                    let names = &tables.structs[of as usize];
                    super::push::is_content(&names.fields)
                        && names.name.as_deref().is_some_and(|record| name.is(record))
                }
                _ => false,
            };
            arms.iter().position(fits).map(|arm| arm as u32)
        })
    }
}

/// Returns the index of the member of enum `table` of the plan with the name `variant`.
pub(super) fn member_of(tables: &Tables, table: u32, variant: &str) -> Option<u32> {
    let members = &tables.enums[table as usize].members;
    members.iter().position(|member| **member == *variant).map(|at| at as u32)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn remembered(
    known: &mut Vec<Vec<Found>>,
    table: u32,
    (name, index, variant): (&'static str, u32, &'static str),
    find: impl FnOnce() -> Option<u32>,
) -> Option<u32> {
    let (table, index) = (table as usize, index as usize);
    let (name, variant) = (Address::of(name), Address::of(variant));
    if let Some(found) = known.get(table).and_then(|found| found.get(index))
        && (found.name, found.variant) == (name, variant)
    {
        return Some(found.at);
    }
    let at = find()?;
    if index < MAX_KEPT {
        known.resize_with(known.len().max(table + 1), Vec::new);
        let found = &mut known[table];
        found.resize(found.len().max(index + 1), Found::default());
        found[index] = Found { name, variant, at };
    }
    Some(at)
}
