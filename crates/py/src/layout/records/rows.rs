//! Records that are tuples.

use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::super::entries::Entries;
use super::super::{Object, is_exactly, logical};
use super::describe::text_of;
use super::lookup::Mro;

/// Puts the items of a tuple into `items` as borrowed references.
///
/// # Safety
/// `object` must be alive and an instance of tuple or a subclass, and the GIL must be held.
pub unsafe fn items(object: Object, items: &mut [Object]) -> OpResult {
    // SAFETY: the caller's promise; the indices are in bounds.
    unsafe {
        if ffi::PyTuple_Size(object) as usize != items.len() {
            return Err(Fault::TypeMismatch);
        }
        for (at, item) in items.iter_mut().enumerate() {
            *item = ffi::PyTuple_GetItem(object, at as ffi::Py_ssize_t);
        }
    }
    Ok(())
}

/// The dict with the attributes of `object` as a borrowed reference; `None` if it has none.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn attributes(py: Python<'_>, object: Object) -> Option<Object> {
    // This may create the dict of the object; it has no other effect.
    let _quiet = logical::Quiet::new(py);
    // SAFETY: the caller's promise; the object keeps its dict.
    unsafe {
        let dict = ffi::PyObject_GenericGetDict(object, std::ptr::null_mut());
        if dict.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        ffi::Py_DecRef(dict);
        is_exactly(dict, &raw mut ffi::PyDict_Type).then_some(dict)
    }
}

/// The name of an attribute of `object` that is not in `but`.
///
/// # Safety
/// As for [`attributes`].
pub unsafe fn extra_attribute(py: Python<'_>, object: Object, but: &[&str]) -> Option<Arc<str>> {
    // SAFETY: the caller's promise; the dict does not change meanwhile.
    unsafe {
        let mut entries = Entries::of(attributes(py, object)?);
        while let Some((name, _)) = entries.next() {
            let name = text_of(name).unwrap_or_else(|| "?".into());
            if !but.contains(&&*name) {
                return Some(name);
            }
        }
    }
    None
}

/// Why a named tuple with `len` fields can't be encoded, if it can't.
///
/// # Safety
/// As for [`attributes`]; `object` must be a tuple.
pub unsafe fn why_not(py: Python<'_>, object: Object, len: usize) -> Option<String> {
    // SAFETY: the caller's promise.
    unsafe {
        let has = ffi::PyTuple_Size(object) as usize;
        if has != len {
            return Some(format!("its class has {len} fields, but it has {has} items"));
        }
        extra_attribute(py, object, &[]).map(|name| lost(py, object, &name))
    }
}

/// Error text for an attribute of `object` that is not a field.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn lost(py: Python<'_>, object: Object, name: &str) -> String {
    // SAFETY: the caller's promise.
    let class = unsafe { class_name(py, object) };
    format!(
        "its attribute {name} is not a field of the class and would be lost; declare it as a \
         field, in a dataclass {name}: ... = field(init=False), remove it, or {}",
        register(&class)
    )
}

/// Advice for a class whose instances hold more than their fields.
pub fn register(class: &str) -> String {
    format!("register what to encode: serow.register({class}, to=..., from_=...)")
}

/// The name of the class of `object`.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn class_name(py: Python<'_>, object: Object) -> String {
    // SAFETY: the caller's promise.
    let class = unsafe { Bound::from_borrowed_ptr(py, object).get_type() };
    Mro::of(class).and_then(|mro| mro.name()).unwrap_or_else(|| "its class".into())
}
