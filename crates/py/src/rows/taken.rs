//! Rows of an iterator. It may give one object again and again, changed each time, as readers of files
//! and databases do. So each row must be encoded before the next is taken, unless nobody can change it.
//!
//! Nobody can change most rows: tuples of numbers and strings never change, and a dict that nobody else
//! refers to won't. A stream encodes other rows one by one. A message whose schema depends on all rows
//! copies them. Lists, tuples and iterators over containers of Python's own run no code between two rows,
//! so their rows are taken as they are.

use std::collections::HashMap;

use pyo3::exceptions::{PyException, PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyByteArray, PyBytes, PyDict, PyFrozenSet, PyIterator, PyList, PyMapping, PyMemoryView, PySet,
    PyString, PyTuple, PyType,
};
use serow_core::limits::{CHECK_ROWS, MAX_DEPTH};
use serow_core::schema::Container as Kind;

use crate::access;
use crate::errors::{EncodeError, exception, no_memory};
use crate::layout::container::Container as _;
use crate::layout::entries::Entries;
use crate::layout::records::lookup::Mro;
use crate::layout::records::slots::Slot;
use crate::layout::records::{Classes, ObjectKind, attributes};
use crate::layout::view::elements_of;
use crate::layout::{Api, Direct, Object, Offsets, arrays, is_exactly};
use crate::made::{self, Calls, name};
use crate::rows::foreign;

/// Containers in one row that are looked at. A row with more is copied. Tuples that contain each other
/// twice would take exponential time.
const MOST_CONTAINERS: usize = 1 << 16;

/// The rows of a call.
pub enum RowsInput<'py> {
    /// A list or tuple.
    Listed(Bound<'py, PyAny>),
    /// Rows that come one after another.
    Coming(Box<Taking<'py>>),
}

/// Says how to read `rows`. Every function that takes rows asks this one.
///
/// # Errors
/// An `EncodeError` or `TypeError` if `rows` is no iterable of rows, with advice what to pass. What
/// `iter(rows)` raises.
pub fn given<'py>(rows: &Bound<'py, PyAny>) -> PyResult<RowsInput<'py>> {
    if rows.is_exact_instance_of::<PyList>() || rows.is_exact_instance_of::<PyTuple>() {
        return Ok(RowsInput::Listed(rows.clone()));
    }
    let ty = rows.get_type().name()?;
    if is_one_value(rows)? {
        return Err(exception::<EncodeError>(format!(
            "rows must be an iterable of rows, not {ty}; to encode one row, use [row]"
        )));
    }
    if foreign::is_arrow(rows)? {
        return Err(exception::<PyTypeError>(format!(
            "rows must be an iterable of rows, not {ty}, which has Arrow's arrays; use \
             serow.from_arrow(rows)"
        )));
    }
    if let Some(instead) = foreign::instead_of_table(rows) {
        return Err(exception::<PyTypeError>(format!(
            "rows must be an iterable of rows, not {ty}, whose items are its columns; use {instead}"
        )));
    }
    // SAFETY: the rows are alive, and the GIL is held.
    if unsafe { arrays::is_of_plain_values(rows.py(), rows.as_ptr()) } {
        return rows.call_method0(name!("tolist")).map(RowsInput::Listed);
    }
    if let Some(records) = foreign::records(rows)? {
        return Ok(RowsInput::Listed(records));
    }
    let iterator = rows.try_iter().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(rows.py()) {
            let wrapped = exception::<EncodeError>(format!(
                "rows must be an iterable of rows, not {ty}; to encode one row, use [row]"
            ));
            wrapped.set_cause(rows.py(), Some(error));
            wrapped
        } else {
            error
        }
    })?;
    Taking::of(iterator).map(|rows| RowsInput::Coming(Box::new(rows)))
}

/// Whether `rows` can be iterated over, but is one value: its items are its parts, and not rows.
fn is_one_value(rows: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_text = rows.is_instance_of::<PyString>()
        || rows.is_instance_of::<PyBytes>()
        || rows.is_instance_of::<PyByteArray>()
        || rows.is_instance_of::<PyMemoryView>();
    if is_text || rows.cast::<PyMapping>().is_ok() {
        return Ok(true);
    }
    let class = rows.get_type();
    // Named tuples, and rows of SQLAlchemy and PySpark.
    let has_names = class.hasattr(name!("_fields"))?
        || rows.is_instance_of::<PyTuple>() && rows.hasattr(name!("__fields__"))?;
    if has_names || is_numpys(&class) {
        return Ok(true);
    }
    // A model of pydantic gives its fields, unless its class defines what it gives.
    let given = class.getattr_opt(name!("__iter__"))?;
    let module = given.and_then(|given| given.getattr(name!("__module__")).ok());
    Ok(module
        .and_then(|module| module.extract::<String>().ok())
        .is_some_and(|module| module == "pydantic" || module.starts_with("pydantic.")))
}

/// A list or tuple of all `rows`.
///
/// # Errors
/// Those of [`given`], and what the iteration raises.
pub fn listed<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match given(rows)? {
        RowsInput::Listed(rows) => Ok(rows),
        RowsInput::Coming(mut coming) => {
            let (py, mut taken) = (rows.py(), Vec::new());
            while let Some((row, is_settled)) = coming.next()? {
                let row = if is_settled { row } else { coming.fixed(row)? };
                push(&mut taken, row)?;
                if taken.len().is_multiple_of(CHECK_ROWS) {
                    py.check_signals()?;
                }
            }
            Ok(made::list(py, taken)?.into_any())
        }
    }
}

/// Appends a row.
///
/// # Errors
/// A `MemoryError`.
#[inline]
pub fn push<'py>(rows: &mut Vec<Bound<'py, PyAny>>, row: Bound<'py, PyAny>) -> PyResult<()> {
    if rows.len() == rows.capacity() {
        rows.try_reserve(rows.len().max(64)).map_err(|_| no_memory(row.py()))?;
    }
    rows.push(row);
    Ok(())
}

/// Takes rows from an iterator.
pub struct Taking<'py> {
    rows: Bound<'py, PyIterator>,
    /// Whether the iterator runs no code of anybody else.
    is_plain: bool,
    offsets: Option<&'static Offsets>,
    /// Classes whose instances can't be changed.
    fixed: &'py [Py<PyType>],
    classes: Classes,
    /// What is known about the classes of values, by the address of the class.
    known: HashMap<usize, (Bound<'py, PyType>, Mutability)>,
    /// The last class that was looked up.
    last: (usize, Mutability),
    /// Containers of the current row that may still be looked at.
    left: usize,
}

/// What may change in instances of a class.
#[derive(Clone, Copy)]
enum Mutability {
    /// Nothing that serow reads.
    Fixed,
    /// Their items.
    Tuple,
    /// Their fields.
    Record,
    /// Unknown.
    Other,
}

impl<'py> Taking<'py> {
    fn of(rows: Bound<'py, PyIterator>) -> PyResult<Taking<'py>> {
        let is_plain =
            plain_iterators(rows.py())?.iter().any(|ty| rows.get_type().is(ty.bind(rows.py())));
        let fixed = fixed_classes(rows.py())?;
        Ok(Taking {
            rows,
            is_plain,
            offsets: access::offsets(),
            fixed,
            classes: Classes::default(),
            known: HashMap::new(),
            last: (0, Mutability::Other),
            left: 0,
        })
    }

    /// The iterator, with the rows that were not taken.
    pub fn into_iterator(self) -> Bound<'py, PyIterator> {
        self.rows
    }

    /// The next row, and whether nobody can change it.
    ///
    /// # Errors
    /// What the iterator raises.
    #[inline]
    pub fn next(&mut self) -> PyResult<Option<(Bound<'py, PyAny>, bool)>> {
        let Some(row) = self.rows.next() else { return Ok(None) };
        let row = row?;
        // SAFETY: the row is alive, and the GIL is held.
        let is_settled = self.is_plain || unsafe { self.is_settled(row.as_ptr()) };
        Ok(Some((row, is_settled)))
    }

    /// A row with the same content that nobody can change. A row that can't be copied is returned as it
    /// is.
    ///
    /// # Errors
    /// What must not wait, as Ctrl-C.
    fn fixed(&mut self, row: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.copied(&row, &mut Copies::default(), 0) {
            Err(error)
                if error.is_instance_of::<PyException>(row.py())
                    && !error.is_instance_of::<PyMemoryError>(row.py()) =>
            {
                Ok(row)
            }
            copied => copied,
        }
    }

    /// Whether nobody can change a row that the caller holds once.
    ///
    /// # Safety
    /// `row` must be alive, and the GIL must be held.
    unsafe fn is_settled(&mut self, row: Object) -> bool {
        self.left = MOST_CONTAINERS;
        // SAFETY: the caller's promise.
        unsafe { self.is_frozen(row, true) }
    }

    /// Whether nobody can change a value. `is_ours` says that only the caller's row leads to the
    /// containers around it.
    ///
    /// # Safety
    /// `value` must be alive, and the GIL must be held.
    unsafe fn is_frozen(&mut self, value: Object, is_ours: bool) -> bool {
        // SAFETY: the value is alive. No Python code runs while the row is walked, also not when a class is met first. So
        // nothing of it changes, and what it holds stays alive.
        unsafe {
            if is_scalar(value) {
                return true;
            }
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            let is_ours = is_ours && has_one_reference(value);
            let is = |ty| is_exactly(value, ty);
            if is(&raw mut ffi::PyTuple_Type) {
                return self.items_are_frozen(value, is_ours);
            }
            if is(&raw mut ffi::PyFrozenSet_Type) {
                return self.elements_are_frozen(value, is_ours);
            }
            if is(&raw mut ffi::PyList_Type) {
                return is_ours && self.items_are_frozen(value, true);
            }
            if is(&raw mut ffi::PyDict_Type) {
                return is_ours && self.entries_are_frozen(value);
            }
            if is(&raw mut ffi::PySet_Type) {
                return is_ours && self.elements_are_frozen(value, true);
            }
            if is(&raw mut ffi::PyByteArray_Type) {
                return is_ours;
            }
            match self.class_mutability(value) {
                Mutability::Fixed => true,
                Mutability::Tuple => self.items_are_frozen(value, is_ours),
                Mutability::Record => is_ours && self.fields_are_frozen(value),
                Mutability::Other => false,
            }
        }
    }

    /// # Safety
    /// As for [`Taking::is_frozen`]. `container` must be a list or a tuple, or of a subclass of tuple.
    unsafe fn items_are_frozen(&mut self, container: Object, are_ours: bool) -> bool {
        // SAFETY: the caller's promise. Both begin with the number of their items.
        unsafe {
            let len = ffi::Py_SIZE(container) as usize;
            let is_list = is_exactly(container, &raw mut ffi::PyList_Type);
            if let Some(offsets) = self.offsets {
                let kind = if is_list { Kind::List } else { Kind::Tuple };
                let items = Direct(offsets, self.rows.py()).items_of(container, kind);
                let mut items = (0..len).map(|i| *items.add(i));
                return items.all(|item| is_scalar(item) || self.is_frozen(item, are_ours));
            }
            let item = if is_list { ffi::PyList_GetItem } else { ffi::PyTuple_GetItem };
            (0..len).all(|i| self.is_frozen(item(container, i as ffi::Py_ssize_t), are_ours))
        }
    }

    /// # Safety
    /// As for [`Taking::is_frozen`]. `dict` must be a dict.
    unsafe fn entries_are_frozen(&mut self, dict: Object) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut entries = Entries::of(dict);
            while let Some((key, value)) = entries.next() {
                let is_frozen = |value| is_scalar(value) || self.is_frozen(value, true);
                if ![value, key].into_iter().all(is_frozen) {
                    return false;
                }
            }
        }
        true
    }

    /// # Safety
    /// As for [`Taking::is_frozen`]. `set` must be a set or frozenset.
    unsafe fn elements_are_frozen(&mut self, set: Object, are_ours: bool) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut elements = vec![std::ptr::null_mut(); ffi::PySet_Size(set) as usize];
            if elements_of(self.rows.py(), set, &mut elements).is_err() {
                ffi::PyErr_Clear();
                return false;
            }
            elements.into_iter().all(|element| self.is_frozen(element, are_ours))
        }
    }

    /// # Safety
    /// As for [`Taking::is_frozen`].
    unsafe fn fields_are_frozen(&mut self, record: Object) -> bool {
        // SAFETY: the caller's promise; the record keeps its fields alive.
        unsafe {
            let py = self.rows.py();
            let ObjectKind::Record(class, names) = self.classes.of(py, record) else {
                return false;
            };
            if let Some(own) = class.plain_attributes() {
                if own.has_dict {
                    let Some(dict) = attributes(py, record) else { return false };
                    if !has_one_reference(dict) || !self.entries_are_frozen(dict) {
                        return false;
                    }
                }
                let offsets = self.offsets;
                let value = |slot: &Slot| match offsets {
                    Some(offsets) => slot.get(Direct(offsets, py), record),
                    None => slot.get(Api(py), record),
                };
                let slots = own.slots().map(value).filter(|value| !value.is_null());
                let mut values = slots.chain(own.defaults());
                return values.all(|value| is_scalar(value) || self.is_frozen(value, true));
            }
            let len = names.fields.len();
            let fields = match self.offsets {
                Some(offsets) => self.classes.fields(Direct(offsets, py), record, len),
                None => self.classes.fields(Api(py), record, len),
            };
            fields.is_some_and(|fields| fields.into_iter().all(|field| self.is_frozen(field, true)))
        }
    }

    /// # Safety
    /// As for [`Taking::is_frozen`].
    unsafe fn class_mutability(&mut self, value: Object) -> Mutability {
        // SAFETY: the caller's promise.
        let class = unsafe { ffi::Py_TYPE(value) };
        let address = class.addr();
        if self.last.0 == address {
            return self.last.1;
        }
        let mutability = match self.known.get(&address) {
            Some((_, mutability)) => *mutability,
            None => {
                // SAFETY: the class of a live object is alive.
                let class = unsafe { Bound::from_borrowed_ptr(self.rows.py(), class.cast()) };
                let Ok(class) = class.cast_into::<PyType>() else { return Mutability::Other };
                // SAFETY: the caller's promise.
                let is_record = unsafe {
                    matches!(self.classes.of(self.rows.py(), value), ObjectKind::Record(..))
                };
                let mutability = match mutability_of(&class, self.fixed) {
                    Mutability::Other if is_record => Mutability::Record,
                    known => known,
                };
                // The class is kept, so that no other class gets its address.
                self.known.insert(address, (class, mutability));
                mutability
            }
        };
        self.last = (address, mutability);
        mutability
    }

    /// A value that nobody else can change, with the same content.
    fn copied(
        &mut self,
        value: &Bound<'py, PyAny>,
        copies: &mut Copies<'py>,
        depth: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.left = MOST_CONTAINERS;
        // SAFETY: the value is alive, and the GIL is held.
        if depth > MAX_DEPTH || unsafe { self.is_frozen(value.as_ptr(), false) } {
            return Ok(value.clone());
        }
        if let Some((_, copy)) = copies.0.get(&value.as_ptr().addr()) {
            return Ok(copy.clone());
        }
        let py = value.py();
        let copy = if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            let items = tuple.iter().map(|item| self.copied(&item, copies, depth + 1));
            made::tuple(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            let copy = made::empty_list(py)?;
            copies.keep(value, copy.as_any());
            for item in list {
                copy.append(self.copied(&item, copies, depth + 1)?)?;
            }
            return Ok(copy.into_any());
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            let copy = dict.copy()?;
            // SAFETY: the copy is alive, and only this function has it.
            if depth <= 1 && unsafe { self.entries_are_frozen(copy.as_ptr()) } {
                return Ok(copy.into_any());
            }
            copies.keep(value, copy.as_any());
            // The copies run code, which may find the dict and change it.
            for (key, value) in dict.iter().collect::<Vec<_>>() {
                // SAFETY: the second copy of the dict keeps its values alive.
                if !unsafe { self.is_frozen(value.as_ptr(), false) } {
                    copy.set_item(key, self.copied(&value, copies, depth + 1)?)?;
                }
            }
            return Ok(copy.into_any());
        } else if value.is_exact_instance_of::<PySet>()
            || value.is_exact_instance_of::<PyFrozenSet>()
            || value.is_exact_instance_of::<PyByteArray>()
        {
            // Elements have a hash, which must not change.
            value.call_method0(name!("copy"))?
        } else if let Some(copy) = self.copied_record(value, copies, depth)? {
            copy
        } else {
            py.import(name!("copy"))?.method_with(name!("deepcopy"), (value,))?
        };
        copies.keep(value, &copy);
        Ok(copy)
    }

    /// The copy of a record that has its values in a dict and slots. `None` for other values, and for
    /// records that would notice it.
    fn copied_record(
        &mut self,
        record: &Bound<'py, PyAny>,
        copies: &mut Copies<'py>,
        depth: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (py, class) = (record.py(), record.get_type());
        // SAFETY: the record is alive, and the GIL is held.
        let kind = unsafe { self.classes.of(self.rows.py(), record.as_ptr()) };
        let ObjectKind::Record(of, _) = kind else { return Ok(None) };
        let Some(own) = of.plain_attributes() else { return Ok(None) };
        // SAFETY: the class is alive.
        let end = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_finalize) };
        if !end.is_null() {
            return Ok(None);
        }
        let new = || Ok::<_, PyErr>(py.get_type::<PyAny>().getattr(name!("__new__"))?.unbind());
        // It refuses classes that `object` can't make.
        let Ok(copy) = NEW.get_or_try_init(py, new)?.bind(py).call_with((class,)) else {
            return Ok(None);
        };
        copies.keep(record, &copy);
        if own.has_dict {
            // SAFETY: the record is alive.
            let Some(dict) = (unsafe { attributes(py, record.as_ptr()) }) else { return Ok(None) };
            // SAFETY: the record keeps its dict.
            let dict = unsafe { Bound::from_borrowed_ptr(py, dict) };
            let dict = self.copied(&dict, copies, depth + 1)?;
            // SAFETY: all are alive, and the GIL is held.
            let set = unsafe {
                ffi::PyObject_GenericSetDict(copy.as_ptr(), dict.as_ptr(), std::ptr::null_mut())
            };
            if set != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        for slot in own.slots() {
            // SAFETY: the record is alive and of the class.
            let value = unsafe { slot.get(Api(py), record.as_ptr()) };
            if !value.is_null() {
                // SAFETY: the record keeps its value.
                let value = unsafe { Bound::from_borrowed_ptr(py, value) };
                slot.set(&copy, &self.copied(&value, copies, depth + 1)?)?;
            }
        }
        Ok(Some(copy))
    }
}

/// The copies of one row's values, by the address of the value, which is kept too. So a value that occurs
/// twice is copied once.
#[derive(Default)]
struct Copies<'py>(HashMap<usize, (Bound<'py, PyAny>, Bound<'py, PyAny>)>);

impl<'py> Copies<'py> {
    fn keep(&mut self, value: &Bound<'py, PyAny>, copy: &Bound<'py, PyAny>) {
        self.0.insert(value.as_ptr().addr(), (value.clone(), copy.clone()));
    }
}

/// Whether a value is of a common class whose instances can't change and have no parts.
///
/// # Safety
/// `value` must be alive.
#[inline(always)]
unsafe fn is_scalar(value: Object) -> bool {
    // SAFETY: the caller's promise; these are addresses of types.
    unsafe {
        is_exactly(value, &raw mut ffi::PyUnicode_Type)
            || is_exactly(value, &raw mut ffi::PyLong_Type)
            || is_exactly(value, &raw mut ffi::PyFloat_Type)
            || value == ffi::Py_None()
            || is_exactly(value, &raw mut ffi::PyBool_Type)
            || is_exactly(value, &raw mut ffi::PyBytes_Type)
    }
}

/// Whether the caller's reference is the only one to `value`.
///
/// # Safety
/// `value` must be alive, and the GIL must be held.
unsafe fn has_one_reference(value: Object) -> bool {
    // SAFETY: a live object starts with its reference count. From 3.12 on only the lower half counts, and
    // before that no object has as many references as would fill it.
    unsafe { *value.cast::<u32>() == 1 }
}

/// What may change in instances of a class that is no record. Runs no Python code.
fn mutability_of(class: &Bound<'_, PyType>, fixed: &[Py<PyType>]) -> Mutability {
    // A class of metaclasses may run code when it is asked whether another one is its subclass.
    let is_subclass = |base: *mut ffi::PyTypeObject| {
        // SAFETY: both classes are alive.
        unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), base) != 0 }
    };
    if fixed.iter().any(|base| is_subclass(base.as_ptr().cast())) || is_numpys(class) {
        return Mutability::Fixed;
    }
    match is_subclass(&raw mut ffi::PyTuple_Type) {
        true => Mutability::Tuple,
        false => Mutability::Other,
    }
}

/// Whether instances of a class are single values of NumPy. serow does not import NumPy to find out.
fn is_numpys(class: &Bound<'_, PyType>) -> bool {
    Mro::of(class.clone()).is_some_and(|mro| mro.has_named("generic", "numpy"))
}

type ClassList = PyOnceLock<Vec<Py<PyType>>>;

/// Classes whose instances can't be changed, as far as serow reads them.
fn fixed_classes(py: Python<'_>) -> PyResult<&[Py<PyType>]> {
    static CLASSES: ClassList = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        let names = [
            ("builtins", "int"),
            ("builtins", "float"),
            ("builtins", "complex"),
            ("builtins", "str"),
            ("builtins", "bytes"),
            ("datetime", "date"),
            ("datetime", "time"),
            ("datetime", "timedelta"),
            ("decimal", "Decimal"),
            ("uuid", "UUID"),
            ("enum", "Enum"),
        ];
        let class = |(module, name)| {
            let module = py.import(made::text(py, module)?)?;
            Ok(module.getattr(made::text(py, name)?)?.cast_into()?.unbind())
        };
        names.into_iter().map(class).collect::<PyResult<_>>()
    });
    classes.map(Vec::as_slice)
}

/// Classes of iterators that run no code of anybody else.
fn plain_iterators(py: Python<'_>) -> PyResult<&[Py<PyType>]> {
    static CLASSES: ClassList = PyOnceLock::new();
    let classes = CLASSES.get_or_try_init(py, || {
        let some =
            c"[iter([]), reversed([]), iter(()), iter({}), iter({}.values()), iter({}.items()), \
                    iter(set()), iter(range(0)), iter(__import__('collections').deque())]";
        let some = py.eval(some, None, None)?;
        some.try_iter()?.map(|one| Ok(one?.get_type().unbind())).collect::<PyResult<_>>()
    });
    classes.map(Vec::as_slice)
}
