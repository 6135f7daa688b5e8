//! Instances of classes of the caller's, made by calling them.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::Object;

/// How the instances of a class are made of the values of fields.
#[derive(FromPyObject)]
pub struct Maker {
    make: Py<PyAny>,
    /// The keyword by which the class takes a field; none for one that is set after the call.
    keywords: Vec<Option<Py<PyString>>>,
    /// Whether the class has something for a field that it is not given.
    pub defaults: Vec<bool>,
}

impl Maker {
    /// Another of the same.
    pub fn clone_ref(&self, py: Python<'_>) -> Maker {
        let keyword = |keyword: &Option<Py<PyString>>| keyword.as_ref().map(|k| k.clone_ref(py));
        Maker {
            make: self.make.clone_ref(py),
            keywords: self.keywords.iter().map(keyword).collect(),
            defaults: self.defaults.clone(),
        }
    }

    /// A new reference to an instance with these values, each with the field's name. A value that is
    /// null is left to the class.
    ///
    /// # Errors
    /// What the class raises.
    ///
    /// # Safety
    /// Names and values must be alive.
    pub unsafe fn make(
        &self,
        py: Python<'_>,
        fields: impl Iterator<Item = (Object, Object)>,
    ) -> PyResult<Object> {
        let given = PyDict::new(py);
        let mut late = Vec::new();
        for (keyword, (name, value)) in self.keywords.iter().zip(fields) {
            match keyword {
                _ if value.is_null() => {}
                // SAFETY: both are alive.
                Some(keyword) => unsafe {
                    if ffi::PyDict_SetItem(given.as_ptr(), keyword.as_ptr(), value) != 0 {
                        return Err(PyErr::fetch(py));
                    }
                },
                None => late.push((name, value)),
            }
        }
        let made = self.make.bind(py).call((), Some(&given))?;
        for (name, value) in late {
            // Past a class that does not let its fields be set.
            // SAFETY: all three are alive.
            unsafe {
                if ffi::PyObject_GenericSetAttr(made.as_ptr(), name, value) != 0 {
                    return Err(PyErr::fetch(py));
                }
            }
        }
        Ok(made.into_ptr())
    }

    /// That no instance could be made.
    #[cold]
    pub fn refusal(&self, py: Python<'_>, error: &PyErr) -> String {
        let class = self.make.bind(py).getattr("__qualname__");
        let class = class.map_or_else(|_| "the class".into(), |name| name.to_string());
        format!("{class} can't be made of its fields: {error}")
    }
}
