//! Reads the frames of a file in any order. `serow/_streams.py` makes `IndexedReader` of it.

use std::ops::Range;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::stream::{IndexSearch, SeekDecoder};

use crate::codec::PyCodec;
use crate::convert;
use crate::errors::raise;
use crate::typed;

/// The frames of a file, by its index.
#[pyclass(module = "serow._native", subclass)]
pub struct StreamIndex {
    decoder: SeekDecoder,
    codec: Option<Py<PyCodec>>,
    read_at: Py<PyAny>,
    max_memory: Option<usize>,
}

/// Calls `take` with a range of the file. `read_at` returns fewer bytes at the end of the file.
fn with_bytes<T>(
    read_at: &Bound<'_, PyAny>,
    range: Range<u64>,
    take: impl FnOnce(&[u8]) -> serow_core::Result<T>,
) -> PyResult<T> {
    let bytes = read_at.call1((range.start, range.end - range.start))?;
    let bytes = bytes.cast_into::<PyBytes>().map_err(|error| {
        PyTypeError::new_err(format!("the file must give bytes, so open it with 'rb': {error}"))
    })?;
    take(bytes.as_bytes()).map_err(|error| raise(read_at.py(), error))
}

#[pymethods]
impl StreamIndex {
    /// Reads the index of a file of `length` bytes. `read_at` is called with an offset and a number of
    /// bytes.
    #[new]
    #[pyo3(signature = (read_at, length, r#type = None, max_memory = None))]
    fn new(
        read_at: &Bound<'_, PyAny>,
        length: u64,
        r#type: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
    ) -> PyResult<StreamIndex> {
        let codec = r#type.map(typed::codec_of).transpose()?;
        let mut search = IndexSearch::new(length);
        while let Some(range) = search.wanted() {
            with_bytes(read_at, range, |bytes| search.give(bytes))?;
        }
        let mut decoder = SeekDecoder::new(search.finish());
        if let Some(codec) = &codec {
            decoder = decoder.with_program(codec.get().expected().program().clone());
        }
        if let Some(bytes) = max_memory {
            decoder = decoder.with_max_memory(bytes);
        }
        let codec = codec.map(Bound::unbind);
        Ok(StreamIndex { decoder, codec, read_at: read_at.clone().unbind(), max_memory })
    }

    /// The rows of a frame, by its number.
    fn frame<'py>(&mut self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyAny>> {
        let StreamIndex { decoder, codec, read_at, max_memory } = self;
        let read_at = read_at.bind(py);
        while let Some(range) = decoder.schema_wanted(number) {
            with_bytes(read_at, range, |bytes| decoder.give_schema(number, bytes))?;
        }
        let Some(place) = decoder.index().place(number).copied() else {
            return Err(PyIndexError::new_err("there is no such frame"));
        };
        let codec = codec.as_ref().map(|codec| codec.bind(py).get());
        with_bytes(read_at, place.at..place.at + place.bytes, |bytes| {
            let frame = decoder.read(number, bytes)?;
            Ok(convert::decode_frame(py, &frame, codec, *max_memory))
        })?
    }

    /// The number of the frame with a row, and the number of its first row.
    fn frame_of(&self, row: u64) -> PyResult<(usize, u64)> {
        let index = self.decoder.index();
        let frame = index.frame_of(row);
        frame
            .and_then(|frame| Some((frame, index.place(frame)?.first_row)))
            .ok_or_else(|| PyIndexError::new_err("there is no such row"))
    }

    /// The number of frames.
    #[getter]
    fn frame_count(&self) -> usize {
        self.decoder.index().frames()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.decoder.index().rows()
    }
}
