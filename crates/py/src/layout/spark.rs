//! What objects stock PySpark takes for rows.

use pyo3::ffi;

use super::Object;

/// Whether `object` is of a subclass of tuple, such as a named one, that is iterated as a tuple is.
///
/// # Safety
/// `object` must be alive, and the GIL be held.
pub unsafe fn is_like_a_tuple(object: Object) -> bool {
    // SAFETY: as above; classes have these slots since Python 3.10 however they were made.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let tuple = &raw mut ffi::PyTuple_Type;
        ffi::PyTuple_Check(object) != 0
            && [ffi::Py_tp_iter, ffi::Py_sq_length]
                .iter()
                .all(|&slot| ffi::PyType_GetSlot(class, slot) == ffi::PyType_GetSlot(tuple, slot))
    }
}
