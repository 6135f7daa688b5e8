//! The row wire as a sink: [`RowWriter`](serow_core::wire::row::RowWriter), emitted.
//!
//! One comparison with the buffer's end reserves space for all scalars of a row or an element, and
//! for its short strings. A long string reserves its own space. If there is no space the row bails
//! out, and the interpreter grows the buffer.

use std::mem::offset_of;

use serow_core::bytes::out::Memory;
use serow_core::bytes::varint;
use serow_core::limits::{MAX_BYTES, MAX_FRAME_ROWS, MAX_ROW_ZERO_SIZED, ZERO_SIZED_COST};
use serow_core::plan::{ComponentColumns, Fields, Op, Plan};
use serow_core::schema::{Container, Logical};
use serow_core::wire::row::{FULL_OF_CONTAINERS, ROW, RowWriterContext};

use super::conversion::{MakeSink, SinkLayout, Static};
use super::layout::{
    EmittedComponents, MostValues, Sequence, Sink, SsaState, Text, write_components,
};
use super::row_reader::containers_in_row;
use crate::emit::helpers;
use crate::ir::{Bool, Built, Emitter, Function, Int, IntPredicate, Pointer, Typed, Value};

/// The size of the length before a record.
const LENGTH: u64 = 4;
/// Strings up to this many bytes are short: they are copied in steps of 16, and the varint of
/// their length has one byte.
const SHORT: u64 = 64;
const PAGE: u64 = 4096;
const MEMORY: u64 = offset_of!(RowWriterContext, memory) as u64;
const FULL: u64 = offset_of!(RowWriterContext, full) as u64;
const ZERO_SIZED: u64 = offset_of!(RowWriterContext, zero_sized) as u64;
const CONTAINERS: u64 = offset_of!(RowWriterContext, containers) as u64;
const START: u64 = offset_of!(Memory, start) as u64;
const LEN: u64 = offset_of!(Memory, len) as u64;
const LIMIT: u64 = offset_of!(Memory, limit) as u64;

impl SinkLayout<'_> {
    /// Records of the row wire.
    pub const ROW: SinkLayout<'static> = SinkLayout(&Static::<MakeSink>(&ROW, |e, program| {
        Box::new(EmittedRowWriter::new(e, program))
    }));
}

#[derive(Clone)]
struct EmittedRowWriter<'ctx> {
    /// The address of the next byte to write.
    to: Pointer<'ctx>,
    /// The end of the reserved space.
    limit: Pointer<'ctx>,
    /// The end of a full frame.
    full: Pointer<'ctx>,
    /// The number of values in the frame that take no bytes, if the plan has such values.
    zero_sized: Option<Int<'ctx>>,
    /// The number of lists and tuples of fixed shape in the frame, if there may be enough to fill
    /// it.
    containers: Option<Int<'ctx>>,
    /// The start of the record.
    begin: Pointer<'ctx>,
    /// The largest space that the row needs, and that each element around the current value needs.
    needs: Vec<u64>,
}

impl<'ctx> EmittedRowWriter<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, plan: &Plan) -> EmittedRowWriter<'ctx> {
        let none = e.null();
        let zero_sized = |op: &Op| {
            matches!(
                op,
                Op::Null { .. }
                    | Op::Enter { made: Fields { len: 0, .. }, .. }
                    | Op::EnterElements { made: Fields { len: 0, .. }, .. }
            )
        };
        let zero_sized = plan.ops.iter().any(zero_sized).then(|| e.int(0));
        // If the rows of a frame can't have enough containers to fill it, they are not counted.
        let containers = containers_in_row(plan).saturating_mul(MAX_FRAME_ROWS);
        let containers = (containers >= FULL_OF_CONTAINERS).then(|| e.int(0));
        EmittedRowWriter {
            to: none,
            limit: none,
            full: none,
            zero_sized,
            containers,
            begin: none,
            needs: Vec::new(),
        }
    }

    fn count_zero_sized(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        if let Some(zero_sized) = self.zero_sized {
            self.zero_sized = Some(e.add(zero_sized, e.int(1))?);
        }
        Ok(())
    }

    /// Bails out unless there is space for `n` bytes.
    fn reserve(&self, e: &Emitter<'ctx, '_>, n: Int<'ctx>) -> Built {
        let left = e.distance(self.to, self.limit)?;
        e.guard(e.compare(IntPredicate::UGT, left, n)?)
    }

    /// Returns the most bytes that values take if their strings are short.
    fn room(most: MostValues) -> u64 {
        let varint = varint::MAX_LEN as u64;
        most.ints * varint + most.floats * 8 + most.strs * (varint + SHORT) + most.bits
    }

    fn advance(&mut self, e: &Emitter<'ctx, '_>, n: u64) -> Built {
        self.to = e.at(self.to, n)?;
        Ok(())
    }

    fn byte(&mut self, e: &Emitter<'ctx, '_>, v: u64) -> Built {
        e.store(self.to, e.bits::<8>(v))?;
        self.advance(e, 1)
    }

    /// Writes a varint, with a branch for each of the first `lengths` lengths.
    fn varint(&mut self, e: &mut Emitter<'ctx, '_>, v: Int<'ctx>, lengths: u64) -> Built {
        let join = e.block("");
        let mut ends = Vec::new();
        for n in 1..=lengths {
            let (fits, longer) = (e.block(""), e.block(""));
            e.branch(e.ult(v, 1 << (7 * n))?, fits, longer)?;
            e.switch_to_block(fits);
            let word = e.or(e.shl(v, e.int(n))?, e.int(1 << (n - 1)))?;
            match n {
                1 => e.store(self.to, e.resize::<8, _>(word)?)?,
                2 => e.store(self.to, e.resize::<16, _>(word)?)?,
                _ => e.store(self.to, e.resize::<32, _>(word)?)?,
            }
            ends.push((e.at(self.to, n)?, e.here()?));
            e.jump(join)?;
            e.switch_to_block(longer);
        }
        let long = long_varint(e)?;
        ends.push((Pointer::of(e.call(long, &[self.to.into(), v.into()])?)?, e.here()?));
        e.jump(join)?;
        e.switch_to_block(join);
        self.to = e.phi(&ends)?;
        Ok(())
    }
}

impl<'ctx> SsaState<'ctx> for EmittedRowWriter<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        let mut state = vec![self.to.into()];
        state.extend(self.zero_sized.map(Value::from));
        state.extend(self.containers.map(Value::from));
        state
    }

    fn set_state(&mut self, state: &[Value<'ctx>]) {
        self.to = state[0].into_pointer_value();
        let mut counts = state[1..].iter().map(Int::of_state);
        self.zero_sized = self.zero_sized.and_then(|_| counts.next());
        self.containers = self.containers.and_then(|_| counts.next());
    }

    fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.limit.into()]
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.limit = fixed[0].into_pointer_value();
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        let memory = e.load_ptr(e.sink, MEMORY, "memory")?;
        let start = e.load_ptr(memory, START, "start")?;
        self.to = e.beyond(start, e.field::<64>(memory, LEN, "len")?)?;
        self.limit = e.beyond(start, e.field::<64>(memory, LIMIT, "limit")?)?;
        self.full = e.beyond(start, e.field::<64>(e.sink, FULL, "full")?)?;
        if self.zero_sized.is_some() {
            self.zero_sized = Some(e.field::<64>(e.sink, ZERO_SIZED, "zero_sized")?);
        }
        if self.containers.is_some() {
            self.containers = Some(e.field::<64>(e.sink, CONTAINERS, "containers")?);
        }
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        let memory = e.load_ptr(e.sink, MEMORY, "memory")?;
        let start = e.load_ptr(memory, START, "start")?;
        let len = e.distance(start, state[0].into_pointer_value())?;
        e.store(e.at(memory, LEN)?, len)?;
        let mut counts = state[1..].iter();
        if let Some(&zero_sized) = self.zero_sized.and_then(|_| counts.next()) {
            e.store(e.at(e.sink, ZERO_SIZED)?, zero_sized)?;
        }
        if let Some(&containers) = self.containers.and_then(|_| counts.next()) {
            e.store(e.at(e.sink, CONTAINERS)?, containers)?;
        }
        Ok(())
    }
}

impl<'ctx> Sink<'ctx> for EmittedRowWriter<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, _done: Int<'ctx>, most: MostValues) -> Built {
        let need = EmittedRowWriter::room(most) + LENGTH;
        self.needs.push(need);
        self.reserve(e, e.int(need))?;
        self.begin = self.to;
        self.advance(e, LENGTH)
    }

    fn end_row(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.needs.pop();
        let len = e.sub(e.distance(self.begin, self.to)?, e.int(LENGTH))?;
        e.guard(e.ult(len, MAX_BYTES as u64 + 1)?)?;
        // The interpreter converts the row that fills the frame, and ends the frame.
        let mut size = e.address(self.to)?;
        if let Some(zero_sized) = self.zero_sized {
            e.guard(e.ult(zero_sized, MAX_ROW_ZERO_SIZED as u64 + 1)?)?;
            size = e.add(size, e.mul(zero_sized, e.int(ZERO_SIZED_COST as u64))?)?;
        }
        if let Some(containers) = self.containers {
            e.guard(e.ult(containers, FULL_OF_CONTAINERS as u64)?)?;
        }
        e.guard(e.compare(IntPredicate::ULT, size, e.address(self.full)?)?)?;
        e.store(self.begin, e.resize::<32, _>(len)?)
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32, v: Int<'ctx>) -> Built {
        let zigzag = e.xor(e.shl(v, e.int(1))?, e.shr(v, 63, true)?)?;
        self.varint(e, zigzag, 4)
    }

    fn f64(&mut self, e: &Emitter<'ctx, '_>, _column: u32, v: Int<'ctx>) -> Built {
        e.store(self.to, v)?;
        self.advance(e, 8)
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        components: EmittedComponents<'ctx>,
    ) -> Built {
        match (ty, &components.ints[..], &components.floats[..]) {
            (Logical::F32, _, &[v]) => {
                e.store(self.to, e.narrow_float(v)?)?;
                self.advance(e, 4)
            }
            (Logical::I8 | Logical::U8, &[v], _) => {
                e.store(self.to, e.resize::<8, _>(v)?)?;
                self.advance(e, 1)
            }
            (Logical::U16 | Logical::U32 | Logical::U64, &[v], _) => self.varint(e, v, 4),
            _ => write_components(self, e, at, components),
        }
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32, v: Text<'ctx>) -> Built {
        let (short, long, join) = (e.block("short"), e.block("long"), e.block("join"));
        // This also reads up to 63 bytes after the text, which may be outside any allocation. A
        // page is readable as a whole or not at all. For an empty text outside an object there may
        // be no page.
        let in_page = e.mask(e.address(v.bytes)?, PAGE - 1)?;
        let inside = e.ult(in_page, PAGE - SHORT + 1)?;
        let is_short = match v.in_object {
            true => e.ult(v.len, SHORT + 1)?,
            false => e.ult(e.sub(v.len, e.int(1))?, SHORT)?,
        };
        e.branch_likely(e.and(is_short, inside)?, short, long)?;

        e.switch_to_block(short);
        let length = e.or(e.shl(v.len, e.int(1))?, e.int(1))?;
        e.store(self.to, e.resize::<8, _>(length)?)?;
        let text = e.at(self.to, 1)?;
        e.copy16(v.bytes, text, 0)?;
        let (second, rest, copied) = (e.block(""), e.block(""), e.block(""));
        e.branch(e.ult(v.len, 17)?, copied, second)?;
        e.switch_to_block(second);
        e.copy16(v.bytes, text, 16)?;
        e.branch(e.ult(v.len, 33)?, copied, rest)?;
        e.switch_to_block(rest);
        e.copy16(v.bytes, text, 32)?;
        e.copy16(v.bytes, text, 48)?;
        e.jump(copied)?;
        e.switch_to_block(copied);
        let after = e.beyond(text, v.len)?;
        e.jump(join)?;

        e.switch_to_block(long);
        let function = long_str(e)?;
        let need = self.needs.last().copied().unwrap_or_default();
        let arguments =
            [self.to.into(), self.limit.into(), v.bytes.into(), v.len.into(), e.int(need).into()];
        let after_long = Pointer::of(e.call(function, &arguments)?)?;
        let written = e.compare(IntPredicate::NE, e.address(after_long)?, e.int(0))?;
        e.guard(written)?;
        let long = e.here()?;
        e.jump(join)?;

        e.switch_to_block(join);
        let ends = [(after, copied), (after_long, long)];
        self.to = e.phi(&ends)?;
        Ok(())
    }

    fn bool(&mut self, e: &Emitter<'ctx, '_>, _column: u32, v: Bool<'ctx>) -> Built {
        e.store(self.to, e.resize::<8, _>(v)?)?;
        self.advance(e, 1)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.count_zero_sized(e)
    }

    fn present(&mut self, e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        self.byte(e, 1)
    }

    fn absent(&mut self, e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        self.byte(e, 0)
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
        if let Some(containers) = self.containers {
            self.containers = Some(e.add(containers, e.int(1))?);
        }
        Ok(())
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _column: u32,
        Sequence { len, most, .. }: Sequence<'ctx>,
    ) -> Built {
        self.varint(e, len, 2)?;
        let room = EmittedRowWriter::room(most);
        if most.strs == 0 && !most.has_sequences {
            // Reserve space for all elements at once. The guard prevents an overflow of the
            // product. No sequence in memory is long enough to fail it.
            if room > 0 {
                e.guard(e.ult(len, 1 << 32)?)?;
                self.reserve(e, e.mul(len, e.int(room))?)?;
            }
            self.needs.push(0);
        } else {
            self.needs.push(room);
        }
        Ok(())
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        match self.needs.last() {
            Some(&need) if need > 0 => self.reserve(e, e.int(need)),
            _ => Ok(()),
        }
    }

    fn leave_sequence(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.needs.pop();
        // After a sequence, the rest of the outer element or row needs its space again.
        match self.needs.last() {
            Some(&need) => self.reserve(e, e.int(need)),
            None => Ok(()),
        }
    }

    fn arm(&mut self, e: &Emitter<'ctx, '_>, _column: u32, arm: usize) -> Built {
        let mut bytes = Vec::new();
        varint::push(&mut bytes, arm as u64);
        bytes.iter().try_for_each(|&byte| self.byte(e, byte.into()))
    }
}

/// `ptr long_varint(ptr to, i64 v)`: writes a varint of two or more bytes and returns its end.
fn long_varint<'ctx>(e: &mut Emitter<'ctx, '_>) -> Built<Function<'ctx>> {
    type Type = unsafe extern "C" fn(*mut u8, i64) -> *mut u8;
    e.rare::<Type>("long_varint", |e, (to, v)| {
        let bits = e.sub(e.int(64), e.leading_zeros(v)?)?;
        let (some, all) = (e.block("some"), e.block("all"));
        e.branch(e.ult(bits, 57)?, some, all)?;

        e.switch_to_block(some);
        // Seven bits per byte: `(bits + 6) / 7`. This formula equals it for all numbers below 64.
        let n = e.shr(e.mul(e.add(bits, e.int(6))?, e.int(37))?, 8, false)?;
        let marker = e.shl(e.int(1), e.sub(n, e.int(1))?)?;
        e.store(to, e.or(e.shl(v, n)?, marker)?)?;
        e.ret(e.beyond(to, n)?)?;

        e.switch_to_block(all);
        e.store(to, e.bits::<8>(0))?;
        e.store(e.at(to, 1)?, v)?;
        e.ret(e.at(to, 9)?)
    })
}

/// `ptr long_str(ptr to, ptr limit, ptr bytes, i64 len, i64 need)`: writes a string and returns its
/// end, if there is space for it and for `need` more bytes. Otherwise returns null.
fn long_str<'ctx>(e: &mut Emitter<'ctx, '_>) -> Built<Function<'ctx>> {
    let long_varint = long_varint(e)?;
    type Type = unsafe extern "C" fn(*mut u8, *mut u8, *const u8, usize, usize) -> *mut u8;
    e.rare::<Type>("long_str", |e, (to, limit, bytes, len, need)| {
        let (checked, fits, none) = (e.block("checked"), e.block("fits"), e.block("none"));
        e.branch(e.ult(len, MAX_BYTES as u64 + 1)?, checked, none)?;
        e.switch_to_block(checked);
        let left = e.distance(to, limit)?;
        let needed = e.add(len, need)?;
        e.branch(e.compare(IntPredicate::UGT, left, needed)?, fits, none)?;

        e.switch_to_block(fits);
        // A short string gets here if it is at the end of a page or empty.
        let (one, more, copy) = (e.block("one"), e.block("more"), e.block("copy"));
        e.branch(e.ult(len, 1 << 7)?, one, more)?;
        e.switch_to_block(one);
        let length = e.or(e.shl(len, e.int(1))?, e.int(1))?;
        e.store(to, e.resize::<8, _>(length)?)?;
        let after_one = e.at(to, 1)?;
        e.jump(copy)?;
        e.switch_to_block(more);
        let after_more = Pointer::of(e.call(long_varint, &[to.into(), len.into()])?)?;
        e.jump(copy)?;
        e.switch_to_block(copy);
        let text = e.phi(&[(after_one, one), (after_more, more)])?;
        e.call_helper(helpers::COPY, (text, bytes, len))?;
        e.ret(e.beyond(text, len)?)?;

        e.switch_to_block(none);
        e.ret(e.null())
    })
}
