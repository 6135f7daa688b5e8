//! The traits of a memory layout: how a plan reads from it and writes to it.
//!
//! A layout has a position in a row and moves from value to value in the order of the plan's
//! instructions. It knows how to read or write one value of each type. It knows neither schemas nor
//! other layouts.

pub mod batch;
pub mod discard;
pub mod json;
mod kind;
pub mod meter;
mod numbers;
pub mod objects;
mod unique;
pub mod value;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Fault;
use crate::host_lock::HostLock;
use crate::plan::{Arm, ComponentColumns, Plan, StrEncoding, Tables};
use crate::schema::{Container, Logical};
pub use crate::value::{ColumnText, Components, ComponentsContext, NO_ENTRY, PlainText, Text};
pub use kind::{JitKind, LayoutKind, Pair};
pub use numbers::{NumberType, Numbers, columns_of_ints};
pub use unique::{TWICE_IN_MAP, TWICE_IN_SET, Unique};

/// The fault for a row with more zero-sized values than a frame may have.
pub const TOO_MANY_ZERO_SIZED: Fault = Fault::Limit(
    "the row has millions of nulls or empty tuples in sequences, more than a frame may",
);

/// The fault for a row with far more lists and tuples around values than a frame of its size may
/// have.
pub const TOO_MANY_CONTAINERS: Fault = Fault::Limit(
    "the row has more than 3,145,728 lists, tuples, dicts and records of fixed shape, and more than \
     8 of them for each of its bytes; split the row",
);

/// The fault for a row with too many elements.
pub const TOO_MANY_ELEMENTS: Fault = Fault::Limit(
    "the row has more than 268,435,456 elements, and a list counts as 16 more; a list that \
     occurs in it many times is written each time",
);

/// The fault of a sink of bytes for rows of another schema.
const IN_ORDER_ONLY: Fault =
    Fault::Limit("rows of another schema are read into objects or columns, not into bytes");

/// The result of one instruction.
pub type OpResult<T = ()> = std::result::Result<T, Fault>;

/// A source of rows. Methods with a `column` read a value of that column. Layouts without columns
/// ignore it.
pub trait Source: Sized {
    /// The fault for reading a value of type never.
    const NEVER: Fault;
    /// The kind of the layout for compiled code, if it supports compiled code.
    const KIND: Option<JitKind<Self>> = None;
    /// Whether each column can be read independently, so that values can be skipped without reading
    /// them.
    const SKIPS_FREELY: bool = false;
    /// Whether [`row`](Source::row) moves to any row. Other sources read their rows in order, each once.
    const IS_INDEXED: bool = false;

    /// Receives the names of the plan that reads the following rows. Called again for every chunk
    /// of rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// Returns whether compiled code of `plan` may read from this source. If not, the interpreter
    /// converts all rows.
    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        let _ = plan;
        true
    }

    /// Prepares up to `rows` rows for compiled code. Returns the number of prepared rows.
    fn prepare(&mut self, rows: usize) -> usize {
        rows
    }

    /// Returns the source's position for compiled code, as a pointer to the context struct of its
    /// [`LayoutKind`]. Strings that the code reads are valid until the sink's
    /// [`exit_jit`](Sink::exit_jit) has returned.
    fn enter_jit(&mut self) -> *mut () {
        std::ptr::null_mut()
    }

    /// Updates the position from the context, after compiled code has changed it.
    ///
    /// # Safety
    /// [`enter_jit`](Source::enter_jit) must have been called before. Since then only code that
    /// received the context may have used the source, and it must have followed the docs of the
    /// context's fields. Call this once for each `enter_jit`.
    unsafe fn exit_jit(&mut self) {}

    /// Begins row `row`, which is the next one if the source is not indexed.
    fn row(&mut self, row: usize) -> OpResult;
    /// Called every few milliseconds while no compiled code runs. A fault ends the run, because the
    /// host wants to do something else.
    fn checkpoint(&mut self) -> OpResult {
        Ok(())
    }
    /// Ends a row, after its last value.
    fn end_row(&mut self) -> OpResult;
    /// Reads an integer.
    fn i64(&mut self, column: u32) -> OpResult<i64>;
    /// Reads a float.
    fn f64(&mut self, column: u32) -> OpResult<f64>;
    /// Reads a string.
    fn str(&mut self, column: u32) -> OpResult<Text<'_>>;
    /// Reads bytes, which need not be text.
    fn bytes(&mut self, column: u32) -> OpResult<Text<'_>>;
    /// Reads a value of several components. The default is for layouts that carry components.
    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        read_components(self, ty, at)
    }
    /// Reads a boolean.
    fn bool(&mut self, column: u32) -> OpResult<bool>;
    /// Reads a null.
    fn null(&mut self) -> OpResult;
    /// Reads the index of a member of the enum `table` of the plan, which has `members` members.
    #[inline(always)]
    fn member(&mut self, table: u32, members: u32, column: u32) -> OpResult<i64> {
        let _ = table;
        let index = self.i64(column)?;
        match (0..i64::from(members)).contains(&index) {
            true => Ok(index),
            false => Err(Fault::Corrupt("a value is not a member of its enum")),
        }
    }
    /// Returns whether a value follows. If not, moves past the null.
    fn present(&mut self, column: u32) -> OpResult<bool>;
    /// Returns whether the next field of a dict is present. If not, moves past it.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> OpResult<bool> {
        self.present(column)
    }
    /// Enters a list, tuple, dict with fixed keys or record with `len` fields.
    fn enter(&mut self, container: Container, len: u32) -> OpResult;
    /// Leaves the innermost container.
    fn leave(&mut self);
    /// Enters a sequence and returns its number of elements. An element of a map is two values: its
    /// key and its value. `zero_sized` elements take no bytes in any wire.
    fn sequence(&mut self, container: Container, column: u32, zero_sized: bool) -> OpResult<usize>;
    /// Returns whether the next value, where a list is expected, may be an array.
    #[inline(always)]
    fn meets_array(&self) -> bool {
        false
    }
    /// Reads an array of the `expected` type where a list is expected, and returns its length.
    /// [`elements`](Source::elements) has its elements. Otherwise reads nothing and returns `None`.
    fn array(&mut self, expected: NumberType) -> OpResult<Option<usize>> {
        let _ = expected;
        Ok(None)
    }
    /// Reads an array of the `expected` type with `depth` dimensions, at least two, where lists of lists are expected,
    /// and returns whether it did. [`elements`](Source::elements) has the elements of all of them in order.
    /// Otherwise reads nothing.
    fn grid(&mut self, expected: NumberType, depth: usize) -> OpResult<bool> {
        let _ = (expected, depth);
        Ok(false)
    }
    /// Returns the elements of the last array.
    fn elements(&self) -> Numbers<'_> {
        Numbers::I64(&[])
    }
    /// Returns the lengths of the last array's dimensions, outermost first.
    fn lengths(&self) -> &[usize] {
        &[]
    }
    /// Reads an array of strings or bytes where a list of them is expected, and returns its length.
    /// [`array_text`](Source::array_text) has its elements. Otherwise reads nothing and returns `None`.
    fn text_array(&mut self, expected: StrEncoding) -> OpResult<Option<usize>> {
        let _ = expected;
        Ok(None)
    }
    /// Returns element `at` of the last array of strings or bytes.
    fn array_text(&self, at: usize) -> Text<'_> {
        let _ = at;
        Text::plain(&[])
    }
    /// Reads at most `most` elements of a list, as many as lie in memory one after another; perhaps none. Floats of
    /// 32 bits may come as ones of 64.
    fn ready_numbers(&mut self, of: NumberType, column: u32, most: usize) -> Numbers<'_> {
        let _ = (of, column, most);
        Numbers::I64(&[])
    }
    /// Returns the arm of the next value.
    fn arm(&mut self, arms: &[Arm], column: u32) -> OpResult<usize>;

    // The following methods are for layouts that walk the plan themselves. They never fail, so a fast path
    // has neither a fault to return nor a call that it must keep registers for.

    /// Reads an integer like [`i64`](Source::i64) if it is at hand. Otherwise reads nothing.
    #[inline(always)]
    fn ready_i64(&mut self, column: u32) -> Option<i64> {
        let _ = column;
        None
    }
    /// Reads a float like [`f64`](Source::f64) if it is at hand. Otherwise reads nothing.
    #[inline(always)]
    fn ready_f64(&mut self, column: u32) -> Option<f64> {
        let _ = column;
        None
    }
    /// Reads a boolean like [`bool`](Source::bool) if it is at hand. Otherwise reads nothing.
    #[inline(always)]
    fn ready_bool(&mut self, column: u32) -> Option<bool> {
        let _ = column;
        None
    }
    /// Like [`present`](Source::present) if that is at hand. Otherwise reads nothing.
    #[inline(always)]
    fn ready_present(&mut self, column: u32) -> Option<bool> {
        let _ = column;
        None
    }
}

/// Reads a value of several components one after another.
#[inline(always)]
pub(crate) fn read_components<S: Source>(
    source: &mut S,
    ty: Logical,
    at: ComponentColumns,
) -> OpResult<Components<'_>> {
    let counts = ty.counts();
    let mut components = Components::default();
    for (part, column) in components.ints[..counts.ints].iter_mut().zip(at.int..) {
        *part = source.i64(column)?;
    }
    for (part, column) in components.floats[..counts.floats].iter_mut().zip(at.float..) {
        *part = source.f64(column)?;
    }
    if counts.bytes > 0 {
        return Ok(Components {
            ints: components.ints,
            floats: components.floats,
            bytes: source.bytes(at.str)?,
        });
    }
    Ok(components)
}

/// Writes a value of several components one after another.
#[inline(always)]
pub(crate) fn write_components<K: Sink>(
    sink: &mut K,
    ty: Logical,
    at: ComponentColumns,
    components: Components<'_>,
) -> OpResult {
    let counts = ty.counts();
    for (&part, column) in components.ints[..counts.ints].iter().zip(at.int..) {
        sink.i64(column, part)?;
    }
    for (&part, column) in components.floats[..counts.floats].iter().zip(at.float..) {
        sink.f64(column, part)?;
    }
    if counts.bytes > 0 { sink.bytes(at.str, components.bytes) } else { Ok(()) }
}

/// What a frame's rows are decoded into, before and between the rows.
pub trait SinkBase {
    /// See [`Source::checkpoint`].
    fn checkpoint(&mut self) -> OpResult {
        Ok(())
    }
    /// The source calls this before it takes memory, with the number of bytes. It keeps the memory until its
    /// last row is read.
    #[inline(always)]
    fn hold(&mut self, bytes: usize) -> OpResult {
        let _ = bytes;
        Ok(())
    }
    /// Receives the entries of a column's dictionary. `ends[i]` is the end of entry `i` in `bytes`.
    /// `bytes` are valid text if `encoding` says so.
    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult;
    /// Returns how other threads of the language may run while frames are checked and decompressed.
    fn host_lock(&self) -> HostLock {
        HostLock::NONE
    }
    /// Returns the message for a value whose fault is [`Fault::Unrepresentable`].
    fn refusal(&self) -> String {
        String::from("a value can't be represented here")
    }
}

/// A sink of rows.
pub trait Sink: SinkBase + Sized {
    /// The kind of the layout for compiled code, if it supports compiled code.
    const KIND: Option<JitKind<Self>> = None;

    /// Receives the names of the plan that writes the following rows. Called again for every chunk
    /// of rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// Returns whether compiled code of `plan` may write to this sink. If not, the interpreter
    /// converts all rows.
    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        let _ = plan;
        true
    }

    /// Preferred rows per call of compiled code.
    fn rows_per_call(&self) -> usize {
        4096
    }

    /// Returns the sink's position for compiled code, as a pointer to the context struct of its
    /// [`LayoutKind`], with memory for `rows` rows. Null if there is no memory.
    fn enter_jit(&mut self, rows: usize) -> *mut () {
        let _ = rows;
        std::ptr::null_mut()
    }

    /// Updates the position from the context, after compiled code has changed it. The source has
    /// not moved since.
    ///
    /// # Safety
    /// See [`Source::exit_jit`]. The strings that the code has read must be valid until this
    /// returns.
    ///
    /// # Errors
    /// `NoMemory` if there is no memory for the contents of the rows.
    unsafe fn exit_jit(&mut self) -> OpResult {
        Ok(())
    }

    /// Begins a row.
    fn row(&mut self) -> OpResult;
    /// Ends a row. Returns [`ControlFlow::Break`] if the sink is full; then the run ends after this
    /// row.
    fn end_row(&mut self) -> OpResult<ControlFlow<()>>;
    /// Writes an integer.
    fn i64(&mut self, column: u32, v: i64) -> OpResult;
    /// Writes a float.
    fn f64(&mut self, column: u32, v: f64) -> OpResult;
    /// Writes a string.
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult;
    /// Writes bytes, which need not be text.
    #[inline(always)]
    fn bytes(&mut self, column: u32, v: Text<'_>) -> OpResult {
        self.str(column, v)
    }
    /// Writes a value of several components. The default is for layouts that carry components.
    #[inline(always)]
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        write_components(self, ty, at, components)
    }
    /// Writes a boolean.
    fn bool(&mut self, column: u32, v: bool) -> OpResult;
    /// Writes a null.
    fn null(&mut self) -> OpResult;
    /// Marks an optional value as present; it follows.
    fn present(&mut self, column: u32) -> OpResult;
    /// Marks an optional value as absent.
    fn absent(&mut self, column: u32) -> OpResult;
    /// Writes the index of a member of the enum `table` of the plan.
    #[inline(always)]
    fn member(&mut self, table: u32, column: u32, index: i64) -> OpResult {
        let _ = table;
        self.i64(column, index)
    }
    /// Marks the next field of a dict as present; its value follows.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> OpResult {
        self.present(column)
    }
    /// Marks the next field of a dict as missing.
    #[inline(always)]
    fn lacks_field(&mut self, column: u32) -> OpResult {
        self.absent(column)
    }
    /// Writes the sink's own default to the next field of a dict or record. Only called if the
    /// reader has such defaults ([`FieldDefault::OfSink`](crate::plan::FieldDefault)).
    fn default_field(&mut self) -> OpResult {
        Err(Fault::Corrupt("the writer's schema lacks a field that has no default"))
    }
    /// Writes a 64-bit integer as an integer of any size.
    #[inline(always)]
    fn int_of_i64(&mut self, at: ComponentColumns, v: i64) -> OpResult {
        let mut components = Components::default();
        components.ints[0] = v;
        self.logical(Logical::Int, at, components)
    }
    /// Continues with field `index` of the innermost dict or record. Sinks of bytes only accept
    /// fields in order, so they can't receive rows of another schema.
    fn field(&mut self, index: u32) -> OpResult {
        let _ = index;
        Err(IN_ORDER_ONLY)
    }
    /// Sets the length of the innermost sequence, of column `column`, to `len`. It has `len`
    /// elements now and was begun with at least as many.
    fn shorten(&mut self, column: u32, len: usize) -> OpResult {
        let _ = (column, len);
        Err(IN_ORDER_ONLY)
    }
    /// Begins a map of at most `most` entries, whose length [`Sink::shorten`] sets after them.
    fn entries(&mut self, column: u32, most: usize, acyclic: bool) -> OpResult {
        self.sequence(Container::Map, column, most, acyclic)
    }
    /// Begins a list, tuple, dict with fixed keys or record with `len` fields. If it is `acyclic`,
    /// it can't be part of a reference cycle.
    fn enter(&mut self, container: Container, len: u32, acyclic: bool) -> OpResult;
    /// Ends the innermost container.
    fn leave(&mut self) -> OpResult;
    /// Begins a sequence of `len` elements.
    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        acyclic: bool,
    ) -> OpResult;
    /// Writes elements of the innermost sequence, or of the innermost array.
    fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        v.write_each(self, column)
    }
    /// Returns whether the sink makes an array of the lists of numbers in `column`.
    #[inline(always)]
    fn makes_array(&self, column: u32) -> bool {
        let _ = column;
        false
    }
    /// Begins an array of `len` elements in place of a list. [`numbers`](Sink::numbers) receives them, and
    /// nothing ends the array.
    fn array(&mut self, of: NumberType, column: u32, len: usize) -> OpResult {
        let _ = of;
        self.sequence(Container::List, column, len, true)
    }
    /// Writes the arm of the union value that follows.
    fn arm(&mut self, column: u32, arm: usize) -> OpResult;

    // See the methods of the same names of a source.

    /// Writes an integer like [`i64`](Sink::i64) and returns true if that needs no new memory.
    /// Otherwise writes nothing and returns false.
    #[inline(always)]
    fn ready_i64(&mut self, column: u32, v: i64) -> bool {
        let _ = (column, v);
        false
    }
    /// Like [`ready_i64`](Sink::ready_i64), for a float.
    #[inline(always)]
    fn ready_f64(&mut self, column: u32, v: f64) -> bool {
        let _ = (column, v);
        false
    }
    /// Like [`ready_i64`](Sink::ready_i64), for a boolean.
    #[inline(always)]
    fn ready_bool(&mut self, column: u32, v: bool) -> bool {
        let _ = (column, v);
        false
    }
    /// Like [`ready_i64`](Sink::ready_i64), for whether an optional value is present.
    #[inline(always)]
    fn ready_present(&mut self, column: u32, is_present: bool) -> bool {
        let _ = (column, is_present);
        false
    }
}
