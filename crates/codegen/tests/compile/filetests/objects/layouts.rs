//! Rows of the test's objects as a source and as a sink.

use std::ops::ControlFlow;
use std::ptr::{null, null_mut};
use std::sync::Arc;

use serow_core::error::Fault;
use serow_core::layout::objects::{OBJECTS, ObjectReaderContext, ObjectWriterContext};
use serow_core::layout::value::{ValueReader, ValueWriter};
use serow_core::layout::{
    Components, ComponentsContext, JitKind, OpResult, Sink, SinkBase, Source, Text,
};
use serow_core::plan::{Arm, ComponentColumns, StrEncoding, Tables};
use serow_core::schema::{Container, Logical};
use serow_core::value::Value;

use super::helpers::MakingState;
use super::{object, str, value};

/// Rows of objects as a source. The interpreter reads the values that the objects were made from.
pub struct Objects<'a> {
    values: ValueReader<'a>,
    context: ObjectReaderContext,
    rows: Vec<*mut u64>,
    tables: Arc<Tables>,
}

impl<'a> Objects<'a> {
    pub fn new(rows: &'a [Value]) -> Objects<'a> {
        Objects {
            values: ValueReader::new(rows),
            context: ObjectReaderContext {
                rows: null(),
                ahead: rows.len(),
                components: ComponentsContext::default(),
                reading: null_mut(),
                len: 0,
                viewed: 0,
            },
            rows: rows.iter().map(object).collect(),
            tables: Tables::none(),
        }
    }
}

impl Source for Objects<'_> {
    const NEVER: Fault = Fault::TypeMismatch;
    // SAFETY: `enter_jit` returns a context of the test's objects.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&OBJECTS) });

    fn names(&mut self, tables: &Arc<Tables>) {
        self.tables = tables.clone();
        self.values.names(tables);
    }
    fn enter_jit(&mut self) -> *mut () {
        self.context.rows = self.rows.as_ptr().cast();
        self.context.reading = (&raw mut self.tables).cast();
        (&raw mut self.context).cast()
    }
    fn row(&mut self, row: usize) -> OpResult {
        self.values.row(row)
    }
    fn end_row(&mut self) -> OpResult {
        self.values.end_row()
    }
    fn i64(&mut self, column: u32) -> OpResult<i64> {
        self.values.i64(column)
    }
    fn f64(&mut self, column: u32) -> OpResult<f64> {
        self.values.f64(column)
    }
    fn str(&mut self, column: u32) -> OpResult<Text<'_>> {
        self.values.str(column)
    }
    fn bytes(&mut self, column: u32) -> OpResult<Text<'_>> {
        self.values.bytes(column)
    }
    fn logical(&mut self, ty: Logical, at: ComponentColumns) -> OpResult<Components<'_>> {
        self.values.logical(ty, at)
    }
    fn bool(&mut self, column: u32) -> OpResult<bool> {
        self.values.bool(column)
    }
    fn null(&mut self) -> OpResult {
        self.values.null()
    }
    fn member(&mut self, table: u32, members: u32, column: u32) -> OpResult<i64> {
        self.values.member(table, members, column)
    }
    fn present(&mut self, column: u32) -> OpResult<bool> {
        self.values.present(column)
    }
    fn has_field(&mut self, column: u32) -> OpResult<bool> {
        self.values.has_field(column)
    }
    fn enter(&mut self, container: Container, len: u32) -> OpResult {
        self.values.enter(container, len)
    }
    fn leave(&mut self) {
        self.values.leave();
    }
    fn sequence(&mut self, container: Container, column: u32, zero: bool) -> OpResult<usize> {
        self.values.sequence(container, column, zero)
    }
    fn arm(&mut self, arms: &[Arm], column: u32) -> OpResult<usize> {
        self.values.arm(arms, column)
    }
}

/// Rows of objects as a sink. The interpreter makes values without objects.
pub struct MadeObjects {
    values: ValueWriter,
    /// Rows that compiled code made, and `None` for each row that the interpreter made.
    rows: Vec<Option<Value>>,
    context: ObjectWriterContext,
    places: Vec<*mut u64>,
    /// The entries of dictionaries of text, by column, and their addresses.
    texts: Vec<Vec<*mut u64>>,
    dictionaries: Vec<*const *mut u64>,
    making: MakingState,
}

impl MadeObjects {
    pub fn new() -> MadeObjects {
        MadeObjects {
            values: ValueWriter::new(),
            rows: Vec::new(),
            context: ObjectWriterContext {
                rows: null_mut(),
                done: 0,
                dictionaries: null(),
                components: ComponentsContext::default(),
                making: null_mut(),
            },
            places: Vec::new(),
            texts: Vec::new(),
            dictionaries: Vec::new(),
            making: MakingState { tables: Tables::none(), bytes: Vec::new() },
        }
    }

    pub fn into_rows(self) -> Vec<Value> {
        let mut interpreted = self.values.into_rows().into_iter();
        let row = |row: Option<Value>| row.or_else(|| interpreted.next());
        self.rows.into_iter().map(row).map(|row| row.expect("each row was made")).collect()
    }
}

impl SinkBase for MadeObjects {
    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let entry = |(begin, &end): (u32, &u32)| bytes[begin as usize..end as usize].to_vec();
        let entries: Vec<Vec<u8>> = begins.zip(ends).map(entry).collect();
        let columns = column as usize + 1;
        self.texts.resize(self.texts.len().max(columns), Vec::new());
        self.making.bytes.resize(self.making.bytes.len().max(columns), Vec::new());
        match encoding {
            StrEncoding::Text => {
                let text = |entry: &Vec<u8>| str(std::str::from_utf8(entry).expect("it is UTF-8"));
                self.texts[column as usize] = entries.iter().map(text).collect();
            }
            StrEncoding::Bytes => self.making.bytes[column as usize] = entries,
        }
        self.values.dictionary(column, encoding, ends, bytes)
    }
}

impl Sink for MadeObjects {
    // SAFETY: `enter_jit` returns a context of the test's objects.
    const KIND: Option<JitKind<Self>> = Some(unsafe { JitKind::new(&OBJECTS) });

    fn names(&mut self, tables: &Arc<Tables>) {
        self.making.tables = tables.clone();
        self.values.names(tables);
    }
    fn enter_jit(&mut self, rows: usize) -> *mut () {
        self.places = vec![null_mut(); rows + 1];
        self.dictionaries = self.texts.iter().map(|entries| entries.as_ptr()).collect();
        self.context.rows = self.places.as_mut_ptr().cast();
        self.context.dictionaries = self.dictionaries.as_ptr().cast();
        self.context.making = (&raw mut self.making).cast();
        self.context.done = 0;
        (&raw mut self.context).cast()
    }
    unsafe fn exit_jit(&mut self) -> OpResult {
        let made = self.places[..self.context.done].iter();
        // SAFETY: compiled code has made these rows.
        self.rows.extend(made.map(|&object| Some(unsafe { value(object) })));
        Ok(())
    }
    fn row(&mut self) -> OpResult {
        self.values.row()
    }
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        self.rows.push(None);
        self.values.end_row()
    }
    fn i64(&mut self, column: u32, v: i64) -> OpResult {
        self.values.i64(column, v)
    }
    fn f64(&mut self, column: u32, v: f64) -> OpResult {
        self.values.f64(column, v)
    }
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        self.values.str(column, v)
    }
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        self.values.logical(ty, at, components)
    }
    fn bool(&mut self, column: u32, v: bool) -> OpResult {
        self.values.bool(column, v)
    }
    fn null(&mut self) -> OpResult {
        self.values.null()
    }
    fn present(&mut self, column: u32) -> OpResult {
        self.values.present(column)
    }
    fn absent(&mut self, column: u32) -> OpResult {
        self.values.absent(column)
    }
    fn member(&mut self, table: u32, column: u32, index: i64) -> OpResult {
        self.values.member(table, column, index)
    }
    fn has_field(&mut self, column: u32) -> OpResult {
        self.values.has_field(column)
    }
    fn lacks_field(&mut self, column: u32) -> OpResult {
        self.values.lacks_field(column)
    }
    fn enter(&mut self, container: Container, len: u32, acyclic: bool) -> OpResult {
        self.values.enter(container, len, acyclic)
    }
    fn leave(&mut self) -> OpResult {
        self.values.leave()
    }
    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        acyclic: bool,
    ) -> OpResult {
        self.values.sequence(container, column, len, acyclic)
    }
    fn arm(&mut self, column: u32, arm: usize) -> OpResult {
        self.values.arm(column, arm)
    }
}
