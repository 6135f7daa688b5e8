//! Memory for instances of heap types, which the garbage collector may have to know.

use std::ptr::null_mut;

use pyo3::ffi;

use super::super::offsets::GC_HEAD;
use super::super::{Access, Direct, Object, begin};

/// Type flags from `Include/object.h`. `MANAGED` (from 3.12 on) puts two pointers before the
/// object's header; the others exist in all versions.
const MANAGED: u64 = 1 << 3 | 1 << 4;
const HEAP_TYPE: u64 = 1 << 9;
const COLLECTED: u64 = 1 << 14;
/// Bytes before an object's header if CPython manages its dictionary or weak references.
const MANAGED_HEAD: usize = 16;

impl Direct<'_> {
    /// Whether instances of `ty` have `size` bytes and a header that [`Direct::instance`] supports.
    ///
    /// # Safety
    /// `ty` must be a type.
    pub unsafe fn is_of_size(self, ty: Object, size: usize) -> bool {
        // SAFETY: the type is alive, and reading its size runs no Python code.
        unsafe {
            let has = pyo3::Bound::from_borrowed_ptr(self.1, ty);
            let has = pyo3::types::PyAnyMethods::getattr(&has, "__basicsize__");
            let has = has.and_then(|it| pyo3::types::PyAnyMethods::extract::<usize>(&it));
            has.is_ok_and(|has| has == size) && (self.0.immortal || flags(ty.cast()) & MANAGED == 0)
        }
    }

    /// Zeroed memory for an instance of class `ty` with `size` bytes, with reference count one and
    /// its type set; null with an exception if there is no memory. The garbage collector does not
    /// know the object.
    ///
    /// # Safety
    /// [`Direct::is_of_size`] must be true for `ty` and `size`. The
    /// caller sets all fields that must not be zero before anybody sees the object.
    #[inline(always)]
    pub unsafe fn instance(self, ty: *mut ffi::PyTypeObject, size: usize) -> Object {
        // SAFETY: CPython allocates such objects with PyObject_Malloc and the same header. An
        // instance of a heap type holds a reference to its type.
        unsafe {
            let flags = flags(ty);
            let mut head = if flags & COLLECTED != 0 { GC_HEAD } else { 0 };
            if self.0.immortal && flags & MANAGED != 0 {
                head += MANAGED_HEAD;
            }
            let memory = ffi::PyObject_Malloc(head + size).cast::<u8>();
            if memory.is_null() {
                ffi::PyErr_NoMemory();
                return null_mut();
            }
            memory.write_bytes(0, head + size);
            let object = memory.add(head).cast();
            begin(object, ty);
            if flags & HEAP_TYPE != 0 {
                self.incref(ty.cast());
            }
            object
        }
    }
}

#[inline(always)]
unsafe fn flags(ty: *mut ffi::PyTypeObject) -> u64 {
    // SAFETY: the type is alive.
    unsafe { ffi::PyType_GetFlags(ty) }
}
