//! The interpreter: runs a plan between a source and a sink, one instruction after another.
//!
//! It is generic over both layouts and compiled for each pair, so an instruction costs one
//! predictable branch. Two superinstructions keep dispatch away from where time goes: runs of
//! scalars of one type, and sequences whose elements are single scalars.

mod scalars;

use std::ops::{ControlFlow, Range};

use crate::error::Fault;
use crate::layout::{OpResult, Sink, Source, TOO_MANY_ELEMENTS};
use crate::limits::{CHECK_ELEMENTS, CHECK_ROWS, CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::plan::{Op, Plan};

/// Why a run failed, and at which value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The index of the row.
    pub row: usize,
    /// The index of the instruction in the plan.
    pub pc: usize,
    /// The field of that instruction, if the instruction is a run of scalars.
    pub field: usize,
    /// The index of the current element in each sequence around the value, outermost first.
    pub elements: Vec<usize>,
    /// What was wrong.
    pub fault: Fault,
}

impl RunError {
    /// A fault of the row as a whole.
    pub fn at_row(row: usize, fault: Fault) -> Box<RunError> {
        Box::new(RunError { row, pc: 0, field: 0, elements: Vec::new(), fault })
    }
}

/// The outcome of a run. It breaks if the sink is full, with the index of the row after the last one converted.
pub type Run = Result<ControlFlow<usize>, Box<RunError>>;

/// A sequence that is being walked.
struct Loop {
    left: usize,
    len: usize,
}

/// Convert `rows` of `source` and append them to `sink`. If the sink is full this breaks with the index of the
/// row after the last one converted.
///
/// # Errors
/// At the first value that can't be converted. Rows before it are complete in the sink; of its own
/// row some values may be there.
pub fn run<S: Source, K: Sink>(
    plan: &Plan,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Run {
    source.names(&plan.tables);
    sink.names(&plan.tables);
    let mut machine = Machine { plan, loops: Vec::new(), pc: 0, field: 0, inner: None };
    for row in rows {
        if row % CHECK_ROWS == CHECK_ROWS - 1 {
            let checked = source.checkpoint().and_then(|()| sink.checkpoint());
            checked.map_err(|fault| RunError::at_row(row, fault))?;
        }
        match machine.row(source, sink, row) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(row + 1)),
            Err(fault) => return Err(Box::new(machine.error(row, fault))),
        }
    }
    Ok(ControlFlow::Continue(()))
}

struct Machine<'a> {
    plan: &'a Plan,
    loops: Vec<Loop>,
    /// The instruction that runs, and the field of a run of scalars.
    pc: usize,
    field: usize,
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
    ) -> OpResult<ControlFlow<()>> {
        let ops = &self.plan.ops[..];
        // The counter lives in a register; it is stored for errors only, so no instruction waits for it.
        let mut pc = 0;
        let mut elements = MAX_ROW_ELEMENTS;
        self.pc = pc;
        source.row(row)?;
        sink.row(self.plan.row_bound)?;
        loop {
            self.pc = pc;
            match ops[pc] {
                Op::I64 { first, count } => {
                    scalars::i64(source, sink, first, count, &mut self.field)?
                }
                Op::F64 { first, count } => {
                    scalars::f64(source, sink, first, count, &mut self.field)?
                }
                Op::Str { first, count } => {
                    scalars::str(source, sink, first, count, &mut self.field)?
                }
                Op::Bool { first, count } => {
                    scalars::bool(source, sink, first, count, &mut self.field)?;
                }
                Op::Null { count } => scalars::null(source, sink, count, &mut self.field)?,
                Op::Logical { ty, parts: at } => {
                    let parts = source.logical(ty, at)?;
                    sink.logical(ty, at, parts)?;
                }
                Op::Enum { table, members, column } => {
                    let index = source.member(table, members, column)?;
                    sink.member(table, column, index)?;
                }
                Op::Never => return Err(S::NEVER),
                Op::Enter { container, len, acyclic } => {
                    source.enter(container, len)?;
                    sink.enter(container, len, acyclic)?;
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
                        pc = end as usize;
                        continue;
                    }
                }
                Op::Maybe { column, end } => {
                    if source.has_field(column)? {
                        sink.has_field(column)?;
                    } else {
                        sink.lacks_field(column)?;
                        pc = end as usize;
                        continue;
                    }
                }
                Op::Sequence { container, column, end, acyclic, zero_sized, bound } => {
                    let len = source.sequence(container, column, zero_sized)?;
                    let count = len.saturating_add(CONTAINER_ELEMENTS);
                    let Some(left) = elements.checked_sub(count) else {
                        return Err(TOO_MANY_ELEMENTS);
                    };
                    if (elements ^ left) >= CHECK_ELEMENTS {
                        source.checkpoint()?;
                        sink.checkpoint()?;
                    }
                    elements = left;
                    sink.sequence(container, column, len, acyclic)?;
                    let scalars = end as usize == pc + 3
                        && scalars::elements(source, sink, ops[pc + 1], len, &mut self.inner)?;
                    if scalars || len == 0 {
                        source.leave();
                        sink.leave()?;
                        pc = end as usize;
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
                        if walked.left.is_multiple_of(CHECK_ELEMENTS) {
                            source.checkpoint()?;
                            sink.checkpoint()?;
                        }
                        let Op::Sequence { bound, .. } = ops[start as usize - 1] else {
                            unreachable!("a plan's Next leads back to its Sequence")
                        };
                        sink.element(bound as usize)?;
                        pc = start as usize;
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
                    pc = arms[arm].start as usize;
                    continue;
                }
                Op::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Op::End => {
                    source.end_row()?;
                    return sink.end_row();
                }
            }
            pc += 1;
        }
    }

    #[cold]
    fn error(self, row: usize, fault: Fault) -> RunError {
        let mut elements: Vec<usize> = self.loops.iter().map(|l| l.len - l.left).collect();
        let mut pc = self.pc;
        if let Some(element) = self.inner {
            // The fault is in the single scalar that is the body of the sequence at `pc`.
            elements.push(element);
            pc += 1;
        }
        RunError { row, pc, field: self.field, elements, fault }
    }
}
