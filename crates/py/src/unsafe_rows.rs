//! `serow._native.UnsafeRows`: conversion between Spark's rows and Python objects.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::layout::Pair;
use serow_core::layout::objects::OBJECTS;
use serow_core::program::Program;
use serow_spark::{Described, StructsAs, UNSAFE_ROWS, read_unsafe_rows, write_unsafe_rows};

use crate::buffers::Message;
use crate::codec::tier_name;
use crate::compile;
use crate::convert;
use crate::errors::raise;
use crate::layout::build::row_attributes;
use crate::layout::logical::Quiet;
use crate::layout::{Access, Api, Direct, ObjectWriter, PyNames, SparkRows, TupleClass};
use crate::rows::PyRows;

/// Reads and writes batches of Spark rows of one description.
#[pyclass(name = "UnsafeRows", module = "serow._native", frozen)]
pub struct PyUnsafeRows {
    read: Named,
    written: Named,
}

/// The kinds of the layouts between which rows are read.
const READING: Pair = (&UNSAFE_ROWS, &OBJECTS);

/// A program for Spark's rows, and its names.
struct Named {
    program: Arc<Program>,
    names: Arc<PyNames>,
}

/// The program for rows of a description.
fn program(
    py: Python<'_>,
    description: &str,
    rows: StructsAs,
    class: Option<&Bound<'_, PyType>>,
) -> PyResult<Named> {
    let described = Described::parse(description, rows).map_err(|error| raise(py, error))?;
    let Described { schema, storage, fields } = described;
    let are_distinct = fields.iter().map(|names| {
        let distinct: HashSet<&String> = names.iter().collect();
        distinct.len() == names.len()
    });
    let are_distinct = are_distinct.collect();
    let attributes = fields.iter().map(|names| row_attributes(&PyList::new(py, names)?));
    let rows = SparkRows {
        class: class.map(TupleClass::new).transpose()?,
        attributes: attributes.collect::<PyResult<_>>()?,
        are_distinct,
    };
    let program = Arc::new(Program::extended(&schema, storage));
    let names = Arc::new(PyNames::of_spark_rows(py, &program.to.tables, rows)?);
    Ok(Named { program, names })
}

#[pymethods]
impl PyUnsafeRows {
    /// `row_class` is the class of structs, a subclass of tuple whose instances have attributes.
    /// Structs are tuples if it is `None`.
    #[new]
    #[pyo3(signature = (description, row_class))]
    fn new(
        py: Python<'_>,
        description: &str,
        row_class: Option<Bound<'_, PyType>>,
    ) -> PyResult<PyUnsafeRows> {
        let (class, rows) = match &row_class {
            Some(class) => (Some(class), StructsAs::Records),
            None => (None, StructsAs::Tuples),
        };
        Ok(PyUnsafeRows {
            read: program(py, description, rows, class)?,
            written: program(py, description, StructsAs::Given, class)?,
        })
    }

    /// Decodes `batch` to a list of rows.
    fn read<'py>(&self, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let message = Message::get(batch)?;
        match convert::offsets() {
            Some(offsets) => self.read_with(batch.py(), Direct(offsets), message.bytes()),
            None => self.read_with(batch.py(), Api, message.bytes()),
        }
    }

    /// Compiles the reader now, as `Codec.compile` does.
    fn compile(&self, py: Python<'_>) -> PyResult<()> {
        if !compile::is_wanted()? {
            return Ok(());
        }
        let offsets = convert::offsets_to_compile(py)?;
        compile::compile(py, offsets, &self.read.program, READING)
    }

    /// The tier of the reader: `jit`, `interpreter` or `c-api`.
    #[getter]
    fn tier(&self) -> &'static str {
        tier_name(self.read.program.is_compiled(READING))
    }

    /// Encodes `rows`. Each row is a tuple, a list, an instance of `row_class` or a dict by field
    /// names.
    fn write<'py>(&self, rows: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyBytes>> {
        match convert::offsets() {
            Some(offsets) => self.write_with(rows, Direct(offsets), Some(Direct(offsets))),
            None => self.write_with(rows, Api, None),
        }
    }
}

impl PyUnsafeRows {
    fn write_with<'py, A: Access>(
        &self,
        rows: &Bound<'py, PyList>,
        access: A,
        direct: Option<Direct>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        let rows = PyRows::new(rows.clone().into_any(), access, direct, true)?;
        let rows = rows.named(self.written.names.clone());
        let batch =
            write_unsafe_rows(&self.written.program, &rows).map_err(|error| raise(py, error))?;
        Ok(PyBytes::new(py, &batch))
    }

    fn read_with<'py, A: Access>(
        &self,
        py: Python<'py>,
        access: A,
        batch: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        // New rows are registered with the garbage collector; collections during the batch would
        // traverse all of them for nothing.
        let _quiet = Quiet::new();
        // SAFETY: the GIL is held as long as `py` lives.
        let mut rows = unsafe { ObjectWriter::new(access) };
        rows.make_with(self.read.names.clone());
        read_unsafe_rows(&self.read.program, batch, &mut rows).map_err(|error| raise(py, error))?;
        // SAFETY: the list is a new reference, or null with an error set.
        unsafe { Bound::from_owned_ptr_or_err(py, rows.take_list()) }
    }
}
