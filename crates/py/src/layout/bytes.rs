//! Python's `bytes`: what messages are written into.

use std::ptr::null_mut;

use pyo3::ffi;
use serow_core::bytes::out::GrowableBuffer;
use serow_core::error::Fault;

use super::offsets::{BYTES_HASH, BYTES_TEXT, LENGTH};
use super::{Object, begin, store};

/// How a bytes object is made of what is written before its length is known.
pub trait Growing: GrowableBuffer + Default {
    /// A new reference to a bytes object with the first `len` bytes; null if there is no memory.
    ///
    /// # Safety
    /// So many bytes were written, and the GIL is held.
    unsafe fn into_bytes(self, len: usize) -> Object;
}

/// Through the C API: the bytes are written elsewhere and copied.
impl Growing for Vec<u8> {
    unsafe fn into_bytes(self, len: usize) -> Object {
        // SAFETY: the vector's memory holds as many bytes.
        unsafe { ffi::PyBytes_FromStringAndSize(self.as_ptr().cast(), len as ffi::Py_ssize_t) }
    }
}

/// Directly: the memory of a bytes object that is not one yet.
pub struct DirectBytes(*mut u8);

impl Default for DirectBytes {
    fn default() -> DirectBytes {
        DirectBytes(null_mut())
    }
}

// SAFETY: the memory is ours, and PyObject_Realloc keeps what was written.
unsafe impl GrowableBuffer for DirectBytes {
    unsafe fn grow(&mut self, used: usize, needed: usize) -> Result<(*mut u8, usize), Fault> {
        let len = needed.max(used.saturating_mul(2)).max(480);
        let size = len.saturating_add(BYTES_TEXT + 1);
        // SAFETY: the memory, if there is any, is from the same allocator.
        let memory = unsafe { ffi::PyObject_Realloc(self.0.cast(), size).cast::<u8>() };
        if memory.is_null() {
            return Err(Fault::NoMemory);
        }
        self.0 = memory;
        Ok((memory.wrapping_add(BYTES_TEXT), len))
    }
}

impl Growing for DirectBytes {
    unsafe fn into_bytes(mut self, len: usize) -> Object {
        // SAFETY: the memory has room for the object with so many bytes, and is given away.
        unsafe {
            let size = BYTES_TEXT + len + 1;
            let object = ffi::PyObject_Realloc(self.0.cast(), size).cast::<ffi::PyObject>();
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            self.0 = null_mut();
            begin(object, &raw mut ffi::PyBytes_Type);
            store(object, LENGTH, len);
            store(object, BYTES_HASH, -1isize);
            store(object, BYTES_TEXT + len, 0u8);
            object
        }
    }
}

impl Drop for DirectBytes {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the memory is ours.
            unsafe { ffi::PyObject_Free(self.0.cast()) };
        }
    }
}
