//! How often a row reads and writes each column. The index of a column is its
//! [place](super::ColumnCounts::place) among the columns of all kinds.

use super::origins::origins;
use super::{ColumnOrigin, Op, Plan};

/// How often a row reads a column of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Never.
    Not,
    /// Exactly once.
    Once,
    /// Any number of times.
    AnyNumber,
}

/// The columns of a plan's source and sink, by how often a row uses them.
#[derive(Debug, Default)]
pub struct ColumnUsage {
    /// How often a row reads each column of the source. A source that can read its columns
    /// independently does not read the values that the plan skips, so these don't count.
    pub reads: Vec<Reads>,
    /// The columns of the source that a row reads exactly once.
    pub read_once: Vec<usize>,
    /// The columns of the source that a row reads any number of times.
    pub read_often: Vec<usize>,
    /// For each column of the sink: whether it gets exactly one value per row.
    pub written_once: Vec<bool>,
    /// The origin of each column of the sink, if the plan is for another schema and takes whole columns.
    pub origins: Option<Vec<ColumnOrigin>>,
}

impl ColumnUsage {
    pub(super) fn of(plan: &Plan) -> ColumnUsage {
        let reads = reads(plan);
        let of = |usage| (0..reads.len()).filter(|&column| reads[column] == usage).collect();
        ColumnUsage {
            read_once: of(Reads::Once),
            read_often: of(Reads::AnyNumber),
            written_once: written_once(plan),
            origins: if plan.is_evolved() { origins(plan) } else { None },
            reads,
        }
    }
}

fn reads(plan: &Plan) -> Vec<Reads> {
    let columns = &plan.from.columns;
    let mut reads = vec![Reads::Not; columns.count()];
    let mut mark = |op: &Op, how| {
        op.each_read(|first, count| reads[columns.places(first, count)].fill(how));
    };
    let mut at = 0;
    while let Some(op) = plan.ops.get(at) {
        mark(op, Reads::AnyNumber);
        at = match op {
            Op::Skip { end, shared: false } => *end as usize,
            _ => at + 1,
        };
    }
    each_once(plan, Side::Source, |op| mark(op, Reads::Once));
    reads
}

fn written_once(plan: &Plan) -> Vec<bool> {
    let columns = &plan.to.columns;
    let mut once = vec![false; columns.count()];
    let mut mark = |first, count| once[columns.places(first, count)].fill(true);
    each_once(plan, Side::Sink, |op| match op {
        Op::Write { first, count } => {
            for write in &plan.writes[*first as usize..][..*count as usize] {
                write.each_written(&mut mark);
            }
        }
        op => op.each_written(&mut mark),
    });
    once
}

/// The columns that are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Sink,
}

/// Visits the instructions that use a column of a side exactly once per row. A column of elements has as
/// many values as there are elements.
fn each_once(plan: &Plan, side: Side, mut visit: impl FnMut(&Op)) {
    let mut at = 0;
    while let Some(op) = plan.ops.get(at) {
        visit(op);
        // The contents of an optional, a sequence or an arm may run less or more often.
        at = match op {
            Op::Enter { .. } => at + 1,
            Op::EnterAsSequence { .. } if side == Side::Source => at + 1,
            Op::EnterElements { .. } if side == Side::Sink => at + 1,
            _ => plan.after(at),
        };
    }
}
