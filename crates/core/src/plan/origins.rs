//! Where a reader's columns come from: whole columns of the writer, or constants.

use super::{Column, ColumnCounts, Op, Plan, SinkCall};

/// The values of one column of the reader.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnOrigin {
    /// The column has no values.
    Empty,
    /// All values of the writer's column of this index among its kind.
    Column(u32),
    /// The same integer in each row.
    I64(i64),
    /// The same float in each row, by its bits.
    F64(u64),
    /// The same string or bytes in each row.
    Bytes(Box<[u8]>),
    /// The same bit in each row.
    Bit(bool),
}

/// Returns the origin of each column of the reader, by its [place](ColumnCounts::place). Returns `None` if
/// the plan converts values, joins columns or splits them.
pub(super) fn origins(plan: &Plan) -> Option<Vec<ColumnOrigin>> {
    let columns = &plan.to.columns;
    let mut found = Origins { columns, origins: vec![ColumnOrigin::Empty; columns.count()] };
    // Instructions before this one may run less or more often than once per row.
    let mut inner_end = 0;
    let mut at = 0;
    while let Some(op) = plan.ops.get(at) {
        match *op {
            Op::I64 { from, to, count } => found.columns(Column::Int(to), from, count)?,
            Op::F64 { from, to, count } => found.columns(Column::Float(to), from, count)?,
            Op::Str { from, to, count } => found.columns(Column::Str(to), from, count)?,
            Op::Bool { from, to, count } => found.columns(Column::Bit(to), from, count)?,
            Op::Logical { ty, from, to } => {
                let counts = ty.counts();
                found.columns(Column::Int(to.int), from.int, counts.ints as u32)?;
                found.columns(Column::Float(to.float), from.float, counts.floats as u32)?;
                found.columns(Column::Str(to.str), from.str, counts.bytes as u32)?;
            }
            Op::Enum { from, to, .. } => found.columns(Column::Int(to.column), from.column, 1)?,
            Op::Optional { from, to, end } | Op::Maybe { from, to, end } => {
                found.columns(Column::Bit(to), from, 1)?;
                inner_end = inner_end.max(end as usize);
            }
            Op::Sequence { from, to, end, .. } | Op::Union { from, to, end, .. } => {
                found.columns(Column::Int(to), from, 1)?;
                inner_end = inner_end.max(end as usize);
            }
            Op::Write { first, count } => {
                for write in &plan.writes[first as usize..][..count as usize] {
                    found.constants(write, at >= inner_end)?;
                }
            }
            Op::Skip { end, .. } => {
                at = end as usize;
                continue;
            }
            Op::Null { .. }
            | Op::Enter { .. }
            | Op::Leave
            | Op::Next { .. }
            | Op::Jump { .. }
            | Op::End => {}
            _ => return None,
        }
        at += 1;
    }
    Some(found.origins)
}

struct Origins<'a> {
    columns: &'a ColumnCounts,
    origins: Vec<ColumnOrigin>,
}

impl Origins<'_> {
    /// `count` columns from `to` on come from as many columns of the writer, from `from` on.
    fn columns(&mut self, to: Column, from: u32, count: u32) -> Option<()> {
        let first = self.columns.place(to);
        (0..count).try_for_each(|i| self.set(first + i as usize, ColumnOrigin::Column(from + i)))
    }

    /// The sink is told `write`, once per row if `is_per_row`.
    fn constants(&mut self, write: &SinkCall, is_per_row: bool) -> Option<()> {
        let (column, origin) = match *write {
            SinkCall::Present { to } | SinkCall::HasField { to } => {
                (Column::Bit(to), ColumnOrigin::Bit(true))
            }
            SinkCall::Absent { to } | SinkCall::LacksField { to } => {
                (Column::Bit(to), ColumnOrigin::Bit(false))
            }
            SinkCall::Bool { to, v } => (Column::Bit(to), ColumnOrigin::Bit(v)),
            SinkCall::Arm { to, arm } => (Column::Int(to), ColumnOrigin::I64(arm.into())),
            SinkCall::I64 { to, v } => (Column::Int(to), ColumnOrigin::I64(v)),
            SinkCall::Member { to, index, .. } => (Column::Int(to), ColumnOrigin::I64(index)),
            SinkCall::Sequence { to, len: 0, .. } => (Column::Int(to), ColumnOrigin::I64(0)),
            SinkCall::F64 { to, bits } => (Column::Float(to), ColumnOrigin::F64(bits)),
            SinkCall::Str { to, ref text } => {
                (Column::Str(to), ColumnOrigin::Bytes(text.as_bytes().into()))
            }
            SinkCall::Logical { ty, to, ref components } if is_per_row => {
                let places = [Column::Int(to.int), Column::Float(to.float), Column::Str(to.str)];
                let [int, float, str] = places.map(|column| self.columns.place(column));
                for (i, &v) in components.ints.iter().take(ty.counts().ints).enumerate() {
                    self.set(int + i, ColumnOrigin::I64(v))?;
                }
                for (i, &bits) in components.floats.iter().take(ty.counts().floats).enumerate() {
                    self.set(float + i, ColumnOrigin::F64(bits))?;
                }
                if ty.counts().bytes > 0 {
                    self.set(str, ColumnOrigin::Bytes(components.bytes[..].into()))?;
                }
                return Some(());
            }
            SinkCall::Field { .. } | SinkCall::Null | SinkCall::Enter { .. } | SinkCall::Leave => {
                return Some(());
            }
            // A default that has elements, a default of the sink, or components that vary in number.
            _ => return None,
        };
        if is_per_row { self.set(self.columns.place(column), origin) } else { None }
    }

    /// Returns `None` if the column has another origin already.
    fn set(&mut self, place: usize, origin: ColumnOrigin) -> Option<()> {
        let before = std::mem::replace(&mut self.origins[place], origin);
        (before == ColumnOrigin::Empty).then_some(())
    }
}
