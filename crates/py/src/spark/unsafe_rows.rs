//! `serow._native.UnsafeRows`: conversion between Spark's rows and Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::layout::Pair;
use serow_core::layout::objects::OBJECTS;
use serow_spark::{Described, StructsAs, UNSAFE_ROWS, read_unsafe_rows, write_unsafe_rows};

use super::objects::{Rows, StructKinds};
use crate::access;
use crate::codec::tier_name;
use crate::compile;
use crate::errors::raise;
use crate::layout::buffers::Message;
use crate::layout::logical::Quiet;
use crate::layout::{Access, Leniency, ObjectWriter};
use crate::made::{self, Made};
use crate::rows::PyRows;

#[doc = stub_doc!("UnsafeRows")]
#[pyclass(name = "UnsafeRows", module = "serow._native", frozen)]
pub struct PyUnsafeRows {
    read: Rows,
    written: Rows,
}

/// The kinds of the layouts between which rows are read.
const READING: Pair = (&UNSAFE_ROWS, &OBJECTS);

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
        let class = row_class.as_ref();
        let described =
            |structs| Described::parse(description, structs).map_err(|error| raise(py, error));
        let read = if class.is_some() { StructsAs::Records } else { StructsAs::Tuples };
        Ok(PyUnsafeRows {
            read: Rows::of(py, described(read)?, class, StructKinds::ANY)?,
            written: Rows::of(py, described(StructsAs::Given)?, class, StructKinds::ANY)?,
        })
    }

    #[doc = stub_doc!("UnsafeRows.read")]
    fn read<'py>(&self, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let message = Message::get(batch)?;
        access::with_access!(batch.py(), |access| self.read_with(
            batch.py(),
            access,
            message.bytes()
        ))
    }

    #[doc = stub_doc!("UnsafeRows.compile")]
    fn compile(&self, py: Python<'_>) -> PyResult<()> {
        if !compile::is_wanted()? {
            return Ok(());
        }
        let offsets = access::offsets_to_compile(py)?;
        compile::compile(py, offsets, &self.read.program, READING)
    }

    #[doc = stub_doc!("UnsafeRows.tier")]
    #[getter]
    fn tier(&self) -> Made<&'static str> {
        Made(tier_name(self.read.program.is_compiled(READING)))
    }

    #[doc = stub_doc!("UnsafeRows.write")]
    fn write<'py>(&self, rows: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyBytes>> {
        access::with_access!(rows.py(), |access| self.write_with(rows, access))
    }
}

impl PyUnsafeRows {
    fn write_with<'py, A: Access>(
        &self,
        rows: &Bound<'py, PyList>,
        access: A,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        let given = rows.clone().into_any();
        // SAFETY: only `write_unsafe_rows` uses the sources.
        let rows = unsafe { PyRows::new(given, access, PyRows::<A>::all()) }?;
        let leniency = Leniency { arrays_as_lists: true, ..Leniency::default() };
        let rows = rows.of_objects(self.written.objects.clone()).with_leniency(leniency);
        let batch =
            write_unsafe_rows(&self.written.program, &rows).map_err(|error| raise(py, error))?;
        made::bytes(py, &batch)
    }

    fn read_with<'py, A: Access>(
        &self,
        py: Python<'py>,
        access: A,
        batch: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        // New rows are registered with the garbage collector; collections during the batch would
        // traverse all of them for nothing.
        let _quiet = Quiet::new(py);
        // SAFETY: the GIL is held as long as `py` lives.
        let mut rows = unsafe { ObjectWriter::new(access) };
        rows.make_objects(self.read.objects.clone());
        read_unsafe_rows(&self.read.program, batch, &mut rows).map_err(|error| raise(py, error))?;
        // SAFETY: the list is a new reference, or null with an error set.
        unsafe { Bound::from_owned_ptr_or_err(py, rows.take_list()) }
    }
}
