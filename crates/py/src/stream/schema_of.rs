//! The schema of bytes or of a file, without reading rows; `serow/_schemas.py` makes `schema_of` of it.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::stream::schema_of;
use serow_core::{Error, memory};

use crate::codec::schema::PySchema;
use crate::errors::raise;
use crate::stream::view::bytes_at;

/// Bytes that are read at once, because small frames follow each other closely.
const WINDOW: u64 = 1 << 13;

#[doc = stub_doc!("schema_at")]
#[pyfunction]
pub fn schema_at(read_at: &Bound<'_, PyAny>, length: u64) -> PyResult<PySchema> {
    let (mut window, mut failed): ((u64, Option<Bound<'_, PyBytes>>), _) = ((0, None), None);
    let found = schema_of(length, &mut |range, to| {
        let has = window.0 + window.1.as_ref().map_or(0, |bytes| bytes.as_bytes().len() as u64);
        if range.start < window.0 || range.end > has {
            let end = range.end.max(range.start + WINDOW).min(length);
            let bytes = bytes_at(read_at, &(range.start..end)).map_err(|error| {
                failed = Some(error);
                Error::host()
            })?;
            window = (range.start, Some(bytes));
        }
        let bytes = window.1.as_ref().map_or(&[][..], |bytes| bytes.as_bytes());
        let bytes = bytes.get((range.start - window.0) as usize..).unwrap_or_default();
        let count = bytes.len().min((range.end - range.start) as usize);
        *to = memory::copied(&bytes[..count]).map_err(|_| Error::no_memory())?;
        Ok(())
    });
    match failed {
        Some(error) => Err(error),
        None => found.map(PySchema::from).map_err(|error| raise(read_at.py(), error)),
    }
}
