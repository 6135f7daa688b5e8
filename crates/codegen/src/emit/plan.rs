//! Walks a plan and unrolls it.
//!
//! ```text
//! i64 convert(ptr source, ptr sink, i64 from, i64 to)
//!   start:    load from the contexts
//!   next:     row = phi [from], [row + 1]; state = phi [as loaded], [after the row]
//!             row < to ? row : bailout
//!   row:      …the instructions…
//!             to next
//!   bailout:  give state back; return row
//! ```
//!
//! Code for a row handles its common case only. Anything else branches to `bailout` from anywhere
//! within the row: a side exit, after which the interpreter does the row. The loop's end goes there
//! too. `bailout` writes back the state that the sources had at the start of the row.

mod groups;
mod runs;

use groups::MAX_UNSPLIT;
use serow_core::number::Number;
use serow_core::plan::{Column, ComponentColumns, Op, Plan, SinkCall};
use serow_core::schema::{Container, Logical};

use super::discard::Discard;
use super::layout::{Bytes, EmittedComponents, MostValues, Sequence, Sink, Source, Text};
use crate::ir::{Block, Bool, Built, Emitter, Int, IntPredicate, Typed, Value};

/// If an arm of a large union has fewer instructions than this, it does not become a function.
const FEW: usize = 4;

/// Emits the body of the current function of `e`.
pub(super) fn emit<'ctx>(
    e: &mut Emitter<'ctx, '_>,
    plan: &Plan,
    mut source: Box<dyn Source<'ctx> + 'ctx>,
    mut sink: Box<dyn Sink<'ctx> + 'ctx>,
) -> Built {
    let (from, to) = (Int::of(e.parameter(2)?)?, Int::of(e.parameter(3)?)?);
    source.begin(e)?;
    sink.begin(e)?;
    let start = e.here()?;
    let next = e.block("next");
    e.jump(next)?;
    e.switch_to_block(next);
    let row = e.phis(&[(vec![from.into()], start)])?[0];
    let source_state = e.phis(&[(source.state(), start)])?;
    let sink_state = e.phis(&[(sink.state(), start)])?;
    source.set_state(&source_state);
    sink.set_state(&sink_state);
    let index = Int::of(row)?;
    let more = e.compare(IntPredicate::ULT, index, to)?;
    e.guard(more)?;

    let mut walk = Walk { plan, ops: &plan.ops, source, sink, groups: 0, open: Vec::new() };
    let most = walk.most_values(0, plan.ops.len() - 1);
    let done = e.sub(index, from)?;
    walk.sink.row(e, done, most)?;
    walk.source.row(e, index, done)?;
    walk.fields(e, 0, plan.ops.len() - 1)?;
    walk.source.check_row(e)?;
    walk.sink.end_row(e)?;
    walk.source.end_row(e)?;

    let Walk { source, sink, .. } = walk;
    let bottom = e.here()?;
    let one_more = e.add(index, e.int(1))?;
    e.add_incoming(row, one_more.into(), bottom)?;
    for (phi, value) in source_state.iter().zip(source.state()) {
        e.add_incoming(*phi, value, bottom)?;
    }
    for (phi, value) in sink_state.iter().zip(sink.state()) {
        e.add_incoming(*phi, value, bottom)?;
    }
    e.jump(next)?;

    e.switch_to_block(e.bailout);
    let done = e.sub(index, from)?;
    source.finish(e, &source_state, done)?;
    sink.finish(e, &sink_state, done)?;
    e.ret(row)
}

struct Walk<'a, 'ctx> {
    plan: &'a Plan,
    ops: &'a [Op],
    source: Box<dyn Source<'ctx> + 'ctx>,
    sink: Box<dyn Sink<'ctx> + 'ctx>,
    groups: usize,
    /// The containers that writes have begun, outermost first, and whether each is a sequence.
    open: Vec<(Container, bool)>,
}

impl<'ctx> Walk<'_, 'ctx> {
    /// Returns the most values that the instructions from `at` to `end` write.
    fn most_values(&self, mut at: usize, end: usize) -> MostValues {
        let mut most = MostValues::default();
        let mut add = |column, count: u32| {
            let values = match column {
                Column::Int(_) => &mut most.ints,
                Column::Float(_) => &mut most.floats,
                Column::Str(_) => &mut most.strs,
                Column::Bit(_) => &mut most.bits,
            };
            *values += u64::from(count);
        };
        let mut has_sequences = false;
        while at < end {
            let op = &self.ops[at];
            op.each_written(&mut add);
            at = match *op {
                Op::Write { first, count } => {
                    let writes = &self.plan.writes[first as usize..][..count as usize];
                    writes.iter().for_each(|write| write.each_written(&mut add));
                    at + 1
                }
                Op::Sequence { .. } => {
                    has_sequences = true;
                    self.plan.after(at)
                }
                _ => at + 1,
            };
        }
        MostValues { has_sequences, ..most }
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        from: ComponentColumns,
        to: ComponentColumns,
    ) -> Built {
        let convert = |walk: &mut Self, e: &mut Emitter<'ctx, '_>, is_entry| {
            let components = walk.source.logical(e, ty, from, is_entry)?;
            walk.sink.logical(e, ty, to, components)
        };
        match ty.counts().bytes {
            0 => convert(self, e, false),
            _ => self.either(e, from.str, convert),
        }
    }

    /// Emits the conversion of a number to one of another type.
    fn number(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        (read, from): (Number, ComponentColumns),
        (made, to): (Number, ComponentColumns),
    ) -> Built {
        if read.is_float() {
            return match (read, made) {
                (Number::F32, Number::F64) => {
                    let parts = self.source.logical(e, Logical::F32, from, false)?;
                    self.sink.f64(e, to.float, parts.floats[0])
                }
                _ => {
                    let v = self.source.f64(e, from.float)?;
                    e.narrow_float(v)?;
                    self.sink.logical(e, Logical::F32, to, EmittedComponents::of_float(v))
                }
            };
        }
        let v = match read.logical() {
            None => self.source.i64(e, from.int)?,
            // Larger integers than `i64` has are left to the interpreter.
            Some(Logical::Int) => return e.guard(e.bool(false)),
            Some(ty) => {
                let v = self.source.logical(e, ty, from, false)?.ints[0];
                if read == Number::U64 {
                    e.guard(e.compare(IntPredicate::SGE, v, e.int(0))?)?;
                }
                v
            }
        };
        match (made, made.logical()) {
            (Number::F32, _) => {
                e.guard_int(v, made)?;
                let parts = EmittedComponents::of_float(e.float_of_int(v)?);
                self.sink.logical(e, Logical::F32, to, parts)
            }
            (Number::F64, _) => {
                e.guard_int(v, made)?;
                self.sink.f64(e, to.float, e.float_of_int(v)?)
            }
            (Number::Int, _) => self.sink.int_of_i64(e, to, v),
            (_, None) => self.sink.i64(e, to.int, v),
            (Number::U64, Some(ty)) => {
                e.guard(e.compare(IntPredicate::SGE, v, e.int(0))?)?;
                self.sink.logical(e, ty, to, EmittedComponents::of_int(v))
            }
            (_, Some(ty)) => {
                e.guard_int(v, made)?;
                self.sink.logical(e, ty, to, EmittedComponents::of_int(v))
            }
        }
    }

    /// Emits the conversion of a value of a str column. `convert` is called for a column with a
    /// dictionary, with true, and for one without, with false.
    fn either(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        column: u32,
        convert: impl Fn(&mut Self, &mut Emitter<'ctx, '_>, bool) -> Built,
    ) -> Built {
        let Some(has_dictionary) = self.source.has_dictionary(e, column)? else {
            return convert(self, e, false);
        };
        let (entry, text, join) = (e.block("entry"), e.block("text"), e.block("join"));
        e.branch(has_dictionary, entry, text)?;
        let (source, sink) = (self.source.clone(), self.sink.clone());
        e.switch_to_block(entry);
        convert(self, e, true)?;
        let mut ends = vec![self.end_branch(e, join)?];
        (self.source, self.sink) = (source, sink);
        e.switch_to_block(text);
        convert(self, e, false)?;
        ends.push(self.end_branch(e, join)?);
        self.join(e, join, &ends)
    }

    /// Emits the value that begins at `at` and is not a scalar.
    fn value(&mut self, e: &mut Emitter<'ctx, '_>, at: usize) -> Built {
        let end = self.plan.after(at);
        match self.ops[at] {
            Op::Never | Op::OtherArm | Op::ListsOfArray { .. } => e.guard(e.bool(false)),
            Op::Logical { ty, from, to } => self.logical(e, ty, from, to),
            Op::Number { read, from, made, to } => self.number(e, (read, from), (made, to)),
            Op::Enter { read, made, acyclic } => {
                self.source.enter(e, read.container, read.len)?;
                self.sink.enter(e, made.container, made.len, acyclic)?;
                self.fields(e, at + 1, end - 1)?;
                self.source.leave();
                self.check_values(e, made.container)?;
                self.sink.leave(e)
            }
            Op::EnterAsSequence { read, made, to, acyclic } => {
                self.source.enter(e, read.container, read.len)?;
                self.sink.sequence_of(e, to, made, read.len, acyclic)?;
                self.fields(e, at + 1, end - 1)?;
                self.source.leave();
                self.check_values(e, made)?;
                self.sink.leave_sequence_of(e)
            }
            Op::EnterElements { read, from, made, acyclic, zero_sized } => {
                let len = self.source.sequence(e, read, from, zero_sized)?;
                e.guard(e.equal(len, made.len.into())?)?;
                self.sink.enter(e, made.container, made.len, acyclic)?;
                // Sources of rows of another schema read elements one after another, by no index.
                self.fields(e, at + 1, end - 1)?;
                self.source.leave_sequence();
                self.check_values(e, made.container)?;
                self.sink.leave(e)
            }
            Op::Optional { from, to, .. } => self.optional(e, (from, to), false, at + 1, end),
            Op::Maybe { from, to, .. } => self.optional(e, (from, to), true, at + 1, end),
            Op::IfField { from, otherwise, .. } => {
                let there = self.source.has_field(e, from)?;
                self.either_branch(e, there, (at + 1, otherwise as usize, end))
            }
            Op::IfPresent { from, otherwise, .. } => {
                let there = self.source.present(e, from)?;
                self.either_branch(e, there, (at + 1, otherwise as usize, end))
            }
            Op::Enum { from, to, members } => {
                let index = self.source.member(e, from.table, members, from.column)?;
                self.sink.member(e, to.table, to.column, index)
            }
            Op::OtherEnum { from, to, members } => {
                let members = &self.plan.members[members as usize];
                let index = self.source.member(e, from.table, members.len() as u32, from.column)?;
                let index = e.mapped(index, members)?;
                self.sink.member(e, to.table, to.column, index)
            }
            Op::Sequence { .. } => self.sequence(e, at, end),
            Op::Union { table, from, to, .. } => self.union(e, table as usize, from, Some(to), end),
            Op::Branch { table, from, .. } => self.union(e, table as usize, from, None, end),
            Op::Skip { shared: false, .. } if self.source.skips_freely() => Ok(()),
            Op::Skip { .. } => self.skip(e, at + 1, end - 1),
            Op::Write { first, count } => {
                let writes = &self.plan.writes[first as usize..][..count as usize];
                writes.iter().try_for_each(|write| self.write(e, write))
            }
            op => unreachable!("{op:?} does not begin a value"),
        }
    }

    /// Emits code that reads the values from `at` to `end` and drops them.
    fn skip(&mut self, e: &mut Emitter<'ctx, '_>, at: usize, end: usize) -> Built {
        let mut walk = Walk {
            plan: self.plan,
            ops: self.ops,
            source: self.source.clone(),
            sink: Box::new(Discard),
            groups: self.groups,
            open: Vec::new(),
        };
        walk.fields(e, at, end)?;
        (self.source, self.groups) = (walk.source, walk.groups);
        Ok(())
    }

    /// Emits a write of something that the source does not have.
    fn write(&mut self, e: &mut Emitter<'ctx, '_>, write: &SinkCall) -> Built {
        let sink = &mut self.sink;
        match write {
            SinkCall::Field { index } => {
                sink.field(*index);
                Ok(())
            }
            // The class receives no argument for the field, so its default applies.
            SinkCall::Default => sink.lacks_field(e, 0),
            SinkCall::Present { to } => sink.present(e, *to),
            SinkCall::Absent { to } => sink.absent(e, *to),
            SinkCall::HasField { to } => sink.has_field(e, *to),
            SinkCall::LacksField { to } => sink.lacks_field(e, *to),
            SinkCall::Arm { to, arm } => sink.arm(e, *to, *arm as usize),
            SinkCall::I64 { to, v } => sink.i64(e, *to, e.int(*v as u64)),
            SinkCall::F64 { to, bits } => sink.f64(e, *to, e.int(*bits)),
            SinkCall::Str { to, text } => sink.str(e, *to, constant(e, text.as_bytes())),
            SinkCall::Bool { to, v } => sink.bool(e, *to, e.bool(*v)),
            SinkCall::Null => sink.null(e),
            SinkCall::Logical { ty, to, components } => {
                let bytes = || Bytes::Plain(constant(e, &components.bytes));
                let components = EmittedComponents {
                    ints: components.ints.iter().map(|&v| e.int(v as u64)).collect(),
                    floats: components.floats.iter().map(|&bits| e.int(bits)).collect(),
                    bytes: (ty.counts().bytes > 0).then(bytes),
                };
                sink.logical(e, *ty, *to, components)
            }
            SinkCall::Member { table, to, index } => {
                sink.member(e, *table, *to, e.int(*index as u64))
            }
            SinkCall::Enter { container, len, acyclic } => {
                self.open.push((*container, false));
                sink.enter(e, *container, *len, *acyclic)
            }
            SinkCall::Sequence { container, to, len, acyclic } => {
                self.open.push((*container, true));
                sink.sequence_of(e, *to, *container, *len, *acyclic)
            }
            SinkCall::Leave => {
                let Some((container, is_sequence)) = self.open.pop() else { return Ok(()) };
                self.check_values(e, container)?;
                match is_sequence {
                    true => self.sink.leave_sequence_of(e),
                    false => self.sink.leave(e),
                }
            }
        }
    }

    /// Emits an optional value, from `at` to `end`. With `is_field`, the value is a dict's field,
    /// which may be missing.
    fn optional(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        (from, to): (u32, u32),
        is_field: bool,
        at: usize,
        end: usize,
    ) -> Built {
        let there = match is_field {
            true => self.source.has_field(e, from)?,
            false => self.source.present(e, from)?,
        };
        let (present, absent, join) = (e.block("present"), e.block("absent"), e.block("join"));
        e.branch(there, present, absent)?;
        let (source, sink) = (self.source.state(), self.sink.clone());
        e.switch_to_block(present);
        match is_field {
            true => self.sink.has_field(e, to)?,
            false => self.sink.present(e, to)?,
        }
        self.fields(e, at, end)?;
        let mut ends = vec![self.end_branch(e, join)?];
        // Both branches leave the source at the same field of a tuple. The sink writes a value
        // in each of them.
        self.source.set_state(&source);
        self.sink = sink;
        e.switch_to_block(absent);
        match is_field {
            true => self.sink.lacks_field(e, to)?,
            false => self.sink.absent(e, to)?,
        }
        ends.push(self.end_branch(e, join)?);
        self.join(e, join, &ends)
    }

    /// Emits the instructions from `at` on for rows where `there` is true, and those from `otherwise` to `end`
    /// for others. The jump before `otherwise` is to `end`.
    fn either_branch(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        there: Bool<'ctx>,
        (at, otherwise, end): (usize, usize, usize),
    ) -> Built {
        let (has, lacks, join) = (e.block("has"), e.block("lacks"), e.block("join"));
        e.branch(there, has, lacks)?;
        let (source, sink) = (self.source.state(), self.sink.clone());
        e.switch_to_block(has);
        self.fields(e, at, otherwise - 1)?;
        let mut ends = vec![self.end_branch(e, join)?];
        self.source.set_state(&source);
        self.sink = sink;
        e.switch_to_block(lacks);
        self.fields(e, otherwise, end)?;
        ends.push(self.end_branch(e, join)?);
        self.join(e, join, &ends)
    }

    /// Emits a union that ends at `end`. If the sink has a union too, its arm is written to column
    /// `to`.
    fn union(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        table: usize,
        from: u32,
        to: Option<u32>,
        end: usize,
    ) -> Built {
        let plan = self.plan;
        let arms = &plan.unions[table];
        let blocks: Vec<_> = arms.iter().map(|_| e.block("arm")).collect();
        let join = e.block("join");
        self.source.arm(e, arms, from, &blocks)?;
        let (source, sink) = (self.source.clone(), self.sink.clone());
        let mut ends = Vec::new();
        // An arm ends with a jump, just before the next arm.
        let starts = arms.iter().skip(1).map(|arm| arm.start as usize).chain([end]);
        let ranges: Vec<_> =
            arms.iter().zip(starts).map(|(arm, next)| (arm.start as usize, next - 1)).collect();
        let is_large =
            ranges.iter().map(|&(at, end)| self.weight(at, end)).sum::<usize>() > MAX_UNSPLIT;
        for (i, ((at, end), &block)) in ranges.into_iter().zip(&blocks).enumerate() {
            e.switch_to_block(block);
            // Such an arm writes nothing, so the sink would not be after the value.
            if matches!(self.ops[at], Op::Never | Op::OtherArm) {
                e.jump(e.bailout)?;
                continue;
            }
            self.source = source.clone();
            self.sink = sink.clone();
            if let Some(to) = to {
                self.sink.arm(e, to, i)?;
            }
            match self.weight(at, end) {
                weight if is_large && (FEW..=MAX_UNSPLIT).contains(&weight) => {
                    self.outline(e, &self.units(at, end))?;
                }
                _ => self.fields(e, at, end)?,
            }
            ends.push(self.end_branch(e, join)?);
        }
        self.join(e, join, &ends)
    }

    fn sequence(&mut self, e: &mut Emitter<'ctx, '_>, at: usize, end: usize) -> Built {
        let Op::Sequence { container, from, to, acyclic, zero_sized, .. } = self.ops[at] else {
            unreachable!("a sequence begins with Op::Sequence")
        };
        let (body, body_end) = (at + 1, end - 1);
        let len = self.source.sequence(e, container, from, zero_sized)?;
        let most = self.most_values(body, body_end);
        self.sink.sequence(e, to, Sequence { container, len, acyclic, most })?;
        let after = e.block("after");
        let before = self.end_block(e)?;
        let some = e.compare(IntPredicate::NE, len, e.int(0))?;
        let element = e.block("element");
        e.branch(some, element, after)?;
        let last = self.repeat(e, (element, after), &before, len, |walk, e, index| {
            walk.source.element(e, index)?;
            walk.sink.element(e, index)?;
            walk.fields(e, body, body_end)
        })?;
        self.join(e, after, &[before, last])?;
        self.source.leave_sequence();
        self.check_values(e, container)?;
        self.sink.leave_sequence(e)
    }

    fn check_values(&self, e: &Emitter<'ctx, '_>, container: Container) -> Built {
        if self.sink.is_built(container) { self.source.check_values(e) } else { Ok(()) }
    }

    /// Emits a loop in `block` that runs `body` with each index below `len`, which is not zero, and then
    /// goes on in `after`. It is entered from `before`.
    fn repeat(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        (block, after): (Block<'ctx>, Block<'ctx>),
        before: &End<'ctx>,
        len: Int<'ctx>,
        body: impl FnOnce(&mut Self, &mut Emitter<'ctx, '_>, Int<'ctx>) -> Built,
    ) -> Built<End<'ctx>> {
        let (source, sink, entry) = before;
        e.switch_to_block(block);
        let counter = e.phis(&[(vec![e.int(0).into()], *entry)])?[0];
        let source_state = e.phis(&[(source.clone(), *entry)])?;
        let sink_state = e.phis(&[(sink.clone(), *entry)])?;
        self.source.set_state(&source_state);
        self.sink.set_state(&sink_state);
        let index = Int::of(counter)?;
        body(self, e, index)?;
        let last = self.end_block(e)?;
        let next = e.add(index, e.int(1))?;
        e.add_incoming(counter, next.into(), last.2)?;
        let phis = source_state.iter().chain(&sink_state);
        for (&phi, &value) in phis.zip(last.0.iter().chain(&last.1)) {
            e.add_incoming(phi, value, last.2)?;
        }
        e.branch(e.compare(IntPredicate::ULT, next, len)?, block, after)?;
        Ok(last)
    }

    fn end_block(&self, e: &Emitter<'ctx, '_>) -> Built<End<'ctx>> {
        Ok((self.source.state(), self.sink.state(), e.here()?))
    }

    fn end_branch(&self, e: &Emitter<'ctx, '_>, join: Block<'ctx>) -> Built<End<'ctx>> {
        let end = self.end_block(e)?;
        e.jump(join)?;
        Ok(end)
    }

    /// Continues in `join`, to which the branches that ended with `ends` jump.
    fn join(&mut self, e: &Emitter<'ctx, '_>, join: Block<'ctx>, ends: &[End<'ctx>]) -> Built {
        e.switch_to_block(join);
        let source: Vec<_> = ends.iter().map(|end| (end.0.clone(), end.2)).collect();
        let sink: Vec<_> = ends.iter().map(|end| (end.1.clone(), end.2)).collect();
        self.source.set_state(&e.phis(&source)?);
        self.sink.set_state(&e.phis(&sink)?);
        Ok(())
    }
}

/// The end of a branch: the states of source and sink, and the block.
type End<'ctx> = (Vec<Value<'ctx>>, Vec<Value<'ctx>>, Block<'ctx>);

/// Returns a text that is a constant of the module.
fn constant<'ctx>(e: &Emitter<'ctx, '_>, bytes: &[u8]) -> Text<'ctx> {
    let (len, ascii) = (e.int(bytes.len() as u64), e.bool(bytes.is_ascii()));
    Text { bytes: e.constant(bytes), len, in_object: false, ascii: Some(ascii) }
}
