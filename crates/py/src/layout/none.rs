//! null: Python's `None`.

use pyo3::ffi;

use super::{Access, Object};

/// How nulls are read and made; the same code for all kinds of access.
pub trait None: Sized {
    /// Whether `object` is `None`.
    #[inline(always)]
    fn reads_none(self, object: Object) -> bool {
        // SAFETY: this only gives an address.
        object == unsafe { ffi::Py_None() }
    }

    /// A new reference to `None`.
    #[inline(always)]
    fn make_none(self) -> Object
    where
        Self: Access,
    {
        // SAFETY: `None` lives as long as the interpreter.
        unsafe {
            let object = ffi::Py_None();
            self.incref(object);
            object
        }
    }
}

impl<A> None for A {}
