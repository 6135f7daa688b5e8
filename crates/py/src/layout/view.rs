//! Sets, dicts and records as runs of items, which are read like the items of a tuple.
//!
//! The items of a run are borrowed references. They belong to the rows, which don't change while
//! they are read.

use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::plan::Tables;
use serow_core::runs::Runs;
use serow_core::schema::Container;

use super::entries::{Entries, Named};
use super::names::{self, PlanNames};
use super::records::{Classes, ObjectClass, ObjectKind};
use super::{Access, Held, Object, is_exactly, logical};

/// The items of a container in the order of the plan.
#[derive(Clone, Copy)]
pub struct Run {
    /// Borrowed references; null for a missing field of a dict.
    pub items: *mut Object,
    /// The number of elements or fields. An element of a map is two items: key and value.
    pub len: usize,
}

/// State of the views of containers.
pub struct Views {
    classes: Rc<Classes>,
    by_key_order: bool,
    names: PlanNames,
    structs: Vec<Fields>,
    enums: Vec<Option<Rc<ObjectClass>>>,
    room: Runs<Object>,
    scratch: Vec<u8>,
}

/// What is known about the values of one struct.
#[derive(Default)]
struct Fields {
    /// The objects that were the names of the fields in the last value. The rows keep them alive,
    /// and most values share them.
    keys: Vec<Object>,
    /// The same, kept alive for other rows.
    held: Vec<Py<PyAny>>,
    /// Whether some of these objects are not the plan's own.
    has_others: bool,
    /// The class whose instances are known to be records of this struct.
    class: Option<Rc<ObjectClass>>,
}

impl Views {
    /// `classes` describes the classes of the values in the rows. If `by_key_order`, the keys of dicts
    /// must be in the order of the fields.
    pub fn new(classes: Rc<Classes>, by_key_order: bool) -> Views {
        let by_key_order = by_key_order || classes.exact().is_some();
        Views {
            classes,
            by_key_order,
            names: PlanNames::new(None),
            structs: Vec::new(),
            enums: Vec::new(),
            room: Runs::default(),
            scratch: Vec::new(),
        }
    }

    /// Sets the tables of the plan that reads the next rows.
    #[inline(always)]
    pub fn names(&mut self, py: Python<'_>, tables: &Arc<Tables>) {
        if self.names.set(py, tables) {
            self.structs.clear();
            self.structs.resize_with(tables.structs.len(), Fields::default);
            self.enums.clear();
            self.enums.resize_with(tables.enums.len(), || None);
        }
    }

    /// Forgets what belongs to the rows, so that the views can be used for other rows. It keeps the names
    /// in their dicts, which the next rows probably share.
    ///
    /// # Safety
    /// The rows must be alive.
    pub unsafe fn settle(&mut self, py: Python<'_>) {
        for fields in self.structs.iter_mut().filter(|fields| fields.has_others) {
            // SAFETY: the caller's promise. The rows or `held` have the objects.
            let hold = |&key: &Object| unsafe { Bound::from_borrowed_ptr(py, key).unbind() };
            fields.held = fields.keys.iter().map(hold).collect();
            fields.has_others = false;
        }
        self.room.shrink();
        self.scratch = Vec::new();
        self.classes.settle();
    }

    /// Frees all runs.
    #[inline(always)]
    pub fn release(&mut self) {
        self.room.clear();
    }

    /// The items of `object`, or a type mismatch if it is not such a container. Lists and tuples
    /// need no view.
    ///
    /// # Safety
    /// `object` must be in the rows, which must not change while the run is used. The GIL must be
    /// held.
    #[inline]
    pub unsafe fn view<A: Access>(
        &mut self,
        access: A,
        object: Object,
        container: Container,
    ) -> OpResult<Run> {
        // SAFETY: the caller's promise; an object's type is checked before it is read.
        unsafe {
            let is = |ty| is_exactly(object, ty);
            match container {
                Container::Set if is(&raw mut ffi::PySet_Type) => self.set(access.py(), object),
                Container::FrozenSet if is(&raw mut ffi::PyFrozenSet_Type) => {
                    self.set(access.py(), object)
                }
                Container::Map if is(&raw mut ffi::PyDict_Type) => self.map(object),
                Container::Struct(table) => {
                    match self.names.tables().structs[table as usize].name {
                        None if is(&raw mut ffi::PyDict_Type) => {
                            self.dict(access, object, table as usize)
                        }
                        None => Err(Fault::TypeMismatch),
                        Some(_) => self.record(access, object, table as usize),
                    }
                }
                _ => Err(Fault::TypeMismatch),
            }
        }
    }

    unsafe fn set(&mut self, py: Python<'_>, object: Object) -> OpResult<Run> {
        // SAFETY: the object is a set.
        unsafe {
            let len = ffi::PySet_Size(object) as usize;
            let items = self.room.take(len, null_mut())?;
            elements_of(py, object, std::slice::from_raw_parts_mut(items, len))?;
            Ok(Run { items, len })
        }
    }

    unsafe fn map(&mut self, object: Object) -> OpResult<Run> {
        // SAFETY: the object is a dict, and the loop stops at the end of the run.
        unsafe {
            let len = ffi::PyDict_Size(object) as usize;
            let items = self.room.take(len * 2, null_mut())?;
            let (mut entries, mut to) = (Entries::of(object), items);
            while let Some((key, value)) = entries.next().filter(|_| to < items.add(len * 2)) {
                *to = key;
                *to.add(1) = value;
                to = to.add(2);
            }
            Ok(Run { items, len })
        }
    }

    unsafe fn dict<A: Access>(&mut self, access: A, object: Object, table: usize) -> OpResult<Run> {
        let in_order = self.by_key_order;
        // SAFETY: the object is a dict in the rows.
        unsafe {
            let (run, found) = self.keyed(access, object, table, in_order, |_| false)?;
            if found < run.len {
                let items = std::slice::from_raw_parts_mut(run.items, run.len);
                for (item, &maybe) in items.iter_mut().zip(&self.names.tables().maybe[table]) {
                    if !maybe && item.is_null() {
                        *item = names::missing(access.py())?;
                    }
                }
            }
            Ok(run)
        }
    }

    unsafe fn record<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
    ) -> OpResult<Run> {
        let names = &self.names.tables().structs[table].fields;
        let len = names.len();
        // SAFETY: the object is alive, and its class is checked to be the struct's.
        unsafe {
            if let Some(objects) = self.classes.objects() {
                let known = &mut self.structs[table].keys;
                return match objects.held(access.py(), object, table, names, known)? {
                    Held::Items(kind) => self.listed(access, object, kind, len),
                    Held::Entries => self.dict_or_none(access, object, table),
                };
            }
            if !self.is_record(access.py(), object, table as u32) {
                return Err(Fault::TypeMismatch);
            }
            let Some(class) = &self.structs[table].class else { return Err(Fault::TypeMismatch) };
            if let Some(items) = class.items(access, object, len) {
                return Ok(Run { items, len });
            }
            let items = self.room.take(len, null_mut())?;
            let run = std::slice::from_raw_parts_mut(items, len);
            class.read(access, object, run, &mut self.scratch)?;
            Ok(Run { items, len })
        }
    }

    /// The items of a list, a tuple or an instance of their subclasses, of this length.
    ///
    /// # Safety
    /// As for [`Views::view`].
    unsafe fn listed<A: Access>(
        &mut self,
        access: A,
        object: Object,
        kind: Container,
        len: usize,
    ) -> OpResult<Run> {
        // SAFETY: the caller's promise; the caller has checked the length.
        unsafe {
            let mut items = access.items_of(object, kind);
            if let Some(items) = access.lie_at(items) {
                return Ok(Run { items, len });
            }
            let run = self.room.take(len, null_mut())?;
            for at in 0..len {
                *run.add(at) = access.next(&mut items);
            }
            Ok(Run { items: run, len })
        }
    }

    /// The values of a dict for the fields of a struct, with `None` for missing keys as from
    /// `dict.get`.
    ///
    /// # Safety
    /// `object` must be a dict in the rows.
    unsafe fn dict_or_none<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
    ) -> OpResult<Run> {
        // A key that is not a str may still equal a name.
        // SAFETY: the keys are alive.
        let is_text = |key| unsafe { is_exactly(key, &raw mut ffi::PyUnicode_Type) };
        // SAFETY: the object is a dict in the rows.
        unsafe {
            let (run, found) = self.keyed(access, object, table, false, is_text)?;
            if found < run.len {
                let none = ffi::Py_None();
                let items = std::slice::from_raw_parts_mut(run.items, run.len);
                items.iter_mut().filter(|item| item.is_null()).for_each(|item| *item = none);
            }
            Ok(run)
        }
    }

    /// The values of a dict for the fields of struct `table`, null for missing keys; and the number
    /// of values found.
    ///
    /// # Safety
    /// `object` must be a dict in the rows.
    #[inline(always)]
    unsafe fn keyed<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
        in_order: bool,
        may_pass_over: impl Fn(Object) -> bool,
    ) -> OpResult<(Run, usize)> {
        let names = self.names.get(access.py())?;
        let (fields, keys) = (&self.names.tables().structs[table].fields, names.keys(table));
        let Fields { keys: known, has_others, .. } = &mut self.structs[table];
        if known.is_empty() {
            known.extend(keys.objects());
        }
        let len = fields.len();
        let items = self.room.take(len, null_mut())?;
        let place = |text: &[u8]| keys.place(fields, text);
        let scratch = &mut self.scratch;
        let mut named = Named { known, fields, place, in_order, scratch, has_others: false };
        // SAFETY: the object is a dict, and the run has an item for every field.
        let found = unsafe {
            let run = std::slice::from_raw_parts_mut(items, len);
            named.put(access, object, run, may_pass_over)
        };
        *has_others |= named.has_others;
        Ok((Run { items, len }, found?))
    }

    /// Whether `object` is a record with the names of struct `table`.
    ///
    /// # Safety
    /// `object` must be in the rows.
    #[inline]
    pub unsafe fn is_record(&mut self, py: Python<'_>, object: Object, table: u32) -> bool {
        let known = &mut self.structs[table as usize].class;
        // SAFETY: the caller's promise.
        unsafe {
            let is_known = |class: &Rc<ObjectClass>| {
                class.is_of_one_shape(object) && self.classes.is_current(class)
            };
            if known.as_ref().is_some_and(is_known) {
                return true;
            }
            let ObjectKind::Record(class, names) = self.classes.of(py, object) else {
                return false;
            };
            let is = class.fits(&names, &self.names.tables().structs[table as usize]);
            if is {
                *known = Some(class);
            }
            is
        }
    }

    /// The index of `object` among the members of enum `table`, if it is one.
    ///
    /// # Safety
    /// As for [`Views::is_record`].
    #[inline]
    pub unsafe fn member(&mut self, py: Python<'_>, object: Object, table: u32) -> Option<u32> {
        let known = &mut self.enums[table as usize];
        // SAFETY: the caller's promise.
        unsafe {
            let is_known =
                |class: &&Rc<ObjectClass>| class.is_of(object) && self.classes.is_current(class);
            if let Some(class) = known.as_ref().filter(is_known) {
                return class.member(object);
            }
            let ObjectKind::Member(class, of) = self.classes.of(py, object) else { return None };
            if *of != *self.names.tables().enums[table as usize] {
                return None;
            }
            known.insert(class).member(object)
        }
    }
}

/// Puts the elements of a set into `items` as borrowed references.
///
/// # Safety
/// `object` must be a live set or frozenset with `items.len()` elements.
pub unsafe fn elements_of(py: Python<'_>, object: Object, items: &mut [Object]) -> OpResult {
    // Iterating over a set runs only C code.
    let _quiet = logical::Quiet::new(py);
    // SAFETY: the caller's promise; the set keeps its elements alive.
    unsafe {
        let elements = ffi::PyObject_GetIter(object);
        if elements.is_null() {
            return Err(Fault::Host);
        }
        for item in items {
            let element = ffi::PyIter_Next(elements);
            if element.is_null() {
                break;
            }
            ffi::Py_DecRef(element);
            *item = element;
        }
        ffi::Py_DecRef(elements);
    }
    Ok(())
}
