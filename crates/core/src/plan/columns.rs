//! The columns that an instruction reads and writes.

use std::ops::Range;

use super::{ComponentColumns, Op, SinkCall};
use crate::number::Number;
use crate::schema::Logical;

/// The number of columns of each kind in a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ColumnCounts {
    /// Integers, sequence lengths and union tags.
    pub ints: u32,
    /// Floats.
    pub floats: u32,
    /// Strings.
    pub strs: u32,
    /// Booleans and the presence bits of optionals.
    pub bits: u32,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The int column with this index.
    Int(u32),
    /// The float column with this index.
    Float(u32),
    /// The str column with this index.
    Str(u32),
    /// The bit column with this index.
    Bit(u32),
}

impl ColumnCounts {
    /// Returns the number of columns of all kinds.
    pub fn count(&self) -> usize {
        (self.ints + self.floats + self.strs + self.bits) as usize
    }

    /// Returns the place of `column` among all columns. Ints come first, then floats, strs and
    /// bits.
    pub fn place(&self, column: Column) -> usize {
        let place = match column {
            Column::Int(column) => column,
            Column::Float(column) => self.ints + column,
            Column::Str(column) => self.ints + self.floats + column,
            Column::Bit(column) => self.ints + self.floats + self.strs + column,
        };
        place as usize
    }

    /// Returns the places of `count` columns of one kind from `first` on.
    pub(super) fn places(&self, first: Column, count: u32) -> Range<usize> {
        let first = self.place(first);
        first..first + count as usize
    }
}

fn each_component(ty: Logical, at: ComponentColumns, mut visit: impl FnMut(Column, u32)) {
    let counts = ty.counts();
    visit(Column::Int(at.int), counts.ints as u32);
    visit(Column::Float(at.float), counts.floats as u32);
    visit(Column::Str(at.str), counts.bytes as u32);
}

fn each_of_number(of: Number, at: ComponentColumns, mut visit: impl FnMut(Column, u32)) {
    match of.logical() {
        Some(ty) => each_component(ty, at, visit),
        None if of.is_float() => visit(Column::Float(at.float), 1),
        None => visit(Column::Int(at.int), 1),
    }
}

impl Op {
    /// Visits the source's columns that this instruction itself reads: the first one of each kind, and
    /// how many.
    pub(super) fn each_read(&self, mut visit: impl FnMut(Column, u32)) {
        let (column, count) = match *self {
            Op::I64 { from, count, .. } => (Column::Int(from), count),
            Op::F64 { from, count, .. } => (Column::Float(from), count),
            Op::Str { from, count, .. } => (Column::Str(from), count),
            Op::Bool { from, count, .. } => (Column::Bit(from), count),
            Op::Logical { ty, from, .. } => return each_component(ty, from, visit),
            Op::ListsOfArray { from, .. } => return each_component(Logical::NdArray, from, visit),
            Op::Enum { from, .. } | Op::OtherEnum { from, .. } => (Column::Int(from.column), 1),
            Op::Number { read, from, .. } => return each_of_number(read, from, visit),
            Op::Sequence { from, .. }
            | Op::EnterElements { from, .. }
            | Op::Union { from, .. }
            | Op::Branch { from, .. } => (Column::Int(from), 1),
            Op::Optional { from, .. }
            | Op::Maybe { from, .. }
            | Op::IfField { from, .. }
            | Op::IfPresent { from, .. } => (Column::Bit(from), 1),
            _ => return,
        };
        visit(column, count);
    }

    /// Like [`Op::each_read`], for the sink's columns that this instruction itself writes. The writes of
    /// [`Op::Write`] have the columns of [`SinkCall::each_written`].
    pub fn each_written(&self, mut visit: impl FnMut(Column, u32)) {
        let (column, count) = match *self {
            Op::I64 { to, count, .. } => (Column::Int(to), count),
            Op::F64 { to, count, .. } => (Column::Float(to), count),
            Op::Str { to, count, .. } => (Column::Str(to), count),
            Op::Bool { to, count, .. } => (Column::Bit(to), count),
            Op::Logical { ty, to, .. } => return each_component(ty, to, visit),
            Op::Number { made, to, .. } => return each_of_number(made, to, visit),
            Op::Enum { to, .. } | Op::OtherEnum { to, .. } => (Column::Int(to.column), 1),
            Op::Sequence { to, .. }
            | Op::Union { to, .. }
            | Op::EnterAsSequence { to, .. }
            | Op::OpenEntries { to, .. } => (Column::Int(to), 1),
            Op::Optional { to, .. } | Op::Maybe { to, .. } => (Column::Bit(to), 1),
            _ => return,
        };
        visit(column, count);
    }
}

impl SinkCall {
    /// Like [`Op::each_written`].
    pub fn each_written(&self, mut visit: impl FnMut(Column, u32)) {
        let column = match *self {
            SinkCall::Present { to }
            | SinkCall::Absent { to }
            | SinkCall::HasField { to }
            | SinkCall::LacksField { to }
            | SinkCall::Bool { to, .. } => Column::Bit(to),
            SinkCall::Arm { to, .. }
            | SinkCall::I64 { to, .. }
            | SinkCall::Member { to, .. }
            | SinkCall::Sequence { to, .. } => Column::Int(to),
            SinkCall::F64 { to, .. } => Column::Float(to),
            SinkCall::Str { to, .. } => Column::Str(to),
            SinkCall::Logical { ty, to, .. } => return each_component(ty, to, visit),
            _ => return,
        };
        visit(column, 1);
    }
}
