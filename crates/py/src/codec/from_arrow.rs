//! Arrow's arrays as rows.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema as ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};
use serow_arrow::{Columns, Import};
use serow_core::decode::decode_set;
use serow_core::program::Program;
use serow_core::wire::frame::ColumnSet;

use super::{PyCodec, convert, options, typed};
use crate::access::with_access;
use crate::arrow::{self, ArrowInput};
use crate::errors::raise;
use crate::layout::{Access, ObjectChoices, ObjectWriter};
use crate::made::{self, Calls, name};
use crate::releasing::Releasing;

#[doc = stub_doc!("from_arrow")]
#[pyfunction]
#[pyo3(signature = (
    data, r#type = None, *, stream = false, times = "exact", arrays = None, validate = false,
    extensions = None,
))]
#[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
pub fn from_arrow<'py>(
    data: &Bound<'py, PyAny>,
    r#type: Option<&Bound<'py, PyAny>>,
    stream: bool,
    times: &str,
    arrays: Option<&str>,
    validate: bool,
    extensions: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, extensions) = (data.py(), arrow::extensions(extensions)?);
    let choices = options::objects(py, times, arrays, validate, None, r#type.is_some())?;
    let mut rows = ArrowRows::of(py, ArrowInput::of(data, extensions)?, r#type, choices)?;
    if stream {
        return Ok(Bound::new(py, rows)?.into_any());
    }
    let Some(all) = rows.next_rows(py, usize::MAX)? else {
        return Ok(made::empty_list(py)?.into_any());
    };
    while let Some(more) = rows.next_rows(py, usize::MAX)? {
        all.method_with(name!("extend"), (more,))?;
    }
    Ok(all)
}

/// Rows of Arrow's batches, as lists.
#[pyclass(module = "serow._native")]
pub struct ArrowRows {
    import: Import,
    given: ArrowInput,
    codec: Option<Py<PyCodec>>,
    choices: ObjectChoices,
    /// The batch that is being read, its program, and its next row.
    batch: Option<(Releasing<RecordBatch>, Arc<Program>, usize)>,
    /// The number of rows so far.
    before: usize,
}

#[pymethods]
impl ArrowRows {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.next_rows(py, 1)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.codec.as_ref().map_or(Ok(()), |codec| visit.call(codec))
    }
}

impl ArrowRows {
    fn of(
        py: Python<'_>,
        given: ArrowInput,
        ty: Option<&Bound<'_, PyAny>>,
        choices: ObjectChoices,
    ) -> PyResult<ArrowRows> {
        let is = |class: Bound<'_, PyType>| ty.is_some_and(|ty| ty.is(&class));
        let mut codec = None;
        let import = match given.columns() {
            Some(columns) if is(py.get_type::<PyTuple>()) => {
                Import::of_tuples(&ArrowSchema::new(columns.clone()))
            }
            // What the rows were before is in the metadata.
            Some(columns) if is(py.get_type::<PyDict>()) => {
                Import::new(&ArrowSchema::new(columns.clone()))
            }
            columns => {
                codec = ty.map(|ty| typed::codec_of(ty).map(Bound::unbind)).transpose()?;
                match columns {
                    Some(columns) => Import::new(&given.schema(columns)),
                    None => Import::of_values(given.field()),
                }
            }
        };
        let import = import.map_err(|error| raise(py, error))?;
        Ok(ArrowRows { import, given, codec, choices, batch: None, before: 0 })
    }

    /// Returns a list of the next rows. All are of one batch, and it reads at most `most` sets of columns.
    /// Returns `None` after the last row.
    fn next_rows<'py>(
        &mut self,
        py: Python<'py>,
        most: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.batch.is_none() {
            let Some(batch) = self.given.next_batch(py)? else { return Ok(None) };
            let program = self.import.program(std::slice::from_ref(&*batch));
            self.batch = Some((batch, program.map_err(|error| raise(py, error))?, 0));
        }
        let rows = with_access!(py, |access| self.list_of(py, access, most))?;
        Ok(Some(rows))
    }

    fn list_of<'py, A: Access>(
        &mut self,
        py: Python<'py>,
        access: A,
        most: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the GIL is held as long as `py` lives, and only `decode_set` uses the writer as a sink.
        let mut rows = unsafe { ObjectWriter::new(access) };
        rows.choose(self.choices.clone());
        let codec = self.codec.as_ref().map(|codec| codec.bind(py).get());
        codec.into_iter().for_each(|codec| codec.set_up(&mut rows));
        let mut columns = Columns::take();
        for _ in 0..most {
            let Some((batch, program, row)) = &mut self.batch else { break };
            let read = self.import.read(program, batch, *row, &mut columns);
            read.map_err(|error| raise(py, error))?;
            let set = ColumnSet::staged(program, &columns);
            decode_set(program, set, codec.map(PyCodec::expected), self.before, &mut rows)
                .map_err(|error| convert::raise_with_cause(py, error, &mut rows))?;
            *row += columns.rows;
            self.before += columns.rows;
            if *row == batch.num_rows() {
                self.batch = None;
            }
        }
        convert::listed(py, Ok(()), rows, codec)
    }
}
