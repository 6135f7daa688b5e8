//! Records whose fields are attributes, in a dict or in slots.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Names;

use super::super::entries::{Entries, Named};
use super::super::{Access, Object, is_exactly, logical};
use super::DeclaringDict;
use super::describe::{self, text_of};
use super::rows;

/// The fields of a class, and where its instances store them.
pub struct ClassAttributes {
    pub names: Arc<Names>,
    pub fields: Vec<Attribute>,
    /// The dict that declares the fields, if it is a dict.
    pub declared: Option<DeclaringDict>,
    /// Whether instances have a dict of attributes.
    pub has_dict: bool,
    /// Slots that are not fields.
    pub others: Vec<OtherSlot>,
    /// The names of the fields, which are usually the very keys in the dict of an instance.
    pub keys: RefCell<Vec<Object>>,
    /// Names of attributes in an instance's dict that are not part of its value.
    pub passed_over: OnceCell<Vec<Arc<str>>>,
}

/// A field.
pub struct Attribute {
    pub name: Py<PyAny>,
    pub is_slot: bool,
    /// The default that the class declares for instances without a value.
    pub default: Option<Py<PyAny>>,
}

/// A slot that is not a field.
pub struct OtherSlot {
    pub name: Py<PyAny>,
    /// Whether it may contain an empty value.
    pub may_be_empty: bool,
}

impl ClassAttributes {
    pub fn names(&self) -> Arc<Names> {
        self.names.clone()
    }

    /// Puts the fields of `object` into `items` as borrowed references; a type mismatch if a field
    /// is unset or other attributes are set.
    ///
    /// # Safety
    /// `object` must be alive and of the class, and the GIL must be held.
    pub unsafe fn read<A: Access>(
        &self,
        access: A,
        object: Object,
        items: &mut [Object],
        scratch: &mut Vec<u8>,
    ) -> OpResult {
        // SAFETY: as above; the dict does not change meanwhile.
        unsafe {
            items.fill(std::ptr::null_mut());
            let mut found = 0;
            if self.has_dict {
                let dict = rows::attributes(object).ok_or(Fault::TypeMismatch)?;
                let (fields, known) = (&self.names.fields, &mut *self.keys.borrow_mut());
                let place = |text: &[u8]| fields.iter().position(|name| name.as_bytes() == text);
                let mut named =
                    Named { known, fields, place, in_order: false, scratch, has_others: false };
                let put = named.put(access, dict, items, |name| self.passes_over(object, name));
                if named.has_others {
                    // The object may be gone before the next one is read.
                    let own = self.fields.iter().map(|field| field.name.as_ptr());
                    known.iter_mut().zip(own).for_each(|(key, own)| *key = own);
                }
                found = put?;
            }
            if found < items.len() {
                let unset = items.iter_mut().zip(&self.fields).filter(|(item, _)| item.is_null());
                for (item, field) in unset {
                    *item = match &field.default {
                        _ if field.is_slot => slot(object, field.name.as_ptr()),
                        Some(default) => default.as_ptr(),
                        None => return Err(Fault::TypeMismatch),
                    };
                    if item.is_null() {
                        return Err(Fault::TypeMismatch);
                    }
                }
            }
            if self.others.iter().any(|other| !other.is_unset(object)) {
                return Err(Fault::TypeMismatch);
            }
        }
        Ok(())
    }

    /// Whether an attribute in the dict of `object` that is not a field can be ignored.
    ///
    /// # Safety
    /// Both must be alive, and the GIL must be held.
    unsafe fn passes_over(&self, object: Object, name: Object) -> bool {
        // SAFETY: both are alive, and so are the class's attributes.
        unsafe {
            let names = self.passed_over.get_or_init(|| describe::passed_over(object));
            text_of(name).is_some_and(|name| names.contains(&name))
        }
    }

    /// Why `object` can't be encoded, if it has unset fields or extra attributes.
    ///
    /// # Safety
    /// As for [`ClassAttributes::read`].
    pub unsafe fn why_not(&self, object: Object) -> Option<String> {
        let fields = &self.names.fields;
        // SAFETY: as above.
        unsafe {
            let mut set = vec![false; fields.len()];
            if let Some(dict) = self.has_dict.then(|| rows::attributes(object)).flatten() {
                let mut entries = Entries::of(dict);
                while let Some((name, _)) = entries.next() {
                    let text = text_of(name);
                    match fields.iter().position(|field| Some(&**field) == text.as_deref()) {
                        Some(at) => set[at] = true,
                        None if self.passes_over(object, name) => {}
                        None => return Some(rows::lost(text.as_deref().unwrap_or("?"))),
                    }
                }
            }
            for other in &self.others {
                if !other.is_unset(object) {
                    return Some(rows::lost(
                        text_of(other.name.as_ptr()).as_deref().unwrap_or("?"),
                    ));
                }
            }
            let is_set = |at: usize, field: &Attribute| {
                set[at]
                    || field.default.is_some()
                    || field.is_slot && !slot(object, field.name.as_ptr()).is_null()
            };
            let unset = self.fields.iter().enumerate().find(|(at, field)| !is_set(*at, field));
            unset.map(|(at, _)| format!("its field {} is not set", fields[at]))
        }
    }
}

impl OtherSlot {
    unsafe fn is_unset(&self, object: Object) -> bool {
        // SAFETY: the object is alive and of the class that declares the slot.
        unsafe {
            let value = slot(object, self.name.as_ptr());
            let is_empty = || {
                value == ffi::Py_None()
                    || is_exactly(value, &raw mut ffi::PyDict_Type) && ffi::PyDict_Size(value) == 0
            };
            value.is_null() || self.may_be_empty && is_empty()
        }
    }
}

/// The content of a slot of `object` as a borrowed reference; null if it is empty.
unsafe fn slot(object: Object, name: Object) -> Object {
    let _quiet = logical::Quiet::new();
    // SAFETY: the name is that of a slot, and reading a slot runs no Python code.
    unsafe {
        let value = ffi::PyObject_GenericGetAttr(object, name);
        if value.is_null() {
            ffi::PyErr_Clear();
            return value;
        }
        // If nobody else has a reference, the value was made just now and is not in the object.
        let is_ours = ffi::Py_REFCNT(value) == 1;
        ffi::Py_DecRef(value);
        if is_ours { std::ptr::null_mut() } else { value }
    }
}
