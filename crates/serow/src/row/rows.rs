//! Rows of a type as a source, and as a sink.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use serow_core::compiled::{self, RowSink, RowSource};
use serow_core::decode::{ReaderSchema, own_value, stopped_in_value};
use serow_core::encode::Rows;
use serow_core::error::Fault;
use serow_core::interpreter::{Run, RunError, checkpoint};
use serow_core::layout::batch::Batch;
use serow_core::layout::{OpResult, Sink, SinkBase, Source};
use serow_core::limits::CHECK_ROWS;
use serow_core::memory;
use serow_core::path::Path;
use serow_core::plan::StrEncoding;
use serow_core::program::Program;
use serow_core::schema::{InferError, Shape, Type};
use serow_core::wire::columns::ColumnCursors;
use serow_core::wire::frame::ColumnSet;
use serow_core::wire::row::RowReader;
use serow_core::wire::single::Agreement;

use super::failure::Failure;
use super::{Place, ReadRow, Reading, Row, Writing, reader_schema};
use crate::dictionary::Dictionary;
use crate::rows;

/// Types that know their schema.
#[derive(Debug)]
pub struct Own;

/// The fault of rows that a program of another type should write or read.
const OTHER_TYPE: Fault = Fault::TypeMismatch;

/// Rows to be encoded.
#[derive(Debug)]
pub struct RowsOf<'a, T>(pub &'a [T]);

impl<'v, T: Row> Rows for RowsOf<'v, T> {
    type Source<'s>
        = RowsOf<'v, T>
    where
        Self: 's;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn source(&self) -> RowsOf<'v, T> {
        RowsOf(self.0)
    }

    fn infer(&self, _row: usize, shape: &mut Shape) -> Result<(), InferError> {
        shape.join(Shape::of(&T::ty()));
        Ok(())
    }

    /// None: there is nothing to infer.
    fn hint(&self) -> Option<u64> {
        None
    }

    /// Every value of a type fits its schema, but not every limit.
    fn describe(&self, _row: usize, _path: &Path, _expected: Option<&Type>) -> String {
        format!("a value of {}", std::any::type_name::<T>())
    }
}

impl<T: Row> RowSource for RowsOf<'_, T> {
    const IS_INDEXED: bool = true;

    fn run<K: Sink>(&mut self, program: &Arc<Program>, sink: &mut K, rows: Range<usize>) -> Run {
        if !T::COLUMNS.is_of(&program.to.columns) {
            return Err(RunError::at_row(rows.start, OTHER_TYPE));
        }
        sink.names(&program.to.tables);
        let mut failure = Failure::default();
        for row in rows {
            if row % CHECK_ROWS == CHECK_ROWS - 1 {
                checkpoint(|| sink.checkpoint()).map_err(|fault| RunError::at_row(row, fault))?;
            }
            let written = write(&self.0[row], sink, &mut failure);
            let written =
                written.map_err(|fault| RunError::at_place(row, failure.place(T::ty), fault))?;
            if written.is_break() {
                return Ok(ControlFlow::Break(row + 1));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn write<T: Row, K: Sink>(
    row: &T,
    sink: &mut K,
    failure: &mut Failure,
) -> OpResult<ControlFlow<()>> {
    sink.row()?;
    row.write(&mut Writing { sink, failure, elements: 0 }, Place::NONE)?;
    sink.end_row()
}

impl<T: Row> rows::Encode<Own> for T {
    type Rows<'a>
        = RowsOf<'a, T>
    where
        T: 'a;
    type Shared<'a>
        = RowsOf<'a, T>
    where
        T: 'a + Sync;

    fn rows(rows: &[T]) -> RowsOf<'_, T> {
        RowsOf(rows)
    }

    fn shared(rows: &[T]) -> RowsOf<'_, T>
    where
        T: Sync,
    {
        RowsOf(rows)
    }

    fn program() -> crate::Result<Option<Arc<Program>>> {
        Ok(Some(reader_schema::<T>()?.program().clone()))
    }
}

/// Decoded rows.
pub struct Made<'m, T> {
    /// What may be borrowed.
    message: &'m [u8],
    rows: Vec<T>,
    dictionaries: Vec<Dictionary>,
    /// Why the last row can't be read.
    failure: Failure,
    /// The columns of rows of another schema.
    batch: Batch,
}

impl<'m, T: ReadRow<'m>> rows::Decode<'m, Own> for T {
    type Sink = Made<'m, T>;
    type Sent
        = Made<'m, T>
    where
        T: Send;

    fn expected() -> crate::Result<Option<Arc<ReaderSchema>>> {
        reader_schema::<T>().map(Some)
    }

    #[inline]
    fn decode_one(record: &'m [u8], own: &ReaderSchema, agreement: &Agreement) -> crate::Result<T> {
        match own_value(record, own.program(), agreement)? {
            Some(value) => of_value::<T, _>(record, value, own, |from| from.row()),
            None => rows::one_by_sink(record, own, agreement),
        }
    }

    #[inline]
    fn decode_one_over(
        &mut self,
        record: &'m [u8],
        own: &ReaderSchema,
        agreement: &Agreement,
    ) -> crate::Result<()> {
        match own_value(record, own.program(), agreement)? {
            Some(value) => of_value::<T, _>(record, value, own, |from| from.row_over(self)),
            None => {
                *self = rows::one_by_sink(record, own, agreement)?;
                Ok(())
            }
        }
    }
}

/// Reads the value of a single record of the type's schema by `read`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn of_value<'m, T: Row, B>(
    record: &'m [u8],
    (value, at): (&[u8], usize),
    own: &ReaderSchema,
    read: impl FnOnce(Reading<'_, 'm, RowReader<'_>>) -> OpResult<B>,
) -> crate::Result<B> {
    let program = own.program();
    if !T::COLUMNS.is_of(&program.to.columns) {
        return Err(stopped_in_value(program, at, &RunError::at_row(0, OTHER_TYPE), String::new()));
    }
    let (source, failure) = (&mut RowReader::of_value(value), &mut Failure::default());
    let from = Reading { source, message: record, dictionaries: &[], failure, elements: 0 };
    read(from).map_err(|fault| {
        let error = RunError::at_place(0, failure.place(T::ty), fault);
        stopped_in_value(program, at, &error, failure.said())
    })
}

impl<'m, T: ReadRow<'m>> rows::Sink<'m, T> for Made<'m, T> {
    fn new(_as_maps: bool, message: &'m [u8]) -> Made<'m, T> {
        let (failure, batch) = (Failure::default(), Batch::default());
        Made { message, rows: Vec::new(), dictionaries: Vec::new(), failure, batch }
    }

    fn has_refused(&self) -> bool {
        false
    }

    fn into_rows(self) -> Vec<T> {
        self.rows
    }
}

impl<'m, T: ReadRow<'m>> Made<'m, T> {
    /// Reads rows that have the columns of `T`. Errors name them as `rows`.
    fn read<S: Source>(&mut self, source: &mut S, rows: Range<usize>) -> Result<(), Box<RunError>> {
        memory::reserve(&mut self.rows, rows.len().min(most_reserved::<T>()))
            .map_err(|fault| RunError::at_row(rows.start, fault))?;
        for row in rows {
            if row % CHECK_ROWS == CHECK_ROWS - 1 {
                checkpoint(|| source.checkpoint()).map_err(|fault| RunError::at_row(row, fault))?;
            }
            if let Err(fault) = self.read_row(source, row) {
                return Err(RunError::at_place(row, self.failure.place(T::ty), fault));
            }
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_row<S: Source>(&mut self, source: &mut S, row: usize) -> OpResult {
        source.row(row)?;
        let Made { message, dictionaries, failure, .. } = self;
        let made = Reading { source, message, dictionaries, failure, elements: 0 }.row()?;
        memory::push(&mut self.rows, made)
    }

    /// Reads rows of another schema, which `program` converts.
    fn convert<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(), Box<RunError>> {
        let failed = |row| move |fault| RunError::at_row(row, fault);
        let own = reader_schema::<T>().map_err(|_| failed(rows.start)(OTHER_TYPE))?;
        let own = own.program();
        let mut batch = std::mem::take(&mut self.batch);
        batch.reset(program);
        for (column, dictionary) in (0..).zip(std::mem::take(&mut self.dictionaries)) {
            dictionary.pass_to(&mut batch, column).map_err(failed(rows.start))?;
        }
        // After an error the rows before it are in the columns.
        let converted = compiled::run(program, source, &mut batch, rows.clone());
        let set = ColumnSet::staged(own, &batch);
        let made = rows.start..rows.start + batch.rows;
        let mut columns = ColumnCursors::new(own, set, self).map_err(failed(rows.start))?;
        self.read(&mut columns, made)?;
        drop(columns);
        self.batch = batch;
        converted.map(drop)
    }
}

/// The most rows for which memory is reserved at once: a frame's header may claim many.
fn most_reserved<T>() -> usize {
    (16 << 20) / size_of::<T>().max(1)
}

impl<'m, T: ReadRow<'m>> RowSink for Made<'m, T> {
    fn run_to_end<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> Result<(), Box<RunError>> {
        if !T::COLUMNS.is_of(&program.to.columns) {
            return Err(RunError::at_row(rows.start, OTHER_TYPE));
        }
        if program.is_evolved() {
            return self.convert(program, source, rows);
        }
        self.read(source, rows)
    }
}

impl<T> SinkBase for Made<'_, T> {
    fn refusal(&self) -> String {
        self.failure.said()
    }

    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        let column = column as usize;
        if self.dictionaries.len() <= column {
            self.dictionaries.resize_with(column + 1, Dictionary::default);
        }
        self.dictionaries[column] = Dictionary::new(encoding, ends, bytes)?;
        Ok(())
    }
}
