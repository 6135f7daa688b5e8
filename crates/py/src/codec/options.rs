//! What callers choose by keywords that many functions have. It is checked here, and kept together.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use serow_core::decode::ReaderSchema;
use serow_core::encode::ManyPack;
use serow_core::plan::Selection;
use serow_core::threads::Threads;
use serow_core::wire::compression::Compression;
use serow_core::wire::message::{Format, Metadata, Wire};

use crate::codec::PyCodec;
use crate::codec::typed;
use crate::errors::{exception, raise};
use crate::layout::logical::Times;
use crate::layout::{ArrayMaker, Leniency, ObjectChoices};

/// How rows are encoded.
#[derive(Clone, Copy)]
pub struct WriteOptions {
    pub format: Format,
    pub threads: Threads,
    /// What the rows may have besides what the schema says.
    pub leniency: Leniency,
}

impl WriteOptions {
    /// Checks the options that all functions have which write.
    ///
    /// # Errors
    /// A `ValueError` for an option without this value.
    pub fn new(
        wire: &str,
        compression: Option<&str>,
        level: Option<i32>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<WriteOptions> {
        let wire = Wire::parse(wire).ok_or_else(|| no_option("wire", "'frame' or 'row'", wire))?;
        let format = Format { wire, compression: compression_of(compression, level)? };
        Ok(WriteOptions { format, threads: self::threads(threads)?, leniency: Leniency::default() })
    }

    /// What packs columns with the threads.
    pub fn maker(&self) -> ManyPack {
        ManyPack(self.threads)
    }
}

/// How rows are decoded.
pub struct ReadOptions {
    codec: Option<Py<PyCodec>>,
    /// The fields that are read.
    selected: Option<Arc<ReaderSchema>>,
    /// The most bytes that the rows of a message or frame may take.
    pub max_memory: Option<usize>,
    pub objects: ObjectChoices,
}

impl ReadOptions {
    /// Checks the options of a function that reads.
    ///
    /// # Errors
    /// A `ValueError` for an option without this value. A `SchemaError` for an annotation without a type. What
    /// importing NumPy raises.
    pub fn new(
        py: Python<'_>,
        ty: Option<&Bound<'_, PyAny>>,
        max_memory: Option<usize>,
        times: &str,
        arrays: Option<&str>,
        validates: bool,
        records: Option<&str>,
    ) -> PyResult<ReadOptions> {
        let objects = objects(py, times, arrays, validates, records, ty.is_some())?;
        let codec = ty.map(|ty| typed::codec_of(ty).map(Bound::unbind)).transpose()?;
        Ok(ReadOptions { codec, selected: None, max_memory, objects })
    }

    /// These options for a part of the fields of rows without a type.
    ///
    /// # Errors
    /// None that a caller causes.
    pub fn selecting(&self, py: Python<'_>, selection: Selection) -> PyResult<ReadOptions> {
        let selected = ReaderSchema::selecting(selection).map_err(|error| raise(py, error))?;
        Ok(ReadOptions {
            codec: None,
            selected: Some(Arc::new(selected)),
            max_memory: self.max_memory,
            objects: self.objects.clone(),
        })
    }

    /// The fields that are read, if not all are.
    pub fn selected(&self) -> Option<&ReaderSchema> {
        self.selected.as_deref()
    }

    /// The schema to which rows are converted, or the fields that are read.
    pub fn expected(&self) -> Option<&ReaderSchema> {
        self.selected().or_else(|| self.codec().map(PyCodec::expected))
    }

    /// The codec of the type. Without one, rows have the type that they have in the message.
    pub fn codec(&self) -> Option<&PyCodec> {
        self.codec.as_ref().map(Py::get)
    }

    /// For the garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.codec.as_ref().map_or(Ok(()), |codec| visit.call(codec))
    }
}

/// Checks what a caller chooses about the objects that are made. Rows of a type are of its classes.
///
/// # Errors
/// A `ValueError` for an option without this value. What importing NumPy raises.
pub fn objects(
    py: Python<'_>,
    times: &str,
    arrays: Option<&str>,
    validates: bool,
    records: Option<&str>,
    has_type: bool,
) -> PyResult<ObjectChoices> {
    let makes_dicts = match records {
        None => false,
        Some("dict") if has_type => {
            return Err(exception::<PyValueError>(
                "records='dict' is for rows without a type; leave out records, or the type",
            ));
        }
        Some("dict") => true,
        Some(other) => return Err(no_option("records", "'dict' or None", other)),
    };
    let times = self::times(times)?;
    let arrays = ArrayMaker::named(py, arrays)?.map(Arc::new);
    Ok(ObjectChoices { times, arrays, validates, makes_dicts })
}

#[cold]
fn no_option(name: &str, values: &str, other: &str) -> PyErr {
    exception::<PyValueError>(format!("{name} must be {values}, not {other:?}"))
}

/// What becomes of what the times of other languages lack.
///
/// # Errors
/// A `ValueError` for another name.
pub fn times(name: &str) -> PyResult<Times> {
    match name {
        "exact" => Ok(Times::Exact),
        "portable" => Ok(Times::Portable),
        _ => Err(no_option("times", "'exact' or 'portable'", name)),
    }
}

/// A compression, by its name and level.
fn compression_of(name: Option<&str>, level: Option<i32>) -> PyResult<Compression> {
    match (name, level) {
        (None, None) => Ok(Compression::None),
        (None, Some(_)) => {
            Err(exception::<PyValueError>("level needs a compression: give compression='zstd'"))
        }
        (Some(name), level) => Compression::parse(name, level)
            .map_err(|error| exception::<PyValueError>(error.message())),
    }
}

/// A number of threads, or `auto`. `None` is the calling thread only.
///
/// # Errors
/// A `ValueError` for something else.
pub fn threads(given: Option<&Bound<'_, PyAny>>) -> PyResult<Threads> {
    let Some(given) = given else { return Ok(Threads::ONE) };
    if given.extract::<&str>().is_ok_and(|name| name == "auto") {
        return Ok(Threads::Auto);
    }
    match given.extract::<isize>() {
        Ok(count) if !given.is_instance_of::<PyBool>() => usize::try_from(count)
            .ok()
            .and_then(|count| Threads::of(count).ok())
            .ok_or_else(|| no_threads(given)),
        _ => Err(no_threads(given)),
    }
}

fn no_threads(given: &Bound<'_, PyAny>) -> PyErr {
    let given = given.repr().map_or_else(|_| "something else".into(), |text| text.to_string());
    exception::<PyValueError>(format!("threads must be 1 or more, or 'auto', not {given}"))
}

/// The metadata of a stream.
///
/// # Errors
/// A `TypeError` for something else than texts by their names.
pub fn metadata(given: &Bound<'_, PyAny>) -> PyResult<Metadata> {
    let no_text = |what: &str, of: &Bound<'_, PyAny>| {
        let name = of.get_type().qualname().map_or_else(|_| "?".into(), |name| name.to_string());
        exception::<PyTypeError>(format!(
            "metadata must be a dict of str to str, but {what} {name}"
        ))
    };
    let given = given.cast::<PyDict>().map_err(|_| no_text("it is", given))?;
    let text = |what: &str, of: &Bound<'_, PyAny>| {
        let text = of.cast::<PyString>().map_err(|_| no_text(what, of))?;
        Ok::<_, PyErr>(text.to_str()?.to_owned())
    };
    let pair = |(key, value): (Bound<'_, PyAny>, _)| {
        let key = text("a key is", &key)?;
        let value = text(&format!("the value of {key:?} is"), &value)?;
        Ok((key, value))
    };
    given.iter().map(pair).collect()
}
