//! Python's counterparts of the names in a plan: the keys of dicts, and the classes of records and
//! enums.
//!
//! A plan knows no language, so its names are kept here. A codec with the caller's classes has names
//! of its own and gives them to its sinks. For all other plans the names are created on first use
//! and shared while the plan's [`Tables`] live.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyType};
use serow_core::error::Fault;
use serow_core::forked::Inherited;
use serow_core::layout::OpResult;
use serow_core::limits::SHARED_PLANS;
use serow_core::plan::Tables;
use serow_core::schema::{Enum, MemberValues};

use super::Object;
use super::dict_template::DictTemplate;
use super::maker::Maker;
use super::tuple_class::TupleClass;
use crate::errors::no_memory;
use crate::made::{self, Calls, name};

/// The Python names of a plan.
pub struct PyNames {
    structs: Vec<StructKeys>,
    classes: Vec<OnceLock<TupleClass>>,
    enums: Vec<OnceLock<Vec<Py<PyAny>>>>,
    /// How to instantiate the caller's class of each struct, if it has one.
    makers: Vec<Option<Arc<Maker>>>,
    /// For the names of an open type: those of the types to which it was closed, while their plans live.
    closed: Mutex<Vec<(Weak<Tables>, Arc<PyNames>)>>,
}

/// The field names of one struct.
pub struct StructKeys {
    objects: Vec<Py<PyAny>>,
    places: OnceLock<HashMap<Arc<str>, usize>>,
    template: OnceLock<Option<DictTemplate>>,
}

impl StructKeys {
    /// The name of field `field` as a `str`.
    #[inline(always)]
    pub fn object(&self, field: usize) -> Object {
        self.objects[field].as_ptr()
    }

    /// A new list of all names.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        made::list(py, &self.objects)
    }

    /// All names.
    pub fn objects(&self) -> impl Iterator<Item = Object> + '_ {
        self.objects.iter().map(Py::as_ptr)
    }

    /// Makes dicts with these keys, if it can.
    ///
    /// # Errors
    /// A `MemoryError`.
    #[inline(always)]
    pub fn template(&self, py: Python<'_>) -> OpResult<Option<&DictTemplate>> {
        match self.template.get() {
            Some(template) => Ok(template.as_ref()),
            None => self.make_template(py),
        }
    }

    #[cold]
    fn make_template(&self, py: Python<'_>) -> OpResult<Option<&DictTemplate>> {
        let made = DictTemplate::new(py, &self.objects).map_err(|error| {
            error.restore(py);
            Fault::Host
        })?;
        Ok(self.template.get_or_init(|| made).as_ref())
    }

    /// The index of `text` in `names`, which must be the names of this struct.
    pub fn place(&self, names: &[Arc<str>], text: &[u8]) -> Option<usize> {
        let places = self.places.get_or_init(|| names.iter().cloned().zip(0..).collect());
        places.get(std::str::from_utf8(text).ok()?).copied()
    }
}

/// The names of plans that no codec has names for.
static SHARED: Inherited<Shared> = Inherited::new();

#[derive(Default)]
struct Shared {
    /// By the address of the tables, which is unique while a weak reference to them exists.
    names: HashMap<usize, (Weak<Tables>, Arc<PyNames>)>,
    /// Number of entries at which entries of dropped tables are removed.
    cleaned_at: usize,
}

impl Shared {
    /// Keeps `names` for `tables`, unless another thread was first. Returns the kept names and the
    /// removed ones.
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

/// The names of the current plan.
pub struct PlanNames {
    tables: Arc<Tables>,
    names: OnceCell<Arc<PyNames>>,
    given: Option<Arc<PyNames>>,
}

impl PlanNames {
    /// Starts without a plan. If names are `given`, all plans use them.
    pub fn new(given: Option<Arc<PyNames>>) -> PlanNames {
        let names = given.clone().map_or_else(OnceCell::new, OnceCell::from);
        PlanNames { tables: Tables::none(), names, given }
    }

    /// Changes to the plan of `tables`. Returns false if it is the current one.
    #[inline(always)]
    pub fn set(&mut self, py: Python<'_>, tables: &Arc<Tables>) -> bool {
        if Arc::ptr_eq(&self.tables, tables) {
            return false;
        }
        self.tables = tables.clone();
        self.names = match &self.given {
            None => OnceCell::new(),
            Some(given) => {
                given.of_tables(py, tables).map_or_else(|_| OnceCell::new(), OnceCell::from)
            }
        };
        true
    }

    #[inline(always)]
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The names given to `new`.
    #[inline(always)]
    pub fn given(&self) -> Option<&PyNames> {
        self.given.as_ref()?;
        self.names.get().map(|names| &**names)
    }

    /// The Python names.
    ///
    /// # Errors
    /// A `MemoryError`.
    #[inline(always)]
    pub fn get(&self, py: Python<'_>) -> OpResult<&PyNames> {
        match self.names.get() {
            Some(names) => Ok(names),
            None => self.look_up(py),
        }
    }

    #[cold]
    fn look_up(&self, py: Python<'_>) -> OpResult<&PyNames> {
        let names = match self.given {
            None => PyNames::shared(py, &self.tables),
            // Memory ran out while the names of this plan were made.
            Some(_) => Err(no_memory(py)),
        };
        let names = names.map_err(|error| {
            error.restore(py);
            Fault::Host
        })?;
        Ok(self.names.get_or_init(|| names))
    }
}

impl PyNames {
    /// The shared names of `tables`.
    fn shared(py: Python<'_>, tables: &Arc<Tables>) -> PyResult<Arc<PyNames>> {
        let known = |shared: &Shared| {
            shared.names.get(&(Arc::as_ptr(tables) as usize)).map(|(_, names)| names.clone())
        };
        if let Some(names) = known(&SHARED.lock()) {
            return Ok(names);
        }
        // Create the names outside the lock: Python code may run meanwhile and ask for names.
        let names = Arc::new(PyNames::new(py, tables)?);
        let (kept, gone) = SHARED.lock().keep(tables, names);
        drop(gone);
        Ok(kept)
    }

    /// The names of `tables`, with `makers` for its structs and members for its enums.
    ///
    /// # Errors
    /// A `MemoryError`.
    pub fn of_classes(
        py: Python<'_>,
        tables: &Tables,
        makers: Vec<Option<Arc<Maker>>>,
        enums: Vec<Vec<Py<PyAny>>>,
    ) -> PyResult<PyNames> {
        let enums = enums.into_iter().map(OnceLock::from).collect();
        Ok(PyNames { makers, enums, ..PyNames::new(py, tables)? })
    }

    /// These names for a plan with `tables`, which has the type that they are for, or one to which that
    /// was closed.
    fn of_tables(
        self: &Arc<PyNames>,
        py: Python<'_>,
        tables: &Arc<Tables>,
    ) -> PyResult<Arc<PyNames>> {
        let Some(parts) = &tables.parts else { return Ok(self.clone()) };
        let is_of = |(of, _): &(Weak<Tables>, _)| of.as_ptr() == Arc::as_ptr(tables);
        // If the lock is taken, do without the list: a thread of a parent process may hold it forever.
        if let Ok(kept) = self.closed.try_lock()
            && let Some((_, names)) = kept.iter().find(|kept| is_of(kept))
        {
            return Ok(names.clone());
        }
        let of = |part: Option<&u32>| part.map(|&part| part as usize);
        let maker = |at: u32| self.makers.get(of(parts.structs.get(&at))?)?.clone();
        let members = |at: u32| {
            let members = self.enums.get(of(parts.enums.get(&at))?)?.get()?;
            Some(OnceLock::from(
                members.iter().map(|member| member.clone_ref(py)).collect::<Vec<_>>(),
            ))
        };
        let names = Arc::new(PyNames {
            makers: (0..tables.structs.len() as u32).map(maker).collect(),
            enums: (0..tables.enums.len() as u32)
                .map(|at| members(at).unwrap_or_default())
                .collect(),
            ..PyNames::new(py, tables)?
        });
        if let Ok(mut kept) = self.closed.try_lock() {
            kept.retain(|(of, _)| of.strong_count() > 0);
            kept.push((Arc::downgrade(tables), names.clone()));
        }
        Ok(names)
    }

    fn new(py: Python<'_>, tables: &Tables) -> PyResult<PyNames> {
        let structs = tables.structs.iter().map(|names| {
            let key = |name: &Arc<str>| Ok(made::text(py, name)?.into_any().unbind());
            let objects = names.fields.iter().map(key).collect::<PyResult<_>>()?;
            Ok(StructKeys { objects, places: OnceLock::new(), template: OnceLock::new() })
        });
        Ok(PyNames {
            structs: structs.collect::<PyResult<_>>()?,
            classes: tables.structs.iter().map(|_| OnceLock::new()).collect(),
            enums: tables.enums.iter().map(|_| OnceLock::new()).collect(),
            makers: Vec::new(),
            closed: Mutex::default(),
        })
    }

    /// How to instantiate the caller's class of struct `table`, if it has one.
    #[inline(always)]
    pub fn maker(&self, table: usize) -> Option<&Arc<Maker>> {
        self.makers.get(table)?.as_ref()
    }

    /// Whether the constructor of a caller's class has changed since serow inspected it.
    pub fn is_any_constructor_changed(&self, py: Python<'_>) -> bool {
        self.makers.iter().flatten().any(|maker| maker.is_changed(py))
    }

    /// Whether a caller's class that is restored has changed so that it may not be.
    pub fn is_any_restoration_changed(&self, py: Python<'_>) -> bool {
        let mut all = self.makers.iter().flatten().filter_map(|maker| maker.restoration.as_ref());
        all.any(|restoration| restoration.is_changed(py))
    }

    #[inline(always)]
    pub fn keys(&self, table: usize) -> &StructKeys {
        &self.structs[table]
    }

    /// The class of decoded records of struct `table`.
    ///
    /// # Errors
    /// What Python raises while it creates the class.
    pub fn class(&self, py: Python<'_>, tables: &Tables, table: usize) -> PyResult<&TupleClass> {
        let place = &self.classes[table];
        if let Some(class) = place.get() {
            return Ok(class);
        }
        let name = tables.structs[table].name.as_deref().unwrap_or_default();
        let fields = made::tuple(py, &self.structs[table].objects)?;
        let class = records(py)?.getattr(name!("record_class"))?.call_with((name, fields))?;
        let class = TupleClass::new(class.cast::<PyType>()?)?;
        Ok(place.get_or_init(|| class))
    }

    /// The members of enum `table`.
    ///
    /// # Errors
    /// What Python raises while it creates the enum: a `ValueError` if Python doesn't allow it.
    pub fn members(&self, py: Python<'_>, tables: &Tables, table: usize) -> PyResult<&[Py<PyAny>]> {
        let place = &self.enums[table];
        if let Some(members) = place.get() {
            return Ok(members);
        }
        let Enum { name, members, values } = &*tables.enums[table];
        let names = made::tuple(py, members.iter().map(|name| &**name))?;
        let values = match values {
            MemberValues::None => None,
            MemberValues::Ints(values) => Some(made::tuple(py, values.iter().copied())?),
            MemberValues::Strs(values) => {
                Some(made::tuple(py, values.iter().map(|value| &**value))?)
            }
        };
        let made =
            records(py)?.getattr(name!("enum_members"))?.call_with((&**name, names, values))?;
        let made = made.extract::<Vec<Py<PyAny>>>()?;
        Ok(place.get_or_init(|| made))
    }
}

/// The module that creates the classes.
fn records(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(name!("serow._records"))
}

/// Represents a missing field of a dict.
static MISSING: OnceLock<Py<PyAny>> = OnceLock::new();

/// The item of a required field that a dict lacks: an object that can't be encoded, so that reading
/// it is a type mismatch.
pub fn missing(py: Python<'_>) -> OpResult<Object> {
    if let Some(object) = MISSING.get() {
        return Ok(object.as_ptr());
    }
    let made = py.get_type::<PyAny>().call0().map_err(|_| Fault::NoMemory)?;
    Ok(MISSING.get_or_init(|| made.unbind()).as_ptr())
}
