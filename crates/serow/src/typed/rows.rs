//! Rows of a serializable type as a source, and of a deserializable type as a sink.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serow_core::compiled::{RowSink, RowSource};
use serow_core::decode::{ReaderSchema, own_value};
use serow_core::encode::{Rows, shortened};
use serow_core::interpreter::{PlanCursor, Run, RunError, Walk, walk_rows};
use serow_core::layout::{OpResult, Sink, SinkBase, Source, Unique};
use serow_core::path::Path;
use serow_core::plan::StrEncoding;
use serow_core::program::Program;
use serow_core::schema::{InferError, Shape, Type};
use serow_core::wire::row::RowReader;
use serow_core::wire::single::Agreement;

use super::known::Known;
use super::pull::{Pull, PullState};
use super::push::Push;
use super::to_tree::{TOO_DEEP, tree_of};
use crate::dictionary::Dictionary;
use crate::rows;

/// Rows to be encoded.
#[derive(Debug)]
pub struct TypedRows<'a, T>(pub &'a [T]);

impl<T: Serialize> Rows for TypedRows<'_, T> {
    type Source<'s>
        = TypedReader<'s, T>
    where
        Self: 's;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn source(&self) -> TypedReader<'_, T> {
        TypedReader { rows: self.0, known: Known::default() }
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), InferError> {
        let tree = tree_of(&self.0[row]).map_err(|failure| match failure.into_fault().0 {
            TOO_DEEP => InferError::Depth,
            _ => InferError::Value(Path::default()),
        })?;
        shape.add_value(&tree)
    }

    /// Always none: the inferred type of a row depends on the values in it, such as the variants of
    /// an enum.
    fn hint(&self) -> Option<u64> {
        None
    }

    fn describe(&self, row: usize, path: &Path, _expected: Option<&Type>) -> String {
        match tree_of(&self.0[row]) {
            Ok(tree) => shortened(tree.described(path), 80),
            Err(failure) => format!("the value: {failure}"),
        }
    }
}

/// A source that walks the plan.
pub struct TypedReader<'a, T> {
    rows: &'a [T],
    known: Known,
}

impl<T: Serialize> TypedReader<'_, T> {
    fn walk<K: Sink>(&mut self, program: &Program, sink: &mut K, rows: Range<usize>) -> Run {
        let push = Push::new(program, sink, &mut self.known);
        walk_rows(&mut Encoding { rows: self.rows, push }, &mut (), &mut (), rows)
    }
}

/// A walk from rows to a sink.
struct Encoding<'a, T, K> {
    rows: &'a [T],
    push: Push<'a, K>,
}

impl<'p, T: Serialize, K: Sink> Walk<'p> for Encoding<'p, T, K> {
    fn cursor(&mut self) -> &mut PlanCursor<'p> {
        &mut self.push.cursor
    }

    fn row(&mut self, (): &mut (), (): &mut (), row: usize) -> OpResult<ControlFlow<()>> {
        let Encoding { rows, push } = self;
        push.sink.row()?;
        push.row(&rows[row]).map_err(|failure| failure.into_fault().0)?;
        push.sink.end_row()
    }

    fn checkpoint(&mut self, (): &mut (), (): &mut ()) -> OpResult {
        self.push.sink.checkpoint()
    }
}

impl<T: Serialize> RowSource for TypedReader<'_, T> {
    const IS_INDEXED: bool = true;

    fn run<K: Sink>(&mut self, program: &Arc<Program>, sink: &mut K, rows: Range<usize>) -> Run {
        self.known.begin(&program.from.tables);
        sink.names(&program.to.tables);
        // A type may give a key twice: by a flattened map, or by its own `Serialize`.
        let checked = match program.has_sets_or_maps {
            true => self.walk(program, &mut Unique::default(), rows.clone()),
            false => Ok(ControlFlow::Continue(())),
        };
        let Err(error) = checked else { return self.walk(program, sink, rows) };
        match self.walk(program, sink, rows.start..error.row)? {
            ControlFlow::Continue(()) => Err(error),
            full => Ok(full),
        }
    }
}

/// Decoded rows: a sink that walks the plan.
pub struct TypedWriter<T> {
    rows: Vec<T>,
    state: PullState,
    /// What the type's own `Deserialize` said about the row that it refused.
    said: Option<String>,
}

impl<T: DeserializeOwned> rows::Sink<'_, T> for TypedWriter<T> {
    fn new(as_maps: bool, _message: &[u8]) -> TypedWriter<T> {
        TypedWriter { rows: Vec::new(), state: PullState::new(as_maps), said: None }
    }

    fn has_refused(&self) -> bool {
        self.said.is_some()
    }

    fn into_rows(self) -> Vec<T> {
        self.rows
    }
}

/// Types that implement serde's traits, which the drivers of this module read and make.
#[derive(Debug)]
pub struct Serde;

impl<T: Serialize> rows::Encode<Serde> for T {
    type Rows<'a>
        = TypedRows<'a, T>
    where
        T: 'a;
    type Shared<'a>
        = TypedRows<'a, T>
    where
        T: 'a + Sync;

    fn rows(rows: &[T]) -> TypedRows<'_, T> {
        TypedRows(rows)
    }

    fn shared(rows: &[T]) -> TypedRows<'_, T>
    where
        T: Sync,
    {
        TypedRows(rows)
    }
}

impl<T: DeserializeOwned> rows::Decode<'_, Serde> for T {
    const IS_CONVERTED: bool = false;
    type Sink = TypedWriter<T>;
    type Sent
        = TypedWriter<T>
    where
        T: Send;

    fn decode_one(record: &[u8], own: &ReaderSchema, agreement: &Agreement) -> crate::Result<T> {
        let program = own.program();
        // What is special, and the reason of a failure, are for the sink of rows.
        if let Some((value, _)) = own_value(record, program, agreement)?
            && !program.has_sets_or_maps
            && let Some(row) = read_value(program, value)
        {
            return Ok(row);
        }
        rows::one_by_sink(record, own, agreement)
    }
}

thread_local! {
    /// What is known of the names in the last single record.
    static KEPT: RefCell<PullState> = RefCell::new(PullState::new(false));
}

/// Reads the value of a single record; `None` if the type refuses it, or reads records itself.
fn read_value<T: DeserializeOwned>(program: &Program, value: &[u8]) -> Option<T> {
    let read = |kept: &RefCell<PullState>| {
        let state = &mut *kept.try_borrow_mut().ok()?;
        let mut source = RowReader::of_value(value);
        let row = Pull::new(program, &mut source, state).row().ok()?;
        source.end_row().ok().map(|()| row)
    };
    KEPT.try_with(read).ok().flatten()
}

/// A walk from a source to rows.
struct Decoding<'a, T, S> {
    rows: &'a mut Vec<T>,
    said: &'a mut Option<String>,
    pull: Pull<'a, S>,
}

impl<'p, T: DeserializeOwned, S: Source> Walk<'p> for Decoding<'p, T, S> {
    fn cursor(&mut self) -> &mut PlanCursor<'p> {
        &mut self.pull.cursor
    }

    fn row(&mut self, (): &mut (), (): &mut (), row: usize) -> OpResult<ControlFlow<()>> {
        self.pull.source.row(row)?;
        match self.pull.row() {
            Ok(row) => self.rows.push(row),
            Err(failure) => {
                let (fault, said) = failure.into_fault();
                *self.said = said;
                return Err(fault);
            }
        }
        self.pull.source.end_row()?;
        Ok(ControlFlow::Continue(()))
    }

    fn checkpoint(&mut self, (): &mut (), (): &mut ()) -> OpResult {
        self.pull.source.checkpoint()
    }
}

impl<T: DeserializeOwned> RowSink for TypedWriter<T> {
    const TAKES_DUPLICATES: bool = true;

    fn run_to_end<S: Source>(
        &mut self,
        program: &Arc<Program>,
        source: &mut S,
        rows: Range<usize>,
    ) -> std::result::Result<(), Box<RunError>> {
        source.names(&program.from.tables);
        let TypedWriter { rows: made, state, said } = self;
        let pull = Pull::new(program, source, state);
        walk_rows(&mut Decoding { rows: made, said, pull }, &mut (), &mut (), rows).map(drop)
    }
}

impl<T> SinkBase for TypedWriter<T> {
    fn refusal(&self) -> String {
        self.said.clone().unwrap_or_default()
    }

    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        self.state.add_dictionary(column as usize, Dictionary::new(encoding, ends, bytes)?);
        Ok(())
    }
}
