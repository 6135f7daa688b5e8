//! Lines of text as Spark's JVM sends them: four bytes of length, big-endian, and the line in
//! UTF-8.
//!
//! PySpark reads each line with two calls of the stream's `read` and one of a decoder. This module
//! decodes all whole lines of a buffer at once. It stops before anything unusual, which PySpark's
//! own code then reads.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use serow_core::layout::PlainText;

use crate::access;
use crate::layout::text::Str;
use crate::made::{self, Made};

/// In place of a length: the end of the section.
const END_OF_SECTION: i32 = -1;
/// In place of a length: a null line.
const NULL: i32 = -5;

#[doc = stub_doc!("lines")]
#[pyfunction]
pub fn lines<'py>(
    window: &Bound<'py, PyBytes>,
    as_text: bool,
) -> PyResult<Made<(Bound<'py, PyList>, usize, bool)>> {
    access::with_access!(window.py(), |access| lines_with(window, as_text, access).map(Made))
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
                Some(line) => (made::bytes(py, line)?.into_any(), len),
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
    Ok((made::list(py, lines)?, used, ended))
}

/// Decodes a line; `None` if it is not valid UTF-8.
fn decoded<'py>(
    py: Python<'py>,
    line: &[u8],
    text: impl Str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let line = PlainText::checked(line);
    if !line.is_known_ascii() && std::str::from_utf8(line.bytes()).is_err() {
        return Ok(None);
    }
    // SAFETY: the GIL is held; the result is a new reference, or null with an error set.
    let made: Bound<'py, PyAny> = unsafe {
        let made: *mut ffi::PyObject = text.make_str(line);
        Bound::from_owned_ptr_or_err(py, made)?
    };
    Ok(Some(made))
}
