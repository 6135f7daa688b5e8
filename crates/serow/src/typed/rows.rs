//! Rows of a serializable type as a source, and of a deserializable type as a sink.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde::ser::Serialize;
use serow_core::error::{Fault, Result};
use serow_core::layout::{OpResult, Position, Rows, Sink, Source, Text};
use serow_core::path::Path;
use serow_core::plan::{Arm, Plan, StrEncoding, Tables};
use serow_core::schema::{Container, InferError, Schema, Shape, Type};

use super::dictionary::Dictionary;
use super::failure::{Failure, Reason};
use super::known::Known;
use super::pull::{Pull, SameFields};
use super::push::Push;
use super::shape::schema_of;
use super::to_tree::{TOO_DEEP, tree_of};

/// Rows to be encoded.
pub struct TypedRows<'a, T> {
    rows: &'a [T],
    /// What the type's own `Serialize` said about a row that it refused.
    said: Mutex<Option<(usize, String)>>,
}

impl<'a, T: Serialize> TypedRows<'a, T> {
    pub fn new(rows: &'a [T]) -> TypedRows<'a, T> {
        TypedRows { rows, said: Mutex::new(None) }
    }

    fn said(&self) -> MutexGuard<'_, Option<(usize, String)>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, row: usize, failure: Failure) -> Fault {
        match failure.into_reason() {
            Reason::Fault(fault) => fault,
            Reason::Said(message) => {
                let mut said = self.said();
                // Another thread may have come to a later row. The first one is the error.
                if said.as_ref().is_none_or(|(of, _)| row <= *of) {
                    *said = Some((row, message));
                }
                Fault::Unrepresentable
            }
        }
    }
}

impl<T: Serialize> Rows for TypedRows<'_, T> {
    type Source<'s>
        = TypedReader<'s, T>
    where
        Self: 's;

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn source(&self) -> TypedReader<'_, T> {
        TypedReader { rows: self, row: 0, known: Known::default() }
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> std::result::Result<(), InferError> {
        let tree = tree_of(&self.rows[row]).map_err(|failure| match self.fault(row, failure) {
            TOO_DEEP => InferError::Depth,
            _ => InferError::Value(Path::default()),
        })?;
        shape.add_value(&tree)
    }

    fn schema(&self, shape: Shape) -> Result<Schema> {
        schema_of(shape)
    }

    /// Always none: the inferred type of a row depends on the values in it, such as the variants of
    /// an enum.
    fn hint(&self) -> Option<u64> {
        None
    }

    fn describe(&self, row: usize, path: &Path, _expected: Option<&Type>) -> String {
        let said = self.said();
        if let Some((_, message)) = said.as_ref().filter(|(of, _)| *of == row) {
            return format!("the value: {message}");
        }
        let shown = match tree_of(&self.rows[row]) {
            Ok(tree) => match tree.at(path) {
                Some(value) => format!("{value:?}"),
                None => format!("a missing field of {tree:?}"),
            },
            Err(failure) => format!("the value: {failure}"),
        };
        shortened(shown)
    }
}

/// The longest text of a value in an error message, in characters.
const MAX_SHOWN: usize = 80;

fn shortened(mut text: String) -> String {
    if let Some((cut, _)) = text.char_indices().nth(MAX_SHOWN) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// A source that drives the plan.
pub struct TypedReader<'a, T> {
    rows: &'a TypedRows<'a, T>,
    row: usize,
    known: Known,
}

/// The fault of a method that is only for layouts that don't drive the plan.
const DRIVES: Fault = Fault::Corrupt("this layout drives the plan");

impl<T: Serialize> Source for TypedReader<'_, T> {
    const NEVER: Fault = Fault::TypeMismatch;
    const DRIVES: bool = true;

    fn names(&mut self, tables: &Arc<Tables>) {
        self.known.begin(tables);
    }

    fn drive<K: Sink>(&mut self, plan: &Plan, sink: &mut K, at: &mut Position) -> OpResult {
        let mut push = Push::new(plan, sink, &mut self.known, at);
        let pushed = self.rows.rows[self.row].serialize(&mut push);
        *at = push.into_position();
        pushed.map_err(|failure| self.rows.fault(self.row, failure))
    }

    fn row(&mut self, row: usize) -> OpResult {
        self.row = row;
        Ok(())
    }

    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    fn i64(&mut self, _column: u32) -> OpResult<i64> {
        Err(DRIVES)
    }

    fn f64(&mut self, _column: u32) -> OpResult<f64> {
        Err(DRIVES)
    }

    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Err(DRIVES)
    }

    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Err(DRIVES)
    }

    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        Err(DRIVES)
    }

    fn null(&mut self) -> OpResult {
        Err(DRIVES)
    }

    fn present(&mut self, _column: u32) -> OpResult<bool> {
        Err(DRIVES)
    }

    fn enter(&mut self, _container: Container, _len: u32) -> OpResult {
        Err(DRIVES)
    }

    fn leave(&mut self) {}

    fn sequence(&mut self, _: Container, _column: u32, _zero_sized: bool) -> OpResult<usize> {
        Err(DRIVES)
    }

    fn arm(&mut self, _arms: &[Arm], _column: u32) -> OpResult<usize> {
        Err(DRIVES)
    }
}

/// Decoded rows: a sink that drives the plan.
pub struct TypedWriter<T> {
    rows: Vec<T>,
    as_maps: bool,
    dictionaries: Vec<Dictionary>,
    tables: Arc<Tables>,
    same: SameFields,
    /// What the type's own `Deserialize` said about the row that it refused.
    said: Option<String>,
}

impl<T> TypedWriter<T> {
    /// Creates a sink. If `as_maps`, structs are always read as maps.
    pub fn new(as_maps: bool) -> TypedWriter<T> {
        TypedWriter {
            rows: Vec::new(),
            as_maps,
            dictionaries: Vec::new(),
            tables: Tables::none(),
            same: Vec::new(),
            said: None,
        }
    }

    pub(super) fn into_rows(self) -> Vec<T> {
        self.rows
    }

    /// Returns whether the type's own `Deserialize` refused a row.
    pub(super) fn has_refused(&self) -> bool {
        self.said.is_some()
    }
}

impl<T: DeserializeOwned> Sink for TypedWriter<T> {
    const DRIVES: bool = true;
    const TAKES_DUPLICATES: bool = true;

    fn names(&mut self, tables: &Arc<Tables>) {
        if !Arc::ptr_eq(&self.tables, tables) {
            self.tables = tables.clone();
            self.same.clear();
        }
    }

    fn drive<S: Source>(&mut self, plan: &Plan, source: &mut S, at: &mut Position) -> OpResult {
        let mut pull =
            Pull::new(plan, source, &self.dictionaries, &mut self.same, self.as_maps, at);
        let made = T::deserialize(&mut pull);
        *at = pull.into_position();
        match made {
            Ok(row) => {
                self.rows.push(row);
                Ok(())
            }
            Err(failure) => Err(match failure.into_reason() {
                Reason::Fault(fault) => fault,
                Reason::Said(message) => {
                    self.said = Some(message);
                    Fault::Unrepresentable
                }
            }),
        }
    }

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
        let column = column as usize;
        if self.dictionaries.len() <= column {
            self.dictionaries.resize_with(column + 1, Dictionary::default);
        }
        self.dictionaries[column] = Dictionary::new(encoding, ends, bytes)?;
        Ok(())
    }

    fn row(&mut self, _bound: usize) -> OpResult {
        Ok(())
    }

    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn element(&mut self, _bound: usize) -> OpResult {
        Err(DRIVES)
    }

    fn i64(&mut self, _column: u32, _v: i64) -> OpResult {
        Err(DRIVES)
    }

    fn f64(&mut self, _column: u32, _v: f64) -> OpResult {
        Err(DRIVES)
    }

    fn str(&mut self, _column: u32, _v: Text<'_>) -> OpResult {
        Err(DRIVES)
    }

    fn bool(&mut self, _column: u32, _v: bool) -> OpResult {
        Err(DRIVES)
    }

    fn null(&mut self) -> OpResult {
        Err(DRIVES)
    }

    fn present(&mut self, _column: u32) -> OpResult {
        Err(DRIVES)
    }

    fn absent(&mut self, _column: u32) -> OpResult {
        Err(DRIVES)
    }

    fn enter(&mut self, _container: Container, _len: u32, _acyclic: bool) -> OpResult {
        Err(DRIVES)
    }

    fn leave(&mut self) -> OpResult {
        Err(DRIVES)
    }

    fn sequence(&mut self, _: Container, _column: u32, _len: usize, _acyclic: bool) -> OpResult {
        Err(DRIVES)
    }

    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Err(DRIVES)
    }
}
