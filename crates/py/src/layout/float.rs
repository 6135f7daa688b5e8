//! f64: Python's `float`.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::offsets::LENGTH;
use super::{Api, Direct, Object, allocate, is_exactly, load, store};

pub trait Float {
    /// The value of `object`, or a type mismatch if it is not a `float`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_float(self, object: Object) -> OpResult<f64>;

    /// A new reference to a `float`; null if there is no memory.
    fn make_float(self, v: f64) -> Object;
}

/// The float that equals an `int`, if there is one.
///
/// # Safety
/// `object` must be an alive `int`, of the class itself, and the GIL must be held.
pub unsafe fn whole(object: Object) -> Option<f64> {
    // SAFETY: the int is alive. These calls run no code of the caller, and an int that is too large is the only
    // error.
    unsafe {
        let float = ffi::PyLong_AsDouble(object);
        let equal = ffi::PyLong_FromDouble(float);
        let is_equal =
            !equal.is_null() && ffi::PyObject_RichCompareBool(equal, object, ffi::Py_EQ) == 1;
        ffi::Py_XDECREF(equal);
        ffi::PyErr_Clear();
        is_equal.then_some(float)
    }
}

impl Float for Direct<'_> {
    #[inline(always)]
    unsafe fn read_float(self, object: Object) -> OpResult<f64> {
        // SAFETY: the object is alive, and its type is checked before its value is read.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyFloat_Type) {
                Ok(load(object, LENGTH))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    #[inline(always)]
    fn make_float(self, v: f64) -> Object {
        // SAFETY: nobody else has the object yet; its value is its last field.
        unsafe {
            let object = allocate(LENGTH + 8, &raw mut ffi::PyFloat_Type);
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            store(object, LENGTH, v);
            object
        }
    }
}

impl Float for Api<'_> {
    unsafe fn read_float(self, object: Object) -> OpResult<f64> {
        // SAFETY: the object is alive; the call can't fail for a float.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyFloat_Type) {
                Ok(ffi::PyFloat_AsDouble(object))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    fn make_float(self, v: f64) -> Object {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyFloat_FromDouble(v) }
    }
}
