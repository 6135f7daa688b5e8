//! `serow.Codec`.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serow_core::encode;
use serow_core::plan::Plan;
use serow_core::wire::message::Layout;
use serow_core::wire::out::Borrowed;

use crate::buffers::{Buffer, written};
use crate::convert;
use crate::errors::raise;
use crate::schema::PySchema;

/// Encodes and decodes rows of one schema. It is immutable and may be used by many threads.
#[pyclass(name = "Codec", module = "serow", frozen)]
pub struct PyCodec {
    plan: Arc<Plan>,
    layout: Layout,
}

#[pymethods]
impl PyCodec {
    #[new]
    #[pyo3(signature = (schema, *, layout = "frame"))]
    fn new(schema: &Bound<'_, PyAny>, layout: &str) -> PyResult<PyCodec> {
        let schema = match (schema.cast::<PySchema>(), schema.cast::<PyString>()) {
            (Ok(schema), _) => schema.get().0.clone(),
            (_, Ok(text)) => PySchema::parse(text)?.0,
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "schema must be a Schema or its text, not {}",
                    schema.get_type().name()?
                )));
            }
        };
        Ok(PyCodec { plan: Arc::new(Plan::new(&schema)), layout: convert::layout(layout)? })
    }

    /// A codec for rows like `rows`.
    #[staticmethod]
    #[pyo3(signature = (rows, *, layout = "frame"))]
    fn infer(rows: &Bound<'_, PyAny>, layout: &str) -> PyResult<PyCodec> {
        let layout = convert::layout(layout)?;
        let schema = convert::with_rows!(rows, |rows| encode::infer(&rows))
            .map_err(|error| raise(rows.py(), error))?;
        Ok(PyCodec { plan: Arc::new(Plan::new(&schema)), layout })
    }

    /// The message of `rows`.
    fn encode<'py>(&self, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        convert::with_rows!(rows, |rows| {
            written(py, rows.access(), |room| encode::encode(&self.plan, &rows, self.layout, room))
        })
    }

    /// Write the message of `rows` into `buffer` and give its length.
    fn encode_into(&self, rows: &Bound<'_, PyAny>, buffer: &Bound<'_, PyAny>) -> PyResult<usize> {
        let buffer = Buffer::get(buffer, true)?;
        let (start, len) = buffer.raw();
        // SAFETY: the exporter keeps the bytes where they are, and other threads wait for the GIL.
        let mut room = unsafe { Borrowed::new(start, len) };
        convert::with_rows!(rows, |rows| {
            encode::encode(&self.plan, &rows, self.layout, &mut room)
        })
        .and_then(|written| room.finish(written))
        .map_err(|error| raise(rows.py(), error))
    }

    /// The rows of a message, which must be of the codec's schema.
    fn decode<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        convert::decode(data, Some(&self.plan))
    }

    /// What converts rows: `interpreter`.
    #[getter]
    fn tier(&self) -> &'static str {
        "interpreter"
    }

    /// The schema of the rows.
    #[getter]
    fn schema(&self) -> PySchema {
        PySchema(self.plan.schema().clone())
    }

    /// The wire that rows are encoded in: `frame` or `row`.
    #[getter]
    fn layout(&self) -> &'static str {
        self.layout.name()
    }

    fn __repr__(&self) -> String {
        format!("Codec('{}', layout='{}')", self.plan.schema(), self.layout.name())
    }
}
