//! Slots: where a class stores values that its instances have without a dict.
//!
//! With direct access serow loads a slot from the instance. A class's descriptor says where it is.

use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::super::{Access, Object, load, logical, proof, store};
use super::lookup::Declared;
use crate::made::{self, Calls, name};

/// The offset of the pointer to the definition in a slot's descriptor.
const DEFINITION: usize = 40;
/// The offsets of the kind and the offset in the definition.
const KIND: usize = 8;
const OFFSET: usize = 16;
/// The kind of a slot that `__slots__` declares: an object, or null if it is unset.
const OBJECT: i32 = 16;

static IS_PROVEN: OnceLock<bool> = OnceLock::new();

/// A slot of a class.
pub struct Slot {
    name: Py<PyAny>,
    /// Where an instance stores its value, if serow knows it.
    offset: Option<usize>,
}

impl Slot {
    /// The slot that `descriptor` declares under this name.
    pub fn of(name: &Bound<'_, PyAny>, descriptor: &Bound<'_, PyAny>) -> Slot {
        let is_proven = IS_PROVEN.get() == Some(&true);
        // SAFETY: the descriptor is one of a slot, and it is proven where these have the offset.
        let offset = is_proven.then(|| unsafe { offset(descriptor.as_ptr()) }).flatten();
        Slot { name: name.clone().unbind(), offset }
    }

    /// The same, if `declared` is the descriptor of a slot of `class`.
    pub fn declared(
        class: &Bound<'_, PyType>,
        name: &Bound<'_, PyAny>,
        declared: &Bound<'_, PyAny>,
    ) -> Option<Slot> {
        matches!(Declared::of(declared, class), Declared::Slot).then(|| Slot::of(name, declared))
    }

    /// Where an instance stores its value, in bytes, if serow knows it.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The content of the slot as a borrowed reference; null if it is unset.
    ///
    /// # Safety
    /// `object` must be alive and of the class.
    #[inline(always)]
    pub unsafe fn get<A: Access>(&self, access: A, object: Object) -> Object {
        match self.offset {
            // SAFETY: instances of the class have the slot there.
            Some(at) if A::IS_DIRECT => unsafe { load(object, at) },
            // SAFETY: the caller's promise.
            _ => unsafe { self.look_up(access.py(), object) },
        }
    }

    /// Sets the slot of `object`, and takes the reference to `value`. False with an exception if it
    /// fails.
    ///
    /// # Safety
    /// `object` must be a new instance of the class that nobody else has, and its slot unset. The GIL
    /// must be held.
    #[inline(always)]
    pub unsafe fn fill<A: Access>(&self, object: Object, value: Object) -> bool {
        // SAFETY: the caller's promise; instances of the class have the slot there.
        unsafe {
            match self.offset {
                Some(at) if A::IS_DIRECT => {
                    store(object, at, value);
                    true
                }
                _ => {
                    let is_set =
                        ffi::PyObject_GenericSetAttr(object, self.name.as_ptr(), value) == 0;
                    ffi::Py_DecRef(value);
                    is_set
                }
            }
        }
    }

    /// Sets the slot of `object`, which is of the class, without the class's own methods.
    ///
    /// # Errors
    /// What CPython raises.
    pub fn set(&self, object: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, value) = (self.name.as_ptr(), value.as_ptr());
        // SAFETY: all are alive, and a token of the GIL is with them.
        match unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name, value) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(object.py())),
        }
    }

    unsafe fn look_up(&self, py: Python<'_>, object: Object) -> Object {
        let _quiet = logical::Quiet::new(py);
        // SAFETY: the name is that of a slot, and reading a slot runs no Python code.
        unsafe {
            let value = ffi::PyObject_GenericGetAttr(object, self.name.as_ptr());
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
}

/// The offset in an instance of the slot that `descriptor` declares.
///
/// # Safety
/// `descriptor` must be the descriptor of a member of instances.
unsafe fn offset(descriptor: Object) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let definition: Object = load(descriptor, DEFINITION);
        let kind: i32 = load(definition, KIND);
        (kind == OBJECT).then(|| load(definition, OFFSET))
    }
}

/// Verifies on a real class that slots are where their descriptors say. Called at import.
pub fn prove(py: Python<'_>) -> PyResult<()> {
    if proof::proven().is_some() && IS_PROVEN.get().is_none() {
        let holds = holds(py)?;
        // A second import finds the result of the first.
        let _ = IS_PROVEN.set(holds);
    }
    Ok(())
}

fn holds(py: Python<'_>) -> PyResult<bool> {
    let names = [name!("first"), name!("second")];
    let body = made::dict(py)?;
    body.set_item(name!("__slots__"), made::tuple(py, names)?)?;
    let class = py.get_type::<PyType>().call_with(("Probe", PyTuple::empty(py), body))?;
    let (object, values) = (class.call0()?, [made::dict(py)?, made::dict(py)?]);
    object.setattr(names[0], &values[0])?;
    let size: usize = class.getattr(name!("__basicsize__"))?.extract()?;
    let descriptors = [class.getattr(names[0])?, class.getattr(names[1])?];
    // A descriptor that is smaller has no definition there.
    let is_large = descriptors[0].get_type().getattr(name!("__basicsize__"))?.extract::<usize>()?
        >= DEFINITION + size_of::<Object>();
    let slot_of = |at: usize| -> Option<Object> {
        // SAFETY: the descriptor is alive and large enough. A place in the instance is alive too.
        unsafe {
            let at = offset(descriptors[at].as_ptr())?;
            (at + size_of::<Object>() <= size).then(|| load(object.as_ptr(), at))
        }
    };
    let is_first_set = is_large
        && slot_of(0) == Some(values[0].as_ptr())
        && slot_of(1) == Some(std::ptr::null_mut());
    object.setattr(names[1], &values[1])?;
    object.delattr(names[0])?;
    Ok(is_first_set
        && slot_of(0) == Some(std::ptr::null_mut())
        && slot_of(1) == Some(values[1].as_ptr()))
}
