//! A source and a sink that record their calls.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::error::Fault;
use crate::layout::value::ValueReader;
use crate::layout::{
    Components, NumberType, Numbers, OpResult, Sink, SinkBase, Source, Text, columns_of_ints,
};
use crate::plan::{Arm, ComponentColumns, StrEncoding};
use crate::schema::{Container, Logical};

/// The fault for values that the sink refuses.
pub const REFUSED: Fault = Fault::Unrepresentable;

/// The recorded calls.
pub type Calls = Rc<RefCell<Vec<String>>>;

/// Reads values and records the requested columns and tables. With `FREELY` it allows skipping
/// values.
pub struct Asked<'a, const FREELY: bool> {
    pub inner: ValueReader<'a>,
    pub calls: Calls,
    /// Whether lists of integers, strings or bytes are arrays.
    pub has_arrays: bool,
    /// The arrays of several dimensions that it reads in place of values, the next one at the end.
    pub grids: Vec<Grid>,
    /// The last array.
    pub read: Grid,
    /// The last array of strings or bytes.
    pub texts: Vec<Vec<u8>>,
}

/// An array of integers or dates: its elements, and the lengths of its dimensions.
#[derive(Clone, Debug)]
pub struct Grid {
    pub of: NumberType,
    pub lengths: Vec<usize>,
    pub elements: Vec<i64>,
}

impl Default for Grid {
    fn default() -> Grid {
        Grid { of: NumberType::I64, lengths: Vec::new(), elements: Vec::new() }
    }
}

impl<const FREELY: bool> Asked<'_, FREELY> {
    fn note(&self, call: impl Into<String>) {
        self.calls.borrow_mut().push(call.into());
    }
}

impl<const FREELY: bool> Source for Asked<'_, FREELY> {
    const NEVER: Fault = Fault::Corrupt("never");
    const SKIPS_FREELY: bool = FREELY;

    fn names(&mut self, tables: &std::sync::Arc<crate::plan::Tables>) {
        self.inner.names(tables);
    }

    fn checkpoint(&mut self) -> OpResult {
        self.note("checkpoint?");
        Ok(())
    }

    fn row(&mut self, row: usize) -> OpResult {
        self.note(format!("row {row}?"));
        self.inner.row(row)
    }

    fn end_row(&mut self) -> OpResult {
        self.note("end row?");
        self.inner.end_row()
    }

    fn i64(&mut self, column: u32) -> OpResult<i64> {
        self.note(format!("i64 {column}?"));
        self.inner.i64(column)
    }

    fn f64(&mut self, column: u32) -> OpResult<f64> {
        self.note(format!("f64 {column}?"));
        self.inner.f64(column)
    }

    fn str(&mut self, column: u32) -> OpResult<Text<'_>> {
        self.note(format!("str {column}?"));
        self.inner.str(column)
    }

    fn bytes(&mut self, column: u32) -> OpResult<Text<'_>> {
        self.note(format!("bytes {column}?"));
        self.inner.bytes(column)
    }

    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        self.note(format!("{ty} {} {} {}?", at.int, at.float, at.str));
        self.inner.logical(ty, at)
    }

    fn bool(&mut self, column: u32) -> OpResult<bool> {
        self.note(format!("bool {column}?"));
        self.inner.bool(column)
    }

    fn null(&mut self) -> OpResult {
        self.note("null?");
        self.inner.null()
    }

    fn member(&mut self, table: u32, members: u32, column: u32) -> OpResult<i64> {
        self.note(format!("member {column} of {members} in enum {table}?"));
        self.inner.member(table, members, column)
    }

    fn present(&mut self, column: u32) -> OpResult<bool> {
        self.note(format!("present {column}?"));
        self.inner.present(column)
    }

    fn has_field(&mut self, column: u32) -> OpResult<bool> {
        self.note(format!("has field {column}?"));
        self.inner.has_field(column)
    }

    fn enter(&mut self, container: Container, len: u32) -> OpResult {
        self.note(format!("enter {container:?} of {len}?"));
        self.inner.enter(container, len)
    }

    fn leave(&mut self) {
        self.note("leave?");
        self.inner.leave();
    }

    fn sequence(&mut self, container: Container, column: u32, zero_sized: bool) -> OpResult<usize> {
        let sized = if zero_sized { " zero-sized" } else { "" };
        self.note(format!("sequence {container:?} {column}{sized}?"));
        self.inner.sequence(container, column, zero_sized)
    }

    fn meets_array(&self) -> bool {
        self.has_arrays
    }

    fn array(&mut self, expected: NumberType) -> OpResult<Option<usize>> {
        self.note(format!("array of {expected:?}?"));
        if !self.has_arrays || expected != NumberType::I64 {
            return Ok(None);
        }
        let len = self.inner.sequence(Container::List, 0, false)?;
        let elements = (0..len).map(|_| self.inner.i64(0)).collect::<OpResult<_>>()?;
        self.read = Grid { of: expected, lengths: vec![len], elements };
        self.inner.leave();
        Ok(Some(len))
    }

    fn grid(&mut self, expected: NumberType, depth: usize) -> OpResult<bool> {
        self.note(format!("grid of {depth} {expected:?}?"));
        let is_asked = |grid: &mut Grid| grid.of == expected && grid.lengths.len() == depth;
        let grid = self.grids.pop_if(is_asked);
        self.read = grid.clone().unwrap_or_default();
        Ok(grid.is_some())
    }

    fn elements(&self) -> Numbers<'_> {
        match self.read.of {
            NumberType::Logical(ty) => Numbers::Ints(ty, [&self.read.elements, &[]]),
            _ => Numbers::I64(&self.read.elements),
        }
    }

    fn text_array(&mut self, expected: StrEncoding) -> OpResult<Option<usize>> {
        self.note(format!("array of {expected:?}?"));
        if !self.has_arrays {
            return Ok(None);
        }
        let len = self.inner.sequence(Container::List, 0, false)?;
        self.texts.clear();
        for _ in 0..len {
            let text = match expected {
                StrEncoding::Text => self.inner.str(0)?,
                StrEncoding::Bytes => self.inner.logical(Logical::Bytes, columns_of_ints(0))?.bytes,
            };
            let Text::Plain(text) = text else { return Err(Fault::Corrupt("an entry")) };
            self.texts.push(text.bytes().into());
        }
        self.inner.leave();
        Ok(Some(len))
    }

    fn array_text(&self, at: usize) -> Text<'_> {
        Text::plain(&self.texts[at])
    }

    fn lengths(&self) -> &[usize] {
        &self.read.lengths
    }

    fn arm(&mut self, arms: &[Arm], column: u32) -> OpResult<usize> {
        self.note(format!("arm {column} of {}?", arms.len()));
        self.inner.arm(arms, column)
    }
}

/// Records its calls. It refuses the integer -1, the float -1 and the string "-1". It is full at
/// the end of row `full`.
pub struct Told {
    pub calls: Calls,
    pub full: usize,
    pub rows: usize,
    /// Whether lists of numbers become arrays.
    pub makes_arrays: bool,
}

impl Told {
    fn note(&self, call: impl Into<String>) -> OpResult {
        self.calls.borrow_mut().push(call.into());
        Ok(())
    }

    fn text(&self, what: &str, column: u32, v: Text<'_>) -> OpResult {
        let Text::Plain(text) = v else { return Err(Fault::Corrupt("an entry")) };
        match text.bytes() {
            b"-1" => Err(REFUSED),
            bytes => self.note(format!("{what} {column} {:?}", String::from_utf8_lossy(bytes))),
        }
    }
}

fn acyclic(acyclic: bool) -> &'static str {
    if acyclic { " acyclic" } else { "" }
}

impl SinkBase for Told {
    fn checkpoint(&mut self) -> OpResult {
        self.note("checkpoint")
    }

    fn dictionary(&mut self, _: u32, _: StrEncoding, _: &[u32], _: &[u8]) -> OpResult {
        Ok(())
    }
}

impl Sink for Told {
    fn row(&mut self) -> OpResult {
        self.note("row")
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        self.note("end row")?;
        self.rows += 1;
        Ok(if self.rows > self.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn i64(&mut self, column: u32, v: i64) -> OpResult {
        if v == -1 { Err(REFUSED) } else { self.note(format!("i64 {column} {v}")) }
    }

    fn f64(&mut self, column: u32, v: f64) -> OpResult {
        if v == -1.0 { Err(REFUSED) } else { self.note(format!("f64 {column} {v:?}")) }
    }

    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        self.text("str", column, v)
    }

    fn bytes(&mut self, column: u32, v: Text<'_>) -> OpResult {
        self.text("bytes", column, v)
    }

    fn bool(&mut self, column: u32, v: bool) -> OpResult {
        self.note(format!("bool {column} {v}"))
    }

    fn null(&mut self) -> OpResult {
        self.note("null")
    }

    fn present(&mut self, column: u32) -> OpResult {
        self.note(format!("present {column}"))
    }

    fn absent(&mut self, column: u32) -> OpResult {
        self.note(format!("absent {column}"))
    }

    fn member(&mut self, table: u32, column: u32, index: i64) -> OpResult {
        self.note(format!("member {column} {index} in enum {table}"))
    }

    fn has_field(&mut self, column: u32) -> OpResult {
        self.note(format!("has field {column}"))
    }

    fn lacks_field(&mut self, column: u32) -> OpResult {
        self.note(format!("lacks field {column}"))
    }

    fn default_field(&mut self) -> OpResult {
        self.note("default")
    }

    fn field(&mut self, index: u32) -> OpResult {
        self.note(format!("field {index}"))
    }

    fn shorten(&mut self, column: u32, len: usize) -> OpResult {
        self.note(format!("shorten {column} to {len}"))
    }

    fn enter(&mut self, container: Container, len: u32, is_acyclic: bool) -> OpResult {
        self.note(format!("enter {container:?} of {len}{}", acyclic(is_acyclic)))
    }

    fn leave(&mut self) -> OpResult {
        self.note("leave")
    }

    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        is_acyclic: bool,
    ) -> OpResult {
        self.note(format!("sequence {container:?} {column} of {len}{}", acyclic(is_acyclic)))
    }

    fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        self.note(format!("{v:?} {column}"))
    }

    fn makes_array(&self, _column: u32) -> bool {
        self.makes_arrays
    }

    fn array(&mut self, of: NumberType, column: u32, len: usize) -> OpResult {
        self.note(format!("array of {len} {of:?} {column}"))
    }

    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        self.note(format!("arm {column} {arm}"))
    }
}
