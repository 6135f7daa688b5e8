//! bool: Python's singletons `True` and `False`.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::{Access, Object};

/// How booleans are read and made; the same code for all kinds of access.
pub trait Bool: Sized {
    /// The value of `object`, or a type mismatch if it is not a `bool`.
    #[inline(always)]
    fn read_bool(self, object: Object) -> OpResult<bool> {
        // SAFETY: these only give addresses.
        unsafe {
            if object == ffi::Py_True() {
                Ok(true)
            } else if object == ffi::Py_False() {
                Ok(false)
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    /// A new reference to a `bool`.
    #[inline(always)]
    fn make_bool(self, v: bool) -> Object
    where
        Self: Access,
    {
        // SAFETY: both live as long as the interpreter.
        unsafe {
            let object = if v { ffi::Py_True() } else { ffi::Py_False() };
            self.incref(object);
            object
        }
    }
}

impl<A> Bool for A {}
