//! What PySpark's workers call: its rows, batches, lines and columns. `python/serow/spark` has the
//! other half.

mod arrays;
mod batches;
mod columns;
mod lines;
mod objects;
mod unsafe_rows;

use pyo3::prelude::*;

/// Adds the classes and functions to the module.
///
/// # Errors
/// A `MemoryError`.
pub fn add_to(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<batches::Batches>()?;
    m.add_class::<unsafe_rows::PyUnsafeRows>()?;
    m.add_class::<columns::Column>()?;
    m.add_class::<columns::ColumnConverter>()?;
    m.add_class::<arrays::RowArrays>()?;
    m.add_function(wrap_pyfunction!(lines::lines, m)?)
}
