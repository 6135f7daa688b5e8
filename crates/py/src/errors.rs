//! The Python exceptions, and how errors become them.

use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyException};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serow_core::path::{Path, Step};
use serow_core::{Error, ErrorKind};

create_exception!(serow, SerowError, PyException, "Any error of serow's.");
create_exception!(
    serow,
    SchemaError,
    SerowError,
    "A schema's text is wrong, or a message is of another schema than its codec."
);
create_exception!(
    serow,
    EncodeError,
    SerowError,
    "A row holds something that has no type, or does not fit the codec's schema."
);
create_exception!(
    serow,
    DecodeError,
    SerowError,
    "The bytes are no message, or one that is cut, damaged, or of another version."
);
create_exception!(serow, BufferTooSmall, SerowError, "The buffer can't hold the message.");
create_exception!(serow, LimitError, SerowError, "Something is larger than serow allows.");

/// The exception for `error`.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    let message = error.message().to_owned();
    let raised = match error.kind() {
        ErrorKind::Schema => SchemaError::new_err(message),
        ErrorKind::Encode => EncodeError::new_err(message),
        ErrorKind::Decode => DecodeError::new_err(message),
        ErrorKind::BufferTooSmall => BufferTooSmall::new_err(message),
        ErrorKind::Limit => LimitError::new_err(message),
        ErrorKind::Memory => return no_memory(py),
        ErrorKind::Host => {
            return PyErr::take(py).unwrap_or_else(|| SerowError::new_err(message));
        }
    };
    match set_attributes(raised.value(py), &error) {
        Ok(()) => raised,
        Err(another) => another,
    }
}

/// A `MemoryError`, which Python keeps ready for when there is no memory to make one.
pub fn no_memory(py: Python<'_>) -> PyErr {
    // SAFETY: the GIL is held.
    unsafe { ffi::PyErr_NoMemory() };
    PyErr::fetch(py)
}

/// Have programs know what the message tells people.
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

/// A path as a tuple: an item's index, a field's name, and for an entry of a map what the message says.
fn path_of<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyTuple>> {
    let steps = path.0.iter().map(|step| match step {
        Step::Item(item) => Ok(item.into_pyobject(py)?.into_any()),
        Step::Field(name) => Ok(PyString::new(py, name).into_any()),
        Step::Key(_) | Step::Value(_) => Ok(PyString::new(py, &step.to_string()).into_any()),
    });
    PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
}

/// Add the exceptions to the module.
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
