//! What Python makes of the names in a plan: the keys of dicts, and the classes of records and enums.
//!
//! It is made when it is first needed, and kept with the plan's names.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::plan::Tables;
use serow_core::schema::Enum;

use super::Object;
use super::maker::Maker;
use super::tuple_class::{Attributes, TupleClass};

/// The names of a plan, for Python.
pub struct PyNames {
    structs: Vec<Keys>,
    classes: Vec<OnceLock<TupleClass>>,
    enums: Vec<OnceLock<Vec<Py<PyAny>>>>,
    /// Of every struct that is to be of a class of the caller's, how its instances are made.
    makers: Vec<Option<Arc<Maker>>>,
    /// If the rows are Spark's, what they are made as.
    rows: Option<SparkRows>,
}

/// What rows of Spark's become.
pub struct SparkRows {
    /// The class of structs; none if they are tuples.
    pub class: Option<TupleClass>,
    /// What its objects have for attributes, for every struct.
    pub attributes: Vec<Attributes>,
    /// Whether no name comes twice in a struct, for every one: dicts are read by names.
    pub are_distinct: Vec<bool>,
}

/// The names of the fields of one struct.
pub struct Keys {
    objects: Vec<Py<PyAny>>,
    places: OnceLock<HashMap<Arc<str>, usize>>,
}

impl Keys {
    /// Name `field` as a `str`.
    #[inline(always)]
    pub fn object(&self, field: usize) -> Object {
        self.objects[field].as_ptr()
    }

    /// A new list of all of them.
    ///
    /// # Errors
    /// If Python has no memory for it.
    pub fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.objects)
    }

    /// All of them.
    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.objects.iter().map(Py::as_ptr)
    }

    /// Which of `names`, whose keys these are, is spelled so.
    pub fn place(&self, names: &[Arc<str>], text: &[u8]) -> Option<usize> {
        let places = self.places.get_or_init(|| names.iter().cloned().zip(0..).collect());
        places.get(std::str::from_utf8(text).ok()?).copied()
    }
}

/// What Python has made of `tables`, if it has made that.
fn known(tables: &Tables) -> Option<&PyNames> {
    tables.made.get()?.downcast_ref()
}

/// What Python makes of `tables`.
///
/// # Errors
/// If Python has no memory for it.
pub fn of<'t>(py: Python<'_>, tables: &'t Tables) -> PyResult<&'t PyNames> {
    if let Some(names) = known(tables) {
        return Ok(names);
    }
    // Of two threads that make them the first one's stay.
    let _ = tables.made.set(Box::new(PyNames::new(py, tables)?));
    known(tables).ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the plan is not ours"))
}

/// Have structs of `tables`, which are nobody else's yet, be made by `makers`, and enums have these
/// members.
///
/// # Errors
/// As for [`of`].
pub fn set_makers(
    py: Python<'_>,
    tables: &Tables,
    makers: Vec<Option<Arc<Maker>>>,
    enums: Vec<Vec<Py<PyAny>>>,
) -> PyResult<()> {
    let enums = enums.into_iter().map(OnceLock::from).collect();
    let names = PyNames { makers, enums, ..PyNames::new(py, tables)? };
    let _ = tables.made.set(Box::new(names));
    Ok(())
}

/// Have objects of `tables`, which are nobody else's yet, be made as Spark's.
///
/// # Errors
/// As for [`of`].
pub fn set_spark_rows(py: Python<'_>, tables: &Tables, rows: SparkRows) -> PyResult<()> {
    let names = PyNames { rows: Some(rows), ..PyNames::new(py, tables)? };
    let _ = tables.made.set(Box::new(names));
    Ok(())
}

/// What rows of Spark's become, if `tables` are of such.
pub fn spark_rows(tables: &Tables) -> Option<&SparkRows> {
    known(tables)?.spark_rows()
}

/// How instances of the class that struct `table` is to be of are made, if it is to be of one, and the
/// names of their fields.
pub fn maker(tables: &Tables, table: usize) -> Option<(&Maker, &Keys)> {
    let names = known(tables)?;
    Some((names.makers.get(table)?.as_deref()?, names.keys(table)))
}

/// Whether a class that structs of `tables` are to be of makes its instances in another way than when it
/// was looked at.
pub fn is_any_changed(py: Python<'_>, tables: &Tables) -> bool {
    let mut makers = known(tables).into_iter().flat_map(|names| names.makers.iter().flatten());
    makers.any(|maker| maker.is_changed(py))
}

/// Whether structs of `tables` are made by anything that was set.
pub fn has_makers(tables: &Tables) -> bool {
    known(tables).is_some_and(|names| names.makers.iter().any(Option::is_some))
}

impl PyNames {
    fn new(py: Python<'_>, tables: &Tables) -> PyResult<PyNames> {
        let structs = tables.structs.iter().map(|names| {
            let key = |name: &Arc<str>| Ok(PyString::new(py, name).into_any().unbind());
            let objects = names.fields.iter().map(key).collect::<PyResult<_>>()?;
            Ok(Keys { objects, places: OnceLock::new() })
        });
        Ok(PyNames {
            structs: structs.collect::<PyResult<_>>()?,
            classes: tables.structs.iter().map(|_| OnceLock::new()).collect(),
            enums: tables.enums.iter().map(|_| OnceLock::new()).collect(),
            makers: Vec::new(),
            rows: None,
        })
    }

    /// What rows of Spark's become, if these are such.
    #[inline(always)]
    pub fn spark_rows(&self) -> Option<&SparkRows> {
        self.rows.as_ref()
    }

    /// The keys of struct `table`.
    #[inline(always)]
    pub fn keys(&self, table: usize) -> &Keys {
        &self.structs[table]
    }

    /// The class that records of struct `table` are given back as.
    ///
    /// # Errors
    /// What Python raises while it is made.
    pub fn class(&self, py: Python<'_>, tables: &Tables, table: usize) -> PyResult<&TupleClass> {
        let place = &self.classes[table];
        if let Some(class) = place.get() {
            return Ok(class);
        }
        let name = tables.structs[table].name.as_deref().unwrap_or_default();
        let fields = PyTuple::new(py, &self.structs[table].objects)?;
        let class = records(py)?.getattr("record_class")?.call1((name, fields))?;
        let class = TupleClass::new(class.cast::<PyType>()?)?;
        Ok(place.get_or_init(|| class))
    }

    /// The members of enum `table`.
    ///
    /// # Errors
    /// What Python raises while they are made: a `ValueError` if it can't have such an enum.
    pub fn members(&self, py: Python<'_>, tables: &Tables, table: usize) -> PyResult<&[Py<PyAny>]> {
        let place = &self.enums[table];
        if let Some(members) = place.get() {
            return Ok(members);
        }
        let Enum { name, members } = &*tables.enums[table];
        let names = PyTuple::new(py, members.iter().map(|name| &**name))?;
        let made = records(py)?.getattr("enum_members")?.call1((&**name, names))?;
        let made = made.extract::<Vec<Py<PyAny>>>()?;
        Ok(place.get_or_init(|| made))
    }
}

/// The module that makes the classes.
fn records(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("serow._records")
}

/// An object that no value is, which stands for a field that a dict does not have.
static MISSING: OnceLock<Py<PyAny>> = OnceLock::new();

/// What stands in a run for a field that must be there and is missing: an object of no type that can be
/// encoded, so whoever reads it finds that it does not fit.
pub fn missing() -> OpResult<Object> {
    if let Some(object) = MISSING.get() {
        return Ok(object.as_ptr());
    }
    // SAFETY: whoever reads rows holds the GIL; the type is alive.
    let made = unsafe {
        let class = (&raw mut ffi::PyBaseObject_Type).cast();
        Bound::from_borrowed_ptr(Python::assume_attached(), class).call0()
    };
    let made = made.map_err(|_| Fault::NoMemory)?;
    Ok(MISSING.get_or_init(|| made.unbind()).as_ptr())
}
