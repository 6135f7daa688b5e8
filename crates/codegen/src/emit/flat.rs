//! Flat rows as a source: [`FlatRows`](serow_core::layout::flat::FlatRows), emitted.
//!
//! Text that is not ASCII bails out of the row.

use std::mem::offset_of;

use serow_core::layout::flat::{FLAT, FlatContext};
use serow_core::limits::MAX_ZERO_SIZED;
use serow_core::plan::{Arm, Op, Plan};
use serow_core::schema::Container;

use super::conversion::{MakeSource, SourceLayout, Static};
use super::layout::{Source, SsaState, Text};
use crate::emit::helpers;
use crate::error::CompileError;
use crate::ir::{Block, Bool, Built, Emitter, Int, IntPredicate, Pointer, Value};

const SLOTS: u64 = offset_of!(FlatContext, slots) as u64;
const SLOTS_END: u64 = offset_of!(FlatContext, slots_end) as u64;
const TEXT: u64 = offset_of!(FlatContext, text) as u64;
const TEXT_END: u64 = offset_of!(FlatContext, text_end) as u64;
const BYTES: u64 = offset_of!(FlatContext, bytes) as u64;
const BYTES_END: u64 = offset_of!(FlatContext, bytes_end) as u64;
const ASCII: u64 = offset_of!(FlatContext, ascii) as u64;
/// The size of a slot.
const SLOT: u64 = 8;

impl SourceLayout<'_> {
    /// Flat rows of the JVM.
    pub const FLAT: SourceLayout<'static> =
        SourceLayout(&Static::<MakeSource>(&FLAT, |e, program| {
            Ok(Box::new(Flat::new(e, program)))
        }));
}

#[derive(Clone)]
struct Flat<'ctx> {
    slots: Pointer<'ctx>,
    text: Pointer<'ctx>,
    slots_end: Pointer<'ctx>,
    text_end: Pointer<'ctx>,
    /// `None` if no value has bytes, so that such rows don't carry this along.
    bytes: Option<Stream<'ctx>>,
}

/// The unread part of a stream.
#[derive(Clone, Copy)]
struct Stream<'ctx> {
    next: Pointer<'ctx>,
    end: Pointer<'ctx>,
}

impl<'ctx> Flat<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, plan: &Plan) -> Flat<'ctx> {
        let none = e.null();
        let has_bytes = |op: &Op| matches!(op, Op::Logical { ty, .. } if ty.counts().bytes > 0);
        let bytes = plan.ops.iter().any(has_bytes).then_some(Stream { next: none, end: none });
        Flat { slots: none, text: none, slots_end: none, text_end: none, bytes }
    }

    /// Loads the next slot. Bails out at the end.
    fn slot(&mut self, e: &Emitter<'ctx, '_>) -> Built<Int<'ctx>> {
        let left = e.distance(self.slots, self.slots_end)?;
        e.guard(e.compare(IntPredicate::UGE, left, e.int(SLOT))?)?;
        let slot = e.field::<64>(self.slots, 0, "slot")?;
        self.slots = e.at(self.slots, SLOT)?;
        Ok(slot)
    }

    /// Returns the next `len` bytes of text. Bails out if there are fewer.
    fn take(&mut self, e: &Emitter<'ctx, '_>, len: Int<'ctx>) -> Built<Pointer<'ctx>> {
        let left = e.distance(self.text, self.text_end)?;
        e.guard(e.compare(IntPredicate::UGE, left, len)?)?;
        let bytes = self.text;
        self.text = e.beyond(bytes, len)?;
        Ok(bytes)
    }

    fn flag(&mut self, e: &Emitter<'ctx, '_>) -> Built<Bool<'ctx>> {
        let slot = self.slot(e)?;
        e.compare(IntPredicate::NE, slot, e.int(0))
    }
}

impl<'ctx> SsaState<'ctx> for Flat<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        let mut state = vec![self.slots.into(), self.text.into()];
        state.extend(self.bytes.map(|bytes| Value::from(bytes.next)));
        state
    }

    fn set_state(&mut self, state: &[Value<'ctx>]) {
        self.slots = state[0].into_pointer_value();
        self.text = state[1].into_pointer_value();
        if let Some(bytes) = &mut self.bytes {
            bytes.next = state[2].into_pointer_value();
        }
    }

    fn fixed(&self) -> Vec<Value<'ctx>> {
        let mut fixed = vec![self.slots_end.into(), self.text_end.into()];
        fixed.extend(self.bytes.map(|bytes| Value::from(bytes.end)));
        fixed
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.slots_end = fixed[0].into_pointer_value();
        self.text_end = fixed[1].into_pointer_value();
        if let Some(bytes) = &mut self.bytes {
            bytes.end = fixed[2].into_pointer_value();
        }
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.slots = e.load_ptr(e.source, SLOTS, "slots")?;
        self.slots_end = e.load_ptr(e.source, SLOTS_END, "slots_end")?;
        self.text = e.load_ptr(e.source, TEXT, "text")?;
        self.text_end = e.load_ptr(e.source, TEXT_END, "text_end")?;
        if let Some(bytes) = &mut self.bytes {
            bytes.next = e.load_ptr(e.source, BYTES, "bytes")?;
            bytes.end = e.load_ptr(e.source, BYTES_END, "bytes_end")?;
        }
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        e.store(e.at(e.source, SLOTS)?, state[0])?;
        e.store(e.at(e.source, TEXT)?, state[1])?;
        match self.bytes {
            Some(_) => e.store(e.at(e.source, BYTES)?, state[2]),
            None => Ok(()),
        }
    }
}

impl<'ctx> Source<'ctx> for Flat<'ctx> {
    fn row(&mut self, _e: &Emitter<'ctx, '_>, _row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        self.slot(e)
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        self.slot(e)
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let len = self.slot(e)?;
        let bytes = self.take(e, len)?;
        // Usually all text is known to be ASCII. If not, check this string.
        let (look, ascii) = (e.block("look"), e.block("ascii"));
        let known = e.field::<64>(e.source, ASCII, "known")?;
        e.branch_likely(e.compare(IntPredicate::NE, known, e.int(0))?, ascii, look)?;
        e.switch_to_block(look);
        let found = e.call_helper(helpers::IS_ASCII, (bytes, len))?;
        e.branch_likely(e.equal(found, 1)?, ascii, e.bailout)?;
        e.switch_to_block(ascii);
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn bytes(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let len = self.slot(e)?;
        let Some(Stream { next: bytes, end }) = self.bytes else {
            return Err(CompileError::Ir(
                "a value has bytes, but the plan says that none has".to_owned(),
            ));
        };
        let left = e.distance(bytes, end)?;
        e.guard(e.compare(IntPredicate::UGE, left, len)?)?;
        self.bytes = Some(Stream { next: e.beyond(bytes, len)?, end });
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        self.flag(e)
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        self.flag(e)
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _container: Container,
        _column: u32,
        zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        let len = self.slot(e)?;
        if zero_sized {
            // A frame can't have more, so the interpreter reports an error.
            e.guard(e.ult(len, MAX_ZERO_SIZED as u64 + 1)?)?;
        } else {
            // Every element takes at least one slot.
            let left = e.shr(e.distance(self.slots, self.slots_end)?, 3, false)?;
            e.guard(e.compare(IntPredicate::ULE, len, left)?)?;
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
        let arm = self.slot(e)?;
        e.switch(arm, blocks)
    }
}
