//! Records whose fields are attributes, in a dict or in slots.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Names;

use super::super::entries::{Entries, Named};
use super::super::{Access, Api, Object};
use super::DeclaringDict;
use super::beside::{FieldsSet, OtherSlot};
use super::declared;
use super::describe::{OF_LIBRARIES, text_of};
use super::lookup::Mro;
use super::rows;
use super::slots::Slot;
use super::values::ValuePlaces;

/// The fields of a class, and where its instances store them.
pub struct ClassAttributes {
    pub names: Arc<Names>,
    /// The names of the attributes that are fields. `names` has their names in schemas.
    pub attributes: Vec<Arc<str>>,
    pub fields: Vec<Attribute>,
    /// The dict that declares the fields, if it is a dict.
    pub declared: Option<DeclaringDict>,
    /// Whether instances have a dict of attributes.
    pub has_dict: bool,
    /// Where an instance has its fields before it has such a dict, if all fields are there.
    pub values: Option<ValuePlaces>,
    /// Slots that are not fields.
    pub others: Vec<OtherSlot>,
    /// Which fields a pydantic model was given.
    pub fields_set: Option<FieldsSet>,
    /// The names of the fields, which are usually the very keys in the dict of an instance.
    pub keys: RefCell<Vec<Object>>,
    /// Attributes that the class computes, once an instance has one that is not a field.
    pub computed: OnceCell<Vec<Arc<str>>>,
}

/// A field.
pub struct Attribute {
    pub name: Py<PyAny>,
    /// Where an instance stores it, unless in its dict.
    pub slot: Option<Slot>,
    /// The default that the class declares for instances without a value.
    pub default: Option<Py<PyAny>>,
}

impl ClassAttributes {
    pub fn names(&self) -> Arc<Names> {
        self.names.clone()
    }

    /// Whether instances have no values but in their dict and in the slots of their fields.
    pub fn is_plain(&self) -> bool {
        self.others.is_empty() && self.fields_set.is_none()
    }

    /// Whether it has no objects but names and plain values.
    pub fn is_light(&self) -> bool {
        // SAFETY: the values are alive.
        let is_plain = |value| unsafe { is_atom(value) };
        self.defaults().all(is_plain) && self.others.iter().all(OtherSlot::is_light)
    }

    /// The slots of the fields.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.fields.iter().filter_map(|field| field.slot.as_ref())
    }

    /// The defaults of the fields.
    pub fn defaults(&self) -> impl Iterator<Item = Object> {
        self.fields.iter().filter_map(|field| field.default.as_ref().map(Py::as_ptr))
    }

    /// Whether instances may be records with these names. A model that was given all its fields
    /// fits a record that does not carry which fields were given.
    pub fn fit(&self, names: &Names) -> bool {
        let own = &self.names;
        *own.fields == *names.fields && own.name == names.name
            || own.fields.len() > self.fields.len()
                && own.fields[..self.fields.len()] == *names.fields
                && own.name == names.name
    }

    /// Puts the fields of `object` into `items` as borrowed references; a type mismatch if a field
    /// is unset or other attributes are set. The last item may be the field that carries which
    /// fields were given.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    pub unsafe fn read<A: Access>(
        &self,
        access: A,
        object: Object,
        items: &mut [Object],
        scratch: &mut Vec<u8>,
    ) -> OpResult {
        // SAFETY: the caller's promise; the dict does not change meanwhile.
        unsafe {
            let (items, carried) =
                items.split_at_mut_checked(self.fields.len()).ok_or(Fault::TypeMismatch)?;
            let mut found = 0;
            if A::IS_DIRECT && self.values.as_ref().is_some_and(|all| all.read(object, items)) {
                found = items.len();
            } else if self.has_dict {
                items.fill(std::ptr::null_mut());
                let dict = rows::attributes(access.py(), object).ok_or(Fault::TypeMismatch)?;
                let fields = &self.attributes;
                let known = &mut *self.keys.borrow_mut();
                let place = |text: &[u8]| fields.iter().position(|name| name.as_bytes() == text);
                let mut named =
                    Named { known, fields, place, in_order: false, scratch, has_others: false };
                let put = named
                    .put(access, dict, items, |name| self.passes_over(access.py(), object, name));
                if named.has_others {
                    // The object may be gone before the next one is read.
                    let own = self.fields.iter().map(|field| field.name.as_ptr());
                    known.iter_mut().zip(own).for_each(|(key, own)| *key = own);
                }
                found = put?;
            } else {
                items.fill(std::ptr::null_mut());
            }
            if found < items.len() {
                let unset = items.iter_mut().zip(&self.fields).filter(|(item, _)| item.is_null());
                for (item, field) in unset {
                    *item = match &field.default {
                        _ if let Some(slot) = &field.slot => slot.get(access, object),
                        Some(default) => default.as_ptr(),
                        None => return Err(Fault::TypeMismatch),
                    };
                    if item.is_null() {
                        return Err(Fault::TypeMismatch);
                    }
                }
            }
            if self.others.iter().any(|other| !other.is_made(access, object)) {
                return Err(Fault::TypeMismatch);
            }
            if let Some(fields_set) = &self.fields_set {
                let given = fields_set.get(access, object, self.field_names());
                match carried {
                    [carried] if !given.is_null() => *carried = given,
                    [] if given == ffi::Py_None() => {}
                    _ => return Err(Fault::TypeMismatch),
                }
            }
        }
        Ok(())
    }

    fn field_names(&self) -> impl ExactSizeIterator<Item = Object> {
        self.fields.iter().map(|field| field.name.as_ptr())
    }

    /// Whether an attribute in the dict of `object` that is not a field can be ignored.
    ///
    /// # Safety
    /// Both must be alive.
    unsafe fn passes_over(&self, py: Python<'_>, object: Object, name: Object) -> bool {
        // SAFETY: the name is alive.
        let Some(name) = (unsafe { text_of(name) }) else { return false };
        if OF_LIBRARIES.contains(&&*name) {
            return true;
        }
        if self.computed.get().is_none() {
            // SAFETY: the object is alive.
            let class = unsafe { Bound::from_borrowed_ptr(py, object) }.get_type();
            let found = Mro::of(class).and_then(|mro| declared::computed(&mro));
            let Some(found) = found else { return false };
            let _ = self.computed.set(found);
        }
        self.computed.get().is_some_and(|names| names.contains(&name))
    }

    /// Why `object` can't be encoded, if it has unset fields or extra attributes.
    ///
    /// # Safety
    /// As for [`ClassAttributes::read`].
    pub unsafe fn why_not(&self, py: Python<'_>, object: Object) -> Option<String> {
        let fields = &self.attributes;
        // SAFETY: the caller's promise.
        unsafe {
            let mut set = vec![false; fields.len()];
            if let Some(dict) = self.has_dict.then(|| rows::attributes(py, object)).flatten() {
                let mut entries = Entries::of(dict);
                while let Some((name, _)) = entries.next() {
                    let text = text_of(name);
                    match fields.iter().position(|field| Some(&**field) == text.as_deref()) {
                        Some(at) => set[at] = true,
                        None if self.passes_over(py, object, name) => {}
                        None => {
                            return Some(rows::lost(py, object, text.as_deref().unwrap_or("?")));
                        }
                    }
                }
            }
            let lost = self.others.iter().find_map(|other| other.why_not(py, object));
            if lost.is_some() {
                return lost;
            }
            let is_set = |at: usize, field: &Attribute| {
                set[at]
                    || field.default.is_some()
                    || field.slot.as_ref().is_some_and(|slot| !slot.get(Api(py), object).is_null())
            };
            let unset = self.fields.iter().enumerate().find(|(at, field)| !is_set(*at, field));
            if let Some((at, _)) = unset {
                return Some(format!(
                    "its field {} is not set; set it before encoding",
                    fields[at]
                ));
            }
            let given = self.fields_set.as_ref()?.get(Api(py), object, self.field_names());
            (given != ffi::Py_None()).then(|| {
                "its model_fields_set is not all fields, and the schema has no place for it; use \
                 Schema.of, or add the names of all fields to it"
                    .into()
            })
        }
    }
}

/// Whether `value` is a small plain value without elements.
///
/// # Safety
/// `value` must be alive.
unsafe fn is_atom(value: Object) -> bool {
    const MOST: ffi::Py_ssize_t = 64;
    // SAFETY: the caller's promise; the class is checked before the length is read.
    unsafe {
        let class = ffi::Py_TYPE(value);
        if class == &raw mut ffi::PyUnicode_Type {
            return ffi::PyUnicode_GetLength(value) <= MOST;
        }
        if class == &raw mut ffi::PyBytes_Type {
            return ffi::PyBytes_Size(value) <= MOST;
        }
        if class == &raw mut ffi::PyLong_Type {
            let mut overflow = 0;
            ffi::PyLong_AsLongLongAndOverflow(value, &mut overflow);
            return overflow == 0;
        }
        value == ffi::Py_None()
            || class == &raw mut ffi::PyBool_Type
            || class == &raw mut ffi::PyFloat_Type
    }
}
