//! Python objects as a sink.

use std::ops::ControlFlow;
use std::ptr::{from_mut, null, null_mut};
use std::sync::Arc;
use std::time::Instant;

use pyo3::{PyErr, ffi};
use serow_core::error::Fault;
use serow_core::host_lock::{HostLock, YIELD_INTERVAL};
use serow_core::layout::objects::{OBJECTS, ObjectWriterContext};
use serow_core::layout::{
    Components, ComponentsContext, JitKind, NumberType, Numbers, OpResult, PlainText, Sink,
    SinkBase, Text,
};
use serow_core::memory;
use serow_core::plan::{ComponentColumns, Plan, StrEncoding, Tables};
use serow_core::schema::{Container, Logical, NdArray};

use super::build::{Building, BuiltItems, MayCall, is_built};
use super::foreign::array_maker::{ArrayFill, ArrayMaker, NewArray};
use super::logical::{self, LogicalReading, Times};
use super::making::{Making, ObjectChoices};
use super::names::PyNames;
use super::{Access, Object, StructObjects, container};
use crate::gil::{self, GIL};
use crate::layout::signals;

/// Sink that makes a Python object for each row.
pub struct ObjectWriter<A: Access> {
    access: A,
    /// The complete rows.
    rows: Vec<Object>,
    /// The position of the next item in the innermost open container.
    next: Option<A::Cursor>,
    /// The open containers, outermost first.
    open: Vec<Open<A>>,
    /// The entries of each column's dictionary, as objects.
    dictionaries: Vec<Vec<Object>>,
    /// The addresses of these entries, and the maximum number of rows for the current call of
    /// compiled code.
    entries: Vec<*const *mut ()>,
    jit_rows: usize,
    context: ObjectWriterContext,
    making: Making,
    /// What is left of the array that was begun last.
    array: Option<ArrayFill>,
    /// Why an array could not be filled.
    refusal: String,
    /// Whether other threads may run.
    lets_others_run: bool,
    /// The first checkpoint since they could; `None` until then.
    held_since: Option<Instant>,
}

struct Open<A: Access> {
    /// The container, or the tuple of the items that it will be built from.
    object: Object,
    container: Container,
    /// The position after the container in the enclosing one.
    outside: Option<A::Cursor>,
    acyclic: bool,
    /// Whether its items are set in any order, so that unset items are null.
    in_any_order: bool,
    /// Whether the container is built from a tuple of its items when it ends.
    is_built: bool,
    /// The column of a list that becomes an array when it ends.
    array: Option<u32>,
}

impl<A: Access> ObjectWriter<A> {
    /// # Safety
    /// Only runs of plans may call its methods as
    /// a sink, with rows of one source at a time that has passed this writer the dictionaries of its
    /// strings. A run fills each container with as many items as it has, and ends it.
    pub unsafe fn new(access: A) -> ObjectWriter<A> {
        ObjectWriter {
            access,
            rows: vec![],
            next: None,
            open: vec![],
            dictionaries: vec![],
            entries: vec![],
            jit_rows: 0,
            context: ObjectWriterContext {
                rows: null_mut(),
                done: 0,
                dictionaries: null(),
                components: ComponentsContext::default(),
                making: null_mut(),
            },
            making: Making::new(),
            array: None,
            refusal: String::new(),
            lets_others_run: false,
            held_since: None,
        }
    }

    /// Lets other threads run between rows, and while frames are checked and decompressed. What is decoded
    /// must be memory that they can't change.
    pub fn let_others_run(&mut self) {
        self.lets_others_run = true;
    }

    /// Makes the records of a library.
    pub fn make_objects(&mut self, objects: Arc<dyn StructObjects>) {
        self.making.objects = Some(objects);
    }

    /// Makes the objects that the caller has chosen.
    pub fn choose(&mut self, choices: ObjectChoices) {
        self.making.arrays = choices.arrays.clone();
        self.making.choices = choices;
    }

    /// Makes arrays as `arrays` says, unless the caller has chosen others.
    pub fn make_arrays(&mut self, arrays: &Arc<ArrayMaker>) {
        self.making.choices.arrays.get_or_insert_with(|| arrays.clone());
        self.making.arrays = self.making.choices.arrays.clone();
    }

    /// Makes objects of the caller's classes by calling the classes.
    pub fn validate(&mut self) {
        self.making.choices.validates = true;
    }

    /// Makes dicts of records.
    pub fn make_dicts(&mut self) {
        self.making.choices.makes_dicts = true;
    }

    /// Makes all plans use these names.
    pub fn make_with(&mut self, names: Arc<PyNames>) {
        self.making.names = Some(names);
    }

    /// The exception of a caller's class that caused the refusal.
    pub fn take_cause(&mut self) -> Option<PyErr> {
        self.making.building.as_mut()?.take_cause()
    }

    /// Moves the only row out. Null if there is none.
    pub fn take_row(&mut self) -> Object {
        self.rows.pop().unwrap_or(null_mut())
    }

    /// Moves all rows to a new list; null if there is no memory.
    pub fn take_list(&mut self) -> Object {
        // SAFETY: the GIL is held, and the list has an item for every row.
        unsafe {
            let list = ffi::PyList_New(self.rows.len() as ffi::Py_ssize_t);
            if !list.is_null() {
                let mut items = self.access.items_of(list, Container::List);
                for row in self.rows.drain(..) {
                    self.access.fill(&mut items, row);
                }
            }
            list
        }
    }

    /// Stores a new object at the current position and takes its reference.
    #[inline(always)]
    fn put(&mut self, object: Object) -> OpResult {
        if object.is_null() {
            return Err(Fault::Host);
        }
        match &mut self.next {
            // SAFETY: the plan stores as many items in a container as its length.
            Some(next) => unsafe { self.access.fill(next, object) },
            None => {
                if self.rows.len() == self.rows.capacity()
                    && self.rows.try_reserve(self.rows.len().max(64)).is_err()
                {
                    // SAFETY: this owns the reference, and the GIL is held.
                    unsafe { ffi::Py_DecRef(object) };
                    return Err(Fault::NoMemory);
                }
                self.rows.push(object);
            }
        }
        Ok(())
    }

    /// Makes the array for a list in `column` from its elements.
    fn array_of(&mut self, column: u32, items: &BuiltItems<'_>) -> OpResult {
        let Some(arrays) = self.making.arrays.clone() else {
            return Err(Fault::TypeMismatch);
        };
        let of = arrays.type_in(column);
        self.array(of, column, items.len())?;
        for at in 0..items.len() {
            // SAFETY: the item is one of the tuple's, and the GIL is held.
            unsafe {
                let item = items.get(at);
                match of {
                    NumberType::I64 => {
                        let v = self.access.read_int(item)?;
                        self.numbers(column, Numbers::I64(&[v]))?;
                    }
                    NumberType::F64 => {
                        let v = self.access.read_float(item)?;
                        self.numbers(column, Numbers::F64(&[v]))?;
                    }
                    NumberType::Bool => {
                        let v = self.access.read_bool(item)?;
                        self.numbers(column, Numbers::Bool(&[v.into()]))?;
                    }
                    NumberType::Logical(ty) => {
                        let mut reading = LogicalReading::new(Times::Exact, true);
                        let [first, second, _] =
                            logical::read(self.access, ty, item, &mut reading)?.ints;
                        self.numbers(column, Numbers::Ints(ty, [&[first], &[second]]))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a container and enters it. A list or tuple is stored in its parent at once, so that it
    /// is freed with an incomplete row. Other containers are only tuples of their items until they
    /// end.
    #[inline(always)]
    fn step_in(
        &mut self,
        container: Container,
        len: usize,
        acyclic: bool,
        array: Option<u32>,
    ) -> OpResult {
        let is_built = is_built(container) || array.is_some();
        let kind = if is_built { Container::Tuple } else { container };
        // SAFETY: the GIL is held.
        let object = unsafe {
            match is_built {
                true => self.access.make_items(len),
                false => self.access.make(container, len),
            }
        };
        if !is_built {
            self.put(object)?;
        } else if object.is_null() {
            return Err(Fault::Host);
        }
        // SAFETY: the object is a list or tuple.
        let items = unsafe { self.access.items_of(object, kind) };
        let outside = self.next.replace(items);
        let in_any_order = false;
        self.open.push(Open { object, container, outside, acyclic, in_any_order, is_built, array });
        Ok(())
    }
}

impl<A: Access> Drop for ObjectWriter<A> {
    fn drop(&mut self) {
        // Set the missing items of an incomplete row to null.
        while let (Some(open), Some(next)) = (self.open.pop(), self.next) {
            let kind = if open.is_built { Container::Tuple } else { open.container };
            // SAFETY: the cursor is at the next item of the innermost container. Only this owns a
            // tuple of items, because it is not stored anywhere yet.
            unsafe {
                if !open.in_any_order {
                    self.access.fill_with_nulls(next, open.object, kind);
                }
                if open.is_built {
                    ffi::Py_DecRef(open.object);
                }
            }
            self.next = open.outside;
        }
        for &object in self.rows.iter().chain(self.dictionaries.iter().flatten()) {
            // SAFETY: this owns the references, and the GIL is held.
            unsafe { ffi::Py_DecRef(object) };
        }
    }
}

impl<A: Access> SinkBase for ObjectWriter<A> {
    /// Python code that runs meanwhile can find only complete objects of the rows, as also when the caller's classes
    /// are called.
    fn checkpoint(&mut self) -> OpResult {
        // Most messages have no checkpoint. They are too short for a look at the clock.
        if self.lets_others_run
            && self.held_since.get_or_insert_with(Instant::now).elapsed() >= YIELD_INTERVAL
        {
            gil::let_others_run(self.access.py());
            self.held_since = None;
        }
        signals::check(self.access.py())
    }

    fn host_lock(&self) -> HostLock {
        if self.lets_others_run { GIL } else { HostLock::NONE }
    }

    fn dictionary(
        &mut self,
        column: u32,
        encoding: StrEncoding,
        ends: &[u32],
        bytes: &[u8],
    ) -> OpResult {
        if encoding == StrEncoding::Bytes {
            return self.making.components().dictionary(column, ends, bytes);
        }
        let column = column as usize;
        let columns = self.dictionaries.len().max(column + 1);
        memory::resize(&mut self.dictionaries, columns, Vec::new())?;
        memory::resize(&mut self.entries, columns, null())?;
        let entries = &mut self.dictionaries[column];
        for entry in entries.drain(..) {
            // SAFETY: this owns the reference, and the GIL is held.
            unsafe { ffi::Py_DecRef(entry) };
        }
        // If an entry fails, no pointer to moved memory may remain.
        self.entries[column] = null();
        memory::reserve(entries, ends.len())?;
        let mut begin = 0;
        for &end in ends {
            let text = PlainText::checked(&bytes[begin..end as usize]);
            let entry = self.access.make_str(text);
            if entry.is_null() {
                return Err(Fault::Host);
            }
            entries.push(entry);
            begin = end as usize;
        }
        self.entries[column] = entries.as_ptr().cast();
        Ok(())
    }

    fn refusal(&self) -> String {
        let Making { components, building, .. } = &self.making;
        let of_building = building.as_ref().map(|building| building.refusal());
        let of_parts = components.as_ref().map(|components| components.refusal());
        let refusals = [Some(&*self.refusal), of_building, of_parts].into_iter().flatten();
        refusals.into_iter().find(|refusal| !refusal.is_empty()).unwrap_or_default().to_owned()
    }
}

impl<A: Access> Sink for ObjectWriter<A> {
    const KIND: Option<JitKind<Self>> = if A::IS_DIRECT {
        // SAFETY: `enter_jit` gives an `ObjectWriterContext` with capacity for the rows.
        Some(unsafe { JitKind::new(&OBJECTS) })
    } else {
        None
    };

    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        if self.making.building.is_some() || !tables.is_empty() {
            self.making.building().names(self.access.py(), tables);
        }
        if let (Some(arrays), Some(parts)) = (&self.making.choices.arrays, &tables.parts) {
            self.making.arrays = Some(Arc::new(arrays.of_parts(parts)));
        }
    }

    /// Compiled code makes lists in place of arrays, and calls no class of the caller: beside a call, the time that it
    /// saves is nothing.
    fn is_ready_for(&mut self, plan: &Plan) -> bool {
        self.names(&plan.to.tables);
        let calls = |building: &Building| building.calls_classes();
        self.making.arrays.is_none() && !self.making.building.as_deref().is_some_and(calls)
    }

    fn enter_jit(&mut self, rows: usize) -> *mut () {
        if self.rows.try_reserve(rows).is_err() {
            return null_mut();
        }
        self.jit_rows = rows;
        self.context = ObjectWriterContext {
            rows: self.rows.spare_capacity_mut().as_mut_ptr().cast(),
            done: 0,
            dictionaries: self.entries.as_ptr(),
            components: ComponentsContext::default(),
            making: from_mut(&mut self.making).cast(),
        };
        from_mut(&mut self.context).cast()
    }

    unsafe fn exit_jit(&mut self) -> OpResult {
        let done = self.context.done;
        let made = self.rows.len() + done;
        // SAFETY: compiled code has written `done` rows to the spare capacity. If it bailed out of
        // a row, that incomplete row follows.
        unsafe {
            self.rows.set_len(made);
            if done < self.jit_rows
                && let left = *self.context.rows.add(done)
                && !left.is_null()
            {
                ffi::Py_DecRef(left.cast());
            }
        }
        match &mut self.making.building {
            Some(building) => building.check_interrupt(self.access.py()),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn row(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32, v: i64) -> OpResult {
        let object = self.access.make_int(v);
        self.put(object)
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32, v: f64) -> OpResult {
        let object = self.access.make_float(v);
        self.put(object)
    }

    #[inline(always)]
    fn str(&mut self, column: u32, v: Text<'_>) -> OpResult {
        // SAFETY: the GIL is held, and the text is valid.
        let object = unsafe {
            match v {
                Text::Plain(text) if text.is_known_ascii() => self.access.make_str(text),
                Text::Plain(text) => self.access.make_str(PlainText::checked(text.bytes())),
                Text::Entry(code) => {
                    let entry = self.dictionaries[column as usize][code as usize];
                    self.access.incref(entry);
                    entry
                }
            }
        };
        self.put(object)
    }

    #[inline]
    fn logical(
        &mut self,
        ty: Logical,
        at: ComponentColumns,
        components: Components<'_>,
    ) -> OpResult {
        if self.making.components().takes_long(ty, at.str, &components) {
            self.checkpoint()?;
        }
        let arrays = self.making.arrays.as_ref().filter(|_| ty == Logical::NdArray);
        let object = match arrays.filter(|arrays| arrays.makes_nd_array(at.int)).cloned() {
            Some(arrays) => {
                let access = self.access;
                let make = |array: &NdArray<'_>| arrays.make_nd_array(access.py(), array, at.int);
                self.making.components().make_nd_array(at.str, &components, make)?
            }
            None => self.making.components().make(self.access, ty, at.str, components)?,
        };
        self.put(object)
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32, v: bool) -> OpResult {
        let object = self.access.make_bool(v);
        self.put(object)
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        let object = self.access.make_none();
        self.put(object)
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn absent(&mut self, _column: u32) -> OpResult {
        self.null()
    }

    #[inline]
    fn member(&mut self, table: u32, _column: u32, index: i64) -> OpResult {
        let object = self.making.building().member(self.access, table, index)?;
        self.put(object)
    }

    #[inline(always)]
    fn has_field(&mut self, _column: u32) -> OpResult {
        Ok(())
    }

    /// Leaves the item of a missing field null.
    #[inline(always)]
    fn lacks_field(&mut self, _column: u32) -> OpResult {
        if let Some(next) = &mut self.next {
            // SAFETY: a field of a dict has an item in its tuple.
            unsafe { self.access.fill(next, null_mut()) };
        }
        Ok(())
    }

    /// Moves to any field: the items of a dict or record are in a tuple, so their order is free.
    fn field(&mut self, index: u32) -> OpResult {
        if let (Some(open), Some(next)) = (self.open.last_mut(), &mut self.next) {
            // SAFETY: the container is an open struct, and `index` is one of its fields.
            unsafe {
                if !open.in_any_order {
                    self.access.fill_with_nulls(*next, open.object, Container::Tuple);
                    open.in_any_order = true;
                }
                let items = self.access.items_of(open.object, Container::Tuple);
                *next = self.access.move_to(items, index as usize);
            }
        }
        Ok(())
    }

    /// A 64-bit integer is an `int` too.
    #[inline(always)]
    fn int_of_i64(&mut self, _at: ComponentColumns, v: i64) -> OpResult {
        self.i64(0, v)
    }

    /// Replaces the tuple of a map's items by a shorter one, because the map has fewer entries than
    /// expected.
    fn shorten(&mut self, _column: u32, len: usize) -> OpResult {
        let (Some(open), Some(next)) = (self.open.last_mut(), self.next) else { return Ok(()) };
        // SAFETY: the container is an open map. Its first items, keys and values in turn, are set
        // and are copied to the new tuple, whose reference replaces the old one.
        unsafe {
            let items = self.access.make_items(2 * len);
            if items.is_null() {
                return Err(Fault::Host);
            }
            self.access.fill_with_nulls(next, open.object, Container::Tuple);
            let mut from = self.access.items_of(open.object, Container::Tuple);
            let mut to = self.access.items_of(items, Container::Tuple);
            for _ in 0..2 * len {
                let item = self.access.next(&mut from);
                self.access.incref(item);
                self.access.fill(&mut to, item);
            }
            ffi::Py_DecRef(open.object);
            open.object = items;
            self.next = Some(to);
        }
        Ok(())
    }

    /// Treats the field as missing: the class supplies the default.
    fn default_field(&mut self) -> OpResult {
        self.lacks_field(0)
    }

    #[inline(always)]
    fn enter(&mut self, container: Container, len: u32, acyclic: bool) -> OpResult {
        self.step_in(container, len as usize, acyclic, None)
    }

    #[inline(always)]
    fn leave(&mut self) -> OpResult {
        if let Some(Open { object, container, outside, acyclic, is_built, array, .. }) =
            self.open.pop()
        {
            self.next = outside;
            if let Some(column) = array {
                let access = self.access;
                // SAFETY: the tuple of items is complete, and nobody else has it.
                let items = unsafe { BuiltItems::of(access.py(), object) };
                return self.array_of(column, &items);
            }
            if is_built {
                // SAFETY: the GIL is held, and the tuple is complete.
                let built = unsafe {
                    self.making.building().build(
                        self.access,
                        container,
                        object,
                        acyclic,
                        MayCall::Yes,
                    )?
                };
                return self.put(built);
            }
            if !acyclic {
                // SAFETY: the container is complete and not registered yet.
                unsafe { container::track(object) };
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        container: Container,
        column: u32,
        len: usize,
        acyclic: bool,
    ) -> OpResult {
        // An element of a map is two items: key and value.
        let len = if container == Container::Map { len.saturating_mul(2) } else { len };
        // Elements that come one by one may be converted, such as integers to floats.
        let arrays = self.making.arrays.as_ref();
        let is_array = container == Container::List && arrays.is_some_and(|it| it.requires(column));
        self.step_in(container, len, acyclic, is_array.then_some(column))
    }

    fn numbers(&mut self, column: u32, v: Numbers<'_>) -> OpResult {
        if let Some(fill) = &mut self.array {
            let set = fill.set(v, &mut self.refusal);
            if fill.is_full() {
                self.array = None;
            }
            return set;
        }
        v.write_each(self, column)
    }

    #[inline(always)]
    fn makes_array(&self, column: u32) -> bool {
        self.making.arrays.as_ref().is_some_and(|arrays| arrays.makes(column))
    }

    fn array(&mut self, of: NumberType, column: u32, len: usize) -> OpResult {
        let Some(arrays) = &self.making.arrays else {
            return self.sequence(Container::List, column, len, true);
        };
        let NewArray { array, fill } =
            arrays.make(self.access.py(), of, column, len, self.making.choices.times)?;
        self.put(array)?;
        self.array = (!fill.is_full()).then_some(fill);
        Ok(())
    }

    #[inline(always)]
    fn arm(&mut self, _column: u32, _arm: usize) -> OpResult {
        Ok(())
    }
}
