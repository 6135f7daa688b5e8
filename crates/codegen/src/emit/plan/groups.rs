//! Splits the code of a long plan into functions.

use serow_core::plan::Op;

use super::Walk;
use crate::emit::emitter::{Built, Emitter};
use crate::emit::layout::{Sink, Source};
use crate::emit::value::{Bool, Typed, Value};

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

impl<'ctx, S: Source<'ctx>, K: Sink<'ctx>> Walk<'_, S, K> {
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
        let mut arguments: Vec<Value<'ctx>> = vec![e.source.into(), e.sink.into()];
        arguments.extend(fixed.iter().chain(&state).flatten());
        let parameters: Vec<_> = arguments.iter().map(|v| v.get_type().into()).collect();
        let mut results: Vec<_> = state.iter().flatten().map(|v| v.get_type()).collect();
        results.push(Bool::ty(e.context));
        let ty = e.context.struct_type(&results, false).fn_type(&parameters, false);

        self.groups += 1;
        let suspended = e.suspend(&format!("group_{}", self.groups), ty, true)?;
        let mut next = 2;
        let mut take = |e: &Emitter<'ctx, '_>, values: &Vec<Value<'ctx>>| -> Built<Vec<_>> {
            let first = next;
            next += values.len() as u32;
            (first..next).map(|index| e.parameter(index)).collect()
        };
        self.source.set_fixed(&take(e, &fixed[0])?);
        self.sink.set_fixed(&take(e, &fixed[1])?);
        self.source.set_state(&take(e, &state[0])?);
        self.sink.set_state(&take(e, &state[1])?);
        self.inline(e, units)?;
        let mut returned = self.source.state();
        returned.extend(self.sink.state());
        returned.push(e.bool(true).into());
        e.ret_parts(&returned)?;
        e.switch_to_block(e.bailout);
        let nothing = returned.iter().map(|v| match v {
            Value::PointerValue(_) => e.pointer.const_null().into(),
            v => v.get_type().into_int_type().const_zero().into(),
        });
        e.ret_parts(&nothing.collect::<Vec<_>>())?;
        let function = e.resume(suspended);

        self.source.set_fixed(&fixed[0]);
        self.sink.set_fixed(&fixed[1]);
        let mut parts = e.parts(e.call(function, &arguments)?)?;
        if let Some(went_on) = parts.pop() {
            e.guard(Bool::of(went_on)?)?;
        }
        let (source, sink) = parts.split_at(state[0].len());
        self.source.set_state(source);
        self.sink.set_state(sink);
        Ok(())
    }

    fn unit(&mut self, e: &mut Emitter<'ctx, '_>, unit: Unit) -> Built {
        match unit {
            Unit::Value { at, .. } => self.value(e, at),
            Unit::Run { at, first, count } => self.run(e, at, first..first + count),
        }
    }
}
