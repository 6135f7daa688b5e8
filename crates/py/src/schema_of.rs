//! The schema of bytes or of a file, without reading rows; `serow/_schemas.py` makes `schema_of` of it.

use std::ops::Range;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::stream::SchemaSearch;

use crate::errors::{exception, raise};
use crate::made::Calls;
use crate::schema::PySchema;

/// Bytes that are read at once, because small frames follow each other closely.
const WINDOW: u64 = 1 << 13;

#[doc = stub_doc!("schema_at")]
#[pyfunction]
pub fn schema_at(read_at: &Bound<'_, PyAny>, length: u64) -> PyResult<PySchema> {
    let py = read_at.py();
    let mut search = SchemaSearch::new(length);
    let mut window: (u64, Option<Bound<'_, PyBytes>>) = (0, None);
    while let Some(Range { start, end }) = search.wanted() {
        let (from, held) = &window;
        let part = held.as_ref().and_then(|held| {
            let held = held.as_bytes();
            held.get(usize::try_from(start.checked_sub(*from)?).ok()?..)?
                .get(..(end - start) as usize)
        });
        if let Some(part) = part {
            search.give(part).map_err(|error| raise(py, error))?;
            continue;
        }
        let count = (end - start).max(WINDOW).min(length.saturating_sub(start));
        let read = read_at.call_with((start, count))?.cast_into::<PyBytes>().map_err(|error| {
            exception::<PyTypeError>(format!(
                "the file must give bytes, so open it with 'rb': {error}"
            ))
        })?;
        if (read.as_bytes().len() as u64) < end - start {
            search.give(read.as_bytes()).map_err(|error| raise(py, error))?;
        }
        window = (start, Some(read));
    }
    search.finish().map(PySchema::from).map_err(|error| raise(py, error))
}
