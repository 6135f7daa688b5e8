//! What instances keep beside their fields: slots that are not fields, and pydantic's private
//! attributes, extra fields and the set of the fields that were given.
//!
//! Decoding makes these anew, as the class does. So a record can be encoded if they are what the
//! class makes of the fields alone, or if the record carries them. It carries only the set of the
//! given fields, in a last field of the record.

use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::super::entries::Entries;
use super::super::logical::of_module;
use super::super::{Access, Api, Object, is_exactly};
use super::describe::{slot_of, text_of};
use super::lookup::{Declared, Mro};
use super::rows;
use super::slots::Slot;
use crate::made::name;

/// The slot of a model with the names of the fields that were given, and the name of the record's
/// field that carries it.
pub const FIELDS_SET: &str = "__pydantic_fields_set__";
/// The slot where pydantic stores extra fields.
const EXTRA: &str = "__pydantic_extra__";
/// The slot where pydantic stores private attributes.
const PRIVATE: &str = "__pydantic_private__";

/// Maximum depth of a default of containers. A deeper one is taken for another value.
const MAX_DEFAULT_DEPTH: usize = 8;

/// The names of the fields that a pydantic model was given, beside those that have defaults.
pub struct FieldsSet {
    slot: Slot,
    /// Whether records carry it. The models of a class whose fields all lack defaults were given
    /// all of them.
    pub is_carried: bool,
}

impl FieldsSet {
    /// For models whose class declares these `fields`; `None` for other classes.
    pub fn of<'py>(mro: &Mro<'py>, fields: &Bound<'py, PyDict>) -> Option<FieldsSet> {
        let py = fields.py();
        let name = name!(FIELDS_SET).get(py).ok()?;
        let (_, declared) = mro.find(&name)?;
        let Declared::Slot = Declared::of(&declared, mro.class()) else { return None };
        let is_carried =
            fields.iter().any(|(_, field)| !matches!(Initial::of(&field), Initial::Never));
        Some(FieldsSet { slot: Slot::of(&name, &declared), is_carried })
    }

    /// The set of `object` as a borrowed reference, or `None` if it is all of `fields`. Null if it
    /// is no set.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    pub unsafe fn get<A: Access>(
        &self,
        access: A,
        object: Object,
        mut fields: impl ExactSizeIterator<Item = Object>,
    ) -> Object {
        // SAFETY: the caller's promise. The names and what pydantic puts into the set are plain strings, which are
        // compared without running code.
        unsafe {
            let set = self.slot.get(access, object);
            if set.is_null() || !is_exactly(set, &raw mut ffi::PySet_Type) {
                return std::ptr::null_mut();
            }
            let is_all = ffi::PySet_Size(set) as usize == fields.len()
                && fields.all(|field| ffi::PySet_Contains(set, field) == 1);
            if is_all { ffi::Py_None() } else { set }
        }
    }
}

/// A slot that is not a field.
pub struct OtherSlot {
    slot: Slot,
    name: Arc<str>,
    /// What pydantic stores there, which may be empty.
    of_pydantic: Option<OfPydantic>,
}

/// The content of a slot of pydantic: `None`, or a dict of attributes.
enum OfPydantic {
    Extra,
    /// What the class makes for the private attributes that it declares.
    Private(Vec<(Arc<str>, Initial)>),
}

/// What a class makes for an attribute that nobody sets.
enum Initial {
    /// The attribute stays unset.
    Never,
    /// A copy of this value.
    Copy(Py<PyAny>),
    /// What calling this gives.
    Call(Py<PyAny>),
}

impl Initial {
    /// What pydantic's description of a field or a private attribute says.
    fn of(described: &Bound<'_, PyAny>) -> Initial {
        let nothing = of_module(described.py(), c"pydantic_core", c"PydanticUndefined");
        let factory = slot_of(described, name!("default_factory"));
        if let Some(factory) = factory.filter(|factory| !factory.is_none()) {
            return Initial::Call(factory.unbind());
        }
        match slot_of(described, name!("default")) {
            Some(default) if default.as_ptr() != nothing => Initial::Copy(default.unbind()),
            _ => Initial::Never,
        }
    }

    /// Whether `value` certainly equals what the class makes. Calling a factory would run Python
    /// code, so only an empty container of a factory that is its class is certain.
    unsafe fn is(&self, value: Object) -> bool {
        // SAFETY: the value is alive, and the GIL is held.
        unsafe {
            match self {
                Initial::Never => false,
                Initial::Copy(default) => is_same(value, default.as_ptr(), MAX_DEFAULT_DEPTH),
                Initial::Call(factory) => {
                    ffi::Py_TYPE(value).cast() == factory.as_ptr() && len(value) == Some(0)
                }
            }
        }
    }
}

impl OtherSlot {
    /// The slot `name` of a class.
    pub fn of(mro: &Mro<'_>, slot: Slot, name: Arc<str>) -> OtherSlot {
        let of_pydantic = match &*name {
            EXTRA => Some(OfPydantic::Extra),
            PRIVATE => Some(OfPydantic::Private(private(mro))),
            _ => None,
        };
        OtherSlot { slot, name, of_pydantic }
    }

    /// Whether it has no objects but its name.
    pub fn is_light(&self) -> bool {
        !matches!(&self.of_pydantic, Some(OfPydantic::Private(made)) if !made.is_empty())
    }

    /// Whether the slot of `object` contains nothing but what the class makes.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    #[inline(always)]
    pub unsafe fn is_made<A: Access>(&self, access: A, object: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let value = self.slot.get(access, object);
            match &self.of_pydantic {
                _ if value.is_null() => true,
                None => false,
                Some(OfPydantic::Extra) if value == ffi::Py_None() => true,
                Some(of_pydantic) => of_pydantic.lost(value).is_none(),
            }
        }
    }

    /// Why `object` can't be encoded, if the slot contains more than the class makes.
    ///
    /// # Safety
    /// As for [`OtherSlot::is_made`].
    pub unsafe fn why_not(&self, py: Python<'_>, object: Object) -> Option<String> {
        // SAFETY: the caller's promise.
        unsafe {
            if self.is_made(Api(py), object) {
                return None;
            }
            let Some(of_pydantic) = &self.of_pydantic else {
                return Some(rows::lost(py, object, &self.name));
            };
            let lost = of_pydantic.lost(self.slot.get(Api(py), object))?;
            let register = rows::register(&rows::class_name(py, object));
            Some(match of_pydantic {
                OfPydantic::Extra => format!(
                    "its extra field {lost} is not declared and would be lost; declare it, or \
                     {register}"
                ),
                OfPydantic::Private(_) => format!(
                    "its private attribute {lost} is not the default and would be lost; make it a \
                     field, or {register}"
                ),
            })
        }
    }
}

impl OfPydantic {
    /// The first attribute in `value` that is not what the class makes, or that `value` lacks.
    unsafe fn lost(&self, value: Object) -> Option<Arc<str>> {
        let declared = match self {
            OfPydantic::Extra => &[][..],
            OfPydantic::Private(declared) => declared,
        };
        let made = || declared.iter().filter(|(_, made)| !matches!(made, Initial::Never));
        let mut missing = made().count();
        // SAFETY: the object is alive and not changed meanwhile.
        unsafe {
            if value != ffi::Py_None() {
                if !is_exactly(value, &raw mut ffi::PyDict_Type) {
                    return Some("?".into());
                }
                let mut entries = Entries::of(value);
                while let Some((name, value)) = entries.next() {
                    let name = text_of(name).unwrap_or_else(|| "?".into());
                    match declared.iter().find(|(private, _)| *private == name) {
                        Some((_, made)) if made.is(value) => missing -= 1,
                        _ => return Some(name),
                    }
                }
            }
        }
        made().next().filter(|_| missing > 0).map(|(name, _)| name.clone())
    }
}

/// The private attributes that a pydantic model declares.
fn private(mro: &Mro<'_>) -> Vec<(Arc<str>, Initial)> {
    let Some((_, declared)) = mro.find(name!("__private_attributes__")) else {
        return Vec::new();
    };
    let Ok(declared) = declared.cast_exact::<PyDict>() else { return Vec::new() };
    // SAFETY: the names are alive.
    let text = |name: &Bound<'_, PyAny>| unsafe { text_of(name.as_ptr()) };
    declared.iter().filter_map(|(name, what)| Some((text(&name)?, Initial::of(&what)))).collect()
}

/// The number of elements of a plain container.
unsafe fn len(value: Object) -> Option<ffi::Py_ssize_t> {
    // SAFETY: the value is alive and of the class that the size is taken for.
    unsafe {
        let is = |ty| is_exactly(value, ty);
        if is(&raw mut ffi::PyList_Type) {
            Some(ffi::PyList_Size(value))
        } else if is(&raw mut ffi::PyDict_Type) {
            Some(ffi::PyDict_Size(value))
        } else if is(&raw mut ffi::PySet_Type) {
            Some(ffi::PySet_Size(value))
        } else {
            None
        }
    }
}

/// Whether `value` is `default`, or an equal plain value of the same class. No Python code runs, so
/// values of other classes are only the same if they are one object.
unsafe fn is_same(value: Object, default: Object, depth: usize) -> bool {
    if value == default {
        return true;
    }
    // SAFETY: both are alive. Classes are checked before values are read, and the methods of these
    // classes run no Python code.
    unsafe {
        let class = ffi::Py_TYPE(default);
        if ffi::Py_TYPE(value) != class || depth == 0 {
            return false;
        }
        let is = |ty: *mut ffi::PyTypeObject| class == ty;
        let atoms =
            [&raw mut ffi::PyLong_Type, &raw mut ffi::PyUnicode_Type, &raw mut ffi::PyBytes_Type];
        if atoms.contains(&class) {
            ffi::PyObject_RichCompareBool(value, default, ffi::Py_EQ) == 1
        } else if is(&raw mut ffi::PyFloat_Type) {
            let bits = |float| ffi::PyFloat_AsDouble(float).to_bits();
            bits(value) == bits(default)
        } else if is(&raw mut ffi::PyTuple_Type) {
            let size = ffi::PyTuple_Size(default);
            let item = |of, at| ffi::PyTuple_GetItem(of, at);
            ffi::PyTuple_Size(value) == size
                && (0..size).all(|at| is_same(item(value, at), item(default, at), depth - 1))
        } else if is(&raw mut ffi::PyList_Type) {
            let size = ffi::PyList_Size(default);
            let item = |of, at| ffi::PyList_GetItem(of, at);
            ffi::PyList_Size(value) == size
                && (0..size).all(|at| is_same(item(value, at), item(default, at), depth - 1))
        } else if is(&raw mut ffi::PyDict_Type) {
            let (mut left, mut right) = (Entries::of(value), Entries::of(default));
            let mut is_next = || match (left.next(), right.next()) {
                (Some(left), Some(right)) => {
                    Some(is_same(left.0, right.0, depth - 1) && is_same(left.1, right.1, depth - 1))
                }
                _ => None,
            };
            ffi::PyDict_Size(value) == ffi::PyDict_Size(default)
                && std::iter::from_fn(&mut is_next).all(|is| is)
        } else {
            len(value) == Some(0) && len(default) == Some(0)
        }
    }
}
