//! Sets, dicts and records as runs of items, which are read as those of a tuple are.
//!
//! Nothing in a run holds a reference: what is in it belongs to the rows, which don't change while they
//! are read.

use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::{OpResult, Text};
use serow_core::plan::Tables;
use serow_core::schema::Container;

use super::item_runs::ItemRuns;
use super::names::{self, PlanNames, PyNames};
use super::records::{Classes, Exactly, ObjectClass, ObjectKind, is_named};
use super::{Access, Object, container, is_exactly, logical, spark};

/// The items of a container in the order of a plan.
#[derive(Clone, Copy)]
pub struct Run {
    /// Borrowed references. A field of a dict that may be missing and is stands there as null.
    pub items: *mut Object,
    /// The number of elements or fields. An element of a map is two items, its key and its value.
    pub len: usize,
}

/// So many keys beyond the one that is expected are looked at before a key is looked up by its text.
const NEAR: usize = 16;

/// What is kept while the containers of rows are viewed.
pub struct Views<'a> {
    classes: &'a Classes,
    names: PlanNames,
    structs: Vec<Fields>,
    enums: Vec<Option<Rc<ObjectClass>>>,
    room: ItemRuns,
    scratch: Vec<u8>,
}

/// What was found out about the values of one struct.
#[derive(Default)]
struct Fields {
    /// The objects that were the names of its fields in the last value. They are alive, since the rows
    /// have them, and mostly they are the same in all values.
    keys: Vec<Object>,
    /// The class of which records were found to be the struct's.
    class: Option<Rc<ObjectClass>>,
}

impl<'a> Views<'a> {
    /// Of values in rows whose classes are described in `classes`. If `names` are given, they are those of every
    /// plan by which the rows are read.
    pub fn new(classes: &'a Classes, names: Option<Arc<PyNames>>) -> Views<'a> {
        Views {
            classes,
            names: PlanNames::new(names),
            structs: Vec::new(),
            enums: Vec::new(),
            room: ItemRuns::default(),
            scratch: Vec::new(),
        }
    }

    /// Be told the names of the plan by which rows are read from now on.
    #[inline(always)]
    pub fn names(&mut self, tables: &Arc<Tables>) {
        if self.names.set(tables) {
            self.structs.clear();
            self.structs.resize_with(tables.structs.len(), Fields::default);
            self.enums.clear();
            self.enums.resize_with(tables.enums.len(), || None);
        }
    }

    /// Let go of all runs.
    #[inline(always)]
    pub fn release(&mut self) {
        self.room.clear();
    }

    /// The items of `object`; a misfit if it is no such container. Lists and tuples need no view.
    ///
    /// # Safety
    /// `object` must be in the rows, which don't change as long as the run is used, and the GIL be held.
    #[inline]
    pub unsafe fn view<A: Access>(
        &mut self,
        access: A,
        object: Object,
        container: Container,
    ) -> OpResult<Run> {
        // SAFETY: as above; what an object is, is looked at before it is read.
        unsafe {
            let is = |ty| is_exactly(object, ty);
            match container {
                Container::Set if is(&raw mut ffi::PySet_Type) => self.set(object),
                Container::FrozenSet if is(&raw mut ffi::PyFrozenSet_Type) => self.set(object),
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

    unsafe fn set(&mut self, object: Object) -> OpResult<Run> {
        // SAFETY: the object is a set.
        unsafe {
            let len = ffi::PySet_Size(object) as usize;
            let items = self.room.take(len)?;
            elements_of(object, std::slice::from_raw_parts_mut(items, len))?;
            Ok(Run { items, len })
        }
    }

    unsafe fn map(&mut self, object: Object) -> OpResult<Run> {
        // SAFETY: the object is a dict, of which no more entries are taken than there is room for.
        unsafe {
            let len = ffi::PyDict_Size(object) as usize;
            let items = self.room.take(len * 2)?;
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
        let in_order = self.classes.exact().is_some();
        // SAFETY: the object is a dict in the rows.
        unsafe {
            let (run, found) = self.keyed(access, object, table, in_order, |_| false)?;
            if found < run.len {
                let items = std::slice::from_raw_parts_mut(run.items, run.len);
                for (item, &maybe) in items.iter_mut().zip(&self.names.tables().maybe[table]) {
                    if !maybe && item.is_null() {
                        *item = names::missing()?;
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
        if self.names.given().is_some_and(|names| names.spark_rows().is_some()) {
            // SAFETY: the object is in the rows.
            return unsafe { self.spark_row(access, object, table) };
        }
        if let Some(exactly) = self.classes.exact() {
            // SAFETY: the object is in the rows.
            return unsafe { self.exact_row(access, object, table, exactly) };
        }
        // SAFETY: the object is alive, and of a class that was found to be the struct's.
        unsafe {
            if !self.is_record(object, table as u32) {
                return Err(Fault::TypeMismatch);
            }
            let Some(class) = &self.structs[table].class else { return Err(Fault::TypeMismatch) };
            let len = self.names.tables().structs[table].fields.len();
            if let Some(items) = class.items(access, object, len) {
                return Ok(Run { items, len });
            }
            let items = self.room.take(len)?;
            let run = std::slice::from_raw_parts_mut(items, len);
            class.read(access, object, run, &mut self.scratch)?;
            Ok(Run { items, len })
        }
    }

    /// The values of a row of PySpark's with the names of struct `table`.
    ///
    /// # Safety
    /// `object` must be in the rows, and the GIL be held.
    unsafe fn exact_row<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
        exactly: &Exactly,
    ) -> OpResult<Run> {
        let (names, known) =
            (&self.names.tables().structs[table].fields, &mut self.structs[table].keys);
        // SAFETY: as above; a row is a tuple, which has its items where a tuple has them.
        unsafe {
            if !exactly.is_row(object)
                || ffi::Py_SIZE(object) as usize != names.len()
                || !is_named(object, names, known)
            {
                return Err(Fault::TypeMismatch);
            }
            let len = names.len();
            self.listed(access, object, Container::Tuple, len)
        }
    }

    /// The items of a list or tuple of that length, or of an object of a subclass.
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
        // SAFETY: as above; there are so many items.
        unsafe {
            let mut items = access.items_of(object, kind);
            if let Some(items) = access.lie_at(items) {
                return Ok(Run { items, len });
            }
            let run = self.room.take(len)?;
            for at in 0..len {
                *run.add(at) = access.next(&mut items);
            }
            Ok(Run { items: run, len })
        }
    }

    /// The values of a struct of Spark's: of a tuple, a list or a row, whose names are of no account, or
    /// those that a dict has by the names of the fields.
    ///
    /// # Safety
    /// `object` must be alive, and the GIL be held.
    unsafe fn spark_row<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
    ) -> OpResult<Run> {
        let len = self.names.tables().structs[table].fields.len();
        // SAFETY: as above; an object that is like a tuple has its items where a tuple has them.
        unsafe {
            let kind = match container::which(object) {
                Some(kind) => kind,
                None if is_exactly(object, &raw mut ffi::PyDict_Type) => {
                    return self.spark_dict(access, object, table);
                }
                None if spark::is_like_a_tuple(object) => Container::Tuple,
                None => return Err(Fault::TypeMismatch),
            };
            if ffi::Py_SIZE(object) as usize != len {
                return Err(Fault::TypeMismatch);
            }
            self.listed(access, object, kind, len)
        }
    }

    /// The values that a dict has for the fields of a struct, or `None`, as `dict.get` gives them.
    ///
    /// # Safety
    /// `object` must be a dict in the rows, and the GIL be held.
    unsafe fn spark_dict<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
    ) -> OpResult<Run> {
        let names = self.names.get()?;
        if !names.spark_rows().is_some_and(|rows| rows.are_distinct[table]) {
            return Err(Fault::TypeMismatch);
        }
        // A key of another class may be equal to a name all the same.
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

    /// The values of a dict with the names of struct `table`, null for those that it lacks, and how many it has.
    ///
    /// # Safety
    /// `object` must be a dict in the rows, and the GIL be held.
    #[inline(always)]
    unsafe fn keyed<A: Access>(
        &mut self,
        access: A,
        object: Object,
        table: usize,
        in_order: bool,
        may_pass_over: impl Fn(Object) -> bool,
    ) -> OpResult<(Run, usize)> {
        let names = self.names.get()?;
        let (fields, keys) = (&self.names.tables().structs[table].fields, names.keys(table));
        let known = &mut self.structs[table].keys;
        if known.is_empty() {
            known.extend(keys.objects());
        }
        let len = fields.len();
        let items = self.room.take(len)?;
        let place = |text: &[u8]| keys.place(fields, text);
        let mut named = Named { known, fields, place, in_order, scratch: &mut self.scratch };
        // SAFETY: the object is a dict, and there is a place for every field.
        unsafe {
            let run = std::slice::from_raw_parts_mut(items, len);
            let found = named.put(access, object, run, may_pass_over)?;
            Ok((Run { items, len }, found))
        }
    }

    /// Whether `object` is a record with the names of struct `table`.
    ///
    /// # Safety
    /// `object` must be in the rows, and the GIL be held.
    #[inline]
    pub unsafe fn is_record(&mut self, object: Object, table: u32) -> bool {
        let known = &mut self.structs[table as usize].class;
        // SAFETY: as above.
        unsafe {
            if known.as_ref().is_some_and(|class| class.is_of_one_shape(object)) {
                return true;
            }
            let ObjectKind::Record(class, names) = self.classes.of(object) else { return false };
            let is = *names == *self.names.tables().structs[table as usize];
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
    pub unsafe fn member(&mut self, object: Object, table: u32) -> Option<u32> {
        let known = &mut self.enums[table as usize];
        // SAFETY: as above.
        unsafe {
            if let Some(class) = known.as_ref().filter(|class| class.is_of(object)) {
                return class.member(object);
            }
            let ObjectKind::Member(class, of) = self.classes.of(object) else { return None };
            if *of != *self.names.tables().enums[table as usize] {
                return None;
            }
            known.insert(class).member(object)
        }
    }
}

/// The values of a dict, put into the places of the fields that its keys name.
pub struct Named<'n, P> {
    /// The objects that were the names of the fields in the last dict. They are mostly the same in the
    /// next, in the same order.
    pub known: &'n mut [Object],
    /// The names.
    pub fields: &'n [Arc<str>],
    /// Finds a name's place by its text.
    pub place: P,
    /// Whether the keys have to stand in the order of the fields, which is the one in which they come back.
    pub in_order: bool,
    pub scratch: &'n mut Vec<u8>,
}

impl<P: Fn(&[u8]) -> Option<usize>> Named<'_, P> {
    /// Put the values of `dict` into `items`, borrowed, and say how many there are. A key that names no
    /// field is a misfit unless it may be passed over.
    ///
    /// # Safety
    /// `dict` must be a live dict that does not change as long as what was known of others is used, and
    /// the GIL be held.
    #[inline(always)]
    pub unsafe fn put<A: Access>(
        &mut self,
        access: A,
        dict: Object,
        items: &mut [Object],
        may_pass_over: impl Fn(Object) -> bool,
    ) -> OpResult<usize> {
        // SAFETY: as above.
        let mut entries = unsafe { Entries::of(dict) };
        let (mut next, mut found) = (0, 0);
        while let Some((key, value)) = entries.next() {
            let at = match self.known.get(next) {
                Some(&known) if known == key => next,
                // SAFETY: as above.
                _ => match unsafe { self.find(access, key, next) }? {
                    Some(at) => at,
                    None if may_pass_over(key) => continue,
                    None => return Err(Fault::TypeMismatch),
                },
            };
            if self.in_order && at < next {
                return Err(Fault::TypeMismatch);
            }
            items[at] = value;
            next = at + 1;
            found += 1;
        }
        Ok(found)
    }

    /// The place of a key that is not the one that was expected next.
    unsafe fn find<A: Access>(
        &mut self,
        access: A,
        key: Object,
        next: usize,
    ) -> OpResult<Option<usize>> {
        let len = self.known.len();
        let near = &self.known[next.min(len)..len.min(next + NEAR)];
        if let Some(after) = near.iter().position(|&known| known == key) {
            return Ok(Some(next + after));
        }
        // SAFETY: the key is alive.
        let bytes = match unsafe { access.read_str(key, self.scratch) } {
            Ok(Text::Plain { bytes, .. }) => bytes,
            Err(Fault::Host) => return Err(Fault::Host),
            _ => return Ok(None),
        };
        let is_next = self.fields.get(next).is_some_and(|field| field.as_bytes() == bytes);
        let at = if is_next { Some(next) } else { (self.place)(bytes) };
        if let Some(at) = at {
            self.known[at] = key;
        }
        Ok(at)
    }
}

/// Put the elements of a set into `items`, borrowed.
///
/// # Safety
/// `object` must be a live set or frozenset of so many elements, and the GIL be held.
pub unsafe fn elements_of(object: Object, items: &mut [Object]) -> OpResult {
    // An iterator of a set runs no code but its own.
    let _quiet = logical::Quiet::new();
    // SAFETY: as above; the set keeps its elements alive.
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

/// The keys and values of a dict, borrowed, in its order.
pub struct Entries {
    dict: Object,
    at: ffi::Py_ssize_t,
}

impl Entries {
    /// Before the first of `dict`.
    ///
    /// # Safety
    /// It must be a live dict that does not change as long as this is used, and the GIL be held.
    pub unsafe fn of(dict: Object) -> Entries {
        Entries { dict, at: 0 }
    }

    /// The next.
    #[inline(always)]
    pub fn next(&mut self) -> Option<(Object, Object)> {
        let (mut key, mut value) = (null_mut(), null_mut());
        // SAFETY: the dict is alive and does not change.
        let more = unsafe { ffi::PyDict_Next(self.dict, &mut self.at, &mut key, &mut value) };
        (more != 0).then_some((key, value))
    }
}
