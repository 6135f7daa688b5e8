//! What a memory layout must offer to be read from or written to by a plan.
//!
//! A layout stands at one place in one row and goes from value to value in the order of the
//! plan's instructions. It knows how one value of each type is read or written, and nothing of
//! schemas or of other layouts.

pub mod batch;
pub mod columns;
pub mod flat;
mod parts;
pub mod row;
pub mod unsafe_row;
pub mod value;

use std::sync::Arc;

use crate::compiled::Form;
use crate::error::Fault;
use crate::plan::{Arm, Holds, PartColumns, Tables};
use crate::schema::{Container, Logical};
pub use parts::{NO_ENTRY, Parts, PartsPlace};

/// A string on its way from a source to a sink.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Its generalised UTF-8; the source vouches for that.
    Plain {
        /// The bytes.
        bytes: &'a [u8],
        /// Whether they are known to be ASCII.
        ascii: bool,
    },
    /// An entry of the column's dictionary, which was given to the sink by
    /// [`Sink::dictionary`].
    Entry(u32),
}

/// What is said of a row that holds more values that take no bytes than a frame may.
pub const TOO_MANY_WEIGHTLESS: Fault = Fault::Limit(
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

/// The result of one instruction.
pub type Step<T = ()> = std::result::Result<T, Fault>;

/// Where rows are read from. Methods that take a `column` read a value of that column; layouts
/// without columns ignore it.
pub trait Source {
    /// What to say if a value of type never is asked for.
    const NEVER: Fault;
    /// What compiled code knows the layout by, if there can be code for it.
    const FORM: Option<Form> = None;

    /// The names of the plan by which rows are read from now on. They are told again with every chunk of
    /// rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// Get up to `rows` rows ready for compiled code, and say how many are.
    fn prepare(&mut self, rows: usize) -> usize {
        rows
    }

    /// Let compiled code have the place where the source stands. What that is, is up to the form.
    /// Strings that the code has read stay where they are until the sink was taken back.
    fn lend(&mut self) -> *mut () {
        std::ptr::null_mut()
    }

    /// Stand where compiled code has left the place that was lent.
    fn take_back(&mut self) {}

    /// Stand before the first value of row `row`.
    fn row(&mut self, row: usize) -> Step;
    /// After the last value of a row.
    fn end_row(&mut self) -> Step;
    /// Read an integer.
    fn i64(&mut self, column: u32) -> Step<i64>;
    /// Read a float.
    fn f64(&mut self, column: u32) -> Step<f64>;
    /// Read a string.
    fn str(&mut self, column: u32) -> Step<Text<'_>>;
    /// Read bytes, which are no text.
    fn bytes(&mut self, column: u32) -> Step<Text<'_>>;
    /// Read a value that is made of parts. Layouts that carry the parts leave this as it is.
    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: PartColumns) -> Step<Parts<'_>> {
        let counts = ty.counts();
        let mut parts = Parts::default();
        for (part, column) in parts.ints[..counts.ints].iter_mut().zip(at.int..) {
            *part = self.i64(column)?;
        }
        for (part, column) in parts.floats[..counts.floats].iter_mut().zip(at.float..) {
            *part = self.f64(column)?;
        }
        if counts.bytes > 0 {
            return Ok(Parts {
                ints: parts.ints,
                floats: parts.floats,
                bytes: self.bytes(at.str)?,
            });
        }
        Ok(parts)
    }
    /// Read a boolean.
    fn bool(&mut self, column: u32) -> Step<bool>;
    /// Read a null.
    fn null(&mut self) -> Step;
    /// Read the index of a member of the enum that is `table` in the plan, of `members`.
    #[inline(always)]
    fn member(&mut self, table: u32, members: u32, column: u32) -> Step<i64> {
        let _ = table;
        let index = self.i64(column)?;
        match (0..i64::from(members)).contains(&index) {
            true => Ok(index),
            false => Err(Fault::Corrupt("a value is of no member of its enum")),
        }
    }
    /// Whether a value follows; if not, step over the null in its place.
    fn present(&mut self, column: u32) -> Step<bool>;
    /// Whether the next field of a dict is there; if not, step over its place.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> Step<bool> {
        self.present(column)
    }
    /// Step into a list, tuple, dict with fixed keys or record of `len` fields.
    fn enter(&mut self, container: Container, len: u32) -> Step;
    /// Step out of the innermost container, be it of fixed shape or a sequence.
    fn leave(&mut self);
    /// Step into a sequence and give its number of elements; the values of a map's element are a key
    /// and its value. `weightless` elements take no bytes in
    /// any wire.
    fn sequence(&mut self, container: Container, column: u32, weightless: bool) -> Step<usize>;
    /// Which arm the next value belongs to.
    fn arm(&mut self, arms: &[Arm], column: u32) -> Step<usize>;
}

/// Where rows are written to.
pub trait Sink {
    /// What compiled code knows the layout by, if there can be code for it.
    const FORM: Option<Form> = None;
    /// Whether what comes of rows depends on nothing but their values and the plan's names: on no column,
    /// and not on what else might be in a value's place.
    const ONLY_VALUES: bool = false;

    /// The names of the plan by which rows are written from now on. They are told again with every chunk
    /// of rows.
    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        let _ = tables;
    }

    /// For how many rows the sink is best lent at a time.
    fn at_once(&self) -> usize {
        4096
    }

    /// Let compiled code have the place where the sink stands, for up to `rows` rows. What that is,
    /// is up to the form. It is null if there is no memory for so many.
    fn lend(&mut self, rows: usize) -> *mut () {
        let _ = rows;
        std::ptr::null_mut()
    }

    /// Stand where compiled code has left the place that was lent. The source is still there.
    ///
    /// # Errors
    /// If there is no memory for what the rows hold.
    fn take_back(&mut self) -> Step {
        Ok(())
    }

    /// Begin a row. `bound` is the plan's `row_bound`.
    fn row(&mut self, bound: usize) -> Step;
    /// End a row.
    ///
    /// # Errors
    /// [`Fault::Full`] if this row should be the last of a run.
    fn end_row(&mut self) -> Step;
    /// Begin an element of a sequence whose bytes are bounded by `bound` as a row's are.
    fn element(&mut self, bound: usize) -> Step;
    /// The entries of a column's dictionary: `ends[i]` is where entry `i` ends in `bytes`, which are
    /// valid text if that is what the column holds.
    fn dictionary(&mut self, column: u32, holds: Holds, ends: &[u32], bytes: &[u8]) -> Step;
    /// Write an integer.
    fn i64(&mut self, column: u32, v: i64) -> Step;
    /// Write a float.
    fn f64(&mut self, column: u32, v: f64) -> Step;
    /// Write a string.
    fn str(&mut self, column: u32, v: Text<'_>) -> Step;
    /// Write bytes, which are no text.
    #[inline(always)]
    fn bytes(&mut self, column: u32, v: Text<'_>) -> Step {
        self.str(column, v)
    }
    /// Write a value that is made of parts. Layouts that carry the parts leave this as it is.
    #[inline(always)]
    fn logical(&mut self, ty: Logical, at: PartColumns, parts: Parts<'_>) -> Step {
        let counts = ty.counts();
        for (&part, column) in parts.ints[..counts.ints].iter().zip(at.int..) {
            self.i64(column, part)?;
        }
        for (&part, column) in parts.floats[..counts.floats].iter().zip(at.float..) {
            self.f64(column, part)?;
        }
        if counts.bytes > 0 { self.bytes(at.str, parts.bytes) } else { Ok(()) }
    }
    /// What is to be said of the value for which the last fault was [`Fault::Refused`].
    fn refusal(&self) -> String {
        String::from("a value can't be held here")
    }
    /// Write a boolean.
    fn bool(&mut self, column: u32, v: bool) -> Step;
    /// Write a null.
    fn null(&mut self) -> Step;
    /// Say that an optional value is there and follows.
    fn present(&mut self, column: u32) -> Step;
    /// Say that an optional value is not there.
    fn absent(&mut self, column: u32) -> Step;
    /// Write the index of a member of the enum that is `table` in the plan.
    #[inline(always)]
    fn member(&mut self, table: u32, column: u32, index: i64) -> Step {
        let _ = table;
        self.i64(column, index)
    }
    /// Say that the next field of a dict is there and follows.
    #[inline(always)]
    fn has_field(&mut self, column: u32) -> Step {
        self.present(column)
    }
    /// Say that the next field of a dict is missing.
    #[inline(always)]
    fn lacks_field(&mut self, column: u32) -> Step {
        self.absent(column)
    }
    /// Say that the next field, be it of a dict or a record, is to have the default that the sink knows.
    /// Only sinks whose readers say that they have such defaults
    /// ([`FieldDefault::OfSink`](crate::resolve::FieldDefault)) are told this.
    fn default_field(&mut self) -> Step {
        Err(Fault::Corrupt("a field is in no row, and there is no default"))
    }
    /// Begin a list, tuple, dict with fixed keys or record of `len` fields. `atomic`: it can't be part
    /// of a reference cycle.
    fn enter(&mut self, container: Container, len: u32, atomic: bool) -> Step;
    /// End the innermost container.
    fn leave(&mut self) -> Step;
    /// Begin a sequence of `len` elements.
    fn sequence(&mut self, container: Container, column: u32, len: usize, atomic: bool) -> Step;
    /// Say which arm of a union follows.
    fn arm(&mut self, column: u32, arm: usize) -> Step;
}
