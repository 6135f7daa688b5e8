//! A type with its numbers: the columns and tables of all its parts.
//!
//! This module assigns the column numbers. Instructions, layouts, the frame wire and the paths of
//! errors derive theirs from it. Two readers of a type list repeat its order, because they check or
//! describe columns without a plan: `wire/frame/validate.rs`, and Java's `schema/Type.java`.

use std::sync::Arc;

use super::closing::Parts;
use super::{Column, ColumnCounts, ComponentColumns, StrEncoding, Tables};
use crate::schema::{Field, Schema, Type};

/// The columns and names of a schema's rows, by their numbers.
#[derive(Debug)]
pub struct RowType {
    /// The schema.
    pub schema: Schema,
    /// The names that instructions refer to by their index.
    pub tables: Arc<Tables>,
    /// The number of columns of each kind.
    pub columns: ColumnCounts,
    /// All columns, in the order of the frame wire.
    pub order: Vec<Column>,
    /// The content of each str column.
    pub str_encodings: Vec<StrEncoding>,
    /// See [`Type::is_definite_for_rows`].
    pub is_definite_for_rows: bool,
}

impl RowType {
    /// Numbers the columns and names of `schema`.
    pub(super) fn new(schema: &Schema) -> RowType {
        let mut numbering = Numbering::default();
        numbering.number(schema.root());
        let Numbering { columns, order, str_encodings, tables, .. } = numbering;
        RowType {
            schema: schema.clone(),
            tables: Arc::new(tables),
            columns,
            order,
            str_encodings,
            is_definite_for_rows: schema.root().is_definite_for_rows(),
        }
    }

    /// Like [`RowType::new`], for an open type that was closed. The names have these `parts` of it.
    pub(super) fn closed(schema: &Schema, parts: Parts) -> RowType {
        let mut made = RowType::new(schema);
        let tables = Arc::get_mut(&mut made.tables);
        tables.into_iter().for_each(|tables| tables.parts = Some(parts.clone()));
        made
    }
}

/// A type at its place in a schema.
#[derive(Debug)]
pub struct Numbered<'t> {
    /// The type.
    pub ty: &'t Type,
    /// The first column of each kind that belongs to it or to a type inside it.
    pub first: ColumnCounts,
    /// The first struct and the first enum that belong to it or to a type inside it.
    pub tables: FirstTables,
    /// The bit column of its presence, if it is a field that may be missing.
    pub maybe: Option<u32>,
    /// Whether the values in a container of this type can't be part of a reference cycle. This may
    /// hold for a struct although [`Type::is_acyclic`] does not: dicts are mutable.
    pub acyclic: bool,
    /// See [`Type::is_zero_sized`].
    pub zero_sized: bool,
    /// Its fields, arms or element, or its key and value.
    pub within: Box<[Numbered<'t>]>,
}

/// Indices into [`Tables`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstTables {
    /// Into [`Tables::structs`].
    pub structs: u32,
    /// Into [`Tables::enums`].
    pub enums: u32,
}

impl Numbered<'_> {
    /// Returns the columns of the components of a value.
    pub fn components(&self) -> ComponentColumns {
        ComponentColumns { int: self.first.ints, float: self.first.floats, str: self.first.strs }
    }

    /// Returns an upper bound of the number of instructions that read it, if it is read as itself.
    pub fn instructions(&self) -> usize {
        let own = match self.ty {
            Type::Fixed(..) | Type::Struct(_) | Type::Sequence(..) | Type::Map(..) => 2,
            Type::Union(arms) => 1 + arms.len(),
            _ => 1,
        };
        let maybe = usize::from(self.maybe.is_some());
        own + maybe + self.within.iter().map(Numbered::instructions).sum::<usize>()
    }

    /// Returns whether elements of this sequence take no bytes in any wire.
    pub fn has_zero_sized_elements(&self) -> bool {
        self.within.iter().all(|part| part.zero_sized)
    }
}

/// Numbers the types of a schema.
pub fn number(root: &Type) -> Numbered<'_> {
    Numbering::default().number(root)
}

/// The numbers assigned so far.
#[derive(Default)]
struct Numbering {
    columns: ColumnCounts,
    order: Vec<Column>,
    str_encodings: Vec<StrEncoding>,
    tables: Tables,
}

impl Numbering {
    fn int(&mut self) {
        self.order.push(Column::Int(self.columns.ints));
        self.columns.ints += 1;
    }

    fn float(&mut self) {
        self.order.push(Column::Float(self.columns.floats));
        self.columns.floats += 1;
    }

    fn str(&mut self, encoding: StrEncoding) {
        self.order.push(Column::Str(self.columns.strs));
        self.str_encodings.push(encoding);
        self.columns.strs += 1;
    }

    fn bit(&mut self) {
        self.order.push(Column::Bit(self.columns.bits));
        self.columns.bits += 1;
    }

    fn number<'t>(&mut self, ty: &'t Type) -> Numbered<'t> {
        let first = self.columns;
        let tables = FirstTables {
            structs: self.tables.structs.len() as u32,
            enums: self.tables.enums.len() as u32,
        };
        // Its own columns come before those of the types inside it.
        match ty {
            Type::Never | Type::Null | Type::Fixed(..) | Type::Open(_) => {}
            Type::I64 | Type::Sequence(..) | Type::Map(..) | Type::Union(_) => self.int(),
            Type::F64 => self.float(),
            Type::Str => self.str(StrEncoding::Text),
            Type::Bool | Type::Optional(_) => self.bit(),
            Type::Logical(ty) => {
                let counts = ty.counts();
                (0..counts.ints).for_each(|_| self.int());
                (0..counts.floats).for_each(|_| self.float());
                (0..counts.bytes).for_each(|_| self.str(StrEncoding::Bytes));
            }
            Type::Struct(of) => {
                self.tables.structs.push(of.names.clone());
                self.tables.maybe.push(of.fields.iter().map(|field| field.maybe).collect());
            }
            Type::Enum(of) => {
                self.tables.enums.push(of.clone());
                self.int();
            }
        }
        let within: Box<[Numbered<'t>]> = match ty {
            Type::Optional(inner) | Type::Sequence(_, inner) => Box::new([self.number(inner)]),
            Type::Map(key, value) => Box::new([self.number(key), self.number(value)]),
            Type::Fixed(_, types) | Type::Union(types) => {
                types.iter().map(|ty| self.number(ty)).collect()
            }
            Type::Struct(of) => of.fields.iter().map(|field| self.field(field)).collect(),
            _ => Box::default(),
        };
        let acyclic = match ty {
            Type::Struct(_) => within.iter().all(|field| field.ty.is_acyclic()),
            _ => ty.is_acyclic(),
        };
        let zero_sized = ty.is_zero_sized();
        Numbered { ty, first, tables, maybe: None, acyclic, zero_sized, within }
    }

    fn field<'t>(&mut self, field: &'t Field) -> Numbered<'t> {
        if !field.maybe {
            return self.number(&field.ty);
        }
        let maybe = Some(self.columns.bits);
        self.bit();
        Numbered { maybe, ..self.number(&field.ty) }
    }
}
