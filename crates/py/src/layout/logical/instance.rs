//! Memory for objects of classes that may be made at run time, and be known to the garbage collector.

use std::ptr::null_mut;

use pyo3::ffi;

use super::super::offsets::GC_HEAD;
use super::super::{Access, Direct, Object, begin};

/// Flags of types, from `Include/object.h`: those of 3.12 that put two pointers before an object's
/// head, and those of all versions.
const MANAGED: u64 = 1 << 3 | 1 << 4;
const HEAP_TYPE: u64 = 1 << 9;
const COLLECTED: u64 = 1 << 14;
/// What stands before an object's head if its weak references or its dictionary are managed.
const MANAGED_HEAD: usize = 16;

impl Direct {
    /// Whether objects of `ty` are of `size` bytes, and [`Direct::instance`] knows what stands before
    /// them.
    ///
    /// # Safety
    /// `ty` must be a type, and the GIL be held.
    pub unsafe fn is_of_size(self, ty: Object, size: usize) -> bool {
        // SAFETY: the type is alive; to be asked for its size runs no code in Python.
        unsafe {
            let has = pyo3::Bound::from_borrowed_ptr(super::python(), ty);
            let has = pyo3::types::PyAnyMethods::getattr(&has, "__basicsize__");
            let has = has.and_then(|it| pyo3::types::PyAnyMethods::extract::<usize>(&it));
            has.is_ok_and(|has| has == size) && (self.0.immortal || flags(ty.cast()) & MANAGED == 0)
        }
    }

    /// Memory of zeros for an object of class `ty` and of `size` bytes, with its count at one and its
    /// type set; null with an error set if there is none. The garbage collector does not know it.
    ///
    /// # Safety
    /// [`Direct::is_of_size`] must have said so, and the GIL be held. The caller fills in what must not
    /// be zero before anybody sees the object.
    #[inline(always)]
    pub unsafe fn instance(self, ty: *mut ffi::PyTypeObject, size: usize) -> Object {
        // SAFETY: CPython allocates such objects with PyObject_Malloc, with as much before them, and
        // an object of a class that was made at run time holds a reference to it.
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
