//! What a memory layout must offer to be read from or written to by a plan.
//!
//! A layout stands at one place in one row and goes from value to value in the order of the
//! plan's instructions. It knows how one value of each type is read or written, and nothing of
//! schemas or of other layouts.

pub mod batch;
pub mod discard;
pub mod flat;
mod kind;
pub mod meter;
mod rows;
pub mod unsafe_row;
pub mod value;

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::error::Fault;
use crate::plan::{Arm, ComponentColumns, Plan, StrEncoding, Tables};
use crate::schema::{Container, Logical};
pub use crate::value::{Components, ComponentsContext, NO_ENTRY, Text};
pub use kind::{JitKind, LayoutKind};
pub use rows::Rows;

/// What is said of a row that holds more values that take no bytes than a frame may.
pub const TOO_MANY_ZERO_SIZED: Fault = Fault::Limit(
    "the row has millions of nulls or empty tuples in sequences, more than a frame may",
);

/// What is said of a row in which far more lists and tuples nest around values than a frame may
/// have for its bytes.
pub const TOO_MANY_CONTAINERS: Fault =
    Fault::Limit("the row has millions of tuples within tuples around single values");

/// What is said of a row with more elements than a row may have.
pub const TOO_MANY_ELEMENTS: Fault = Fault::Limit(
    "the row has more than 268,435,456 elements, of which a list counts for 16 more; a list that \
     stands in it many times is written out each time",
);

/// What a sink of bytes says of rows of another schema.
const IN_ORDER_ONLY: Fault =
    Fault::Limit("rows of another schema are read into objects or columns, not into bytes");

/// The result of one instruction.
pub type OpResult<T = ()> = std::result::Result<T, Fault>;

/// Where rows are read from. Methods that take a `column` read a value of that column; layouts
/// without columns ignore it.
pub trait Source {
    /// What to say if a value of type never is asked for.
    const NEVER: Fault;
    /// What compiled code knows the layout by, if there can be code for it.
    const KIND: Option<JitKind> = None;
    /// Whether any column can be read by itself, so that values that nobody wants are just not read.
    const SKIPS_FREELY: bool = false;

    /// The names of the plan by which rows are read from now on. They are told again with every chunk of
    /// rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// Whether compiled code of `plan` may read from this source. If not, the interpreter does all rows.
    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        let _ = plan;
        true
    }

    /// Get up to `rows` rows ready for compiled code, and say how many are.
    fn prepare(&mut self, rows: usize) -> usize {
        rows
    }

    /// Give compiled code the source's position, in the context struct of the source's
    /// [`LayoutKind`]. Strings that the code reads stay in place until the sink's
    /// [`exit_jit`](Sink::exit_jit) has returned.
    fn enter_jit(&mut self) -> *mut () {
        std::ptr::null_mut()
    }

    /// Take the position from the context, as compiled code has left it.
    ///
    /// # Safety
    /// [`enter_jit`](Source::enter_jit) was called before, and since then nothing has used the source but code
    /// that was given the context and has kept to what its fields say. This is called once for that call.
    unsafe fn exit_jit(&mut self) {}

    /// Stand before the first value of row `row`.
    fn row(&mut self, row: usize) -> OpResult;
    /// Called every few milliseconds, when no compiled code runs. A fault ends the run: the host has
    /// something else to do.
    fn checkpoint(&mut self) -> OpResult {
        Ok(())
    }
    /// After the last value of a row.
    fn end_row(&mut self) -> OpResult;
    /// Read an integer.
    fn i64(&mut self, column: u32) -> OpResult<i64>;
    /// Read a float.
    fn f64(&mut self, column: u32) -> OpResult<f64>;
    /// Read a string.
    fn str(&mut self, column: u32) -> OpResult<Text<'_>>;
    /// Read bytes, which are no text.
    fn bytes(&mut self, column: u32) -> OpResult<Text<'_>>;
    /// Read a value that is made of parts. Layouts that carry the parts leave this as it is.
    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        let counts = ty.counts();
        let mut components = Components::default();
        for (part, column) in components.ints[..counts.ints].iter_mut().zip(at.int..) {
            *part = self.i64(column)?;
        }
        for (part, column) in components.floats[..counts.floats].iter_mut().zip(at.float..) {
            *part = self.f64(column)?;
        }
        if counts.bytes > 0 {
            return Ok(Components {
                ints: components.ints,
                floats: components.floats,
                bytes: self.bytes(at.str)?,
            });
        }
        Ok(components)
    }
    /// Read a boolean.
    fn bool(&mut self, column: u32) -> OpResult<bool>;
    /// Read a null.
    fn null(&mut self) -> OpResult;
    /// Read the index of a member of the enum that is `table` in the plan, of `members`.
    #[inline(always)]
    fn member(&mut self, table: u32, members: u32, column: u32) -> OpResult<i64> {
        let _ = table;
        let index = self.i64(column)?;
        match (0..i64::from(members)).contains(&index) {
            true => Ok(index),
            false => Err(Fault::Corrupt("a value is of no member of its enum")),
        }
    }
    /// Whether a value follows; if not, step over the null in its place.
    fn present(&mut self, column: u32) -> OpResult<bool>;
    /// Whether the next field of a dict is there; if not, step over its place.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> OpResult<bool> {
        self.present(column)
    }
    /// Step into a list, tuple, dict with fixed keys or record of `len` fields.
    fn enter(&mut self, container: Container, len: u32) -> OpResult;
    /// Step out of the innermost container, be it of fixed shape or a sequence.
    fn leave(&mut self);
    /// Step into a sequence and give its number of elements; the values of a map's element are a key
    /// and its value. `zero_sized` elements take no bytes in
    /// any wire.
    fn sequence(&mut self, container: Container, column: u32, zero_sized: bool) -> OpResult<usize>;
    /// Which arm the next value belongs to.
    fn arm(&mut self, arms: &[Arm], column: u32) -> OpResult<usize>;
}

/// Where rows are written to.
pub trait Sink {
    /// What compiled code knows the layout by, if there can be code for it.
    const KIND: Option<JitKind> = None;

    /// The names of the plan by which rows are written from now on. They are told again with every chunk
    /// of rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// Whether compiled code of `plan` may write to this sink. If not, the interpreter does all rows.
    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        let _ = plan;
        true
    }

    /// Preferred rows per call of compiled code.
    fn at_once(&self) -> usize {
        4096
    }

    /// Give compiled code the sink's position, in the context struct of the sink's [`LayoutKind`],
    /// with memory for `rows` rows. Null if there is no memory.
    fn enter_jit(&mut self, rows: usize) -> *mut () {
        let _ = rows;
        std::ptr::null_mut()
    }

    /// Take the position from the context, as compiled code has left it. The source has not moved on
    /// since.
    ///
    /// # Safety
    /// As for [`Source::exit_jit`]; and the strings that the code has read stay in place until this returns.
    ///
    /// # Errors
    /// If there is no memory for what the rows hold.
    unsafe fn exit_jit(&mut self) -> OpResult {
        Ok(())
    }

    /// Begin a row. `bound` is the plan's `row_bound`.
    fn row(&mut self, bound: usize) -> OpResult;
    /// As [`Source::checkpoint`].
    fn checkpoint(&mut self) -> OpResult {
        Ok(())
    }
    /// End a row. [`ControlFlow::Break`] if the sink is full: the run ends with this row.
    fn end_row(&mut self) -> OpResult<ControlFlow<()>>;
    /// Begin an element of a sequence whose bytes are bounded by `bound` as a row's are.
    fn element(&mut self, bound: usize) -> OpResult;
    /// The entries of a column's dictionary: `ends[i]` is where entry `i` ends in `bytes`, which are
    /// valid text if that is what the column holds.
    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult;
    /// Write an integer.
    fn i64(&mut self, column: u32, v: i64) -> OpResult;
    /// Write a float.
    fn f64(&mut self, column: u32, v: f64) -> OpResult;
    /// Write a string.
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult;
    /// Write bytes, which are no text.
    #[inline(always)]
    fn bytes(&mut self, column: u32, v: Text<'_>) -> OpResult {
        self.str(column, v)
    }
    /// Write a value that is made of parts. Layouts that carry the parts leave this as it is.
    #[inline(always)]
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        let counts = ty.counts();
        for (&part, column) in components.ints[..counts.ints].iter().zip(at.int..) {
            self.i64(column, part)?;
        }
        for (&part, column) in components.floats[..counts.floats].iter().zip(at.float..) {
            self.f64(column, part)?;
        }
        if counts.bytes > 0 { self.bytes(at.str, components.bytes) } else { Ok(()) }
    }
    /// The message for the value whose fault was [`Fault::Unrepresentable`].
    fn refusal(&self) -> String {
        String::from("a value can't be represented here")
    }
    /// Write a boolean.
    fn bool(&mut self, column: u32, v: bool) -> OpResult;
    /// Write a null.
    fn null(&mut self) -> OpResult;
    /// Say that an optional value is there and follows.
    fn present(&mut self, column: u32) -> OpResult;
    /// Say that an optional value is not there.
    fn absent(&mut self, column: u32) -> OpResult;
    /// Write the index of a member of the enum that is `table` in the plan.
    #[inline(always)]
    fn member(&mut self, table: u32, column: u32, index: i64) -> OpResult {
        let _ = table;
        self.i64(column, index)
    }
    /// Say that the next field of a dict is there and follows.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> OpResult {
        self.present(column)
    }
    /// Say that the next field of a dict is missing.
    #[inline(always)]
    fn lacks_field(&mut self, column: u32) -> OpResult {
        self.absent(column)
    }
    /// Give the next field, of a dict or a record, the default that the sink knows. Only sinks whose readers
    /// say that they have such defaults ([`FieldDefault::OfSink`](crate::plan::FieldDefault)) are told this.
    fn default_field(&mut self) -> OpResult {
        Err(Fault::Corrupt("a field is in no row, and there is no default"))
    }
    /// Write an integer of any size that is a 64-bit one.
    #[inline(always)]
    fn int_of_i64(&mut self, at: ComponentColumns, v: i64) -> OpResult {
        let mut components = Components::default();
        components.ints[0] = v;
        self.logical(Logical::Int, at, components)
    }
    /// Go on with field `index` of the innermost dict or record. Sinks of bytes take fields in their order
    /// only, so rows of another schema can't be read into them.
    fn field(&mut self, index: u32) -> OpResult {
        let _ = index;
        Err(IN_ORDER_ONLY)
    }
    /// Say that the innermost sequence, of column `column`, has just `len` elements, which it has already.
    /// It was begun with as many or more.
    fn shorten(&mut self, column: u32, len: usize) -> OpResult {
        let _ = (column, len);
        Err(IN_ORDER_ONLY)
    }
    /// Begin a list, tuple, dict with fixed keys or record of `len` fields. `acyclic`: it can't be part
    /// of a reference cycle.
    fn enter(&mut self, container: Container, len: u32, acyclic: bool) -> OpResult;
    /// End the innermost container.
    fn leave(&mut self) -> OpResult;
    /// Begin a sequence of `len` elements.
    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        acyclic: bool,
    ) -> OpResult;
    /// Say which arm of a union follows.
    fn arm(&mut self, column: u32, arm: usize) -> OpResult;
}
