//! The interpreter: runs a plan between a source and a sink, one instruction after another.
//!
//! It is generic over both layouts and compiled for each pair, so an instruction costs one
//! predictable branch. Two superinstructions keep dispatch away from where time goes: runs of
//! scalars of one type, and sequences whose elements are single scalars.

mod scalars;

use std::ops::Range;

use crate::error::Fault;
use crate::layout::{Sink, Source, TOO_MANY_ELEMENTS};
use crate::limits::{CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::plan::{Op, Plan};

/// Where and why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The row at fault.
    pub row: usize,
    /// The instruction at fault.
    pub at: usize,
    /// Which field of that instruction, if it is a run of scalars.
    pub nth: usize,
    /// The elements at which the sequences around it stood, from outside in.
    pub elements: Vec<usize>,
    /// What was wrong.
    pub fault: Fault,
}

impl Stop {
    /// Because of `fault`, which is that of no single value, at `row`.
    pub fn at_row(row: usize, fault: Fault) -> Box<Stop> {
        Box::new(Stop { row, at: 0, nth: 0, elements: Vec::new(), fault })
    }
}

/// A sequence that is being walked.
struct Loop {
    left: usize,
    len: usize,
}

/// Convert `rows` of `source` and append them to `sink`.
///
/// # Errors
/// At the first value that can't be converted. Rows before it are complete in the sink; of its own
/// row some values may be there.
pub fn run<S: Source, K: Sink>(
    plan: &Plan,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Result<(), Box<Stop>> {
    source.names(&plan.tables);
    sink.names(&plan.tables);
    let mut machine = Machine { plan, loops: Vec::new(), at: 0, nth: 0, inner: None };
    for row in rows {
        if let Err(fault) = machine.row(source, sink, row) {
            return Err(Box::new(machine.stop(row, fault)));
        }
    }
    Ok(())
}

struct Machine<'a> {
    plan: &'a Plan,
    loops: Vec<Loop>,
    /// The instruction that runs, and the field of a run of scalars.
    at: usize,
    nth: usize,
    /// The element of a sequence of scalars, which has no [`Loop`].
    inner: Option<usize>,
}

impl Machine<'_> {
    #[inline(always)]
    fn row<S: Source, K: Sink>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        row: usize,
    ) -> Result<(), Fault> {
        let ops = &self.plan.ops[..];
        // The place is kept in a register and only stored, so that no instruction waits for it.
        let mut at = 0;
        let mut elements = MAX_ROW_ELEMENTS;
        self.at = at;
        source.row(row)?;
        sink.row(self.plan.row_bound)?;
        loop {
            self.at = at;
            match ops[at] {
                Op::I64 { first, count } => {
                    scalars::i64(source, sink, first, count, &mut self.nth)?
                }
                Op::F64 { first, count } => {
                    scalars::f64(source, sink, first, count, &mut self.nth)?
                }
                Op::Str { first, count } => {
                    scalars::str(source, sink, first, count, &mut self.nth)?
                }
                Op::Bool { first, count } => {
                    scalars::bool(source, sink, first, count, &mut self.nth)?;
                }
                Op::Null { count } => scalars::null(source, sink, count, &mut self.nth)?,
                Op::Logical { ty, parts: at } => {
                    let parts = source.logical(ty, at)?;
                    sink.logical(ty, at, parts)?;
                }
                Op::Enum { table, members, column } => {
                    let index = source.member(table, members, column)?;
                    sink.member(table, column, index)?;
                }
                Op::Never => return Err(S::NEVER),
                Op::Enter { container, len, atomic } => {
                    source.enter(container, len)?;
                    sink.enter(container, len, atomic)?;
                }
                Op::Leave => {
                    source.leave();
                    sink.leave()?;
                }
                Op::Optional { column, end } => {
                    if source.present(column)? {
                        sink.present(column)?;
                    } else {
                        sink.absent(column)?;
                        at = end as usize;
                        continue;
                    }
                }
                Op::Maybe { column, end } => {
                    if source.has_field(column)? {
                        sink.has_field(column)?;
                    } else {
                        sink.lacks_field(column)?;
                        at = end as usize;
                        continue;
                    }
                }
                Op::Sequence { container, column, end, atomic, weightless, bound } => {
                    let len = source.sequence(container, column, weightless)?;
                    let count = len.saturating_add(CONTAINER_ELEMENTS);
                    let Some(left) = elements.checked_sub(count) else {
                        return Err(TOO_MANY_ELEMENTS);
                    };
                    elements = left;
                    sink.sequence(container, column, len, atomic)?;
                    let scalars = end as usize == at + 3
                        && scalars::elements(source, sink, ops[at + 1], len, &mut self.inner)?;
                    if scalars || len == 0 {
                        source.leave();
                        sink.leave()?;
                        at = end as usize;
                        continue;
                    }
                    sink.element(bound as usize)?;
                    self.loops.push(Loop { left: len, len });
                }
                Op::Next { start } => {
                    let Some(walked) = self.loops.last_mut() else {
                        unreachable!("a plan's Next stands after its Sequence")
                    };
                    walked.left -= 1;
                    if walked.left > 0 {
                        let Op::Sequence { bound, .. } = ops[start as usize - 1] else {
                            unreachable!("a plan's Next leads back to its Sequence")
                        };
                        sink.element(bound as usize)?;
                        at = start as usize;
                        continue;
                    }
                    self.loops.pop();
                    source.leave();
                    sink.leave()?;
                }
                Op::Union { table, column } => {
                    let arms = &self.plan.unions[table as usize];
                    let arm = source.arm(arms, column)?;
                    sink.arm(column, arm)?;
                    at = arms[arm].start as usize;
                    continue;
                }
                Op::Jump { to } => {
                    at = to as usize;
                    continue;
                }
                Op::End => {
                    source.end_row()?;
                    return sink.end_row();
                }
            }
            at += 1;
        }
    }

    #[cold]
    fn stop(self, row: usize, fault: Fault) -> Stop {
        let mut elements: Vec<usize> = self.loops.iter().map(|l| l.len - l.left).collect();
        let mut at = self.at;
        if let Some(element) = self.inner {
            // The fault is in the single scalar that is the body of the sequence at `at`.
            elements.push(element);
            at += 1;
        }
        Stop { row, at, nth: self.nth, elements, fault }
    }
}
