//! The interpreter: runs a plan between a source and a sink, one instruction after another.
//!
//! It is generic over both layouts and compiled for each pair, so an instruction costs one
//! predictable branch. Two superinstructions avoid dispatch in the hottest places: runs of scalars
//! of one type, and sequences whose elements are single scalars.

mod array_lists;
mod arrays;
mod cursor;
mod numbers;
mod scalars;
#[cfg(test)]
mod tests;
mod writes;

use std::ops::{ControlFlow, Range};

pub use cursor::{Elements, PlanCursor, Walk, checkpoint, walk_rows};

use crate::error::Fault;
use crate::layout::discard::Discard;
use crate::layout::{OpResult, Sink, Source, Text};
use crate::plan::{Op, Plan, TypePath};
use crate::schema::Container;

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
    /// The place, if a layout that knows it without a plan converted the row. Then the three fields before
    /// say nothing.
    pub place: Option<Box<TypePath>>,
    /// The reason.
    pub fault: Fault,
}

impl RunError {
    /// A fault at an instruction: its index, the field, and the indices of the elements around it.
    pub fn new(
        row: usize,
        (pc, field, elements): (usize, usize, Vec<usize>),
        fault: Fault,
    ) -> Box<RunError> {
        Box::new(RunError { row, pc, field, elements, place: None, fault })
    }

    /// A fault at a place of a row.
    pub fn at_place(row: usize, place: TypePath, fault: Fault) -> Box<RunError> {
        Box::new(RunError { place: Some(Box::new(place)), ..*RunError::at_row(row, fault) })
    }

    /// A fault of the row as a whole.
    pub fn at_row(row: usize, fault: Fault) -> Box<RunError> {
        RunError::new(row, (0, 0, Vec::new()), fault)
    }
}

/// The outcome of a run. It breaks if the sink is full, with the index of the row after the last
/// converted one.
pub type Run = Result<ControlFlow<usize>, Box<RunError>>;

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
    let mut machine = Machine { cursor: PlanCursor::new(plan), entries: Vec::new() };
    walk_rows(&mut machine, source, sink, rows)
}

/// Asks source and sink whether the run must end.
pub(crate) fn check<S: Source, K: Sink>(source: &mut S, sink: &mut K) -> OpResult {
    source.checkpoint()?;
    sink.checkpoint()
}

struct Machine<'p> {
    cursor: PlanCursor<'p>,
    /// The number of entries so far in each map that is made from a dict with fixed keys, outermost
    /// first.
    entries: Vec<usize>,
}

impl<'p, S: Source, K: Sink> Walk<'p, S, K> for Machine<'p> {
    fn cursor(&mut self) -> &mut PlanCursor<'p> {
        &mut self.cursor
    }

    #[inline(always)]
    fn row(&mut self, source: &mut S, sink: &mut K, row: usize) -> OpResult<ControlFlow<()>> {
        self.cursor.begin_row();
        source.row(row)?;
        sink.row()?;
        self.run(source, sink, 0)?;
        source.end_row()?;
        sink.end_row()
    }

    fn checkpoint(&mut self, source: &mut S, sink: &mut K) -> OpResult {
        check(source, sink)
    }
}

impl Machine<'_> {
    /// Runs the instructions from `pc` to [`Op::End`] or [`Op::Skipped`].
    #[inline(always)]
    fn run<S: Source, K: Sink>(&mut self, source: &mut S, sink: &mut K, mut pc: usize) -> OpResult {
        let plan = self.cursor.plan();
        let ops = &plan.ops[..];
        // The local counter stays in a register. The cursor's is only stored, so no instruction waits
        // for it.
        loop {
            self.cursor.pc = pc;
            match ops[pc] {
                Op::I64 { from, to, count } => {
                    scalars::i64(source, sink, from, to, count, &mut self.cursor.field)?;
                }
                Op::F64 { from, to, count } => {
                    scalars::f64(source, sink, from, to, count, &mut self.cursor.field)?;
                }
                Op::Str { from, to, count } => {
                    scalars::str(source, sink, from, to, count, &mut self.cursor.field)?;
                }
                Op::Bool { from, to, count } => {
                    scalars::bool(source, sink, from, to, count, &mut self.cursor.field)?;
                }
                Op::Null { count } => scalars::null(source, sink, count, &mut self.cursor.field)?,
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
                Op::OtherArm => return Err(Fault::OtherArm),
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
                Op::IfPresent { from, otherwise, .. } => {
                    if !source.present(from)? {
                        pc = otherwise as usize;
                        continue;
                    }
                }
                Op::Sequence { container, from, to, end, acyclic, zero_sized } => {
                    let is_array = container == Container::List
                        && (source.meets_array() || sink.makes_array(to))
                        && arrays::convert(source, sink, ops, &mut self.cursor)?;
                    if is_array {
                        pc = end as usize;
                        continue;
                    }
                    let len = source.sequence(container, from, zero_sized)?;
                    self.cursor.count(len, || check(source, sink))?;
                    sink.sequence(container, to, len, acyclic)?;
                    let scalars = end as usize == pc + 3
                        && scalars::elements(source, sink, ops[pc + 1], len, &mut self.cursor)?;
                    if scalars || len == 0 {
                        source.leave();
                        sink.leave()?;
                        pc = end as usize;
                        continue;
                    }
                    self.cursor.push(len);
                }
                Op::Next { .. } => {
                    if let Some(start) = self.cursor.next_or_pop(|| check(source, sink))? {
                        pc = start;
                        continue;
                    }
                    source.leave();
                    sink.leave()?;
                }
                Op::Union { table, from, to, .. } => {
                    let arms = &plan.unions[table as usize];
                    let arm = source.arm(arms, from)?;
                    sink.arm(to, arm)?;
                    pc = arms[arm].start as usize;
                    continue;
                }
                Op::Branch { table, from, .. } => {
                    let arms = &plan.unions[table as usize];
                    pc = arms[source.arm(arms, from)?].start as usize;
                    continue;
                }
                Op::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Op::End | Op::Skipped => return Ok(()),
                Op::Skip { end, shared } => {
                    if shared || !S::SKIPS_FREELY {
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
                let writes = &self.cursor.plan().writes[first as usize..][..count as usize];
                for (field, write) in writes.iter().enumerate() {
                    if let Err(fault) = writes::write(sink, write) {
                        self.cursor.field = field;
                        return Err(fault);
                    }
                }
                Ok(())
            }
            Op::Number { read, from, made, to } => {
                let number = numbers::read(source, read, from)?;
                numbers::write(sink, made, to, number)
            }
            Op::ListsOfArray { from, lists } => {
                let lists = &self.cursor.plan().arrays[lists as usize];
                array_lists::convert(source, sink, from, lists, &mut self.cursor)
            }
            Op::OtherEnum { from, to, members } => {
                let members = &self.cursor.plan().members[members as usize];
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
            Op::EnterElements { read, from, made, acyclic, zero_sized } => {
                let len = source.sequence(read, from, zero_sized)?;
                if len != made.len as usize {
                    return Err(Fault::OtherLength(len));
                }
                sink.enter(made.container, made.len, acyclic)
            }
            Op::OpenEntries { read, to, acyclic } => {
                source.enter(read.container, read.len)?;
                self.entries.push(0);
                sink.entries(to, read.len as usize, acyclic)
            }
            Op::Entry => {
                self.entries.last_mut().into_iter().for_each(|entries| *entries += 1);
                Ok(())
            }
            Op::CloseEntries { to } => {
                source.leave();
                sink.shorten(to, self.entries.pop().unwrap_or(0))?;
                sink.leave()
            }
            op => unreachable!("{op:?} must be handled by `run`"),
        }
    }
}
