//! Objects of the caller's classes, restored from their fields without calling the classes.

use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PySet, PyString, PyType};
use pyo3::{ffi, intern};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Container;

use super::build::Items;
use super::records::FIELDS_SET;
use super::records::slots::Slot;
use super::records::values::{ValuePlaces, new_instance};
use super::tuple_class::NewObject;
use super::{Access, Object, store};

/// How to restore an object of a class. `serow._restoring` has checked that its class allows it.
pub struct Restoration {
    class: Py<PyType>,
    /// The attributes that are fields.
    names: Vec<Py<PyString>>,
    /// The value of each if a row lacks it.
    defaults: Vec<Default>,
    /// Attributes that are no fields, and what makes their values; `None` for the value `None`.
    beside: Vec<(Py<PyString>, Option<Py<PyAny>>)>,
    /// The names of the fields that a pydantic model was given, if these are all.
    all_given: Option<Py<PySet>>,
    /// The class's `__new__` and `__setattr__`.
    functions: (Py<PyAny>, Py<PyAny>),
    places: Places,
}

/// Where instances have their fields.
enum Places {
    /// Before they have a dict.
    Values(ValuePlaces),
    /// In slots, at these offsets.
    Slots(Vec<usize>),
    /// Where CPython finds them.
    Attributes,
}

impl Places {
    fn of(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> Places {
        let slot = |name: &Py<PyString>| {
            let name = name.bind(class.py());
            Some(Slot::declared(name.as_any(), &class.getattr(name).ok()?)?.offset())
        };
        let slots: Vec<_> = names.iter().filter_map(slot).collect();
        if slots.len() == names.len()
            && let Some(offsets) = slots.into_iter().collect()
        {
            return Places::Slots(offsets);
        }
        let objects: Vec<Object> = names.iter().map(Py::as_ptr).collect();
        ValuePlaces::of(class, &objects).map_or(Places::Attributes, Places::Values)
    }
}

/// The value of a field that a row lacks.
enum Default {
    /// Only the class knows it.
    Unknown,
    Value(Py<PyAny>),
    /// What calling this gives.
    Call(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Restoration {
    type Error = PyErr;

    fn extract(described: Borrowed<'_, 'py, PyAny>) -> PyResult<Restoration> {
        let py = described.py();
        let class: Bound<'py, PyType> = described.getattr(intern!(py, "cls"))?.cast_into()?;
        let names: Vec<Py<PyString>> = described.getattr(intern!(py, "names"))?.extract()?;
        let defaults: Vec<Option<(bool, Py<PyAny>)>> =
            described.getattr(intern!(py, "defaults"))?.extract()?;
        let defaults = defaults.into_iter().map(|default| match default {
            None => Default::Unknown,
            Some((true, make)) => Default::Call(make),
            Some((false, value)) => Default::Value(value),
        });
        let places = Places::of(&class, &names);
        Ok(Restoration {
            defaults: defaults.collect(),
            beside: described.getattr(intern!(py, "beside"))?.extract()?,
            all_given: described.getattr(intern!(py, "all_given"))?.extract()?,
            functions: described.getattr(intern!(py, "functions"))?.extract()?,
            class: class.unbind(),
            names,
            places,
        })
    }
}

impl Restoration {
    /// Whether the class has other functions than when serow looked at it.
    pub fn is_changed(&self, py: Python<'_>) -> bool {
        let class = self.class.bind(py);
        let is = |name, function| class.getattr(name).is_ok_and(|now| now.is(function));
        !is(intern!(py, "__new__"), &self.functions.0)
            || !is(intern!(py, "__setattr__"), &self.functions.1)
    }

    /// Whether the class is a pydantic model.
    #[inline(always)]
    pub fn is_of_model(&self) -> bool {
        self.all_given.is_some()
    }

    /// The names of the fields that have an item.
    ///
    /// # Errors
    /// A `MemoryError`.
    #[cold]
    pub fn given<'py>(&self, py: Python<'py>, items: &Items) -> PyResult<Bound<'py, PySet>> {
        // SAFETY: there is an item for each field.
        let is_there = |at: &usize| unsafe { !items.get(*at).is_null() };
        PySet::new(py, (0..self.names.len()).filter(is_there).map(|at| &self.names[at]))
    }

    /// Whether no item of a field is missing.
    ///
    /// # Safety
    /// There must be an item for each field, and the GIL must be held.
    #[inline(always)]
    pub unsafe fn are_all_there<A: Access>(&self, access: A, items: &Items) -> bool {
        // SAFETY: as above.
        unsafe {
            let mut all = access.items_of(items.tuple(), Container::Tuple);
            (0..self.names.len()).all(|_| !access.next(&mut all).is_null())
        }
    }

    /// Sets missing `items` to their defaults. `None` if only the class knows them all; true if the
    /// caller's code has run.
    ///
    /// # Errors
    /// What a caller's function raises.
    #[cold]
    pub fn complete(&self, py: Python<'_>, items: &mut Items) -> PyResult<Option<bool>> {
        let mut has_run = false;
        for (at, default) in self.defaults.iter().enumerate() {
            // SAFETY: there is an item for each field.
            if unsafe { !items.get(at).is_null() } {
                continue;
            }
            let value = match default {
                Default::Unknown => return Ok(None),
                Default::Value(value) => value.clone_ref(py),
                Default::Call(make) => {
                    has_run = true;
                    make.call0(py)?
                }
            };
            // SAFETY: the reference is new, and the items are ours alone.
            unsafe { items.set(at, value.into_ptr()) };
        }
        Ok(Some(has_run))
    }

    /// An object with these items, of which none is missing. `given` are the fields that a model was
    /// given, if these are not all; null otherwise.
    ///
    /// # Safety
    /// The GIL must be held, and there must be an item for each field.
    #[inline]
    pub unsafe fn object<A: Access>(
        &self,
        access: A,
        items: &Items,
        given: Object,
    ) -> OpResult<Object> {
        // SAFETY: as above; the object is new, and its class's `__new__` is that of `object`.
        unsafe {
            let object = NewObject::new(new_instance(self.class.as_ptr()))?;
            let first = access.items_of(items.tuple(), Container::Tuple);
            let is_filled = match (&self.places, access.lie_at(first)) {
                (Places::Values(values), Some(first)) => values.fill(object.get(), first),
                (Places::Slots(offsets), Some(first)) => {
                    for (at, &offset) in offsets.iter().enumerate() {
                        store(object.get(), offset, first.add(at).replace(null_mut()));
                    }
                    true
                }
                _ => false,
            };
            if !is_filled {
                for (at, name) in self.names.iter().enumerate() {
                    set(object.get(), name, items.get(at))?;
                }
            }
            if self.is_of_model() {
                self.set_beside(object.get(), given)?;
            }
            Ok(object.release())
        }
    }

    /// Sets what a pydantic model has beside its fields.
    unsafe fn set_beside(&self, object: Object, given: Object) -> OpResult {
        // SAFETY: all objects are alive, and the GIL is held.
        unsafe {
            let py = Python::assume_attached();
            for (name, make) in &self.beside {
                match make {
                    None => set(object, name, ffi::Py_None())?,
                    Some(make) => {
                        let made = ffi::PyObject_CallNoArgs(make.as_ptr());
                        let made = NewObject::new(made)?;
                        set(object, name, made.get())?;
                    }
                }
            }
            if let Some(all) = &self.all_given {
                let name = intern!(py, FIELDS_SET).clone().unbind();
                if given.is_null() {
                    let all = NewObject::new(ffi::PySet_New(all.as_ptr()))?;
                    set(object, &name, all.get())?;
                } else {
                    set(object, &name, given)?;
                }
            }
            Ok(())
        }
    }
}

/// Sets an attribute without the class's own methods, which a frozen class has to refuse it.
///
/// # Safety
/// All must be alive, and the GIL must be held.
unsafe fn set(object: Object, name: &Py<PyString>, value: Object) -> OpResult {
    // SAFETY: as above.
    match unsafe { ffi::PyObject_GenericSetAttr(object, name.as_ptr(), value) } {
        0 => Ok(()),
        _ => Err(Fault::Host),
    }
}
