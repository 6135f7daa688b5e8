//! Batches that serow makes, as a stream of Arrow.

use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3::{PyTraverseError, PyVisit};

use super::{SCHEMA, STREAM};
use crate::errors::{SchemaError, exception, shown};
use crate::made::Made;

#[doc = stub_doc!("ArrowStream")]
#[pyclass(module = "serow", frozen)]
pub struct ArrowStream {
    schema: SchemaRef,
    source: Mutex<Source>,
}

/// Where the batches come from.
enum Source {
    /// All are there, and each consumer gets them.
    Made(Vec<RecordBatch>),
    /// The first are there. The others come, for one consumer.
    Coming(Option<Box<Coming>>),
}

/// Batches that are made when they are asked for.
struct Coming {
    /// The batches that are made and not taken, the next one last.
    made: Vec<RecordBatch>,
    rest: Box<dyn MoreBatches>,
    is_ended: bool,
}

/// Where batches that come are made of.
pub trait MoreBatches: Send {
    /// The next batches; none at the end.
    ///
    /// # Errors
    /// An exception that says why there are no more, although there should be.
    fn make(&mut self, py: Python<'_>) -> PyResult<Vec<RecordBatch>>;

    /// Passes its objects to the garbage collector.
    ///
    /// # Errors
    /// An error of `visit`.
    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError>;
}

#[pymethods]
impl ArrowStream {
    /// A capsule with a stream of the batches.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the request.
        let _ = requested_schema;
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let reader: Box<dyn RecordBatchReader + Send> = match &mut *source {
            Source::Made(batches) => {
                let batches = batches.clone().into_iter().map(Ok);
                Box::new(RecordBatchIterator::new(batches, self.schema.clone()))
            }
            Source::Coming(coming) => match coming.take() {
                Some(batches) => Box::new(RecordBatchIterator::new(batches, self.schema.clone())),
                None => {
                    return Err(exception::<PyRuntimeError>(
                        "the rows of an iterator or a Reader can be taken once, and they were taken; call to_arrow again, or give it a list",
                    ));
                }
            },
        };
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    /// A capsule with the schema of the batches.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = c_schema(&self.schema)?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    fn __repr__(&self) -> Made<String> {
        let columns = self.schema.fields().iter();
        let columns: Vec<_> =
            columns.map(|field| format!("{}: {}", field.name(), field.data_type())).collect();
        Made(format!("<serow.ArrowStream of {}>", columns.join(", ")))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.source.try_lock().as_deref() {
            Ok(Source::Coming(Some(coming))) => coming.rest.traverse(&visit),
            _ => Ok(()),
        }
    }

    fn __clear__(&self) {
        if let Ok(mut source) = self.source.try_lock()
            && let Source::Coming(coming) = &mut *source
        {
            *coming = None;
        }
    }
}

impl Iterator for Coming {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made.is_empty() && !self.is_ended {
            let more = Python::attach(|py| {
                self.rest.make(py).map_err(|error| ArrowError::ExternalError(shown(&error).into()))
            });
            match more {
                Ok(made) => self.made = made,
                Err(error) => {
                    self.is_ended = true;
                    return Some(Err(error));
                }
            }
            self.made.reverse();
            self.is_ended = self.made.is_empty();
        }
        self.made.pop().map(Ok)
    }
}

impl ArrowStream {
    /// Batches that are all there, for any number of consumers.
    ///
    /// # Errors
    /// A `SchemaError` if the schema can't cross the border.
    pub fn made(schema: SchemaRef, batches: Vec<RecordBatch>) -> PyResult<ArrowStream> {
        ArrowStream::of(schema, Source::Made(batches))
    }

    /// Batches that are made when one consumer asks for them: the `first` ones, and if there are some, the `rest`.
    ///
    /// # Errors
    /// A `SchemaError` if the schema can't cross the border.
    pub fn coming(
        schema: SchemaRef,
        mut first: Vec<RecordBatch>,
        rest: Box<dyn MoreBatches>,
    ) -> PyResult<ArrowStream> {
        first.reverse();
        let is_ended = first.is_empty();
        ArrowStream::of(
            schema,
            Source::Coming(Some(Box::new(Coming { made: first, rest, is_ended }))),
        )
    }

    fn of(schema: SchemaRef, source: Source) -> PyResult<ArrowStream> {
        c_schema(&schema)?;
        Ok(ArrowStream { schema, source: Mutex::new(source) })
    }
}

/// The schema in its form for the border.
///
/// # Errors
/// A `SchemaError` if it has none: a name with a null character.
fn c_schema(schema: &ArrowSchema) -> PyResult<FFI_ArrowSchema> {
    FFI_ArrowSchema::try_from(schema).map_err(|error| exception::<SchemaError>(error.to_string()))
}
