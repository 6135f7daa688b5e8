//! The objects that stock PySpark accepts as rows.

use pyo3::ffi;

use super::Object;

/// Whether `object` is an instance of a subclass of tuple, such as a named tuple, that is iterated
/// like a tuple.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn is_like_a_tuple(object: Object) -> bool {
    // SAFETY: as above; since Python 3.10 the slots of all kinds of classes can be read.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let tuple = &raw mut ffi::PyTuple_Type;
        ffi::PyTuple_Check(object) != 0
            && [ffi::Py_tp_iter, ffi::Py_sq_length]
                .iter()
                .all(|&slot| ffi::PyType_GetSlot(class, slot) == ffi::PyType_GetSlot(tuple, slot))
    }
}
