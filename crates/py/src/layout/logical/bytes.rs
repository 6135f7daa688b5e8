//! bytes and bytearray: Python's `bytes` and `bytearray`.

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::offsets::{BYTES_HASH, BYTES_TEXT, LENGTH};
use super::super::{Api, Direct, Object, allocate, is_exactly, load, store};
use super::{MakeResult, made};

pub trait Bytes: Sized {
    /// The bytes of `object`, or a type mismatch if it is not a `bytes`.
    ///
    /// # Safety
    /// `object` must be alive while the bytes are used.
    unsafe fn read_bytes<'a>(self, object: Object) -> OpResult<&'a [u8]>;

    /// A new reference to a `bytes`.
    fn make_bytes(self, bytes: &[u8]) -> MakeResult;

    /// The bytes of `object`, or a type mismatch if it is not a `bytearray`.
    ///
    /// # Safety
    /// `object` must be alive and unchanged while the bytes are used.
    unsafe fn read_bytearray<'a>(self, object: Object) -> OpResult<&'a [u8]> {
        // SAFETY: the object is alive, and its type is checked before its fields are read, which
        // can't fail.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyByteArray_Type) {
                return Err(Fault::TypeMismatch);
            }
            let len = ffi::PyByteArray_Size(object) as usize;
            Ok(std::slice::from_raw_parts(ffi::PyByteArray_AsString(object).cast(), len))
        }
    }

    /// A new `bytearray`.
    fn make_bytearray(self, bytes: &[u8]) -> MakeResult {
        let len = bytes.len() as ffi::Py_ssize_t;
        // SAFETY: `bytes` has this length.
        made(unsafe { ffi::PyByteArray_FromStringAndSize(bytes.as_ptr().cast(), len) })
    }
}

impl Bytes for Direct<'_> {
    #[inline]
    unsafe fn read_bytes<'a>(self, object: Object) -> OpResult<&'a [u8]> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyBytes_Type) {
                return Err(Fault::TypeMismatch);
            }
            let len: usize = load(object, LENGTH);
            Ok(std::slice::from_raw_parts(object.cast::<u8>().add(BYTES_TEXT), len))
        }
    }

    #[inline]
    fn make_bytes(self, bytes: &[u8]) -> MakeResult {
        // Empty and one-byte bytes objects are singletons.
        if bytes.len() <= 1 {
            return Api(self.1).make_bytes(bytes);
        }
        // SAFETY: nobody else has the object yet. Its size fits the bytes and the zero after them.
        unsafe {
            let object = allocate(BYTES_TEXT + bytes.len() + 1, &raw mut ffi::PyBytes_Type);
            if object.is_null() {
                return made(ffi::PyErr_NoMemory());
            }
            store(object, LENGTH, bytes.len());
            store(object, BYTES_HASH, -1isize);
            let to = object.cast::<u8>().add(BYTES_TEXT);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            *to.add(bytes.len()) = 0;
            Ok(object)
        }
    }
}

impl Bytes for Api<'_> {
    unsafe fn read_bytes<'a>(self, object: Object) -> OpResult<&'a [u8]> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyBytes_Type) {
                return Err(Fault::TypeMismatch);
            }
            let (mut start, mut len) = (std::ptr::null_mut(), 0);
            if ffi::PyBytes_AsStringAndSize(object, &mut start, &mut len) != 0 {
                return Err(Fault::Host);
            }
            Ok(std::slice::from_raw_parts(start.cast(), len as usize))
        }
    }

    fn make_bytes(self, bytes: &[u8]) -> MakeResult {
        let len = bytes.len() as ffi::Py_ssize_t;
        // SAFETY: `bytes` has this length.
        made(unsafe { ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), len) })
    }
}
