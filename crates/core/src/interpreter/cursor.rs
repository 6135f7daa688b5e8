//! Where a row is in a plan. Everything that walks a plan has a [`PlanCursor`]: the interpreter, and
//! layouts that hand out or ask for their values themselves.

use std::ops::{ControlFlow, Range};

use super::{Run, RunError};
use crate::emergency;
use crate::error::Fault;
use crate::layout::{OpResult, TOO_MANY_ELEMENTS};
use crate::limits::{CHECK_ELEMENTS, CHECK_ROWS, CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::plan::{Arm, Op, Plan};

/// The instruction of the current value, the sequences around it, and the number of the row's elements.
///
/// The interpreter keeps the instruction in a register, and stores its index here for errors. The
/// methods that move the cursor are for layouts that walk the plan themselves. There the cursor stays at
/// a value until the value is written or read.
#[derive(Debug)]
pub struct PlanCursor<'p> {
    plan: &'p Plan,
    ops: &'p [Op],
    pub(super) pc: usize,
    /// The current field of a run of scalars.
    pub(super) field: usize,
    /// The number of elements of the row so far.
    elements: usize,
    loops: Vec<Loop>,
    /// The instruction `pc`, so that looking at it needs no index.
    op: &'p Op,
    /// The run of scalars whose end was passed last.
    passed: usize,
    /// The place of the first failure, if the cursor may have moved since: the instruction, its field,
    /// and the indices of the elements around it.
    failed: Option<(usize, usize, Vec<usize>)>,
}

/// A sequence whose elements are being converted.
#[derive(Debug)]
struct Loop {
    len: usize,
    /// The elements that are left, with the current one.
    left: usize,
    /// The first instruction of an element.
    start: usize,
}

/// The elements that are left of a sequence that [`PlanCursor::begin`] began.
#[derive(Debug)]
pub struct Elements {
    left: usize,
    start: usize,
    end: usize,
    /// The number of sequences around this one.
    depth: usize,
}

impl Elements {
    /// Returns how many elements follow the current one.
    #[inline(always)]
    pub fn left(&self) -> usize {
        self.left
    }
}

/// Checks for lack of memory, and asks source and sink by `check` whether the run must end.
///
/// # Errors
/// A fault if it must.
pub fn checkpoint(check: impl FnOnce() -> OpResult) -> OpResult {
    if emergency::is_low() { Err(Fault::NoMemory) } else { check() }
}

/// Something that converts rows one by one by walking a plan. A walk that does not hold its source and its
/// sink gets them: they stay apart from its own state, so that the compiler keeps more of them in
/// registers.
pub trait Walk<'p, S = (), K = ()> {
    /// Returns the place of the current row.
    fn cursor(&mut self) -> &mut PlanCursor<'p>;

    /// Converts row `row`. Breaks if the sink is full after it.
    ///
    /// # Errors
    /// The reason. The cursor has the place.
    fn row(&mut self, source: &mut S, sink: &mut K, row: usize) -> OpResult<ControlFlow<()>>;

    /// See [`Source::checkpoint`](crate::layout::Source::checkpoint).
    ///
    /// # Errors
    /// A fault if the run must end.
    fn checkpoint(&mut self, source: &mut S, sink: &mut K) -> OpResult;
}

/// Converts `rows` by `walk`.
///
/// # Errors
/// See [`run`](super::run).
#[inline(always)]
pub fn walk_rows<'p, S, K>(
    walk: &mut impl Walk<'p, S, K>,
    source: &mut S,
    sink: &mut K,
    rows: Range<usize>,
) -> Run {
    for row in rows {
        if row % CHECK_ROWS == CHECK_ROWS - 1 {
            let checked = checkpoint(|| walk.checkpoint(source, sink));
            checked.map_err(|fault| RunError::at_row(row, fault))?;
        }
        match walk.row(source, sink, row) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return Ok(ControlFlow::Break(row + 1)),
            Err(fault) => return Err(walk.cursor().error(row, fault)),
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// What every walk does.
impl<'p> PlanCursor<'p> {
    /// Creates a cursor at the begin of a row.
    pub fn new(plan: &'p Plan) -> PlanCursor<'p> {
        PlanCursor {
            plan,
            ops: &plan.ops,
            pc: 0,
            field: 0,
            elements: 0,
            loops: Vec::new(),
            op: &plan.ops[0],
            passed: 0,
            failed: None,
        }
    }

    /// Returns the plan.
    #[inline(always)]
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Begins a row, after a row that was converted.
    #[inline(always)]
    pub(super) fn begin_row(&mut self) {
        self.pc = 0;
        self.elements = 0;
    }

    /// Counts the `len` elements of a sequence, before source and sink do anything for them. After many
    /// elements it makes a [`checkpoint`].
    ///
    /// # Errors
    /// A limit fault if the row has too many elements.
    #[inline(always)]
    pub fn count(&mut self, len: usize, check: impl FnOnce() -> OpResult) -> OpResult {
        let elements = self.elements.saturating_add(len.saturating_add(CONTAINER_ELEMENTS));
        if elements > MAX_ROW_ELEMENTS {
            return Err(TOO_MANY_ELEMENTS);
        }
        if (self.elements ^ elements) >= CHECK_ELEMENTS {
            checkpoint(check)?;
        }
        self.elements = elements;
        Ok(())
    }

    /// Enters the sequence at the current instruction, which has `len` elements, at least one.
    #[inline(always)]
    pub(super) fn push(&mut self, len: usize) {
        self.loops.push(Loop { len, left: len, start: self.pc + 1 });
    }

    /// Moves to the next element of the innermost sequence. Returns its first instruction, or
    /// `None` after the last element, which ends the sequence. Between many elements it makes a
    /// [`checkpoint`].
    #[inline(always)]
    pub(super) fn next_or_pop(
        &mut self,
        check: impl FnOnce() -> OpResult,
    ) -> OpResult<Option<usize>> {
        let Some(of) = self.loops.last_mut() else {
            unreachable!("a plan's Next follows its Sequence")
        };
        of.left -= 1;
        let next = of.start;
        // Zero is a multiple too, so most elements need one test.
        if of.left.is_multiple_of(CHECK_ELEMENTS) {
            if of.left == 0 {
                self.loops.pop();
                return Ok(None);
            }
            checkpoint(check)?;
        }
        Ok(Some(next))
    }

    /// Returns the indices of the current elements, outermost first.
    fn indices(&self) -> Vec<usize> {
        self.loops.iter().map(|of| of.len - of.left).collect()
    }

    /// Notes that element `index` of the sequence at the cursor failed, whose elements are scalars and
    /// were not begun one by one.
    #[cold]
    pub(super) fn fail_in_scalar(&mut self, index: usize) {
        let mut elements = self.indices();
        elements.push(index);
        self.failed = Some((self.pc + 1, 0, elements));
    }

    #[cold]
    fn error(&mut self, row: usize, fault: Fault) -> Box<RunError> {
        let failed = self.failed.take();
        let at = failed.unwrap_or_else(|| (self.pc, self.field, self.indices()));
        RunError::new(row, at, fault)
    }
}

/// How layouts that walk the plan themselves move.
impl<'p> PlanCursor<'p> {
    /// Begins a row, whatever became of the row before.
    #[inline(always)]
    pub fn start(&mut self) {
        self.begin_row();
        self.op = &self.ops[0];
        self.field = 0;
        self.loops.clear();
        if self.failed.is_some() {
            self.failed = None;
        }
    }

    /// Returns the current instruction.
    #[inline(always)]
    pub fn op(&self) -> &'p Op {
        self.op
    }

    /// Returns the index of the current instruction.
    #[inline(always)]
    pub fn pc(&self) -> usize {
        self.pc
    }

    /// Returns the current field of a run of scalars.
    #[inline(always)]
    pub fn field(&self) -> u32 {
        self.field as u32
    }

    #[inline(always)]
    fn set(&mut self, pc: usize) {
        self.pc = pc;
        self.op = self.ops.get(pc).unwrap_or(&Op::End);
    }

    /// Moves to the next instruction, which is inside this one.
    #[inline(always)]
    pub fn step(&mut self) {
        self.set(self.pc + 1);
    }

    /// Moves past a field of a run of `count` fields.
    #[inline(always)]
    pub fn next_of(&mut self, count: u32) {
        self.field += 1;
        if self.field == count as usize {
            self.field = 0;
            self.passed = self.pc;
            self.next();
        }
    }

    /// Moves past a value that is one instruction.
    #[inline(always)]
    pub fn next(&mut self) {
        self.jump_to(self.pc + 1);
    }

    /// Moves to the instruction `pc`, or where that one jumps to.
    #[inline(always)]
    pub fn jump_to(&mut self, pc: usize) {
        self.set(pc);
        while let &Op::Jump { to } = self.op {
            self.set(to as usize);
        }
    }

    /// Returns the arms of union `table`.
    #[inline(always)]
    pub fn arms(&self, table: u32) -> &'p [Arm] {
        &self.plan.unions[table as usize]
    }

    /// Moves to arm `arm` of union `table`.
    #[inline(always)]
    pub fn take_arm(&mut self, table: u32, arm: usize) {
        self.jump_to(self.arms(table)[arm].start as usize);
    }

    /// Begins the sequence at the cursor, which has `len` elements that were [counted](PlanCursor::count).
    /// The instruction of the sequence has `end`.
    #[inline(always)]
    pub fn begin(&mut self, len: usize, end: u32) -> Elements {
        let (start, end, depth) = (self.pc + 1, end as usize, self.loops.len());
        self.push(len);
        Elements { left: len, start, end, depth }
    }

    /// Moves to the next of the `elements`. Returns false after the last.
    ///
    /// # Errors
    /// See [`checkpoint`], which it makes between many elements.
    #[inline(always)]
    pub fn next_element(
        &mut self,
        elements: &mut Elements,
        check: impl FnOnce() -> OpResult,
    ) -> OpResult<bool> {
        let left = elements.left;
        // Zero is a multiple too, so most elements need one test.
        if left.is_multiple_of(CHECK_ELEMENTS) {
            if left == 0 {
                return Ok(false);
            }
            checkpoint(check)?;
        }
        elements.left = left - 1;
        self.set(elements.start);
        if let Some(of) = self.loops.get_mut(elements.depth) {
            of.left = left;
        }
        Ok(true)
    }

    /// Ends the sequence.
    #[inline(always)]
    pub fn end(&mut self, elements: &Elements) {
        self.loops.truncate(elements.depth);
        self.jump_to(elements.end);
    }

    /// Notes that the value of instruction `pc` and its field failed, unless another one did before.
    #[cold]
    pub fn fail_at(&mut self, pc: usize, field: u32) {
        if self.failed.is_none() {
            self.failed = Some((pc, field as usize, self.indices()));
        }
    }

    /// Like [`fail_at`](PlanCursor::fail_at), for the scalar before the cursor.
    #[cold]
    pub fn fail_before(&mut self) {
        if self.field > 0 {
            return self.fail_at(self.pc, self.field as u32 - 1);
        }
        let last = match self.ops[self.passed] {
            Op::I64 { count, .. }
            | Op::F64 { count, .. }
            | Op::Str { count, .. }
            | Op::Bool { count, .. }
            | Op::Null { count } => count - 1,
            _ => 0,
        };
        self.fail_at(self.passed, last);
    }
}
