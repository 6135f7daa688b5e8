//! Python's `bytes`, into which messages are written.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::bytes::out::GrowableBuffer;
use serow_core::error::Fault;
use serow_core::wire::single::SingleRecord;

use super::offsets::{BYTES_HASH, BYTES_TEXT, LENGTH};
use super::{Object, allocate, begin, store};

/// Builds a bytes object while its length is unknown.
pub trait Growing: GrowableBuffer + Default {
    /// A new reference to a bytes object of `len` bytes, which `fill` writes; null if there is no
    /// memory, with the error set.
    ///
    /// # Safety
    /// The GIL must be held. `fill` must write all `len` bytes at the address, and nothing else.
    unsafe fn filled(len: usize, fill: impl FnOnce(*mut u8)) -> Object;

    /// Like [`Growing::filled`], with a copy of `bytes`.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline(always)]
    unsafe fn copied(bytes: &[u8]) -> Object {
        // SAFETY: the object has as many bytes, and nothing else has their address.
        unsafe {
            let copy = |to: *mut u8| to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            Self::filled(bytes.len(), copy)
        }
    }

    /// Like [`Growing::filled`], with a copy of `record`.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline(always)]
    unsafe fn of_record(record: SingleRecord<'_>) -> Object {
        // SAFETY: the object has as many bytes, and nothing else has their address.
        unsafe { Self::filled(record.len(), |to| record.write_to(to)) }
    }

    /// A new reference to a bytes object of the committed bytes; null if there is no memory.
    ///
    /// # Safety
    /// The GIL must be held.
    unsafe fn into_bytes(self) -> Object;
}

/// For the C API: copies the bytes from a vector.
impl Growing for Vec<u8> {
    unsafe fn filled(len: usize, fill: impl FnOnce(*mut u8)) -> Object {
        // SAFETY: the object has `len` bytes, and nothing else has it yet.
        unsafe {
            let object = ffi::PyBytes_FromStringAndSize(null(), len as ffi::Py_ssize_t);
            if !object.is_null() {
                fill(ffi::PyBytes_AsString(object).cast());
            }
            object
        }
    }

    unsafe fn into_bytes(self) -> Object {
        // SAFETY: the GIL is held.
        unsafe { Vec::copied(&self) }
    }
}

/// Where glibc's threshold for blocks from the system begins, and how far it rises.
const MMAP_THRESHOLDS: std::ops::RangeInclusive<usize> = 128 << 10..=32 << 20;

/// Makes glibc keep blocks of `size` bytes, if it can.
///
/// glibc gets a block above a threshold from the system, and returns it there when it is freed. So
/// each message of that length would fault in all of its pages. The threshold rises to the size of a
/// block that is returned, up to 32 MiB. But a message is cut to its length before it is freed, and
/// the next one needs the size from before. So a block of that size is freed here, once for each new
/// greatest size. Nobody writes to it, so it takes no time.
fn keep_blocks_of(size: usize) {
    static GREATEST: AtomicUsize = AtomicUsize::new(0);
    if MMAP_THRESHOLDS.contains(&size) && GREATEST.fetch_max(size, Ordering::Relaxed) < size {
        // SAFETY: the GIL is held. The block is freed as it was allocated; null may be freed.
        unsafe { ffi::PyObject_Free(ffi::PyObject_Malloc(size)) };
    }
}

/// For direct access: memory with the layout of a bytes object, whose header is written last.
pub struct DirectBytes {
    memory: *mut u8,
    /// Bytes of text for which there is memory.
    len: usize,
    /// The length of the complete text.
    committed: usize,
}

impl Default for DirectBytes {
    fn default() -> DirectBytes {
        DirectBytes { memory: null_mut(), len: 0, committed: 0 }
    }
}

impl DirectBytes {
    /// Gives the memory another size, and returns the address of the text.
    fn resize(&mut self, len: usize) -> Option<*mut u8> {
        let size = len.checked_add(BYTES_TEXT + 1)?;
        // A frame may be packed without the GIL, which the allocator needs.
        let memory = Python::attach(|_| {
            // SAFETY: the memory, if there is any, is from the same allocator.
            unsafe { ffi::PyObject_Realloc(self.memory.cast(), size).cast::<u8>() }
        });
        if memory.is_null() {
            return None;
        }
        (self.memory, self.len) = (memory, len);
        Some(memory.wrapping_add(BYTES_TEXT))
    }
}

// SAFETY: the memory is ours, and PyObject_Realloc keeps what was written.
unsafe impl GrowableBuffer for DirectBytes {
    unsafe fn grow(&mut self, used: usize, needed: usize) -> Result<(*mut u8, usize), Fault> {
        let len = needed.max(used.saturating_mul(2)).max(480);
        let text = self.resize(len).ok_or(Fault::NoMemory)?;
        Ok((text, len))
    }

    unsafe fn expect(&mut self, _used: usize, len: usize) -> Option<(*mut u8, usize)> {
        (len > self.len).then(|| self.resize(len)).flatten().map(|text| (text, len))
    }

    unsafe fn commit(&mut self, len: usize) {
        self.committed = len;
    }
}

/// Sets the fields of a bytes object besides its text and those that every object has.
///
/// # Safety
/// The object must have memory for `len` bytes of text, and nobody else may have it.
#[inline(always)]
unsafe fn finish(object: Object, len: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        store(object, LENGTH, len);
        store(object, BYTES_HASH, -1isize);
        store(object, BYTES_TEXT + len, 0u8);
    }
}

impl Growing for DirectBytes {
    #[inline(always)]
    unsafe fn filled(len: usize, fill: impl FnOnce(*mut u8)) -> Object {
        // SAFETY: the memory fits the object.
        unsafe {
            let size = BYTES_TEXT + len + 1;
            let object = allocate(size, &raw mut ffi::PyBytes_Type);
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            fill(object.cast::<u8>().add(BYTES_TEXT));
            finish(object, len);
            object
        }
    }

    unsafe fn into_bytes(mut self) -> Object {
        let len = self.committed;
        // SAFETY: the new size fits the object with `len` bytes, which are written. The object takes
        // over the memory.
        unsafe {
            keep_blocks_of(self.len + BYTES_TEXT + 1);
            if self.resize(len).is_none() {
                return ffi::PyErr_NoMemory();
            }
            let object = std::mem::replace(&mut self.memory, null_mut()).cast::<ffi::PyObject>();
            begin(object, &raw mut ffi::PyBytes_Type);
            finish(object, len);
            object
        }
    }
}

impl Drop for DirectBytes {
    fn drop(&mut self) {
        if !self.memory.is_null() {
            // SAFETY: the memory is ours.
            unsafe { ffi::PyObject_Free(self.memory.cast()) };
        }
    }
}
