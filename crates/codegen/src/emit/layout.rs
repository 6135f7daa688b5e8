//! The traits of emitted layouts, the counterparts of core's [`Source`](serow_core::layout::Source) and
//! [`Sink`](serow_core::layout::Sink).
//!
//! A layout keeps what it knows while code is emitted, such as the number of items read from a
//! tuple, in its own fields. What it knows only at run time is in emitted values: its *state*
//! changes from value to value, and its *fixed* values stay the same within a container. It lists
//! both, so that the walk over the plan can join the state after a branch and pass everything to
//! another function.

use std::mem::offset_of;

use serow_core::layout::ComponentsContext;
use serow_core::plan::{Arm, ComponentColumns};
use serow_core::schema::{Container, Logical};

use super::emitter::{Block, Built, Emitter};
use super::value::{Bool, Int, Pointer, Value};

/// The size of a part that is a number.
const WORD: usize = 8;

/// The most space that the scalars and strings of a row or an element take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Need {
    /// The plan's bound of bytes, without those of strings.
    pub(crate) bound: u64,
    /// The number of strings.
    pub(crate) strs: u64,
    /// Whether it has a sequence, whose elements are not counted.
    pub(crate) sequences: bool,
}

/// Text on its way from a source to a sink: generalised UTF-8, which stays in place until the sink's
/// `exit_jit`.
#[derive(Clone, Copy)]
pub(crate) struct Text<'ctx> {
    pub(crate) bytes: Pointer<'ctx>,
    pub(crate) len: Int<'ctx>,
    /// Whether it is inside an object, so that its address is readable even if it is empty.
    pub(crate) in_object: bool,
    /// Whether it is ASCII, if that is known.
    pub(crate) ascii: Option<Bool<'ctx>>,
}

/// The parts of a value: as many as its type has.
pub(crate) struct EmittedComponents<'ctx> {
    pub(crate) ints: Vec<Int<'ctx>>,
    /// The bits of floats.
    pub(crate) floats: Vec<Int<'ctx>>,
    pub(crate) bytes: Option<Bytes<'ctx>>,
}

impl<'ctx> EmittedComponents<'ctx> {
    /// EmittedComponents that stand at `place` in memory, as a [`ComponentsContext`].
    pub(crate) fn load(e: &Emitter<'ctx, '_>, ty: Logical, place: Pointer<'ctx>) -> Built<Self> {
        let counts = ty.counts();
        let word = |first: usize, n: usize| e.field::<64>(place, (first + n * WORD) as u64, "part");
        let bytes = match counts.bytes {
            0 => None,
            _ => Some(Bytes::Plain(Text {
                bytes: e.load_ptr(place, offset_of!(ComponentsContext, bytes) as u64, "bytes")?,
                len: e.field::<64>(place, offset_of!(ComponentsContext, len) as u64, "len")?,
                in_object: false,
                ascii: None,
            })),
        };
        let ints = (0..counts.ints).map(|n| word(offset_of!(ComponentsContext, ints), n));
        let floats = (0..counts.floats).map(|n| word(offset_of!(ComponentsContext, floats), n));
        Ok(EmittedComponents {
            ints: ints.collect::<Built<_>>()?,
            floats: floats.collect::<Built<_>>()?,
            bytes,
        })
    }

    /// Have the numbers among the parts stand at `place`.
    pub(crate) fn store_numbers(&self, e: &Emitter<'ctx, '_>, place: Pointer<'ctx>) -> Built {
        let numbers = [
            (offset_of!(ComponentsContext, ints), &self.ints),
            (offset_of!(ComponentsContext, floats), &self.floats),
        ];
        for (first, parts) in numbers {
            for (n, &part) in parts.iter().enumerate() {
                e.store(e.at(place, (first + n * WORD) as u64)?, part)?;
            }
        }
        Ok(())
    }
}

/// Bytes that are no text.
#[derive(Clone, Copy)]
pub(crate) enum Bytes<'ctx> {
    Plain(Text<'ctx>),
    /// The entry of this code of the column's dictionary.
    Entry(Int<'ctx>),
}

impl<'ctx> Bytes<'ctx> {
    /// No bytes.
    pub(crate) fn none(e: &Emitter<'ctx, '_>) -> Self {
        // Nothing is read there.
        let (bytes, len) = (e.source, e.int(0));
        Bytes::Plain(Text { bytes, len, in_object: false, ascii: Some(e.bool(true)) })
    }
}

/// A sequence that begins.
#[derive(Clone, Copy)]
pub(crate) struct Sequence<'ctx> {
    pub(crate) container: Container,
    pub(crate) len: Int<'ctx>,
    /// Whether it can't be part of a reference cycle.
    pub(crate) acyclic: bool,
    /// What each of its elements needs.
    pub(crate) need: Need,
}

/// The values that an element of a sequence is made of: a map's are a key and its value.
pub(super) fn items_of(container: Container) -> u64 {
    if container == Container::Map { 2 } else { 1 }
}

/// The emitted values of a layout. The default methods of this and of the other traits do nothing.
pub(crate) trait Live<'ctx> {
    /// Those that change.
    fn state(&self) -> Vec<Value<'ctx>> {
        Vec::new()
    }
    /// Continue from other values of the same number and types.
    fn set_state(&mut self, _state: &[Value<'ctx>]) {}
    /// Those that stay the same within one container.
    fn fixed(&self) -> Vec<Value<'ctx>>;
    /// The same in another function.
    fn set_fixed(&mut self, fixed: &[Value<'ctx>]);
    /// In a function's first block: load what the context holds.
    fn begin(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Give back `state`, of the beginning of the first row that was not converted, after `done` rows.
    fn finish(&self, _e: &Emitter<'ctx, '_>, _state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        Ok(())
    }
}

/// Where rows are read from. Every method may emit a side exit.
pub(crate) trait Source<'ctx>: Live<'ctx> + Clone {
    /// Stand before the first value of row `row`, after `done` rows.
    fn row(&mut self, e: &Emitter<'ctx, '_>, row: Int<'ctx>, done: Int<'ctx>) -> Built;
    /// After the last value of a row, before the sink ends it.
    fn check_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Before a helper builds a value, which may run the caller's code: check that the values read
    /// belong to the row.
    fn check_values(&self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// End a row that is known to be valid. This emits no side exit.
    fn end_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Whether values that nobody wants are just not read.
    fn skips_freely(&self) -> bool {
        false
    }
    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>>;
    /// The bits of a float.
    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>>;
    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Text<'ctx>>;
    /// Read bytes that are no text.
    fn bytes(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Text<'ctx>> {
        self.str(e, column)
    }
    /// Read a value that is made of parts; its bytes are an entry of a dictionary if `is_entry`.
    /// Layouts that carry the parts leave this as it is.
    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        let counts = ty.counts();
        let ints = (at.int..).take(counts.ints);
        let floats = (at.float..).take(counts.floats);
        Ok(EmittedComponents {
            ints: ints.map(|column| self.i64(e, column)).collect::<Built<_>>()?,
            floats: floats.map(|column| self.f64(e, column)).collect::<Built<_>>()?,
            bytes: match (counts.bytes, is_entry) {
                (0, _) => None,
                (_, false) => Some(Bytes::Plain(self.bytes(e, at.str)?)),
                (_, true) => Some(Bytes::Entry(self.code(e, at.str)?)),
            },
        })
    }
    /// Whether the values of a column of strings are entries of a dictionary, which the
    /// sink has been given. There is none where that can't be.
    fn has_dictionary(&self, e: &Emitter<'ctx, '_>, column: u32) -> Built<Option<Bool<'ctx>>> {
        let _ = (e, column);
        Ok(None)
    }
    /// The code of such a value.
    fn code(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        let _ = column;
        e.guard(e.bool(false))?;
        Ok(e.int(0))
    }
    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>>;
    fn null(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Read the index of a member of the enum that is `table` in the plan, of `members`.
    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _table: u32,
        members: u32,
        column: u32,
    ) -> Built<Int<'ctx>> {
        let index = self.i64(e, column)?;
        e.guard(e.ult(index, members.into())?)?;
        Ok(index)
    }
    /// Whether a value follows.
    fn present(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>>;
    /// Whether the next field of a dict is there.
    fn has_field(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>> {
        self.present(e, column)
    }
    fn enter(&mut self, _e: &Emitter<'ctx, '_>, _container: Container, _len: u32) -> Built {
        Ok(())
    }
    fn leave(&mut self) {}
    /// Step into a sequence and give its number of elements.
    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        container: Container,
        column: u32,
        zero_sized: bool,
    ) -> Built<Int<'ctx>>;
    /// Stand before element `index` of the innermost sequence.
    fn element(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }
    fn leave_sequence(&mut self) {}
    /// End the block with a branch to that of the arm that the next value belongs to.
    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        arms: &[Arm],
        column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built;
}

/// Where rows are written to. Every method may emit a side exit.
pub(crate) trait Sink<'ctx>: Live<'ctx> + Clone {
    /// Begin a row, after `done` rows.
    fn row(&mut self, e: &Emitter<'ctx, '_>, done: Int<'ctx>, need: Need) -> Built;
    fn end_row(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    /// Whether containers of this kind are built of their values once those are there.
    fn is_built(&self, _container: Container) -> bool {
        false
    }
    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built;
    /// The bits of a float.
    fn f64(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built;
    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Text<'ctx>) -> Built;
    /// Write the entry of this code of a column's dictionary.
    fn entry(&mut self, e: &Emitter<'ctx, '_>, column: u32, code: Int<'ctx>) -> Built {
        let _ = (column, code);
        e.guard(e.bool(false))
    }
    /// Write a value that is made of parts. Layouts that carry the parts leave this as it is.
    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _ty: Logical,
        at: ComponentColumns,
        parts: EmittedComponents<'ctx>,
    ) -> Built {
        for (part, column) in parts.ints.into_iter().zip(at.int..) {
            self.i64(e, column, part)?;
        }
        for (part, column) in parts.floats.into_iter().zip(at.float..) {
            self.f64(e, column, part)?;
        }
        match parts.bytes {
            None => Ok(()),
            Some(Bytes::Plain(bytes)) => self.str(e, at.str, bytes),
            Some(Bytes::Entry(code)) => self.entry(e, at.str, code),
        }
    }
    fn bool(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Bool<'ctx>) -> Built;
    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    fn present(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built;
    fn absent(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built;
    /// Write the index of a member of the enum that is `table` in the plan.
    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _table: u32,
        column: u32,
        index: Int<'ctx>,
    ) -> Built {
        self.i64(e, column, index)
    }
    /// Say that the next field of a dict is there and follows.
    fn has_field(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.present(e, column)
    }
    /// Say that the next field of a dict is missing.
    fn lacks_field(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.absent(e, column)
    }
    /// Step into a container of `len` fields, which can't be part of a reference cycle if it is
    /// `acyclic`.
    fn enter(
        &mut self,
        e: &Emitter<'ctx, '_>,
        container: Container,
        len: u32,
        acyclic: bool,
    ) -> Built;
    fn leave(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Begin a sequence.
    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        column: u32,
        sequence: Sequence<'ctx>,
    ) -> Built;
    /// Begin element `index` of the innermost sequence.
    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built;
    fn leave_sequence(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    fn arm(&mut self, e: &Emitter<'ctx, '_>, column: u32, arm: usize) -> Built;
    /// Go on with field `index` of the innermost dict or record.
    fn field(&mut self, _index: u32) {}
    /// Write an integer of any size that is a 64-bit one.
    fn int_of_i64(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        at: ComponentColumns,
        v: Int<'ctx>,
    ) -> Built {
        let parts =
            EmittedComponents { ints: vec![v], floats: Vec::new(), bytes: Some(Bytes::none(e)) };
        self.logical(e, Logical::Int, at, parts)
    }
    /// Begin a sequence of `len` elements, which are then written one after another.
    fn sequence_of(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _column: u32,
        _container: Container,
        _len: u32,
        _acyclic: bool,
    ) -> Built {
        e.guard(e.bool(false))
    }
    fn leave_sequence_of(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
}
