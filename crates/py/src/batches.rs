//! Messages of batches: lists of rows that come one after another, are mostly alike, and have to come back
//! exactly as pickle would give them back.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::encode;
use serow_core::program::Program;
use serow_core::wire::message::Wire;

use crate::buffers::written;
use crate::convert::{self, ReadAs};
use crate::layout::{Access, Api, Direct, TupleClass};
use crate::rows::PyRows;

/// From so many rows on a batch is written as a frame. Fewer are packed and unpacked faster as records, and columns
/// begin to be smaller only where there are some.
const FRAME_ROWS: usize = 256;

/// Writes batches, and reads them.
#[pyclass(module = "serow._native", frozen)]
pub struct Batches {
    /// The class of PySpark's rows.
    row: Arc<TupleClass>,
    /// The plan of the batch before.
    known: Mutex<Option<Arc<Program>>>,
}

#[pymethods]
impl Batches {
    /// `row_class` is the class of PySpark's rows: a subclass of tuple whose objects have attributes.
    #[new]
    fn new(row_class: Bound<'_, PyType>) -> PyResult<Batches> {
        Ok(Batches { row: Arc::new(TupleClass::new(&row_class)?), known: Mutex::default() })
    }

    /// The batch of a message.
    fn read<'py>(&self, data: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyAny>> {
        convert::decode(data, ReadAs::SparkRows(&self.row), None)
    }

    /// The message of a batch; `None` if it holds anything that would come back otherwise, or has no type.
    fn write<'py>(&self, batch: &Bound<'py, PyList>) -> Option<Bound<'py, PyBytes>> {
        match convert::offsets() {
            Some(offsets) => self.write_with(batch, Direct(offsets), Some(Direct(offsets))),
            None => self.write_with(batch, Api, None),
        }
        .ok()
    }
}

impl Batches {
    fn write_with<'py, A: Access>(
        &self,
        batch: &Bound<'py, PyList>,
        access: A,
        direct: Option<Direct>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        // Foreign values stay what they are, so they are an error.
        let rows = PyRows::new(batch.clone().into_any(), access, direct, true)?;
        let rows = rows.exactly(self.row.class());
        let wire = if batch.len() < FRAME_ROWS { Wire::Row } else { Wire::Frame };
        // Whoever comes while it is locked does without; nobody waits, so a fork can't hang on it.
        let mut known = self.known.try_lock();
        let mut unknown = None;
        let known = known.as_deref_mut().unwrap_or(&mut unknown);
        written(batch.py(), access, |room| encode::dumps_like(known, &rows, wire, room))
    }
}
