//! Reads the frames of a file in any order. `serow/_indexed.py` makes `IndexedReader` of it.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::PyTraverseError;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::limits::{MAX_STREAM_FRAME, max_frame};
use serow_core::stream::{IndexSearch, OpenFrame, SeekDecoder, View};
use serow_core::wire::message::{MessageHeader, Metadata, PackedFrame, STREAM_HEADER};

use crate::codec::convert;
use crate::codec::options::ReadOptions;
use crate::errors::{DecodeError, LimitError, exception, raise};
use crate::gil::GIL;
use crate::made::{Calls, Made};

/// The most bytes of frames, unpacked, that are kept.
const KEPT_FRAMES: usize = 64 << 20;

#[doc = stub_doc!("StreamIndex")]
#[pyclass(module = "serow._native", frozen)]
pub struct StreamIndex {
    /// Locked for moments in which the thread holds the GIL and runs no Python code. So no thread waits
    /// for the lock, and no child is forked while it is locked.
    view: Mutex<View>,
    options: ReadOptions,
}

/// Reads a range of the file. `read_at` returns fewer bytes at the end of the file.
pub fn bytes_at<'py>(
    read_at: &Bound<'py, PyAny>,
    range: &Range<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = read_at.call_with((range.start, range.end - range.start))?;
    bytes.cast_into::<PyBytes>().map_err(|error| {
        exception::<PyTypeError>(format!("the file must give bytes, so open it with 'rb': {error}"))
    })
}

#[doc = stub_doc!("metadata_at")]
#[pyfunction]
pub fn metadata_at(read_at: &Bound<'_, PyAny>) -> PyResult<Made<Metadata>> {
    let py = read_at.py();
    let begin = bytes_at(read_at, &(0..STREAM_HEADER as u64))?;
    let header = MessageHeader::wanted(begin.as_bytes())
        .map_err(|error| raise(py, error))
        .and_then(|len| bytes_at(read_at, &(0..len as u64)))?;
    let header = MessageHeader::read(header.as_bytes()).map_err(|error| raise(py, error))?;
    let damaged = || exception::<DecodeError>("the metadata of the stream is damaged");
    header.metadata.map(Made).ok_or_else(damaged)
}

#[pymethods]
impl StreamIndex {
    /// Reads the index of a file of `length` bytes. `read_at` is called with an offset and a number of
    /// bytes.
    #[new]
    #[pyo3(signature = (
        read_at, length, /, *, r#type = None, max_memory = None, times = "exact", arrays = None,
        validate = false, records = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
    fn new(
        read_at: &Bound<'_, PyAny>,
        length: u64,
        r#type: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
        times: &str,
        arrays: Option<&str>,
        validate: bool,
        records: Option<&str>,
    ) -> PyResult<StreamIndex> {
        let py = read_at.py();
        let options = ReadOptions::new(py, r#type, max_memory, times, arrays, validate, records)?;
        let mut search = IndexSearch::new(length);
        while let Some(range) = search.wanted() {
            let bytes = bytes_at(read_at, &range)?;
            if let Err(error) = search.give(bytes.as_bytes()) {
                // A file of another format has no index either.
                let begin = bytes_at(read_at, &(0..length.min(STREAM_HEADER as u64)))?;
                let other = MessageHeader::wanted(begin.as_bytes()).err();
                return Err(raise(py, other.unwrap_or(error)));
            }
        }
        let mut decoder = SeekDecoder::new(search.finish());
        if let Some(codec) = options.codec() {
            decoder = decoder.with_program(codec.expected().program().clone());
        }
        if let Some(bytes) = max_memory {
            decoder = decoder.with_max_memory(bytes);
        }
        Ok(StreamIndex { view: Mutex::new(View::new(decoder, KEPT_FRAMES)), options })
    }

    #[doc = stub_doc!("StreamIndex.frame")]
    fn frame<'py>(
        &self,
        read_at: &Bound<'py, PyAny>,
        number: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.with_frame(read_at, number, |packed| {
            let raw = packed.unpack_released(GIL).map_err(|error| raise(read_at.py(), error))?;
            convert::decode_frame(read_at.py(), &raw, &self.options)
        })
    }

    #[doc = stub_doc!("StreamIndex.row")]
    fn row<'py>(&self, read_at: &Bound<'py, PyAny>, row: u64) -> PyResult<Bound<'py, PyAny>> {
        let py = read_at.py();
        let Some((number, row)) = self.view().seek.index().place_of(row) else {
            return Err(exception::<PyIndexError>("there is no such row"));
        };
        // Another thread that wants the frame meanwhile reads it again.
        let kept = self.view().take(number);
        let mut frame = match kept {
            Some(kept) => kept,
            None => self.with_frame(read_at, number, |packed| {
                OpenFrame::new(number, packed, GIL).map_err(|error| raise(py, error))
            })?,
        };
        let row = convert::decode_row(py, &mut frame, row, &self.options);
        self.view().keep(frame);
        row
    }

    #[doc = stub_doc!("StreamIndex.frame_count")]
    #[getter]
    fn frame_count(&self) -> Made<usize> {
        Made(self.view().seek.index().frames())
    }

    #[doc = stub_doc!("StreamIndex.rows")]
    #[getter]
    fn rows(&self) -> Made<u64> {
        Made(self.view().seek.index().rows())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.options.traverse(&visit)
    }
}

impl StreamIndex {
    fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a frame and passes it to `take`.
    fn with_frame<T>(
        &self,
        read_at: &Bound<'_, PyAny>,
        number: usize,
        take: impl FnOnce(PackedFrame<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let Some(place) = self.view().seek.index().entry(number).copied() else {
            return Err(exception::<PyIndexError>("there is no such frame"));
        };
        let most =
            self.options.max_memory.map_or(MAX_STREAM_FRAME, max_frame).min(MAX_STREAM_FRAME);
        if place.bytes > most as u64 {
            return Err(exception::<LimitError>(format!(
                "frame {number} (at byte {}): it has {} bytes, and a frame has at most {most} here",
                place.at, place.bytes
            )));
        }
        loop {
            let wanted = self.view().wanted(number).unwrap_or(place.at..place.at + place.bytes);
            let bytes = bytes_at(read_at, &wanted)?;
            let given = self.view().give(number, &wanted, bytes.as_bytes());
            if let Some(packed) = given.map_err(|error| raise(read_at.py(), error))? {
                return take(packed);
            }
        }
    }
}
