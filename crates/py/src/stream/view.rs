//! Reads the frames and rows of messages in any order. `serow/_view.py` makes `serow.view` of it.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use pyo3::PyTraverseError;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use serow_arrow::FrameBatches;
use serow_core::decode::{ReaderSchema, decode_frame, fields_of};
use serow_core::layout::json::JsonWriter;
use serow_core::layout::meter::Meter;
use serow_core::limits::{MAX_STREAM_FRAME, max_frame};
use serow_core::plan::{FieldKey, Selection};
use serow_core::stream::{FileIndex, IndexSearch, OpenFrame, SeekDecoder, View};
use serow_core::wire::message::{MessageHeader, Metadata, PackedFrame, STREAM_HEADER};

use crate::codec::convert;
use crate::codec::options::ReadOptions;
use crate::codec::schema::PySchema;
use crate::errors::{DecodeError, LimitError, exception, raise};
use crate::gil::GIL;
use crate::made::{self, Calls, Made};
use crate::sizes::SIZES;

#[doc = stub_doc!("StreamIndex")]
#[pyclass(module = "serow._native", frozen)]
pub struct StreamIndex {
    /// Locked for moments in which the thread holds the GIL and runs no Python code. So no thread waits
    /// for the lock, and no child is forked while it is locked.
    view: Mutex<View>,
    options: ReadOptions,
    /// The most bytes of frames, unpacked, that are kept.
    keep: usize,
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

/// The field that a caller names, or counts.
fn field_key(given: &Bound<'_, PyAny>) -> PyResult<FieldKey> {
    if let Ok(name) = given.cast::<PyString>() {
        return Ok(FieldKey::Name(name.to_str()?.into()));
    }
    given.extract().map(FieldKey::Index).map_err(|_| {
        let kind = given.get_type().qualname().map_or_else(|_| "?".into(), |name| name.to_string());
        exception::<PyTypeError>(format!(
            "a field is given by its name, or by its number from 0 in a tuple, not by {kind}"
        ))
    })
}

/// The type, as NumPy names it, and the bytes of the values of a batch with one column, if NumPy has such values.
fn plain_values(batch: &RecordBatch) -> Option<(String, Vec<u8>)> {
    let [column] = batch.columns() else { return None };
    if column.null_count() > 0 {
        return None;
    }
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    };
    let name = match column.data_type() {
        DataType::Boolean => {
            let values = column.as_boolean().values().iter().map(u8::from).collect();
            return Some(("?".into(), values));
        }
        DataType::Int64 => "<i8".into(),
        DataType::Float64 => "<f8".into(),
        DataType::Timestamp(of, None) => format!("<M8[{}]", unit(of)),
        DataType::Duration(of) => format!("<m8[{}]", unit(of)),
        _ => return None,
    };
    let data = column.to_data();
    let values = data.buffers().first()?.as_slice();
    Some((name, values.get(8 * data.offset()..8 * (data.offset() + data.len()))?.to_vec()))
}

#[pymethods]
impl StreamIndex {
    /// Finds the frames in `length` bytes of messages. `read_at` is called with an offset and a number of
    /// bytes.
    #[new]
    #[pyo3(signature = (
        read_at, length, /, *, r#type = None, max_memory = None, times = "exact", arrays = None,
        validate = false, records = None, fields = None, keep = 64 << 20,
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
        fields: Option<Vec<Bound<'_, PyAny>>>,
        keep: usize,
    ) -> PyResult<StreamIndex> {
        let py = read_at.py();
        let mut options =
            ReadOptions::new(py, r#type, max_memory, times, arrays, validate, records)?;
        if let Some(fields) = fields {
            if r#type.is_some() {
                return Err(exception::<PyValueError>(
                    "a type says which fields its rows have; leave out fields, or the type",
                ));
            }
            let keys = fields.iter().map(field_key).collect::<PyResult<_>>()?;
            options = options.selecting(py, Selection::Fields(keys))?;
        }
        let mut search = IndexSearch::new(length);
        while let Some(range) = search.wanted() {
            let bytes = bytes_at(read_at, &range)?;
            search.give(bytes.as_bytes()).map_err(|error| raise(py, error))?;
        }
        Ok(StreamIndex::of(search.finish(), options, keep))
    }

    #[doc = stub_doc!("StreamIndex.column")]
    fn column(&self, field: &Bound<'_, PyAny>) -> PyResult<StreamIndex> {
        let selection = Selection::Value(field_key(field)?);
        let options = self.options.selecting(field.py(), selection)?;
        let index = self.view().seek.index().clone();
        Ok(StreamIndex::of(index, options, self.keep))
    }

    #[doc = stub_doc!("StreamIndex.check")]
    fn check(&self, schema: &Bound<'_, PySchema>) -> PyResult<()> {
        let selection = self.options.expected().and_then(ReaderSchema::selection);
        selection
            .map_or(Ok(()), |selection| selection.check(schema.get().schema()))
            .map_err(|error| raise(schema.py(), error))
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

    #[doc = stub_doc!("StreamIndex.array")]
    fn array<'py>(
        &self,
        read_at: &Bound<'py, PyAny>,
        number: usize,
    ) -> PyResult<Option<(Bound<'py, PyString>, Bound<'py, PyBytes>)>> {
        let py = read_at.py();
        let mut batches =
            FrameBatches::of(self.options.expected().cloned(), self.options.max_memory);
        let batch = self.with_frame(read_at, number, |packed| {
            let raw = packed.unpack_released(GIL).map_err(|error| raise(py, error))?;
            batches.of_frame(&raw).map_err(|error| raise(py, error))
        })?;
        let Some(plain) = batch.as_ref().and_then(plain_values) else { return Ok(None) };
        Ok(Some((made::text(py, &plain.0)?, made::bytes(py, &plain.1)?)))
    }

    #[doc = stub_doc!("StreamIndex.json")]
    fn json<'py>(
        &self,
        read_at: &Bound<'py, PyAny>,
        number: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = read_at.py();
        // Fields of a type may be in another order than those of the rows, and JSON is written in order.
        let expected = self.options.selected();
        let lines = self.with_frame(read_at, number, |packed| {
            let raw = packed.unpack_released(GIL).map_err(|error| raise(py, error))?;
            let mut lines = JsonWriter::default();
            let mut meter = self.options.max_memory.map(|bytes| Meter::new(SIZES, bytes));
            GIL.release_for(raw.body().len(), || {
                decode_frame(&raw, expected, &mut meter, &mut lines)
            })
            .map_err(|error| raise(py, error))?;
            Ok(lines.take())
        })?;
        made::bytes(py, &lines)
    }

    #[doc = stub_doc!("StreamIndex.describe")]
    fn describe<'py>(
        &self,
        read_at: &Bound<'py, PyAny>,
        number: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = read_at.py();
        self.with_frame(read_at, number, |packed| {
            let (at, bytes, rows) = (packed.at, packed.frame_len(), packed.rows);
            let wire = packed.wire.name();
            let compression = packed.compression().unwrap_or("none");
            let raw = packed.unpack_released(GIL).map_err(|error| raise(py, error))?;
            let described = made::dict(py)?;
            for (name, number) in [
                ("at", at),
                ("bytes", bytes),
                ("rows", rows),
                ("packed", raw.packed),
                ("body", raw.body().len()),
            ] {
                described.set_item(made::text(py, name)?, Made(number))?;
            }
            for (name, text) in [("wire", wire), ("compression", compression)] {
                described.set_item(made::text(py, name)?, made::text(py, text)?)?;
            }
            let fields = made::empty_list(py)?;
            for field in fields_of(&raw).map_err(|error| raise(py, error))? {
                let of = made::dict(py)?;
                of.set_item(made::text(py, "name")?, made::text(py, &field.name)?)?;
                of.set_item(made::text(py, "bytes")?, Made(field.bytes))?;
                of.set_item(made::text(py, "nulls")?, Made(field.nulls))?;
                let encodings = made::empty_list(py)?;
                for encoding in field.encodings {
                    encodings.append(made::text(py, encoding)?)?;
                }
                of.set_item(made::text(py, "encodings")?, encodings)?;
                fields.append(of)?;
            }
            described.set_item(made::text(py, "fields")?, fields)?;
            Ok(described)
        })
    }

    #[doc = stub_doc!("StreamIndex.begins")]
    #[getter]
    fn begins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let view = self.view();
        let index = view.seek.index();
        let begins: Vec<u64> = (0..index.frames())
            .filter_map(|frame| index.entry(frame))
            .map(|it| it.first_row)
            .collect();
        made::list(py, begins.into_iter().chain([index.rows()]).collect::<Vec<_>>())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.options.traverse(&visit)
    }
}

impl StreamIndex {
    fn of(index: FileIndex, options: ReadOptions, keep: usize) -> StreamIndex {
        let mut decoder = SeekDecoder::new(index);
        if let Some(codec) = options.codec() {
            decoder = decoder.with_program(codec.expected().program().clone());
        }
        if let Some(bytes) = options.max_memory {
            decoder = decoder.with_max_memory(bytes);
        }
        StreamIndex { view: Mutex::new(View::new(decoder, keep)), options, keep }
    }

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
