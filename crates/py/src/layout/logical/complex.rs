//! complex: Python's `complex`, with the bits of both its floats.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{COMPLEX_PARTS, COMPLEX_SIZE};
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::{MakeResult, made};

/// How complex numbers are read and made.
pub trait Complex {
    /// The real and the imaginary part of `object`; a misfit if it is no `complex`.
    ///
    /// # Safety
    /// `object` must be alive and the GIL be held.
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]>;

    /// A new reference to a `complex`.
    ///
    /// # Safety
    /// The GIL must be held.
    unsafe fn make_complex(self, components: [f64; 2]) -> MakeResult;
}

impl Complex for Direct {
    #[inline]
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]> {
        // SAFETY: the object is alive, and a complex before its parts are read.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyComplex_Type) {
                Ok(load(object, COMPLEX_PARTS))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    #[inline]
    unsafe fn make_complex(self, components: [f64; 2]) -> MakeResult {
        // SAFETY: the object is ours until it is returned; its parts are its last fields.
        unsafe {
            let object = allocate(COMPLEX_SIZE, &raw mut ffi::PyComplex_Type);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            store(object, COMPLEX_PARTS, components);
            Ok(object)
        }
    }
}

impl Complex for Api {
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]> {
        // SAFETY: the object is alive, and a complex, for which there is no error.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyComplex_Type) {
                Ok([ffi::PyComplex_RealAsDouble(object), ffi::PyComplex_ImagAsDouble(object)])
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    unsafe fn make_complex(self, [real, imaginary]: [f64; 2]) -> MakeResult {
        // SAFETY: the GIL is held.
        made(unsafe { ffi::PyComplex_FromDoubles(real, imaginary) })
    }
}
