//! Rust values as a source: [`ValueReader`](serow_core::layout::value::ValueReader), emitted.

use std::mem::offset_of;

use inkwell::IntPredicate;
use serow_core::layout::value::{Place, Tag, ValueLayout};
use serow_core::plan::{Arm, Class, Container, PartColumns};
use serow_core::schema::Logical;

use super::emitter::{Block, Built, Emitter, Int, Pointer, Value};
use super::layout::{Live, Parts, Source, Text};
use crate::symbols;

/// The next value: so many bytes after an address.
#[derive(Clone, Copy)]
struct Cursor<'ctx> {
    base: Pointer<'ctx>,
    offset: u64,
}

#[derive(Clone)]
pub(super) struct Values<'ctx> {
    layout: ValueLayout,
    next: Cursor<'ctx>,
    /// Where it goes on in the containers around.
    outer: Vec<Cursor<'ctx>>,
    /// The elements of the sequences around.
    sequences: Vec<Pointer<'ctx>>,
}

impl<'ctx> Values<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, layout: ValueLayout) -> Values<'ctx> {
        let next = Cursor { base: e.pointer.const_null(), offset: 0 };
        Values { layout, next, outer: Vec::new(), sequences: Vec::new() }
    }

    fn peek(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(self.next.base, self.next.offset)
    }

    fn tag(&self, e: &Emitter<'ctx, '_>) -> Built<Int<'ctx>> {
        e.field(8, self.next.base, self.next.offset, "tag")
    }

    fn is(&self, e: &Emitter<'ctx, '_>, tag: Tag) -> Built<Int<'ctx>> {
        e.equal(self.tag(e)?, tag as u64)
    }

    /// The next value, which must be of this variant.
    fn of(&mut self, e: &Emitter<'ctx, '_>, tag: Tag) -> Built<Pointer<'ctx>> {
        e.guard(self.is(e, tag)?)?;
        let value = self.peek(e)?;
        self.next.offset += self.layout.size;
        Ok(value)
    }

    /// Step into the container that comes next, and give its elements and their number.
    fn step_in(
        &mut self,
        e: &Emitter<'ctx, '_>,
        container: Container,
    ) -> Built<(Pointer<'ctx>, Int<'ctx>)> {
        let tag = match container {
            Container::Tuple => Tag::Tuple,
            _ => Tag::List,
        };
        let value = self.of(e, tag)?;
        let len = e.field(64, value, self.layout.len, "len")?;
        let elements = e.link(value, self.layout.elements, "elements")?;
        self.outer.push(std::mem::replace(&mut self.next, Cursor { base: elements, offset: 0 }));
        Ok((elements, len))
    }
}

impl<'ctx> Live<'ctx> for Values<'ctx> {
    fn state(&self) -> Vec<Value<'ctx>> {
        Vec::new()
    }

    fn set_state(&mut self, _state: &[Value<'ctx>]) {}

    fn fixed(&self) -> Vec<Value<'ctx>> {
        vec![self.next.base.into()]
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.next.base = fixed[0].into_pointer_value();
    }

    fn begin(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn finish(&self, _e: &Emitter<'ctx, '_>, _state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        Ok(())
    }
}

impl<'ctx> Source<'ctx> for Values<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        let rows = e.link(e.source, offset_of!(Place, rows) as u64, "rows")?;
        let base = e.beyond(rows, e.mul(row, e.int(self.layout.size))?)?;
        self.next = Cursor { base, offset: 0 };
        Ok(())
    }

    fn check_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn end_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let value = self.of(e, Tag::I64)?;
        e.field(64, value, self.layout.payload, "int")
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let value = self.of(e, Tag::F64)?;
        e.field(64, value, self.layout.payload, "bits")
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let value = self.of(e, Tag::Str)?;
        let len = e.field(64, value, self.layout.text_len, "len")?;
        let object = e.link(value, self.layout.text, "text")?;
        let bytes = e.at(object, self.layout.before_text)?;
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        _at: PartColumns,
        _is_entry: bool,
    ) -> Built<Parts<'ctx>> {
        let value = self.peek(e)?;
        self.next.offset += self.layout.size;
        let place = e.at(e.source, offset_of!(Place, parts) as u64)?;
        let arguments = [e.pointer.into(), e.word.into(), e.pointer.into()];
        let function = e.helper(symbols::VALUE_PARTS, e.width(8).fn_type(&arguments, false));
        let arguments = [value.into(), e.int(ty as u64).into(), place.into()];
        let is = e.call(function, &arguments)?.into_int_value();
        e.guard(e.not_zero(is)?)?;
        Parts::load(e, ty, place)
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let value = self.of(e, Tag::Bool)?;
        e.equal(e.field(8, value, self.layout.payload, "bool")?, 1)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.of(e, Tag::Null)?;
        Ok(())
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        e.xor(self.is(e, Tag::Null)?, e.bits(1, 1))
    }

    fn enter(&mut self, e: &Emitter<'ctx, '_>, container: Container, len: u32) -> Built {
        let (_, have) = self.step_in(e, container)?;
        e.guard(e.equal(have, len.into())?)
    }

    fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.next = outer;
        }
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        container: Container,
        _column: u32,
        _weightless: bool,
    ) -> Built<Int<'ctx>> {
        let (elements, len) = self.step_in(e, container)?;
        self.sequences.push(elements);
        Ok(len)
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        if let Some(&elements) = self.sequences.last() {
            let base = e.beyond(elements, e.mul(index, e.int(self.layout.size))?)?;
            self.next = Cursor { base, offset: 0 };
        }
        Ok(())
    }

    fn leave_sequence(&mut self) {
        self.sequences.pop();
        self.leave();
    }

    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        arms: &[Arm],
        _column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        let tag = self.tag(e)?;
        for (arm, &block) in arms.iter().zip(blocks) {
            let (wanted, fields) = match arm.class {
                Class::I64 => (Tag::I64, None),
                Class::F64 => (Tag::F64, None),
                Class::Str => (Tag::Str, None),
                Class::Bool => (Tag::Bool, None),
                Class::Logical(ty) => {
                    let arguments = [e.pointer.into(), e.word.into()];
                    let ty_of = e.width(8).fn_type(&arguments, false);
                    let function = e.helper(symbols::VALUE_IS, ty_of);
                    let arguments = [self.peek(e)?.into(), e.int(ty as u64).into()];
                    let is = e.call(function, &arguments)?.into_int_value();
                    let other = e.block("");
                    e.branch(e.not_zero(is)?, block, other)?;
                    e.go_on(other);
                    continue;
                }
                Class::List
                | Class::Set
                | Class::FrozenSet
                | Class::Dict
                | Class::Record(_)
                | Class::Enum(_) => (Tag::List, None),
                Class::Tuple(fields) => (Tag::Tuple, fields),
            };
            let mut is = e.equal(tag, wanted as u64)?;
            if let Some(fields) = fields {
                let (tuple, other) = (e.block("tuple"), e.block(""));
                e.branch(is, tuple, other)?;
                e.go_on(tuple);
                let have = e.field(64, self.peek(e)?, self.layout.len, "len")?;
                is = e.compare(IntPredicate::EQ, have, e.int(fields.into()))?;
                e.branch(is, block, other)?;
                e.go_on(other);
            } else {
                let other = e.block("");
                e.branch(is, block, other)?;
                e.go_on(other);
            }
        }
        e.jump(e.leave)
    }
}
