//! Entry points of encoding and decoding.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serow_core::Error;
use serow_core::bytes::out::GrowableBuffer;
use serow_core::decode::{self, DecodeOptions};
use serow_core::encode;
use serow_core::error::ErrorKind;
use serow_core::layout::meter::Meter;
use serow_core::schema::{Brief, Schema};
use serow_core::stream::OpenFrame;
use serow_core::threads::Threads;
use serow_core::wire::message::{Format, RawFrame};
use serow_core::wire::single::SingleRecord;

use crate::access::{offsets, with_access};
use crate::arrow::{self, ArrowTable, Extensions};
use crate::codec::PyCodec;
use crate::codec::options::{self, ReadOptions, WriteOptions};
use crate::errors::{SchemaError, exception, raise};
use crate::gil::GIL;
use crate::layout::Object;
use crate::layout::buffers::{Message, written};
use crate::layout::records::LatestClasses;
use crate::layout::{
    Access, Direct, Leniency, ObjectChoices, ObjectReader, ObjectWriter, StructObjects,
};
use crate::made::{self, name};
use crate::rows::foreign::is_arrow;
use crate::rows::with_rows;
use crate::sizes::SIZES;

#[doc = stub_doc!("dumps")]
#[pyfunction]
#[pyo3(signature = (
    rows, *, wire = None, compression = None, level = None, threads = None, times = "exact",
    extensions = None
))]
pub fn dumps<'py>(
    rows: &Bound<'py, PyAny>,
    wire: Option<&str>,
    compression: Option<&str>,
    level: Option<i32>,
    threads: Option<&Bound<'py, PyAny>>,
    times: &str,
    extensions: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, extensions) = (rows.py(), arrow::extensions(extensions)?);
    let leniency = Leniency { times: options::times(times)?, ..Leniency::default() };
    let options = WriteOptions::new(wire.unwrap_or("frame"), compression, level, threads)?;
    let format = options.format;
    if is_arrow(rows)? {
        return arrow_message(&ArrowTable::of(rows, None, extensions)?, py, format);
    }
    let wire = wire.map(|_| format.wire);
    with_rows!(rows, leniency: leniency, |rows| {
        rows.let_others_run();
        let write = |room: &mut dyn GrowableBuffer| {
            encode::dumps_with(&rows, wire, format.compression, &options.maker(), room)
        };
        written(py, rows.access(), write)
    })
}

/// The schema that fits all of `rows`.
pub fn infer(rows: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let inferred = match is_arrow(rows)? {
        true => ArrowTable::of(rows, None, Extensions::Known)?.schema(),
        false => with_rows!(rows, |rows| encode::infer(&rows)),
    };
    inferred.map_err(|error| raise(rows.py(), error))
}

/// A message of rows that are given as Arrow's arrays.
pub fn arrow_message<'py>(
    table: &ArrowTable,
    py: Python<'py>,
    format: Format,
) -> PyResult<Bound<'py, PyBytes>> {
    with_access!(py, |access| written(py, access, |room| table.encode(py, format, GIL, room)))
}

#[doc = stub_doc!("loads")]
#[pyfunction]
#[pyo3(signature = (
    data, *, r#type = None, max_memory = None, threads = None, times = "exact", arrays = None,
    validate = false, records = None
))]
#[allow(clippy::too_many_arguments, reason = "they are the keywords of Python")]
pub fn loads<'py>(
    data: &Bound<'py, PyAny>,
    r#type: Option<&Bound<'py, PyAny>>,
    max_memory: Option<usize>,
    threads: Option<&Bound<'py, PyAny>>,
    times: &str,
    arrays: Option<&str>,
    validate: bool,
    records: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, threads) = (data.py(), options::threads(threads)?);
    let options = ReadOptions::new(py, r#type, max_memory, times, arrays, validate, records)?;
    let read_as = options.codec().map_or(ReadAs::Itself, ReadAs::Codec);
    decode(data, read_as, max_memory, threads, options.objects.clone())
}

/// What bytes are, and the type to decode their rows to.
#[derive(Clone, Copy)]
pub enum ReadAs<'a> {
    /// A single record, as the codec's type. All others are messages.
    Record(&'a PyCodec),
    /// The message's own type.
    Itself,
    /// The codec's type.
    Codec(&'a PyCodec),
    /// The message's own type, with the records of a library.
    Objects(&'a Arc<dyn StructObjects>),
}

/// Decodes a message to a list of rows, or a single record to its row. `max_memory` limits the size of the
/// rows in bytes.
pub fn decode<'py>(
    data: &Bound<'py, PyAny>,
    read_as: ReadAs<'_>,
    max_memory: Option<usize>,
    threads: Threads,
    choices: ObjectChoices,
) -> PyResult<Bound<'py, PyAny>> {
    let meter = max_memory.map(|bytes| Meter::new(SIZES, bytes));
    let (py, how) = (data.py(), (threads, choices));
    let message = Message::get(data).map_err(|error| no_bytes(data, error))?;
    with_access!(py, |access| decode_with(py, access, message.bytes(), read_as, meter, how))
}

/// What to raise for an object without bytes. A path or a file has them elsewhere.
#[cold]
fn no_bytes(data: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let is_elsewhere = data.is_instance_of::<PyString>()
        || data.hasattr(name!("__fspath__")).unwrap_or_default()
        || data.hasattr(name!("read")).unwrap_or_default();
    if !is_elsewhere {
        return error;
    }
    let class = data.get_type().qualname().map_or_else(|_| "?".into(), |name| name.to_string());
    exception::<PyTypeError>(format!(
        "data must be bytes, not {class}; for a path or a file use serow.load"
    ))
}

fn decode_with<'py, A: Access>(
    py: Python<'py>,
    access: A,
    data: &[u8],
    read_as: ReadAs<'_>,
    meter: Option<Meter>,
    (threads, choices): (Threads, ObjectChoices),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the GIL is held as long as `py` lives, and only `decode` or `decode_one` uses
    // the writer as a sink.
    let mut rows = unsafe { ObjectWriter::new(access) };
    rows.choose(choices);
    rows.let_others_run();
    let mut expected = None;
    let most = meter.as_ref().map(Meter::left);
    match read_as {
        ReadAs::Record(codec) => {
            codec.set_up(&mut rows);
            decode::decode_one(data, codec.expected(), codec.agreement(), meter, &mut rows)
                .map_err(|error| advised(py, error, Some(codec), most))
                .map_err(|error| raise_with_cause(py, error, &mut rows))?;
            // SAFETY: the row is a new reference.
            let row = unsafe { Bound::from_owned_ptr_or_err(py, rows.take_row()) }?;
            return match codec.typed() {
                Some(typed) => typed.convert_record(row),
                None => Ok(row),
            };
        }
        ReadAs::Itself => {}
        ReadAs::Codec(codec) => {
            expected = Some(codec.expected());
            codec.set_up(&mut rows);
        }
        ReadAs::Objects(objects) => rows.make_objects(objects.clone()),
    }
    let decoded = decode::decode(data, DecodeOptions { expected, meter, threads }, &mut rows);
    let codec = match read_as {
        ReadAs::Codec(codec) => Some(codec),
        _ => None,
    };
    listed(py, decoded.map_err(|error| advised(py, error, codec, most)), rows, codec)
}

/// The error of decoding, with what only the caller's arguments tell.
#[cold]
fn advised(py: Python<'_>, error: Error, codec: Option<&PyCodec>, most: Option<usize>) -> Error {
    match (error.kind(), most) {
        (ErrorKind::Limit, Some(most)) => {
            error.followed_by(format_args!("max_memory is {most} bytes"))
        }
        // The row itself can't be read.
        (ErrorKind::Schema, _) if error.message().contains(": a row: ") => {
            match codec.and_then(PyCodec::typed).and_then(|typed| typed.element(py)) {
                Some(of) => error.followed_by(format_args!(
                    "`type` is the type of one row, and the rows come as a list; give {of}"
                )),
                None => error,
            }
        }
        _ => error,
    }
}

/// The list of the rows that were decoded, of the codec's classes if there is a codec.
pub fn listed<'py, A: Access>(
    py: Python<'py>,
    decoded: Result<(), Error>,
    mut rows: ObjectWriter<A>,
    codec: Option<&PyCodec>,
) -> PyResult<Bound<'py, PyAny>> {
    decoded.map_err(|error| raise_with_cause(py, error, &mut rows))?;
    // SAFETY: the list is a new reference, or null with an error set.
    let list = unsafe { Bound::from_owned_ptr_or_err(py, rows.take_list()) }?;
    match codec.and_then(PyCodec::typed) {
        Some(typed) => typed.convert_rows(list),
        None => Ok(list),
    }
}

/// Decodes a frame to a list of rows.
pub fn decode_frame<'py>(
    py: Python<'py>,
    frame: &RawFrame<'_>,
    options: &ReadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    with_access!(py, |access| decode_frame_with(py, access, frame, options))
}

/// Decodes a row of a frame, by its number in the frame.
pub fn decode_row<'py>(
    py: Python<'py>,
    frame: &mut OpenFrame,
    row: usize,
    options: &ReadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    with_access!(py, |access| decode_row_with(py, access, frame, row, options))
}

fn decode_row_with<'py, A: Access>(
    py: Python<'py>,
    access: A,
    frame: &mut OpenFrame,
    row: usize,
    options: &ReadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as in `decode_with`.
    let mut rows = unsafe { ObjectWriter::new(access) };
    rows.choose(options.objects.clone());
    let (codec, most) = (options.codec(), options.max_memory);
    codec.into_iter().for_each(|codec| codec.set_up(&mut rows));
    let mut meter = most.map(|bytes| Meter::new(SIZES, bytes));
    frame
        .read(row, options.expected(), &mut meter, &mut rows)
        .map_err(|error| advised(py, error, codec, most))
        .map_err(|error| raise_with_cause(py, error, &mut rows))?;
    // SAFETY: the row is a new reference.
    let row = unsafe { Bound::from_owned_ptr_or_err(py, rows.take_row()) }?;
    match codec.and_then(PyCodec::typed) {
        Some(typed) => typed.convert_record(row),
        None => Ok(row),
    }
}

fn decode_frame_with<'py, A: Access>(
    py: Python<'py>,
    access: A,
    frame: &RawFrame<'_>,
    options: &ReadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as in `decode_with`.
    let mut rows = unsafe { ObjectWriter::new(access) };
    rows.choose(options.objects.clone());
    rows.let_others_run();
    let (codec, most) = (options.codec(), options.max_memory);
    codec.into_iter().for_each(|codec| codec.set_up(&mut rows));
    let mut meter = most.map(|bytes| Meter::new(SIZES, bytes));
    let decoded = decode::decode_frame(frame, options.expected(), &mut meter, &mut rows)
        .map_err(|error| advised(py, error, codec, most));
    listed(py, decoded, rows, codec)
}

/// Like [`raise`], with the exception of a caller's class as the cause.
#[cold]
pub fn raise_with_cause<A: Access>(
    py: Python<'_>,
    error: Error,
    rows: &mut ObjectWriter<A>,
) -> PyErr {
    let raised = raise(py, error);
    if let Some(cause) = rows.take_cause() {
        raised.set_cause(py, Some(cause));
    }
    raised
}

/// Encodes `row` as a single record and passes the record to `take`. `None` if the row does not fit,
/// or only a copy of it does.
///
/// # Safety
/// `row` must be alive.
#[inline(always)]
pub unsafe fn encode_directly<T>(
    row: Object,
    codec: &PyCodec,
    access: Direct<'_>,
    take: impl FnOnce(SingleRecord<'_>) -> T,
) -> Option<T> {
    let py = access.py();
    let classes = LatestClasses::new(py);
    let views = codec.views().take(py, &codec.program().from.tables);
    // SAFETY: the caller's promise. No Python code runs meanwhile, so the row doesn't change.
    let mut source = unsafe { ObjectReader::of_one(access, &row, &classes, views) }
        .with_leniency(codec.leniency());
    let has_fingerprint = codec.agreement().has_fingerprint;
    let written = encode::write_one(codec.program(), &mut source, has_fingerprint, take);
    match written {
        Ok(taken) => {
            codec.views().keep(py, source.take_views());
            Some(taken)
        }
        Err(_) => {
            // SAFETY: the access has a token of the GIL. PyO3 does not always know that this thread holds it, so an
            // error that it dropped could wait.
            unsafe { pyo3::ffi::PyErr_Clear() };
            None
        }
    }
}

/// Encodes `row` as a single record and passes the record to `take`.
pub fn encode_one<T>(
    row: &Bound<'_, PyAny>,
    codec: &PyCodec,
    mut take: impl FnMut(SingleRecord<'_>) -> T,
) -> PyResult<T> {
    let has_fingerprint = codec.agreement().has_fingerprint;
    if let Some(offsets) = offsets() {
        let access = Direct(offsets, row.py());
        // SAFETY: the caller's row is alive.
        let taken = unsafe { encode_directly(row.as_ptr(), codec, access, &mut take) };
        if let Some(taken) = taken {
            return Ok(taken);
        }
    }
    if codec.program().schema().is_open() {
        return Err(exception::<SchemaError>(format!(
            "a single record has no schema in it, and the codec's does not say all types: it is {}; \
             use encode, whose messages say them, or a codec without parts of any type",
            Brief(codec.program().root())
        )));
    }
    // Without direct access, or for a row that does not fit: the list may be replaced by one with a
    // plain copy of the row, and its rows can describe a faulty value.
    let rows = made::list(row.py(), [row])?.into_any();
    with_rows!(&rows, leniency: codec.leniency(), |rows| {
        encode::encode_one(codec.program(), &rows, has_fingerprint, &mut take)
    })
    .map_err(|error| raise(row.py(), error))
}
