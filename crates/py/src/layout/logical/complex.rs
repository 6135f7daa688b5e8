//! complex: Python's `complex`, with the exact bits of both floats.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{COMPLEX_PARTS, COMPLEX_SIZE};
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::{MakeResult, made};

pub trait Complex {
    /// The real and the imaginary part of `object`, or a type mismatch if it is not a `complex`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]>;

    /// A new reference to a `complex`.
    fn make_complex(self, components: [f64; 2]) -> MakeResult;
}

impl Complex for Direct<'_> {
    #[inline]
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]> {
        // SAFETY: the object is alive, and its type is checked before its parts are read.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyComplex_Type) {
                Ok(load(object, COMPLEX_PARTS))
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    #[inline]
    fn make_complex(self, components: [f64; 2]) -> MakeResult {
        // SAFETY: nobody else has the object yet; its parts are its last fields.
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

impl Complex for Api<'_> {
    unsafe fn read_complex(self, object: Object) -> OpResult<[f64; 2]> {
        // SAFETY: the object is alive; the calls can't fail for a complex.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyComplex_Type) {
                Ok([ffi::PyComplex_RealAsDouble(object), ffi::PyComplex_ImagAsDouble(object)])
            } else {
                Err(Fault::TypeMismatch)
            }
        }
    }

    fn make_complex(self, [real, imaginary]: [f64; 2]) -> MakeResult {
        // SAFETY: the GIL is held.
        made(unsafe { ffi::PyComplex_FromDoubles(real, imaginary) })
    }
}
