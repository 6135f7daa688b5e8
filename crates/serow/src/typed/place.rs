//! A place in a plan, for the serializer and the deserializer that drive it.

use serow_core::layout::Position;
use serow_core::plan::{Op, Plan};

/// The instruction at which a row is, and the field of a run of scalars. It stays at a value until the
/// value is written or read.
pub(super) struct Place<'a> {
    ops: &'a [Op],
    /// The instruction `pc`, so that looking at it needs no index.
    op: &'a Op,
    pc: usize,
    field: u32,
    /// The run of scalars whose end was passed last.
    passed: usize,
    /// The index of the current element in each sequence around it.
    pub(super) elements: Vec<usize>,
}

impl<'a> Place<'a> {
    /// Begins a row. Takes the memory of `at`.
    pub(super) fn new(plan: &'a Plan, at: &mut Position) -> Place<'a> {
        let mut elements = std::mem::take(&mut at.elements);
        elements.clear();
        let ops = &plan.ops[..];
        Place { ops, op: &ops[0], pc: 0, field: 0, passed: 0, elements }
    }

    pub(super) fn into_position(self) -> Position {
        Position { pc: self.pc, field: self.field as usize, elements: self.elements }
    }

    /// Returns the position of the instruction `pc` and its field, within the current elements.
    pub(super) fn position(&self, pc: usize, field: u32) -> Position {
        Position { pc, field: field as usize, elements: self.elements.clone() }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn op(&self) -> &'a Op {
        self.op
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pc(&self) -> usize {
        self.pc
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn field(&self) -> u32 {
        self.field
    }

    /// Returns the instruction and the field of the scalar before this place.
    pub(super) fn before(&self) -> (usize, u32) {
        if self.field > 0 {
            return (self.pc, self.field - 1);
        }
        let last = match self.ops[self.passed] {
            Op::I64 { count, .. }
            | Op::F64 { count, .. }
            | Op::Str { count, .. }
            | Op::Bool { count, .. }
            | Op::Null { count } => count - 1,
            _ => 0,
        };
        (self.passed, last)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set(&mut self, pc: usize) {
        self.pc = pc;
        self.op = self.ops.get(pc).unwrap_or(&Op::End);
    }

    /// Moves to the next instruction, which is inside this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn step(&mut self) {
        self.set(self.pc + 1);
    }

    /// Moves past a field of a run of `count` fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn next_of(&mut self, count: u32) {
        self.field += 1;
        if self.field == count {
            self.field = 0;
            self.passed = self.pc;
            self.next();
        }
    }

    /// Moves past a value that is one instruction.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn next(&mut self) {
        self.jump_to(self.pc + 1);
    }

    /// Moves to the instruction `pc`, or where that one jumps to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn jump_to(&mut self, pc: usize) {
        self.set(pc);
        while let &Op::Jump { to } = self.op {
            self.set(to as usize);
        }
    }

    /// Sets the place to the first instruction of element `element` of the innermost sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set_element(&mut self, start: usize, element: usize) {
        self.set(start);
        if let Some(last) = self.elements.last_mut() {
            *last = element;
        }
    }
}
