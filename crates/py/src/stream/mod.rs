//! Streams: `StreamWriter` and `StreamReader`, the bases of `serow.Writer` and `serow.Reader`.

mod arrow;
mod flushing;

mod log_file;
mod reader;
mod rows;
pub mod salvage;
pub mod schema_of;
mod sink;
pub mod view;
mod writer;

use crate::errors::exception;
use pyo3::PyClass;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;

pub use log_file::leave_logs;
pub use reader::StreamReader;
pub use rows::RowsIterator;
pub use writer::StreamWriter;

/// The reader or writer, to change it.
///
/// # Errors
/// A `RuntimeError` if another call uses it.
#[inline]
pub fn change<'py, T: PyClass<Frozen = False>>(
    stream: &Bound<'py, T>,
) -> PyResult<PyRefMut<'py, T>> {
    stream.try_borrow_mut().map_err(|_| in_use(stream))
}

/// The reader or writer, to look at it.
///
/// # Errors
/// As for [`change`].
fn look_at<'py, T: PyClass>(stream: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    stream.try_borrow().map_err(|_| in_use(stream))
}

#[cold]
fn in_use<T>(stream: &Bound<'_, T>) -> PyErr {
    let class =
        stream.as_any().get_type().name().map_or_else(|_| "stream".into(), |name| name.to_string());
    exception::<PyRuntimeError>(format!(
        "another call uses this {class}, in another thread or in a method of its file; one thread at a \
         time may use it, so use a lock, or a {class} for each thread"
    ))
}
