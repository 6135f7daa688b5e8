//! The names of a plan's records and enums, found by the names that serde passes.

use std::sync::Arc;

use serow_core::plan::{Arm, Tables};
use serow_core::schema::Class;

use super::tree::Name;

/// A static name by its address. Equal addresses are equal names, so most comparisons touch no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Address(usize, usize);

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
    /// For each struct of the plan: the address of the name that was last found to be equal to the
    /// plan's.
    records: Vec<Address>,
    /// The same for the fields of all structs, one after another. After the last field of a struct is
    /// an address that equals no name's.
    fields: Vec<Address>,
    /// For each struct of the plan: the index of its first field.
    first: Vec<usize>,
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

impl Known {
    /// Forgets everything if the names are of another plan.
    pub(super) fn begin(&mut self, tables: &Arc<Tables>) {
        if !self.tables.as_ref().is_some_and(|known| Arc::ptr_eq(known, tables)) {
            *self = Known { tables: Some(tables.clone()), ..Known::default() };
            self.records = vec![Address::default(); tables.structs.len()];
            for names in &tables.structs {
                self.first.push(self.fields.len());
                let end = self.fields.len() + names.fields.len() + 1;
                self.fields.resize(end, Address::default());
            }
        }
    }

    /// Returns whether struct `table` of the plan is a record with this name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_record(&mut self, tables: &Tables, table: u32, name: &'static str) -> bool {
        self.records[table as usize] == Address::of(name) || self.learn_record(tables, table, name)
    }

    #[cold]
    fn learn_record(&mut self, tables: &Tables, table: u32, name: &'static str) -> bool {
        let is = tables.structs[table as usize].name.as_deref() == Some(name);
        if is {
            self.records[table as usize] = Address::of(name);
        }
        is
    }

    /// Returns the number of the first field of struct `table` of the plan. The others follow.
    pub(super) fn first_field(&self, table: u32) -> usize {
        self.first[table as usize]
    }

    /// Returns whether the field with this number, of struct `table` of the plan, has this name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_field(
        &mut self,
        tables: &Tables,
        (table, number): (u32, usize),
        name: &'static str,
    ) -> bool {
        self.fields.get(number) == Some(&Address::of(name))
            || self.learn_field(tables, (table, number), name)
    }

    #[cold]
    fn learn_field(
        &mut self,
        tables: &Tables,
        (table, number): (u32, usize),
        name: &'static str,
    ) -> bool {
        let field = number - self.first[table as usize];
        let fields = &tables.structs[table as usize].fields;
        let is = fields.get(field).is_some_and(|field| **field == *name);
        if is {
            self.fields[number] = Address::of(name);
        }
        is
    }

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
