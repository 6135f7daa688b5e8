//! The version of a class: a number that CPython gives to a class for its cache of methods. It takes
//! the number back when the class or one of its bases changes, and never gives it to a class again.
//! CPython 3.10 may give it again, after `sys._clear_type_cache()`, so serow ignores its versions.

use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::super::{Object, load, proof};
use crate::made::{self, Calls, Made, name};

/// The offset of `tp_version_tag` in a class. The fields before it are in the stable ABI's order.
const VERSION: usize = 384;

static IS_PROVEN: OnceLock<bool> = OnceLock::new();

/// The version of `class`; 0 if it has none, or if serow can't read it.
///
/// # Safety
/// `class` must be alive, and the GIL must be held.
#[inline(always)]
pub unsafe fn version(class: Object) -> u32 {
    match IS_PROVEN.get() {
        // SAFETY: it is proven that classes have the field.
        Some(true) => unsafe { load(class, VERSION) },
        _ => 0,
    }
}

/// The version of the class of `object`. If it has none, CPython gives it one if possible.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn assign_version(py: Python<'_>, object: Object) -> u32 {
    let Ok(name) = name!("serow: no attribute has this name").get(py) else { return 0 };
    // SAFETY: the object is alive. The lookup finds nothing, so it runs no code of a descriptor.
    unsafe {
        let found = ffi::PyObject_GenericGetAttr(object, name.as_ptr());
        match found.is_null() {
            true => ffi::PyErr_Clear(),
            false => ffi::Py_DecRef(found),
        }
        version(ffi::Py_TYPE(object).cast())
    }
}

/// Verifies on real classes that versions are where they should be. Called at import.
pub fn prove(py: Python<'_>) -> PyResult<()> {
    let are_unique = py.version_info() >= (3, 11);
    if are_unique && proof::proven().is_some() && IS_PROVEN.get().is_none() {
        // Reading the version is only safe if classes are that large.
        let class = py.get_type::<PyType>();
        let is_large = class.getattr(name!("__basicsize__"))?.extract::<usize>()? >= VERSION + 4;
        let holds = is_large && holds(py)?;
        // A second import finds the result of the first.
        let _ = IS_PROVEN.set(holds);
    }
    Ok(())
}

/// Whether the versions of two new classes differ, stay as they are, and change with the classes.
fn holds<'py>(py: Python<'py>) -> PyResult<bool> {
    let new = |bases: Bound<'py, PyTuple>| {
        py.get_type::<PyType>().call_with(("Probe", bases, made::dict(py)?))
    };
    let base = new(PyTuple::empty(py))?;
    let derived = new(made::tuple(py, [&base])?)?;
    let look = |class: &Bound<'_, PyAny>| {
        let object = class.call0()?;
        // SAFETY: the object is alive, the GIL is held, and classes are large enough.
        Ok::<u32, PyErr>(unsafe {
            assign_version(py, object.as_ptr());
            load(class.as_ptr(), VERSION)
        })
    };
    let (of_base, first) = (look(&base)?, look(&derived)?);
    let is_stable = look(&derived)? == first && first != 0 && of_base != 0 && first != of_base;
    base.setattr(name!("changed"), Made(1))?;
    // SAFETY: the class is alive and large enough.
    let after: u32 = unsafe { load(derived.as_ptr(), VERSION) };
    let again = look(&derived)?;
    Ok(is_stable && after != first && again != 0 && again != first && again != of_base)
}
