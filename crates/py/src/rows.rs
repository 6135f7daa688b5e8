//! Rows that Python hands over: any iterable, as a list or tuple.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};
use serow_core::encode::Rows;
use serow_core::plan::{Path, Step};
use serow_core::schema::{Container, Inspect, Kind, Logical, Scalar, Shape, Untyped};

use crate::convert;
use crate::errors::EncodeError;
use crate::layout::container::{self, Container as _};
use crate::layout::{Access, Api, Direct, Object, Reader, is_exactly, logical};

/// A list or tuple of rows, which does not change as long as this lives.
pub struct PyRows<'py, A> {
    rows: Bound<'py, PyAny>,
    container: Container,
    len: usize,
    access: A,
    direct: Option<Direct>,
}

/// `rows` as a list or tuple.
///
/// # Errors
/// An `EncodeError` if they can't be iterated, or are a dict, a str or bytes, whose items are
/// hardly meant as rows; and what the iteration raises.
pub fn listed<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if rows.is_exact_instance_of::<PyList>() || rows.is_exact_instance_of::<PyTuple>() {
        return Ok(rows.clone());
    }
    let ty = rows.get_type().name()?;
    let is_text = rows.is_instance_of::<PyString>()
        || rows.is_instance_of::<PyBytes>()
        || rows.is_instance_of::<PyByteArray>();
    if is_text || rows.is_instance_of::<PyDict>() {
        return Err(EncodeError::new_err(format!(
            "rows must be an iterable of rows, not {ty}; for one row give [row]"
        )));
    }
    let iterator = rows.try_iter().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(rows.py()) {
            let wrapped =
                EncodeError::new_err(format!("rows must be an iterable of rows, not {ty}"));
            wrapped.set_cause(rows.py(), Some(error));
            wrapped
        } else {
            error
        }
    })?;
    let list = PyList::empty(rows.py());
    for row in iterator {
        list.append(row?)?;
    }
    Ok(list.into_any())
}

impl<'py, A: Access> PyRows<'py, A> {
    /// The rows that [`listed`] gave; `direct` is `access` if that may load from objects.
    pub fn new(
        rows: Bound<'py, PyAny>,
        access: A,
        direct: Option<Direct>,
    ) -> PyResult<PyRows<'py, A>> {
        let len = rows.len()?;
        // SAFETY: the rows are alive.
        let container = unsafe { container::which(rows.as_ptr()) };
        let container = container.ok_or_else(|| PyTypeError::new_err("rows are not listed"))?;
        Ok(PyRows { rows, container, len, access, direct })
    }

    /// How the rows' objects are accessed.
    pub fn access(&self) -> A {
        self.access
    }

    /// The items where they lie in memory.
    fn items(&self) -> Option<&[Object]> {
        if self.len == 0 {
            return None;
        }
        // SAFETY: direct access is proven, so a cursor is a pointer to items, which don't change
        // as long as `self` is borrowed, since no Python code runs.
        unsafe {
            let items = self.direct?.items_of(self.rows.as_ptr(), self.container);
            Some(std::slice::from_raw_parts(items, self.len))
        }
    }

    fn row(&self, row: usize) -> Ref {
        // SAFETY: the row is one of the rows, which hold a reference to it.
        Ref(unsafe { item(self.rows.as_ptr(), row) })
    }
}

impl<A: Access> Rows for PyRows<'_, A> {
    type Source<'a>
        = Reader<'a, A>
    where
        Self: 'a;

    fn len(&self) -> usize {
        self.len
    }

    fn source(&self) -> Reader<'_, A> {
        // SAFETY: the rows are a list or tuple of that length, and the GIL is held for 'py.
        unsafe {
            Reader::new(self.access, (self.rows.as_ptr(), self.container), self.len, self.items())
        }
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> Result<(), Untyped> {
        shape.add_value(self.row(row))
    }

    fn describe(&self, row: usize, path: &Path) -> String {
        let mut value = self.row(row);
        for step in &path.0 {
            match (value.kind(), step) {
                (Some(Kind::Container(_, mut elements)), Step::Item(item)) => {
                    match elements.nth(*item) {
                        Some(element) => value = element,
                        None => break,
                    }
                }
                _ => break,
            }
        }
        // SAFETY: the value is held by the rows, and a reference is taken before its code runs.
        let value = unsafe { Bound::from_borrowed_ptr(self.rows.py(), value.0) };
        let ty =
            value.get_type().fully_qualified_name().map_or("?".into(), |name| name.to_string());
        let shown = match value.repr().map(|repr| repr.to_string_lossy().into_owned()) {
            Ok(mut repr) => {
                if let Some((cut, _)) = repr.char_indices().nth(80) {
                    repr.truncate(cut);
                    repr.push('…');
                }
                format!("{repr} (type {ty})")
            }
            Err(_) => format!("an object of type {ty}"),
        };
        match logical::advice(&value) {
            Some(advice) => format!("{shown}; {advice}"),
            None => shown,
        }
    }
}

/// A borrowed reference to a value in a row.
#[derive(Clone, Copy)]
struct Ref(Object);

/// The items of a list or tuple.
struct Items {
    container: Object,
    at: usize,
    len: usize,
}

impl Iterator for Items {
    type Item = Ref;

    fn next(&mut self) -> Option<Ref> {
        if self.at == self.len {
            return None;
        }
        self.at += 1;
        // SAFETY: there is such an item.
        Some(Ref(unsafe { item(self.container, self.at - 1) }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len - self.at, Some(self.len - self.at))
    }
}

impl ExactSizeIterator for Items {}

/// Item `index` of a list or tuple, borrowed.
///
/// # Safety
/// There must be such an item, and the GIL be held.
unsafe fn item(container: Object, index: usize) -> Object {
    // SAFETY: as above.
    unsafe {
        if is_exactly(container, &raw mut ffi::PyTuple_Type) {
            ffi::PyTuple_GetItem(container, index as ffi::Py_ssize_t)
        } else {
            ffi::PyList_GetItem(container, index as ffi::Py_ssize_t)
        }
    }
}

impl Inspect for Ref {
    type Elements = Items;

    fn name(self) -> Option<std::sync::Arc<str>> {
        None
    }

    fn kind(self) -> Option<Kind<Items>> {
        let is = |ty| {
            // SAFETY: values are alive as long as their rows are.
            unsafe { is_exactly(self.0, ty) }
        };
        // SAFETY: these are the addresses of types; an int is asked for its value, a container
        // for its length, which can't fail.
        unsafe {
            if self.0 == ffi::Py_None() {
                Some(Kind::Scalar(Scalar::Null))
            } else if is(&raw mut ffi::PyLong_Type) {
                let mut overflow = 0;
                ffi::PyLong_AsLongLongAndOverflow(self.0, &mut overflow);
                let is_large = Scalar::Logical(Logical::Int);
                Some(Kind::Scalar(if overflow == 0 { Scalar::I64 } else { is_large }))
            } else if is(&raw mut ffi::PyFloat_Type) {
                Some(Kind::Scalar(Scalar::F64))
            } else if is(&raw mut ffi::PyUnicode_Type) {
                Some(Kind::Scalar(Scalar::Str))
            } else if is(&raw mut ffi::PyBool_Type) {
                Some(Kind::Scalar(Scalar::Bool))
            } else if is(&raw mut ffi::PyList_Type) {
                let len = ffi::PyList_Size(self.0) as usize;
                Some(Kind::Container(Container::List, Items { container: self.0, at: 0, len }))
            } else if is(&raw mut ffi::PyTuple_Type) {
                let len = ffi::PyTuple_Size(self.0) as usize;
                Some(Kind::Container(Container::Tuple, Items { container: self.0, at: 0, len }))
            } else {
                let ty = match convert::offsets() {
                    Some(offsets) => logical::type_of(Direct(offsets), self.0),
                    None => logical::type_of(Api, self.0),
                };
                ty.map(|ty| Kind::Scalar(Scalar::Logical(ty)))
            }
        }
    }
}
