//! `RowsIterator`, which iterates over the rows of a `serow.Reader`.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use super::change;
use crate::made::name;

#[doc = stub_doc!("RowsIterator")]
#[pyclass(module = "serow._native")]
pub struct RowsIterator {
    reader: Py<PyAny>,
    /// The rows of a frame that were not given yet. The reader has the same iterator, so that others who read from
    /// it go on where this one has stopped.
    rest: Option<Py<PyIterator>>,
}

#[pymethods]
impl RowsIterator {
    #[new]
    fn new(reader: Py<PyAny>) -> RowsIterator {
        RowsIterator { reader, rest: None }
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The next row. After an error of the file the next call tries again, which a generator of Python could not.
    fn __next__<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let mut this = change(slf)?;
        let name = name!("_rest");
        loop {
            if let Some(rest) = &this.rest
                && let Some(row) = rest.bind(py).clone().next()
            {
                return row.map(Some);
            }
            let reader = this.reader.bind(py).clone();
            let shared = reader.getattr(name)?;
            let is_own = this.rest.as_ref().is_some_and(|rest| rest.is(&shared));
            let rest = match is_own {
                false => shared,
                true => {
                    let rows = reader.call_method0(name!("_next"))?;
                    if rows.is_none() {
                        return Ok(None);
                    }
                    let rest = rows.try_iter()?.into_any();
                    reader.setattr(name, &rest)?;
                    rest
                }
            };
            this.rest = Some(rest.cast_into::<PyIterator>()?.unbind());
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.reader)?;
        self.rest.as_ref().map_or(Ok(()), |rest| visit.call(rest))
    }
}
