//! Staged columns as a sink: [`Batch`](serow_core::layout::batch::Batch), emitted.
//!
//! A column with one value per row needs no counter: value `n` goes to index `n`. The other columns
//! keep the address of their next value in memory, because there may be many columns. The end of the
//! row commits it. Every column has space for one value per row, so only values in a sequence check
//! for space.

use std::mem::offset_of;

use serow_core::layout::batch::{BATCH, BatchColumnContext, BatchContext, Pending};
use serow_core::limits::{MAX_ROW_ZERO_SIZED, ZERO_SIZED_COST};
use serow_core::plan::{ColumnCounts, Plan};
use serow_core::schema::Container;

use super::conversion::{MakeSink, SinkLayout, Static};
use super::layout::{MostValues, Sequence, Sink, SsaState, Text};
use crate::ir::{Bool, Built, Emitter, Int, IntPredicate, Pointer, Value};

const COLUMNS: u64 = offset_of!(BatchContext, columns) as u64;
const ROWS: u64 = offset_of!(BatchContext, rows) as u64;
const ZERO_SIZED: u64 = offset_of!(BatchContext, zero_sized) as u64;
const CONTAINERS: u64 = offset_of!(BatchContext, containers) as u64;
const SIZE: u64 = offset_of!(BatchContext, size) as u64;
const FULL: u64 = offset_of!(BatchContext, full) as u64;
const COLUMN: u64 = size_of::<BatchColumnContext>() as u64;
const NEXT: u64 = offset_of!(BatchColumnContext, next) as u64;
const COMMITTED: u64 = offset_of!(BatchColumnContext, committed) as u64;
const LIMIT: u64 = offset_of!(BatchColumnContext, limit) as u64;
const PENDING: u64 = size_of::<Pending>() as u64;
const START: u64 = offset_of!(Pending, start) as u64;
const LEN: u64 = offset_of!(Pending, len) as u64;

/// The kinds of columns, in the order of the context.
#[derive(Clone, Copy)]
enum Kind {
    Int,
    Float,
    Str,
    Bit,
}

impl SinkLayout<'_> {
    /// Staged columns.
    pub const BATCH: SinkLayout<'static> =
        SinkLayout(&Static::<MakeSink>(&BATCH, |e, program| Box::new(Staged::new(e, program))));
}

#[derive(Clone)]
struct Staged<'ctx> {
    counts: ColumnCounts,
    /// For each column: whether it has one value per row.
    per_row: Vec<bool>,
    /// The approximate size of the rows in bytes, their nulls and empty containers, and their other
    /// containers of fixed shape.
    size: Int<'ctx>,
    zero_sized: Int<'ctx>,
    containers: Int<'ctx>,
    /// The smallest size of a row in bytes.
    row_size: u64,
    columns: Pointer<'ctx>,
    /// The number of rows before this one.
    done: Int<'ctx>,
    /// The number of sequences around the current value.
    sequences: usize,
}

impl<'ctx> Staged<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, plan: &Plan) -> Staged<'ctx> {
        Staged {
            counts: plan.to.columns,
            per_row: plan.usage.written_once.clone(),
            size: e.int(0),
            zero_sized: e.int(0),
            containers: e.int(0),
            row_size: 8 * plan.to.order.len() as u64,
            columns: e.null(),
            done: e.int(0),
            sequences: 0,
        }
    }

    fn index(&self, kind: Kind, column: u32) -> usize {
        let ColumnCounts { ints, floats, strs, .. } = self.counts;
        let before = match kind {
            Kind::Int => 0,
            Kind::Float => ints,
            Kind::Str => ints + floats,
            Kind::Bit => ints + floats + strs,
        };
        (before + column) as usize
    }

    fn context(&self, e: &Emitter<'ctx, '_>, index: usize) -> Built<Pointer<'ctx>> {
        e.at(self.columns, index as u64 * COLUMN)
    }

    /// Appends a value of `size` bytes.
    fn push(
        &self,
        e: &Emitter<'ctx, '_>,
        (kind, column): (Kind, u32),
        v: impl Into<Value<'ctx>>,
        size: u64,
    ) -> Built {
        e.store(self.next(e, (kind, column), size)?, v)
    }

    /// Returns the address for the next value, which has `size` bytes.
    fn next(
        &self,
        e: &Emitter<'ctx, '_>,
        (kind, column): (Kind, u32),
        size: u64,
    ) -> Built<Pointer<'ctx>> {
        let index = self.index(kind, column);
        let context = self.context(e, index)?;
        let next = e.load_ptr(context, NEXT, "next")?;
        if self.per_row[index] {
            return e.beyond(next, e.mul(self.done, e.int(size))?);
        }
        if self.sequences > 0 {
            let limit = e.field::<64>(context, LIMIT, "limit")?;
            e.guard(e.compare(IntPredicate::ULT, e.address(next)?, limit)?)?;
        }
        e.store(e.at(context, NEXT)?, e.at(next, size)?)?;
        Ok(next)
    }

    fn int(&self, e: &Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built {
        self.push(e, (Kind::Int, column), v, 8)
    }

    fn bit(&self, e: &Emitter<'ctx, '_>, column: u32, v: Int<'ctx, 8>) -> Built {
        self.push(e, (Kind::Bit, column), v, 1)
    }

    fn count_zero_sized(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.zero_sized = e.add(self.zero_sized, e.int(1))?;
        self.grow(e, e.int(ZERO_SIZED_COST as u64))
    }

    fn grow(&mut self, e: &Emitter<'ctx, '_>, size: Int<'ctx>) -> Built {
        self.size = e.add(self.size, size)?;
        Ok(())
    }
}

impl<'ctx> SsaState<'ctx> for Staged<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        vec![self.size.into(), self.zero_sized.into(), self.containers.into()]
    }

    fn set_state(&mut self, state: &[Value<'ctx>]) {
        self.size = Int::of_state(&state[0]);
        self.zero_sized = Int::of_state(&state[1]);
        self.containers = Int::of_state(&state[2]);
    }

    fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.columns.into(), self.done.into()]
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.columns = fixed[0].into_pointer_value();
        self.done = Int::of_state(&fixed[1]);
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.columns = e.load_ptr(e.sink, COLUMNS, "columns")?;
        self.size = e.field::<64>(e.sink, SIZE, "size")?;
        self.zero_sized = e.field::<64>(e.sink, ZERO_SIZED, "zero_sized")?;
        self.containers = e.field::<64>(e.sink, CONTAINERS, "containers")?;
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, state: &[Value<'ctx>], done: Int<'ctx>) -> Built {
        e.store(e.at(e.sink, ROWS)?, done)?;
        e.store(e.at(e.sink, SIZE)?, state[0])?;
        e.store(e.at(e.sink, ZERO_SIZED)?, state[1])?;
        e.store(e.at(e.sink, CONTAINERS)?, state[2])
    }
}

impl<'ctx> Sink<'ctx> for Staged<'ctx> {
    fn row(&mut self, _e: &Emitter<'ctx, '_>, done: Int<'ctx>, _most: MostValues) -> Built {
        self.done = done;
        Ok(())
    }

    fn end_row(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        // The interpreter converts the row that fills the batch, and ends the frame.
        self.grow(e, e.int(self.row_size))?;
        let full = e.field::<64>(e.sink, FULL, "full")?;
        e.guard(e.compare(IntPredicate::ULT, self.size, full)?)?;
        // A row with too many nulls is never converted here, because the batch would also have too
        // many. Other rows bail out needlessly in that case.
        e.guard(e.ult(self.zero_sized, MAX_ROW_ZERO_SIZED as u64 + 1)?)?;
        for index in (0..self.per_row.len()).filter(|&index| !self.per_row[index]) {
            let context = self.context(e, index)?;
            e.store(e.at(context, COMMITTED)?, e.field::<64>(context, NEXT, "next")?)?;
        }
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built {
        self.int(e, column, v)
    }

    fn f64(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built {
        self.push(e, (Kind::Float, column), v, 8)
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Text<'ctx>) -> Built {
        self.grow(e, v.len)?;
        let to = self.next(e, (Kind::Str, column), PENDING)?;
        e.store(e.at(to, START)?, v.bytes)?;
        e.store(e.at(to, LEN)?, v.len)
    }

    fn bool(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Bool<'ctx>) -> Built {
        self.bit(e, column, e.resize::<8, _>(v)?)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.count_zero_sized(e)
    }

    fn present(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.bit(e, column, e.bits::<8>(1))
    }

    fn absent(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.bit(e, column, e.bits::<8>(0))
    }

    fn enter(
        &mut self,
        e: &Emitter<'ctx, '_>,
        _container: Container,
        len: u32,
        _acyclic: bool,
    ) -> Built {
        if len == 0 {
            return self.count_zero_sized(e);
        }
        self.containers = e.add(self.containers, e.int(1))?;
        self.grow(e, e.int(ZERO_SIZED_COST as u64))
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        column: u32,
        Sequence { len, .. }: Sequence<'ctx>,
    ) -> Built {
        self.grow(e, e.mul(len, e.int(8))?)?;
        self.int(e, column, len)?;
        self.sequences += 1;
        Ok(())
    }

    fn element(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }

    fn sequence_of(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        column: u32,
        _container: Container,
        len: u32,
        _acyclic: bool,
    ) -> Built {
        self.grow(e, e.int(8 * u64::from(len)))?;
        self.int(e, column, e.int(len.into()))?;
        self.sequences += 1;
        Ok(())
    }

    fn leave_sequence_of(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.leave_sequence(e)
    }

    fn leave_sequence(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        self.sequences -= 1;
        Ok(())
    }

    fn arm(&mut self, e: &Emitter<'ctx, '_>, column: u32, arm: usize) -> Built {
        self.int(e, column, e.int(arm as u64))
    }
}
