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

use crate::ir::{Block, Bool, Built, Emitter, Int, Pointer, Value};

/// The size of a component that is a number.
const WORD: usize = 8;

/// The most values that a row or an element writes, without the elements of its sequences.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MostValues {
    pub(crate) ints: u64,
    pub(crate) floats: u64,
    pub(crate) strs: u64,
    pub(crate) bits: u64,
    /// Whether it has a sequence.
    pub(crate) has_sequences: bool,
}

/// Text that a source passes to a sink: generalised UTF-8, valid until the sink's `exit_jit`.
#[derive(Clone, Copy)]
pub(crate) struct Text<'ctx> {
    pub(crate) bytes: Pointer<'ctx>,
    pub(crate) len: Int<'ctx>,
    /// Whether it is inside an object, so that its address is readable even if it is empty.
    pub(crate) in_object: bool,
    /// Whether it is ASCII, if that is known.
    pub(crate) ascii: Option<Bool<'ctx>>,
}

/// The components of a value, as many as its type has.
pub(crate) struct EmittedComponents<'ctx> {
    pub(crate) ints: Vec<Int<'ctx>>,
    /// The bits of floats.
    pub(crate) floats: Vec<Int<'ctx>>,
    pub(crate) bytes: Option<Bytes<'ctx>>,
}

impl<'ctx> EmittedComponents<'ctx> {
    /// The components of a type that has one, an integer `v`.
    pub(crate) fn of_int(v: Int<'ctx>) -> Self {
        EmittedComponents { ints: vec![v], floats: Vec::new(), bytes: None }
    }

    /// The component of an `f32`. `v` holds the bits of the `f64` that equals it.
    pub(crate) fn of_float(v: Int<'ctx>) -> Self {
        EmittedComponents { ints: Vec::new(), floats: vec![v], bytes: None }
    }

    /// Loads components from a [`ComponentsContext`] at `place`.
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

    /// Stores the components that are numbers at `place`.
    pub(crate) fn store_numbers(&self, e: &Emitter<'ctx, '_>, place: Pointer<'ctx>) -> Built {
        let numbers = [
            (offset_of!(ComponentsContext, ints), &self.ints),
            (offset_of!(ComponentsContext, floats), &self.floats),
        ];
        for (first, components) in numbers {
            for (n, &part) in components.iter().enumerate() {
                e.store(e.at(place, (first + n * WORD) as u64)?, part)?;
            }
        }
        Ok(())
    }
}

/// Bytes that need not be text.
#[derive(Clone, Copy)]
pub(crate) enum Bytes<'ctx> {
    Plain(Text<'ctx>),
    /// The dictionary entry of the column with this code.
    Entry(Int<'ctx>),
}

impl<'ctx> Bytes<'ctx> {
    /// Returns empty bytes.
    pub(crate) fn none(e: &Emitter<'ctx, '_>) -> Self {
        // Empty text is never read, so any address will do.
        let (bytes, len) = (e.source, e.int(0));
        Bytes::Plain(Text { bytes, len, in_object: false, ascii: Some(e.bool(true)) })
    }
}

/// The start of a sequence.
#[derive(Clone, Copy)]
pub(crate) struct Sequence<'ctx> {
    pub(crate) container: Container,
    pub(crate) len: Int<'ctx>,
    /// Whether it can't be part of a reference cycle.
    pub(crate) acyclic: bool,
    /// The most values of each of its elements.
    pub(crate) most: MostValues,
}

/// Returns the number of values in an element of a sequence: two in a map, a key and its value.
pub(super) fn items_of(container: Container) -> u64 {
    if container == Container::Map { 2 } else { 1 }
}

/// Reads a value of several components one after another.
pub(crate) fn read_components<'ctx, S: Source<'ctx> + ?Sized>(
    source: &mut S,
    e: &mut Emitter<'ctx, '_>,
    ty: Logical,
    at: ComponentColumns,
    is_entry: bool,
) -> Built<EmittedComponents<'ctx>> {
    let counts = ty.counts();
    let ints = (at.int..).take(counts.ints);
    let floats = (at.float..).take(counts.floats);
    Ok(EmittedComponents {
        ints: ints.map(|column| source.i64(e, column)).collect::<Built<_>>()?,
        floats: floats.map(|column| source.f64(e, column)).collect::<Built<_>>()?,
        bytes: match (counts.bytes, is_entry) {
            (0, _) => None,
            (_, false) => Some(Bytes::Plain(source.bytes(e, at.str)?)),
            (_, true) => Some(Bytes::Entry(source.code(e, at.str)?)),
        },
    })
}

/// Writes a value of several components one after another.
pub(crate) fn write_components<'ctx, K: Sink<'ctx> + ?Sized>(
    sink: &mut K,
    e: &mut Emitter<'ctx, '_>,
    at: ComponentColumns,
    components: EmittedComponents<'ctx>,
) -> Built {
    for (part, column) in components.ints.into_iter().zip(at.int..) {
        sink.i64(e, column, part)?;
    }
    for (part, column) in components.floats.into_iter().zip(at.float..) {
        sink.f64(e, column, part)?;
    }
    match components.bytes {
        None => Ok(()),
        Some(Bytes::Plain(bytes)) => sink.str(e, at.str, bytes),
        Some(Bytes::Entry(code)) => sink.entry(e, at.str, code),
    }
}

/// The emitted values of a layout. Default methods of this trait and the traits below do nothing.
pub(crate) trait SsaState<'ctx> {
    /// Returns the values that change from value to value.
    fn state(&self) -> Vec<Value<'ctx>> {
        Vec::new()
    }
    /// Continues with other values of the same number and types.
    fn set_state(&mut self, _state: &[Value<'ctx>]) {}
    /// Returns the values that stay the same within one container.
    fn fixed(&self) -> Vec<Value<'ctx>>;
    /// Replaces the fixed values in another function.
    fn set_fixed(&mut self, fixed: &[Value<'ctx>]);
    /// Loads the values from the context. Called in a function's first block.
    fn begin(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Writes `state` back to the context. `state` belongs to the start of the first row that was
    /// not converted, and `done` rows were converted.
    fn finish(&self, _e: &Emitter<'ctx, '_>, _state: &[Value<'ctx>], _done: Int<'ctx>) -> Built {
        Ok(())
    }
}

/// A source of rows. Every method may emit a side exit.
pub(crate) trait Source<'ctx>: SsaState<'ctx> + CloneSource<'ctx> {
    /// Moves to the first value of row `row`, after `done` rows.
    fn row(&mut self, e: &Emitter<'ctx, '_>, row: Int<'ctx>, done: Int<'ctx>) -> Built;
    /// Checks the end of a row after its last value, before the sink ends it.
    fn check_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Checks that the values read so far belong to the row. Called before a helper that may run
    /// the caller's code builds a value.
    fn check_values(&self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Ends a row that is known to be valid. Emits no side exit.
    fn end_row(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Returns whether a loop can read the `count` strings whose columns begin with `first`.
    fn has_runs(&self, _first: u32, _count: u32) -> bool {
        false
    }
    /// Moves to string `index` of the run. Its column is read as the run's first column.
    fn run_item(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }
    /// Moves past the run.
    fn end_run(&mut self) {}
    /// Returns whether the source can skip values without reading them.
    fn skips_freely(&self) -> bool {
        false
    }
    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>>;
    /// Reads the bits of a float.
    fn f64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>>;
    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Text<'ctx>>;
    /// Reads bytes that need not be text.
    fn bytes(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Text<'ctx>> {
        self.str(e, column)
    }
    /// Reads a value of several components. If `is_entry`, its bytes are a dictionary entry. The
    /// default is for layouts that carry components.
    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        ty: Logical,
        at: ComponentColumns,
        is_entry: bool,
    ) -> Built<EmittedComponents<'ctx>> {
        read_components(self, e, ty, at, is_entry)
    }
    /// Returns whether the values of a string column are entries of a dictionary that the sink has.
    /// `None` if that is never the case.
    fn has_dictionary(&self, e: &Emitter<'ctx, '_>, column: u32) -> Built<Option<Bool<'ctx>>> {
        let _ = (e, column);
        Ok(None)
    }
    /// Reads the code of a dictionary entry.
    fn code(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Int<'ctx>> {
        let _ = column;
        e.guard(e.bool(false))?;
        Ok(e.int(0))
    }
    fn bool(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>>;
    fn null(&mut self, _e: &Emitter<'ctx, '_>) -> Built {
        Ok(())
    }
    /// Reads the index of a member of the enum `table` of the plan, which has `members` members.
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
    /// Returns whether a value follows.
    fn present(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>>;
    /// Returns whether the next field of a dict is present.
    fn has_field(&mut self, e: &mut Emitter<'ctx, '_>, column: u32) -> Built<Bool<'ctx>> {
        self.present(e, column)
    }
    fn enter(&mut self, _e: &Emitter<'ctx, '_>, _container: Container, _len: u32) -> Built {
        Ok(())
    }
    fn leave(&mut self) {}
    /// Enters a sequence and returns its number of elements.
    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        container: Container,
        column: u32,
        zero_sized: bool,
    ) -> Built<Int<'ctx>>;
    /// Moves to element `index` of the innermost sequence.
    fn element(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }
    fn leave_sequence(&mut self) {}
    /// Ends the block with a branch to the block of the next value's arm.
    fn arm(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        arms: &[Arm],
        column: u32,
        blocks: &[Block<'ctx>],
    ) -> Built;
}

/// A sink of rows. Every method may emit a side exit.
pub(crate) trait Sink<'ctx>: SsaState<'ctx> + CloneSink<'ctx> {
    /// Begins a row, after `done` rows.
    fn row(&mut self, e: &Emitter<'ctx, '_>, done: Int<'ctx>, most: MostValues) -> Built;
    fn end_row(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    /// Returns whether a container of this kind is built only after its values exist.
    fn is_built(&self, _container: Container) -> bool {
        false
    }
    fn i64(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built;
    /// Writes the bits of a float.
    fn f64(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Int<'ctx>) -> Built;
    fn str(&mut self, e: &mut Emitter<'ctx, '_>, column: u32, v: Text<'ctx>) -> Built;
    /// Writes the dictionary entry of the column with this code.
    fn entry(&mut self, e: &Emitter<'ctx, '_>, column: u32, code: Int<'ctx>) -> Built {
        let _ = (column, code);
        e.guard(e.bool(false))
    }
    /// Writes a value of several components. The default is for layouts that carry components.
    fn logical(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _ty: Logical,
        at: ComponentColumns,
        components: EmittedComponents<'ctx>,
    ) -> Built {
        write_components(self, e, at, components)
    }
    fn bool(&mut self, e: &Emitter<'ctx, '_>, column: u32, v: Bool<'ctx>) -> Built;
    fn null(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    fn present(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built;
    fn absent(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built;
    /// Writes the index of a member of the enum `table` of the plan.
    fn member(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        _table: u32,
        column: u32,
        index: Int<'ctx>,
    ) -> Built {
        self.i64(e, column, index)
    }
    /// Marks the next field of a dict as present; its value follows.
    fn has_field(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.present(e, column)
    }
    /// Marks the next field of a dict as missing.
    fn lacks_field(&mut self, e: &Emitter<'ctx, '_>, column: u32) -> Built {
        self.absent(e, column)
    }
    /// Enters a container with `len` fields. If it is `acyclic`, it can't be part of a reference
    /// cycle.
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
    /// Begins a sequence.
    fn sequence(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        column: u32,
        sequence: Sequence<'ctx>,
    ) -> Built;
    /// Begins element `index` of the innermost sequence.
    fn element(&mut self, e: &Emitter<'ctx, '_>, index: Int<'ctx>) -> Built;
    fn leave_sequence(&mut self, e: &Emitter<'ctx, '_>) -> Built;
    fn arm(&mut self, e: &Emitter<'ctx, '_>, column: u32, arm: usize) -> Built;
    /// Returns whether a loop can write strings that follow one another.
    fn has_runs(&self) -> bool {
        false
    }
    /// Moves to string `index` of the run. Its column is written as the run's first column.
    fn run_item(&mut self, _e: &Emitter<'ctx, '_>, _index: Int<'ctx>) -> Built {
        Ok(())
    }
    /// Moves past the `count` strings of the run.
    fn end_run(&mut self, _count: u32) {}
    /// Continues with field `index` of the innermost dict or record.
    fn field(&mut self, _index: u32) {}
    /// Writes a 64-bit integer as an integer of any size.
    fn int_of_i64(
        &mut self,
        e: &mut Emitter<'ctx, '_>,
        at: ComponentColumns,
        v: Int<'ctx>,
    ) -> Built {
        let components =
            EmittedComponents { ints: vec![v], floats: Vec::new(), bytes: Some(Bytes::none(e)) };
        self.logical(e, Logical::Int, at, components)
    }
    /// Begins a sequence of `len` elements, which follow one after another.
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

/// Lets boxed layouts be cloned, by a trait that every layout with `Clone` has.
macro_rules! clone_boxed {
    ($Layout:ident, $CloneBoxed:ident) => {
        pub(crate) trait $CloneBoxed<'ctx> {
            fn cloned(&self) -> Box<dyn $Layout<'ctx> + 'ctx>;
        }

        impl<'ctx, L: $Layout<'ctx> + Clone + 'ctx> $CloneBoxed<'ctx> for L {
            fn cloned(&self) -> Box<dyn $Layout<'ctx> + 'ctx> {
                Box::new(self.clone())
            }
        }

        impl<'ctx> Clone for Box<dyn $Layout<'ctx> + 'ctx> {
            fn clone(&self) -> Self {
                (**self).cloned()
            }
        }
    };
}

clone_boxed!(Source, CloneSource);
clone_boxed!(Sink, CloneSink);
