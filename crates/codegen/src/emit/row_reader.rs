//! The row wire as a source: [`RowReader`](serow_core::wire::row::RowReader), emitted.
//!
//! Every load first checks that its bytes are within the frame and the readable bytes after it. The
//! end of the record is checked once, after its last value. If the row has read past it, the row
//! bails out, and the interpreter reports the error.

use std::mem::offset_of;

use serow_core::bytes::varint;
use serow_core::plan::{Arm, ComponentColumns, Fields, Op, Plan};
use serow_core::schema::{Container, Logical};
use serow_core::wire::row::{FREE_CONTAINERS, ROW, RowReaderContext};

use super::conversion::{MakeSource, SourceLayout, Static};
use super::layout::{EmittedComponents, Source, SsaState, Text, read_components};
use crate::emit::helpers;
use crate::ir::{
    Block, Bool, Built, Emitter, Function, Helper, Int, IntPredicate, Pointer, Typed, Value,
};

/// The size of the length before a record.
const LENGTH: u64 = 4;
/// Emitted code checks strings of up to this many bytes itself.
const SHORT: u64 = 64;
/// The bits of a 32-bit float's exponent.
const F32_EXPONENT: u64 = 0xFF << 23;
/// The bits that are set in bytes that are not ASCII, for a word.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const NEXT: u64 = offset_of!(RowReaderContext, next) as u64;
const END: u64 = offset_of!(RowReaderContext, end) as u64;
const READABLE: u64 = offset_of!(RowReaderContext, readable) as u64;
const ELEMENTS: u64 = offset_of!(RowReaderContext, elements) as u64;
const ZERO_SIZED: u64 = offset_of!(RowReaderContext, zero_sized) as u64;
const CONTAINERS: u64 = offset_of!(RowReaderContext, containers) as u64;

impl SourceLayout<'_> {
    /// Records of the row wire.
    pub const ROW: SourceLayout<'static> =
        SourceLayout(&Static::<MakeSource>(&ROW, |e, program| {
            Ok(Box::new(EmittedRowReader::new(e, program)))
        }));
}

#[derive(Clone)]
struct EmittedRowReader<'ctx> {
    /// The next byte.
    at: Pointer<'ctx>,
    /// The numbers of sequence elements, of zero-sized values, and of non-empty lists and tuples of
    /// fixed shape that the frame may still have. `None` if the plan has no such values, or never
    /// more than allowed.
    elements: Option<Int<'ctx>>,
    zero_sized: Option<Int<'ctx>>,
    containers: Option<Int<'ctx>>,
    /// The ends of the record, of the last record, and of the readable bytes.
    record_end: Pointer<'ctx>,
    end: Pointer<'ctx>,
    readable: Pointer<'ctx>,
}

impl<'ctx> EmittedRowReader<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, plan: &Plan) -> EmittedRowReader<'ctx> {
        let none = e.null();
        let has_many_containers = containers_in_row(plan) > FREE_CONTAINERS;
        let has = |wanted: fn(&Op) -> bool| plan.ops.iter().any(wanted).then(|| e.int(0));
        EmittedRowReader {
            at: none,
            elements: has(|op| {
                matches!(
                    op,
                    Op::Sequence { zero_sized: false, .. }
                        | Op::EnterElements { zero_sized: false, .. }
                )
            }),
            zero_sized: has(|op| {
                matches!(
                    op,
                    Op::Null { .. }
                        | Op::Enter { read: Fields { len: 0, .. }, .. }
                        | Op::EnterAsSequence { read: Fields { len: 0, .. }, .. }
                        | Op::Sequence { zero_sized: true, .. }
                        | Op::EnterElements { zero_sized: true, .. }
                )
            }),
            containers: has_many_containers.then(|| e.int(0)),
            record_end: none,
            end: none,
            readable: none,
        }
    }

    /// Moves past `n` bytes and returns their address. Bails out if they are not readable.
    fn take(&mut self, e: &Emitter<'ctx, '_>, n: Int<'ctx>) -> Built<Pointer<'ctx>> {
        self.can_read(e, n)?;
        let bytes = self.at;
        self.at = e.beyond(bytes, n)?;
        Ok(bytes)
    }

    /// Bails out unless `n` bytes are readable.
    fn can_read(&self, e: &Emitter<'ctx, '_>, n: Int<'ctx>) -> Built {
        let left = e.distance(self.at, self.readable)?;
        e.guard(e.compare(IntPredicate::UGE, left, n)?)
    }

    /// Reads a varint, with a branch for each of the first `lengths` lengths.
    fn varint(&mut self, e: &mut Emitter<'ctx, '_>, lengths: u64) -> Built<Int<'ctx>> {
        self.can_read(e, e.int(varint::MAX_LEN as u64))?;
        let word = e.field::<64>(self.at, 0, "varint")?;
        let join = e.block("");
        let mut ends = Vec::new();
        for n in 1..=lengths {
            let (is, longer) = (e.block(""), e.block(""));
            let bit = e.mask(word, 1 << (n - 1))?;
            e.branch(e.not_zero(bit)?, is, longer)?;
            e.switch_to_block(is);
            let v = e.mask(e.shr(word, n, false)?, (1 << (7 * n)) - 1)?;
            ends.push((vec![v.into(), e.at(self.at, n)?.into()], e.here()?));
            e.jump(join)?;
            e.switch_to_block(longer);
        }
        // The number of trailing zero bits in the first byte, at most 8.
        let zeros = e.trailing_zeros(e.or(word, e.int(1 << 8))?)?;
        let function = long_varint(e)?;
        let v = Int::<64>::of(e.call(function, &[self.at.into(), zeros.into()])?)?;
        let after = e.at(e.beyond(self.at, zeros)?, 1)?;
        ends.push((vec![v.into(), after.into()], e.here()?));
        e.jump(join)?;
        e.switch_to_block(join);
        let joined = e.phis(&ends)?;
        self.at = Pointer::of(joined[1])?;
        Int::of(joined[0])
    }

    /// Reads one bit from a byte that must be 0 or 1.
    fn flag(&mut self, e: &Emitter<'ctx, '_>) -> Built<Bool<'ctx>> {
        let byte = e.field::<8>(self.take(e, e.int(1))?, 0, "flag")?;
        e.guard(e.ult(byte, 2)?)?;
        e.equal(byte, 1)
    }

    fn count_zero_sized(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.zero_sized = count(e, self.zero_sized)?;
        Ok(())
    }
}

/// Returns whether text is ASCII. Invalid text bails out. The helper `otherwise` checks text that
/// is not short ASCII. All bytes up to `readable` must be readable.
pub(super) fn ascii<'ctx>(
    e: &mut Emitter<'ctx, '_>,
    (bytes, len): (Pointer<'ctx>, Int<'ctx>),
    readable: Pointer<'ctx>,
    otherwise: Helper<unsafe extern "C" fn(*const u8, usize) -> u8>,
) -> Built<Bool<'ctx>> {
    let [short, other, join] = [e.block("short"), e.block("other"), e.block("ascii")];
    // Even for shorter text a whole word is loaded.
    let left = e.distance(bytes, readable)?;
    let is_short = e.ult(e.sub(len, e.int(1))?, SHORT)?;
    let can_load = e.compare(IntPredicate::UGE, left, e.int(8))?;
    e.branch_likely(e.and(is_short, can_load)?, short, other)?;
    e.switch_to_block(short);
    let function = has_high_bits(e)?;
    let high = Int::<64>::of(e.call(function, &[bytes.into(), len.into()])?)?;
    let looked = e.here()?;
    e.branch_likely(e.equal(high, 0)?, join, other)?;

    e.switch_to_block(other);
    let text = e.call_helper(otherwise, (bytes, len))?;
    e.guard(e.not_zero(text)?)?;
    let is_ascii = e.equal(text, helpers::TEXT_ASCII.into())?;
    let found = e.here()?;
    e.jump(join)?;
    e.switch_to_block(join);
    e.phi(&[(e.bool(true), looked), (is_ascii, found)])
}

/// Returns `left - 1`. Bails out at zero.
fn count<'ctx>(e: &Emitter<'ctx, '_>, left: Option<Int<'ctx>>) -> Built<Option<Int<'ctx>>> {
    let Some(left) = left else { return Ok(None) };
    e.guard(e.not_zero(left)?)?;
    e.sub(left, e.int(1)).map(Some)
}

/// Returns the largest number of non-empty containers of fixed shape in a row; `usize::MAX` if a
/// sequence has such containers.
pub(super) fn containers_in_row(plan: &Plan) -> usize {
    let (mut in_row, mut sequence_end) = (0, 0);
    for (at, op) in plan.ops.iter().enumerate() {
        match *op {
            Op::Sequence { end, .. } => sequence_end = sequence_end.max(end as usize),
            Op::Enter { read: Fields { len: 1.., .. }, .. }
            | Op::EnterAsSequence { read: Fields { len: 1.., .. }, .. }
            | Op::EnterElements { made: Fields { len: 1.., .. }, .. } => {
                if at < sequence_end {
                    return usize::MAX;
                }
                in_row += 1;
            }
            _ => {}
        }
    }
    in_row
}

/// `i64 long_varint(ptr at, i64 zeros)`: reads a varint of any length. `zeros` is the number of
/// trailing zeros in its first byte.
fn long_varint<'ctx>(e: &mut Emitter<'ctx, '_>) -> Built<Function<'ctx>> {
    type Type = unsafe extern "C" fn(*const u8, usize) -> usize;
    e.rare::<Type>("long_varint_at", |e, (at, zeros)| {
        let (some, all) = (e.block("some"), e.block("all"));
        e.branch(e.ult(zeros, 8)?, some, all)?;
        e.switch_to_block(some);
        let n = e.add(zeros, e.int(1))?;
        let word = e.field::<64>(at, 0, "word")?;
        let left = e.shl(word, e.sub(e.int(64), e.mul(n, e.int(8))?)?)?;
        e.ret(e.shift_right(left, e.sub(e.int(64), e.mul(n, e.int(7))?)?)?)?;
        e.switch_to_block(all);
        e.ret(e.field::<64>(at, 1, "word")?)
    })
}

/// `i64 has_high_bits(ptr bytes, i64 len)`: returns a number that is not zero if one of `len` bytes
/// is not ASCII. `len` is from 1 to [`SHORT`], and at least 8 bytes must be readable.
fn has_high_bits<'ctx>(e: &mut Emitter<'ctx, '_>) -> Built<Function<'ctx>> {
    type Type = unsafe extern "C" fn(*const u8, usize) -> usize;
    e.rare::<Type>("has_high_bits", |e, (bytes, len)| {
        let [word, some, two, more] = ["word", "some", "two", "more"].map(|name| e.block(name));
        e.branch(e.ult(len, 8)?, word, some)?;

        e.switch_to_block(word);
        let bits = e.sub(e.int(64), e.shl(len, e.int(3))?)?;
        let only = e.shl(e.field::<64>(bytes, 0, "")?, bits)?;
        e.ret(e.mask(only, HIGH_BITS)?)?;

        // The following loads overlap instead of reading past the end.
        e.switch_to_block(some);
        e.branch(e.ult(len, 16)?, two, more)?;
        e.switch_to_block(two);
        let last = e.beyond(bytes, e.sub(len, e.int(8))?)?;
        let both = e.or(e.field::<64>(bytes, 0, "")?, e.field::<64>(last, 0, "")?)?;
        e.ret(e.mask(both, HIGH_BITS)?)?;

        e.switch_to_block(more);
        let mut all = e.int(0);
        for offset in e.four_of_16(len)? {
            let place = e.beyond(bytes, offset)?;
            let pair = e.or(e.field::<64>(place, 0, "")?, e.field::<64>(place, 8, "")?)?;
            all = e.or(all, pair)?;
        }
        e.ret(e.mask(all, HIGH_BITS)?)
    })
}

impl<'ctx> SsaState<'ctx> for EmittedRowReader<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        let mut state = vec![self.at.into()];
        let counts = [self.elements, self.zero_sized, self.containers];
        state.extend(counts.into_iter().flatten().map(Value::from));
        state
    }

    fn set_state(&mut self, state: &[Value<'ctx>]) {
        self.at = state[0].into_pointer_value();
        let mut counts = state[1..].iter().map(Int::of_state);
        self.elements = self.elements.and_then(|_| counts.next());
        self.zero_sized = self.zero_sized.and_then(|_| counts.next());
        self.containers = self.containers.and_then(|_| counts.next());
    }

    fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.readable.into(), self.record_end.into()]
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.readable = fixed[0].into_pointer_value();
        self.record_end = fixed[1].into_pointer_value();
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.at = e.load_ptr(e.source, NEXT, "next")?;
        self.end = e.load_ptr(e.source, END, "end")?;
        self.readable = e.load_ptr(e.source, READABLE, "readable")?;
        let load = |count: Option<_>, offset| match count {
            Some(_) => e.field::<64>(e.source, offset, "left").map(Some),
            None => Ok(None),
        };
        self.elements = load(self.elements, ELEMENTS)?;
        self.zero_sized = load(self.zero_sized, ZERO_SIZED)?;
        self.containers = load(self.containers, CONTAINERS)?;
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        e.store(e.at(e.source, NEXT)?, state[0])?;
        let counts = [
            (self.elements, ELEMENTS),
            (self.zero_sized, ZERO_SIZED),
            (self.containers, CONTAINERS),
        ];
        let offsets = counts.into_iter().filter(|(count, _)| count.is_some());
        for (&left, (_, offset)) in state[1..].iter().zip(offsets) {
            e.store(e.at(e.source, offset)?, left)?;
        }
        Ok(())
    }
}

impl<'ctx> Source<'ctx> for EmittedRowReader<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, _row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        let length = self.take(e, e.int(LENGTH))?;
        let len = e.widen(e.field::<32>(length, 0, "len")?)?;
        // If the four bytes were after the last record, this is negative.
        let left = e.distance(self.at, self.end)?;
        e.guard(e.compare(IntPredicate::SGE, left, len)?)?;
        self.record_end = e.beyond(self.at, len)?;
        Ok(())
    }

    fn check_row(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        e.guard(e.same(self.at, self.record_end)?)
    }

    fn check_values(&self, e: &Emitter<'ctx, '_>) -> Built {
        let left = e.distance(self.at, self.record_end)?;
        e.guard(e.compare(IntPredicate::SGE, left, e.int(0))?)
    }

    fn has_runs(&self, _first: u32, _count: u32) -> bool {
        true
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let zigzag = self.varint(e, 4)?;
        let sign = e.sub(e.int(0), e.mask(zigzag, 1)?)?;
        e.xor(e.shr(zigzag, 1, false)?, sign)
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let bytes = self.take(e, e.int(8))?;
        e.field::<64>(bytes, 0, "bits")
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        let first = match ty {
            Logical::F32 => {
                let bits = e.field::<32>(self.take(e, e.int(4))?, 0, "float")?;
                // The conversion would change some NaNs.
                let exponent = e.mask(e.widen(bits)?, F32_EXPONENT)?;
                e.guard(e.not(e.equal(exponent, F32_EXPONENT)?)?)?;
                return Ok(EmittedComponents::of_float(e.widen_float(bits)?));
            }
            Logical::U8 => e.widen(e.field::<8>(self.take(e, e.int(1))?, 0, "int")?)?,
            Logical::I8 => e.widen_signed(e.field::<8>(self.take(e, e.int(1))?, 0, "int")?)?,
            Logical::U16 | Logical::U32 | Logical::U64 => self.varint(e, 4)?,
            Logical::I16 | Logical::I32 => self.i64(e, at.int)?,
            _ => return read_components(self, e, ty, at, is_entry),
        };
        // Every byte is an `i8` and a `u8`, and every 64 bits are a `u64`: there is nothing to check.
        if matches!(ty, Logical::U16 | Logical::U32 | Logical::I16 | Logical::I32)
            && let Some(of) = ty.sized_int()
        {
            e.guard_int(first, of)?;
        }
        Ok(EmittedComponents::of_int(first))
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let len = self.varint(e, 2)?;
        let bytes = self.take(e, len)?;
        let ascii = ascii(e, (bytes, len), self.readable, helpers::TEXT)?;
        Ok(Text { bytes, len, in_object: false, ascii: Some(ascii) })
    }

    fn bytes(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let len = self.varint(e, 1)?;
        let bytes = self.take(e, len)?;
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        self.flag(e)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.count_zero_sized(e)
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        self.flag(e)
    }

    fn enter(&mut self, e: &Emitter<'ctx, '_>, _container: Container, len: u32) -> Built {
        if len == 0 {
            return self.count_zero_sized(e);
        }
        self.containers = count(e, self.containers)?;
        Ok(())
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _container: Container,
        _column: u32,
        zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        let len = self.varint(e, 2)?;
        // The budget for zero-sized elements decreases when each one is read, not here.
        let left = if zero_sized { self.zero_sized } else { self.elements };
        if let Some(left) = left {
            e.guard(e.compare(IntPredicate::ULE, len, left)?)?;
            if !zero_sized {
                self.elements = Some(e.sub(left, len)?);
            }
        }
        Ok(len)
    }

    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _arms: &[Arm],
        _column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        let arm = self.varint(e, 1)?;
        e.switch(arm, blocks)
    }
}
