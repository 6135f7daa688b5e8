//! Builds sets, dicts and records from their finished items.

use std::ptr::null_mut;
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::plan::Tables;
use serow_core::schema::Container;

use super::maker::Maker;
use super::names::{PlanNames, PyNames};
use super::records::FIELDS_SET;
use super::tuple_class::{Attributes, new_object};
use super::{Access, Object, StructObjects, hash_flood, logical};
use crate::errors::shown;
use crate::made;

/// State of the building of containers.
pub struct Building {
    names: PlanNames,
    /// Whether the constructors of the caller's classes are unchanged since serow inspected them.
    are_unchanged: bool,
    /// Whether objects are restored where their classes allow it, and these are unchanged.
    restores: bool,
    /// Whether all objects are made by calling their classes.
    validates: bool,
    /// Whether records become dicts.
    makes_dicts: bool,
    /// Makes the records of a library, if there is one.
    objects: Option<Arc<dyn StructObjects>>,
    /// The attributes of these records by struct, as far as they were needed.
    attributes: Vec<Option<Attributes>>,
    refusal: String,
    /// The exception that one of the caller's classes raised.
    cause: Option<PyErr>,
    /// What must end the call although compiled code made the row: Ctrl-C in the hash of an element of a set.
    interrupt: Option<PyErr>,
}

/// The items of a container in a tuple that only this owns. An item may be null.
pub struct BuiltItems<'py>(Bound<'py, PyAny>);

impl<'py> BuiltItems<'py> {
    /// Takes over the reference to `tuple`.
    ///
    /// # Safety
    /// Nobody else may have a reference to the tuple.
    pub unsafe fn of(py: Python<'py>, tuple: Object) -> BuiltItems<'py> {
        // SAFETY: the caller's promise.
        BuiltItems(unsafe { Bound::from_owned_ptr(py, tuple) })
    }

    /// Gives the reference to the tuple away.
    pub fn release(self) -> Object {
        self.0.into_ptr()
    }

    pub fn len(&self) -> usize {
        // SAFETY: the object is a tuple.
        unsafe { ffi::PyTuple_Size(self.tuple()) as usize }
    }

    pub fn py(&self) -> Python<'py> {
        self.0.py()
    }

    /// The tuple, borrowed.
    pub fn tuple(&self) -> Object {
        self.0.as_ptr()
    }

    /// Sets an item. Returns false if the index is out of bounds.
    pub fn set(&mut self, at: usize, value: Bound<'py, PyAny>) -> bool {
        // SAFETY: the tuple is new, and nobody else has it. The call takes the reference over.
        unsafe { ffi::PyTuple_SetItem(self.tuple(), at as ffi::Py_ssize_t, value.into_ptr()) == 0 }
    }

    /// Borrowed item `at`; null for a missing field.
    ///
    /// # Safety
    /// `at` must be in bounds.
    #[inline(always)]
    pub unsafe fn get(&self, at: usize) -> Object {
        // SAFETY: there is such an item.
        unsafe { ffi::PyTuple_GetItem(self.tuple(), at as ffi::Py_ssize_t) }
    }
}

/// How a struct is made of its items.
enum Build {
    /// A dict, with the names of the fields as its keys.
    Dict,
    /// A record that is a tuple, of a class of serow or of a library.
    Tuple,
    /// An instance of a caller's class, whose fields are stored where the class does.
    Restore(Arc<Maker>),
    /// What calling a caller's class gives.
    Call(Arc<Maker>),
}

/// Whether code of the caller's classes may run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MayCall {
    Yes,
    /// Compiled code is the caller, which bails out instead: the interpreter makes such a row again, and no class is to be
    /// called twice for one value.
    No,
}

/// Whether a container is built from a tuple of its finished items, and not filled in place.
pub fn is_built(container: Container) -> bool {
    !matches!(container, Container::List | Container::Tuple)
}

impl Building {
    /// If `names` are given, all plans use them. If `objects` are given, they make the records. If it
    /// `validates`, no object is made without calling its class. If it `makes_dicts`, records without a class
    /// of the caller become dicts.
    pub fn new(
        names: Option<Arc<PyNames>>,
        objects: Option<Arc<dyn StructObjects>>,
        validates: bool,
        makes_dicts: bool,
    ) -> Building {
        Building {
            names: PlanNames::new(names),
            are_unchanged: false,
            restores: false,
            validates,
            makes_dicts,
            objects,
            attributes: Vec::new(),
            refusal: String::new(),
            cause: None,
            interrupt: None,
        }
    }

    /// Sets the tables of the plan that makes the next rows.
    #[inline(always)]
    pub fn names(&mut self, py: Python<'_>, tables: &Arc<Tables>) {
        if self.names.set(py, tables) {
            self.attributes.clear();
            self.attributes.resize_with(tables.structs.len(), || None);
            if let Some(names) = self.names.given() {
                self.are_unchanged = !names.is_any_constructor_changed(py);
                self.restores = !self.validates && !names.is_any_restoration_changed(py);
            }
        }
    }

    /// Why the last container or member was refused.
    pub fn refusal(&self) -> &str {
        &self.refusal
    }

    /// The exception of the caller's class that caused the refusal.
    pub fn take_cause(&mut self) -> Option<PyErr> {
        self.cause.take()
    }

    /// Keeps the current exception if it comes only once: a signal's, which is no error of the row.
    #[cold]
    pub fn keep_interrupt(&mut self, py: Python<'_>) {
        self.interrupt = PyErr::take(py).filter(|error| !error.is_instance_of::<PyException>(py));
    }

    /// Restores the exception that [`Building::keep_interrupt`] kept, if there is one.
    ///
    /// # Errors
    /// [`Fault::Host`] with the exception.
    pub fn check_interrupt(&mut self, py: Python<'_>) -> OpResult {
        self.interrupt.take().map_or(Ok(()), |error| Err(raised(py, error)))
    }

    /// Builds the container whose items are in `tuple`, and takes the reference to `tuple`. Returns
    /// a new reference. A missing field of a dict with fixed keys is null. The items of a map are
    /// keys and values in turn. `acyclic` means that no item is a container.
    ///
    /// # Errors
    /// [`Fault::Host`] without an exception if the caller's code would run and may not.
    ///
    /// # Safety
    /// Nobody else may have a reference to `tuple`, which must have one item
    /// for each item of the container. If the container is a struct,
    /// [`Container::make_items`](super::container::Container) must have made the tuple.
    #[inline]
    pub unsafe fn build<A: Access>(
        &mut self,
        access: A,
        container: Container,
        tuple: Object,
        acyclic: bool,
        may_call: MayCall,
    ) -> OpResult<Object> {
        // SAFETY: the caller's promise.
        let items = unsafe { BuiltItems::of(access.py(), tuple) };
        if let Container::Struct(table) = container {
            match self.how(table as usize) {
                Build::Restore(maker) => {
                    return self.instance(access, &maker, items, acyclic, may_call);
                }
                Build::Call(maker) => return self.called(access, &maker, items, may_call),
                Build::Tuple | Build::Dict => {}
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.collect(access, container, items, acyclic) }
    }

    /// How struct `table` is made.
    #[inline(always)]
    fn how(&self, table: usize) -> Build {
        if let Some(maker) = self.names.given().and_then(|names| names.maker(table)) {
            return match self.restores && maker.restoration.is_some() {
                true => Build::Restore(maker.clone()),
                false => Build::Call(maker.clone()),
            };
        }
        let is_record = !self.makes_dicts && self.names.tables().structs[table].name.is_some();
        if is_record { Build::Tuple } else { Build::Dict }
    }

    /// Whether making some struct runs code of the caller's classes, whatever the row has.
    pub fn calls_classes(&self) -> bool {
        let calls = |table| match self.how(table) {
            Build::Restore(maker) => {
                maker.converts() || maker.restoration.as_ref().is_some_and(|of| of.runs_code())
            }
            Build::Call(maker) => !(self.are_unchanged && maker.is_tuple()),
            Build::Tuple | Build::Dict => false,
        };
        (0..self.names.tables().structs.len()).any(calls)
    }

    /// Builds a container that is not an instance of a caller's class.
    ///
    /// # Safety
    /// As for [`Building::build`].
    #[inline(always)]
    unsafe fn collect<A: Access>(
        &mut self,
        access: A,
        container: Container,
        items: BuiltItems<'_>,
        acyclic: bool,
    ) -> OpResult<Object> {
        // No garbage collection while some containers are not registered with the collector yet.
        let _quiet = logical::Quiet::new(access.py());
        // SAFETY: the caller's promise.
        unsafe {
            match container {
                Container::Set | Container::FrozenSet => {
                    hash_flood::check(access, items.tuple(), 1)?;
                    self.set(access.py(), container, &items)
                }
                Container::Map => {
                    hash_flood::check(access, items.tuple(), 2)?;
                    self.map(access.py(), &items)
                }
                Container::Struct(table) => match self.how(table as usize) {
                    Build::Tuple => self.record(access, table as usize, items, acyclic),
                    _ => {
                        let made = self.dict(access, table as usize, &items, acyclic)?;
                        self.without_fields_set(access.py(), table as usize, made)
                    }
                },
                Container::List | Container::Tuple => {
                    unreachable!("lists and tuples are filled with their items")
                }
            }
        }
    }

    /// Takes the field from a dict of a record which says what fields a model was given.
    ///
    /// # Safety
    /// `dict` must be a dict of the struct that nobody else has.
    unsafe fn without_fields_set(
        &self,
        py: Python<'_>,
        table: usize,
        dict: Object,
    ) -> OpResult<Object> {
        let names = &self.names.tables().structs[table];
        if !self.makes_dicts || names.fields.last().is_none_or(|name| &**name != FIELDS_SET) {
            return Ok(dict);
        }
        // SAFETY: the caller's promise.
        let dict = unsafe { Bound::from_owned_ptr(py, dict) };
        let key = self.names.get(py)?.keys(table).object(names.fields.len() - 1);
        // SAFETY: the caller's promise; the key is a plain string.
        match unsafe { ffi::PyDict_DelItem(dict.as_ptr(), key) } {
            0 => Ok(dict.into_ptr()),
            _ => Err(Fault::Host),
        }
    }

    unsafe fn set(
        &mut self,
        py: Python<'_>,
        container: Container,
        items: &BuiltItems<'_>,
    ) -> OpResult<Object> {
        // SAFETY: the items are a tuple's.
        unsafe {
            let set = match container {
                Container::FrozenSet => ffi::PyFrozenSet_New(items.tuple()),
                _ => ffi::PySet_New(items.tuple()),
            };
            let made = self.made(py, set, "an element of a set")?;
            if ffi::PySet_Size(set) as usize == items.len() {
                return Ok(made.into_ptr());
            }
            let all = (0..items.len()).map(|at| items.get(at));
            self.refusal = twice(py, all, "a set", "elements");
            Err(Fault::Unrepresentable)
        }
    }

    unsafe fn map(&mut self, py: Python<'_>, items: &BuiltItems<'_>) -> OpResult<Object> {
        // SAFETY: the items are a tuple's, and there is an even number of them.
        unsafe {
            let dict = ffi::PyDict_New();
            let made = self.made(py, dict, "a dict")?;
            let entries = items.len() / 2;
            for entry in 0..entries {
                let (key, value) = (items.get(entry * 2), items.get(entry * 2 + 1));
                if ffi::PyDict_SetItem(dict, key, value) != 0 {
                    return Err(self.failed(py, "a key of a dict"));
                }
            }
            if ffi::PyDict_Size(dict) as usize == entries
                || self.objects.as_ref().is_some_and(|objects| objects.may_join_keys())
            {
                return Ok(made.into_ptr());
            }
            let keys = (0..entries).map(|entry| items.get(entry * 2));
            self.refusal = twice(py, keys, "a dict", "keys");
            Err(Fault::Unrepresentable)
        }
    }

    unsafe fn dict<A: Access>(
        &mut self,
        access: A,
        table: usize,
        items: &BuiltItems<'_>,
        acyclic: bool,
    ) -> OpResult<Object> {
        let py = access.py();
        let keys = self.names.get(py)?.keys(table);
        // SAFETY: the items are a tuple's, as many as there are keys.
        unsafe {
            let first = access.items_of(items.tuple(), Container::Tuple);
            if let Some(values) = access.lie_at(first)
                && (0..items.len()).all(|at| !(*values.add(at)).is_null())
                && let Some(template) = keys.template(py)?
                && let values = std::slice::from_raw_parts_mut(values, items.len())
                && let Some(dict) = template.dict(py, values, acyclic)?
            {
                return Ok(dict);
            }
            let dict = ffi::PyDict_New();
            let made = new_object(py, dict)?;
            for at in 0..items.len() {
                let value = items.get(at);
                if !value.is_null() && ffi::PyDict_SetItem(dict, keys.object(at), value) != 0 {
                    return Err(Fault::Host);
                }
            }
            Ok(made.into_ptr())
        }
    }

    unsafe fn record<A: Access>(
        &mut self,
        access: A,
        table: usize,
        items: BuiltItems<'_>,
        acyclic: bool,
    ) -> OpResult<Object> {
        let py = access.py();
        let names = self.names.get(py)?;
        let (class, attributes) = if let Some(objects) = &self.objects
            && let Some(class) = objects.class(&self.names.tables().structs[table])
        {
            let attributes = match &mut self.attributes[table] {
                Some(attributes) => attributes,
                place => {
                    let made = objects.attributes(py, table, names.keys(table));
                    place.insert(made.map_err(|error| raised(py, error))?)
                }
            };
            (class, Some(&*attributes))
        } else {
            let class = names.class(py, self.names.tables(), table);
            (class.map_err(|error| raised(py, error))?, None)
        };
        // SAFETY: the caller's promise.
        unsafe { class.object(access, items, attributes, acyclic) }
    }

    /// An object of a caller's class with these values, restored unless the class must be called.
    #[inline(always)]
    fn instance<A: Access>(
        &mut self,
        access: A,
        maker: &Maker,
        mut items: BuiltItems<'_>,
        acyclic: bool,
        may_call: MayCall,
    ) -> OpResult<Object> {
        let Some(restoration) = &maker.restoration else { return Err(Fault::TypeMismatch) };
        let runs_code = maker.converts() || restoration.runs_code();
        if runs_code && may_call == MayCall::No {
            return Err(Fault::Host);
        }
        let py = items.py();
        if maker.converts() {
            self.convert(maker, &mut items)?;
        }
        // SAFETY: there is an item for each field.
        unsafe {
            let mut given = null_mut();
            if maker.has_fields_set() {
                given = items.get(items.len() - 1);
                if given == ffi::Py_None() {
                    given = null_mut();
                }
            }
            let mut own = None;
            // The plan does not know what the caller's code makes.
            let mut acyclic = acyclic && !maker.converts();
            if !restoration.are_all_there(access, &items) {
                acyclic = false;
                if may_call == MayCall::No && restoration.calls_for_missing(&items) {
                    return Err(Fault::Host);
                }
                if restoration.is_of_model() && given.is_null() {
                    let names = restoration.given(py, &items);
                    given = own.insert(names.map_err(|error| raised(py, error))?).as_ptr();
                }
                match restoration.complete(py, &mut items) {
                    Ok(true) => {}
                    Ok(false) => return self.made_by_class(access, maker, items, may_call),
                    Err(error) => return Err(self.refused(py, maker, error)),
                }
            }
            match restoration.object(access, &items, given, acyclic) {
                Err(Fault::Host) if restoration.runs_code() => {
                    let error = PyErr::take(py).ok_or(Fault::Host)?;
                    Err(self.refused(py, maker, error))
                }
                made => made,
            }
        }
    }

    #[cold]
    fn convert<'py>(&mut self, maker: &Maker, items: &mut BuiltItems<'py>) -> OpResult {
        let py = items.py();
        maker.convert(items).map_err(|error| self.refused(py, maker, error))
    }

    /// The fault for what code of a caller's class raises.
    #[cold]
    fn refused(&mut self, py: Python<'_>, maker: &Maker, error: PyErr) -> Fault {
        if !is_of_the_class(py, &error) {
            return raised(py, error);
        }
        self.refusal = maker.refusal(py, &error);
        self.cause = Some(error);
        Fault::Unrepresentable
    }

    /// What calling a caller's class with these values gives.
    fn called<A: Access>(
        &mut self,
        access: A,
        maker: &Maker,
        mut items: BuiltItems<'_>,
        may_call: MayCall,
    ) -> OpResult<Object> {
        if maker.converts() {
            if may_call == MayCall::No {
                return Err(Fault::Host);
            }
            self.convert(maker, &mut items)?;
        }
        self.made_by_class(access, maker, items, may_call)
    }

    fn made_by_class<A: Access>(
        &mut self,
        access: A,
        maker: &Maker,
        mut items: BuiltItems<'_>,
        may_call: MayCall,
    ) -> OpResult<Object> {
        let py = items.py();
        let in_order = self.are_unchanged && maker.complete(&mut items);
        if let Some(class) = maker.tuple_class()
            && in_order
        {
            // An instance refers to its class, which may be collectable, so the collector must know
            // the instance.
            // SAFETY: the items are a struct's.
            return unsafe { class.object(access, items, None, false) };
        }
        if may_call == MayCall::No {
            return Err(Fault::Host);
        }
        let made = maker.make(&items, in_order);
        made.map(Bound::into_ptr).map_err(|error| self.refused(py, maker, error))
    }

    /// A new reference to a member of enum `table`.
    #[inline]
    pub fn member<A: Access>(&mut self, access: A, table: u32, index: i64) -> OpResult<Object> {
        let py = access.py();
        let names = self.names.get(py)?;
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

    /// Checks a new object; `what` describes it in the error.
    ///
    /// # Safety
    /// As for [`new_object`].
    unsafe fn made<'py>(
        &mut self,
        py: Python<'py>,
        object: Object,
        what: &str,
    ) -> OpResult<Bound<'py, PyAny>> {
        // SAFETY: the caller's promise.
        unsafe { new_object(py, object) }.map_err(|_| self.failed(py, what))
    }

    /// Converts Python's current exception to a fault. An exception from the code of a caller's
    /// class, such as `__hash__`, becomes an error of the value; `what` describes that value.
    fn failed(&mut self, py: Python<'_>, what: &str) -> Fault {
        match PyErr::take(py) {
            Some(error) if is_of_the_class(py, &error) => {
                self.refusal = match error.is_instance_of::<PyTypeError>(py) {
                    true => format!("{what} has no hash in Python: {}", error.value(py)),
                    false => format!("{what} can't be inserted: {}", shown(&error)),
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

/// Whether an exception comes from a caller's class, and neither from lack of memory nor from an
/// interrupt.
fn is_of_the_class(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyMemoryError>(py)
}

/// Restores a Python exception and returns its fault.
#[cold]
pub(super) fn raised(py: Python<'_>, error: PyErr) -> Fault {
    error.restore(py);
    Fault::Host
}

/// Error text for two items that are equal in Python, so that `what` can't contain both.
///
/// # Safety
/// The items must be alive.
#[cold]
unsafe fn twice(
    py: Python<'_>,
    mut items: impl Iterator<Item = Object>,
    what: &str,
    those: &str,
) -> String {
    // SAFETY: the caller's promise.
    let shown = unsafe {
        let seen = made::dict(py).ok();
        items.find_map(|item| {
            let seen = seen.as_ref()?;
            let item = Bound::from_borrowed_ptr(py, item);
            let before = seen.get_item(&item).ok()?;
            seen.set_item(&item, &item).ok()?;
            Some(format!("{} and {}", before?.repr().ok()?, item.repr().ok()?))
        })
    };
    let shown = shown.unwrap_or_else(|| "two of them".into());
    format!("{what} contains {those} that are equal in Python: {shown}")
}
