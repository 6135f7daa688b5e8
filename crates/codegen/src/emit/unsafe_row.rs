//! Spark's rows as a source: [`UnsafeRows`](serow_spark::UnsafeRows), emitted.
//!
//! The storage of a value, and the slot of a struct's field, are known while code is emitted.
//! Emitted code loads the position of a variable-length value from its slot. It checks that the
//! value is within its container, and that all values of a row together take no more bytes than the
//! row has.

use std::mem::offset_of;

use serow_core::plan::{Arm, ComponentColumns};
use serow_core::schema::logical::DecimalKind;
use serow_core::schema::{Container, Logical};
use serow_spark::{MapKey, PLAIN_SCALE, Storage, Stored, UNSAFE_ROWS, UnsafeRowsContext, Width};

use super::conversion::{MakeSource, SourceLayout, Static};
use super::layout::{Bytes, EmittedComponents, Source, SsaState, Text};
use super::row_reader::ascii;
use crate::emit::helpers;
use crate::error::CompileError;
use crate::ir::{Block, Bool, Built, Emitter, Int, IntPredicate, Pointer, Value};

const NEXT: u64 = offset_of!(UnsafeRowsContext, next) as u64;
const END: u64 = offset_of!(UnsafeRowsContext, end) as u64;
const PARTS: u64 = offset_of!(UnsafeRowsContext, components) as u64;
const WORD: u64 = 8;

/// The bytes of a value.
#[derive(Clone, Copy)]
struct Region<'ctx> {
    begin: Pointer<'ctx>,
    size: Int<'ctx>,
}

/// The slots of a struct or a list, and the width of a slot.
#[derive(Clone, Copy)]
struct Slots<'ctx> {
    whole: Region<'ctx>,
    bits: Pointer<'ctx>,
    slots: Pointer<'ctx>,
    width: u64,
}

/// The next slot.
#[derive(Clone, Copy)]
enum At<'ctx> {
    /// The slot of this field of a struct.
    Field(u64),
    /// The slot of an element. In a map, the slot of its key, or of its value if `is_value`.
    Element { index: Int<'ctx>, is_value: bool },
}

/// The slots being read: of one struct or list, or of a map's keys and values.
#[derive(Clone)]
struct Frame<'ctx> {
    of: Vec<Slots<'ctx>>,
    at: At<'ctx>,
    /// The order in which the slots are read, if it differs from their order in memory.
    order: Option<Pointer<'ctx>>,
}

impl SourceLayout<'_> {
    /// Spark's rows, stored as the program's storage says.
    pub const UNSAFE_ROWS: SourceLayout<'static> =
        SourceLayout(&Static::<MakeSource>(&UNSAFE_ROWS, |e, program| {
            let storage =
                Storage::of(program).map_err(|error| CompileError::Ir(error.to_string()))?;
            Ok(Box::new(Rows::new(e, storage)))
        }));
}

#[derive(Clone)]
struct Rows<'ctx> {
    storage: &'ctx Storage,
    /// The address of the next row's size.
    next: Pointer<'ctx>,
    /// The number of bytes that the remaining values may take.
    left: Int<'ctx>,
    /// The end of the batch.
    end: Pointer<'ctx>,
    /// The row, until it is entered.
    row: Option<Region<'ctx>>,
    frame: Frame<'ctx>,
    outside: Vec<Frame<'ctx>>,
    /// Whether the next value is known not to be null.
    is_present: bool,
}

impl<'ctx> Rows<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, storage: &'ctx Storage) -> Rows<'ctx> {
        let none = e.null();
        Rows {
            storage,
            next: none,
            left: e.int(0),
            end: none,
            row: None,
            frame: Frame { of: Vec::new(), at: At::Field(0), order: None },
            outside: Vec::new(),
            is_present: false,
        }
    }

    /// Counts `bytes` of the row as taken by a value. Bails out if the row has fewer left.
    fn take(&mut self, e: &Emitter<'ctx, '_>, bytes: Int<'ctx>) -> Built {
        e.guard(e.compare(IntPredicate::UGE, self.left, bytes)?)?;
        self.left = e.sub(self.left, bytes)?;
        Ok(())
    }

    /// Returns the slots of the next value.
    fn slots(&self) -> Slots<'ctx> {
        match self.frame.at {
            At::Element { is_value: true, .. } => self.frame.of[1],
            _ => self.frame.of[0],
        }
    }

    /// Returns whether the next value is null.
    fn is_null(&self, e: &Emitter<'ctx, '_>) -> Built<Bool<'ctx>> {
        let bits = self.slots().bits;
        let bit = match self.frame.at {
            At::Field(field) => {
                let byte = e.field::<8>(bits, field / 8, "bits")?;
                return e.not_zero(e.mask(byte, 1 << (field % 8))?);
            }
            At::Element { index, .. } => {
                let byte = e.beyond(bits, e.shr(index, 3, false)?)?;
                let byte = e.widen(e.field::<8>(byte, 0, "bits")?)?;
                e.mask(e.shift_right(byte, e.mask(index, 7)?)?, 1)?
            }
        };
        e.not_zero(bit)
    }

    /// Returns the address of the next slot and moves past it.
    fn step(&mut self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        let Slots { slots, width, .. } = self.slots();
        match &mut self.frame.at {
            At::Field(field) => {
                *field += 1;
                e.at(slots, (*field - 1) * width)
            }
            At::Element { index, is_value } => {
                *is_value = !*is_value && self.frame.of.len() > 1;
                e.beyond(slots, e.mul(*index, e.int(width))?)
            }
        }
    }

    /// Returns the next slot, which must have a value.
    fn slot(&mut self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        if !std::mem::take(&mut self.is_present) {
            e.guard(e.equal(self.is_null(e)?, 0)?)?;
        }
        self.step(e)
    }

    fn word(&mut self, e: &Emitter<'ctx, '_>) -> Built<Int<'ctx>> {
        e.field::<64>(self.slot(e)?, 0, "word")
    }

    /// Returns the region that the next slot points to.
    fn region(&mut self, e: &Emitter<'ctx, '_>) -> Built<Region<'ctx>> {
        let whole = self.slots().whole;
        let word = self.word(e)?;
        let offset = e.shr(word, 32, false)?;
        let size = e.mask(word, u32::MAX.into())?;
        let to = e.add(offset, size)?;
        e.guard(e.compare(IntPredicate::ULE, to, whole.size)?)?;
        Ok(Region { begin: e.beyond(whole.begin, offset)?, size })
    }

    /// Returns the bytes of the next value.
    fn blob(&mut self, e: &Emitter<'ctx, '_>) -> Built<Region<'ctx>> {
        let region = self.region(e)?;
        self.take(e, region.size)?;
        Ok(region)
    }

    /// Returns the slots of a list in `whole`, and the number of its elements.
    fn list(
        &mut self,
        e: &Emitter<'ctx, '_>,
        whole: Region<'ctx>,
        width: Width,
    ) -> Built<(Slots<'ctx>, Int<'ctx>)> {
        let width = width as u64;
        e.guard(e.compare(IntPredicate::UGE, whole.size, e.int(WORD))?)?;
        let count = e.field::<64>(whole.begin, 0, "count")?;
        // Check this before multiplying. Each slot takes at least one byte.
        e.guard(e.compare(IntPredicate::ULE, count, whole.size)?)?;
        let words = e.shr(e.add(count, e.int(63))?, 6, false)?;
        let bits = e.shl(words, e.int(3))?;
        let fixed = e.add(e.add(bits, e.mul(count, e.int(width))?)?, e.int(WORD))?;
        e.guard(e.compare(IntPredicate::ULE, fixed, whole.size)?)?;
        self.take(e, fixed)?;
        let bits_at = e.at(whole.begin, WORD)?;
        let slots = e.beyond(bits_at, bits)?;
        Ok((Slots { whole, bits: bits_at, slots, width }, count))
    }

    /// Returns the slots of the keys and the values of a map in `whole`, and their number.
    fn map(
        &mut self,
        e: &Emitter<'ctx, '_>,
        whole: Region<'ctx>,
        (keys, values): (Width, Width),
    ) -> Built<(Vec<Slots<'ctx>>, Int<'ctx>)> {
        e.guard(e.compare(IntPredicate::UGE, whole.size, e.int(WORD))?)?;
        let size = e.field::<64>(whole.begin, 0, "keys")?;
        self.take(e, e.int(WORD))?;
        let both = e.sub(whole.size, e.int(WORD))?;
        e.guard(e.compare(IntPredicate::ULE, size, both)?)?;
        let begin = e.at(whole.begin, WORD)?;
        let (keys, count) = self.list(e, Region { begin, size }, keys)?;
        let values_at = Region { begin: e.beyond(begin, size)?, size: e.sub(both, size)? };
        let (values, same) = self.list(e, values_at, values)?;
        e.guard(e.compare(IntPredicate::EQ, count, same)?)?;
        Ok((vec![keys, values], count))
    }

    fn push(&mut self, frame: Frame<'ctx>) {
        self.outside.push(std::mem::replace(&mut self.frame, frame));
    }

    /// Returns empty bytes.
    fn no_bytes(e: &Emitter<'ctx, '_>) -> Option<Bytes<'ctx>> {
        // An empty slice also needs a valid address.
        Some(Bytes::Plain(Text { bytes: e.source, len: e.int(0), in_object: false, ascii: None }))
    }
}

impl<'ctx> SsaState<'ctx> for Rows<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        vec![self.next.into(), self.left.into()]
    }

    fn set_state(&mut self, state: &[Value<'ctx>]) {
        self.next = state[0].into_pointer_value();
        self.left = Int::of_state(&state[1]);
    }

    fn fixed(&self) -> Vec<Value<'ctx>> {
        let mut fixed: Vec<Value<'ctx>> = vec![self.end.into()];
        for Slots { whole, bits, slots, .. } in &self.frame.of {
            fixed.extend::<[Value<'ctx>; 2]>([whole.begin.into(), whole.size.into()]);
            fixed.extend::<[Value<'ctx>; 2]>([(*bits).into(), (*slots).into()]);
        }
        if let At::Element { index, .. } = self.frame.at {
            fixed.push(index.into());
        }
        fixed
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.end = fixed[0].into_pointer_value();
        let (of, index) = fixed[1..].split_at(4 * self.frame.of.len());
        for (slots, fixed) in self.frame.of.iter_mut().zip(of.chunks(4)) {
            slots.whole.begin = fixed[0].into_pointer_value();
            slots.whole.size = Int::of_state(&fixed[1]);
            slots.bits = fixed[2].into_pointer_value();
            slots.slots = fixed[3].into_pointer_value();
        }
        if let (At::Element { index, .. }, Some(fixed)) = (&mut self.frame.at, index.first()) {
            *index = Int::of_state(fixed);
        }
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.next = e.load_ptr(e.source, NEXT, "next")?;
        self.end = e.load_ptr(e.source, END, "end")?;
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        e.store(e.at(e.source, NEXT)?, state[0])
    }
}

impl<'ctx> Source<'ctx> for Rows<'ctx> {
    /// All rows are within the batch; the caller has checked that.
    fn row(&mut self, e: &Emitter<'ctx, '_>, _row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        let size = e.field::<64>(self.next, 0, "size")?;
        let begin = e.at(self.next, WORD)?;
        self.next = e.beyond(begin, size)?;
        self.left = size;
        self.row = Some(Region { begin, size });
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        let slot = self.slot(e)?;
        match self.storage.of_int(column) {
            Some(Stored::Int(Width::Eight)) => e.field::<64>(slot, 0, "i64"),
            Some(Stored::Int(Width::Four)) => e.widen_signed(e.field::<32>(slot, 0, "int")?),
            Some(Stored::Int(Width::Two)) => e.widen_signed(e.field::<16>(slot, 0, "int")?),
            Some(Stored::Int(Width::One)) => e.widen_signed(e.field::<8>(slot, 0, "int")?),
            _ => Err(other()),
        }
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        let slot = self.slot(e)?;
        match self.storage.is_single(column) {
            true => e.widen_float(e.field::<32>(slot, 0, "float")?),
            false => e.field::<64>(slot, 0, "float"),
        }
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let Region { begin: bytes, size: len } = self.blob(e)?;
        let ascii = ascii(e, (bytes, len), self.end, helpers::UTF_8)?;
        Ok(Text { bytes, len, in_object: false, ascii: Some(ascii) })
    }

    fn bytes(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let Region { begin: bytes, size: len } = self.blob(e)?;
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        _is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        let floats = Vec::new();
        if ty.counts().ints == 0 {
            let bytes = Some(Bytes::Plain(self.bytes(e, at.str)?));
            return Ok(EmittedComponents { ints: Vec::new(), floats, bytes });
        }
        let stored = self.storage.of_int(at.int);
        match stored {
            Some(Stored::Date) => {
                let days = e.field::<32>(self.slot(e)?, 0, "days")?;
                Ok(EmittedComponents { ints: vec![e.widen_signed(days)?], floats, bytes: None })
            }
            Some(Stored::Clock) => {
                Ok(EmittedComponents { ints: vec![self.word(e)?, e.int(0)], floats, bytes: None })
            }
            Some(Stored::Decimal { precision, scale })
                if precision > Stored::MOST_DIGITS_OF_WORD || scale <= PLAIN_SCALE =>
            {
                if precision > Stored::MOST_DIGITS_OF_WORD {
                    let Region { begin, size } = self.blob(e)?;
                    let arguments = (e.source, begin, size, e.bits(scale.into()));
                    e.guard(e.ask_helper(helpers::LONG_DECIMAL, arguments)?)?;
                    return EmittedComponents::load(e, ty, e.at(e.source, PARTS)?);
                }
                let first = DecimalKind::Small.join(-i64::from(scale)).ok_or_else(other)?;
                let ints = vec![e.int(first as u64), self.word(e)?];
                Ok(EmittedComponents { ints, floats, bytes: Self::no_bytes(e) })
            }
            _ => {
                let word = self.word(e)?;
                let kind = stored.and_then(helpers::number_of).ok_or_else(other)?;
                let arguments = (e.source, word, e.bits(kind.into()));
                e.guard(e.ask_helper(helpers::WORD_PARTS, arguments)?)?;
                EmittedComponents::load(e, ty, e.at(e.source, PARTS)?)
            }
        }
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        let byte = e.field::<8>(self.slot(e)?, 0, "bool")?;
        e.not_zero(byte)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.step(e).map(|_| ())
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        self.is_present = true;
        e.equal(self.is_null(e)?, 0)
    }

    fn enter(&mut self, e: &Emitter<'ctx, '_>, _container: Container, len: u32) -> Built {
        let whole = match self.row.take() {
            Some(row) => row,
            None => self.region(e)?,
        };
        let bits = u64::from(len).div_ceil(64) * WORD;
        let fixed = e.int(bits + u64::from(len) * WORD);
        e.guard(e.compare(IntPredicate::ULE, fixed, whole.size)?)?;
        self.take(e, fixed)?;
        let slots = e.at(whole.begin, bits)?;
        let of = vec![Slots { whole, bits: whole.begin, slots, width: WORD }];
        self.push(Frame { of, at: At::Field(0), order: None });
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(outside) = self.outside.pop() {
            self.frame = outside;
        }
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _container: Container,
        column: u32,
        _zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        let whole = self.region(e)?;
        let mut order = None;
        let (of, count) = match self.storage.of_int(column) {
            Some(Stored::List(width)) => {
                let (slots, count) = self.list(e, whole, width)?;
                (vec![slots], count)
            }
            Some(Stored::Map(keys, values)) => {
                let (of, count) = self.map(e, whole, (keys, values))?;
                if self.storage.key(column) != MapKey::Other {
                    let Region { begin, size } = of[0].whole;
                    let arguments = (e.source, self.next, begin, size, e.bits(column.into()));
                    let ordered = e.call_helper(helpers::MAP_ORDER, arguments)?;
                    e.guard(e.not_null(ordered)?)?;
                    order = Some(ordered);
                }
                (of, count)
            }
            _ => return Err(other()),
        };
        self.push(Frame { of, at: At::Element { index: e.int(0), is_value: false }, order });
        Ok(count)
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        let index = match self.frame.order {
            Some(order) => {
                let place = e.beyond(order, e.shl(index, e.int(2))?)?;
                e.widen(e.field::<32>(place, 0, "slot")?)?
            }
            None => index,
        };
        self.frame.at = At::Element { index, is_value: false };
        Ok(())
    }

    fn leave_sequence(&mut self) {
        self.leave();
    }

    /// Spark has no unions.
    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _arms: &[Arm],
        _column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        e.switch(e.int(blocks.len() as u64), blocks)
    }
}

/// The error for a storage that does not belong to the plan.
fn other() -> CompileError {
    CompileError::Ir("the storage does not belong to the plan".to_owned())
}
