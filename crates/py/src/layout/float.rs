//! f64: Python's `float`.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::offsets::LENGTH;
use super::{Api, Direct, Object, allocate, is_exactly, load, store};

/// How floats are read and made.
pub trait Float {
    /// The value of `object`; a misfit if it is no `float`.
    ///
    /// # Safety
    /// `object` must be alive and the GIL be held.
    unsafe fn read_float(self, object: Object) -> OpResult<f64>;

    /// A new reference to a `float`; null if there is no memory.
    ///
    /// # Safety
    /// The GIL must be held.
    unsafe fn make_float(self, v: f64) -> Object;
}

impl Float for Direct {
    #[inline(always)]
    unsafe fn read_float(self, object: Object) -> OpResult<f64> {
        // SAFETY: the object is alive, and a float before its value is read.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyFloat_Type) {
                Ok(load(object, LENGTH))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    #[inline(always)]
    unsafe fn make_float(self, v: f64) -> Object {
        // SAFETY: the object is ours until it is returned; its value is its last field.
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

impl Float for Api {
    unsafe fn read_float(self, object: Object) -> OpResult<f64> {
        // SAFETY: the object is alive, and a float, for which there is no error.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyFloat_Type) {
                Ok(ffi::PyFloat_AsDouble(object))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    unsafe fn make_float(self, v: f64) -> Object {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyFloat_FromDouble(v) }
    }
}
