//! Sets, dicts and records, made of their items once those are there.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::plan::Tables;
use serow_core::schema::Container;

use super::ctor_replay::{CtorReplay, Outcome};
use super::maker::Maker;
use super::names::{PlanNames, PyNames};
use super::records::ROW_NAME;
use super::tuple_class::{Attributes, NewObject, TupleClass};
use super::{Access, Object, logical};

/// What is kept while containers are made.
pub struct Building {
    names: PlanNames,
    /// Whether the caller's classes are as they were when they were looked at.
    are_unchanged: bool,
    /// The class of PySpark's rows, if records that are called so are made such.
    row: Option<Arc<TupleClass>>,
    /// What such rows have for attributes, by their struct, as far as some were made.
    row_attributes: HashMap<usize, Attributes>,
    refusal: String,
    /// What a class has raised of which an instance was to be made.
    cause: Option<PyErr>,
    /// What has come of it in a row that is made again.
    pub once: CtorReplay,
}

/// The items of a container in a tuple, which is ours.
pub struct Items(Object);

impl Drop for Items {
    fn drop(&mut self) {
        // SAFETY: the reference is ours, and the GIL is held.
        unsafe { ffi::Py_DecRef(self.0) };
    }
}

impl Items {
    /// The items of `tuple`, of which it takes the reference.
    ///
    /// # Safety
    /// It must be a tuple that nobody else has.
    pub unsafe fn of(tuple: Object) -> Items {
        Items(tuple)
    }

    /// The tuple.
    pub fn release(self) -> Object {
        let object = self.0;
        std::mem::forget(self);
        object
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        // SAFETY: the object is a tuple.
        unsafe { ffi::PyTuple_Size(self.0) as usize }
    }

    /// The tuple, borrowed.
    pub fn tuple(&self) -> Object {
        self.0
    }

    /// Give an item that is missing a value, whose reference is taken. False if there is no such item.
    pub fn set(&mut self, at: usize, value: Object) -> bool {
        // SAFETY: the tuple is new, and nobody else has it.
        unsafe { ffi::PyTuple_SetItem(self.0, at as ffi::Py_ssize_t, value) == 0 }
    }

    /// Item `at`, borrowed; null for a field that is missing.
    ///
    /// # Safety
    /// There must be such an item.
    #[inline(always)]
    pub unsafe fn get(&self, at: usize) -> Object {
        // SAFETY: there is such an item.
        unsafe { ffi::PyTuple_GetItem(self.0, at as ffi::Py_ssize_t) }
    }
}

/// Whether a container is made of its items when they are all there, and is not filled with them.
pub fn is_built(container: Container) -> bool {
    !matches!(container, Container::List | Container::Tuple)
}

impl Building {
    /// Nothing is made yet. If `names` are given, they are those of every plan by which rows are made. Records that
    /// are called as PySpark's rows are such rows if `row` is their class.
    pub fn new(names: Option<Arc<PyNames>>, row: Option<Arc<TupleClass>>) -> Building {
        Building {
            names: PlanNames::new(names),
            are_unchanged: false,
            row,
            row_attributes: HashMap::new(),
            refusal: String::new(),
            cause: None,
            once: CtorReplay::default(),
        }
    }

    /// Be told the names of the plan by which rows are made from now on.
    #[inline(always)]
    pub fn names(&mut self, tables: &Arc<Tables>) {
        if self.names.set(tables) {
            self.row_attributes.clear();
            // SAFETY: whoever makes objects holds the GIL.
            let py = unsafe { Python::assume_attached() };
            self.are_unchanged = self.names.given().is_some_and(|names| !names.is_any_changed(py));
        }
    }

    /// What is to be said of the last container or member that was refused.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// What a class has raised, if that is why something was refused.
    pub fn take_cause(&mut self) -> Option<PyErr> {
        self.cause.take()
    }

    /// A new reference to the container whose items are in `tuple`, of which it takes the reference. In
    /// that of a dict with fixed keys a missing field is null; in that of a map keys and values
    /// alternate. If `acyclic`, no item is a container.
    ///
    /// # Safety
    /// The GIL must be held, and `tuple` be a tuple that nobody else has, of as many items as the
    /// container is made of; that of a struct was made by [`Container::make_items`](super::container::Container).
    #[inline]
    pub unsafe fn build<A: Access>(
        &mut self,
        access: A,
        container: Container,
        tuple: Object,
        acyclic: bool,
    ) -> OpResult<Object> {
        let items = Items(tuple);
        if let Some(outcome) = self.once.ask() {
            return self.again(outcome);
        }
        if let Container::Struct(table) = container
            && let Some(names) = self.names.given()
            && let Some(maker) = names.maker(table as usize)
        {
            let maker = maker.clone();
            let built = self.instance(access, &maker, table as usize, items);
            return self.kept(built);
        }
        // SAFETY: as above.
        let built = unsafe { self.collect(access, container, items, acyclic) };
        if built.is_err() { self.kept(built) } else { built }
    }

    /// What has come of something that was to be built in this row before.
    #[cold]
    fn again(&mut self, outcome: Outcome) -> OpResult<Object> {
        match outcome {
            Outcome::Instance(instance) => Ok(instance.into_ptr()),
            Outcome::Unrepresentable(refused) => {
                (self.refusal, self.cause) = *refused;
                Err(Fault::Unrepresentable)
            }
            // SAFETY: whoever makes objects holds the GIL.
            Outcome::Raised(error) => Err(raised(unsafe { Python::assume_attached() }, *error)),
        }
    }

    /// Keep an instance that was `built`, or what was raised for it or for another thing, while compiled
    /// code may leave the row.
    #[inline(never)]
    fn kept(&mut self, built: OpResult<Object>) -> OpResult<Object> {
        if !self.once.is_code() {
            return built;
        }
        // SAFETY: whoever makes objects holds the GIL.
        let py = unsafe { Python::assume_attached() };
        let outcome = match built {
            // SAFETY: the instance is alive.
            Ok(object) => unsafe {
                Outcome::Instance(Bound::from_borrowed_ptr(py, object).unbind())
            },
            Err(Fault::Unrepresentable) => {
                Outcome::Unrepresentable(Box::new((self.refusal.clone(), self.cause.take())))
            }
            Err(_) => match PyErr::take(py) {
                Some(error) => Outcome::Raised(Box::new(error)),
                None => return built,
            },
        };
        if !self.once.keep(outcome) {
            built.map(Items)?;
            return Err(Fault::NoMemory);
        }
        built
    }

    /// As [`Building::build`], of what is of no class of the caller's.
    ///
    /// # Safety
    /// As for that.
    #[inline(always)]
    unsafe fn collect<A: Access>(
        &mut self,
        access: A,
        container: Container,
        items: Items,
        acyclic: bool,
    ) -> OpResult<Object> {
        // No garbage is collected while there are containers that nobody knows yet.
        let _quiet = logical::Quiet::new();
        // SAFETY: as above.
        unsafe {
            match container {
                Container::Set | Container::FrozenSet => self.set(container, &items),
                Container::Map => self.map(&items),
                Container::Struct(table)
                    if self.names.tables().structs[table as usize].name.is_some() =>
                {
                    self.record(access, table as usize, items, acyclic)
                }
                Container::Struct(table) => self.dict(table as usize, &items),
                Container::List | Container::Tuple => {
                    unreachable!("lists and tuples are filled with their items")
                }
            }
        }
    }

    unsafe fn set(&mut self, container: Container, items: &Items) -> OpResult<Object> {
        // SAFETY: the items are a tuple's.
        unsafe {
            let set = match container {
                Container::FrozenSet => ffi::PyFrozenSet_New(items.0),
                _ => ffi::PySet_New(items.0),
            };
            let made = self.made(set, "an element of a set")?;
            if ffi::PySet_Size(set) as usize == items.len() {
                return Ok(made.release());
            }
            let all = (0..items.len()).map(|at| items.get(at)).collect();
            self.refusal = twice(all, "a set", "elements");
            Err(Fault::Unrepresentable)
        }
    }

    unsafe fn map(&mut self, items: &Items) -> OpResult<Object> {
        // SAFETY: the items are a tuple's, and there is an even number of them.
        unsafe {
            let dict = ffi::PyDict_New();
            let made = self.made(dict, "a dict")?;
            let entries = items.len() / 2;
            for entry in 0..entries {
                let (key, value) = (items.get(entry * 2), items.get(entry * 2 + 1));
                if ffi::PyDict_SetItem(dict, key, value) != 0 {
                    return Err(self.failed("a key of a dict"));
                }
            }
            // In Spark's maps keys may be different where they are equal in Python. The last one stays.
            let is_spark_s = self.names.get()?.spark_rows().is_some();
            if is_spark_s || ffi::PyDict_Size(dict) as usize == entries {
                return Ok(made.release());
            }
            let keys = (0..entries).map(|entry| items.get(entry * 2)).collect();
            self.refusal = twice(keys, "a dict", "keys");
            Err(Fault::Unrepresentable)
        }
    }

    unsafe fn dict(&mut self, table: usize, items: &Items) -> OpResult<Object> {
        let keys = self.names.get()?.keys(table);
        // SAFETY: the items are a tuple's, as many as there are keys.
        unsafe {
            let dict = ffi::PyDict_New();
            let made = NewObject::new(dict)?;
            for at in 0..items.len() {
                let value = items.get(at);
                if !value.is_null() && ffi::PyDict_SetItem(dict, keys.object(at), value) != 0 {
                    return Err(Fault::Host);
                }
            }
            Ok(made.release())
        }
    }

    unsafe fn record<A: Access>(
        &mut self,
        access: A,
        table: usize,
        items: Items,
        acyclic: bool,
    ) -> OpResult<Object> {
        // SAFETY: the GIL is held.
        let py = unsafe { Python::assume_attached() };
        let names = self.names.get()?;
        let (class, attributes) = if let Some(rows) = names.spark_rows()
            && let Some(class) = &rows.class
        {
            (class, Some(&rows.attributes[table]))
        } else if let Some(class) = &self.row
            && self.names.tables().structs[table].name.as_deref() == Some(ROW_NAME)
        {
            let attributes = match self.row_attributes.entry(table) {
                Entry::Occupied(attributes) => attributes.into_mut(),
                Entry::Vacant(place) => {
                    let made = names.keys(table).list(py).and_then(|names| row_attributes(&names));
                    place.insert(made.map_err(|error| raised(py, error))?)
                }
            };
            (&**class, Some(&*attributes))
        } else {
            let class = names.class(py, self.names.tables(), table);
            (class.map_err(|error| raised(py, error))?, None)
        };
        // SAFETY: as above.
        unsafe { class.object(access, items, attributes, acyclic) }
    }

    /// An instance of a class of the caller's, with these values.
    fn instance<A: Access>(
        &mut self,
        access: A,
        maker: &Maker,
        table: usize,
        mut items: Items,
    ) -> OpResult<Object> {
        // SAFETY: whoever makes objects holds the GIL.
        let py = unsafe { Python::assume_attached() };
        let in_order = self.are_unchanged && maker.complete(py, &mut items);
        if let Some(class) = maker.tuple_class()
            && in_order
        {
            // An instance leads to its class, which may go as it came, so the collector is to know it.
            // SAFETY: the GIL is held, and the items are a struct's.
            return unsafe { class.object(access, items, None, false) };
        }
        let keys = self.names.get()?.keys(table);
        maker.make(py, keys, &items, in_order).map(Py::into_ptr).map_err(|error| {
            if !is_of_the_class(py, &error) {
                return raised(py, error);
            }
            self.refusal = maker.refusal(py, &error);
            self.cause = Some(error);
            Fault::Unrepresentable
        })
    }

    /// A new reference to a member of enum `table`.
    ///
    /// # Safety
    /// The GIL must be held.
    #[inline]
    pub unsafe fn member<A: Access>(
        &mut self,
        access: A,
        table: u32,
        index: i64,
    ) -> OpResult<Object> {
        // SAFETY: as above.
        let py = unsafe { Python::assume_attached() };
        let names = self.names.get()?;
        match names.members(py, self.names.tables(), table as usize) {
            Ok(members) => {
                let member = members.get(index as usize).ok_or(Fault::TypeMismatch)?.as_ptr();
                // SAFETY: the member is alive.
                unsafe { access.incref(member) };
                Ok(member)
            }
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                self.refusal = error.value(py).to_string();
                Err(Fault::Unrepresentable)
            }
            Err(error) => {
                error.restore(py);
                Err(Fault::Host)
            }
        }
    }

    /// What was made, unless Python has raised an error over `what`.
    fn made(&mut self, object: Object, what: &str) -> OpResult<NewObject> {
        NewObject::new(object).map_err(|_| self.failed(what))
    }

    /// The fault of an error that Python has raised: what the code of a class of the caller's raised as `what`
    /// was put into a container is said of the value.
    fn failed(&mut self, what: &str) -> Fault {
        // SAFETY: whoever makes objects holds the GIL.
        let py = unsafe { Python::assume_attached() };
        match PyErr::take(py) {
            Some(error) if is_of_the_class(py, &error) => {
                self.refusal = match error.is_instance_of::<PyTypeError>(py) {
                    true => format!("{what} has no hash in Python: {}", error.value(py)),
                    false => format!("{what} can't be put there: {error}"),
                };
                self.cause = Some(error);
                Fault::Unrepresentable
            }
            Some(error) => {
                error.restore(py);
                Fault::Host
            }
            None => Fault::Host,
        }
    }
}

/// Whether an error is one of a class of the caller's, and none of Python itself or of whoever interrupts it.
fn is_of_the_class(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyMemoryError>(py)
}

/// The fault of an error that Python has raised, which is raised again.
#[cold]
fn raised(py: Python<'_>, error: PyErr) -> Fault {
    error.restore(py);
    Fault::Host
}

/// The attributes of PySpark's rows with these names.
///
/// # Errors
/// If Python has no memory for them.
pub fn row_attributes(names: &Bound<'_, PyList>) -> PyResult<Attributes> {
    Attributes::new(names.py(), "__fields__", names.as_any())
}

/// That two of `items` are equal, which makes them one in `what`.
#[cold]
fn twice(items: Vec<Object>, what: &str, those: &str) -> String {
    // SAFETY: whoever makes objects holds the GIL, and the items are alive.
    let shown = unsafe {
        let py = Python::assume_attached();
        let seen = pyo3::types::PyDict::new(py);
        items.into_iter().find_map(|item| {
            let item = Bound::from_borrowed_ptr(py, item);
            let before = seen.get_item(&item).ok()?;
            seen.set_item(&item, &item).ok()?;
            Some(format!("{} and {}", before?.repr().ok()?, item.repr().ok()?))
        })
    };
    let shown = shown.unwrap_or_else(|| "two of them".into());
    format!("{what} holds {those} that are equal in Python: {shown}")
}
