//! What Python makes of the names in a plan: the keys of dicts, and the classes of records and enums.
//!
//! A plan knows no language, so its names stand here, beside the plans. A codec with classes of the caller's, and the
//! reader of Spark's rows, have names of their own and give them to their sources and sinks. For all other plans the
//! names are made when they are first needed, and kept as long as the plan's [`Tables`].

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};
use serow_core::error::Fault;
use serow_core::forked::Inherited;
use serow_core::layout::OpResult;
use serow_core::limits::SHARED_PLANS;
use serow_core::plan::Tables;
use serow_core::schema::Enum;

use super::Object;
use super::maker::Maker;
use super::tuple_class::{Attributes, TupleClass};

/// The names of a plan, for Python.
pub struct PyNames {
    structs: Vec<StructKeys>,
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
pub struct StructKeys {
    objects: Vec<Py<PyAny>>,
    places: OnceLock<HashMap<Arc<str>, usize>>,
}

impl StructKeys {
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

/// The names that belong to no codec.
static SHARED: Inherited<Shared> = Inherited::new();

#[derive(Default)]
struct Shared {
    /// By the address of the tables: it is no other's while there is a weak reference.
    names: HashMap<usize, (Weak<Tables>, Arc<PyNames>)>,
    /// How many there may be until those whose tables are gone are removed.
    cleaned_at: usize,
}

impl Shared {
    /// Keep `names` for `tables`, unless another thread was first. Returns what is kept, and what was removed.
    fn keep(
        &mut self,
        tables: &Arc<Tables>,
        names: Arc<PyNames>,
    ) -> (Arc<PyNames>, Vec<Arc<PyNames>>) {
        let mut gone = Vec::new();
        if self.names.len() >= self.cleaned_at {
            let dead = self.names.extract_if(|_, (tables, _)| tables.strong_count() == 0);
            gone.extend(dead.map(|(_, (_, names))| names));
            self.cleaned_at = 2 * self.names.len() + SHARED_PLANS;
        }
        let key = Arc::as_ptr(tables) as usize;
        let (_, kept) = self.names.entry(key).or_insert_with(|| (Arc::downgrade(tables), names));
        (kept.clone(), gone)
    }
}

/// The names of the plan by which rows are converted.
pub struct PlanNames {
    tables: Arc<Tables>,
    names: OnceCell<Arc<PyNames>>,
    is_given: bool,
}

impl PlanNames {
    /// No plan's yet. If names are `given`, they are those of every plan that comes.
    pub fn new(given: Option<Arc<PyNames>>) -> PlanNames {
        let is_given = given.is_some();
        let names = given.map_or_else(OnceCell::new, OnceCell::from);
        PlanNames { tables: Tables::none(), names, is_given }
    }

    /// Go on with the plan of `tables`. False if it is the same.
    #[inline(always)]
    pub fn set(&mut self, tables: &Arc<Tables>) -> bool {
        if Arc::ptr_eq(&self.tables, tables) {
            return false;
        }
        self.tables = tables.clone();
        if !self.is_given {
            self.names = OnceCell::new();
        }
        true
    }

    /// The plan's own tables.
    #[inline(always)]
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The names that were given.
    #[inline(always)]
    pub fn given(&self) -> Option<&PyNames> {
        if self.is_given { self.names.get().map(|names| &**names) } else { None }
    }

    /// The names, for Python.
    ///
    /// # Errors
    /// If Python has no memory for them.
    #[inline(always)]
    pub fn get(&self) -> OpResult<&PyNames> {
        match self.names.get() {
            Some(names) => Ok(names),
            None => self.look_up(),
        }
    }

    #[cold]
    fn look_up(&self) -> OpResult<&PyNames> {
        // SAFETY: whoever converts rows holds the GIL.
        let py = unsafe { Python::assume_attached() };
        let names = PyNames::shared(py, &self.tables).map_err(|error| {
            error.restore(py);
            Fault::Host
        })?;
        Ok(self.names.get_or_init(|| names))
    }
}

impl PyNames {
    /// The names in `tables`, the same ones for all who ask.
    fn shared(py: Python<'_>, tables: &Arc<Tables>) -> PyResult<Arc<PyNames>> {
        let known = |shared: &Shared| {
            shared.names.get(&(Arc::as_ptr(tables) as usize)).map(|(_, names)| names.clone())
        };
        if let Some(names) = known(&SHARED.lock()) {
            return Ok(names);
        }
        // No code in Python runs while the lock is held: it might ask for names too.
        let names = Arc::new(PyNames::new(py, tables)?);
        let (kept, gone) = SHARED.lock().keep(tables, names);
        drop(gone);
        Ok(kept)
    }

    /// The names in `tables`, whose structs are made by `makers` and whose enums have these members.
    ///
    /// # Errors
    /// If Python has no memory for them.
    pub fn of_classes(
        py: Python<'_>,
        tables: &Tables,
        makers: Vec<Option<Arc<Maker>>>,
        enums: Vec<Vec<Py<PyAny>>>,
    ) -> PyResult<PyNames> {
        let enums = enums.into_iter().map(OnceLock::from).collect();
        Ok(PyNames { makers, enums, ..PyNames::new(py, tables)? })
    }

    /// The names in `tables`, whose structs are Spark's rows.
    ///
    /// # Errors
    /// If Python has no memory for them.
    pub fn of_spark_rows(py: Python<'_>, tables: &Tables, rows: SparkRows) -> PyResult<PyNames> {
        Ok(PyNames { rows: Some(rows), ..PyNames::new(py, tables)? })
    }

    fn new(py: Python<'_>, tables: &Tables) -> PyResult<PyNames> {
        let structs = tables.structs.iter().map(|names| {
            let key = |name: &Arc<str>| Ok(PyString::new(py, name).into_any().unbind());
            let objects = names.fields.iter().map(key).collect::<PyResult<_>>()?;
            Ok(StructKeys { objects, places: OnceLock::new() })
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

    /// How instances of the class that struct `table` is to be of are made, if it is to be of one.
    #[inline(always)]
    pub fn maker(&self, table: usize) -> Option<&Arc<Maker>> {
        self.makers.get(table)?.as_ref()
    }

    /// Whether a class that structs are to be of makes its instances in another way than when it was looked at.
    pub fn is_any_changed(&self, py: Python<'_>) -> bool {
        self.makers.iter().flatten().any(|maker| maker.is_changed(py))
    }

    /// The keys of struct `table`.
    #[inline(always)]
    pub fn keys(&self, table: usize) -> &StructKeys {
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
