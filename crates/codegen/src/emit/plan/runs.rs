//! Emits runs: fields of one scalar type that follow one another.

use std::ops::Range;

use serow_core::plan::Op;

use super::Walk;
use crate::ir::{Built, Emitter};

/// A loop converts runs of at least this many strings, where the layouts have one. The code of a
/// string is long, so the loop takes less time to compile.
const LOOP: u32 = 2;

impl<'ctx> Walk<'_, 'ctx> {
    /// Emits these `fields` of the run at `at`.
    pub(super) fn run(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        at: usize,
        mut fields: Range<u32>,
    ) -> Built {
        match self.ops[at] {
            Op::I64 { from, to, .. } => fields.try_for_each(|i| {
                let v = self.source.i64(e, from + i)?;
                self.sink.i64(e, to + i, v)
            }),
            Op::F64 { from, to, .. } => fields.try_for_each(|i| {
                let v = self.source.f64(e, from + i)?;
                self.sink.f64(e, to + i, v)
            }),
            Op::Str { from, to, .. } => {
                let (from, to, count) =
                    (from + fields.start, to + fields.start, fields.len() as u32);
                self.strs(e, from, to, count)
            }
            Op::Bool { from, to, .. } => fields.try_for_each(|i| {
                let v = self.source.bool(e, from + i)?;
                self.sink.bool(e, to + i, v)
            }),
            _ => fields.try_for_each(|_| {
                self.source.null(e)?;
                self.sink.null(e)
            }),
        }
    }

    fn strs(&mut self, e: &mut Emitter<'ctx, '_>, from: u32, to: u32, count: u32) -> Built {
        if count < LOOP || !self.sink.has_runs() || !self.source.has_runs(from, count) {
            return (0..count).try_for_each(|i| self.str(e, from + i, to + i));
        }
        let (string, after) = (e.block("string"), e.block("after"));
        let before = self.end_branch(e, string)?;
        let len = e.int(count.into());
        let last = self.repeat(e, (string, after), &before, len, |walk, e, index| {
            walk.source.run_item(e, index)?;
            walk.sink.run_item(e, index)?;
            walk.str(e, from, to)
        })?;
        self.join(e, after, &[last])?;
        self.source.end_run();
        self.sink.end_run(count);
        Ok(())
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, from: u32, to: u32) -> Built {
        self.either(e, from, |walk, e, is_entry| {
            if is_entry {
                let code = walk.source.code(e, from)?;
                return walk.sink.entry(e, to, code);
            }
            let v = walk.source.str(e, from)?;
            walk.sink.str(e, to, v)
        })
    }
}
