//! Rows as Arrow's arrays, and back: `to_arrow` and `from_arrow`.
//!
//! The arrays cross the border by Arrow's C data interface in capsules, so no library of Arrow is needed.

mod given;

use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Metadata, Schema as ArrowSchema, SchemaRef};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit, intern};
use serow_arrow::{Batches, Columns, Import};
use serow_core::decode::decode_set;
use serow_core::wire::frame::ColumnSet;

use crate::codec::PyCodec;
use crate::convert::{self, with_access, with_rows};
use crate::errors::{DecodeError, SchemaError, raise};
use crate::layout::logical::Times;
use crate::layout::{Access, ObjectWriter};
use crate::taken::{self, Given};
use crate::typed;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// Rows as Arrow's batches, for any library that takes a stream of them by the Arrow PyCapsule
/// interface.
#[pyclass(module = "serow", frozen)]
pub struct ArrowStream {
    schema: SchemaRef,
    source: Mutex<Source>,
}

/// Where the batches come from.
enum Source {
    /// All are there, and each consumer gets them.
    Made(Vec<RecordBatch>),
    /// The first are there. An iterator has the rows of the others, for one consumer.
    Coming(Option<Coming>),
}

/// Batches of the rows of an iterator.
struct Coming {
    batches: Batches,
    /// The batches that are made and not taken, the next one last.
    made: Vec<RecordBatch>,
    rows: Py<PyIterator>,
    most: usize,
    times: Times,
    /// The number of rows so far.
    before: usize,
    is_ended: bool,
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
                Box::new(Iterated { schema: self.schema.clone(), batches })
            }
            Source::Coming(coming) => match coming.take() {
                Some(batches) => Box::new(Iterated { schema: self.schema.clone(), batches }),
                None => {
                    return Err(PyRuntimeError::new_err(
                        "the rows of an iterator can be taken once, and they were taken; call to_arrow again, or give it a list",
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

    fn __repr__(&self) -> String {
        let columns = self.schema.fields().iter();
        let columns: Vec<_> =
            columns.map(|field| format!("{}: {}", field.name(), field.data_type())).collect();
        format!("<serow.ArrowStream of {}>", columns.join(", "))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.source.try_lock().as_deref() {
            Ok(Source::Coming(Some(coming))) => visit.call(&coming.rows),
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

/// The batches of an iterator, with their schema.
struct Iterated<I> {
    schema: SchemaRef,
    batches: I,
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Iterator for Iterated<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> RecordBatchReader for Iterated<I> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl Iterator for Coming {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made.is_empty() && !self.is_ended {
            let more = Python::attach(|py| {
                self.more(py).map_err(|error| ArrowError::ExternalError(error.to_string().into()))
            });
            if let Err(error) = more {
                self.is_ended = true;
                return Some(Err(error));
            }
        }
        self.made.pop().map(Ok)
    }
}

impl Coming {
    /// Makes the batches of the next rows.
    fn more(&mut self, py: Python<'_>) -> PyResult<()> {
        let rows = some(self.rows.bind(py), self.most)?;
        let count = rows.len();
        if count == 0 {
            self.is_ended = true;
            return Ok(());
        }
        let (batches, times, before) = (&mut self.batches, self.times, self.before);
        let rows = rows.into_any();
        let made = with_rows!(&rows, times: times, watched: true, after: before, |rows| {
            batches.of_more(&rows)
        });
        self.made = made.map_err(|error| raise(py, error))?;
        self.made.reverse();
        self.before += count;
        Ok(())
    }
}

/// A list of up to `most` rows of an iterator.
fn some<'py>(rows: &Bound<'py, PyIterator>, most: usize) -> PyResult<Bound<'py, PyList>> {
    let py = rows.py();
    let islice = py.import("itertools")?.getattr("islice")?;
    let listed = taken::listed(&islice.call1((rows, most))?)?;
    Ok(listed.cast_into::<PyList>()?)
}

/// Returns `rows`, an iterable of rows, as Arrow's batches of at most `batch_rows` rows each. Without a
/// type, all rows of a list decide the columns, and the first batch of an iterator does.
#[pyfunction]
#[pyo3(signature = (rows, r#type = None, *, batch_rows = 65_536, times = "exact"))]
pub fn to_arrow(
    rows: &Bound<'_, PyAny>,
    r#type: Option<&Bound<'_, PyAny>>,
    batch_rows: usize,
    times: &str,
) -> PyResult<ArrowStream> {
    let (py, times) = (rows.py(), convert::times(times)?);
    if batch_rows == 0 {
        return Err(PyValueError::new_err("batch_rows must be 1 or more, not 0"));
    }
    let codec = r#type.map(typed::codec_of).transpose()?;
    let program = codec.as_ref().map(|codec| codec.get().program());
    let of_all = |rows: &Bound<'_, PyAny>| {
        with_rows!(rows, times: times, |rows| Batches::of_all(&rows, program, batch_rows))
            .map_err(|error| raise(py, error))
    };
    let iterator = match taken::given(rows)? {
        Given::Coming(coming) => coming.into_iterator(),
        Given::Listed(rows) => {
            let (all, made) = of_all(&rows)?;
            c_schema(all.schema())?;
            let source = Mutex::new(Source::Made(made));
            return Ok(ArrowStream { schema: all.schema().clone(), source });
        }
    };
    let first = some(&iterator, batch_rows)?;
    let before = first.len();
    let (batches, mut made) = of_all(first.as_any())?;
    made.reverse();
    let schema = batches.schema().clone();
    c_schema(&schema)?;
    let rows = iterator.unbind();
    let is_ended = before == 0;
    let coming = Coming { batches, made, rows, most: batch_rows, times, before, is_ended };
    Ok(ArrowStream { schema, source: Mutex::new(Source::Coming(Some(coming))) })
}

/// The rows of `data`, an object with Arrow's batches or with one array: dicts of the columns, or what
/// `to_arrow` was given. They are one list, or with `stream` an iterator of lists.
#[pyfunction]
#[pyo3(signature = (data, r#type = None, *, stream = false, times = "exact"))]
pub fn from_arrow<'py>(
    data: &Bound<'py, PyAny>,
    r#type: Option<&Bound<'py, PyAny>>,
    stream: bool,
    times: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let mut rows = ArrowRows::of(data, r#type, convert::times(times)?)?;
    if stream {
        return Ok(Bound::new(py, rows)?.into_any());
    }
    let Some(all) = rows.next_rows(py, usize::MAX)? else {
        return Ok(PyList::empty(py).into_any());
    };
    while let Some(more) = rows.next_rows(py, usize::MAX)? {
        all.call_method1(intern!(py, "extend"), (more,))?;
    }
    Ok(all)
}

/// Rows of Arrow's batches, as lists.
#[pyclass(module = "serow._native")]
pub struct ArrowRows {
    import: Import,
    field: Field,
    /// The lock is never taken: whoever reads has the only reference.
    arrays: Mutex<Arrays>,
    codec: Option<Py<PyCodec>>,
    times: Times,
    /// The batch that is being read, and its next row.
    batch: Option<(RecordBatch, usize)>,
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
        data: &Bound<'_, PyAny>,
        ty: Option<&Bound<'_, PyAny>>,
        times: Times,
    ) -> PyResult<ArrowRows> {
        let py = data.py();
        let (field, metadata, arrays) = arrays(data)?;
        let is = |class: Bound<'_, PyType>| ty.is_some_and(|ty| ty.is(&class));
        let mut codec = None;
        let import = match (field.data_type(), ty) {
            (DataType::Struct(fields), _) if is(py.get_type::<PyTuple>()) => {
                Import::of_tuples(&ArrowSchema::new(fields.clone()))
            }
            // What the rows were before is in the metadata.
            (DataType::Struct(fields), _) if is(py.get_type::<PyDict>()) => {
                Import::new(&ArrowSchema::new(fields.clone()))
            }
            (data_type, ty) => {
                codec = ty.map(|ty| typed::codec_of(ty).map(Bound::unbind)).transpose()?;
                match data_type {
                    DataType::Struct(fields) => {
                        Import::new(&ArrowSchema::new_with_metadata(fields.clone(), metadata))
                    }
                    _ => Import::of_values(&field),
                }
            }
        };
        let import = import.map_err(|error| raise(py, error))?;
        let arrays = Mutex::new(arrays);
        Ok(ArrowRows { import, field, arrays, codec, times, batch: None, before: 0 })
    }

    /// A list of the next rows, of one batch and at most so many sets of columns; `None` at the end.
    fn next_rows<'py>(
        &mut self,
        py: Python<'py>,
        most: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        while self.batch.is_none() {
            let arrays = self.arrays.get_mut().unwrap_or_else(PoisonError::into_inner);
            let Some(array) = arrays.next() else { return Ok(None) };
            let batch = batch_of(&self.field, array.map_err(refused)?)?;
            self.batch = Some((batch, 0)).filter(|(batch, _)| batch.num_rows() > 0);
        }
        let rows = with_access!(|access| self.list_of(py, access, most))?;
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
        rows.make_times(self.times);
        let codec = self.codec.as_ref().map(|codec| codec.bind(py).get());
        let names = codec.and_then(PyCodec::names);
        names.into_iter().for_each(|names| rows.make_with(names.clone()));
        let mut columns = Columns::take();
        for _ in 0..most {
            let Some((batch, row)) = &mut self.batch else { break };
            let program =
                self.import.read(batch, *row, &mut columns).map_err(|error| raise(py, error))?;
            let set = ColumnSet::staged(&program, &columns);
            decode_set(&program, set, codec.map(PyCodec::expected), self.before, &mut rows)
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

/// The schema in its form for the border.
///
/// # Errors
/// A `SchemaError` if it has none: a name with a null character.
fn c_schema(schema: &ArrowSchema) -> PyResult<FFI_ArrowSchema> {
    FFI_ArrowSchema::try_from(schema).map_err(|error| SchemaError::new_err(error.to_string()))
}

/// Whether the values of a field are rows of columns, or a column of values.
fn is_table(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Struct(_))
}

/// The rows of an array, as a batch.
fn batch_of(field: &Field, array: ArrayRef) -> PyResult<RecordBatch> {
    if is_table(field) && array.null_count() == 0 {
        return Ok(RecordBatch::from(StructArray::from(array.to_data())));
    }
    if is_table(field) {
        return Err(DecodeError::new_err(
            "a row is null; give the rows as a column of a table, or without the nulls",
        ));
    }
    let schema = Arc::new(ArrowSchema::new(vec![field.clone().with_name("value")]));
    RecordBatch::try_new(schema, vec![array]).map_err(refused)
}

type Arrays = Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>> + Send>;

/// The arrays of `data`, with their field, and the metadata of the schema.
fn arrays<'py>(data: &Bound<'py, PyAny>) -> PyResult<(Field, Metadata, Arrays)> {
    let py = data.py();
    if let Some(stream) = data.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        let capsule = stream.call0()?.cast_into::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: the capsule's name says that it has a stream, which is moved out of it.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let arrays = given::Stream::new(stream).map_err(refused)?;
        let field = arrays.field().clone();
        let metadata = field.metadata().clone();
        return Ok((field, metadata, Box::new(arrays)));
    }
    if let Some(array) = data.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array): (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>) =
            array.call0()?.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: the capsules' names say what they have. The array is moved out of its capsule.
        let (field, array) = unsafe {
            let field = Field::try_from(schema.as_ref()).map_err(refused)?;
            let array = given::array(FFI_ArrowArray::from_raw(array.as_ptr()), field.data_type());
            (field, array)
        };
        let metadata = field.metadata().clone();
        return Ok((field, metadata, Box::new(std::iter::once(array))));
    }
    Err(PyTypeError::new_err(format!(
        "data must have Arrow's arrays, as tables and data frames do, not {}; it has neither \
         __arrow_c_stream__ nor __arrow_c_array__",
        data.get_type().name()?
    )))
}

/// An error of Arrow's library, or of the one that gives the arrays.
fn refused(error: ArrowError) -> PyErr {
    DecodeError::new_err(error.to_string())
}
