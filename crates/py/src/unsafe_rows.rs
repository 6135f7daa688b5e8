//! `serow._native.UnsafeRows`: the rows of Spark's JVM as Python's objects.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};
use serow_core::layout::unsafe_row::{self, Described, Rows, Storage};
use serow_core::plan::Plan;

use crate::buffers::Message;
use crate::convert;
use crate::errors::raise;
use crate::layout::logical::Quiet;
use crate::layout::{Access, Api, Direct, SparkRows, Writer, set_spark_rows};

/// Reads batches of Spark's rows that are all of one description.
#[pyclass(name = "UnsafeRows", module = "serow._native", frozen)]
pub struct PyUnsafeRows {
    plan: Arc<Plan>,
    storage: Storage,
}

#[pymethods]
impl PyUnsafeRows {
    /// `row_class` is the class of structs, a subclass of tuple whose objects have attributes; they
    /// are tuples if it is `None`.
    #[new]
    #[pyo3(signature = (description, row_class))]
    fn new(
        py: Python<'_>,
        description: &str,
        row_class: Option<Bound<'_, PyType>>,
    ) -> PyResult<PyUnsafeRows> {
        if let Some(class) = &row_class
            && !class.is_subclass_of::<PyTuple>()?
        {
            return Err(PyTypeError::new_err("row_class must be a subclass of tuple"));
        }
        let rows = if row_class.is_some() { Rows::Records } else { Rows::Tuples };
        let described = Described::parse(description, rows).map_err(|error| raise(py, error))?;
        let Described { schema, storage, fields } = described;
        let fields = fields.iter().map(|names| Ok(PyList::new(py, names)?.unbind()));
        let rows = SparkRows {
            class: row_class.map(Bound::unbind),
            fields: fields.collect::<PyResult<_>>()?,
        };
        // No other's, since its names are made as Spark's.
        let plan = Plan::new(&schema);
        set_spark_rows(py, &plan.tables, rows)?;
        Ok(PyUnsafeRows { plan: Arc::new(plan), storage })
    }

    /// The rows of `batch`: a list of them.
    fn read<'py>(&self, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let message = Message::get(batch)?;
        match convert::offsets() {
            Some(offsets) => self.read_with(batch.py(), Direct(offsets), message.bytes()),
            None => self.read_with(batch.py(), Api, message.bytes()),
        }
    }
}

impl PyUnsafeRows {
    fn read_with<'py, A: Access>(
        &self,
        py: Python<'py>,
        access: A,
        batch: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        // Rows become known to the garbage collector when they are made; it need not look at each
        // of them while the batch is read.
        let _quiet = Quiet::new();
        // SAFETY: the GIL is held as long as `py` lives.
        let mut rows = unsafe { Writer::new(access) };
        unsafe_row::read(&self.plan, &self.storage, batch, &mut rows)
            .map_err(|error| raise(py, error))?;
        // SAFETY: the list is a new reference, or null with an error set.
        unsafe { Bound::from_owned_ptr_or_err(py, rows.into_list()) }
    }
}
