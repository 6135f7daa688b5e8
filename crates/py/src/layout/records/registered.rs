//! The classes whose conversion the caller has registered. serow does not look for fields in them.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use super::super::entries::Entries;
use crate::made;

/// The dict of `serow._registered`, by class.
static CLASSES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

#[doc = stub_doc!("registered_classes")]
#[pyfunction]
pub fn registered_classes(py: Python<'_>) -> PyResult<Py<PyDict>> {
    let classes = CLASSES.get_or_try_init(py, || Ok::<_, PyErr>(made::dict(py)?.unbind()))?;
    Ok(classes.clone_ref(py))
}

#[doc = stub_doc!("outdate")]
#[pyfunction]
pub fn outdate(class: &Bound<'_, PyType>) {
    // SAFETY: the class is alive, and the GIL is held.
    unsafe { ffi::PyType_Modified(class.as_type_ptr()) }
}

/// Whether `class` is registered. Compares addresses, because a class may have a hash of its own.
pub fn has(class: &Bound<'_, PyType>) -> bool {
    let Some(classes) = CLASSES.get(class.py()) else { return false };
    // SAFETY: the dict is alive and does not change meanwhile, and the GIL is held.
    let mut entries = unsafe { Entries::of(classes.as_ptr()) };
    std::iter::from_fn(|| entries.next()).any(|(of, _)| of == class.as_ptr())
}
