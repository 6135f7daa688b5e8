//! Batches for Spark's RDDs: series of mostly similar lists of rows, which must decode to exactly
//! what pickle would give.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::encode;
use serow_core::program::Program;
use serow_core::threads::Threads;
use serow_core::wire::message::Wire;

use crate::buffers::written;
use crate::convert::{self, ReadAs};
use crate::layout::logical::Times;
use crate::layout::{Access, Api, Direct, TupleClass};
use crate::rows::PyRows;

/// Minimum rows for the frame wire. Fewer rows encode and decode faster as records, and columns are
/// not smaller yet.
const FRAME_ROWS: usize = 256;

/// Encoder and decoder of batches.
#[pyclass(module = "serow._native", frozen)]
pub struct Batches {
    /// PySpark's class `Row`.
    row: Arc<TupleClass>,
    /// The program for the schema of the previous batch.
    known: Mutex<Option<Arc<Program>>>,
}

#[pymethods]
impl Batches {
    /// `row_class` is PySpark's `Row`: a subclass of tuple whose instances have attributes.
    #[new]
    fn new(row_class: Bound<'_, PyType>) -> PyResult<Batches> {
        Ok(Batches { row: Arc::new(TupleClass::new(&row_class)?), known: Mutex::default() })
    }

    /// Decodes a message to a batch.
    fn read<'py>(&self, data: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyAny>> {
        convert::decode(data, ReadAs::SparkRows(&self.row), None, Threads::ONE, Times::Exact)
    }

    /// Encodes a batch. Returns `None` if a value has no type or would not decode to the same.
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
        // Foreign values are errors here: plain values in their place would not be the same.
        let rows = PyRows::new(batch.clone().into_any(), access, direct, true)?;
        let rows = rows.exactly(self.row.class());
        let wire = if batch.len() < FRAME_ROWS { Wire::Row } else { Wire::Frame };
        // If another thread has the lock, do without: no thread waits, so the lock can't block a
        // forked process.
        let mut known = self.known.try_lock();
        let mut unknown = None;
        let known = known.as_deref_mut().unwrap_or(&mut unknown);
        written(batch.py(), access, |room| encode::dumps_like(known, &rows, wire, room))
    }
}
