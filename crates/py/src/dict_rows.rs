//! Rows from the dicts that pyarrow makes of structs, for the arguments of Spark's Python UDFs.
//!
//! PySpark makes these rows with Python code for each field. This module does the same work in
//! native code, and passes values that are no dicts to PySpark's code.

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyType};
use serow_core::schema::Container;

use crate::convert;
use crate::layout::build::{Items, row_attributes};
use crate::layout::{Access, Api, Attributes, Direct, Object, TupleClass, is_exactly};

/// `Py_TPFLAGS_HAVE_GC`: instances may be part of reference cycles.
const COLLECTED: std::ffi::c_ulong = 1 << 14;

/// Converter from the dicts of one struct to rows.
#[pyclass(module = "serow._native", frozen)]
pub struct DictRows {
    class: TupleClass,
    attributes: Attributes,
    fields: Vec<Field>,
    otherwise: Py<PyAny>,
}

struct Field {
    /// The field's key in the dicts.
    key: Py<PyString>,
    /// Converts the dict's value to the row's value; `None` if they are the same.
    convert: Option<Py<PyAny>>,
}

#[pymethods]
impl DictRows {
    /// Rows are instances of `row_class`, a subclass of tuple, with `names` as their `__fields__`.
    /// `keys` are the fields' keys in the dicts. `otherwise` converts values that are neither dicts
    /// nor `None`.
    #[new]
    fn new(
        row_class: &Bound<'_, PyType>,
        names: &Bound<'_, PyList>,
        keys: Vec<Py<PyString>>,
        converters: Vec<Option<Py<PyAny>>>,
        otherwise: Py<PyAny>,
    ) -> PyResult<DictRows> {
        if keys.len() != converters.len() {
            return Err(PyValueError::new_err("there must be as many converters as keys"));
        }
        let fields = keys.into_iter().zip(converters);
        Ok(DictRows {
            class: TupleClass::new(row_class)?,
            attributes: row_attributes(names)?,
            fields: fields.map(|(key, convert)| Field { key, convert }).collect(),
            otherwise,
        })
    }

    /// The row of a dict, with `None` for missing keys; `None` gives `None`.
    fn row<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if value.is_none() {
            return Ok(value.clone());
        }
        // SAFETY: the object is alive.
        if !unsafe { is_exactly(value.as_ptr(), &raw mut ffi::PyDict_Type) } {
            return self.otherwise.bind(value.py()).call1((value,));
        }
        match convert::offsets() {
            Some(offsets) => self.row_with(Direct(offsets), value),
            None => self.row_with(Api, value),
        }
    }
}

impl DictRows {
    fn row_with<'py, A: Access>(
        &self,
        access: A,
        dict: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = dict.py();
        let mut acyclic = true;
        // SAFETY: the GIL is held. Nobody sees the tuple before all its items are set, one for each
        // field.
        unsafe {
            let tuple = access.make_items(self.fields.len());
            if tuple.is_null() {
                return Err(PyErr::fetch(py));
            }
            let mut cursor = access.items_of(tuple, Container::Tuple);
            for field in &self.fields {
                match field.value(access, dict) {
                    Ok(item) => {
                        acyclic &= is_acyclic(item);
                        access.fill(&mut cursor, item);
                    }
                    Err(error) => {
                        access.fill_with_nulls(cursor, tuple, Container::Tuple);
                        ffi::Py_DecRef(tuple);
                        return Err(error);
                    }
                }
            }
            let items = Items::of(tuple);
            match self.class.object(access, items, Some(&self.attributes), acyclic) {
                Ok(row) => Ok(Bound::from_owned_ptr(py, row)),
                Err(_) => Err(PyErr::fetch(py)),
            }
        }
    }
}

impl Field {
    /// A new reference to the field's value in a row.
    ///
    /// # Safety
    /// `dict` must be a dict.
    #[inline]
    unsafe fn value<A: Access>(&self, access: A, dict: &Bound<'_, PyAny>) -> PyResult<Object> {
        let py = dict.py();
        // SAFETY: it is a dict. Its value stays alive until Python code runs, and a reference is
        // taken before.
        unsafe {
            let mut item = ffi::PyDict_GetItemWithError(dict.as_ptr(), self.key.as_ptr());
            if item.is_null() {
                if let Some(error) = PyErr::take(py) {
                    return Err(error);
                }
                item = ffi::Py_None();
            }
            access.incref(item);
            match &self.convert {
                None => Ok(item),
                Some(convert) => {
                    let item = Bound::from_owned_ptr(py, item);
                    Ok(convert.bind(py).call1((item,))?.into_ptr())
                }
            }
        }
    }
}

/// Whether an object can't be part of a reference cycle.
///
/// # Safety
/// `object` must be alive.
#[inline]
unsafe fn is_acyclic(object: Object) -> bool {
    // SAFETY: it is alive, and so is its type.
    unsafe { ffi::PyType_GetFlags(ffi::Py_TYPE(object)) & COLLECTED == 0 }
}
