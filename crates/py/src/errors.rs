//! The Python exceptions, and the conversion of errors to them.

use pyo3::exceptions::{PyBaseException, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTypeInfo, ffi};
use serow_core::path::{Path, PathStep};
use serow_core::{Error, ErrorKind};

use crate::made::{self, Made, Make as _, name};

/// The classes. Their `new_err` is for nobody: it makes a text where nobody can take an error.
mod classes {
    #![expect(clippy::disallowed_methods, reason = "the macro contains them")]

    use pyo3::create_exception;
    use pyo3::exceptions::PyException;

    create_exception!(serow, SerowError, PyException, stub_doc!("SerowError"));
    create_exception!(serow, SchemaError, SerowError, stub_doc!("SchemaError"));
    create_exception!(serow, EncodeError, SerowError, stub_doc!("EncodeError"));
    create_exception!(serow, DecodeError, SerowError, stub_doc!("DecodeError"));
    create_exception!(serow, BufferTooSmall, SerowError, stub_doc!("BufferTooSmall"));
    create_exception!(serow, LimitError, SerowError, stub_doc!("LimitError"));
}

pub use classes::*;

/// Converts `error` to an exception.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    let message = error.message();
    let raised = match error.kind() {
        ErrorKind::Schema => exception::<SchemaError>(message),
        ErrorKind::Encode => exception::<EncodeError>(message),
        ErrorKind::Decode => exception::<DecodeError>(message),
        ErrorKind::BufferTooSmall => exception::<BufferTooSmall>(message),
        ErrorKind::Limit => exception::<LimitError>(message),
        ErrorKind::Memory => return no_memory(py),
        ErrorKind::Io => exception::<PyOSError>(message),
        ErrorKind::Host => {
            return PyErr::take(py).unwrap_or_else(|| exception::<SerowError>(message));
        }
    };
    match set_attributes(raised.value(py), &error) {
        Ok(()) => raised,
        Err(another) => another,
    }
}

/// An exception with a text. Without memory for it, a `MemoryError`.
///
/// Unlike PyO3's `new_err` it makes the exception at once, and not where nobody can take another error.
pub fn exception<T: PyTypeInfo>(text: impl AsRef<str>) -> PyErr {
    Python::attach(|py| match made::text(py, text.as_ref()) {
        Ok(text) => {
            // SAFETY: the GIL is held, and both are alive.
            unsafe { ffi::PyErr_SetObject(T::type_object_raw(py).cast(), text.as_ptr()) };
            PyErr::fetch(py)
        }
        Err(no_memory) => no_memory,
    })
}

/// What an exception says, after the name of its class. Its `Display` panics without memory.
pub fn shown(error: &PyErr) -> String {
    Python::attach(|py| {
        let text = |text: PyResult<_>| text.and_then(|text| made::lossy(&text));
        let value = error.value(py);
        let class = value.get_type().getattr(name!("__qualname__"));
        let class = text(class.and_then(|name| Ok(name.cast_into()?)));
        let class = class.unwrap_or_else(|_| "an exception".into());
        let text = text(value.str()).unwrap_or_else(|_| "<exception str() failed>".into());
        format!("{class}: {text}")
    })
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
        raised.setattr(name!("row"), Made(row))?;
    }
    if let Some(path) = error.path() {
        raised.setattr(name!("path"), path_of(py, path)?)?;
    }
    if let Some(offset) = error.offset() {
        raised.setattr(name!("offset"), Made(offset))?;
    }
    if let Some(needed) = error.needed() {
        raised.setattr(name!("needed"), Made(needed))?;
    }
    Ok(())
}

/// A path as a tuple: indices of items, names of fields, and texts such as `key 3` for entries of
/// maps.
fn path_of<'py>(py: Python<'py>, path: &Path) -> PyResult<Bound<'py, PyTuple>> {
    let steps = path.0.iter().map(|step| match step {
        PathStep::Item(item) => item.make(py),
        PathStep::Field(name) => name.as_ref().make(py),
        PathStep::Key(_) | PathStep::Value(_) => step.to_string().make(py),
    });
    made::tuple(py, steps.collect::<PyResult<Vec<_>>>()?)
}

/// Adds the exceptions to the module.
pub fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    for name in [name!("row"), name!("path"), name!("offset")] {
        py.get_type::<SerowError>().setattr(name, py.None())?;
    }
    py.get_type::<BufferTooSmall>().setattr(name!("needed"), py.None())?;
    m.add("SerowError", py.get_type::<SerowError>())?;
    m.add("SchemaError", py.get_type::<SchemaError>())?;
    m.add("EncodeError", py.get_type::<EncodeError>())?;
    m.add("DecodeError", py.get_type::<DecodeError>())?;
    m.add("BufferTooSmall", py.get_type::<BufferTooSmall>())?;
    m.add("LimitError", py.get_type::<LimitError>())
}
