//! Programs for rows of Spark's types, and the Python objects of their structs.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::program::Program;
use serow_core::schema::{Container, Names};
use serow_spark::Described;

use crate::layout::records::spark_row;
use crate::layout::{
    Attributes, Held, Object, StructKeys, StructObjects, TupleClass, container, is_exactly,
};
use crate::made;

/// A program for Spark's rows, and their objects.
pub struct Rows {
    pub program: Arc<Program>,
    pub objects: Arc<RowObjects>,
}

impl Rows {
    /// Structs are instances of `class`, or tuples if there is none.
    ///
    /// # Errors
    /// A `TypeError` if it is no subclass of tuple whose instances have attributes. A `MemoryError`.
    pub fn of(
        py: Python<'_>,
        described: Described,
        class: Option<&Bound<'_, PyType>>,
        given: StructKinds,
    ) -> PyResult<Rows> {
        let Described { schema, storage, fields } = described;
        let are_distinct = fields.iter().map(|names| {
            let distinct: HashSet<&String> = names.iter().collect();
            distinct.len() == names.len()
        });
        let are_distinct = are_distinct.collect();
        let names = fields.iter().map(|names| Ok(made::list(py, names)?.unbind()));
        let objects = RowObjects {
            class: class.map(TupleClass::new).transpose()?,
            names: names.collect::<PyResult<_>>()?,
            are_distinct,
            given,
        };
        let program = Arc::new(Program::extended(&schema, storage));
        Ok(Rows { program, objects: Arc::new(objects) })
    }
}

/// Which objects may be given as structs, beside tuples, dicts, and instances of the class of rows.
pub struct StructKinds {
    /// The structs, by their place in the description, that may be lists.
    pub lists: Range<usize>,
    /// Whether instances of all subclasses of tuple that are iterated like a tuple may be structs.
    pub subclasses: bool,
}

impl StructKinds {
    /// All of them.
    pub const ANY: StructKinds = StructKinds { lists: 0..usize::MAX, subclasses: true };
}

/// How Spark's rows are read and made.
pub struct RowObjects {
    /// The class of structs; `None` makes tuples.
    class: Option<TupleClass>,
    /// The names of each struct, which the attributes of its instances have.
    names: Vec<Py<PyList>>,
    /// Whether the names in each struct are distinct, so that dicts can be read by name.
    are_distinct: Vec<bool>,
    given: StructKinds,
}

impl StructObjects for RowObjects {
    /// A struct is a tuple, a list or a row, by position; or a dict, by the names of the fields.
    unsafe fn held(
        &self,
        _py: Python<'_>,
        object: Object,
        table: usize,
        names: &[Arc<str>],
        _known: &mut Vec<Object>,
    ) -> OpResult<Held> {
        // SAFETY: the caller's promise; a list, and an object like a tuple, has its length at the same offset.
        unsafe {
            let kind = match container::which(object) {
                Some(Container::List) if !self.given.lists.contains(&table) => {
                    return Err(Fault::TypeMismatch);
                }
                Some(kind) => kind,
                None if is_exactly(object, &raw mut ffi::PyDict_Type) => {
                    let is_by_name = self.are_distinct[table];
                    return if is_by_name { Ok(Held::Entries) } else { Err(Fault::TypeMismatch) };
                }
                None if self.is_row(object) || self.given.subclasses && is_like_a_tuple(object) => {
                    Container::Tuple
                }
                None => return Err(Fault::TypeMismatch),
            };
            match ffi::Py_SIZE(object) as usize == names.len() {
                true => Ok(Held::Items(kind)),
                false => Err(Fault::TypeMismatch),
            }
        }
    }

    fn class(&self, _names: &Names) -> Option<&TupleClass> {
        self.class.as_ref()
    }

    fn attributes(&self, py: Python<'_>, table: usize, _keys: &StructKeys) -> PyResult<Attributes> {
        spark_row::attributes(self.names[table].bind(py))
    }

    /// Keys that differ in Spark's maps may be equal in Python.
    fn may_join_keys(&self) -> bool {
        true
    }
}

impl RowObjects {
    /// Whether `object` is an instance of the class of rows.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn is_row(&self, object: Object) -> bool {
        // SAFETY: the caller's promise.
        let is = |class: &TupleClass| unsafe { is_exactly(object, class.class().as_ptr().cast()) };
        self.class.as_ref().is_some_and(is)
    }
}

/// Whether `object` is an instance of a subclass of tuple, such as a named tuple, that is iterated
/// like a tuple.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
unsafe fn is_like_a_tuple(object: Object) -> bool {
    // SAFETY: the caller's promise; since Python 3.10 the slots of all kinds of classes can be read.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let tuple = &raw mut ffi::PyTuple_Type;
        ffi::PyTuple_Check(object) != 0
            && [ffi::Py_tp_iter, ffi::Py_sq_length]
                .iter()
                .all(|&slot| ffi::PyType_GetSlot(class, slot) == ffi::PyType_GetSlot(tuple, slot))
    }
}
