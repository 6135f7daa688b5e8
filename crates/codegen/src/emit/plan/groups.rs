//! Splits the code of a long plan into functions.

use serow_core::plan::Op;

use super::Walk;
use crate::ir::{Built, Emitter, Value};

/// The code of a long plan is split into functions of about this many instructions, since LLVM's
/// time grows faster than a function's length.
const GROUP: usize = 32;

/// Code with at most this many instructions is not split.
pub(super) const MAX_UNSPLIT: usize = 2 * GROUP;

/// Consecutive instructions of the plan.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// `count` fields of the run of scalars at `at`, starting with field `first`.
    Run { at: usize, first: u32, count: u32 },
    /// The value whose instructions begin at `at`.
    Value { at: usize, weight: usize },
}

impl Unit {
    fn weight(&self) -> usize {
        match *self {
            Unit::Run { count, .. } => count as usize,
            Unit::Value { weight, .. } => weight,
        }
    }
}

impl<'ctx> Walk<'_, 'ctx> {
    /// Returns the approximate code size of the instructions from `at` to `end`.
    pub(super) fn weight(&self, at: usize, end: usize) -> usize {
        let weight = |op: &Op| match *op {
            Op::I64 { count, .. }
            | Op::F64 { count, .. }
            | Op::Str { count, .. }
            | Op::Bool { count, .. }
            | Op::Null { count }
            | Op::Write { count, .. } => count as usize,
            Op::Logical { .. } => 4,
            _ => 1,
        };
        self.ops[at..end].iter().map(weight).sum()
    }

    pub(super) fn units(&self, mut at: usize, end: usize) -> Vec<Unit> {
        let mut units = Vec::new();
        while at < end {
            let next = self.plan.after(at);
            match self.ops[at] {
                Op::I64 { count, .. }
                | Op::F64 { count, .. }
                | Op::Str { count, .. }
                | Op::Bool { count, .. }
                | Op::Null { count } => {
                    for first in (0..count).step_by(GROUP) {
                        let count = (count - first).min(GROUP as u32);
                        units.push(Unit::Run { at, first, count });
                    }
                }
                _ => units.push(Unit::Value { at, weight: self.weight(at, next) }),
            }
            at = next;
        }
        units
    }

    /// Emits the values from `at` to `end`, as groups if there are many.
    pub(super) fn fields(&mut self, e: &mut Emitter<'ctx, '_>, at: usize, end: usize) -> Built {
        let units = self.units(at, end);
        if self.weight(at, end) <= MAX_UNSPLIT {
            return self.inline(e, &units);
        }
        let (mut group, mut weight) = (Vec::new(), 0);
        for unit in units {
            if !group.is_empty() && weight + unit.weight() > GROUP {
                self.outline(e, &group)?;
                group.clear();
                weight = 0;
            }
            if unit.weight() > MAX_UNSPLIT {
                // `unit` splits its fields again.
                self.unit(e, unit)?;
            } else {
                weight += unit.weight();
                group.push(unit);
            }
        }
        if group.is_empty() { Ok(()) } else { self.outline(e, &group) }
    }

    fn inline(&mut self, e: &mut Emitter<'ctx, '_>, units: &[Unit]) -> Built {
        units.iter().try_for_each(|&unit| self.unit(e, unit))
    }

    /// Emits `units` as a function. Its parameters are all values that the source and the sink
    /// depend on; it returns their state and whether the row continues.
    pub(super) fn outline(&mut self, e: &mut Emitter<'ctx, '_>, units: &[Unit]) -> Built {
        let fixed = [self.source.fixed(), self.sink.fixed()];
        let state = [self.source.state(), self.sink.state()];
        let all: Vec<Value<'ctx>> = fixed.iter().chain(&state).flatten().copied().collect();
        let results: Vec<_> = state.iter().flatten().copied().collect();
        self.groups += 1;
        let name = format!("group_{}", self.groups);
        let returned = e.outlined(&name, &all, &results, |e, parameters| {
            let (fixed_values, state) = parameters.split_at(all.len() - results.len());
            let (source, sink) = fixed_values.split_at(fixed[0].len());
            self.source.set_fixed(source);
            self.sink.set_fixed(sink);
            self.set_state(state);
            self.inline(e, units)?;
            Ok([self.source.state(), self.sink.state()].concat())
        })?;
        self.source.set_fixed(&fixed[0]);
        self.sink.set_fixed(&fixed[1]);
        self.set_state(&returned);
        Ok(())
    }

    /// Takes `state` as the current state: first the source's values, then the sink's.
    fn set_state(&mut self, state: &[Value<'ctx>]) {
        let (source, sink) = state.split_at(self.source.state().len());
        self.source.set_state(source);
        self.sink.set_state(sink);
    }

    fn unit(&mut self, e: &mut Emitter<'ctx, '_>, unit: Unit) -> Built {
        match unit {
            Unit::Value { at, .. } => self.value(e, at),
            Unit::Run { at, first, count } => self.run(e, at, first..first + count),
        }
    }
}
