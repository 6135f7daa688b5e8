//! Classes that are subclasses of tuple, as those of records are, and their objects.

use std::ffi::c_ulong;
use std::ptr::null_mut;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;

use super::build::Items;
use super::offsets::{TUPLE_ITEMS, TYPE};
use super::{Access, Object, store};

/// A subclass of tuple.
pub struct TupleClass {
    class: Py<PyType>,
    /// If objects are as tuples but for their type and what is behind the items, which of these that is. A
    /// tuple with room for it can become one.
    behind: Option<Behind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Nothing,
    /// The dict of the object's attributes, or null.
    Dict,
}

/// What objects of a class are given for their attributes: a dict of which each has a copy.
pub struct Attributes(Py<PyDict>);

impl Attributes {
    /// The attribute `name` of this value, in which there is nothing but strings.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn new(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Attributes> {
        let dict = PyDict::new(py);
        dict.set_item(name, value)?;
        // Copies of what the garbage collector does not know are unknown to it too. It will know a dict again
        // when a container is put into that.
        // SAFETY: the dict is a complete object that can be known.
        unsafe { ffi::PyObject_GC_UnTrack(dict.as_ptr().cast()) };
        Ok(Attributes(dict.unbind()))
    }
}

/// Bits of a type's flags: its objects have a dict or weak references before them, from Python 3.11 on.
const BEFORE: c_ulong = 1 << 3 | 1 << 4;
const WORD: isize = size_of::<Object>() as isize;

impl TupleClass {
    /// # Errors
    /// TypeError if it is none.
    pub fn new(class: &Bound<'_, PyType>) -> PyResult<TupleClass> {
        if !class.is_subclass_of::<PyTuple>()? {
            return Err(PyTypeError::new_err("row_class must be a subclass of tuple"));
        }
        let number = |name: &str| class.getattr(name)?.extract::<isize>();
        let behind = match number("__basicsize__")? - TUPLE_ITEMS as isize {
            0 => Some(Behind::Nothing),
            // An offset that is counted from the end.
            WORD if number("__dictoffset__")? == -WORD => Some(Behind::Dict),
            _ => None,
        };
        // SAFETY: the class is alive.
        let flags = unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) };
        let is_plain = flags & BEFORE == 0
            && number("__itemsize__")? == WORD
            && number("__weakrefoffset__")? == 0;
        Ok(TupleClass { class: class.clone().unbind(), behind: behind.filter(|_| is_plain) })
    }

    /// The class.
    pub fn class(&self) -> &Py<PyType> {
        &self.class
    }

    /// An object with these items and attributes.
    ///
    /// The garbage collector isn't told of it if its items are acyclic, as of a tuple of them: keeping many rows
    /// costs most in going through them. CPython tells it of every object of a class, since attributes may
    /// lead back to the object; who has these do so has an object that is never freed.
    ///
    /// # Safety
    /// The GIL must be held. If items are read directly, their tuple must have been made by
    /// [`Container::make_items`](super::container::Container::make_items).
    pub unsafe fn object<A: Access>(
        &self,
        access: A,
        items: Items,
        attributes: Option<&Attributes>,
        acyclic: bool,
    ) -> OpResult<Object> {
        let len = items.len();
        // SAFETY: as above; whatever is made has as many items as the tuple, which nobody else looks at yet.
        unsafe {
            let dict = match attributes {
                Some(Attributes(dict)) => Some(NewObject::new(ffi::PyDict_Copy(dict.as_ptr()))?),
                None => None,
            };
            let fits = match self.behind {
                Some(Behind::Nothing) => dict.is_none(),
                Some(Behind::Dict) => true,
                None => false,
            };
            // There is one empty tuple, which others have too.
            if A::IS_DIRECT && fits && len > 0 {
                let object = items.release();
                access.incref(self.class.as_ptr());
                store(object, TYPE, self.class.as_ptr());
                if self.behind == Some(Behind::Dict) {
                    let dict = dict.map_or(null_mut(), NewObject::release);
                    store(object, TUPLE_ITEMS + len * size_of::<Object>(), dict);
                }
                if !acyclic {
                    ffi::PyObject_GC_Track(object.cast());
                }
                return Ok(object);
            }
            let class = self.class.as_ptr().cast();
            let object = NewObject::new(ffi::PyType_GenericAlloc(class, len as ffi::Py_ssize_t))?;
            for at in 0..len {
                let item = items.get(at);
                if !item.is_null() {
                    access.incref(item);
                }
                ffi::PyTuple_SetItem(object.0, at as ffi::Py_ssize_t, item);
            }
            if let Some(dict) = dict
                && ffi::PyObject_GenericSetDict(object.0, dict.0, null_mut()) != 0
            {
                return Err(Fault::Host);
            }
            if acyclic {
                ffi::PyObject_GC_UnTrack(object.0.cast());
            }
            Ok(object.release())
        }
    }
}

/// A new object, which is freed if it is not released.
pub struct NewObject(Object);

impl NewObject {
    /// What was just made, unless Python has raised an error.
    pub fn new(object: Object) -> OpResult<NewObject> {
        if object.is_null() { Err(Fault::Host) } else { Ok(NewObject(object)) }
    }

    /// The only reference to it.
    pub fn release(self) -> Object {
        let object = self.0;
        std::mem::forget(self);
        object
    }
}

impl Drop for NewObject {
    fn drop(&mut self) {
        // SAFETY: the reference is ours, and the GIL is held.
        unsafe { ffi::Py_DecRef(self.0) };
    }
}
