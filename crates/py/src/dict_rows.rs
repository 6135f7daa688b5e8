//! Rows of the dicts that pyarrow makes of structs: the arguments of Spark's Python UDFs.
//!
//! PySpark makes each by Python code that looks up every field. This does the same, and leaves what is no dict to it.

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyType};
use serow_core::schema::Container;

use crate::convert;
use crate::layout::build::{Items, row_attributes};
use crate::layout::{Access, Api, Attributes, Direct, Object, TupleClass, is_exactly};

/// `Py_TPFLAGS_HAVE_GC`: objects of the type may be part of a cycle of references.
const COLLECTED: std::ffi::c_ulong = 1 << 14;

/// Makes rows of the dicts of one struct.
#[pyclass(module = "serow._native", frozen)]
pub struct DictRows {
    class: TupleClass,
    attributes: Attributes,
    fields: Vec<Field>,
    otherwise: Py<PyAny>,
}

struct Field {
    /// What it is called in dicts.
    key: Py<PyString>,
    /// What makes its value of the dict's; it stays as it is if there is none.
    convert: Option<Py<PyAny>>,
}

#[pymethods]
impl DictRows {
    /// Rows are of `row_class`, a subclass of tuple, and have `names` as their `__fields__`. In dicts fields are
    /// called `keys`. `otherwise` makes what is to be of anything that is neither a dict nor `None`.
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

    /// The row of a dict, in which a field that is missing is `None`; `None` of `None`.
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
        // SAFETY: the GIL is held. Nobody sees the tuple before all of its items are set, and there are as many as
        // there are fields.
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
        // SAFETY: it is a dict, and its value is alive until Python code runs, which is after it was taken.
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

/// Whether an object can be part of no cycle of references.
///
/// # Safety
/// It must be alive.
#[inline]
unsafe fn is_acyclic(object: Object) -> bool {
    // SAFETY: it is alive, and so is its type.
    unsafe { ffi::PyType_GetFlags(ffi::Py_TYPE(object)) & COLLECTED == 0 }
}
