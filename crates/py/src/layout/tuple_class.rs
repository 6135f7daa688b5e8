//! Subclasses of tuple, such as the classes of records, and their instances.

use std::ffi::c_ulong;
use std::ptr::null_mut;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Container;

use super::build::BuiltItems;
use super::offsets::TYPE;
use super::{Access, Object, store};
use crate::errors::exception;
use crate::made::{self, Name, name};

pub struct TupleClass {
    class: Py<PyType>,
    /// What follows the items of an instance, if that is the only difference to a plain tuple
    /// besides the type. A tuple with enough space can then be turned into an instance.
    behind: Option<Behind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    /// The dict of the instance's attributes, or null.
    Dict,
}

/// The attributes of a class's instances: a dict that each instance gets a copy of.
pub struct Attributes(Py<PyDict>);

impl Attributes {
    /// The attribute `name` with this value, which contains nothing but strings.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn new(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Attributes> {
        let dict = made::dict(py)?;
        dict.set_item(name, value)?;
        // Until Python 3.13 a copy of a dict is registered with the garbage collector only if the
        // original is.
        // CPython registers the copy itself when a container is inserted.
        // SAFETY: the dict is complete and collectable.
        unsafe { ffi::PyObject_GC_UnTrack(dict.as_ptr().cast()) };
        Ok(Attributes(dict.unbind()))
    }
}

/// Flags of a type: from Python 3.11 on its instances have a dict or weak references before them.
const BEFORE: c_ulong = 1 << 3 | 1 << 4;
const WORD: isize = size_of::<Object>() as isize;

impl TupleClass {
    /// Errors
    /// A `TypeError` if `class` is not a subclass of tuple.
    pub fn new(class: &Bound<'_, PyType>) -> PyResult<TupleClass> {
        if !class.is_subclass_of::<PyTuple>()? {
            return Err(exception::<PyTypeError>("row_class must be a subclass of tuple"));
        }
        let number = |name: &'static Name| class.getattr(name)?.extract::<isize>();
        let plain = class.py().get_type::<PyTuple>().getattr(name!("__basicsize__"))?;
        let behind = match number(name!("__basicsize__"))? - plain.extract::<isize>()? {
            0 => Some(Behind::Nothing),
            // A negative offset counts from the end.
            WORD if number(name!("__dictoffset__"))? == -WORD => Some(Behind::Dict),
            _ => None,
        };
        // SAFETY: the class is alive.
        let flags = unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) };
        let is_plain = flags & BEFORE == 0
            && number(name!("__itemsize__"))? == WORD
            && number(name!("__weakrefoffset__"))? == 0;
        Ok(TupleClass { class: class.clone().unbind(), behind: behind.filter(|_| is_plain) })
    }

    pub fn class(&self) -> &Py<PyType> {
        &self.class
    }

    /// An instance with these items and attributes.
    ///
    /// If the items are acyclic, the instance is not registered with the garbage collector, because
    /// traversing many rows would be the largest cost of keeping them. CPython registers every
    /// instance of a class, because its attributes may refer back to it. If somebody creates such a
    /// cycle here, the instance is never freed.
    ///
    /// # Safety
    /// For direct access,
    /// [`Container::make_items`](super::container::Container::make_items) must have made the tuple
    /// of the items.
    pub unsafe fn object<A: Access>(
        &self,
        access: A,
        items: BuiltItems<'_>,
        attributes: Option<&Attributes>,
        acyclic: bool,
    ) -> OpResult<Object> {
        let len = items.len();
        // SAFETY: the caller's promise; the instance has as many items as the tuple, which nobody else sees
        // yet.
        unsafe {
            let dict = match attributes {
                Some(Attributes(dict)) => {
                    Some(new_object(access.py(), ffi::PyDict_Copy(dict.as_ptr()))?)
                }
                None => None,
            };
            // From Python 3.14 on every dict is registered. That does not help to find a cycle
            // through an instance that is not.
            if let Some(dict) = &dict
                && acyclic
            {
                ffi::PyObject_GC_UnTrack(dict.as_ptr().cast());
            }
            let fits = match self.behind {
                Some(Behind::Nothing) => dict.is_none(),
                Some(Behind::Dict) => true,
                None => false,
            };
            let first = access.items_of(items.tuple(), Container::Tuple);
            // The empty tuple is a shared singleton.
            if fits
                && len > 0
                && let Some(end) = access.lie_at(access.move_to(first, len))
            {
                let object = items.release();
                access.incref(self.class.as_ptr());
                store(object, TYPE, self.class.as_ptr());
                if self.behind == Some(Behind::Dict) {
                    *end = dict.map_or(null_mut(), Bound::into_ptr);
                }
                if !acyclic {
                    ffi::PyObject_GC_Track(object.cast());
                }
                return Ok(object);
            }
            if (0..len).any(|at| items.get(at).is_null()) {
                return Err(Fault::TypeMismatch);
            }
            let object = new_object(access.py(), self.new_instance(&items))?;
            if let Some(dict) = dict
                && ffi::PyObject_GenericSetDict(object.as_ptr(), dict.as_ptr(), null_mut()) != 0
            {
                return Err(Fault::Host);
            }
            if acyclic {
                ffi::PyObject_GC_UnTrack(object.as_ptr().cast());
            }
            Ok(object.into_ptr())
        }
    }
}

impl TupleClass {
    /// What `tuple.__new__(class, items)` returns; null with an exception if there is no memory. Code
    /// of the class does not run. This also sets the hash that tuples have since Python 3.14.
    ///
    /// # Safety
    /// The items must not be null, and the GIL must be held.
    unsafe fn new_instance(&self, items: &BuiltItems<'_>) -> Object {
        // SAFETY: every type has this slot, which has this signature.
        unsafe {
            let slot = ffi::PyType_GetSlot(&raw mut ffi::PyTuple_Type, ffi::Py_tp_new);
            let new: ffi::newfunc = std::mem::transmute(slot);
            let arguments = ffi::PyTuple_Pack(1, items.tuple());
            if arguments.is_null() {
                return arguments;
            }
            let object = new(self.class.as_ptr().cast(), arguments, null_mut());
            ffi::Py_DecRef(arguments);
            object
        }
    }
}

/// Checks a new object: null means that Python raised an exception.
///
/// # Errors
/// [`Fault::Host`] if it is null.
///
/// # Safety
/// `object` must be null or the only reference to an object.
pub unsafe fn new_object(py: Python<'_>, object: Object) -> OpResult<Bound<'_, PyAny>> {
    // SAFETY: the caller's promise.
    unsafe { Bound::from_owned_ptr_or_opt(py, object) }.ok_or(Fault::Host)
}
