//! Arrow columns for converters that Spark calls once for each value.
//!
//! A worker makes a list of a column's values, and calls the column's converter for each of them. To
//! make all values at once takes the column and its type in Spark. But the function that makes the
//! list does not know the type, and the converter does not see the column. So serow lets the list
//! contain the column in place of each value. At the first call the converter makes all values of the
//! column, and each call gives the next one.

use crate::errors::exception;
use crate::made::Calls;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyIterator;

#[doc = stub_doc!("Column")]
#[pyclass(module = "serow._native", frozen)]
pub struct Column {
    array: Py<PyAny>,
    values: PyOnceLock<Py<PyIterator>>,
}

#[pymethods]
impl Column {
    #[new]
    fn new(array: Py<PyAny>) -> Column {
        Column { array, values: PyOnceLock::new() }
    }
}

#[doc = stub_doc!("ColumnConverter")]
#[pyclass(module = "serow._native", frozen)]
pub struct ColumnConverter {
    read: Py<PyAny>,
    otherwise: Py<PyAny>,
}

#[pymethods]
impl ColumnConverter {
    /// `read` gives the list of an array's values, and `otherwise` converts what is not a column.
    #[new]
    fn new(read: Py<PyAny>, otherwise: Py<PyAny>) -> ColumnConverter {
        ColumnConverter { read, otherwise }
    }

    #[doc = stub_doc!("ColumnConverter.convert")]
    fn convert<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let Ok(column) = value.cast_exact::<Column>() else {
            return self.otherwise.bind(py).call_with((value,));
        };
        let column = column.get();
        let values = column.values.get_or_try_init(py, || {
            let values = self.read.bind(py).call_with((&column.array,))?;
            values.try_iter().map(Bound::unbind)
        })?;
        let next = values.bind(py).clone().next();
        next.unwrap_or_else(|| Err(exception::<PyIndexError>("the column has no more values")))
    }
}
