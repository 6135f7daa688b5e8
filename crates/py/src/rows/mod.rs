//! Rows from Python in a list or tuple; and for inference and errors, the types and descriptions of
//! their values.

mod fitting;
pub mod foreign;
pub mod taken;

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serow_core::encode::Rows;
use serow_core::error::Fault;
use serow_core::host_lock::HostLock;
use serow_core::memory;
use serow_core::path::{Path, PathStep};
use serow_core::schema::{
    Container, InferError, Inspect, Kind, Logical, Scalar, Shape, Type, mismatch,
};

use crate::access;
use crate::errors::exception;
use crate::gil::GIL;
use crate::layout::container;
use crate::layout::entries::{Entries, keys_hint};
use crate::layout::records::{Classes, LatestClasses, ObjectKind, SameObjects, declared, text_of};
use crate::layout::signals::Watch;
use crate::layout::view::elements_of;
use crate::layout::{
    Access, Direct, Leniency, Object, ObjectReader, StructObjects, arrays, is_exactly, logical,
    nd_arrays, scalars,
};
use crate::made;

/// A list or tuple of rows. It doesn't change during the lifetime of this value, or of a source of it if
/// other threads may run between two sources.
pub struct PyRows<'py, A> {
    rows: Bound<'py, PyAny>,
    container: Container,
    len: usize,
    access: A,
    classes: LatestClasses<'py>,
    /// The rows in which foreign values have been replaced by plain ones, as far as they can, and whether arrays of
    /// numbers have.
    plain: Vec<(Range<usize>, bool)>,
    leniency: Leniency,
    /// The row with the foreign value at which encoding stopped.
    stopped_at_foreign: Cell<Option<(usize, bool)>>,
    /// Whether it stopped at a class whose names were unknown.
    stopped_for_names: Cell<bool>,
    watch: Watch<'py>,
    /// The rows that the caller gave before these.
    before: usize,
    host_lock: Cell<HostLock>,
}

/// Why encoding stopped although the rows may be valid.
pub enum Stopped {
    /// At a foreign value in this row, which a plain value may replace. It may be an array.
    AtForeign(usize, bool),
    /// At a class whose names were unknown and are known now.
    ForNames,
    /// For Ctrl-C.
    BySignal,
    /// At a value that could not be inspected for want of memory.
    WithoutMemory,
}

/// Evaluates `$body` for rows of the right kind of access. If encoding stopped at a foreign value,
/// it starts again with plain copies of that row and some after it. If it stopped for a signal and the handler raised
/// nothing, it starts again without watching for signals. `watched: false` does not watch from the
/// beginning. `leniency` says what the rows may have. Errors count the
/// rows `after` which these come.
macro_rules! with_rows {
    ($rows:expr, |$name:ident| $body:expr) => {
        $crate::rows::with_rows!($rows, leniency: Default::default(), |$name| $body)
    };
    ($rows:expr, leniency: $leniency:expr, |$name:ident| $body:expr) => {
        $crate::rows::with_rows!($rows, leniency: $leniency, watched: true, after: 0, |$name| $body)
    };
    (
        $rows:expr,
        leniency: $leniency:expr,
        watched: $watched:expr,
        after: $before:expr,
        |$name:ident| $body:expr
    ) => {{
        let mut rows = $crate::rows::taken::listed($rows)?;
        let (mut plain, mut is_watched) = (Vec::new(), $watched);
        loop {
            let (result, stopped) = $crate::access::with_access!(rows.py(), |access| {
                // SAFETY: only core's functions, which `$body` calls, use the sources.
                let $name = unsafe { $crate::rows::PyRows::new(rows.clone(), access, plain.clone()) }?
                    .with_leniency($leniency)
                    .watched(is_watched)
                    .after($before);
                ($body, $name.stopped())
            });
            match stopped {
                Some($crate::rows::Stopped::WithoutMemory) if result.is_err() => {
                    return Err($crate::errors::no_memory(rows.py()));
                }
                None | Some($crate::rows::Stopped::WithoutMemory) => break result,
                Some($crate::rows::Stopped::BySignal) => {
                    drop(result);
                    $crate::layout::signals::handle(rows.py())?;
                    is_watched = false;
                    continue;
                }
                Some($crate::rows::Stopped::ForNames) => {}
                Some($crate::rows::Stopped::AtForeign(row, are_lists)) => {
                    let range = $crate::rows::foreign::range(row, plain.len());
                    rows = $crate::rows::foreign::plain(&rows, &range, are_lists)?;
                    plain.push((range, are_lists));
                }
            }
        }
    }};
}
pub(crate) use with_rows;

impl<'py, A: Access> PyRows<'py, A> {
    /// `rows` is the result of [`listed`](crate::rows::taken::listed). In `plain` rows foreign values are
    /// errors like any other.
    ///
    /// # Safety
    /// Only core's encoders may use the sources that this gives: see [`ObjectReader::new`].
    pub unsafe fn new(
        rows: Bound<'py, PyAny>,
        access: A,
        plain: Vec<(Range<usize>, bool)>,
    ) -> PyResult<PyRows<'py, A>> {
        let len = rows.len()?;
        // SAFETY: the rows are alive.
        let container = unsafe { container::which(rows.as_ptr()) };
        let container =
            container.ok_or_else(|| exception::<PyTypeError>("rows must be a list or tuple"))?;
        let (classes, stopped_at_foreign) = (LatestClasses::new(rows.py()), Cell::new(None));
        let stopped_for_names = Cell::new(false);
        let watch = Watch::new(rows.py(), false);
        Ok(PyRows {
            rows,
            container,
            len,
            access,
            classes,
            plain,
            leniency: Leniency::default(),
            stopped_at_foreign,
            stopped_for_names,
            watch,
            before: 0,
            host_lock: Cell::new(HostLock::NONE),
        })
    }

    /// All rows, of which none may hold a foreign value.
    pub fn all() -> Vec<(Range<usize>, bool)> {
        vec![(0..usize::MAX, true)]
    }

    /// Makes values an error that would decode to equal but different values. Such errors are never
    /// shown, so they have no text and run no code. See [`Classes::exactly`].
    pub fn exactly(self, row: &Py<PyType>, objects: Arc<dyn StructObjects>) -> PyRows<'py, A> {
        let classes =
            LatestClasses::of(self.rows.py(), Classes::exactly(self.rows.py(), row, objects));
        PyRows { classes, ..self }
    }

    /// Reads the records by `objects`.
    pub fn of_objects(self, objects: Arc<dyn StructObjects>) -> PyRows<'py, A> {
        PyRows { classes: LatestClasses::of(self.rows.py(), Classes::of_objects(objects)), ..self }
    }

    /// Says what the rows may have.
    pub fn with_leniency(self, leniency: Leniency) -> PyRows<'py, A> {
        PyRows { leniency, ..self }
    }

    /// Stops encoding for Ctrl-C if `watched`.
    pub fn watched(self, watched: bool) -> PyRows<'py, A> {
        PyRows { watch: Watch::new(self.rows.py(), watched), ..self }
    }

    /// Adds `before` to the index of a row in errors.
    pub fn after(self, before: usize) -> PyRows<'py, A> {
        PyRows { before, ..self }
    }

    /// Lets other threads run while no rows are read. The message is written to memory that they can't
    /// change.
    pub fn let_others_run(&self) {
        self.host_lock.set(GIL);
    }

    /// Lets other threads run between rows. The message is written to memory that they have too.
    pub fn let_others_run_between(&self) {
        self.host_lock.set(GIL.in_pauses());
    }

    /// Whether and why encoding stopped although the rows may be valid.
    pub fn stopped(&self) -> Option<Stopped> {
        let at_foreign = || {
            self.stopped_at_foreign.get().map(|(row, is_array)| Stopped::AtForeign(row, is_array))
        };
        let for_names = || self.stopped_for_names.get().then_some(Stopped::ForNames);
        let by_signal = self.watch.was_interrupted().then_some(Stopped::BySignal);
        let without_memory = || self.watch.lacked_memory().then_some(Stopped::WithoutMemory);
        by_signal.or_else(without_memory).or_else(for_names).or_else(at_foreign)
    }

    pub fn access(&self) -> A {
        self.access
    }

    fn classes(&self) -> &Classes {
        self.classes.get()
    }

    /// The items in memory.
    fn items(&self) -> Option<&[Object]> {
        if self.len == 0 {
            return None;
        }
        // SAFETY: the items don't change as long as the slice is used, because no Python code runs. Others
        // run between two sources, and `look_again` has found that there are as many items.
        unsafe {
            let items = self.access.items_of(self.rows.as_ptr(), self.container);
            Some(std::slice::from_raw_parts(self.access.lie_at(items)?, self.len))
        }
    }

    fn row(&self, row: usize) -> Ref<'_> {
        // SAFETY: the row is one of the rows, which hold a reference to it.
        let object = unsafe { item(self.rows.as_ptr(), row) };
        Ref { object, is_key: false, classes: self.classes(), watch: &self.watch }
    }
}

impl<A: Access> Rows for PyRows<'_, A> {
    type Source<'a>
        = ObjectReader<'a, A>
    where
        Self: 'a;

    fn len(&self) -> usize {
        self.len
    }

    fn hint(&self) -> Option<u64> {
        if self.len == 0 {
            return None;
        }
        // SAFETY: there is a first row, and it is alive.
        unsafe {
            let first = item(self.rows.as_ptr(), 0);
            if is_exactly(first, &raw mut ffi::PyDict_Type) {
                return keys_hint(first);
            }
            let class = ffi::Py_TYPE(first);
            let len = match is_exactly(first, &raw mut ffi::PyTuple_Type) {
                true => ffi::Py_SIZE(first),
                false => 0,
            };
            Some(class.addr() as u64 ^ (len as u64) << 48)
        }
    }

    fn source(&self) -> ObjectReader<'_, A> {
        // SAFETY: the rows are a list or tuple of that length. For the source's methods see `PyRows::new`.
        unsafe {
            let rows = (self.rows.as_ptr(), self.container);
            ObjectReader::new(self.access, rows, self.len, &self.classes, self.items())
                .with_leniency(self.leniency)
                .watched(&self.watch)
        }
    }

    fn source_by_key_order(&self) -> Option<ObjectReader<'_, A>> {
        Some(self.source().by_key_order())
    }

    fn before(&self) -> usize {
        self.before
    }

    fn host_lock(&self) -> HostLock {
        self.host_lock.get()
    }

    fn look_again(&self) -> Result<(), Fault> {
        if let Some(classes) = self.classes.peek() {
            classes.forget();
        }
        let changed = match self.rows.len() {
            Ok(len) if len == self.len => return Ok(()),
            Ok(len) => exception::<PyRuntimeError>(format!(
                "the list of rows had {} rows and has {len} now: another thread has changed it while it \
                 was encoded; give serow a copy, as in dumps(list(rows)), or use a lock",
                self.len
            )),
            Err(error) => error,
        };
        changed.restore(self.rows.py());
        Err(Fault::Host)
    }

    fn is_interrupted(&self) -> bool {
        self.watch.is_interrupted()
    }

    fn infer(&self, row: usize, shape: &mut Shape) -> Result<(), InferError> {
        shape.add_value(self.row(row)).map_err(|untyped| match self.watch.lacked_memory() {
            true => InferError::NoMemory,
            false => untyped,
        })
    }

    fn describe(&self, row: usize, path: &Path, expected: Option<&Type>) -> String {
        if self.classes().exact().is_some() {
            return String::new();
        }
        let mut value = self.row(row);
        let mut advice = None;
        for step in &path.0 {
            match value.at(step) {
                Some(next) => value = next,
                None => {
                    advice = value.lacks(step);
                    break;
                }
            }
        }
        advice = advice.or_else(|| mismatch(value, expected?));
        // SAFETY: the value is held by the rows, and a reference is taken before its code runs.
        let object = unsafe { Bound::from_borrowed_ptr(self.rows.py(), value.object) };
        // SAFETY: the value is alive, and the GIL is held.
        advice = advice.or_else(|| unsafe { self.classes().why_not(self.rows.py(), value.object) });
        if declared::resolve(self.rows.py()) {
            // The error is not shown: encoding starts again.
            self.stopped_for_names.set(true);
            return String::new();
        }
        // SAFETY: the value is alive, and the GIL is held.
        let is_array = unsafe { arrays::is_array(self.rows.py(), value.object) };
        let is_plain = |(rows, are_lists): &(Range<usize>, bool)| {
            rows.contains(&row) && (*are_lists || !is_array)
        };
        let is_plain = self.plain.iter().any(is_plain);
        let is_foreign = if is_plain { Ok(false) } else { foreign::is_or_has(&object) };
        match is_foreign {
            Ok(true) => {
                // The error is not shown: encoding starts again.
                self.stopped_at_foreign.set(Some((row, is_array)));
                return String::new();
            }
            Err(error) if error.is_instance_of::<PyMemoryError>(self.rows.py()) => {
                self.watch.lack_memory();
                return String::new();
            }
            Ok(false) | Err(_) => {}
        }
        let ty =
            object.get_type().fully_qualified_name().map_or("?".into(), |name| name.to_string());
        let shown = match object.repr().and_then(|repr| made::lossy(&repr)) {
            Ok(mut repr) => {
                if let Some((cut, _)) = repr.char_indices().nth(80) {
                    repr.truncate(cut);
                    repr.push('…');
                }
                format!("{repr} (type {ty})")
            }
            Err(_) => format!("an object of type {ty}"),
        };
        // SAFETY: the value is alive, and the GIL is held.
        let what = unsafe { self.classes().what(self.rows.py(), object.as_ptr()) };
        let fitting = || fitting::advice(&object, expected?);
        let advice = advice.or_else(|| match (what, fitting()) {
            (Some(what), Some(fitting)) => Some(format!("{what}; {fitting}")),
            (what, _) => what,
        });
        let advice = advice.or_else(|| foreign::advice(&object));
        match advice.or_else(|| logical::advice(&object)).or_else(fitting) {
            Some(advice) => format!("{shown}; {advice}"),
            None => shown,
        }
    }
}

/// A borrowed reference to a value in a row.
#[derive(Clone, Copy)]
struct Ref<'a> {
    object: Object,
    /// Whether it is the key of a dict.
    is_key: bool,
    classes: &'a Classes,
    watch: &'a Watch<'a>,
}

/// Iterator over the items of a container.
struct Children<'a> {
    of: Walk,
    left: usize,
    classes: &'a Classes,
    watch: &'a Watch<'a>,
}

/// How to walk the items.
enum Walk {
    /// The items of a list or tuple of this length.
    Listed(Object, usize),
    /// The keys and values of a dict in turn, with the value that comes next.
    Entries(Entries, Option<Object>),
    /// Items that were collected before.
    Run(std::vec::IntoIter<Object>),
}

impl<'a> Iterator for Children<'a> {
    type Item = Ref<'a>;

    fn next(&mut self) -> Option<Ref<'a>> {
        let left = self.left.checked_sub(1)?;
        let mut is_key = false;
        let object = match &mut self.of {
            // SAFETY: there is such an item.
            Walk::Listed(container, len) => unsafe { item(*container, *len - self.left) },
            Walk::Entries(entries, value) => match value.take() {
                Some(value) => value,
                None => {
                    let (key, after) = entries.next()?;
                    *value = Some(after);
                    is_key = true;
                    key
                }
            },
            Walk::Run(run) => run.next()?,
        };
        self.left = left;
        Some(Ref { object, is_key, classes: self.classes, watch: self.watch })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Children<'_> {}

/// Borrowed item `index` of a list or tuple.
///
/// # Safety
/// `index` must be in bounds, and the GIL must be held.
unsafe fn item(container: Object, index: usize) -> Object {
    // SAFETY: the caller's promise.
    unsafe {
        if is_exactly(container, &raw mut ffi::PyTuple_Type) {
            ffi::PyTuple_GetItem(container, index as ffi::Py_ssize_t)
        } else {
            ffi::PyList_GetItem(container, index as ffi::Py_ssize_t)
        }
    }
}

impl<'a> Ref<'a> {
    fn py(self) -> Python<'a> {
        self.watch.py()
    }

    /// The value at `step`.
    fn at(self, step: &PathStep) -> Option<Ref<'a>> {
        match (self.kind()?, step) {
            (Kind::Container(_, mut elements), PathStep::Item(item)) => elements.nth(*item),
            (Kind::Struct(_, mut elements), PathStep::Item(item)) => elements.nth(*item),
            (Kind::Struct(names, mut elements), PathStep::Field(name)) => {
                elements.nth(names.fields.iter().position(|field| field == name)?)
            }
            (Kind::Dict(mut elements), PathStep::Field(name)) => {
                while let (Some(key), Some(value)) = (elements.next(), elements.next()) {
                    if key.name().as_ref() == Some(name) {
                        return Some(value);
                    }
                }
                None
            }
            (Kind::Dict(mut elements), PathStep::Key(entry)) => elements.nth(entry * 2),
            (Kind::Dict(mut elements), PathStep::Value(entry)) => elements.nth(entry * 2 + 1),
            _ => None,
        }
    }

    /// Says that a dict lacks the key of `step`.
    fn lacks(self, step: &PathStep) -> Option<String> {
        match (self.kind()?, step) {
            (Kind::Dict(_), PathStep::Field(name)) => Some(format!(
                "it lacks the key {name:?}; add it, or write {name:?}? in the schema if it may be \
                 missing"
            )),
            _ => None,
        }
    }

    /// The elements of a set.
    ///
    /// # Safety
    /// The value must be a set or frozenset, and the GIL must be held.
    unsafe fn elements(self) -> Option<Children<'a>> {
        // SAFETY: the caller's promise.
        unsafe {
            let mut run = Vec::new();
            let len = ffi::PySet_Size(self.object) as usize;
            let room = memory::resize(&mut run, len, std::ptr::null_mut());
            if room.is_err() || elements_of(self.py(), self.object, &mut run).is_err() {
                ffi::PyErr_Clear();
                self.watch.lack_memory();
                return None;
            }
            Some(self.items(run.len(), Walk::Run(run.into_iter())))
        }
    }

    /// Whether the value is a container of `len` elements that occurs too often in the rows to be
    /// encoded each time.
    fn is_met_too_often(self, len: usize) -> bool {
        // SAFETY: the rows have it, and the GIL is held.
        let is = |exactly: &SameObjects| unsafe { exactly.is_met_too_often(self.object, len) };
        self.classes.exact().is_some_and(is)
    }

    fn items(self, left: usize, of: Walk) -> Children<'a> {
        Children { of, left, classes: self.classes, watch: self.watch }
    }

    /// The kind of a scalar of NumPy or pandas.
    fn kind_of_scalar(self) -> Option<Kind<Children<'a>>> {
        // A key that is a text of NumPy is a name only once it is plain.
        if self.is_key || !self.classes.takes_others() {
            return None;
        }
        // SAFETY: the value is alive, and the GIL is held.
        let plain = || unsafe { scalars::read(self.py(), self.object) };
        if let Some(offsets) = access::offsets()
            && let Some(plain) = plain()
        {
            // SAFETY: the value is alive.
            let is_read =
                unsafe { logical::is_readable(Direct(offsets, self.py()), plain, self.object) };
            return is_read.then(|| Kind::Scalar(plain.scalar()));
        }
        None
    }

    /// The kind of an array.
    fn kind_of_array(self) -> Option<Kind<Children<'a>>> {
        if self.is_key || !self.classes.takes_others() {
            return None;
        }
        // SAFETY: the value is alive, and the GIL is held.
        unsafe {
            if nd_arrays::is_no_list(self.py(), self.object) {
                return Some(Kind::Scalar(Scalar::Logical(Logical::NdArray)));
            }
            let (scalar, lengths) = arrays::type_of(self.py(), self.object)?;
            // Arrays of the module `array` don't come back as arrays, so those without elements are lists like any
            // other.
            let is_list =
                lengths.contains(&0) && !arrays::is_class_of_numpy(self.py(), self.object);
            Some(Kind::Array(if is_list { Scalar::Null } else { scalar }, lengths))
        }
    }

    /// The kind of an instance of a class that is not built in.
    fn kind_of_class(self) -> Option<Kind<Children<'a>>> {
        let object = self.object;
        // SAFETY: the value is alive, and the GIL is held.
        unsafe {
            match self.classes.of(self.py(), object) {
                ObjectKind::Record(_, names) => {
                    let len = names.fields.len();
                    if self.is_met_too_often(len) {
                        return None;
                    }
                    let fields = access::with_access!(self.py(), |access| self
                        .classes
                        .fields(access, object, len))?;
                    Some(Kind::Struct(names, self.items(len, Walk::Run(fields.into_iter()))))
                }
                ObjectKind::Member(class, of) => class.member(object).map(|_| Kind::Enum(of)),
                ObjectKind::Other if arrays::is_known(object) => self.kind_of_array(),
                ObjectKind::Other => {
                    let ty =
                        access::with_access!(self.py(), |access| logical::type_of(access, object));
                    let logical = ty.map(|ty| Kind::Scalar(Scalar::Logical(ty)));
                    logical.or_else(|| self.kind_of_scalar()).or_else(|| self.kind_of_array())
                }
            }
        }
    }
}

impl<'a> Inspect for Ref<'a> {
    type Elements = Children<'a>;

    fn identity(self) -> Option<usize> {
        Some(self.object.addr())
    }

    fn is_interrupted(self) -> bool {
        self.watch.is_interrupted()
    }

    fn name(self) -> Option<Arc<str>> {
        // SAFETY: the value is alive, and the GIL is held.
        unsafe { text_of(self.object) }
    }

    fn kind(self) -> Option<Kind<Children<'a>>> {
        let object = self.object;
        let is = |ty| {
            // SAFETY: values are alive as long as their rows are.
            unsafe { is_exactly(object, ty) }
        };
        let listed = |container, len: ffi::Py_ssize_t| {
            let of = Walk::Listed(object, len as usize);
            let items =
                (!self.is_met_too_often(len as usize)).then(|| self.items(len as usize, of));
            items.map(|items| Kind::Container(container, items))
        };
        let set = |container| {
            // SAFETY: the object is a set or frozenset.
            let items = unsafe { self.elements() }?;
            (!self.is_met_too_often(items.len())).then_some(Kind::Container(container, items))
        };
        // SAFETY: these are addresses of types. Reading an int and taking a length can't fail.
        unsafe {
            if object == ffi::Py_None() {
                Some(Kind::Scalar(Scalar::Null))
            } else if is(&raw mut ffi::PyLong_Type) {
                let mut overflow = 0;
                ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow);
                let is_large = Scalar::Logical(Logical::Int);
                Some(Kind::Scalar(if overflow == 0 { Scalar::I64 } else { is_large }))
            } else if is(&raw mut ffi::PyFloat_Type) {
                Some(Kind::Scalar(Scalar::F64))
            } else if is(&raw mut ffi::PyUnicode_Type) {
                Some(Kind::Scalar(Scalar::Str))
            } else if is(&raw mut ffi::PyBool_Type) {
                Some(Kind::Scalar(Scalar::Bool))
            } else if is(&raw mut ffi::PyList_Type) {
                listed(Container::List, ffi::PyList_Size(object))
            } else if is(&raw mut ffi::PyTuple_Type) {
                listed(Container::Tuple, ffi::PyTuple_Size(object))
            } else if is(&raw mut ffi::PyDict_Type) {
                let len = ffi::PyDict_Size(object) as usize * 2;
                if self.is_met_too_often(len) {
                    return None;
                }
                Some(Kind::Dict(self.items(len, Walk::Entries(Entries::of(object), None))))
            } else if is(&raw mut ffi::PySet_Type) {
                set(Container::Set)
            } else if is(&raw mut ffi::PyFrozenSet_Type) {
                set(Container::FrozenSet)
            } else {
                self.kind_of_class()
            }
        }
    }
}
