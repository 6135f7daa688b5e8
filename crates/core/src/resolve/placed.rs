//! Types with the columns and tables that their plan gives them.
//!
//! To resolve goes through two types in an order of its own, and comes to some places many times, so
//! what a place has among the columns is written down first.

use crate::plan::{Columns, ComponentColumns};
use crate::schema::Type;

/// A type at its place in a schema.
pub(super) struct Placed<'t> {
    pub ty: &'t Type,
    /// The first column of each kind that is its own, if it has any of that kind.
    pub first: Columns,
    /// Its index among the structs, the enums or the unions, if it is one of these.
    pub table: u32,
    /// The bit column that says whether it is there, if it is a field of a dict that may be missing.
    pub maybe: Option<u32>,
    /// As [`Type::is_acyclic`].
    pub acyclic: bool,
    /// As [`Type::is_zero_sized`].
    pub zero_sized: bool,
    /// What is in it: fields, arms, an element, or a key and a value.
    pub within: Vec<Placed<'t>>,
}

impl Placed<'_> {
    /// The columns of the parts of a value that is made of parts.
    pub fn parts(&self) -> ComponentColumns {
        ComponentColumns { int: self.first.ints, float: self.first.floats, str: self.first.strs }
    }
}

/// The columns and tables that were given away.
#[derive(Default)]
struct Given {
    columns: Columns,
    structs: u32,
    enums: u32,
    unions: u32,
}

/// The root of a schema, in the order in which a plan is made of it (`plan/lower.rs`).
pub(super) fn placed(root: &Type) -> Placed<'_> {
    Given::default().place(root)
}

fn take(next: &mut u32) -> u32 {
    *next += 1;
    *next - 1
}

impl Given {
    fn place<'t>(&mut self, ty: &'t Type) -> Placed<'t> {
        let first = self.columns;
        let (mut table, mut within) = (0, Vec::new());
        match ty {
            Type::Never | Type::Null => {}
            Type::I64 => self.columns.ints += 1,
            Type::F64 => self.columns.floats += 1,
            Type::Str => self.columns.strs += 1,
            Type::Bool => self.columns.bits += 1,
            Type::Logical(ty) => {
                let counts = ty.counts();
                self.columns.ints += counts.ints as u32;
                self.columns.floats += counts.floats as u32;
                self.columns.strs += counts.bytes as u32;
            }
            Type::Optional(inner) => {
                self.columns.bits += 1;
                within.push(self.place(inner));
            }
            Type::Fixed(_, fields) => within.extend(fields.iter().map(|field| self.place(field))),
            Type::Sequence(_, element) => {
                self.columns.ints += 1;
                within.push(self.place(element));
            }
            Type::Map(key, value) => {
                self.columns.ints += 1;
                within.extend([self.place(key), self.place(value)]);
            }
            Type::Struct(of) => {
                table = take(&mut self.structs);
                within.extend(of.fields.iter().map(|field| {
                    let maybe = field.maybe.then(|| take(&mut self.columns.bits));
                    Placed { maybe, ..self.place(&field.ty) }
                }));
            }
            Type::Enum(_) => {
                table = take(&mut self.enums);
                self.columns.ints += 1;
            }
            Type::Union(arms) => {
                table = take(&mut self.unions);
                self.columns.ints += 1;
                within.extend(arms.iter().map(|arm| self.place(arm)));
            }
        }
        let (acyclic, zero_sized) = (ty.is_acyclic(), ty.is_zero_sized());
        Placed { ty, first, table, maybe: None, acyclic, zero_sized, within }
    }
}
