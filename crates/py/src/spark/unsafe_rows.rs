//! `serow._native.UnsafeRows`: conversion between Spark's rows and Python objects.

use std::collections::HashSet;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyType};
use serow_core::error::Fault;
use serow_core::layout::objects::OBJECTS;
use serow_core::layout::{OpResult, Pair};
use serow_core::program::Program;
use serow_core::schema::{Container, Names};
use serow_spark::{Described, StructsAs, UNSAFE_ROWS, read_unsafe_rows, write_unsafe_rows};

use crate::access;
use crate::codec::tier_name;
use crate::compile;
use crate::errors::raise;
use crate::layout::buffers::Message;
use crate::layout::logical::Quiet;
use crate::layout::records::spark_row;
use crate::layout::{
    Access, Attributes, Held, Leniency, Object, ObjectWriter, StructKeys, StructObjects,
    TupleClass, container, is_exactly,
};
use crate::made::{self, Made};
use crate::rows::PyRows;

#[doc = stub_doc!("UnsafeRows")]
#[pyclass(name = "UnsafeRows", module = "serow._native", frozen)]
pub struct PyUnsafeRows {
    read: Rows,
    written: Rows,
}

/// The kinds of the layouts between which rows are read.
const READING: Pair = (&UNSAFE_ROWS, &OBJECTS);

/// A program for Spark's rows, and their objects.
struct Rows {
    program: Arc<Program>,
    objects: Arc<RowObjects>,
}

/// How Spark's rows are read and made.
struct RowObjects {
    /// The class of structs; `None` makes tuples.
    class: Option<TupleClass>,
    /// The names of each struct, which the attributes of its instances have.
    names: Vec<Py<PyList>>,
    /// Whether the names in each struct are distinct, so that dicts can be read by name.
    are_distinct: Vec<bool>,
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
                Some(kind) => kind,
                None if is_exactly(object, &raw mut ffi::PyDict_Type) => {
                    let is_by_name = self.are_distinct[table];
                    return if is_by_name { Ok(Held::Entries) } else { Err(Fault::TypeMismatch) };
                }
                None if is_like_a_tuple(object) => Container::Tuple,
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

/// The program for rows of a description.
fn program(
    py: Python<'_>,
    description: &str,
    rows: StructsAs,
    class: Option<&Bound<'_, PyType>>,
) -> PyResult<Rows> {
    let described = Described::parse(description, rows).map_err(|error| raise(py, error))?;
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
    };
    let program = Arc::new(Program::extended(&schema, storage));
    Ok(Rows { program, objects: Arc::new(objects) })
}

#[pymethods]
impl PyUnsafeRows {
    /// `row_class` is the class of structs, a subclass of tuple whose instances have attributes.
    /// Structs are tuples if it is `None`.
    #[new]
    #[pyo3(signature = (description, row_class))]
    fn new(
        py: Python<'_>,
        description: &str,
        row_class: Option<Bound<'_, PyType>>,
    ) -> PyResult<PyUnsafeRows> {
        let (class, rows) = match &row_class {
            Some(class) => (Some(class), StructsAs::Records),
            None => (None, StructsAs::Tuples),
        };
        Ok(PyUnsafeRows {
            read: program(py, description, rows, class)?,
            written: program(py, description, StructsAs::Given, class)?,
        })
    }

    #[doc = stub_doc!("UnsafeRows.read")]
    fn read<'py>(&self, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let message = Message::get(batch)?;
        access::with_access!(batch.py(), |access| self.read_with(
            batch.py(),
            access,
            message.bytes()
        ))
    }

    #[doc = stub_doc!("UnsafeRows.compile")]
    fn compile(&self, py: Python<'_>) -> PyResult<()> {
        if !compile::is_wanted()? {
            return Ok(());
        }
        let offsets = access::offsets_to_compile(py)?;
        compile::compile(py, offsets, &self.read.program, READING)
    }

    #[doc = stub_doc!("UnsafeRows.tier")]
    #[getter]
    fn tier(&self) -> Made<&'static str> {
        Made(tier_name(self.read.program.is_compiled(READING)))
    }

    #[doc = stub_doc!("UnsafeRows.write")]
    fn write<'py>(&self, rows: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyBytes>> {
        access::with_access!(rows.py(), |access| self.write_with(rows, access))
    }
}

impl PyUnsafeRows {
    fn write_with<'py, A: Access>(
        &self,
        rows: &Bound<'py, PyList>,
        access: A,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = rows.py();
        let given = rows.clone().into_any();
        // SAFETY: only `write_unsafe_rows` uses the sources.
        let rows = unsafe { PyRows::new(given, access, PyRows::<A>::all()) }?;
        let leniency = Leniency { arrays_as_lists: true, ..Leniency::default() };
        let rows = rows.of_objects(self.written.objects.clone()).with_leniency(leniency);
        let batch =
            write_unsafe_rows(&self.written.program, &rows).map_err(|error| raise(py, error))?;
        made::bytes(py, &batch)
    }

    fn read_with<'py, A: Access>(
        &self,
        py: Python<'py>,
        access: A,
        batch: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        // New rows are registered with the garbage collector; collections during the batch would
        // traverse all of them for nothing.
        let _quiet = Quiet::new(py);
        // SAFETY: the GIL is held as long as `py` lives.
        let mut rows = unsafe { ObjectWriter::new(access) };
        rows.make_objects(self.read.objects.clone());
        read_unsafe_rows(&self.read.program, batch, &mut rows).map_err(|error| raise(py, error))?;
        // SAFETY: the list is a new reference, or null with an error set.
        unsafe { Bound::from_owned_ptr_or_err(py, rows.take_list()) }
    }
}
