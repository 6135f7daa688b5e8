//! Lines of a text as Spark's JVM sends them: each is its length in four bytes, big-endian, and its UTF-8.
//!
//! PySpark reads them with two calls of the stream's `read` and one of a decoder for each. Here the lines that are whole
//! in a piece of the stream are made at once. Whatever is out of the ordinary ends the run before it, for PySpark's
//! own code to read and to judge.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::convert;
use crate::layout::text::Str;
use crate::layout::{Api, Direct};

/// Stands in the place of a length: no more lines follow.
const END_OF_SECTION: i32 = -1;
/// Stands in the place of a length: the line is null.
const NULL: i32 = -5;

/// The lines that `window` begins with, as `str` or as bytes, how many bytes they take, and whether they are the last
/// of their section; its end is among those bytes then.
#[pyfunction]
pub fn lines<'py>(
    window: &Bound<'py, PyBytes>,
    as_text: bool,
) -> PyResult<(Bound<'py, PyList>, usize, bool)> {
    match convert::offsets() {
        Some(offsets) => lines_with(window, as_text, Direct(offsets)),
        None => lines_with(window, as_text, Api),
    }
}

fn lines_with<'py>(
    window: &Bound<'py, PyBytes>,
    as_text: bool,
    text: impl Str + Copy,
) -> PyResult<(Bound<'py, PyList>, usize, bool)> {
    let (py, bytes) = (window.py(), window.as_bytes());
    let mut lines = Vec::new();
    let (mut used, mut ended) = (0, false);
    while let Some((length, rest)) = bytes[used..].split_first_chunk() {
        let length = i32::from_be_bytes(*length);
        let (line, len) = match usize::try_from(length) {
            Ok(len) => match rest.get(..len) {
                Some(line) if as_text => match decoded(py, line, text)? {
                    Some(line) => (line, len),
                    None => break,
                },
                Some(line) => (PyBytes::new(py, line).into_any(), len),
                None => break,
            },
            Err(_) if length == NULL => (py.None().into_bound(py), 0),
            Err(_) => {
                ended = length == END_OF_SECTION;
                used += if ended { size_of::<i32>() } else { 0 };
                break;
            }
        };
        lines.push(line);
        used += size_of::<i32>() + len;
    }
    Ok((PyList::new(py, lines)?, used, ended))
}

/// The text of a line; nothing if it is no UTF-8.
fn decoded<'py>(
    py: Python<'py>,
    line: &[u8],
    text: impl Str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let ascii = line.is_ascii();
    if !ascii && std::str::from_utf8(line).is_err() {
        return Ok(None);
    }
    // SAFETY: the GIL is held; what is made is a new reference, or null with an error set.
    let made: Bound<'py, PyAny> = unsafe {
        let made: *mut ffi::PyObject = text.make_str(line, ascii);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    Ok(Some(made))
}
