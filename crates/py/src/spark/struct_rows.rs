//! Rows from the columns of a struct, for the arguments of Spark's Python UDFs.

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use serow_core::schema::Container;

use crate::access;
use crate::errors::exception;
use crate::layout::build::BuiltItems;
use crate::layout::logical::Quiet;
use crate::layout::records::spark_row;
use crate::layout::{Access, Attributes, Object, TupleClass};
use crate::made;

/// `Py_TPFLAGS_HAVE_GC`: instances may be part of reference cycles.
const COLLECTED: std::ffi::c_ulong = 1 << 14;

#[doc = stub_doc!("StructRows")]
#[pyclass(module = "serow._native", frozen)]
pub struct StructRows {
    class: TupleClass,
    attributes: Attributes,
    fields: usize,
}

#[pymethods]
impl StructRows {
    /// Rows are instances of `row_class`, a subclass of tuple, with `names` as their `__fields__`.
    #[new]
    fn new(row_class: &Bound<'_, PyType>, names: &Bound<'_, PyList>) -> PyResult<StructRows> {
        Ok(StructRows {
            class: TupleClass::new(row_class)?,
            attributes: spark_row::attributes(names)?,
            fields: names.len(),
        })
    }

    #[doc = stub_doc!("StructRows.rows")]
    #[pyo3(signature = (columns, len, valid=None))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        columns: Vec<Bound<'py, PyList>>,
        len: usize,
        valid: Option<Vec<bool>>,
    ) -> PyResult<Bound<'py, PyList>> {
        if columns.len() != self.fields {
            return Err(exception::<PyValueError>("there must be as many columns as names"));
        }
        let mut lengths =
            columns.iter().map(|column| column.len()).chain(valid.as_ref().map(Vec::len));
        if lengths.any(|length| length != len) {
            return Err(exception::<PyValueError>("all columns must have the length of the rows"));
        }
        let rows = access::with_access!(py, |access| self.rows_with(
            access,
            py,
            &columns,
            len,
            valid.as_deref()
        ));
        made::list(py, rows?)
    }
}

impl StructRows {
    fn rows_with<'py, A: Access>(
        &self,
        access: A,
        py: Python<'py>,
        columns: &[Bound<'py, PyList>],
        len: usize,
        valid: Option<&[bool]>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        // A collection would traverse the columns and the new rows for nothing. It would also run
        // Python code, which could change the columns.
        let _quiet = Quiet::new(py);
        // SAFETY: they are lists. No Python code runs while the cursors are used.
        let starts = columns
            .iter()
            .map(|column| unsafe { access.items_of(column.as_ptr(), Container::List) });
        let starts: Vec<A::Cursor> = starts.collect();
        let row = |at: usize| match valid {
            Some(valid) if !valid[at] => Ok(py.None().into_bound(py)),
            // SAFETY: each column has an item at this position.
            _ => unsafe { self.row(access, py, &starts, at) },
        };
        (0..len).map(row).collect()
    }

    /// The row of the items at a position in the columns.
    ///
    /// # Safety
    /// Each column must have such an item. The columns must not change meanwhile.
    #[inline]
    unsafe fn row<'py, A: Access>(
        &self,
        access: A,
        py: Python<'py>,
        starts: &[A::Cursor],
        at: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut acyclic = true;
        // SAFETY: the GIL is held. Nobody sees the tuple before all its items are set, one for each
        // column.
        unsafe {
            let tuple = access.make_items(starts.len());
            if tuple.is_null() {
                return Err(PyErr::fetch(py));
            }
            let mut cursor = access.items_of(tuple, Container::Tuple);
            for &start in starts {
                let item = access.next(&mut access.move_to(start, at));
                access.incref(item);
                acyclic &= is_acyclic(item);
                access.fill(&mut cursor, item);
            }
            match self.class.object(
                access,
                BuiltItems::of(py, tuple),
                Some(&self.attributes),
                acyclic,
            ) {
                Ok(row) => Ok(Bound::from_owned_ptr(py, row)),
                Err(_) => Err(PyErr::fetch(py)),
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
