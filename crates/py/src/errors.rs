//! The Python exceptions, and the conversion of errors to them.

use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyException, PyOSError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serow_core::path::{Path, PathStep};
use serow_core::{Error, ErrorKind};

create_exception!(serow, SerowError, PyException, stub_doc!("SerowError"));
create_exception!(serow, SchemaError, SerowError, stub_doc!("SchemaError"));
create_exception!(serow, EncodeError, SerowError, stub_doc!("EncodeError"));
create_exception!(serow, DecodeError, SerowError, stub_doc!("DecodeError"));
create_exception!(serow, BufferTooSmall, SerowError, stub_doc!("BufferTooSmall"));
create_exception!(serow, LimitError, SerowError, stub_doc!("LimitError"));

/// Converts `error` to an exception.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    let message = error.message().to_owned();
    let raised = match error.kind() {
        ErrorKind::Schema => SchemaError::new_err(message),
        ErrorKind::Encode => EncodeError::new_err(message),
        ErrorKind::Decode => DecodeError::new_err(message),
        ErrorKind::BufferTooSmall => BufferTooSmall::new_err(message),
        ErrorKind::Limit => LimitError::new_err(message),
        ErrorKind::Memory => return no_memory(py),
        ErrorKind::Io => PyOSError::new_err(message),
        ErrorKind::Host => {
            return PyErr::take(py).unwrap_or_else(|| SerowError::new_err(message));
        }
    };
    match set_attributes(raised.value(py), &error) {
        Ok(()) => raised,
        Err(another) => another,
    }
}

/// A `MemoryError`. Python has a preallocated one for when there is no memory.
pub fn no_memory(py: Python<'_>) -> PyErr {
    // SAFETY: the GIL is held.
    unsafe { ffi::PyErr_NoMemory() };
    PyErr::fetch(py)
}

/// Sets the attributes `row`, `path`, `offset` and `needed`, for programs.
fn set_attributes(raised: &Bound<'_, PyBaseException>, error: &Error) -> PyResult<()> {
    let py = raised.py();
    if let Some(row) = error.row() {
        raised.setattr(intern!(py, "row"), row)?;
    }
    if let Some(path) = error.path() {
        raised.setattr(intern!(py, "path"), path_of(py, path)?)?;
    }
    if let Some(offset) = error.offset() {
        raised.setattr(intern!(py, "offset"), offset)?;
    }
    if let Some(needed) = error.needed() {
        raised.setattr(intern!(py, "needed"), needed)?;
    }
    Ok(())
}

/// A path as a tuple: indices of items, names of fields, and texts such as `key 3` for entries of
/// maps.
fn path_of<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyTuple>> {
    let steps = path.0.iter().map(|step| match step {
        PathStep::Item(item) => Ok(item.into_pyobject(py)?.into_any()),
        PathStep::Field(name) => Ok(PyString::new(py, name).into_any()),
        PathStep::Key(_) | PathStep::Value(_) => {
            Ok(PyString::new(py, &step.to_string()).into_any())
        }
    });
    PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
}

/// Adds the exceptions to the module.
pub fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    for name in ["row", "path", "offset"] {
        py.get_type::<SerowError>().setattr(name, py.None())?;
    }
    py.get_type::<BufferTooSmall>().setattr("needed", py.None())?;
    m.add("SerowError", py.get_type::<SerowError>())?;
    m.add("SchemaError", py.get_type::<SchemaError>())?;
    m.add("EncodeError", py.get_type::<EncodeError>())?;
    m.add("DecodeError", py.get_type::<DecodeError>())?;
    m.add("BufferTooSmall", py.get_type::<BufferTooSmall>())?;
    m.add("LimitError", py.get_type::<LimitError>())
}
