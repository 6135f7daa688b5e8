//! str: Python's `str`.
//!
//! CPython stores one, two or four bytes per character, depending on the largest one. ASCII text is
//! also UTF-8 and is used in place. Other text is transcoded here: CPython's own UTF-8 conversion
//! would cache a copy in every string object.

use std::ptr::null;
use std::sync::Arc;

use pyo3::ffi;
use serow_core::bytes::out::copy_short;
use serow_core::bytes::text::{code_points, push_code_point, push_latin1};
use serow_core::error::Fault;
use serow_core::layout::{OpResult, PlainText, Text};
use serow_core::memory;

use super::offsets::{ASCII, COMPACT, KIND_MASK, KIND_SHIFT, LENGTH, READY, STR_HASH, STR_STATE};
use super::{Api, Direct, Object, allocate, is_exactly, load, store};

/// C's `wchar_t`, which has 32 bits on the systems that serow supports.
type WideChar = u32;

pub trait Str {
    /// The text of `object`, or a type mismatch if it is not a `str`. Text that has to be
    /// transcoded goes to `scratch`.
    ///
    /// # Safety
    /// `object` must be alive while the text is used.
    unsafe fn read_str<'a>(self, object: Object, scratch: &'a mut Vec<u8>) -> OpResult<Text<'a>>;

    /// A new reference to a `str` from valid generalized UTF-8; null if Python raised an exception.
    fn make_str(self, text: PlainText<'_>) -> Object;
}

impl Str for Direct<'_> {
    #[inline(always)]
    unsafe fn read_str<'a>(self, object: Object, scratch: &'a mut Vec<u8>) -> OpResult<Text<'a>> {
        // SAFETY: the object is alive, and its type is checked before its fields are read.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyUnicode_Type) {
                return Err(Fault::TypeMismatch);
            }
            let state: u32 = load(object, STR_STATE);
            if state & (COMPACT | ASCII) != COMPACT | ASCII {
                self.read_wide(object, state, scratch)?;
                return Ok(Text::plain(scratch));
            }
            let len: usize = load(object, LENGTH);
            let bytes = object.cast::<u8>().add(self.0.ascii_text);
            Ok(Text::Plain(PlainText::ascii(std::slice::from_raw_parts(bytes, len))))
        }
    }

    #[inline(always)]
    fn make_str(self, text: PlainText<'_>) -> Object {
        let bytes = text.bytes();
        // The empty string and the characters up to U+00FF are singletons.
        if bytes.len() <= 1 || !text.is_known_ascii() {
            return Api(self.1).make_str(text);
        }
        // SAFETY: nobody else has the object yet. Its size fits the text, the zero byte after it,
        // and the last full step of the copy.
        unsafe {
            let text = self.0.ascii_text;
            let room = bytes.len() / 16 * 16 + 16;
            let object = allocate(text + room, &raw mut ffi::PyUnicode_Type);
            if object.is_null() {
                return ffi::PyErr_NoMemory();
            }
            store(object, LENGTH, bytes.len());
            store(object, STR_HASH, -1isize);
            store(object, STR_STATE, u64::from(self.0.ascii_state()));
            if self.0.ready_bit {
                store(object, STR_STATE + 8, std::ptr::null_mut::<u8>());
            }
            let to = object.cast::<u8>().add(text);
            copy_short(bytes.as_ptr(), to, bytes.len());
            *to.add(bytes.len()) = 0;
            object
        }
    }
}

impl Direct<'_> {
    /// The text of an instance of `str` or of a subclass, whose characters are in memory of their own. Text that has
    /// to be transcoded goes to `scratch`.
    ///
    /// # Safety
    /// `object` must be alive while the text is used.
    #[inline]
    pub unsafe fn read_any_str<'a>(
        self,
        object: Object,
        scratch: &'a mut Vec<u8>,
    ) -> OpResult<Text<'a>> {
        // SAFETY: the object is a str, and its state tells how its characters are stored.
        unsafe {
            let state: u32 = load(object, STR_STATE);
            if state & (COMPACT | ASCII) == ASCII && self.is_ready(state) {
                let len: usize = load(object, LENGTH);
                let text: *const u8 = load(object, self.0.wide_text);
                return Ok(Text::Plain(PlainText::ascii(std::slice::from_raw_parts(text, len))));
            }
            self.read_wide(object, state, scratch)?;
        }
        Ok(Text::plain(scratch))
    }

    fn is_ready(self, state: u32) -> bool {
        !self.0.ready_bit || state & READY != 0
    }

    /// Transcodes a string that is not ASCII into `scratch`.
    #[cold]
    unsafe fn read_wide(self, object: Object, state: u32, scratch: &mut Vec<u8>) -> OpResult {
        scratch.clear();
        // SAFETY: the object is a str, and its state tells how its characters are stored.
        unsafe {
            if !self.is_ready(state) {
                return transcode(object, scratch);
            }
            let len: usize = load(object, LENGTH);
            // The characters of an instance of a subclass have memory of their own.
            let text: *const u8 = match state & COMPACT {
                0 => load(object, self.0.wide_text),
                _ => object.cast::<u8>().add(self.0.wide_text),
            };
            let kind = state >> KIND_SHIFT & KIND_MASK;
            // A character takes at most one byte more in UTF-8 than in this kind, and at most four.
            memory::reserve(scratch, len * 4.min(kind as usize + 1))?;
            match kind {
                1 => push_latin1(scratch, std::slice::from_raw_parts(text, len)),
                2 => {
                    for &c in std::slice::from_raw_parts(text.cast::<u16>(), len) {
                        push_code_point(scratch, u32::from(c));
                    }
                }
                4 => push_existing(scratch, std::slice::from_raw_parts(text.cast::<u32>(), len))?,
                _ => return transcode(object, scratch),
            }
        }
        Ok(())
    }
}

/// Transcodes the text of `object` into `scratch` by the C API. It asks for characters and not for
/// UTF-8: for surrogates the conversion to UTF-8 would call an error handler, which is Python code
/// that anybody can replace.
///
/// # Safety
/// `object` must be a live `str`, and the GIL must be held.
unsafe fn transcode(object: Object, scratch: &mut Vec<u8>) -> OpResult {
    // SAFETY: the object is a str, and the buffer has space for its characters.
    unsafe {
        let len = ffi::PyUnicode_GetLength(object);
        let mut characters = Vec::new();
        memory::resize(&mut characters, len.max(0) as usize, 0 as WideChar)?;
        if len < 0 || ffi::PyUnicode_AsWideChar(object, characters.as_mut_ptr().cast(), len) != len
        {
            return Err(Fault::Host);
        }
        scratch.clear();
        memory::reserve(scratch, 4 * characters.len())?;
        push_existing(scratch, &characters)
    }
}

/// The text of a `str` or of an instance of a subclass; otherwise why a name can't be this text.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn name_of(object: Object) -> Result<Arc<str>, &'static str> {
    let mut text = Vec::new();
    // SAFETY: the caller's promise; the object is checked to be a `str`.
    unsafe {
        if ffi::PyUnicode_Check(object) == 0 {
            return Err("is not a str");
        }
        match transcode(object, &mut text) {
            Ok(()) => {}
            Err(Fault::Corrupt(_)) => {
                return Err("has a character beyond U+10FFFF, the last that exists");
            }
            Err(_) => {
                ffi::PyErr_Clear();
                return Err("can't be read for want of memory");
            }
        }
    }
    std::str::from_utf8(&text).map(Arc::from).map_err(|_| "has a lone surrogate")
}

/// The largest code point. Memory may hold any number instead.
pub const LAST_CODE_POINT: u32 = 0x10_FFFF;

/// Appends code points, for which there is space. Code in C can make a `str` of numbers beyond the last one.
///
/// # Errors
/// A fault for such a number, because no reader would take it.
fn push_existing(to: &mut Vec<u8>, characters: &[u32]) -> OpResult {
    if characters.iter().fold(0, |most, &c| most.max(c)) > LAST_CODE_POINT {
        return Err(Fault::Corrupt(
            "the str has a character beyond U+10FFFF, the last that exists; C code or NumPy made it \
             of other data",
        ));
    }
    characters.iter().for_each(|&c| push_code_point(to, c));
    Ok(())
}

impl Str for Api<'_> {
    unsafe fn read_str<'a>(self, object: Object, scratch: &'a mut Vec<u8>) -> OpResult<Text<'a>> {
        // SAFETY: the object is alive, and its type is checked before it is transcoded.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyUnicode_Type) {
                return Err(Fault::TypeMismatch);
            }
            transcode(object, scratch)?;
        }
        Ok(Text::checked(scratch))
    }

    fn make_str(self, text: PlainText<'_>) -> Object {
        let bytes = text.bytes();
        // SAFETY: the lengths are those of the buffers, and the GIL is held. Neither call can meet
        // an error in the text, so neither runs an error handler.
        unsafe {
            if text.is_known_ascii() || std::str::from_utf8(bytes).is_ok() {
                let len = bytes.len() as ffi::Py_ssize_t;
                return ffi::PyUnicode_DecodeUTF8(bytes.as_ptr().cast(), len, null());
            }
            let mut characters: Vec<WideChar> = Vec::new();
            if memory::reserve(&mut characters, bytes.len()).is_err() {
                return ffi::PyErr_NoMemory();
            }
            characters.extend(code_points(bytes));
            let len = characters.len() as ffi::Py_ssize_t;
            ffi::PyUnicode_FromWideChar(characters.as_ptr().cast(), len)
        }
    }
}
