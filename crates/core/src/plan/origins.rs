//! Where a reader's columns come from: whole columns of the writer, or constants.

use super::{Column, Columns, Op, Plan, Write};

/// The values of one column of the reader.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
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

/// Returns the origin of each column of the reader, by its [place](Columns::place). Returns `None` if
/// the plan converts values, joins columns or splits them.
pub(super) fn origins(plan: &Plan) -> Option<Vec<Origin>> {
    let columns = &plan.to.columns;
    let mut found = Origins { columns, origins: vec![Origin::Empty; columns.count()] };
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
            Op::Skip { end } => {
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
    columns: &'a Columns,
    origins: Vec<Origin>,
}

impl Origins<'_> {
    /// `count` columns from `to` on come from as many columns of the writer, from `from` on.
    fn columns(&mut self, to: Column, from: u32, count: u32) -> Option<()> {
        let first = self.columns.place(to);
        (0..count).try_for_each(|i| self.set(first + i as usize, Origin::Column(from + i)))
    }

    /// The sink is told `write`, once per row if `is_per_row`.
    fn constants(&mut self, write: &Write, is_per_row: bool) -> Option<()> {
        let (column, origin) = match *write {
            Write::Present { to } | Write::HasField { to } => (Column::Bit(to), Origin::Bit(true)),
            Write::Absent { to } | Write::LacksField { to } => {
                (Column::Bit(to), Origin::Bit(false))
            }
            Write::Bool { to, v } => (Column::Bit(to), Origin::Bit(v)),
            Write::Arm { to, arm } => (Column::Int(to), Origin::I64(arm.into())),
            Write::I64 { to, v } => (Column::Int(to), Origin::I64(v)),
            Write::Member { to, index, .. } => (Column::Int(to), Origin::I64(index)),
            Write::Sequence { to, len: 0, .. } => (Column::Int(to), Origin::I64(0)),
            Write::F64 { to, bits } => (Column::Float(to), Origin::F64(bits)),
            Write::Str { to, ref text } => (Column::Str(to), Origin::Bytes(text.as_bytes().into())),
            Write::Logical { ty, to, ref components } if is_per_row => {
                let places = [Column::Int(to.int), Column::Float(to.float), Column::Str(to.str)];
                let [int, float, str] = places.map(|column| self.columns.place(column));
                for (i, &v) in components.ints.iter().take(ty.counts().ints).enumerate() {
                    self.set(int + i, Origin::I64(v))?;
                }
                for (i, &bits) in components.floats.iter().take(ty.counts().floats).enumerate() {
                    self.set(float + i, Origin::F64(bits))?;
                }
                if ty.counts().bytes > 0 {
                    self.set(str, Origin::Bytes(components.bytes[..].into()))?;
                }
                return Some(());
            }
            Write::Field { .. } | Write::Null | Write::Enter { .. } | Write::Leave => {
                return Some(());
            }
            // The elements of a default, a default of the sink, or components that vary in number.
            _ => return None,
        };
        if is_per_row { self.set(self.columns.place(column), origin) } else { None }
    }

    /// Returns `None` if the column has another origin already.
    fn set(&mut self, place: usize, origin: Origin) -> Option<()> {
        let before = std::mem::replace(&mut self.origins[place], origin);
        (before == Origin::Empty).then_some(())
    }
}
