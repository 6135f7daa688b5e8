//! Python objects as a sink.
//!
//! Emitted code makes ints of up to 60 bits, floats, ASCII strings of up to 64 bytes and tuples of
//! a few fields; helpers make larger objects. A new container is stored in its place at once, with
//! null items, so that a half-made row is one object, which the sink drops after a bailout. A
//! container other than a list or tuple is a tuple of its items until they are complete; then a
//! helper builds it. As in `crates/py/src/layout/container.rs`, a container is tracked by the
//! garbage collector once it is complete, if at all.

mod objects;

use std::mem::offset_of;

use objects::{DIGIT, SHORT};
use serow_core::layout::objects::{ExactType, ObjectWriterContext};
use serow_core::layout::{ComponentsContext, NO_ENTRY};
use serow_core::plan::ComponentColumns;
use serow_core::schema::{Container, Logical};

use super::abi::{self, CPython, functions};
use super::is_listed;
use crate::emit::cursor_stack::{Cursor, CursorStack};
use crate::emit::layout::{
    Bytes, EmittedComponents, MostValues, Sequence, Sink, SsaState, Text, items_of,
};
use crate::ir::{Bool, Built, Emitter, Helper, Int, Pointer, Returned, Signature, Value};

const ROWS: u64 = offset_of!(ObjectWriterContext, rows) as u64;
const DONE: u64 = offset_of!(ObjectWriterContext, done) as u64;
const DICTIONARIES: u64 = offset_of!(ObjectWriterContext, dictionaries) as u64;
/// The size of a pointer.
const POINTER: u64 = 8;
const PAGE: u64 = 4096;
/// Emitted code makes tuples of up to this many fields.
const FEW: u32 = 16;

/// A container under construction.
#[derive(Clone, Copy)]
struct Open<'ctx> {
    object: Pointer<'ctx>,
    container: Container,
    /// Whether to track it with the garbage collector.
    track: bool,
}

#[derive(Clone)]
pub(in crate::emit) struct EmittedObjectWriter<'ctx> {
    layout: &'ctx CPython,
    rows: Pointer<'ctx>,
    cursors: CursorStack<'ctx>,
    /// The containers around the current value, outermost first.
    open: Vec<Open<'ctx>>,
    /// Which string of a run is written, if a loop writes it.
    run_item: Option<Int<'ctx>>,
}

impl<'ctx> EmittedObjectWriter<'ctx> {
    pub(in crate::emit) fn new(
        e: &Emitter<'ctx, '_>,
        layout: &'ctx CPython,
    ) -> EmittedObjectWriter<'ctx> {
        let (rows, cursors) = (e.null(), CursorStack::new(e, POINTER));
        EmittedObjectWriter { layout, rows, cursors, open: Vec::new(), run_item: None }
    }

    /// Stores a new reference at the current place and moves past it.
    fn put(&mut self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>) -> Built {
        e.store(self.cursors.here(e)?, object)?;
        self.cursors.step();
        Ok(())
    }

    /// Takes a reference to an object that may be shared.
    fn incref(&self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>) -> Built {
        if !self.layout.making.immortal {
            let count = e.field::<64>(object, 0, "count")?;
            return e.store(object, e.add(count, e.int(1))?);
        }
        let (mortal, done) = (e.block("mortal"), e.block("counted"));
        let count = e.field::<32>(object, 0, "count")?;
        e.branch(e.ult(count, 1 << 31)?, mortal, done)?;
        e.switch_to_block(mortal);
        e.store(object, e.add(count, e.bits::<32>(1))?)?;
        e.jump(done)?;
        e.switch_to_block(done);
        Ok(())
    }

    /// Stores a reference to one of CPython's singletons.
    fn put_shared(&mut self, e: &Emitter<'ctx, '_>, object: Pointer<'ctx>) -> Built {
        if !self.layout.making.immortal {
            self.incref(e, object)?;
        }
        self.put(e, object)
    }

    /// Calls a helper that makes an object. Bails out if it returns null.
    fn made<F>(
        &self,
        e: &Emitter<'ctx, '_>,
        helper: Helper<F>,
        arguments: F::Arguments<'ctx>,
    ) -> Built<Pointer<'ctx>>
    where
        F: Signature<Returned: Returned<Emitted<'ctx> = Pointer<'ctx>>>,
    {
        let object = e.call_helper(helper, arguments)?;
        e.guard(e.not_null(object)?)?;
        Ok(object)
    }

    /// Stores a new container, or the tuple of its items, at the current place and enters it.
    fn step_in(
        &mut self,
        e: &Emitter<'ctx, '_>,
        object: Pointer<'ctx>,
        container: Container,
        track: bool,
    ) -> Built {
        self.put(e, object)?;
        self.open.push(Open { object, container, track });
        self.cursors.enter(match container {
            Container::List => {
                Cursor { base: e.load_ptr(object, self.layout.list_items, "items")?, offset: 0 }
            }
            _ => Cursor { base: object, offset: self.layout.tuple_items },
        });
        Ok(())
    }

    /// Completes the container that was left.
    fn end(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        let Some(Open { object, container, track }) = self.open.pop() else { return Ok(()) };
        if !is_listed(container) {
            let place = self.cursors.before(e)?;
            // The helper takes over the tuple, even if it fails.
            e.store(place, e.null())?;
            let number = e.bits(abi::number(container).into());
            let arguments = (e.sink, object, number, e.bits((!track).into()));
            return e.store(place, self.made(e, functions::BUILD, arguments)?);
        }
        if track {
            e.call_helper(functions::TRACK, (object,))?;
        }
        Ok(())
    }
}

impl<'ctx> SsaState<'ctx> for EmittedObjectWriter<'ctx> {
    fn fixed(&self) -> Vec<Value<'ctx>> {
        self.cursors.fixed()
    }

    fn set_fixed(&mut self, fixed: &[Value<'ctx>]) {
        self.cursors.set_fixed(fixed);
    }

    fn begin(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.rows = e.load_ptr(e.sink, ROWS, "rows")?;
        Ok(())
    }

    fn finish(&self, e: &Emitter<'ctx, '_>, _state: &[Value<'ctx>], done: Int<'ctx>) -> Built {
        e.store(e.at(e.sink, DONE)?, done)
    }
}

impl<'ctx> Sink<'ctx> for EmittedObjectWriter<'ctx> {
    fn row(&mut self, e: &Emitter<'ctx, '_>, done: Int<'ctx>, _most: MostValues) -> Built {
        self.cursors.begin(e, self.rows, done)?;
        e.store(self.cursors.here(e)?, e.int(0))
    }

    fn end_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }

    fn is_built(&self, container: Container) -> bool {
        !is_listed(container)
    }

    fn has_runs(&self) -> bool {
        true
    }

    fn run_item(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        self.run_item = Some(index);
        self.cursors.run_item(e, index)
    }

    fn end_run(&mut self, count: u32) {
        self.run_item = None;
        self.cursors.end_run(count);
    }

    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32, v: Int<'ctx>) -> Built {
        let making = &self.layout.making;
        let [small, other, short, long, join] =
            ["small", "other", "short", "long", "int"].map(|name| e.block(name));
        let index = e.sub(v, e.int(making.smallest_int as u64))?;
        e.branch(e.ult(index, making.small_ints)?, small, other)?;
        e.switch_to_block(small);
        let place = e.beyond(e.external(abi::SMALL_INTS), e.mul(index, e.int(POINTER))?)?;
        let shared = e.load_ptr(place, 0, "int")?;
        if !making.immortal {
            self.incref(e, shared)?;
        }
        let shared_end = e.here()?;
        e.jump(join)?;

        e.switch_to_block(other);
        let two_digits = 1 << (2 * DIGIT);
        let fits = e.ult(e.add(v, e.int(two_digits - 1))?, 2 * two_digits - 1)?;
        e.branch_likely(fits, short, long)?;
        e.switch_to_block(short);
        let new = self.int(e, v)?;
        let new_end = e.here()?;
        e.jump(join)?;
        e.switch_to_block(long);
        let large = self.made(e, functions::MAKE_INT, (v,))?;
        let large_end = e.here()?;
        e.jump(join)?;
        e.switch_to_block(join);
        let object = e.phi(&[(shared, shared_end), (new, new_end), (large, large_end)])?;
        self.put(e, object)
    }

    fn f64(&mut self, e: &Emitter<'ctx, '_>, _column: u32, v: Int<'ctx>) -> Built {
        let size = e.int(self.layout.length + 8);
        let object = self.allocate(e, size, ExactType::Float)?;
        e.store(e.at(object, self.layout.length)?, v)?;
        self.put(e, object)
    }

    fn str(&mut self, e: &mut Emitter<'ctx, '_>, _column: u32, v: Text<'ctx>) -> Built {
        let Some(ascii) = v.ascii else {
            let any = self.made(e, functions::MAKE_STR, (v.bytes, v.len))?;
            return self.put(e, any);
        };
        let [short, other, join] = ["short", "other", "str"].map(|name| e.block(name));
        // This also reads up to six bytes after the text, in the same page. The empty string and
        // single characters are shared objects.
        let in_page = e.ult(e.mask(e.address(v.bytes)?, PAGE - 1)?, PAGE - 8 + 1)?;
        let is_short = e.ult(e.sub(v.len, e.int(2))?, SHORT - 1)?;
        e.branch_likely(e.and(e.and(is_short, in_page)?, ascii)?, short, other)?;
        e.switch_to_block(short);
        let new = self.short_str(e, v.bytes, v.len)?;
        let new_end = e.here()?;
        e.jump(join)?;
        e.switch_to_block(other);
        let any = self.made(e, functions::MAKE_STR, (v.bytes, v.len))?;
        let any_end = e.here()?;
        e.jump(join)?;
        e.switch_to_block(join);
        let object = e.phi(&[(new, new_end), (any, any_end)])?;
        self.put(e, object)
    }

    fn entry(&mut self, e: &Emitter<'ctx, '_>, column: u32, code: Int<'ctx>) -> Built {
        let dictionaries = e.load_ptr(e.sink, DICTIONARIES, "dictionaries")?;
        let dictionaries = match self.run_item {
            Some(index) => e.beyond(dictionaries, e.mul(index, e.int(POINTER))?)?,
            None => dictionaries,
        };
        let entries = e.load_ptr(dictionaries, u64::from(column) * POINTER, "entries")?;
        let place = e.beyond(entries, e.mul(code, e.int(POINTER))?)?;
        let object = e.load_ptr(place, 0, "entry")?;
        self.incref(e, object)?;
        self.put(e, object)
    }

    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        components: EmittedComponents<'ctx>,
    ) -> Built {
        match (ty, &components.ints[..], &components.floats[..]) {
            (Logical::F32, _, &[v]) => return self.f64(e, at.float, v),
            // A larger integer than `i64` has needs the helper.
            (Logical::U64, ..) => {}
            (ty, &[v], _) if ty.sized_int().is_some() => return self.i64(e, at.int, v),
            _ => {}
        }
        let place = e.at(e.sink, offset_of!(ObjectWriterContext, components) as u64)?;
        components.store_numbers(e, place)?;
        match components.bytes {
            None => {}
            Some(Bytes::Plain(Text { bytes, len, .. })) => {
                e.store(e.at(place, offset_of!(ComponentsContext, bytes) as u64)?, bytes)?;
                e.store(e.at(place, offset_of!(ComponentsContext, len) as u64)?, len)?;
                e.store(
                    e.at(place, offset_of!(ComponentsContext, entry) as u64)?,
                    e.int(NO_ENTRY),
                )?;
            }
            Some(Bytes::Entry(code)) => {
                e.store(e.at(place, offset_of!(ComponentsContext, entry) as u64)?, code)?;
            }
        }
        let column = e.int(at.str.into());
        let arguments = (e.sink, e.int(ty as u64), column);
        let object = self.made(e, functions::MAKE_LOGICAL, arguments)?;
        self.put(e, object)
    }

    fn bool(&mut self, e: &Emitter<'ctx, '_>, _column: u32, v: Bool<'ctx>) -> Built {
        let object = e.select(v, e.external(abi::TRUE), e.external(abi::FALSE))?;
        self.put_shared(e, object)
    }

    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.put_shared(e, e.external(abi::NONE))
    }

    fn present(&mut self, _e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        Ok(())
    }

    fn absent(&mut self, e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        self.null(e)
    }

    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        table: u32,
        _column: u32,
        index: Int<'ctx>,
    ) -> Built {
        let arguments = (e.sink, index, e.bits(table.into()));
        let object = self.made(e, functions::MAKE_MEMBER, arguments)?;
        self.put(e, object)
    }

    fn has_field(&mut self, _e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        Ok(())
    }

    /// The place of a missing field stays null.
    fn lacks_field(&mut self, _e: &Emitter<'ctx, '_>, _column: u32) -> Built {
        self.cursors.step();
        Ok(())
    }

    fn enter(
        &mut self,
        e: &Emitter<'ctx, '_>,
        container: Container,
        len: u32,
        acyclic: bool,
    ) -> Built {
        let count = e.int(len.into());
        let (behind, function) = match container {
            Container::List => (0, functions::MAKE_LIST),
            Container::Tuple => (0, functions::MAKE_TUPLE),
            _ => (POINTER, functions::MAKE_ITEMS),
        };
        let object = match container {
            Container::List => self.made(e, function, (count,))?,
            _ if (1..=FEW).contains(&len) => self.small_tuple(e, len, behind)?,
            _ => self.made(e, function, (count,))?,
        };
        self.step_in(e, object, container, !acyclic)
    }

    fn leave(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.cursors.leave();
        self.end(e)
    }

    fn field(&mut self, index: u32) {
        self.cursors.next.offset = self.layout.tuple_items + u64::from(index) * POINTER;
    }

    fn int_of_i64(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _at: ComponentColumns,
        v: Int<'ctx>,
    ) -> Built {
        self.i64(e, 0, v)
    }

    fn sequence_of(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _column: u32,
        container: Container,
        len: u32,
        acyclic: bool,
    ) -> Built {
        self.enter(e, container, len * items_of(container) as u32, acyclic)
    }

    fn leave_sequence_of(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.leave(e)
    }

    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _column: u32,
        Sequence { container, len, acyclic, .. }: Sequence<'ctx>,
    ) -> Built {
        let function = match container {
            Container::List => functions::MAKE_LIST,
            _ => functions::MAKE_TUPLE,
        };
        let items = items_of(container);
        let len = if items > 1 { e.mul(len, e.int(items))? } else { len };
        let object = self.made(e, function, (len,))?;
        self.step_in(e, object, container, !acyclic)?;
        self.cursors.begin_sequence(e, items)
    }

    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built {
        self.cursors.element(e, index)
    }

    fn leave_sequence(&mut self, e: &Emitter<'ctx, '_>) -> Built {
        self.cursors.leave_sequence();
        self.end(e)
    }

    fn arm(&mut self, _e: &Emitter<'ctx, '_>, _column: u32, _arm: usize) -> Built {
        Ok(())
    }
}
