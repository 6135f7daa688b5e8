//! Rows of Spark's types from Arrow's arrays, and arrays of such rows.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};
use serow_arrow::{Columns, Import, batch_of_rows};
use serow_core::decode::decode_set;
use serow_core::schema::Type;
use serow_core::wire::frame::ColumnSet;
use serow_spark::{Described, StructsAs, show_times, store};

use super::objects::{Rows, StructKinds};
use crate::access;
use crate::arrow::{self, ArrowInput, ArrowStream, Extensions};
use crate::errors::raise;
use crate::layout::logical::Quiet;
use crate::layout::{Access, Leniency, ObjectWriter};
use crate::rows::PyRows;

#[doc = stub_doc!("RowArrays")]
#[pyclass(module = "serow._native", frozen)]
pub struct RowArrays {
    description: String,
    class: Py<PyType>,
    read: PyOnceLock<Rows>,
    given: PyOnceLock<Rows>,
}

#[pymethods]
impl RowArrays {
    #[new]
    fn new(description: String, row_class: Py<PyType>) -> RowArrays {
        let (read, given) = (PyOnceLock::new(), PyOnceLock::new());
        RowArrays { description, class: row_class, read, given }
    }

    #[doc = stub_doc!("RowArrays.rows")]
    fn rows<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let batches = ArrowInput::of(data, Extensions::Known)?;
        access::with_access!(data.py(), |access| self.rows_with(data.py(), access, batches))
    }

    #[doc = stub_doc!("RowArrays.arrays")]
    fn arrays(&self, rows: &Bound<'_, PyList>, schema: &Bound<'_, PyAny>) -> PyResult<ArrowStream> {
        let wanted = arrow::schema(schema)?;
        access::with_access!(rows.py(), |access| self.arrays_with(rows, &wanted, access))
    }
}

impl RowArrays {
    fn described(&self, py: Python<'_>, structs: StructsAs) -> PyResult<Rows> {
        let described = Described::parse_any(&self.description, structs);
        let described = described.map_err(|error| raise(py, error))?;
        let are_rows = matches!(described.schema.root(), Type::Struct(_));
        let kinds = StructKinds { lists: 0..usize::from(are_rows), subclasses: false };
        Rows::of(py, described, Some(self.class.bind(py)), kinds)
    }

    fn arrays_with<A: Access>(
        &self,
        rows: &Bound<'_, PyList>,
        wanted: &SchemaRef,
        access: A,
    ) -> PyResult<ArrowStream> {
        let py = rows.py();
        let Rows { program, objects } =
            self.given.get_or_try_init(py, || self.described(py, StructsAs::Given))?;
        let given = rows.clone().into_any();
        // SAFETY: only `batch_of_rows` uses the sources.
        let given = unsafe { PyRows::new(given, access, PyRows::<A>::all()) }?;
        let leniency = Leniency { ints_as_floats: true, ..Leniency::default() };
        let given = given.of_objects(objects.clone()).with_leniency(leniency);
        let made = batch_of_rows(&given, program, wanted, |columns| store(program, columns));
        let made = made.map_err(|error| raise(py, error))?;
        ArrowStream::made(made.schema(), vec![made])
    }

    fn rows_with<'py, A: Access>(
        &self,
        py: Python<'py>,
        access: A,
        mut batches: ArrowInput,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Rows { program, objects } =
            self.read.get_or_try_init(py, || self.described(py, StructsAs::Records))?;
        let import = Import::of_type(program.root());
        // Collections would traverse the new rows for nothing.
        let _quiet = Quiet::new(py);
        // SAFETY: the GIL is held as long as `py` lives, and only `decode_set` uses the writer as a sink.
        let mut rows = unsafe { ObjectWriter::new(access) };
        rows.make_objects(objects.clone());
        let (mut columns, mut before) = (Columns::take(), 0);
        while let Some(batch) = batches.next_batch(py)? {
            let batch: &RecordBatch = &batch;
            let mut row = 0;
            while row < batch.num_rows() {
                import
                    .read(program, batch, row, &mut columns)
                    .and_then(|()| show_times(program, &mut columns))
                    .and_then(|()| {
                        let set = ColumnSet::staged(program, &columns);
                        decode_set(program, set, None, before, &mut rows)
                    })
                    .map_err(|error| raise(py, error))?;
                row += columns.rows;
                before += columns.rows;
            }
        }
        // SAFETY: the list is a new reference, or null with an error set.
        unsafe { Bound::from_owned_ptr_or_err(py, rows.take_list()) }
    }
}
