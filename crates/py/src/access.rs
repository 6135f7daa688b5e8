//! How objects are accessed: directly where it is proven for this CPython, otherwise through the C API.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use crate::errors::{SerowError, exception};
use crate::layout::{Offsets, proof};
use crate::made::Made;

/// Forces the C API although direct access is proven.
static C_API_ONLY: AtomicBool = AtomicBool::new(false);

/// The offsets for direct access; `None` means access through the C API.
pub fn offsets() -> Option<&'static Offsets> {
    if C_API_ONLY.load(Ordering::Relaxed) { None } else { proof::proven() }
}

/// The offsets for compiled code.
///
/// # Errors
/// A `SerowError` that says why there are none.
pub fn offsets_to_compile(py: Python<'_>) -> PyResult<&'static Offsets> {
    let Some(offsets) = offsets() else {
        let why = proof::why_not(py)?.unwrap_or("direct access is turned off");
        return Err(exception::<SerowError>(format!(
            "nothing can be compiled, because compiled code accesses objects directly: {why}. \
             Without compile() serow gives the same results more slowly"
        )));
    };
    Ok(offsets)
}

/// Evaluates `$body` with the right kind of access, for which the token `$py` is.
macro_rules! with_access {
    ($py:expr, |$access:ident| $body:expr) => {
        match $crate::access::offsets() {
            Some(offsets) => {
                let $access = $crate::layout::Direct(offsets, $py);
                $body
            }
            None => {
                let $access = $crate::layout::Api($py);
                $body
            }
        }
    };
}
pub(crate) use with_access;

#[doc = stub_doc!("object_access")]
#[pyfunction]
#[pyo3(signature = (only_c_api = None))]
pub fn object_access(only_c_api: Option<bool>) -> Made<&'static str> {
    if let Some(only) = only_c_api {
        C_API_ONLY.store(only, Ordering::Relaxed);
    }
    Made(if offsets().is_some() { "direct" } else { "c-api" })
}

#[doc = stub_doc!("why_no_direct_access")]
#[pyfunction]
pub fn why_no_direct_access(py: Python<'_>) -> PyResult<Option<Made<&'static str>>> {
    Ok(proof::why_not(py)?.map(Made))
}
