//! The classes of the values in rows, by which Spark decides how it converts them.

use crate::made::Made;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

/// The classes in a column.
type Classes<'py> = Vec<Bound<'py, PyType>>;

/// Most classes in one column; more are not worth a search.
const MOST: usize = 8;

#[doc = stub_doc!("classes")]
#[pyfunction]
pub fn classes<'py>(
    rows: &Bound<'py, PyList>,
    width: usize,
) -> PyResult<Option<Made<Vec<Classes<'py>>>>> {
    let mut columns: Vec<Classes<'py>> = vec![Vec::new(); width];
    for row in rows {
        let Ok(row) = row.cast_exact::<PyTuple>() else { return Ok(None) };
        if row.len() != width {
            return Ok(None);
        }
        for (at, found) in columns.iter_mut().enumerate() {
            let value = row.get_borrowed_item(at)?;
            let class = value.get_type_ptr();
            if found.iter().any(|known| known.as_type_ptr() == class) {
                continue;
            }
            if found.len() == MOST {
                return Ok(None);
            }
            found.push(value.get_type());
        }
    }
    Ok(Some(Made(columns)))
}
