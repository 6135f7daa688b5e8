//! The interpreter: runs a plan between a source and a sink, one instruction after another.
//!
//! It is generic over both layouts and compiled for each pair, so an instruction costs one
//! predictable branch. Two superinstructions avoid dispatch in the hottest places: runs of scalars
//! of one type, and sequences whose elements are single scalars.

mod scalars;
#[cfg(test)]
mod tests;
mod writes;

use std::ops::{ControlFlow, Range};

use crate::emergency;
use crate::error::Fault;
use crate::layout::discard::Discard;
use crate::layout::{OpResult, Position, Sink, Source, TOO_MANY_ELEMENTS, Text};
use crate::limits::{CHECK_ELEMENTS, CHECK_ROWS, CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::plan::{Op, Plan};

/// The position and the reason of a failed run.
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
    /// The reason.
    pub fault: Fault,
}

impl RunError {
    /// A fault of the row as a whole.
    pub fn at_row(row: usize, fault: Fault) -> Box<RunError> {
        Box::new(RunError { row, pc: 0, field: 0, elements: Vec::new(), fault })
    }
}

/// All integers up to this one have exact floats.
const LARGEST_EXACT: u64 = 1 << 53;

/// The outcome of a run. It breaks if the sink is full, with the index of the row after the last
/// converted one.
pub type Run = Result<ControlFlow<usize>, Box<RunError>>;

/// The state of a sequence whose elements are being converted.
struct Loop {
    left: usize,
    len: usize,
}

/// Converts `rows` of `source` and appends them to `sink`. If the sink is full, this breaks with
/// the index of the row after the last converted one.
///
/// # Errors
/// The first value that can't be converted. The rows before it are complete in the sink; the
/// failing row may be there in part.
pub fn run<S: Source, K: Sink>(
    plan: &Plan,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Run {
    source.names(&plan.from.tables);
    sink.names(&plan.to.tables);
    let mut machine = Machine {
        plan,
        loops: Vec::new(),
        entries: Vec::new(),
        elements: 0,
        pc: 0,
        field: 0,
        inner: None,
        driven: Position::default(),
    };
    for row in rows {
        if row % CHECK_ROWS == CHECK_ROWS - 1 {
            let checked = checkpoint(source, sink);
            checked.map_err(|fault| RunError::at_row(row, fault))?;
        }
        match machine.row(source, sink, row) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(row + 1)),
            Err(fault) if S::DRIVES || K::DRIVES => {
                let Position { pc, field, elements } = machine.driven;
                return Err(Box::new(RunError { row, pc, field, elements, fault }));
            }
            Err(fault) => return Err(Box::new(machine.error(row, fault))),
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Asks source and sink whether the run must end, and checks for lack of memory.
pub(crate) fn checkpoint<S: Source, K: Sink>(source: &mut S, sink: &mut K) -> Result<(), Fault> {
    if emergency::is_low() {
        return Err(Fault::NoMemory);
    }
    source.checkpoint()?;
    sink.checkpoint()
}

struct Machine<'a> {
    plan: &'a Plan,
    loops: Vec<Loop>,
    /// The number of entries so far in each map that is made from a dict with fixed keys, outermost
    /// first.
    entries: Vec<usize>,
    /// The number of elements in the current row so far.
    elements: usize,
    /// The current instruction, and the current field of a run of scalars.
    pc: usize,
    field: usize,
    /// The current element of a sequence of scalars, which has no [`Loop`].
    inner: Option<usize>,
    /// The place where a layout that drives the plan failed.
    driven: Position,
}

impl Machine<'_> {
    #[inline(always)]
    fn row<S: Source, K: Sink>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        row: usize,
    ) -> OpResult<ControlFlow<()>> {
        self.pc = 0;
        self.elements = 0;
        source.row(row)?;
        sink.row(self.plan.to.row_bound)?;
        if S::DRIVES {
            source.drive(self.plan, sink, &mut self.driven)?;
        } else if K::DRIVES {
            sink.drive(self.plan, source, &mut self.driven)?;
        } else {
            self.run(source, sink, 0)?;
        }
        source.end_row()?;
        sink.end_row()
    }

    /// Runs the instructions from `pc` to [`Op::End`] or [`Op::Skipped`].
    #[inline(always)]
    fn run<S: Source, K: Sink>(&mut self, source: &mut S, sink: &mut K, mut pc: usize) -> OpResult {
        let ops = &self.plan.ops[..];
        // The local counter stays in a register. `self.pc` is only stored for errors, so no
        // instruction waits for it.
        loop {
            self.pc = pc;
            match ops[pc] {
                Op::I64 { from, to, count } => {
                    scalars::i64(source, sink, from, to, count, &mut self.field)?;
                }
                Op::F64 { from, to, count } => {
                    scalars::f64(source, sink, from, to, count, &mut self.field)?;
                }
                Op::Str { from, to, count } => {
                    scalars::str(source, sink, from, to, count, &mut self.field)?;
                }
                Op::Bool { from, to, count } => {
                    scalars::bool(source, sink, from, to, count, &mut self.field)?;
                }
                Op::Null { count } => scalars::null(source, sink, count, &mut self.field)?,
                Op::Logical { ty, from, to } => {
                    let components = source.logical(ty, from)?;
                    if let Text::Plain(text) = components.bytes {
                        ty.check_digits(text.bytes().len())?;
                    }
                    sink.logical(ty, to, components)?;
                }
                Op::Enum { from, to, members } => {
                    let index = source.member(from.table, members, from.column)?;
                    sink.member(to.table, to.column, index)?;
                }
                Op::Never => return Err(S::NEVER),
                Op::OtherClock(_) => return Err(Fault::OtherClock),
                Op::Enter { read, made, acyclic } => {
                    source.enter(read.container, read.len)?;
                    sink.enter(made.container, made.len, acyclic)?;
                }
                Op::Leave => {
                    source.leave();
                    sink.leave()?;
                }
                Op::Optional { from, to, end } => {
                    if source.present(from)? {
                        sink.present(to)?;
                    } else {
                        sink.absent(to)?;
                        pc = end as usize;
                        continue;
                    }
                }
                Op::Maybe { from, to, end } => {
                    if source.has_field(from)? {
                        sink.has_field(to)?;
                    } else {
                        sink.lacks_field(to)?;
                        pc = end as usize;
                        continue;
                    }
                }
                Op::IfField { from, otherwise, .. } => {
                    if !source.has_field(from)? {
                        pc = otherwise as usize;
                        continue;
                    }
                }
                Op::Sequence { container, from, to, end, acyclic, zero_sized, bound } => {
                    let len = source.sequence(container, from, zero_sized)?;
                    let elements =
                        self.elements.saturating_add(len.saturating_add(CONTAINER_ELEMENTS));
                    if elements > MAX_ROW_ELEMENTS {
                        return Err(TOO_MANY_ELEMENTS);
                    }
                    if (self.elements ^ elements) >= CHECK_ELEMENTS {
                        checkpoint(source, sink)?;
                    }
                    self.elements = elements;
                    sink.sequence(container, to, len, acyclic)?;
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
                        unreachable!("a plan's Next follows its Sequence")
                    };
                    walked.left -= 1;
                    if walked.left > 0 {
                        if walked.left.is_multiple_of(CHECK_ELEMENTS) {
                            checkpoint(source, sink)?;
                        }
                        let Op::Sequence { bound, .. } = ops[start as usize - 1] else {
                            unreachable!("a plan's Next jumps back to its Sequence")
                        };
                        sink.element(bound as usize)?;
                        pc = start as usize;
                        continue;
                    }
                    self.loops.pop();
                    source.leave();
                    sink.leave()?;
                }
                Op::Union { table, from, to, .. } => {
                    let arms = &self.plan.unions[table as usize];
                    let arm = source.arm(arms, from)?;
                    sink.arm(to, arm)?;
                    pc = arms[arm].start as usize;
                    continue;
                }
                Op::Branch { table, from, .. } => {
                    let arms = &self.plan.unions[table as usize];
                    pc = arms[source.arm(arms, from)?].start as usize;
                    continue;
                }
                Op::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Op::End | Op::Skipped => return Ok(()),
                Op::Skip { end } => {
                    if !S::SKIPS_FREELY {
                        self.skip(source, pc + 1)?;
                    }
                    pc = end as usize;
                    continue;
                }
                _ => self.evolve(source, sink, ops[pc])?,
            }
            pc += 1;
        }
    }

    /// Reads and discards the values of a field that is not written.
    #[inline(never)]
    fn skip<S: Source>(&mut self, source: &mut S, pc: usize) -> OpResult {
        self.run(source, &mut Discard::new(()), pc)
    }

    /// Runs an instruction that only plans for rows of another schema have.
    #[inline(never)]
    fn evolve<S: Source, K: Sink>(&mut self, source: &mut S, sink: &mut K, op: Op) -> OpResult {
        match op {
            Op::Write { first, count } => {
                let writes = &self.plan.writes[first as usize..][..count as usize];
                for (field, write) in writes.iter().enumerate() {
                    if let Err(fault) = writes::write(sink, write) {
                        self.field = field;
                        return Err(fault);
                    }
                }
                Ok(())
            }
            Op::IntOfI64 { from, to } => sink.int_of_i64(to, source.i64(from)?),
            Op::F64OfI64 { from, to } => {
                let v = source.i64(from)?;
                if v.unsigned_abs() > LARGEST_EXACT {
                    return Err(Fault::Inexact(v));
                }
                sink.f64(to, v as f64)
            }
            Op::OtherEnum { from, to, members } => {
                let members = &self.plan.members[members as usize];
                let index = source.member(from.table, members.len() as u32, from.column)?;
                match members[index as usize] {
                    Some(index) => sink.member(to.table, to.column, index.into()),
                    None => Err(Fault::OtherMember(index as u32)),
                }
            }
            Op::EnterAsSequence { read, made, to, acyclic } => {
                source.enter(read.container, read.len)?;
                sink.sequence(made, to, read.len as usize, acyclic)
            }
            Op::OpenEntries { read, to, acyclic } => {
                source.enter(read.container, read.len)?;
                self.entries.push(0);
                sink.entries(to, read.len as usize, acyclic)
            }
            Op::Entry { bound } => {
                self.entries.last_mut().into_iter().for_each(|entries| *entries += 1);
                sink.element(bound as usize)
            }
            Op::CloseEntries { to } => {
                source.leave();
                sink.shorten(to, self.entries.pop().unwrap_or(0))?;
                sink.leave()
            }
            op => unreachable!("{op:?} must be handled by `run`"),
        }
    }

    #[cold]
    fn error(self, row: usize, fault: Fault) -> RunError {
        let mut elements: Vec<usize> = self.loops.iter().map(|l| l.len - l.left).collect();
        let mut pc = self.pc;
        if let Some(element) = self.inner {
            // The sequence at `pc` has a single scalar as its body. The fault is in that scalar.
            elements.push(element);
            pc += 1;
        }
        RunError { row, pc, field: self.field, elements, fault }
    }
}
