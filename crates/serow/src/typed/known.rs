//! The names of a plan's records and enums, found by the names that serde passes.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use serow_core::plan::{Arm, Tables};
use serow_core::schema::{Class, Names};

/// The name of the only field in the record of a newtype variant or a tuple variant.
pub(super) const CONTENT: &str = "0";

/// Separates the name of an enum from the name of its variant.
pub(super) const JOINT: &str = "::";

/// Returns whether these are the names of the record of a newtype or tuple variant.
pub(super) fn is_content(names: &Names) -> bool {
    matches!(&names.fields[..], [only] if **only == *CONTENT)
}

/// The name of a struct, or of an enum and its variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) of: &'static str,
    pub(super) variant: Option<&'static str>,
    /// serde's index of the variant: where a lookup is remembered.
    pub(super) index: u32,
}

impl Name {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(of: &'static str) -> Name {
        Name { of, variant: None, index: u32::MAX }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn variant(of: &'static str, index: u32, variant: &'static str) -> Name {
        Name { of, variant: Some(variant), index }
    }

    /// Returns whether the name of a record is this one.
    pub(super) fn is(&self, record: &str) -> bool {
        match self.variant {
            None => record == self.of,
            Some(variant) => {
                let rest = record.strip_prefix(self.of).and_then(|rest| rest.strip_prefix(JOINT));
                rest == Some(variant)
            }
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variant {
            None => f.write_str(self.of),
            Some(variant) => write!(f, "{}{JOINT}{variant}", self.of),
        }
    }
}

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
    /// For each struct its name, and after it the names of its fields.
    names: Vec<Cell<Address>>,
    /// For each struct of the plan: where its names begin and end.
    ranges: Vec<(usize, usize)>,
}

/// The names of the fields of a struct that are left.
pub(super) type FieldNames<'a> = &'a [Cell<Address>];

impl Structs {
    fn new(tables: &Tables) -> Structs {
        let mut end = 0;
        let range = |names: &Arc<Names>| {
            let begin = end;
            end += 1 + names.fields.len();
            (begin, end)
        };
        let ranges = tables.structs.iter().map(range).collect();
        Structs { names: vec![Cell::default(); end], ranges }
    }

    /// Returns whether struct `table` of the plan is a record with this name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_record(&self, tables: &Tables, table: u32, name: &'static str) -> bool {
        let known = &self.names[self.ranges[table as usize].0];
        known.get() == Address::of(name)
            || learn(known, tables.structs[table as usize].name.as_deref(), name)
    }

    /// Returns the names of the fields of struct `table` of the plan.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fields(&self, table: u32) -> FieldNames<'_> {
        let (begin, end) = self.ranges[table as usize];
        &self.names[begin + 1..end]
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

/// The variants of enums, and structs in unions.
#[derive(Default)]
pub(super) struct Variants {
    /// For each enum of the plan, by serde's index of the variant: the member.
    members: Vec<Vec<Found>>,
    /// For each union of the plan, the same: the arm of a variant's record.
    arms: Vec<Vec<Found>>,
    /// How many lookups found a member or an arm.
    lookups: u32,
}

/// What was found for a variant.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    of: Address,
    variant: Address,
    len: Option<usize>,
    at: u32,
}

/// Lookups are remembered after this many. A single record seldom needs more, and to remember a lookup takes memory,
/// which costs more than to look up again.
const FEW_LOOKUPS: u32 = 8;

/// Names with a larger index are looked up each time.
const MAX_KEPT: u32 = 1024;

impl Variants {
    /// Returns the index of a variant among the members of enum `table` of the plan.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn member(&mut self, tables: &Tables, table: u32, name: &Name) -> Option<u32> {
        let Variants { members, lookups, .. } = self;
        remembered((members, lookups), table, (name, None), || member_of(tables, table, name))
    }

    /// Returns the arm of union `table` of the plan for a record, unless there are several; see [`fits`].
    pub(super) fn arm(
        &mut self,
        tables: &Tables,
        (table, arms): (u32, &[Arm]),
        name: &Name,
        len: Option<usize>,
    ) -> Option<u32> {
        let Variants { arms: known, lookups, .. } = self;
        remembered((known, lookups), table, (name, len), || {
            let mut fitting = (0..).zip(arms).filter(|(_, arm)| match arm.class {
                Class::Record(of) => fits(&tables.structs[of as usize], name, len),
                _ => false,
            });
            match (fitting.next(), fitting.next()) {
                (Some((arm, _)), None) => Some(arm),
                _ => None,
            }
        })
    }
}

/// Returns whether these are the names of the record of `name` with `len` fields or, if that is `None`, with the
/// contents of a newtype or tuple variant.
pub(super) fn fits(names: &Names, name: &Name, len: Option<usize>) -> bool {
    let is_content = name.variant.is_some() && is_content(names);
    len.map_or(is_content, |len| !is_content && names.fields.len() == len)
        && names.name.as_deref().is_some_and(|record| name.is(record))
}

/// Returns the index of a variant among the members of enum `table` of the plan.
pub(super) fn member_of(tables: &Tables, table: u32, name: &Name) -> Option<u32> {
    let of = &tables.enums[table as usize];
    let mut members = of.members.iter().filter(|_| *of.name == *name.of);
    members.position(|member| Some(&**member) == name.variant).map(|at| at as u32)
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn remembered(
    (known, lookups): (&mut Vec<Vec<Found>>, &mut u32),
    table: u32,
    (name, len): (&Name, Option<usize>),
    find: impl FnOnce() -> Option<u32>,
) -> Option<u32> {
    let (table, index) = (table as usize, name.index as usize);
    let (of, variant) = (Address::of(name.of), Address::of(name.variant.unwrap_or_default()));
    if let Some(found) = known.get(table).and_then(|found| found.get(index))
        && (found.of, found.variant, found.len) == (of, variant, len)
    {
        return Some(found.at);
    }
    let at = find()?;
    *lookups = lookups.saturating_add(1);
    if *lookups > FEW_LOOKUPS && name.index < MAX_KEPT {
        known.resize_with(known.len().max(table + 1), Vec::new);
        let found = &mut known[table];
        found.resize(found.len().max(index + 1), Found::default());
        found[index] = Found { of, variant, len, at };
    }
    Some(at)
}
