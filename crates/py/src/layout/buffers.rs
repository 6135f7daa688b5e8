//! Memory of Python: the bytes object that receives a message, and the buffers of callers.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{NonNull, null_mut};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_core::bytes::out::{GrowableBuffer, with_spilling_buffer};
use serow_core::bytes::shared::append_shared;
use serow_core::error::{Error, Result};
use serow_core::wire::single::SingleRecord;

use crate::errors::{no_memory, raise};
use crate::layout::Access;
use crate::layout::message_bytes::Growing;

/// The bytes object that `write` fills, made through `access`.
pub fn written<'py, A: Access>(
    py: Python<'py>,
    _access: A,
    write: impl FnOnce(&mut dyn GrowableBuffer) -> Result<usize>,
) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: the GIL is held.
    let bytes = with_spilling_buffer(
        write,
        |bytes| unsafe { A::Bytes::copied(bytes) },
        |spill: A::Bytes| unsafe { spill.into_bytes() },
    )
    .map_err(|error| raise(py, error))?;
    // SAFETY: the object is a new reference to bytes, or null with an error set.
    unsafe { Ok(Bound::from_owned_ptr_or_err(py, bytes)?.cast_into_unchecked()) }
}

/// CPython's `Py_buffer`: unchanged since 3.0, in the stable ABI since 3.11.
#[repr(C)]
struct RawBuffer {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: ffi::Py_ssize_t,
    itemsize: ffi::Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut ffi::Py_ssize_t,
    strides: *mut ffi::Py_ssize_t,
    suboffsets: *mut ffi::Py_ssize_t,
    internal: *mut c_void,
}

unsafe extern "C" {
    fn PyObject_GetBuffer(
        exporter: *mut ffi::PyObject,
        view: *mut RawBuffer,
        flags: c_int,
    ) -> c_int;
    fn PyBuffer_Release(view: *mut RawBuffer);
}

/// Requests of a buffer: `PyBUF_WRITABLE`, and `PyBUF_RECORDS_RO`: any strides, with the format.
const WRITABLE: c_int = 0x1;
const ANY_ITEMS: c_int = 0x1c;

/// A buffer of an object, released on drop. The structure stays where the exporter has filled it in, because
/// its pointers may lead into itself.
pub struct Buffer(NonNull<RawBuffer>);

impl Buffer {
    /// The contiguous buffer of `object`, writable if `writable`.
    ///
    /// # Errors
    /// The object's own `TypeError` or `BufferError` if it has no such buffer.
    pub fn get(object: &Bound<'_, PyAny>, writable: bool) -> PyResult<Buffer> {
        Buffer::request(object, if writable { WRITABLE } else { 0 })
    }

    fn request(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Buffer> {
        let raw = Box::new(RawBuffer {
            buf: null_mut(),
            obj: null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: null_mut(),
            shape: null_mut(),
            strides: null_mut(),
            suboffsets: null_mut(),
            internal: null_mut(),
        });
        let raw = NonNull::from(Box::leak(raw));
        // SAFETY: the object is alive, and the structure has CPython's layout. Nobody uses it if this fails.
        unsafe {
            if PyObject_GetBuffer(object.as_ptr(), raw.as_ptr(), flags) == 0 {
                return Ok(Buffer(raw));
            }
            drop(Box::from_raw(raw.as_ptr()));
        }
        Err(PyErr::fetch(object.py()))
    }

    fn fields(&self) -> &RawBuffer {
        // SAFETY: the structure lives until the buffer is dropped, and nobody changes it before.
        unsafe { self.0.as_ref() }
    }

    /// Copies `record` to the bytes from `offset` on, and returns its length.
    ///
    /// # Errors
    /// `BufferTooSmall`, with the needed size, if it does not fit. Then nothing is copied.
    pub fn put(&mut self, record: SingleRecord<'_>, offset: usize) -> Result<usize> {
        let (start, len) = self.raw();
        if offset.saturating_add(record.len()) > len {
            return Err(Error::too_small_for_record(record.len(), offset, len));
        }
        // SAFETY: the exporter keeps the bytes in place, they are writable, and there are enough. Other
        // threads wait for the GIL.
        unsafe { record.write_to(start.add(offset)) };
        Ok(record.len())
    }

    /// The address and the length of the bytes.
    pub fn raw(&self) -> (*mut u8, usize) {
        (self.fields().buf.cast(), self.fields().len as usize)
    }
}

/// The items of an object's buffer.
pub struct BufferItems {
    /// Keeps the items in place.
    buffer: Buffer,
    pub start: *const u8,
    /// The size of an item, in bytes.
    pub size: usize,
    /// The character of the format, as in Python's `struct`. `s` and `w` are of texts, with any number of
    /// characters in an item.
    pub format: u8,
    /// Whether an item is two of these: the parts of a complex number.
    pub is_complex: bool,
    /// Whether the bytes of an item are in the order that is not the machine's.
    pub is_swapped: bool,
}

impl BufferItems {
    /// The items of `object`; `None` if it has no such buffer or no dimension, or if an item is more than one
    /// number or text that can be read as it is.
    pub fn of(object: &Bound<'_, PyAny>) -> Option<BufferItems> {
        let is_plain = |items: &BufferItems| {
            !items.lengths().is_empty() && !items.is_complex && !items.is_swapped
        };
        BufferItems::of_any(object).filter(is_plain)
    }

    /// The items of `object`; `None` if it has no such buffer, or if an item is more than one number or text.
    pub fn of_any(object: &Bound<'_, PyAny>) -> Option<BufferItems> {
        BufferItems::request(object).ok()?
    }

    /// Like [`BufferItems::of_any`].
    ///
    /// # Errors
    /// The object's own error if it has no such buffer, or a `MemoryError`.
    pub fn request(object: &Bound<'_, PyAny>) -> PyResult<Option<BufferItems>> {
        Ok(BufferItems::of_buffer(Buffer::request(object, ANY_ITEMS)?))
    }

    fn of_buffer(buffer: Buffer) -> Option<BufferItems> {
        let RawBuffer { buf, itemsize, ndim, format, suboffsets, .. } = *buffer.fields();
        if ndim < 0 || !suboffsets.is_null() || format.is_null() {
            return None;
        }
        // SAFETY: the exporter has filled the format in, because it was requested. It ends with a zero.
        let format = unsafe { CStr::from_ptr(format) }.to_bytes();
        let (&format, before) = format.split_last()?;
        let (is_swapped, before) = match before {
            [b'>' | b'!', rest @ ..] => (cfg!(target_endian = "little"), rest),
            [b'<', rest @ ..] => (cfg!(target_endian = "big"), rest),
            // Not aligned.
            [b'=' | b'@' | b'^', rest @ ..] => (false, rest),
            all => (false, all),
        };
        let is_text = matches!(format, b's' | b'w') && before.iter().all(u8::is_ascii_digit);
        let is_complex = before == b"Z";
        (is_text || is_complex || before.is_empty()).then_some(BufferItems {
            buffer,
            start: buf.cast(),
            size: itemsize as usize,
            format,
            is_complex,
            is_swapped,
        })
    }

    /// The lengths of the dimensions, outermost first.
    pub fn lengths(&self) -> &[usize] {
        let &RawBuffer { shape, ndim, .. } = self.buffer.fields();
        if ndim == 0 {
            return &[];
        }
        // SAFETY: the exporter has filled in a length for each dimension, none of them negative, and keeps them.
        unsafe { std::slice::from_raw_parts(shape.cast(), ndim as usize) }
    }

    /// The distances to the next item in each dimension, in bytes.
    pub fn strides(&self) -> &[isize] {
        let &RawBuffer { strides, ndim, .. } = self.buffer.fields();
        if ndim == 0 {
            return &[];
        }
        // SAFETY: as in `lengths`.
        unsafe { std::slice::from_raw_parts(strides, ndim as usize) }
    }
}

/// The bytes of a message, which must not change while serow reads them.
pub enum Message<'py> {
    /// An immutable object.
    Bytes(Bound<'py, PyBytes>),
    /// A copy of mutable memory, which even a thread without the GIL might change.
    Copy(Vec<u8>),
}

impl<'py> Message<'py> {
    /// The bytes of `object`.
    ///
    /// # Errors
    /// The object's own error if it has no contiguous buffer.
    pub fn get(object: &Bound<'py, PyAny>) -> PyResult<Message<'py>> {
        if let Ok(bytes) = object.cast_exact::<PyBytes>() {
            return Ok(Message::Bytes(bytes.clone()));
        }
        let buffer = Buffer::get(object, false)?;
        let (start, len) = buffer.raw();
        let mut copy = Vec::new();
        // SAFETY: the exporter keeps the bytes in place until the release.
        match unsafe { append_shared(start, len, &mut copy) } {
            Ok(()) => Ok(Message::Copy(copy)),
            Err(_) => Err(no_memory(object.py())),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Message::Bytes(bytes) => bytes.as_bytes(),
            Message::Copy(bytes) => bytes,
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: `request` made the structure, and only this releases it, with the GIL held.
        Python::attach(|_| unsafe {
            PyBuffer_Release(self.0.as_ptr());
            drop(Box::from_raw(self.0.as_ptr()));
        });
    }
}
