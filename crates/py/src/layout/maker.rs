//! Instances of the caller's classes: restored from their fields, or made by calling the classes.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use super::build::BuiltItems;
use super::restoration::Restoration;
use super::tuple_class::TupleClass;
use crate::errors::shown;
use crate::made::{self, Calls, name};

/// How to make a record of a class from the values of its fields.
pub struct Maker {
    make: Py<PyAny>,
    /// The attribute of each field.
    names: Vec<Py<PyString>>,
    /// The keyword for each field; `None` for a field that is set after the call.
    keywords: Vec<Option<Py<PyString>>>,
    /// Whether each field has a default.
    pub defaults: Vec<bool>,
    /// `__new__` and `__init__` of the class, if it also accepts the values by position.
    in_order: Option<(Py<PyAny>, Py<PyAny>)>,
    /// The function that takes the values, with its defaults for the last parameters.
    function: Option<LastValues>,
    /// The class, if an instance is just the tuple of its values.
    tuple_class: Option<TupleClass>,
    /// Whether the last field is the set of the given fields of a pydantic model. If it is `None`,
    /// the set stays as the class makes it.
    has_fields_set: bool,
    /// What converts the values of some fields first, by the index of the field.
    converters: Vec<(usize, Py<PyAny>)>,
    /// How to restore an object without calling the class, if that is possible.
    pub restoration: Option<Restoration>,
}

impl<'py> FromPyObject<'_, 'py> for Maker {
    type Error = PyErr;

    fn extract(described: Borrowed<'_, 'py, PyAny>) -> PyResult<Maker> {
        Ok(Maker {
            make: described.getattr(name!("make"))?.unbind(),
            names: described.getattr(name!("names"))?.extract()?,
            keywords: described.getattr(name!("keywords"))?.extract()?,
            defaults: described.getattr(name!("defaults"))?.extract()?,
            in_order: described.getattr(name!("in_order"))?.extract()?,
            function: values(&described.getattr(name!("function"))?)?,
            tuple_class: tuple_class(&described.getattr(name!("tuple_class"))?)?,
            has_fields_set: described.getattr(name!("has_fields_set"))?.extract()?,
            converters: described.getattr(name!("converters"))?.extract()?,
            restoration: described.getattr(name!("restoration"))?.extract()?,
        })
    }
}

/// A function and the defaults of its last parameters.
struct LastValues {
    function: Py<PyAny>,
    values: Py<PyTuple>,
}

fn values(function: &Bound<'_, PyAny>) -> PyResult<Option<LastValues>> {
    let Ok(values) = function.getattr(name!("__defaults__")) else {
        return Ok(None);
    };
    let values = values.cast_into::<PyTuple>().ok();
    Ok(values
        .map(|values| LastValues { function: function.clone().unbind(), values: values.unbind() }))
}

fn tuple_class(class: &Bound<'_, PyAny>) -> PyResult<Option<TupleClass>> {
    class.cast::<PyType>().ok().map(TupleClass::new).transpose()
}

impl Maker {
    /// Converts the values of registered classes.
    ///
    /// # Errors
    /// What a conversion raises.
    pub fn convert(&self, items: &mut BuiltItems<'_>) -> PyResult<()> {
        let py = items.py();
        for (at, convert) in &self.converters {
            // SAFETY: there is an item for each field, and it is alive.
            let value = unsafe { Bound::from_borrowed_ptr_or_opt(py, items.get(*at)) };
            if let Some(value) = value {
                let converted = convert.bind(py).call_with((value,))?;
                items.set(*at, converted);
            }
        }
        Ok(())
    }

    /// Whether making an object may run the caller's code although the class is not called.
    pub fn converts(&self) -> bool {
        !self.converters.is_empty()
    }

    /// Whether the last field is the set of the given fields of a pydantic model.
    pub fn has_fields_set(&self) -> bool {
        self.has_fields_set
    }

    /// Whether the class's constructor or its defaults have changed since serow inspected it.
    pub fn is_changed(&self, py: Python<'_>) -> bool {
        let class = self.make.bind(py);
        let has_other_values =
            self.function.as_ref().is_some_and(|LastValues { function, values }| {
                let now = function.bind(py).getattr(name!("__defaults__"));
                !now.is_ok_and(|now| now.is(values))
            });
        has_other_values
            || self.in_order.as_ref().is_some_and(|(new, init)| {
                let is = |name, function| class.getattr(name).is_ok_and(|now| now.is(function));
                !is(name!("__new__"), new) || !is(name!("__init__"), init)
            })
    }

    /// Sets missing `items` to their defaults, if the class accepts values by position. Returns
    /// false if some are still missing. The class must be unchanged.
    pub fn complete(&self, items: &mut BuiltItems<'_>) -> bool {
        let py = items.py();
        if self.in_order.is_none() {
            return false;
        }
        let values = self.function.as_ref().map(|function| function.values.bind(py));
        let first = items.len() - values.map_or(0, |values| values.len().min(items.len()));
        (0..items.len()).all(|at| {
            // SAFETY: `at` is in bounds.
            let is_there = unsafe { !items.get(at).is_null() };
            let value = || values?.get_item(at.checked_sub(first)?).ok();
            is_there || value().is_some_and(|value| items.set(at, value))
        })
    }

    /// Whether an instance is just the tuple of its values, which nothing converts.
    pub fn is_tuple(&self) -> bool {
        self.tuple_class.is_some() && !self.converts()
    }

    /// The class, if an instance is just the tuple of its values.
    pub fn tuple_class(&self) -> Option<&TupleClass> {
        self.tuple_class.as_ref()
    }

    /// Instantiates the class with these values. The class itself handles a value that is null. `in_order`
    /// means that all values are there and the class is unchanged, so they may be passed by position.
    ///
    /// # Errors
    /// What the class raises.
    pub fn make<'py>(
        &self,
        items: &BuiltItems<'py>,
        in_order: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = items.py();
        if in_order && self.in_order.is_some() {
            // SAFETY: the items are a tuple, whose items CPython passes to the class.
            return unsafe {
                let made = ffi::PyObject_Call(self.make.as_ptr(), items.tuple(), null_mut());
                Bound::from_owned_ptr_or_err(py, made)
            };
        }
        let given = made::dict(py)?;
        let mut late = Vec::new();
        for (at, (keyword, name)) in self.keywords.iter().zip(&self.names).enumerate() {
            // SAFETY: there is an item for each field.
            let value = unsafe { items.get(at) };
            match keyword {
                _ if value.is_null() => {}
                // SAFETY: both are alive.
                Some(keyword) => unsafe {
                    if ffi::PyDict_SetItem(given.as_ptr(), keyword.as_ptr(), value) != 0 {
                        return Err(PyErr::fetch(py));
                    }
                },
                None => late.push((name.as_ptr(), value)),
            }
        }
        // SAFETY: the object is alive.
        let is_none = |value| unsafe { value == ffi::Py_None() };
        if self.has_fields_set {
            late.pop_if(|(_, value)| is_none(*value));
        }
        let made = self.make.bind(py).call((), Some(&given))?;
        for (name, value) in late {
            // Bypasses a `__setattr__` of the class, for example of a frozen one.
            // SAFETY: all three are alive.
            unsafe {
                if ffi::PyObject_GenericSetAttr(made.as_ptr(), name, value) != 0 {
                    return Err(PyErr::fetch(py));
                }
            }
        }
        Ok(made)
    }

    /// Error text for a failed instantiation.
    #[cold]
    pub fn refusal(&self, py: Python<'_>, error: &PyErr) -> String {
        let class = self.make.bind(py).getattr(name!("__qualname__"));
        let class = class.map_or_else(|_| "the class".into(), |name| name.to_string());
        format!("{class} can't be constructed from its fields: {}", shown(error))
    }
}
