//! Instances of classes of the caller's, made by calling them.

use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};

use super::build::Items;
use super::names::StructKeys;
use super::tuple_class::TupleClass;

/// How the instances of a class are made of the values of fields.
#[derive(FromPyObject)]
pub struct Maker {
    make: Py<PyAny>,
    /// The keyword by which the class takes a field; none for one that is set after the call.
    keywords: Vec<Option<Py<PyString>>>,
    /// Whether the class has something for a field that it is not given.
    pub defaults: Vec<bool>,
    /// If the class takes all values in the order of the fields too: its `__new__` and `__init__`, with which
    /// it does.
    in_order: Option<(Py<PyAny>, Py<PyAny>)>,
    /// The values that the function which takes them has for the last of the fields, if it is given none.
    #[pyo3(from_py_with = values)]
    function: Option<LastValues>,
    /// The class, if an instance is the tuple of its values.
    #[pyo3(from_py_with = tuple_class)]
    tuple_class: Option<TupleClass>,
}

/// A function, and its values for the last of its parameters.
struct LastValues {
    function: Py<PyAny>,
    values: Py<PyTuple>,
}

fn values(function: &Bound<'_, PyAny>) -> PyResult<Option<LastValues>> {
    let Ok(values) = function.getattr(intern!(function.py(), "__defaults__")) else {
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
    /// Whether the class was given another way to make instances since it was looked at.
    pub fn is_changed(&self, py: Python<'_>) -> bool {
        let class = self.make.bind(py);
        let has_other_values =
            self.function.as_ref().is_some_and(|LastValues { function, values }| {
                let now = function.bind(py).getattr(intern!(py, "__defaults__"));
                !now.is_ok_and(|now| now.is(values))
            });
        has_other_values
            || self.in_order.as_ref().is_some_and(|(new, init)| {
                let is = |name, function| class.getattr(name).is_ok_and(|now| now.is(function));
                !is(intern!(py, "__new__"), new) || !is(intern!(py, "__init__"), init)
            })
    }

    /// Have all `items` be there, if the class takes them in order and it is known what it has for those that
    /// are missing. False if some still are. The class must not be changed.
    pub fn complete(&self, py: Python<'_>, items: &mut Items) -> bool {
        if self.in_order.is_none() {
            return false;
        }
        let values = self.function.as_ref().map(|function| function.values.bind(py));
        let first = items.len() - values.map_or(0, |values| values.len().min(items.len()));
        (0..items.len()).all(|at| {
            // SAFETY: there are so many items.
            let is_there = unsafe { !items.get(at).is_null() };
            let value = || values?.get_item(at.checked_sub(first)?).ok();
            is_there || value().is_some_and(|value| items.set(at, value.into_ptr()))
        })
    }

    /// The class of which the tuple of its values is an instance, if it is such a class.
    pub fn tuple_class(&self) -> Option<&TupleClass> {
        self.tuple_class.as_ref()
    }

    /// An instance with these values, whose fields are called `keys`. A value that is null is left to the
    /// class. If they may be given `in_order`, all are there and the class is not changed.
    ///
    /// # Errors
    /// What the class raises.
    pub fn make(
        &self,
        py: Python<'_>,
        keys: &StructKeys,
        items: &Items,
        in_order: bool,
    ) -> PyResult<Py<PyAny>> {
        if in_order && self.in_order.is_some() {
            // SAFETY: the items are a tuple, of which CPython hands on the items to Python's code.
            return unsafe {
                let made = ffi::PyObject_Call(self.make.as_ptr(), items.tuple(), null_mut());
                Bound::from_owned_ptr_or_err(py, made).map(Bound::unbind)
            };
        }
        let given = PyDict::new(py);
        let mut late = Vec::new();
        for (at, (keyword, name)) in self.keywords.iter().zip(keys.objects()).enumerate() {
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
        Ok(made.unbind())
    }

    /// That no instance could be made.
    #[cold]
    pub fn refusal(&self, py: Python<'_>, error: &PyErr) -> String {
        let class = self.make.bind(py).getattr("__qualname__");
        let class = class.map_or_else(|_| "the class".into(), |name| name.to_string());
        format!("{class} can't be made of its fields: {error}")
    }
}
