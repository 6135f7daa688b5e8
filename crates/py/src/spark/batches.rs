//! Batches for Spark's RDDs: series of mostly similar lists of rows, which must decode to exactly
//! what pickle would give.

use std::sync::{Arc, Mutex};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::encode;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::program::Program;
use serow_core::schema::{Container, Names};
use serow_core::threads::Threads;
use serow_core::wire::message::Wire;

use crate::access;
use crate::codec::convert::{self, ReadAs};
use crate::layout::ObjectChoices;
use crate::layout::buffers::written;
use crate::layout::records::spark_row;
use crate::layout::{
    Access, Attributes, Held, Object, StructKeys, StructObjects, TupleClass, is_exactly,
};
use crate::rows::PyRows;

/// Minimum rows for the frame wire. Fewer rows encode and decode faster as records, and columns are
/// not smaller yet.
const FRAME_ROWS: usize = 256;

/// PySpark's class `Row`.
struct Rows(TupleClass);

impl StructObjects for Rows {
    unsafe fn held(
        &self,
        py: Python<'_>,
        object: Object,
        _table: usize,
        names: &[Arc<str>],
        known: &mut Vec<Object>,
    ) -> OpResult<Held> {
        // SAFETY: the caller's promise; a row is a subclass of tuple.
        let is_row = unsafe {
            is_exactly(object, self.0.class().as_ptr().cast())
                && ffi::Py_SIZE(object) as usize == names.len()
                && spark_row::is_named(py, object, names, known)
        };
        if is_row { Ok(Held::Items(Container::Tuple)) } else { Err(Fault::TypeMismatch) }
    }

    fn class(&self, names: &Names) -> Option<&TupleClass> {
        (names.name.as_deref() == Some(spark_row::NAME)).then_some(&self.0)
    }

    fn attributes(&self, py: Python<'_>, _table: usize, keys: &StructKeys) -> PyResult<Attributes> {
        spark_row::attributes(&keys.list(py)?)
    }
}

#[doc = stub_doc!("Batches")]
#[pyclass(module = "serow._native", frozen)]
pub struct Batches {
    rows: Arc<Rows>,
    /// The program for the schema of the previous batch.
    known: Mutex<Option<Arc<Program>>>,
}

#[pymethods]
impl Batches {
    /// `row_class` is PySpark's `Row`: a subclass of tuple whose instances have attributes.
    #[new]
    fn new(row_class: Bound<'_, PyType>) -> PyResult<Batches> {
        Ok(Batches { rows: Arc::new(Rows(TupleClass::new(&row_class)?)), known: Mutex::default() })
    }

    #[doc = stub_doc!("Batches.read")]
    fn read<'py>(&self, data: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyAny>> {
        let rows: Arc<dyn StructObjects> = self.rows.clone();
        convert::decode(data, ReadAs::Objects(&rows), None, Threads::ONE, ObjectChoices::default())
    }

    #[doc = stub_doc!("Batches.write")]
    fn write<'py>(&self, batch: &Bound<'py, PyList>) -> Option<Bound<'py, PyBytes>> {
        access::with_access!(batch.py(), |access| self.write_with(batch, access)).ok()
    }
}

impl Batches {
    fn write_with<'py, A: Access>(
        &self,
        batch: &Bound<'py, PyList>,
        access: A,
    ) -> PyResult<Bound<'py, PyBytes>> {
        // Foreign values are errors here: plain values in their place would not be the same.
        let given = batch.clone().into_any();
        // SAFETY: only `dumps_like` uses the sources.
        let rows = unsafe { PyRows::new(given, access, PyRows::<A>::all()) }?;
        let rows = rows.exactly(self.rows.0.class(), self.rows.clone());
        let wire = if batch.len() < FRAME_ROWS { Wire::Row } else { Wire::Frame };
        // If another thread has the lock, do without: no thread waits, so the lock can't block a
        // forked process.
        let mut known = self.known.try_lock();
        let mut unknown = None;
        let known = known.as_deref_mut().unwrap_or(&mut unknown);
        written(batch.py(), access, |room| encode::dumps_like(known, &rows, wire, room))
    }
}
