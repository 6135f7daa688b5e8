//! What compiled code calls where it does not make an object itself.
//!
//! An object that can't be made leaves no error behind: the row is left to the interpreter, which
//! tries again and says what is wrong.

use pyo3::ffi;
use serow_codegen::cpython::Functions;
use serow_core::schema::Container as Kind;

use super::container::{self, Container};
use super::int::Int;
use super::text::Str;
use super::{Direct, Object, proof};

/// Where these functions are.
pub fn functions() -> Functions {
    Functions {
        malloc: ffi::PyObject_Malloc as unsafe extern "C" fn(_) -> _ as usize,
        make_int: make_int as unsafe extern "C" fn(_) -> _ as usize,
        make_str: make_str as unsafe extern "C" fn(_, _) -> _ as usize,
        make_list: make_list as unsafe extern "C" fn(_) -> _ as usize,
        make_tuple: make_tuple as unsafe extern "C" fn(_) -> _ as usize,
        track: track as unsafe extern "C" fn(_) as usize,
    }
}

/// What `make` makes, or null without an error.
unsafe fn or_null(make: impl FnOnce(Direct) -> Object) -> Object {
    let object = proof::proven().map_or(std::ptr::null_mut(), |offsets| make(Direct(offsets)));
    if object.is_null() {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
    }
    object
}

unsafe extern "C" fn make_int(v: i64) -> Object {
    // SAFETY: compiled code runs with the GIL held.
    unsafe { or_null(|direct| direct.make_int(v)) }
}

unsafe extern "C" fn make_str(bytes: *const u8, len: usize) -> Object {
    // SAFETY: the bytes are a source's, and valid; the GIL is held.
    unsafe {
        let bytes = std::slice::from_raw_parts(bytes, len);
        or_null(|direct| direct.make_str(bytes, bytes.is_ascii()))
    }
}

unsafe extern "C" fn make_list(len: usize) -> Object {
    // SAFETY: the GIL is held.
    unsafe { or_null(|direct| with_nulls(direct, Kind::List, len)) }
}

unsafe extern "C" fn make_tuple(len: usize) -> Object {
    // SAFETY: the GIL is held.
    unsafe { or_null(|direct| with_nulls(direct, Kind::Tuple, len)) }
}

unsafe fn with_nulls(direct: Direct, kind: Kind, len: usize) -> Object {
    // SAFETY: the container is new, and nobody else has it.
    unsafe {
        let object = direct.make(kind, len);
        if !object.is_null() && len > 0 {
            direct.fill_with_nulls(direct.items_of(object, kind), object, kind);
        }
        object
    }
}

unsafe extern "C" fn track(object: Object) {
    // SAFETY: compiled code has just completed the container.
    unsafe { container::track(object) };
}
