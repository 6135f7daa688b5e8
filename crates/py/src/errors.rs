//! The Python exceptions, and how errors become them.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
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
    match error.kind() {
        ErrorKind::Schema => SchemaError::new_err(message),
        ErrorKind::Encode => EncodeError::new_err(message),
        ErrorKind::Decode => DecodeError::new_err(message),
        ErrorKind::BufferTooSmall => BufferTooSmall::new_err(message),
        ErrorKind::Limit => LimitError::new_err(message),
        ErrorKind::Host => PyErr::take(py).unwrap_or_else(|| SerowError::new_err(message)),
    }
}

/// Add the exceptions to the module.
pub fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("SerowError", py.get_type::<SerowError>())?;
    m.add("SchemaError", py.get_type::<SchemaError>())?;
    m.add("EncodeError", py.get_type::<EncodeError>())?;
    m.add("DecodeError", py.get_type::<DecodeError>())?;
    m.add("BufferTooSmall", py.get_type::<BufferTooSmall>())?;
    m.add("LimitError", py.get_type::<LimitError>())
}
