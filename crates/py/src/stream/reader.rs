//! `StreamReader`, the base of `serow.Reader`.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::exceptions::{PyBlockingIOError, PyException, PyOSError, PyTypeError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_arrow::FrameBatches;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::stream::{Ahead, ReadBytes, StreamDecoder};
use serow_core::threads::Threads;
use serow_core::wire::message::{Metadata, PackedFrame, RawFrame};
use serow_core::{Error, Result as SerowResult};

use crate::arrow::ArrowStream;
use crate::codec::PyCodec;
use crate::codec::convert;
use crate::codec::options::{self, ReadOptions};
use crate::codec::schema::PySchema;
use crate::errors::{exception, raise};
use crate::gil::GIL;
use crate::made::{Calls, Made, name};
use crate::stream::{change, look_at};

#[doc = stub_doc!("StreamReader")]
#[pyclass(module = "serow._native", subclass)]
pub struct StreamReader {
    source: FrameSource,
    options: Arc<ReadOptions>,
    /// The threads. With several ones, also what was read and not given yet.
    ahead: Ahead<SerowResult<RawFrame<'static>>, PyErr>,
    /// The error that ended the reading, as it was before it was raised. An error that was raised leads to
    /// the caller's frames, and these lead to the reader, so nothing of it would be freed.
    error: Option<PyErr>,
    /// The schema of the last frame that was given.
    schema: Option<Schema>,
}

/// Where frames come from.
struct FrameSource {
    decoder: StreamDecoder,
    read: Py<PyAny>,
}

/// Reads into `space`. Returns the number of bytes, which is 0 at the end.
fn read_into(read: &Bound<'_, PyAny>, space: &mut [u8]) -> PyResult<usize> {
    let bytes = read.call_with((space.len(),))?;
    if bytes.is_none() {
        return Err(exception::<PyBlockingIOError>(
            "the file has no data now; give a Reader a file that waits for data",
        ));
    }
    let bytes = bytes.cast_into::<PyBytes>().map_err(|error| {
        exception::<PyTypeError>(format!(
            "read() must return bytes, so open the file with 'rb': {error}"
        ))
    })?;
    let bytes = bytes.as_bytes();
    let Some(to) = space.get_mut(..bytes.len()) else {
        return Err(exception::<PyOSError>("read(n) returned more than n bytes"));
    };
    to.copy_from_slice(bytes);
    Ok(bytes.len())
}

#[pymethods]
impl StreamReader {
    /// `read` is called with the most bytes that it may return.
    #[new]
    #[pyo3(signature = (
        read, threads = None, one_stream = false, skip = false, follow = false, path = None, /, *,
        r#type = None, max_memory = None, times = "exact", arrays = None, validate = false,
        records = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
    fn new(
        read: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        one_stream: bool,
        skip: bool,
        follow: bool,
        path: Option<String>,
        r#type: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
        times: &str,
        arrays: Option<&str>,
        validate: bool,
        records: Option<&str>,
    ) -> PyResult<StreamReader> {
        let py = read.py();
        let options = ReadOptions::new(py, r#type, max_memory, times, arrays, validate, records)?;
        let ahead = Ahead::new(options::threads(threads)?).with_host_lock(GIL);
        let mut decoder = StreamDecoder::new().with_host_lock(GIL);
        if let Some(codec) = options.codec() {
            decoder = decoder.with_program(Arc::clone(codec.expected().program()));
        }
        if let Some(bytes) = max_memory {
            decoder = decoder.with_max_memory(bytes);
        }
        if skip {
            decoder = decoder.skipping();
        }
        if one_stream {
            decoder = decoder.one_stream();
        }
        if follow {
            decoder = decoder.following();
        }
        if let Some(path) = path {
            decoder = decoder.with_advice(format!(
                "if nobody writes it any more, serow.recover({path}) keeps its whole frames, and so \
                 does a Writer with append=True before it writes"
            ));
        }
        let source = FrameSource { decoder, read: read.clone().unbind() };
        let options = Arc::new(options);
        Ok(StreamReader { source, options, ahead, error: None, schema: None })
    }

    /// The rows of the next frame, or `None` at the end. An error that ended the reading is raised
    /// again. If the reader follows, `None` says that no whole frame has come yet; the next bytes must be those
    /// from `bytes_read` on.
    fn _next_frame<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, mut this) = (slf.py(), change(slf)?);
        let options = Arc::clone(&this.options);
        this.next_with(py, |frame| convert::decode_frame(py, frame, &options))
    }

    /// Passes over the frames that are there. The next bytes must be those from `bytes_read` on.
    fn _pass_frames(slf: &Bound<'_, Self>) -> PyResult<()> {
        let (py, mut this) = (slf.py(), change(slf)?);
        while this.next_with(py, |_| Ok(()))?.is_some() {}
        Ok(())
    }

    /// The next bytes are those of another file, from its beginning.
    fn _begin_anew(&mut self) {
        self.source.decoder.begin_anew();
    }

    #[doc = stub_doc!("StreamReader.rows_lost")]
    #[getter]
    fn rows_lost(slf: &Bound<'_, Self>) -> PyResult<Made<u64>> {
        Ok(Made(look_at(slf)?.source.decoder.lost().1))
    }

    #[doc = stub_doc!("StreamReader.bytes_lost")]
    #[getter]
    fn bytes_lost(slf: &Bound<'_, Self>) -> PyResult<Made<u64>> {
        Ok(Made(look_at(slf)?.source.decoder.lost().0))
    }

    #[doc = stub_doc!("StreamReader.schema")]
    #[getter]
    fn schema(slf: &Bound<'_, Self>) -> PyResult<Option<PySchema>> {
        Ok(look_at(slf)?.schema.clone().map(PySchema::from))
    }

    #[doc = stub_doc!("StreamReader.metadata")]
    #[getter]
    fn metadata(slf: &Bound<'_, Self>) -> PyResult<Made<Metadata>> {
        let (py, mut this) = (slf.py(), change(slf)?);
        let StreamReader { source, error, .. } = &mut *this;
        if let Some(error) = error {
            return Err(again(py, error)?);
        }
        if let Err(raised) = source.advance(py, StreamDecoder::read_header) {
            if source.decoder.is_ended() {
                *error = Some(again(py, &raised)?);
            }
            return Err(raised);
        }
        Ok(Made(source.decoder.metadata().clone()))
    }

    /// The next frames as Arrow's batches. The function is called with the numbers of rows and bytes after
    /// each frame.
    #[pyo3(signature = (rows = None, schema = None, progress = None))]
    fn _arrow(
        slf: Bound<'_, Self>,
        rows: Option<&Bound<'_, PyAny>>,
        schema: Option<&Bound<'_, PyAny>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ArrowStream> {
        super::arrow::of_reader(slf, rows, schema, progress)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.source.read)?;
        self.options.traverse(&visit)
    }

    #[doc = stub_doc!("StreamReader.rows")]
    #[getter(rows)]
    fn rows_given(slf: &Bound<'_, Self>) -> PyResult<Made<usize>> {
        Ok(Made(look_at(slf)?.rows()))
    }

    #[doc = stub_doc!("StreamReader.bytes_read")]
    #[getter]
    fn bytes_read(slf: &Bound<'_, Self>) -> PyResult<Made<usize>> {
        Ok(Made(look_at(slf)?.source.decoder.consumed()))
    }
}

impl StreamReader {
    fn rows(&self) -> usize {
        match self.ahead.threads() {
            Threads::ONE => self.source.decoder.rows(),
            _ => self.ahead.rows(),
        }
    }

    /// The numbers of rows and bytes that were read.
    pub fn counts(&self) -> (usize, usize) {
        (self.rows(), self.source.decoder.consumed())
    }

    /// What makes Arrow's batches of the frames. Without a type, their rows are converted to `rows`.
    pub fn batches(&self, rows: Option<&Arc<Program>>) -> FrameBatches {
        let program = self.options.codec().map(PyCodec::program);
        FrameBatches::new(program.or(rows), self.options.max_memory)
    }

    /// What `decode` makes of the next frame, or `None` at the end. An error that ended the reading is
    /// raised again.
    ///
    /// # Errors
    /// Errors of the file, of the frame and of `decode`.
    pub fn next_with<T>(
        &mut self,
        py: Python<'_>,
        mut decode: impl FnMut(&RawFrame<'_>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        if let Some(error) = &self.error {
            return Err(again(py, error)?);
        }
        let mut schema = None;
        let frame = self.read_frame(py, |frame| {
            schema = Some(frame.program.schema().clone());
            decode(frame)
        });
        self.schema = schema.or(self.schema.take());
        if let Err(error) = &frame
            && self.source.decoder.is_ended()
        {
            self.error = Some(again(py, error)?);
        }
        frame
    }

    fn read_frame<T>(
        &mut self,
        py: Python<'_>,
        mut decode: impl FnMut(&RawFrame<'_>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let StreamReader { source, ahead, .. } = self;
        if ahead.threads() == Threads::ONE {
            let Some(frame) = source.advance(py, StreamDecoder::read_frame)? else {
                return Ok(None);
            };
            let frame = source.decoder.packed(frame).unpack_released(GIL);
            let rows = frame.map_err(|error| raise(py, error)).and_then(|frame| decode(&frame));
            if rows.is_err() {
                source.decoder.end();
            }
            return rows.map(Some);
        }
        if ahead.is_empty() {
            let mut urgent = None;
            ahead.unpack(|| match source.next_owned(py) {
                // Ctrl-C and the like do not wait until the frames before them were given.
                Err(error) if !error.is_instance_of::<PyException>(py) => {
                    urgent = Some(error);
                    Ok(None)
                }
                result => result,
            });
            if let Some(error) = urgent {
                return Err(error);
            }
        }
        let Some(frame) = ahead.pop()? else { return Ok(None) };
        let rows = frame.map_err(|error| raise(py, error)).and_then(|frame| decode(&frame));
        if rows.is_err() {
            source.decoder.end();
            ahead.clear();
        }
        rows.map(Some)
    }
}

/// A copy of an exception: of the same class, with the same attributes, and without a traceback.
///
/// # Errors
/// A `MemoryError`, or what the class raises.
fn again(py: Python<'_>, error: &PyErr) -> PyResult<PyErr> {
    let value = error.value(py);
    let copy = py.import(name!("copy"))?.method_with(name!("copy"), (value,))?;
    let copy = PyErr::from_value(copy);
    copy.set_cause(py, error.cause(py));
    Ok(copy)
}

impl FrameSource {
    /// Lets the decoder read bytes.
    fn advance<T>(
        &mut self,
        py: Python<'_>,
        by: impl FnOnce(&mut StreamDecoder, ReadBytes<'_>) -> SerowResult<T>,
    ) -> PyResult<T> {
        let (read, mut failed) = (self.read.bind(py), None);
        let done = by(&mut self.decoder, &mut |space| {
            read_into(read, space).map_err(|error| {
                failed = Some(error);
                Error::host()
            })
        });
        done.map_err(|error| failed.unwrap_or_else(|| raise(py, error)))
    }

    fn next_owned(&mut self, py: Python<'_>) -> PyResult<Option<PackedFrame<'static>>> {
        let frame = self.advance(py, StreamDecoder::read_frame)?;
        let owned = frame.map(|frame| self.decoder.owned(frame)).transpose();
        owned.map_err(|error| raise(py, error))
    }
}
