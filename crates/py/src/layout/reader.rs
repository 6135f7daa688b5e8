//! Python objects as a source.

use std::ptr::{from_mut, null, null_mut};
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::objects::{ClassTest, ExactType, OBJECTS, ObjectReaderContext};
use serow_core::layout::{
    Components, ComponentsContext, JitKind, NumberType, Numbers, OpResult, Source, Text,
};
use serow_core::plan::{Arm, ComponentColumns, StrEncoding, Tables};
use serow_core::schema::{self, Class, Logical, Scalar};

use super::arrays::{self, ArrayElements};
use super::build::is_built;
use super::float;
use super::foreign::scalars::{self, ScalarValue};
use super::foreign::text_arrays::TextElements;
use super::logical::Times;
use super::records::LatestClasses;
use super::view::Views;
use super::{Access, Direct, Object, container, is_exactly, logical, nd_arrays, type_object};
use crate::layout::signals::Watch;

/// Distance in rows at which the tuple of a row is prefetched.
const ROW_AHEAD: usize = 16;
/// Distance in rows at which the fields of a row are prefetched.
const FIELDS_AHEAD: usize = 8;
/// Maximum fields to prefetch; hardware prefetching covers the rest of a wide row.
const FIELDS: usize = 16;
/// Minimum rows for prefetching. Fewer rows are probably in the cache already, and prefetching
/// would only cost time.
const MANY: usize = 2048;

/// Source for the rows of a list or tuple.
pub struct ObjectReader<'a, A: Access> {
    access: A,
    rows: A::Cursor,
    len: usize,
    /// The next value to read.
    next: A::Cursor,
    outer: Vec<A::Cursor>,
    /// The number of containers around the outermost set or map that is open.
    hashed_from: Option<usize>,
    scratch: Vec<u8>,
    reading: Reading<'a>,
    /// The rows in memory, if prefetching pays.
    ahead: Option<&'a [Object]>,
    watch: Option<&'a Watch<'a>>,
    context: ObjectReaderContext,
}

/// What rows may have besides exactly what the schema says, and what becomes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Leniency {
    /// What becomes of what the times of other languages lack.
    pub times: Times,
    /// Whether an int that equals a float may be where only a float is declared.
    pub ints_as_floats: bool,
    /// Whether any array of numbers may be where a list is declared, although the list does not keep its type.
    pub arrays_as_lists: bool,
}

/// State between objects during reading. Each part is made for the first object that needs it: for
/// a single row of numbers and strings, making both would take as long as reading the row.
pub struct Reading<'a> {
    components: Option<logical::LogicalReading>,
    leniency: Leniency,
    views: Option<Box<Views>>,
    /// For arrays of numbers.
    elements: ArrayElements,
    /// For arrays of texts.
    text_elements: TextElements,
    /// The arguments of [`Views::new`].
    classes: &'a LatestClasses<'a>,
    by_key_order: bool,
}

impl<'a> Reading<'a> {
    /// For types of several components.
    #[inline(always)]
    pub fn components(&mut self) -> &mut logical::LogicalReading {
        let Leniency { times, arrays_as_lists, .. } = self.leniency;
        self.components.get_or_insert_with(|| logical::LogicalReading::new(times, arrays_as_lists))
    }

    /// For containers that are not read in place.
    #[inline(always)]
    pub fn views(&mut self) -> &mut Views {
        let begin = || Box::new(Views::new(self.classes.get().clone(), self.by_key_order));
        self.views.get_or_insert_with(begin)
    }

    /// Whether arrays may stand for lists, and scalars of NumPy for numbers. Rows that must decode to
    /// exactly the same objects have none.
    pub(super) fn takes_others(&self) -> bool {
        self.classes.peek().is_none_or(|classes| classes.takes_others())
    }

    #[inline(always)]
    fn release(&mut self) {
        if let Some(views) = &mut self.views {
            views.release();
        }
    }
}

impl<'a, A: Access> ObjectReader<'a, A> {
    /// Source for the items of `rows`, with descriptions of their classes in `classes`. `ahead` are the same
    /// items in memory, if the access can load from objects.
    ///
    /// # Safety
    /// `rows` must be a list or tuple, as its container says, with `len` items, and must not change
    /// during `'a`. Only runs of plans may call the methods of the reader as a source: they read no more
    /// items of a container than its length.
    pub unsafe fn new(
        access: A,
        rows: (Object, schema::Container),
        len: usize,
        classes: &'a LatestClasses<'a>,
        ahead: Option<&'a [Object]>,
    ) -> Self {
        // SAFETY: the caller's promise.
        let rows = unsafe { access.items_of(rows.0, rows.1) };
        ObjectReader::at(access, rows, len, classes, ahead)
    }

    /// Makes a dict whose keys are in another order than the fields of its type a mismatch.
    pub fn by_key_order(mut self) -> Self {
        self.reading.by_key_order = true;
        self
    }

    fn at(
        access: A,
        rows: A::Cursor,
        len: usize,
        classes: &'a LatestClasses<'a>,
        ahead: Option<&'a [Object]>,
    ) -> Self {
        ObjectReader {
            access,
            rows,
            len,
            next: rows,
            outer: Vec::new(),
            hashed_from: None,
            scratch: Vec::new(),
            reading: Reading {
                components: None,
                leniency: Leniency::default(),
                views: None,
                elements: ArrayElements::default(),
                text_elements: TextElements::default(),
                classes,
                by_key_order: false,
            },
            context: ObjectReaderContext {
                rows: ahead.map_or(null(), <[Object]>::as_ptr).cast(),
                ahead: ahead.filter(|rows| rows.len() >= MANY).map_or(0, <[Object]>::len),
                components: ComponentsContext::default(),
                reading: null_mut(),
                len: 0,
                viewed: 0,
            },
            ahead: ahead.filter(|rows| rows.len() >= MANY),
            watch: None,
        }
    }

    /// The same source, with what rows may have.
    pub fn with_leniency(mut self, leniency: Leniency) -> Self {
        self.reading.leniency = leniency;
        self
    }

    /// The same source, which stops when `watch` says so.
    pub fn watched(self, watch: &'a Watch<'a>) -> Self {
        ObjectReader { watch: Some(watch), ..self }
    }

    /// The plain value that equals `object`, if it is a scalar of NumPy or pandas. Inside a set or a map
    /// it is left to the code that sees whether plain values become equal there.
    #[cold]
    fn scalar(&self, object: Object) -> Option<ScalarValue> {
        if !self.takes_scalars() {
            return None;
        }
        // SAFETY: items of live containers are alive, and the GIL is held.
        unsafe { scalars::read(self.access.py(), object) }
    }

    fn takes_scalars(&self) -> bool {
        A::IS_DIRECT && self.hashed_from.is_none() && self.reading.takes_others()
    }

    /// The float that equals `object`, if it is an int and may be one.
    #[cold]
    fn whole(&self, object: Object) -> Option<f64> {
        // SAFETY: items of live containers are alive, and the GIL is held.
        unsafe {
            let is_int = is_exactly(object, &raw mut ffi::PyLong_Type);
            if is_int && self.reading.leniency.ints_as_floats { float::whole(object) } else { None }
        }
    }

    /// Whether `object` is what NumPy or pandas has in place of `None`.
    #[inline(always)]
    fn is_null(&self, object: Object) -> bool {
        // SAFETY: items of live containers are alive.
        let is_null = unsafe { scalars::is_null(object) };
        is_null && self.takes_scalars()
    }

    /// The plain value of a scalar that is of logical type `ty`.
    #[inline(always)]
    fn logical_scalar(&self, object: Object, ty: Logical) -> Option<ScalarValue> {
        // SAFETY: items of live containers are alive.
        if unsafe { logical::is_of_class(self.access.py(), object, ty) } {
            return None;
        }
        self.scalar(object).filter(|plain| plain.is_of(ty))
    }

    /// Reads the next value if it is an array of the `expected` type with `depth` dimensions, and returns its number of
    /// elements.
    fn array_of(&mut self, expected: NumberType, depth: usize) -> OpResult<Option<usize>> {
        self.array_by(|py, reading, object| {
            // SAFETY: items of live containers are alive.
            unsafe {
                let is_list =
                    reading.leniency.arrays_as_lists || !nd_arrays::is_no_list(py, object);
                if is_list { reading.elements.read(py, object, expected, depth) } else { Ok(None) }
            }
        })
    }

    /// Moves past the next value if it may be an array and `read` reads it.
    fn array_by(
        &mut self,
        read: impl FnOnce(Python<'_>, &mut Reading<'a>, Object) -> OpResult<Option<usize>>,
    ) -> OpResult<Option<usize>> {
        if !self.reading.takes_others() {
            return Ok(None);
        }
        let object = self.peek();
        let read = read(self.access.py(), &mut self.reading, object)?;
        if read.is_some() {
            self.value();
        }
        Ok(read)
    }

    #[cold]
    fn arm_of_scalar(&self, object: Object, arms: &[Arm]) -> Option<usize> {
        let scalar = self.scalar(object)?.scalar();
        arms.iter().position(|arm| match (ClassTest::of(arm.class), scalar) {
            (ClassTest::Type(ExactType::Int), Scalar::I64 | Scalar::Logical(Logical::Int))
            | (ClassTest::Type(ExactType::Float), Scalar::F64)
            | (ClassTest::Type(ExactType::Str), Scalar::Str)
            | (ClassTest::Bool, Scalar::Bool) => true,
            (ClassTest::Logical(ty), Scalar::Logical(of)) => ty == of,
            _ => false,
        })
    }

    #[cold]
    fn arm_of_whole(&self, object: Object, arms: &[Arm]) -> Option<usize> {
        self.whole(object)?;
        let is_float = |arm: &Arm| ClassTest::of(arm.class) == ClassTest::Type(ExactType::Float);
        arms.iter().position(is_float)
    }

    #[inline(always)]
    fn value(&mut self) -> Object {
        // SAFETY: the plan checks or asks for the length of each container that it enters, and
        // reads no more items than that.
        unsafe { self.access.next(&mut self.next) }
    }

    #[inline(always)]
    fn peek(&self) -> Object {
        let mut cursor = self.next;
        // SAFETY: as in `value`; the cursor is a copy.
        unsafe { self.access.next(&mut cursor) }
    }

    /// Enters a container and returns its number of elements or fields.
    #[inline(always)]
    fn step_in(&mut self, container: schema::Container, len: Option<usize>) -> OpResult<usize> {
        let object = self.value();
        // SAFETY: items of live containers are alive, and the GIL is held; the type of the object
        // is checked before its items are read.
        let (items, has) = unsafe {
            if is_built(container) {
                if !matches!(container, schema::Container::Struct(_)) {
                    self.hashed_from.get_or_insert(self.outer.len());
                }
                let run = self.reading.views().view(self.access, object, container)?;
                (self.access.items_at(run.items), run.len)
            } else {
                let has = container::len(object, container)?;
                if len.is_some_and(|len| len != has) {
                    return Err(Fault::TypeMismatch);
                }
                (self.access.items_of(object, container), has)
            }
        };
        self.outer.push(self.next);
        self.next = items;
        Ok(has)
    }

    #[inline(always)]
    fn prefetch(&self, row: usize, rows: &[Object]) {
        if let Some(&object) = rows.get(row + ROW_AHEAD) {
            // A tuple of nine fields spans two cache lines.
            fetch(object.cast());
            fetch(object.cast::<u8>().wrapping_add(64));
        }
        if let Some(&object) = rows.get(row + FIELDS_AHEAD) {
            // SAFETY: rows are alive, and loads stay within the tuple's length.
            unsafe {
                let tuple = schema::Container::Tuple;
                if let Ok(len) = container::len(object, tuple)
                    && let Some(items) = self.access.lie_at(self.access.items_of(object, tuple))
                {
                    for i in 0..len.min(FIELDS) {
                        // The type of the item, and the characters of a string.
                        let item = (*items.add(i)).cast::<u8>();
                        fetch(item);
                        fetch(item.wrapping_add(48));
                    }
                }
            }
        }
    }
}

impl<'a> ObjectReader<'a, Direct<'a>> {
    /// Source for a single row. It uses the views of an earlier row, if there are any, and else
    /// the `classes` for new ones.
    ///
    /// # Safety
    /// The row must be alive and must not change during `'a`. For the rest see [`ObjectReader::new`].
    #[inline(always)]
    pub unsafe fn of_one(
        access: Direct<'a>,
        row: &'a Object,
        classes: &'a LatestClasses<'a>,
        views: Option<Box<Views>>,
    ) -> Self {
        let rows = std::slice::from_ref(row);
        let at = rows.as_ptr().cast_mut();
        let mut reader = ObjectReader::at(access, at, 1, classes, Some(rows));
        reader.reading.views = views;
        reader
    }

    /// Takes the views, for another row.
    #[inline(always)]
    pub fn take_views(&mut self) -> Option<Box<Views>> {
        let mut views = self.reading.views.take()?;
        // SAFETY: the row is alive during `'a`.
        unsafe { views.settle(self.access.py()) };
        Some(views)
    }
}

#[inline(always)]
fn fetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch affects only the cache, for any address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

impl<A: Access> Source for ObjectReader<'_, A> {
    const NEVER: Fault = Fault::TypeMismatch;
    const IS_INDEXED: bool = true;
    const KIND: Option<JitKind<Self>> = if A::IS_DIRECT {
        // SAFETY: `enter_jit` gives an `ObjectReaderContext`, whose rows live as long as the
        // source.
        Some(unsafe { JitKind::new(&OBJECTS) })
    } else {
        None
    };

    #[inline(always)]
    fn names(&mut self, tables: &Arc<Tables>) {
        if self.reading.views.is_some() || !tables.is_empty() {
            self.reading.views().names(self.access.py(), tables);
        }
    }

    fn enter_jit(&mut self) -> *mut () {
        if let Some(components) = &mut self.reading.components {
            components.forget();
        }
        self.reading.release();
        self.context.reading = from_mut(&mut self.reading).cast();
        // The interpreter addresses rows by index, so `exit_jit` has no position to take back.
        from_mut(&mut self.context).cast()
    }

    fn checkpoint(&mut self) -> OpResult {
        match self.watch {
            Some(watch) if watch.is_interrupted() => Err(Fault::Host),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn row(&mut self, row: usize) -> OpResult {
        assert!(row < self.len, "row {row} of {} rows", self.len);
        if let Some(rows) = self.ahead {
            self.prefetch(row, rows);
        }
        // SAFETY: the index was checked just now.
        self.next = unsafe { self.access.move_to(self.rows, row) };
        self.outer.clear();
        self.hashed_from = None;
        self.reading.release();
        Ok(())
    }

    #[inline(always)]
    fn end_row(&mut self) -> OpResult {
        Ok(())
    }

    #[inline(always)]
    fn i64(&mut self, _column: u32) -> OpResult<i64> {
        let object = self.value();
        // SAFETY: items of live containers are alive, and the GIL is held.
        match unsafe { self.access.read_int(object) } {
            Err(Fault::TypeMismatch) => match self.scalar(object) {
                Some(ScalarValue::Int(v)) => Ok(v),
                _ => Err(Fault::TypeMismatch),
            },
            read => read,
        }
    }

    #[inline(always)]
    fn f64(&mut self, _column: u32) -> OpResult<f64> {
        let object = self.value();
        // SAFETY: as in `i64`.
        match unsafe { self.access.read_float(object) } {
            Err(Fault::TypeMismatch) => match self.scalar(object) {
                Some(ScalarValue::Float(v)) => Ok(v),
                _ => self.whole(object).ok_or(Fault::TypeMismatch),
            },
            read => read,
        }
    }

    #[inline(always)]
    fn str(&mut self, _column: u32) -> OpResult<Text<'_>> {
        let object = self.value();
        // SAFETY: as in `i64`; the rows don't change while the text is used.
        unsafe {
            if !is_exactly(object, &raw mut ffi::PyUnicode_Type)
                && let Some(ScalarValue::Str) = self.scalar(object)
            {
                return scalars::text(self.access.py(), object, &mut self.scratch);
            }
            self.access.read_str(object, &mut self.scratch)
        }
    }

    /// Unions and optionals of bytes are logical types, so no plain value is bytes.
    #[inline(always)]
    fn bytes(&mut self, _column: u32) -> OpResult<Text<'_>> {
        Err(Fault::TypeMismatch)
    }

    #[inline]
    fn logical(&mut self, ty: Logical, _at: ComponentColumns) -> OpResult<Components<'_>> {
        let object = self.value();
        if let Some(plain) = self.logical_scalar(object, ty) {
            // SAFETY: as in `i64`.
            return unsafe {
                self.reading.components().of_scalar(self.access, (ty, plain), object)
            };
        }
        // SAFETY: as in `i64`; the rows don't change while the parts are used.
        unsafe { logical::read(self.access, ty, object, self.reading.components()) }
    }

    #[inline(always)]
    fn bool(&mut self, _column: u32) -> OpResult<bool> {
        let object = self.value();
        // SAFETY: as in `i64`.
        match self.access.read_bool(object) {
            Err(Fault::TypeMismatch) => match self.scalar(object) {
                Some(ScalarValue::Bool(v)) => Ok(v),
                _ => Err(Fault::TypeMismatch),
            },
            read => read,
        }
    }

    #[inline(always)]
    fn null(&mut self) -> OpResult {
        let object = self.value();
        if self.access.reads_none(object) || self.is_null(object) {
            return Ok(());
        }
        Err(Fault::TypeMismatch)
    }

    #[inline(always)]
    fn present(&mut self, _column: u32) -> OpResult<bool> {
        let object = self.peek();
        if self.access.reads_none(object) || self.is_null(object) {
            self.value();
            return Ok(false);
        }
        Ok(true)
    }

    #[inline]
    fn member(&mut self, table: u32, _members: u32, _column: u32) -> OpResult<i64> {
        let object = self.value();
        // SAFETY: as in `i64`.
        let index = unsafe { self.reading.views().member(self.access.py(), object, table) };
        index.map(i64::from).ok_or(Fault::TypeMismatch)
    }

    #[inline(always)]
    fn has_field(&mut self, _column: u32) -> OpResult<bool> {
        if self.peek().is_null() {
            self.value();
            return Ok(false);
        }
        Ok(true)
    }

    #[inline(always)]
    fn enter(&mut self, container: schema::Container, len: u32) -> OpResult {
        self.step_in(container, Some(len as usize)).map(|_| ())
    }

    #[inline(always)]
    fn leave(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.next = outer;
        }
        if self.hashed_from == Some(self.outer.len()) {
            self.hashed_from = None;
        }
    }

    #[inline(always)]
    fn sequence(
        &mut self,
        container: schema::Container,
        _column: u32,
        _zero_sized: bool,
    ) -> OpResult<usize> {
        self.step_in(container, None)
    }

    #[inline(always)]
    fn meets_array(&self) -> bool {
        // SAFETY: as in `i64`.
        !unsafe { is_exactly(self.peek(), &raw mut ffi::PyList_Type) }
    }

    fn array(&mut self, expected: NumberType) -> OpResult<Option<usize>> {
        self.array_of(expected, 1)
    }

    fn grid(&mut self, expected: NumberType, depth: usize) -> OpResult<bool> {
        Ok(self.array_of(expected, depth)?.is_some())
    }

    fn lengths(&self) -> &[usize] {
        self.reading.elements.lengths()
    }

    fn elements(&self) -> Numbers<'_> {
        self.reading.elements.numbers()
    }

    fn text_array(&mut self, expected: StrEncoding) -> OpResult<Option<usize>> {
        self.array_by(|py, reading, object| {
            // SAFETY: items of live containers are alive.
            unsafe { reading.text_elements.read(py, object, expected) }
        })
    }

    fn array_text(&self, at: usize) -> Text<'_> {
        self.reading.text_elements.text(at)
    }

    #[inline(always)]
    fn arm(&mut self, arms: &[Arm], _column: u32) -> OpResult<usize> {
        let object = self.peek();
        let (access, reading) = (self.access, &mut self.reading);
        let takes_arrays = reading.takes_others();
        let lenient = reading.leniency.arrays_as_lists;
        // SAFETY: as in `i64`.
        let is_list = || unsafe {
            let has_nd_arrays =
                arms.iter().any(|arm| arm.class == Class::Logical(Logical::NdArray));
            let is_nd_array = || match lenient {
                true => nd_arrays::is(access.py(), object),
                false => nd_arrays::is_no_list(access.py(), object),
            };
            arrays::is_array(access.py(), object) && !(has_nd_arrays && is_nd_array())
        };
        // SAFETY: as in `i64`; these only compare types and read lengths and time zones.
        let mut fits = |class| unsafe {
            match ClassTest::of(class) {
                ClassTest::Type(ty) => {
                    is_exactly(object, type_object(ty))
                        || ty == ExactType::List && takes_arrays && is_list()
                }
                ClassTest::Bool => is_exactly(object, &raw mut ffi::PyBool_Type),
                ClassTest::TupleOf(wanted) => container::len(object, schema::Container::Tuple)
                    .is_ok_and(|len| len == wanted as usize),
                ClassTest::Logical(ty) => logical::is(access, object, ty),
                ClassTest::Record(table) => reading.views().is_record(access.py(), object, table),
                ClassTest::Member(table) => {
                    reading.views().member(access.py(), object, table).is_some()
                }
            }
        };
        let mut find = || arms.iter().position(|arm| fits(arm.class));
        let found = find().or_else(|| if logical::look_again(access.py()) { find() } else { None });
        found
            .or_else(|| self.arm_of_scalar(object, arms))
            .or_else(|| self.arm_of_whole(object, arms))
            .ok_or(Fault::TypeMismatch)
    }
}
