//! Batches that serow makes, as a stream of Arrow.

use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyList};
use pyo3::{PyTraverseError, PyVisit};
use serow_arrow::{Batches, FrameBatches};

use super::{SCHEMA, STREAM, given};
use crate::buffers::Message;
use crate::codec::PyCodec;
use crate::convert::with_rows;
use crate::errors::{SchemaError, exception, raise, shown};
use crate::layout::Leniency;
use crate::made::{Calls, Made, name};
use crate::options;
use crate::stream::{self, StreamReader};
use crate::taken::{self, Given};
use crate::typed;

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
    rest: BatchSource,
    is_ended: bool,
}

/// Where batches that come are made of.
enum BatchSource {
    /// Rows of an iterator.
    Rows(MoreRows),
    /// Frames of a stream.
    Frames(Box<MoreFrames>),
}

/// The rows of an iterator.
struct MoreRows {
    batches: Batches,
    rows: Py<PyIterator>,
    most: usize,
    leniency: Leniency,
    /// The number of rows so far.
    before: usize,
}

/// The frames of a reader.
struct MoreFrames {
    batches: FrameBatches,
    reader: Py<StreamReader>,
    /// Called with the numbers of rows and bytes after each frame.
    progress: Option<Py<PyAny>>,
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
            Ok(Source::Coming(Some(coming))) => match &coming.rest {
                BatchSource::Rows(more) => visit.call(&more.rows),
                BatchSource::Frames(more) => {
                    visit.call(&more.reader)?;
                    more.progress.as_ref().map_or(Ok(()), |progress| visit.call(progress))
                }
            },
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
                let made = match &mut self.rest {
                    BatchSource::Rows(more) => more.make(py),
                    BatchSource::Frames(more) => more.make(py).map(Vec::from_iter),
                };
                made.map_err(|error| ArrowError::ExternalError(shown(&error).into()))
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

impl MoreRows {
    /// The batches of the next rows; none at the end.
    fn make(&mut self, py: Python<'_>) -> PyResult<Vec<RecordBatch>> {
        let rows = some(self.rows.bind(py), self.most)?;
        let count = rows.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        let (batches, leniency, before) = (&mut self.batches, self.leniency, self.before);
        let rows = rows.into_any();
        let made = with_rows!(&rows, leniency: leniency, watched: true, after: before, |rows| {
            batches.of_more(&rows)
        });
        self.before += count;
        made.map_err(|error| raise(py, error))
    }
}

impl MoreFrames {
    /// The batch of the next frame with rows; none at the end.
    fn make(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            let mut reader = stream::change(self.reader.bind(py))?;
            let batches = &mut self.batches;
            let made = reader
                .next_with(py, |frame| batches.of_frame(frame).map_err(|error| raise(py, error)))?;
            let counts = reader.counts();
            drop(reader);
            let Some(made) = made else { return Ok(None) };
            if let Some(progress) = &self.progress {
                progress.bind(py).call_with(counts)?;
            }
            if made.is_some() {
                return Ok(made);
            }
        }
    }
}

/// A list of up to `most` rows of an iterator.
fn some<'py>(rows: &Bound<'py, PyIterator>, most: usize) -> PyResult<Bound<'py, PyList>> {
    let py = rows.py();
    let islice = py.import(name!("itertools"))?.getattr(name!("islice"))?;
    let listed = taken::listed(&islice.call_with((rows, most))?)?;
    Ok(listed.cast_into::<PyList>()?)
}

#[doc = stub_doc!("to_arrow")]
#[pyfunction]
#[pyo3(signature = (rows, r#type = None, *, schema = None, batch_rows = 65_536, times = "exact"))]
pub fn to_arrow(
    rows: &Bound<'_, PyAny>,
    r#type: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    batch_rows: usize,
    times: &str,
) -> PyResult<ArrowStream> {
    let (py, times) = (rows.py(), options::times(times)?);
    if batch_rows == 0 {
        return Err(exception::<PyValueError>("batch_rows must be 1 or more, not 0"));
    }
    let codec = r#type.map(typed::codec_of).transpose()?;
    let wanted = schema.map(given::schema).transpose()?;
    let wanted = wanted.as_ref();
    let ints_as_floats = codec.as_ref().is_some_and(|codec| codec.get().leniency().ints_as_floats);
    let leniency = Leniency { times, ints_as_floats, arrays_as_lists: codec.is_some() };
    let of_all = |rows: &Bound<'_, PyAny>| {
        let program = codec.as_ref().map(|codec| codec.get().program_for(rows)).transpose()?;
        let program = program.as_ref();
        with_rows!(rows, leniency: leniency, |rows| {
            Batches::of_all(&rows, program, wanted, batch_rows)
        })
        .map_err(|error| raise(py, error))
    };
    let iterator = match taken::given(rows)? {
        Given::Coming(coming) => coming.into_iterator(),
        Given::Listed(rows) => {
            let (all, made) = of_all(&rows)?;
            return ArrowStream::of(all.schema().clone(), Source::Made(made));
        }
    };
    let first = some(&iterator, batch_rows)?;
    let before = first.len();
    let (batches, mut made) = of_all(first.as_any())?;
    made.reverse();
    let schema = batches.schema().clone();
    let rows = iterator.unbind();
    let rest = BatchSource::Rows(MoreRows { batches, rows, most: batch_rows, leniency, before });
    let coming = Coming { made, rest, is_ended: before == 0 };
    ArrowStream::of(schema, Source::Coming(Some(Box::new(coming))))
}

impl ArrowStream {
    /// # Errors
    /// A `SchemaError` if the schema can't cross the border.
    fn of(schema: SchemaRef, source: Source) -> PyResult<ArrowStream> {
        c_schema(&schema)?;
        Ok(ArrowStream { schema, source: Mutex::new(source) })
    }

    /// The rows of a message, converted to the codec's schema, in batches of the `wanted` schema. Their arrays
    /// may take `max_memory` bytes.
    ///
    /// # Errors
    /// See `loads`.
    pub fn of_message(
        data: &Bound<'_, PyAny>,
        codec: &PyCodec,
        wanted: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
    ) -> PyResult<ArrowStream> {
        let py = data.py();
        let message = Message::get(data)?;
        let Some(program) = codec.closed_program() else {
            return Err(exception::<SchemaError>(format!(
                "the codec's schema does not say all types, so it has no columns of Arrow: it is {}; \
                 use to_arrow(codec.decode(data))",
                codec.program().schema()
            )));
        };
        let wanted = wanted.map(given::schema).transpose()?;
        let mut batches = FrameBatches::new(Some(program), max_memory).with_schema(wanted);
        let made = batches.of_message(message.bytes()).map_err(|error| raise(py, error))?;
        let schema = batches.schema().map_err(|error| raise(py, error))?;
        ArrowStream::of(schema, Source::Made(made))
    }

    /// The rows of the next frames of a reader, converted to `rows`, in batches of the `wanted` schema. Without
    /// one, the first frame with rows decides it.
    ///
    /// # Errors
    /// See `Reader`.
    pub fn of_reader(
        reader: Bound<'_, StreamReader>,
        rows: Option<&Bound<'_, PyAny>>,
        wanted: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ArrowStream> {
        let py = reader.py();
        let rows = rows.map(typed::codec_of).transpose()?;
        let rows = rows.as_ref().and_then(|codec| codec.get().closed_program());
        let wanted = wanted.map(given::schema).transpose()?;
        let batches = reader.try_borrow()?.batches(rows).with_schema(wanted);
        let mut more = Box::new(MoreFrames { batches, reader: reader.unbind(), progress });
        let made = Vec::from_iter(more.make(py)?);
        let schema = more.batches.schema().map_err(|error| raise(py, error))?;
        let is_ended = made.is_empty();
        let coming = Coming { made, rest: BatchSource::Frames(more), is_ended };
        ArrowStream::of(schema, Source::Coming(Some(Box::new(coming))))
    }
}

/// The schema in its form for the border.
///
/// # Errors
/// A `SchemaError` if it has none: a name with a null character.
fn c_schema(schema: &ArrowSchema) -> PyResult<FFI_ArrowSchema> {
    FFI_ArrowSchema::try_from(schema).map_err(|error| exception::<SchemaError>(error.to_string()))
}
