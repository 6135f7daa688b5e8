//! Objects of the caller's classes, restored from their fields without calling the classes.

use std::collections::HashSet;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PySet, PyString, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Container;

use super::build::{BuiltItems, raised};
use super::dict_template::DictTemplate;
use super::records::FIELDS_SET;
use super::records::slots::Slot;
use super::records::values::{ValuePlaces, new_instance};
use super::records::version;
use super::tuple_class::new_object;
use super::{Access, Object, store};
use crate::errors::exception;
use crate::made::name;

/// How to restore an object of a class. `serow._restoring` has checked that its class allows it.
pub struct Restoration {
    class: Py<PyType>,
    /// The attributes that are fields.
    names: Vec<Py<PyString>>,
    /// The value of each if a row lacks it.
    defaults: Vec<Default>,
    /// What else a pydantic model has.
    of_model: Option<OfModel>,
    /// The class's `__new__` and `__setattr__`.
    functions: (Py<PyAny>, Py<PyAny>),
    places: Places,
    /// What the class has under the names of its fields.
    declared: Vec<Option<Py<PyAny>>>,
    /// The last version of the class that was found to be as it was.
    version: AtomicU32,
}

/// What a pydantic model has beside its fields.
struct OfModel {
    /// Slots, and what makes their values; `None` for the value `None`.
    beside: Vec<(Slot, Option<Py<PyAny>>)>,
    /// The slot for the names of the fields that were given, and its value if these are all.
    fields_set: Slot,
    all_given: Py<PySet>,
}

/// Where instances have their fields.
enum Places {
    /// Before they have a dict.
    Values(ValuePlaces),
    /// In slots, at these offsets.
    Slots(Vec<usize>),
    /// In a dict.
    Dict(DictTemplate),
    /// Where CPython finds them.
    Attributes,
}

impl Places {
    fn of(class: &Bound<'_, PyType>, names: &[Py<PyString>]) -> PyResult<Places> {
        let slots: Vec<_> = names.iter().filter_map(|name| slot(class, name)).collect();
        if slots.len() == names.len()
            && let Some(offsets) = slots.iter().map(Slot::offset).collect::<Option<Vec<_>>>()
        {
            // One slot may have two names. Then CPython itself has to set it twice.
            let distinct: HashSet<_> = offsets.iter().collect();
            let are_distinct = distinct.len() == offsets.len();
            return Ok(if are_distinct { Places::Slots(offsets) } else { Places::Attributes });
        }
        let objects: Vec<Object> = names.iter().map(Py::as_ptr).collect();
        if let Some(values) = ValuePlaces::of(class, &objects) {
            return Ok(Places::Values(values));
        }
        if !slots.is_empty() {
            return Ok(Places::Attributes);
        }
        let keys: Vec<_> = names.iter().map(|name| name.clone_ref(class.py()).into_any()).collect();
        Ok(DictTemplate::new(class.py(), &keys)?.map_or(Places::Attributes, Places::Dict))
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

/// The slot `name` of a class, if it is one.
fn slot(class: &Bound<'_, PyType>, name: &Py<PyString>) -> Option<Slot> {
    let name = name.bind(class.py());
    Slot::declared(class, name.as_any(), &class.getattr(name).ok()?)
}

impl<'py> FromPyObject<'_, 'py> for Restoration {
    type Error = PyErr;

    fn extract(described: Borrowed<'_, 'py, PyAny>) -> PyResult<Restoration> {
        let py = described.py();
        let class: Bound<'py, PyType> = described.getattr(name!("cls"))?.cast_into()?;
        let names: Vec<Py<PyString>> = described.getattr(name!("names"))?.extract()?;
        let defaults: Vec<Option<(bool, Py<PyAny>)>> =
            described.getattr(name!("defaults"))?.extract()?;
        let defaults = defaults.into_iter().map(|default| match default {
            None => Default::Unknown,
            Some((true, make)) => Default::Call(make),
            Some((false, value)) => Default::Value(value),
        });
        let slot_of = |name: &Py<PyString>| {
            let missing = || exception::<PyTypeError>(format!("{class} has no slot {name}"));
            slot(&class, name).ok_or_else(missing)
        };
        let beside: Vec<(Py<PyString>, Option<Py<PyAny>>)> =
            described.getattr(name!("beside"))?.extract()?;
        let all_given: Option<Py<PySet>> = described.getattr(name!("all_given"))?.extract()?;
        let of_model = match all_given {
            None => None,
            Some(all_given) => {
                let slots = beside.into_iter().map(|(name, make)| Ok((slot_of(&name)?, make)));
                let beside = slots.collect::<PyResult<_>>()?;
                let fields_set = slot_of(&name!(FIELDS_SET).get(py)?.unbind())?;
                Some(OfModel { beside, fields_set, all_given })
            }
        };
        let places = Places::of(&class, &names)?;
        Ok(Restoration {
            defaults: defaults.collect(),
            of_model,
            functions: described.getattr(name!("functions"))?.extract()?,
            declared: names.iter().map(|name| Some(class.getattr(name).ok()?.unbind())).collect(),
            version: AtomicU32::new(0),
            class: class.unbind(),
            names,
            places,
        })
    }
}

impl Restoration {
    /// Whether the class may not be restored any more since serow looked at it.
    pub fn is_changed(&self, py: Python<'_>) -> bool {
        let class = self.class.bind(py);
        // SAFETY: the class is alive.
        let version = unsafe { version::version(class.as_ptr()) };
        if version != 0 && version == self.version.load(Ordering::Relaxed) {
            return false;
        }
        let declared = self.declared.iter().zip(&self.names);
        let is_other = |(before, name): (&Option<Py<PyAny>>, &Py<PyString>)| {
            let now = class.getattr(name).ok();
            now.as_ref().map(Bound::as_ptr) != before.as_ref().map(Py::as_ptr)
        };
        // Without versions this would take longer than decoding a row.
        if version != 0 && declared.into_iter().any(is_other) {
            return true;
        }
        let is = |name, function| class.getattr(name).is_ok_and(|now| now.is(function));
        let is_changed = !is(name!("__new__"), &self.functions.0)
            || !is(name!("__setattr__"), &self.functions.1);
        if !is_changed {
            self.version.store(version, Ordering::Relaxed);
        }
        is_changed
    }

    /// Whether making an object runs code of the caller's: what makes private attributes.
    pub fn runs_code(&self) -> bool {
        let beside = self.of_model.iter().flat_map(|of_model| &of_model.beside);
        beside.into_iter().any(|(_, make)| make.is_some())
    }

    /// Whether the class is a pydantic model.
    #[inline(always)]
    pub fn is_of_model(&self) -> bool {
        self.of_model.is_some()
    }

    /// The names of the fields that have an item.
    ///
    /// # Errors
    /// A `MemoryError`.
    #[cold]
    pub fn given<'py>(
        &self,
        py: Python<'py>,
        items: &BuiltItems<'_>,
    ) -> PyResult<Bound<'py, PySet>> {
        // SAFETY: there is an item for each field.
        let is_there = |at: &usize| unsafe { !items.get(*at).is_null() };
        PySet::new(py, (0..self.names.len()).filter(is_there).map(|at| &self.names[at]))
    }

    /// Whether no item of a field is missing.
    ///
    /// # Safety
    /// There must be an item for each field.
    #[inline(always)]
    pub unsafe fn are_all_there<A: Access>(&self, access: A, items: &BuiltItems<'_>) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut all = access.items_of(items.tuple(), Container::Tuple);
            (0..self.names.len()).all(|_| !access.next(&mut all).is_null())
        }
    }

    /// Whether code of the caller's makes the default of a missing item.
    ///
    /// # Safety
    /// There must be an item for each field.
    #[cold]
    pub unsafe fn calls_for_missing(&self, items: &BuiltItems<'_>) -> bool {
        self.defaults.iter().enumerate().any(|(at, default)| {
            // SAFETY: the caller's promise.
            !matches!(default, Default::Value(_)) && unsafe { items.get(at).is_null() }
        })
    }

    /// Sets missing `items` to their defaults. False if only the class knows them all.
    ///
    /// # Errors
    /// What a caller's function raises.
    ///
    /// # Safety
    /// There must be an item for each field.
    #[cold]
    pub unsafe fn complete(&self, py: Python<'_>, items: &mut BuiltItems<'_>) -> PyResult<bool> {
        // SAFETY: the caller's promise.
        let is_there = |items: &BuiltItems<'_>, at| unsafe { !items.get(at).is_null() };
        let defaults = || self.defaults.iter().enumerate();
        let is_unknown = |(at, default): (usize, &Default)| {
            matches!(default, Default::Unknown) && !is_there(items, at)
        };
        // The class then makes all of them.
        if defaults().any(is_unknown) {
            return Ok(false);
        }
        for (at, default) in defaults() {
            if is_there(items, at) {
                continue;
            }
            let value = match default {
                Default::Unknown => continue,
                Default::Value(value) => value.clone_ref(py),
                Default::Call(make) => make.call0(py)?,
            };
            items.set(at, value.into_bound(items.py()));
        }
        Ok(true)
    }

    /// An object with these items, of which none is missing. `given` are the fields that a model was
    /// given, if these are not all; null otherwise. `acyclic` means that no item is a container.
    ///
    /// # Safety
    /// There must be an item for each field.
    #[inline]
    pub unsafe fn object<A: Access>(
        &self,
        access: A,
        items: &BuiltItems<'_>,
        given: Object,
        acyclic: bool,
    ) -> OpResult<Object> {
        // SAFETY: the caller's promise; the object is new, and its class's `__new__` is that of `object`.
        unsafe {
            let object = new_object(access.py(), new_instance(access.py(), self.class.as_ptr()))?;
            let first = access.items_of(items.tuple(), Container::Tuple);
            let is_filled = match (&self.places, access.lie_at(first)) {
                (Places::Values(values), Some(first)) => values.fill(object.as_ptr(), first),
                (Places::Slots(offsets), Some(first)) => {
                    for (at, &offset) in offsets.iter().enumerate() {
                        store(object.as_ptr(), offset, first.add(at).replace(null_mut()));
                    }
                    true
                }
                (Places::Dict(template), Some(first)) => {
                    let py = access.py();
                    let values = std::slice::from_raw_parts_mut(first, self.names.len());
                    match template.dict(py, values, acyclic)? {
                        Some(dict) => {
                            let dict = new_object(py, dict)?;
                            // Not `PyObject_GenericSetDict`: CPython 3.13 forgets the block of values there.
                            let name =
                                name!("__dict__").get(py).map_err(|error| raised(py, error))?;
                            set(object.as_ptr(), name.as_ptr(), dict.as_ptr())?;
                            true
                        }
                        None => false,
                    }
                }
                _ => false,
            };
            if !is_filled {
                for (at, name) in self.names.iter().enumerate() {
                    set(object.as_ptr(), name.as_ptr(), items.get(at))?;
                }
            }
            if let Some(of_model) = &self.of_model {
                of_model.fill(access, object.as_ptr(), given)?;
            }
            Ok(object.into_ptr())
        }
    }
}

impl OfModel {
    /// Fills the slots of a new model.
    ///
    /// # Safety
    /// As for [`Restoration::object`].
    unsafe fn fill<A: Access>(&self, access: A, object: Object, given: Object) -> OpResult {
        // SAFETY: the caller's promise; the references are new.
        unsafe {
            for (slot, make) in &self.beside {
                let value = match make {
                    None => {
                        access.incref(ffi::Py_None());
                        ffi::Py_None()
                    }
                    Some(make) => ffi::PyObject_CallNoArgs(make.as_ptr()),
                };
                put::<A>(slot, object, value)?;
            }
            let names = match given.is_null() {
                true => ffi::PySet_New(self.all_given.as_ptr()),
                false => {
                    access.incref(given);
                    given
                }
            };
            put::<A>(&self.fields_set, object, names)
        }
    }
}

/// Fills a slot of a new object with a new reference, which is null after an exception.
///
/// # Safety
/// As for [`Slot::fill`].
unsafe fn put<A: Access>(slot: &Slot, object: Object, value: Object) -> OpResult {
    // SAFETY: the caller's promise.
    match !value.is_null() && unsafe { slot.fill::<A>(object, value) } {
        true => Ok(()),
        false => Err(Fault::Host),
    }
}

/// Sets an attribute without the class's own methods, which a frozen class has to refuse it.
///
/// # Safety
/// All must be alive, and the GIL must be held.
unsafe fn set(object: Object, name: Object, value: Object) -> OpResult {
    // SAFETY: the caller's promise.
    match unsafe { ffi::PyObject_GenericSetAttr(object, name, value) } {
        0 => Ok(()),
        _ => Err(Fault::Host),
    }
}
