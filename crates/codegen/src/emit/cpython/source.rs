//! Python objects as a source.
//!
//! Ints of up to 63 bits, ASCII strings, and the items of lists and tuples are read in place. Other
//! ints and strings bail out of the row. A helper finds the items of other containers. Another one reads scalars of
//! NumPy and the like in place of the plan's type; other values of another type bail out.

use std::mem::offset_of;

use serow_core::layout::ComponentsContext;
use serow_core::layout::objects::{ClassTest, ExactType, ObjectReaderContext};
use serow_core::number::Number;
use serow_core::plan::{Arm, ComponentColumns, Fields, Op, Plan};
use serow_core::schema::{Container, Logical, Scalar};

use super::abi::{self, CPython, functions};
use super::{are_listed, is_listed};
use crate::emit::cursor_stack::{Cursor, CursorStack};
use crate::emit::layout::{EmittedComponents, Source, SsaState, Text, items_of};
use crate::ir::{Block, Bool, Built, Emitter, Int, IntPredicate, Pointer, Typed, Value};

/// How many rows ahead tuples are prefetched.
const ROW_AHEAD: u64 = 16;
/// How many rows ahead fields are prefetched.
const FIELDS_AHEAD: u64 = 8;
/// The number of fields to prefetch. The rest of a wide row is prefetched by hardware.
const FIELDS: usize = 16;
/// The size of a pointer.
const POINTER: u64 = 8;

#[derive(Clone)]
pub(in crate::emit) struct EmittedObjectReader<'ctx> {
    layout: &'ctx CPython,
    /// If rows are tuples: for each of the first fields, whether its object may extend into a
    /// second cache line.
    ahead: Vec<bool>,
    fields: u32,
    cursors: CursorStack<'ctx>,
    /// Whether the plan has containers whose items a helper returns.
    has_views: bool,
    /// The containers around the next value.
    around: Vec<Container>,
}

impl<'ctx> EmittedObjectReader<'ctx> {
    pub(in crate::emit) fn new(
        e: &Emitter<'ctx, '_>,
        layout: &'ctx CPython,
        plan: &Plan,
    ) -> EmittedObjectReader<'ctx> {
        let (fields, ahead) = match plan.ops[0] {
            Op::Enter { read: Fields { container: Container::Tuple, len }, .. } => {
                (len, reaches(plan))
            }
            _ => (0, Vec::new()),
        };
        let cursors = CursorStack::new(e, POINTER);
        let has_views = !are_listed(plan);
        EmittedObjectReader { layout, ahead, fields, cursors, has_views, around: Vec::new() }
    }

    fn peek(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.load_ptr(self.cursors.next.base, self.cursors.next.offset, "object")
    }

    fn value(&mut self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        let object = self.peek(e)?;
        self.cursors.step();
        Ok(object)
    }

    fn is(&self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>, ty: ExactType) -> Built<Bool<'ctx>> {
        e.same(e.load_ptr(object, self.layout.ty, "type")?, e.external(abi::symbol(ty)))
    }

    /// Reads the next value, which must have exactly this type.
    fn of(&mut self, e: &Emitter<'ctx, '_>, ty: ExactType) -> Built<Pointer<'ctx>> {
        let object = self.value(e)?;
        e.guard(self.is(e, object, ty)?)?;
        Ok(object)
    }

    /// Enters the next value, which must be this container and have `wanted` items if that is
    /// given. Returns the number of its elements.
    fn step_in(
        &mut self,
        e: &Emitter<'ctx, '_>,
        container: Container,
        wanted: Option<u32>,
    ) -> Built<Int<'ctx>> {
        self.around.push(container);
        if !is_listed(container) {
            return self.view(e, container);
        }
        let name = if container == Container::Tuple { ExactType::Tuple } else { ExactType::List };
        let object = self.of(e, name)?;
        let len = e.field::<64>(object, self.layout.length, "len")?;
        if let Some(wanted) = wanted {
            e.guard(e.equal(len, wanted.into())?)?;
        }
        self.cursors.enter(match container {
            Container::Tuple => Cursor { base: object, offset: self.layout.tuple_items },
            _ => Cursor { base: e.load_ptr(object, self.layout.list_items, "items")?, offset: 0 },
        });
        Ok(len)
    }

    /// Enters a container whose items a helper returns. A struct has as many items as the plan
    /// says.
    fn view(&mut self, e: &Emitter<'ctx, '_>, container: Container) -> Built<Int<'ctx>> {
        let object = self.value(e)?;
        let number = e.bits(abi::number(container).into());
        let base = e.call_helper(functions::VIEW, (e.source, object, number))?;
        e.guard(e.not_null(base)?)?;
        self.cursors.enter(Cursor { base, offset: 0 });
        match container {
            Container::Struct(_) => Ok(e.int(0)),
            _ => e.field::<64>(e.source, offset_of!(ObjectReaderContext, len) as u64, "len"),
        }
    }

    /// Reads `object`, which is of type `ty`: `read` reads it if it `is` of Python's class. If not, a helper may write
    /// its value into the context's components, and `load` loads it from there. Both return as many values.
    fn read_or_ask(
        &self,
        e: &Emitter<'ctx, '_>,
        (object, ty): (Pointer<'ctx>, Scalar),
        is: Bool<'ctx>,
        read: impl FnOnce() -> Built<Vec<Value<'ctx>>>,
        load: impl FnOnce(Pointer<'ctx>) -> Built<Vec<Value<'ctx>>>,
    ) -> Built<Vec<Value<'ctx>>> {
        if self.is_hashed() {
            e.guard(is)?;
            return read();
        }
        let (plain, other, join) = (e.block("plain"), e.block("other"), e.block("read"));
        e.branch_likely(is, plain, other)?;
        e.switch_to_block(plain);
        let of_plain = read()?;
        let plain = e.here()?;
        e.jump(join)?;
        e.switch_to_block(other);
        let number = e.int(abi::scalar_number(ty) as u64);
        e.guard(e.ask_helper(functions::READ_SCALAR, (e.source, object, number))?)?;
        let of_other = load(self.components(e)?)?;
        let other = e.here()?;
        e.jump(join)?;
        e.switch_to_block(join);
        e.phis(&[(of_plain, plain), (of_other, other)])
    }

    /// Whether the next value is in a set or a map. There plain values may become equal, which only the interpreter's
    /// caller sees.
    fn is_hashed(&self) -> bool {
        self.around.iter().any(|of| !is_listed(*of) && !matches!(of, Container::Struct(_)))
    }

    /// Returns the place of the context's components.
    fn components(&self, e: &Emitter<'ctx, '_>) -> Built<Pointer<'ctx>> {
        e.at(e.source, offset_of!(ObjectReaderContext, components) as u64)
    }

    /// Returns the index of the member of enum `table` that `object` is, or [`abi::NO_MEMBER`].
    fn index(&self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>, table: u32) -> Built<Int<'ctx>> {
        e.call_helper(functions::MEMBER_OF, (e.source, object, e.bits(table.into())))
    }

    fn digit(&self, e: &Emitter<'ctx, '_>, int: Pointer<'ctx>, n: u64) -> Built<Int<'ctx>> {
        e.widen(e.field::<32>(int, self.layout.int_digits + 4 * n, "digit")?)
    }

    /// Reads an int of Python.
    fn int(&self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>) -> Built<Int<'ctx>> {
        let size = e.field::<64>(object, self.layout.length, "size")?;
        let first = self.digit(e, object, 0)?;
        // A number without digits still has memory for a first digit. It is loaded and multiplied
        // by zero.
        let (sign, is_small) = if self.layout.tagged_ints {
            (e.sub(e.int(1), e.mask(size, 3)?)?, e.ult(size, 2 << 3)?)
        } else {
            (size, e.ult(e.add(size, e.int(1))?, 3)?)
        };
        let (small, large, join) = (e.block("small"), e.block("large"), e.block("int"));
        e.branch_likely(is_small, small, large)?;
        e.switch_to_block(small);
        let one = e.mul(sign, first)?;
        e.jump(join)?;

        e.switch_to_block(large);
        let (sign, digits) = if self.layout.tagged_ints {
            (sign, e.shr(size, 3, false)?)
        } else {
            // 2, -2 or beyond. The upper bits are the sign.
            let sign = e.or(e.shr(size, 63, true)?, e.int(1))?;
            (sign, e.mul(size, sign)?)
        };
        let (two, three) = (e.block("two"), e.block("three"));
        let second = self.digit(e, object, 1)?;
        let low = e.or(e.shl(second, e.int(30))?, first)?;
        e.branch(e.ult(digits, 3)?, two, three)?;
        e.switch_to_block(two);
        let of_two = e.mul(sign, low)?;
        e.jump(join)?;

        e.switch_to_block(three);
        e.guard(e.ult(digits, 4)?)?;
        let third = self.digit(e, object, 2)?;
        // If the third digit has more than three bits, the number may be too large for an i64.
        e.guard(e.ult(third, 1 << 3)?)?;
        let of_three = e.mul(sign, e.or(e.shl(third, e.int(60))?, low)?)?;
        let three = e.here()?;
        e.jump(join)?;
        e.switch_to_block(join);
        e.phi(&[(one, small), (of_two, two), (of_three, three)])
    }

    /// Prefetches a later row and the fields of a nearer one, if there are many rows.
    fn prefetch(&self, e: &Emitter<'ctx, '_>, rows: Pointer<'ctx>, row: Int<'ctx>) -> Built {
        let ahead =
            e.field::<64>(e.source, offset_of!(ObjectReaderContext, ahead) as u64, "ahead")?;
        let later = e.add(row, e.int(ROW_AHEAD))?;
        let (fetch, done) = (e.block("fetch"), e.block("fetched"));
        e.branch(e.compare(IntPredicate::ULT, later, ahead)?, fetch, done)?;
        e.switch_to_block(fetch);
        let place = e.beyond(rows, e.mul(row, e.int(POINTER))?)?;
        let object = e.load_ptr(place, ROW_AHEAD * POINTER, "later")?;
        // A tuple of nine fields spans two cache lines.
        e.prefetch(object)?;
        e.prefetch(e.at(object, 64)?)?;
        if !self.ahead.is_empty() {
            let object = e.load_ptr(place, FIELDS_AHEAD * POINTER, "soon")?;
            let (tuple, fields) = (e.block("tuple"), e.block("fields"));
            e.branch(self.is(e, object, ExactType::Tuple)?, tuple, done)?;
            e.switch_to_block(tuple);
            let len = e.field::<64>(object, self.layout.length, "len")?;
            e.branch(e.equal(len, self.fields.into())?, fields, done)?;
            e.switch_to_block(fields);
            for (i, &reaches) in self.ahead.iter().enumerate() {
                let offset = self.layout.tuple_items + i as u64 * POINTER;
                let field = e.load_ptr(object, offset, "field")?;
                e.prefetch(field)?;
                if reaches {
                    // The text of a string.
                    e.prefetch(e.at(field, 48)?)?;
                }
            }
        }
        e.jump(done)?;
        e.switch_to_block(done);
        Ok(())
    }
}

/// Returns the first int of the components at `place`.
fn first_int<'ctx>(e: &Emitter<'ctx, '_>, place: Pointer<'ctx>) -> Built<Int<'ctx>> {
    e.field::<64>(place, offset_of!(ComponentsContext, ints) as u64, "value")
}

/// Returns for each of the first fields of a row whether an object of its type is larger than a
/// number.
fn reaches(plan: &Plan) -> Vec<bool> {
    let mut reaches = Vec::new();
    let (mut at, mut depth) = (1, 0);
    // Only fields of the row itself count: those at depth zero.
    while reaches.len() < FIELDS && !(depth == 0 && plan.ops[at] == Op::Leave) {
        let (count, large) = match plan.ops[at] {
            Op::I64 { count, .. }
            | Op::F64 { count, .. }
            | Op::Bool { count, .. }
            | Op::Null { count } => (count, false),
            Op::Str { count, .. } => (count, true),
            Op::Leave => {
                depth -= 1;
                at += 1;
                continue;
            }
            _ => (1, true),
        };
        if depth == 0 {
            let room = FIELDS - reaches.len();
            reaches.extend(std::iter::repeat_n(large, (count as usize).min(room)));
        }
        at = match plan.ops[at] {
            Op::Enter { .. } => {
                depth += 1;
                at + 1
            }
            Op::Optional { end, .. } | Op::Sequence { end, .. } => end as usize,
            // The end of a union is only found by walking its arms, so stop here.
            Op::Union { .. } => break,
            _ => at + 1,
        };
    }
    reaches
}

impl<'ctx> SsaState<'ctx> for EmittedObjectReader<'ctx> {
    fn fixed(&self) -> Vec<Value<'ctx>> {
        self.cursors.fixed()
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.cursors.set_fixed(fixed);
    }
}

impl<'ctx> Source<'ctx> for EmittedObjectReader<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, row: Int<'ctx>, _done: Int<'ctx>) -> Built {
        let rows = e.load_ptr(e.source, offset_of!(ObjectReaderContext, rows) as u64, "rows")?;
        self.prefetch(e, rows, row)?;
        self.cursors.begin(e, rows, row)?;
        if self.has_views {
            e.store(e.at(e.source, offset_of!(ObjectReaderContext, viewed) as u64)?, e.int(0))?;
        }
        Ok(())
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let object = self.value(e)?;
        let is = self.is(e, object, ExactType::Int)?;
        let values = self.read_or_ask(
            e,
            (object, Scalar::I64),
            is,
            || Ok(vec![self.int(e, object)?.into()]),
            |place| Ok(vec![first_int(e, place)?.into()]),
        )?;
        Int::of(values[0])
    }

    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Int<'ctx>> {
        let object = self.value(e)?;
        let is = self.is(e, object, ExactType::Float)?;
        let values = self.read_or_ask(
            e,
            (object, Scalar::F64),
            is,
            || Ok(vec![e.field::<64>(object, self.layout.length, "bits")?.into()]),
            |place| Ok(vec![first_int(e, place)?.into()]),
        )?;
        Int::of(values[0])
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Text<'ctx>> {
        let object = self.value(e)?;
        let is = self.is(e, object, ExactType::Str)?;
        let values = self.read_or_ask(
            e,
            (object, Scalar::Str),
            is,
            || {
                let state = e.field::<32>(object, self.layout.str_state, "state")?;
                let ascii = self.layout.ascii.into();
                e.guard(e.equal(e.mask(state, ascii)?, ascii)?)?;
                let len = e.field::<64>(object, self.layout.length, "len")?;
                Ok(vec![e.at(object, self.layout.ascii_text)?.into(), len.into()])
            },
            |place| {
                let bytes =
                    e.load_ptr(place, offset_of!(ComponentsContext, bytes) as u64, "bytes")?;
                let len = e.field::<64>(place, offset_of!(ComponentsContext, len) as u64, "len")?;
                Ok(vec![bytes.into(), len.into()])
            },
        )?;
        let (bytes, len) = (values[0].into_pointer_value(), Int::of(values[1])?);
        Ok(Text { bytes, len, in_object: true, ascii: None })
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        _is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        match ty.sized_int() {
            // A larger integer than `i64` has needs the helper.
            None | Some(Number::U64) => {}
            Some(of) => {
                let v = self.i64(e, at.int)?;
                e.guard_int(v, of)?;
                return Ok(EmittedComponents::of_int(v));
            }
        }
        if ty == Logical::F32 {
            let v = self.f64(e, at.float)?;
            e.narrow_float(v)?;
            return Ok(EmittedComponents::of_float(v));
        }
        let object = self.value(e)?;
        let read = match self.is_hashed() {
            true => e.ask_helper(functions::READ_LOGICAL, (e.source, object, e.int(ty as u64))),
            false => {
                let number = e.int(abi::scalar_number(Scalar::Logical(ty)) as u64);
                e.ask_helper(functions::READ_SCALAR, (e.source, object, number))
            }
        };
        e.guard(read?)?;
        EmittedComponents::load(e, ty, self.components(e)?)
    }

    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        let object = self.value(e)?;
        let yes = e.same(object, e.external(abi::TRUE))?;
        let no = e.same(object, e.external(abi::FALSE))?;
        let values = self.read_or_ask(
            e,
            (object, Scalar::Bool),
            e.or(yes, no)?,
            || Ok(vec![yes.into()]),
            |place| Ok(vec![e.not(e.equal(first_int(e, place)?, 0)?)?.into()]),
        )?;
        Bool::of(values[0])
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        let object = self.value(e)?;
        e.guard(e.same(object, e.external(abi::NONE))?)
    }

    fn present(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        let object = self.peek(e)?;
        e.not(e.same(object, e.external(abi::NONE))?)
    }

    /// A missing field is null.
    fn has_field(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32) -> Built<Bool<'ctx>> {
        e.not_null(self.peek(e)?)
    }

    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        table: u32,
        members: u32,
        _column: u32,
    ) -> Built<Int<'ctx>> {
        let object = self.value(e)?;
        let index = self.index(e, object, table)?;
        e.guard(e.ult(index, members.into())?)?;
        Ok(index)
    }

    fn enter(&mut self, e: &Emitter<'ctx, '_>, container: Container, len: u32) -> Built {
        self.step_in(e, container, Some(len))?;
        Ok(())
    }

    fn leave(&mut self) {
        self.around.pop();
        self.cursors.leave();
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        container: Container,
        _column: u32,
        _zero_sized: bool,
    ) -> Built<Int<'ctx>> {
        let len = self.step_in(e, container, None)?;
        self.cursors.begin_sequence(e, items_of(container))?;
        Ok(len)
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        self.cursors.element(e, index)
    }

    fn leave_sequence(&mut self) {
        self.around.pop();
        self.cursors.leave_sequence();
    }

    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        arms: &[Arm],
        _column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built {
        let object = self.peek(e)?;
        let ty = e.load_ptr(object, self.layout.ty, "type")?;
        for (arm, &block) in arms.iter().zip(blocks) {
            let other = e.block("");
            let has = |wanted: ExactType| e.same(ty, e.external(abi::symbol(wanted)));
            let is = match ClassTest::of(arm.class) {
                ClassTest::Type(wanted) => has(wanted)?,
                ClassTest::TupleOf(len) => {
                    let tuple = e.block("tuple");
                    e.branch(has(ExactType::Tuple)?, tuple, other)?;
                    e.switch_to_block(tuple);
                    e.equal(e.field::<64>(object, self.layout.length, "len")?, len.into())?
                }
                ClassTest::Bool => {
                    let yes = e.same(object, e.external(abi::TRUE))?;
                    let no = e.same(object, e.external(abi::FALSE))?;
                    e.or(yes, no)?
                }
                ClassTest::Logical(wanted) => {
                    e.ask_helper(functions::IS_LOGICAL, (object, e.int(wanted as u64)))?
                }
                ClassTest::Record(table) => {
                    let table = e.bits(table.into());
                    e.ask_helper(functions::IS_RECORD, (e.source, object, table))?
                }
                ClassTest::Member(table) => {
                    let index = self.index(e, object, table)?;
                    e.not(e.equal(index, abi::NO_MEMBER as u64)?)?
                }
            };
            e.branch(is, block, other)?;
            e.switch_to_block(other);
        }
        e.jump(e.bailout)
    }
}
