//! PySpark's `Row`: a subclass of tuple whose instances have the names of their items in an attribute.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serow_core::schema::Names;

use crate::layout::entries::Entries;
use crate::layout::records::{attributes as attributes_of, text_of};
use crate::layout::{Attributes, Object, is_exactly};

/// The attribute with the names.
pub const FIELDS: &str = "__fields__";

/// The name of the class, and of its instances as records.
pub const NAME: &str = "Row";

/// Whether a subclass of tuple is a class of such rows.
pub fn is_class(name: &str, module: Option<&str>) -> bool {
    name == NAME && module.is_some_and(|module| module.starts_with("pyspark.sql."))
}

/// The attributes of rows with these names.
///
/// # Errors
/// A `MemoryError`.
pub fn attributes(names: &Bound<'_, PyList>) -> PyResult<Attributes> {
    Attributes::new(names.py(), FIELDS, names.as_any())
}

/// The names of a row; `None` if it has none or they don't match its items.
///
/// # Safety
/// `object` must be alive and an instance of a subclass of tuple.
pub unsafe fn names(py: Python<'_>, object: Object) -> Option<Names> {
    // SAFETY: the caller's promise; the dict and the list don't change meanwhile.
    unsafe {
        let mut entries = Entries::of(attributes_of(py, object)?);
        while let Some((name, names)) = entries.next() {
            if text_of(name).as_deref() != Some(FIELDS) {
                continue;
            }
            if !is_exactly(names, &raw mut ffi::PyList_Type) {
                return None;
            }
            let len = ffi::PyList_Size(names);
            let fields = (0..len).map(|at| text_of(ffi::PyList_GetItem(names, at)));
            let fields: Vec<Arc<str>> = fields.collect::<Option<_>>()?;
            let mut seen = HashSet::new();
            let differ = fields.iter().all(|field| seen.insert(field));
            let fits = differ && ffi::PyTuple_Size(object) == len;
            return fits.then(|| Names { name: Some(NAME.into()), fields });
        }
    }
    None
}

/// Whether a row has these names and no other attributes. `known` are the name objects of
/// the last row, which the next row usually shares.
///
/// # Safety
/// `object` must be alive and an instance of a subclass of tuple, the objects in `known` must be
/// alive.
pub unsafe fn is_named(
    py: Python<'_>,
    object: Object,
    names: &[Arc<str>],
    known: &mut Vec<Object>,
) -> bool {
    // SAFETY: the caller's promise; the dict and the list don't change meanwhile.
    unsafe {
        let Some(dict) = attributes_of(py, object) else { return false };
        let mut entries = Entries::of(dict);
        let Some((attribute, list)) = entries.next() else { return false };
        let is_alone = ffi::PyDict_Size(dict) == 1;
        if !is_alone
            || !is_exactly(list, &raw mut ffi::PyList_Type)
            || ffi::PyList_Size(list) as usize != names.len()
        {
            return false;
        }
        let is_same = |at: usize, object: Object, name: &str, known: &mut Vec<Object>| {
            if known.get(at) == Some(&object) {
                return true;
            }
            let is = text_of(object).is_some_and(|text| *text == *name);
            if is && at == known.len() {
                known.push(object);
            } else if is {
                known[at] = object;
            }
            is
        };
        // The first known object is the attribute's own name.
        is_same(0, attribute, FIELDS, known)
            && names.iter().enumerate().all(|(at, name)| {
                let object = ffi::PyList_GetItem(list, at as ffi::Py_ssize_t);
                is_same(at + 1, object, name, known)
            })
    }
}
