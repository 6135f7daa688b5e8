//! `serow.Schema`.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serow_core::encode;
use serow_core::schema::Schema;

use crate::convert;
use crate::errors::{SchemaError, raise};

/// What rows are made of: a type list with a text form and a fingerprint.
#[pyclass(name = "Schema", module = "serow", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PySchema(pub Schema);

#[pymethods]
impl PySchema {
    /// The schema that fits all of `rows`.
    #[staticmethod]
    fn infer(rows: &Bound<'_, PyAny>) -> PyResult<PySchema> {
        convert::with_rows!(rows, |rows| encode::infer(&rows))
            .map(PySchema)
            .map_err(|error| raise(rows.py(), error))
    }

    /// The schema that `text` spells, or that a type list in it spells.
    #[staticmethod]
    pub fn parse(text: &Bound<'_, PyString>) -> PyResult<PySchema> {
        let text_of_schema = text
            .to_str()
            .map_err(|_| SchemaError::new_err("schema: the text holds a lone surrogate"))?;
        Schema::parse(text_of_schema).map(PySchema).map_err(|error| raise(text.py(), error))
    }

    /// The type list: a tuple of small integers.
    #[getter]
    fn type_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.type_list())
    }

    /// The xxh3-64 of the type list.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.0.fingerprint()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Schema.parse('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<PySchema>().getattr("parse")?, (self.0.to_string(),)))
    }
}
