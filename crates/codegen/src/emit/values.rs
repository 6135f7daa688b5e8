//! Rust values as a source: [`ValueReader`](serow_core::layout::value::ValueReader), emitted.

use std::mem::offset_of;

use inkwell::IntPredicate;
use serow_core::layout::value::{MISSING, Tag, ValueContext, ValueLayout};
use serow_core::plan::{Arm, Class, ComponentColumns, Container, Op, Plan};
use serow_core::schema::Logical;

use super::cursor_stack::{Cursor, CursorStack};
use super::emitter::{Block, Built, Emitter, Int, Pointer, Value};
use super::layout::{EmittedComponents, Live, Source, Text, items_of};
use crate::symbols;

/// A pointer's size.
const POINTER: u64 = 8;

#[derive(Clone)]
pub(super) struct Values<'ctx> {
    layout: ValueLayout,
    cursors: CursorStack<'ctx>,
    /// Whether there may be dicts that have to be laid out anew.
    has_dicts: bool,
    /// How many fields each of the plan's structs has.
    lens: Vec<u32>,
}

impl<'ctx> Values<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, layout: ValueLayout, plan: &Plan) -> Values<'ctx> {
        let is_dict = |op: &Op| match op {
            Op::Enter { container, .. } | Op::Sequence { container, .. } => {
                matches!(container, Container::Struct(_) | Container::Map)
            }
            _ => false,
        };
        let has_dicts = plan.ops.iter().any(is_dict);
        let lens = plan.tables.structs.iter().map(|names| names.fields.len() as u32).collect();
        Values { layout, cursors: CursorStack::new(e, layout.size), has_dicts, lens }
    }

    fn tag(&self, e: &Emitter<'ctx, '_>) -> Built<Int<'ctx>> {
        e.field(8, self.cursors.next.base, self.cursors.next.offset, "tag")
    }

    fn is(&self, e: &Emitter<'ctx, '_>, tag: Tag) -> Built<Int<'ctx>> {
        e.equal(self.tag(e)?, tag as u64)
    }

    /// The next value, which must be of this variant.
    fn of(&mut self, e: &Emitter<'ctx, '_>, tag: Tag) -> Built<Pointer<'ctx>> {
        e.guard(self.is(e, tag)?)?;
        self.value(e)
    }

    /// Step over the next value.
    fn value(&mut self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        let value = self.cursors.here(e)?;
        self.cursors.step();
        Ok(value)
    }

    /// The next value's elements, and their number; it must be this container.
    fn elements(
        &mut self,
        e: &Emitter<'ctx, '_>,
        container: Container,
    ) -> Built<(Pointer<'ctx>, Int<'ctx>)> {
        let tag = match container {
            Container::List => Tag::List,
            Container::Tuple => Tag::Tuple,
            Container::Set => Tag::Set,
            Container::FrozenSet => Tag::FrozenSet,
            Container::Map => return self.entries(e),
            Container::Struct(_) => unreachable!("a struct has fields"),
        };
        let value = self.of(e, tag)?;
        let len = e.field(64, value, self.layout.len, "len")?;
        Ok((e.load_ptr(value, self.layout.elements, "elements")?, len))
    }

    /// The keys and values of a map, or of a dict with fixed keys.
    fn entries(&mut self, e: &Emitter<'ctx, '_>) -> Built<(Pointer<'ctx>, Int<'ctx>)> {
        let (map, other, join) = (e.block("map"), e.block("other"), e.block("entries"));
        let is_map = self.is(e, Tag::Map)?;
        let value = self.value(e)?;
        e.branch_likely(is_map, map, other)?;
        e.switch_to_block(map);
        let len = e.field(64, value, self.layout.len, "len")?;
        let own = e.load_ptr(value, self.layout.elements, "elements")?;
        e.jump(join)?;

        e.switch_to_block(other);
        let arguments = [e.source.into(), value.into()];
        let entries = e.call_helper(symbols::VALUE_ENTRIES, e.pointer, &arguments)?;
        e.guard(e.not_null(entries.into_pointer_value())?)?;
        let count = e.field(64, value, self.layout.field_count, "len")?;
        let laid_out = e.here()?;
        e.jump(join)?;
        e.switch_to_block(join);
        let ends = [(vec![own.into(), len.into()], map), (vec![entries, count.into()], laid_out)];
        let joined = e.phis(&ends)?;
        Ok((joined[0].into_pointer_value(), joined[1].into_int_value()))
    }

    /// Whether `value`, which has `tag`, points to entry `table` of the plan's names at `names`.
    fn is_named(
        &self,
        e: &Emitter<'ctx, '_>,
        value: Pointer<'ctx>,
        tag: Tag,
        (names, table): (usize, u32),
    ) -> Built<Int<'ctx>> {
        let is = e.equal(e.field(8, value, 0, "tag")?, tag as u64)?;
        let own = e.load_ptr(value, self.layout.payload, "own")?;
        let wanted = e.load_ptr(e.source, names as u64, "names")?;
        let wanted = e.load_ptr(wanted, u64::from(table) * POINTER, "wanted")?;
        e.and(is, e.same(own, wanted)?)
    }

    /// The fields of `value` as the struct of names `table`, or null.
    fn fields(
        &self,
        e: &Emitter<'ctx, '_>,
        value: Pointer<'ctx>,
        table: u32,
        len: u32,
    ) -> Built<Pointer<'ctx>> {
        let (own, other, join) = (e.block("own"), e.block("other"), e.block("fields"));
        let names = (offset_of!(ValueContext, structs), table);
        let is_named = self.is_named(e, value, Tag::Struct, names)?;
        let count = e.field(64, value, self.layout.field_count, "count")?;
        e.branch_likely(e.and(is_named, e.equal(count, len.into())?)?, own, other)?;
        e.switch_to_block(own);
        let fields = e.load_ptr(value, self.layout.fields, "fields")?;
        e.jump(join)?;
        e.switch_to_block(other);
        let arguments = [e.source.into(), value.into(), e.bits(32, table.into()).into()];
        let found = e.call_helper(symbols::VALUE_FIELDS, e.pointer, &arguments)?;
        e.jump(join)?;
        e.switch_to_block(join);
        let fields = e.phi(e.pointer.into(), &[(fields.into(), own), (found, other)])?;
        Ok(fields.into_pointer_value())
    }

    /// The index of the member of the enum of names `table` that `value` is, or [`symbols::NO_MEMBER`].
    fn index(&self, e: &Emitter<'ctx, '_>, value: Pointer<'ctx>, table: u32) -> Built<Int<'ctx>> {
        let (own, other, join) = (e.block("own"), e.block("other"), e.block("member"));
        let names = (offset_of!(ValueContext, enums), table);
        e.branch_likely(self.is_named(e, value, Tag::Enum, names)?, own, other)?;
        e.switch_to_block(own);
        let index = e.widen(e.field(32, value, self.layout.member, "index")?)?;
        e.jump(join)?;
        e.switch_to_block(other);
        let arguments = [e.source.into(), value.into(), e.bits(32, table.into()).into()];
        let found = e.call_helper(symbols::VALUE_MEMBER, e.word, &arguments)?;
        e.jump(join)?;
        e.switch_to_block(join);
        let index = e.phi(e.word.into(), &[(index.into(), own), (found, other)])?;
        Ok(index.into_int_value())
    }
}

impl<'ctx> Live<'ctx> for Values<'ctx> {
    fn fixed(&self) -> Vec<Value<'ctx>> {
        self.cursors.fixed()
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.cursors.set_fixed(fixed);
    }
}

impl<'ctx> Source<'ctx> for Values<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        let rows = e.load_ptr(e.source, offset_of!(ValueContext, rows) as u64, "rows")?;
        self.cursors.begin(e, rows, row)?;
        if self.has_dicts {
            e.store(e.at(e.source, offset_of!(ValueContext, used) as u64)?, e.int(0))?;
        }
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
        let object = e.load_ptr(value, self.layout.text, "text")?;
        let bytes = e.at(object, self.layout.before_text)?;
        Ok(Text { bytes, len, in_object: false, ascii: None })
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        _at: ComponentColumns,
        _is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        let value = self.value(e)?;
        let place = e.at(e.source, offset_of!(ValueContext, parts) as u64)?;
        let arguments = [value.into(), e.int(ty as u64).into(), place.into()];
        e.guard(e.not_zero(e.call_byte_helper(symbols::VALUE_PARTS, &arguments)?)?)?;
        EmittedComponents::load(e, ty, place)
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

    fn has_field(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        e.xor(e.equal(self.tag(e)?, MISSING.into())?, e.bits(1, 1))
    }

    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        table: u32,
        members: u32,
        _column: u32,
    ) -> Built<Int<'ctx>> {
        let value = self.value(e)?;
        let index = self.index(e, value, table)?;
        e.guard(e.ult(index, members.into())?)?;
        Ok(index)
    }

    fn enter(&mut self, e: &Emitter<'ctx, '_>, container: Container, len: u32) -> Built {
        let fields = match container {
            Container::Struct(table) => {
                let value = self.value(e)?;
                let fields = self.fields(e, value, table, len)?;
                e.guard(e.not_null(fields)?)?;
                fields
            }
            _ => {
                let (elements, have) = self.elements(e, container)?;
                e.guard(e.equal(have, len.into())?)?;
                elements
            }
        };
        self.cursors.enter(Cursor { base: fields, offset: 0 });
        Ok(())
    }

    fn leave(&mut self) {
        self.cursors.leave();
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        container: Container,
        _column: u32,
        _zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        let (elements, len) = self.elements(e, container)?;
        self.cursors.enter(Cursor { base: elements, offset: 0 });
        self.cursors.begin_sequence(e, items_of(container))?;
        Ok(len)
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        self.cursors.element(e, index)
    }

    fn leave_sequence(&mut self) {
        self.cursors.leave_sequence();
    }

    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        arms: &[Arm],
        _column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        let (value, tag) = (self.cursors.here(e)?, self.tag(e)?);
        for (arm, &block) in arms.iter().zip(blocks) {
            let other = e.block("");
            let is = match arm.class {
                Class::I64 => e.equal(tag, Tag::I64 as u64)?,
                Class::F64 => e.equal(tag, Tag::F64 as u64)?,
                Class::Str => e.equal(tag, Tag::Str as u64)?,
                Class::Bool => e.equal(tag, Tag::Bool as u64)?,
                Class::List => e.equal(tag, Tag::List as u64)?,
                Class::Set => e.equal(tag, Tag::Set as u64)?,
                Class::FrozenSet => e.equal(tag, Tag::FrozenSet as u64)?,
                Class::Tuple(None) => e.equal(tag, Tag::Tuple as u64)?,
                Class::Tuple(Some(fields)) => {
                    let tuple = e.block("tuple");
                    e.branch(e.equal(tag, Tag::Tuple as u64)?, tuple, other)?;
                    e.switch_to_block(tuple);
                    let have = e.field(64, value, self.layout.len, "len")?;
                    e.compare(IntPredicate::EQ, have, e.int(fields.into()))?
                }
                Class::Logical(ty) => {
                    let arguments = [value.into(), e.int(ty as u64).into()];
                    e.not_zero(e.call_byte_helper(symbols::VALUE_IS, &arguments)?)?
                }
                Class::Dict => {
                    e.not_zero(e.call_byte_helper(symbols::VALUE_IS_DICT, &[value.into()])?)?
                }
                Class::Record(table) => {
                    // There are no such fields if the record is another.
                    let len = self.lens[table as usize];
                    e.not_null(self.fields(e, value, table, len)?)?
                }
                Class::Enum(table) => {
                    let index = self.index(e, value, table)?;
                    let none = e.equal(index, symbols::NO_MEMBER as u64)?;
                    e.xor(none, e.bits(1, 1))?
                }
            };
            e.branch(is, block, other)?;
            e.switch_to_block(other);
        }
        e.jump(e.bailout)
    }
}
