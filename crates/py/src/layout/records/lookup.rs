//! What a class and its bases declare, found without running any code in Python.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

use super::super::{Object, is_exactly};

/// The dicts of a class and its bases, in the order in which names are looked up.
pub struct Mro<'py> {
    class: Bound<'py, PyType>,
    bases: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

/// What `type` itself says of `class`, whatever its metaclass adds.
fn of_type<'py>(
    class: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    let py = class.py();
    // SAFETY: both are alive; what `type` declares are descriptors in C, which come before anything else.
    unsafe {
        let found = ffi::PyObject_GenericGetAttr(class.as_ptr(), name.as_ptr());
        let found = Bound::from_owned_ptr_or_opt(py, found);
        if found.is_none() {
            ffi::PyErr_Clear();
        }
        found
    }
}

impl<'py> Mro<'py> {
    /// That of `class`; `None` if its metaclass hides it.
    pub fn of(class: Bound<'py, PyType>) -> Option<Mro<'py>> {
        let py = class.py();
        let mro = of_type(&class, pyo3::intern!(py, "__mro__"))?;
        let mut bases = Vec::new();
        for base in mro.cast_exact::<PyTuple>().ok()? {
            let declared = of_type(&base, pyo3::intern!(py, "__dict__"))?;
            bases.push((base, declared));
        }
        Some(Mro { class, bases })
    }

    /// What the class or one of its bases declares by this name, and which.
    pub fn find(&self, name: &Bound<'py, PyString>) -> Option<(Object, Bound<'py, PyAny>)> {
        self.bases
            .iter()
            .find_map(|(base, declared)| Some((base.as_ptr(), Self::item(declared, name)?)))
    }

    /// What the class itself declares by this name.
    pub fn own(&self, name: &Bound<'py, PyString>) -> Option<Bound<'py, PyAny>> {
        Self::item(&self.bases.first()?.1, name)
    }

    fn item(
        declared: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> Option<Bound<'py, PyAny>> {
        if declared.contains(name).ok()? { declared.get_item(name).ok() } else { None }
    }

    /// The names that the class and its bases but `object` declare, with what they are.
    pub fn all(&self) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = self.class.py();
        let mut all = Vec::new();
        for (base, declared) in &self.bases {
            if base.as_ptr() == (&raw mut ffi::PyBaseObject_Type).cast() {
                continue;
            }
            let copy = PyDict::new(py);
            // SAFETY: both are alive, and the second is a view of a dict.
            if unsafe { ffi::PyDict_Update(copy.as_ptr(), declared.as_ptr()) } == 0 {
                all.extend(copy.iter());
            }
        }
        all
    }

    /// The class's own name.
    pub fn name(&self) -> Option<String> {
        let py = self.class.py();
        of_type(&self.class, pyo3::intern!(py, "__name__"))?.extract().ok()
    }

    /// The name of the module that the class says it is of.
    pub fn module(&self) -> Option<String> {
        let module = self.own(pyo3::intern!(self.class.py(), "__module__"))?;
        module.cast_exact::<PyString>().ok()?.extract().ok()
    }

    /// A number that `type` has of the class: its size, or where something is in its objects.
    pub fn number(&self, name: &Bound<'py, PyString>) -> Option<isize> {
        of_type(&self.class, name)?.extract().ok()
    }
}

/// How what a class declares by a field's name bears on the values of objects.
pub enum Declared {
    /// It is a slot of the class, in which the values are.
    Slot,
    /// It computes values, or sees to them in ways of its own.
    Property,
    /// It does so only where an object has no value.
    Method,
    /// It is the value of objects that have none of their own.
    Default,
}

impl Declared {
    /// How `what` does.
    pub fn of(what: &Bound<'_, PyAny>) -> Declared {
        // SAFETY: the object and its type are alive, and slots of types are only compared with null.
        unsafe {
            let ty = ffi::Py_TYPE(what.as_ptr());
            if is_exactly(what.as_ptr(), &raw mut ffi::PyMemberDescr_Type) {
                Declared::Slot
            } else if !ffi::PyType_GetSlot(ty, ffi::Py_tp_descr_set).is_null() {
                Declared::Property
            } else if !ffi::PyType_GetSlot(ty, ffi::Py_tp_descr_get).is_null() {
                Declared::Method
            } else {
                Declared::Default
            }
        }
    }
}
