//! Looks up what a class and its bases declare, without running Python code.

use std::cell::Cell;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use super::super::{Object, is_exactly};
use crate::made::{self, Name, Named, name};

thread_local! {
    /// Whether a lookup of this thread has failed for want of memory.
    static LACKED_MEMORY: Cell<bool> = const { Cell::new(false) };
}

/// Whether a lookup of this thread has failed for want of memory since [`begin`]. Then a class may look as
/// if it declared nothing.
pub fn lacked_memory() -> bool {
    LACKED_MEMORY.get()
}

/// Forgets what has failed before.
pub fn begin() {
    LACKED_MEMORY.set(false);
}

/// What was found, if anything.
pub fn found<T>(py: Python<'_>, found: PyResult<T>) -> Option<T> {
    found.inspect_err(|error| note(py, error)).ok()
}

/// Notes an error that says that there is no memory.
pub fn note(py: Python<'_>, error: &PyErr) {
    if error.is_instance_of::<PyMemoryError>(py) {
        LACKED_MEMORY.set(true);
    }
}

/// The dicts of a class and its bases, in method resolution order.
pub struct Mro<'py> {
    class: Bound<'py, PyType>,
    bases: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

/// An attribute that `type` defines for `class`, ignoring its metaclass, which may define another one with code.
fn of_type<'py>(class: &Bound<'py, PyAny>, name: &'static Name) -> Option<Bound<'py, PyAny>> {
    let py = class.py();
    let name = found(py, name.get(py))?;
    let of_type = found(py, py.get_type::<PyType>().getattr(name!("__dict__")))?;
    let descriptor = found(py, of_type.get_item(name))?;
    // SAFETY: all are alive, and `class` is an instance of `type`. The descriptors of `type` are C code, and each has
    // this slot, which has this signature.
    unsafe {
        let get = ffi::PyType_GetSlot(ffi::Py_TYPE(descriptor.as_ptr()), ffi::Py_tp_descr_get);
        let get = std::mem::transmute::<*mut std::ffi::c_void, ffi::descrgetfunc>(get);
        let metaclass = ffi::Py_TYPE(class.as_ptr()).cast();
        let object = get(descriptor.as_ptr(), class.as_ptr(), metaclass);
        found(py, Bound::from_owned_ptr_or_err(py, object))
    }
}

impl<'py> Mro<'py> {
    /// The dicts for `class`; `None` if its metaclass hides them.
    pub fn of(class: Bound<'py, PyType>) -> Option<Mro<'py>> {
        let mro = of_type(&class, name!("__mro__"))?;
        let mut bases = Vec::new();
        for base in mro.cast_exact::<PyTuple>().ok()? {
            let declared = of_type(&base, name!("__dict__"))?;
            bases.push((base, declared));
        }
        Some(Mro { class, bases })
    }

    /// The class.
    pub fn class(&self) -> &Bound<'py, PyType> {
        &self.class
    }

    /// The first declaration of `name` in the class and its bases, with the declaring class.
    pub fn find(&self, name: impl Named<'py>) -> Option<(Object, Bound<'py, PyAny>)> {
        let name = &found(self.class.py(), name.named(self.class.py()))?;
        self.bases
            .iter()
            .find_map(|(base, declared)| Some((base.as_ptr(), Self::item(declared, name)?)))
    }

    /// The declarations of `name` in the class and its bases, in their order.
    pub fn each(&self, name: &'static Name) -> Vec<Bound<'py, PyAny>> {
        let py = self.class.py();
        let Some(name) = found(py, name.get(py)) else { return Vec::new() };
        self.bases.iter().filter_map(|(_, declared)| Self::item(declared, &name)).collect()
    }

    /// The declaration of `name` in the class itself.
    pub fn own(&self, name: impl Named<'py>) -> Option<Bound<'py, PyAny>> {
        let py = self.class.py();
        Self::item(&self.bases.first()?.1, &found(py, name.named(py))?)
    }

    fn item(
        declared: &Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> Option<Bound<'py, PyAny>> {
        let py = declared.py();
        found(py, declared.contains(name))?.then(|| found(py, declared.get_item(name)))?
    }

    /// All declarations of the class and its bases except `object`, with their names.
    pub fn all(&self) -> Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = self.class.py();
        let mut all = Vec::new();
        for (base, declared) in &self.bases {
            if base.as_ptr() == (&raw mut ffi::PyBaseObject_Type).cast() {
                continue;
            }
            let Some(copy) = found(py, made::dict(py)) else { break };
            // SAFETY: both are alive, and the second is a view of a dict.
            if unsafe { ffi::PyDict_Update(copy.as_ptr(), declared.as_ptr()) } == 0 {
                all.extend(copy.iter());
            }
        }
        all
    }

    /// Whether the class is, or has a base, of this name and module.
    pub fn has_named(&self, name: &str, module: &str) -> bool {
        let is = |base: &Bound<'py, PyAny>, of: &'static Name, wanted: &str| {
            of_type(base, of).is_some_and(|of| of.extract::<&str>().is_ok_and(|of| of == wanted))
        };
        let is_base =
            |base| is(base, name!("__name__"), name) && is(base, name!("__module__"), module);
        self.bases.iter().any(|(base, _)| is_base(base))
    }

    /// Whether the class is `base` or a subclass.
    pub fn has(&self, base: *mut ffi::PyTypeObject) -> bool {
        self.bases.iter().any(|(class, _)| class.as_ptr() == base.cast())
    }

    pub fn name(&self) -> Option<String> {
        of_type(&self.class, name!("__name__"))?.extract().ok()
    }

    /// The `__module__` of the class.
    pub fn module(&self) -> Option<String> {
        let module = self.own(name!("__module__"))?;
        module.cast_exact::<PyString>().ok()?.extract().ok()
    }

    /// An integer attribute that `type` defines: a size or an offset.
    pub fn number(&self, name: &'static Name) -> Option<isize> {
        of_type(&self.class, name)?.extract().ok()
    }
}

/// Whether the descriptor of a slot is that of a class of whose instances those of `class` are.
fn is_slot_of(descriptor: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> bool {
    let py = class.py();
    let Some(name) = found(py, name!("__objclass__").get(py)) else { return false };
    // SAFETY: all are alive, and reading this attribute of a descriptor runs no Python code.
    unsafe {
        let of = ffi::PyObject_GenericGetAttr(descriptor.as_ptr(), name.as_ptr());
        let of = found(py, Bound::from_owned_ptr_or_err(py, of));
        of.is_some_and(|of| {
            ffi::PyType_Check(of.as_ptr()) != 0
                && ffi::PyType_IsSubtype(class.as_type_ptr(), of.as_ptr().cast()) != 0
        })
    }
}

/// What a declaration with a field's name means for instances.
pub enum Declared {
    /// A slot, which stores the value.
    Slot,
    /// A data descriptor, which computes or controls the value.
    Property,
    /// A non-data descriptor, which applies only to instances without a value.
    Method,
    /// The default of instances without a value.
    Default,
}

impl Declared {
    /// Classifies what is declared for instances of `class`.
    pub fn of(what: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> Declared {
        // SAFETY: the object and its type are alive, and type slots are only compared with null.
        unsafe {
            let ty = ffi::Py_TYPE(what.as_ptr());
            if is_exactly(what.as_ptr(), &raw mut ffi::PyMemberDescr_Type) {
                // The slot of another class is not in these instances.
                if is_slot_of(what, class) { Declared::Slot } else { Declared::Property }
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
