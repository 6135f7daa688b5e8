//! Arrays of numbers and times in rows that are lists. They are of NumPy or of Python's module `array`.
//!
//! An array of one dimension whose type a list keeps is encoded as a list of numbers. So is any array of numbers where
//! a schema declares lists, or lists of lists. serow copies its elements as memory, so no element becomes an object.
//! Times are counts of a unit, and so numbers too. Arrays that a list would not keep are in [`nd_arrays`], arrays of
//! texts in [`text_arrays`]. serow treats arrays of other elements as foreign values.

use std::collections::HashMap;
use std::ffi::CStr;
use std::fmt::Display;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use bytemuck::{AnyBitPattern, NoUninit, cast_slice, cast_slice_mut};
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serow_core::bytes::shared::{append_shared, copy_items_shared, copy_shared};
use serow_core::error::Fault;
use serow_core::layout::{NumberType, Numbers, OpResult, TOO_MANY_ELEMENTS};
use serow_core::limits::MAX_ROW_ELEMENTS;
use serow_core::memory;
use serow_core::plan::{Parts, StrEncoding};
use serow_core::schema::{ElementType, Logical, NdArray, Scalar};

use super::logical::{MakeResult, Quiet, Refusal, Times, are_counts, count, of_module};
use super::time_units::{NOT_A_TIME, Unit};
use super::{Object, is_exactly, nd_arrays, text_arrays};
use crate::buffers::{Buffer, Items};
use crate::errors::exception;
use crate::made::{self, Calls, name};

/// A class of arrays that is looked up among the loaded modules.
struct ArrayClass {
    module: &'static CStr,
    name: &'static CStr,
    known: AtomicPtr<ffi::PyTypeObject>,
}

static CLASSES: [ArrayClass; 2] =
    [ArrayClass::new(c"numpy", c"ndarray"), ArrayClass::new(c"array", c"array")];

/// A flag of a class that Python code can't change, and so can't have made.
const IMMUTABLE: std::ffi::c_ulong = 1 << 8;

/// Whether `object` is a class that only C code can have made.
///
/// # Safety
/// `object` must be null or alive.
pub unsafe fn is_class_of_c(object: Object) -> bool {
    // SAFETY: as above; the object is a class before its flags are read.
    unsafe {
        !object.is_null()
            && ffi::PyType_Check(object) != 0
            && ffi::PyType_GetFlags(object.cast()) & IMMUTABLE != 0
    }
}

impl ArrayClass {
    const fn new(module: &'static CStr, name: &'static CStr) -> ArrayClass {
        ArrayClass { module, name, known: AtomicPtr::new(null_mut()) }
    }

    /// # Safety
    /// `object` must be alive, and the GIL must be held.
    unsafe fn is_of(&self, object: Object) -> bool {
        // SAFETY: as above.
        unsafe {
            let known = self.known.load(Ordering::Relaxed);
            if !known.is_null() {
                return is_exactly(object, known);
            }
            let class = of_module(self.module, self.name);
            if !is_class_of_c(class) {
                return false;
            }
            // Never released.
            ffi::Py_IncRef(class);
            self.known.store(class.cast(), Ordering::Relaxed);
            is_exactly(object, class.cast())
        }
    }
}

/// The items that arrays have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    F32,
    F64,
    Time(Unit),
}

impl Item {
    /// The item of a format character of Python's `struct`, with native byte order. C's `long`, whose
    /// character is `l`, has 4 or 8 bytes, so the size decides.
    fn of(format: u8, size: usize) -> Option<Item> {
        Some(match (format, size) {
            (b'?', 1) => Item::Bool,
            (b'b', 1) => Item::I8,
            (b'B', 1) => Item::U8,
            (b'h', 2) => Item::I16,
            (b'H', 2) => Item::U16,
            (b'i' | b'l', 4) => Item::I32,
            (b'I' | b'L', 4) => Item::U32,
            (b'l' | b'q', 8) => Item::I64,
            (b'f', 4) => Item::F32,
            (b'd', 8) => Item::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Item::Bool | Item::I8 | Item::U8 => 1,
            Item::I16 | Item::U16 => 2,
            Item::I32 | Item::U32 | Item::F32 => 4,
            Item::I64 | Item::F64 | Item::Time(_) => 8,
        }
    }

    fn number_type(self) -> NumberType {
        match self {
            Item::Bool => NumberType::Bool,
            Item::F32 | Item::F64 => NumberType::F64,
            Item::Time(unit) => NumberType::Time(unit.ty),
            _ => NumberType::I64,
        }
    }
}

/// Whether `object` is of a class of arrays that was met before, without looking any class up.
pub fn is_known(object: Object) -> bool {
    // SAFETY: only the class is compared, which every live object has.
    CLASSES.iter().any(|class| unsafe { is_exactly(object, class.known.load(Ordering::Relaxed)) })
}

/// Whether `object` is of NumPy's class of arrays.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn is_class_of_numpy(object: Object) -> bool {
    // SAFETY: as above.
    unsafe { CLASSES[0].is_of(object) }
}

/// Whether `object` is of a class of arrays.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn is_array(object: Object) -> bool {
    // SAFETY: as above.
    CLASSES.iter().any(|class| unsafe { class.is_of(object) })
}

/// What the items of an array are.
pub(super) enum Elements {
    Numbers(Item),
    /// Texts of NumPy, all of one size.
    Texts(StrEncoding),
}

/// The items of an array of numbers, times or texts; `None` for all other objects, and for arrays without a
/// dimension.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub(super) unsafe fn items(object: Object, last: &mut LastUnit) -> Option<(Items, Elements)> {
    // Collecting garbage could run any code. The classes' own code is C.
    let _quiet = Quiet::new();
    // SAFETY: as above.
    let (array, is_numpy) = unsafe {
        if !is_array(object) {
            return None;
        }
        (Bound::from_borrowed_ptr(Python::assume_attached(), object), CLASSES[0].is_of(object))
    };
    let Some(items) = Items::of(&array) else {
        // NumPy gives no buffer of times.
        let (items, unit) = last.items(&array).ok()??;
        return Some((items, Elements::Numbers(Item::Time(unit))));
    };
    let elements = match items.format {
        b'w' if is_numpy => Elements::Texts(StrEncoding::Text),
        b's' if is_numpy => Elements::Texts(StrEncoding::Bytes),
        format => Elements::Numbers(Item::of(format, items.size)?),
    };
    Some((items, elements))
}

/// The unit of the last array of times, by its `dtype`. It is kept because asking NumPy takes long, and arrays
/// that are parts of one have one `dtype`.
#[derive(Default)]
pub(super) struct LastUnit(Option<(Py<PyAny>, Option<Unit>)>);

impl LastUnit {
    /// The items of an array of times: their counts, and the unit of these.
    fn items(&mut self, array: &Bound<'_, PyAny>) -> PyResult<Option<(Items, Unit)>> {
        // An array of the module `array` raises an error.
        let dtype = array.getattr(name!("dtype"))?;
        let unit = match &self.0 {
            Some((last, unit)) if last.is(&dtype) => *unit,
            _ => {
                let text = dtype.getattr(name!("str"))?.cast_into::<PyString>()?;
                let unit = Unit::described(&text.to_cow()?);
                self.0 = Some((dtype.unbind(), unit));
                unit
            }
        };
        let Some(unit) = unit else { return Ok(None) };
        Ok(Items::of(&counts(array)?).map(|items| (items, unit)))
    }
}

/// The array of the counts of an array of times, in the same memory.
fn counts<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    array.method_with(name!("view"), (name!("int64"),))
}

/// The type of the elements of an array of numbers, times or texts, and the lengths of its dimensions; `None` for
/// all other objects, and for elements that are no plain values of this type.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn type_of(object: Object) -> Option<(Scalar, Vec<usize>)> {
    // SAFETY: as above.
    let (items, elements) = unsafe { items(object, &mut LastUnit::default()) }?;
    let lengths = items.lengths().to_vec();
    let scalar = match elements {
        Elements::Texts(encoding) => text_arrays::type_of(&items, encoding)?,
        Elements::Numbers(item) => match item.number_type() {
            NumberType::I64 => Scalar::I64,
            NumberType::F64 => Scalar::F64,
            NumberType::Bool => Scalar::Bool,
            of @ NumberType::Time(ty) => {
                // SAFETY: as above.
                let read = unsafe { ArrayElements::default().read(object, of, lengths.len()) };
                // Encoding reports an array with too many elements.
                if let Ok(None) = read {
                    return None;
                }
                Scalar::Logical(ty)
            }
        },
    };
    Some((scalar, lengths))
}

/// Whether `object` is an array with one dimension of numbers or texts, and of no times.
///
/// # Safety
/// As for [`type_of`].
pub unsafe fn is_of_plain_values(object: Object) -> bool {
    // SAFETY: as above.
    let found = unsafe { items(object, &mut LastUnit::default()) };
    found.is_some_and(|(items, elements)| {
        items.lengths().len() == 1 && !matches!(elements, Elements::Numbers(Item::Time(_)))
    })
}

/// A copy of the elements of the last array that was read. The memory is kept for the next one.
#[derive(Default)]
pub struct ArrayElements {
    /// Integers and floats, and the first components of times.
    words: Vec<u64>,
    /// The second components of times.
    rests: Vec<i64>,
    /// Booleans, or elements of other sizes before they are widened.
    bytes: Vec<u8>,
    of: Option<NumberType>,
    len: usize,
    lengths: Vec<usize>,
    unit: LastUnit,
}

impl ArrayElements {
    /// Copies the elements of `object` if it is an array with elements of the `expected` type, without any that
    /// have no plain value, and `depth` dimensions. Returns their number.
    ///
    /// # Safety
    /// `object` must be alive, and the GIL must be held.
    pub unsafe fn read(
        &mut self,
        object: Object,
        expected: NumberType,
        depth: usize,
    ) -> OpResult<Option<usize>> {
        // SAFETY: as above.
        let Some((items, Elements::Numbers(item))) = (unsafe { items(object, &mut self.unit) })
        else {
            return Ok(None);
        };
        if item.number_type() != expected || items.lengths().len() != depth {
            return Ok(None);
        }
        let len = items.lengths().iter().fold(1usize, |all, &len| all.saturating_mul(len));
        // An array whose items are one item again and again takes no memory, but its copy would.
        if len > MAX_ROW_ELEMENTS {
            return Err(TOO_MANY_ELEMENTS);
        }
        let bytes = match items.size == size_of::<u64>() {
            true => cast_slice_mut(room(&mut self.words, len)?),
            false => room(&mut self.bytes, len * items.size)?,
        };
        copy_items(&items, bytes);
        let to = if item == Item::Bool { &mut [] } else { room(&mut self.words, len)? };
        let from = &mut self.bytes;
        match item {
            // Memory that was something else before may hold any byte.
            Item::Bool => from[..len].iter_mut().for_each(|it| *it = u8::from(*it != 0)),
            Item::I64 | Item::F64 => {}
            Item::Time(unit) => {
                if !split(unit, to, room(&mut self.rests, len)?) {
                    return Ok(None);
                }
            }
            Item::I8 => widen(from, to, |v: i8| i64::from(v) as u64),
            Item::I16 => widen(from, to, |v: i16| i64::from(v) as u64),
            Item::I32 => widen(from, to, |v: i32| i64::from(v) as u64),
            Item::U8 => widen(from, to, |v: u8| u64::from(v)),
            Item::U16 => widen(from, to, |v: u16| u64::from(v)),
            Item::U32 => widen(from, to, |v: u32| u64::from(v)),
            Item::F32 => widen(from, to, |v: f32| f64::from(v).to_bits()),
        }
        (self.of, self.len) = (Some(expected), len);
        self.lengths.clear();
        self.lengths.extend_from_slice(items.lengths());
        Ok(Some(len))
    }

    /// The lengths of the array's dimensions, outermost first.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The elements.
    pub fn numbers(&self) -> Numbers<'_> {
        match self.of {
            Some(NumberType::F64) => Numbers::F64(cast_slice(&self.words[..self.len])),
            Some(NumberType::Bool) => Numbers::Bool(&self.bytes[..self.len]),
            Some(NumberType::Time(ty)) => {
                let first = cast_slice(&self.words[..self.len]);
                Numbers::Times(ty, [first, &self.rests[..self.len]])
            }
            Some(NumberType::I64) | None => Numbers::I64(cast_slice(&self.words[..self.len])),
        }
    }
}

/// Appends the items in order, which have `len` bytes.
pub fn append_items(items: &Items, len: usize, to: &mut Vec<u8>) -> OpResult {
    if len == 0 || is_dense(items.size, items.lengths(), items.strides()) {
        // SAFETY: the buffer has as many items, one after another.
        return unsafe { append_shared(items.start, len, to) };
    }
    let before = to.len();
    memory::resize(to, before + len, 0)?;
    copy_items(items, &mut to[before..]);
    Ok(())
}

/// Copies the items in order to `to`, which has room for exactly these.
fn copy_items(items: &Items, to: &mut [u8]) {
    let len: usize = items.lengths().iter().product();
    assert_eq!(to.len(), len * items.size);
    if len > 0 {
        // SAFETY: the buffer has as many items, at these distances from each other.
        unsafe { copy_dimension(items.start, items.size, items.lengths(), items.strides(), to) };
    }
}

/// Whether items with these lengths and strides lie in memory one after another.
fn is_dense(size: usize, lengths: &[usize], strides: &[isize]) -> bool {
    let is_dense = |(at, &stride): (usize, &isize)| {
        lengths[at] == 1 || stride == (size * lengths[at + 1..].iter().product::<usize>()) as isize
    };
    strides.iter().enumerate().all(is_dense)
}

/// Copies the items from `start` on, at least one, which have these lengths and strides.
///
/// # Safety
/// There must be such items, and `to` must have room for exactly these.
unsafe fn copy_dimension(
    start: *const u8,
    size: usize,
    lengths: &[usize],
    strides: &[isize],
    to: &mut [u8],
) {
    // A thread of NumPy that does not hold the GIL may write to the items during the copy.
    // SAFETY: as above.
    unsafe {
        if is_dense(size, lengths, strides) {
            return copy_shared(start, to.len(), to.as_mut_ptr());
        }
        match (lengths, strides) {
            (&[len], &[stride]) => {
                return copy_items_shared(start, size, [1, len], [0, stride], to);
            }
            (&[rows, len], &[of_rows, stride]) => {
                return copy_items_shared(start, size, [rows, len], [of_rows, stride], to);
            }
            _ => {}
        }
        let each = to.len() / lengths[0];
        for (at, to) in to.chunks_exact_mut(each).enumerate() {
            let part = start.offset(at as isize * strides[0]);
            copy_dimension(part, size, &lengths[1..], &strides[1..], to);
        }
    }
}

/// The first `len` values of `values`, which grow if there are fewer.
fn room<T: Copy + Default>(values: &mut Vec<T>, len: usize) -> OpResult<&mut [T]> {
    if values.len() < len {
        memory::resize(values, len, T::default())?;
    }
    Ok(&mut values[..len])
}

/// Replaces counts of times by the components of the times. Returns whether each has an equal plain value.
fn split(unit: Unit, counts: &mut [u64], rests: &mut [i64]) -> bool {
    counts.iter_mut().zip(rests).all(|(count, rest)| match unit.components(*count as i64) {
        Some([first, second]) if *count as i64 != NOT_A_TIME => {
            (*count, *rest) = (first as u64, second);
            true
        }
        _ => false,
    })
}

fn widen<T: AnyBitPattern>(from: &[u8], to: &mut [u64], convert: impl Fn(T) -> u64) {
    for (to, item) in to.iter_mut().zip(from.chunks_exact(size_of::<T>())) {
        *to = convert(bytemuck::pod_read_unaligned(item));
    }
}

/// Makes NumPy's arrays of values of type `ndarray`, and of lists of numbers and times.
pub struct ArrayMaker {
    /// The columns of the lists that are arrays, with the types of their elements. `None` means all, with
    /// elements of 64 bits.
    columns: Option<HashMap<u32, Item>>,
    /// The first columns of the values of type `ndarray` that are arrays, with the types of their elements if these
    /// are given.
    nd_columns: HashMap<u32, Option<ElementType>>,
    empty: Py<PyAny>,
    types: Vec<(Item, Py<PyAny>)>,
}

/// What an annotation says of an array.
pub struct ArrayColumn<'a> {
    /// The first int column of the list or of the value of type `ndarray`.
    pub column: u32,
    pub is_nd_array: bool,
    /// NumPy's name for the type of its elements, or `any`.
    pub name: &'a str,
}

/// The types of elements, by NumPy's names.
const NAMES: [(Item, &str); 13] = [
    (Item::Bool, "bool"),
    (Item::I8, "int8"),
    (Item::I16, "int16"),
    (Item::I32, "int32"),
    (Item::I64, "int64"),
    (Item::U8, "uint8"),
    (Item::U16, "uint16"),
    (Item::U32, "uint32"),
    (Item::F32, "float32"),
    (Item::F64, "float64"),
    (Item::Time(Unit::DATES), "datetime64[D]"),
    (Item::Time(Unit::TIMESTAMPS), "datetime64[us]"),
    (Item::Time(Unit::DURATIONS), "timedelta64[us]"),
];

impl ArrayMaker {
    /// Makes arrays of all such values and lists. Imports NumPy.
    ///
    /// # Errors
    /// What the import raises.
    pub fn of_all(py: Python<'_>) -> PyResult<ArrayMaker> {
        ArrayMaker::new(py, None, HashMap::new())
    }

    /// Makes arrays of the lists and the values of type `ndarray` in these columns, with elements of NumPy's types of
    /// these names.
    ///
    /// # Errors
    /// See [`ArrayMaker::of_all`].
    pub fn of_columns<'a>(
        py: Python<'_>,
        all: impl Iterator<Item = ArrayColumn<'a>>,
    ) -> PyResult<ArrayMaker> {
        let (mut columns, mut nd_columns) = (HashMap::new(), HashMap::new());
        for ArrayColumn { column, is_nd_array, name } in all {
            if is_nd_array {
                let of = ElementType::ALL.into_iter().find(|of| of.name() == name);
                nd_columns.insert(column, of);
            } else if let Some((item, _)) = NAMES.iter().find(|(_, known)| *known == name) {
                columns.insert(column, *item);
            }
        }
        ArrayMaker::new(py, Some(columns), nd_columns)
    }

    fn new(
        py: Python<'_>,
        columns: Option<HashMap<u32, Item>>,
        nd_columns: HashMap<u32, Option<ElementType>>,
    ) -> PyResult<ArrayMaker> {
        let numpy = py.import(name!("numpy"))?;
        let dtype = numpy.getattr(name!("dtype"))?;
        let types =
            NAMES.iter().map(|(item, name)| Ok((*item, dtype.call_with((*name,))?.unbind())));
        let types = types.collect::<PyResult<_>>()?;
        Ok(ArrayMaker {
            columns,
            nd_columns,
            empty: numpy.getattr(name!("empty"))?.unbind(),
            types,
        })
    }

    /// The maker for a type to which the type of this one was closed.
    pub fn of_parts(&self, py: Python<'_>, parts: &Parts) -> ArrayMaker {
        let columns = self.columns.as_ref().map(|columns| {
            let of = |(&closed, open): (&u32, &u32)| Some((closed, *columns.get(open)?));
            parts.sequences.iter().filter_map(of).collect()
        });
        let nd_of = |(&closed, open): (&u32, &u32)| Some((closed, *self.nd_columns.get(open)?));
        let nd_columns = parts.sequences.iter().filter_map(nd_of).collect();
        let types = self.types.iter().map(|(item, ty)| (*item, ty.clone_ref(py))).collect();
        ArrayMaker { columns, nd_columns, empty: self.empty.clone_ref(py), types }
    }

    /// The maker that the argument `arrays` of a function names.
    ///
    /// # Errors
    /// A `ValueError` for another name. What importing NumPy raises.
    pub fn named(py: Python<'_>, name: Option<&str>) -> PyResult<Option<ArrayMaker>> {
        match name {
            None => Ok(None),
            Some("numpy") => ArrayMaker::of_all(py).map(Some),
            Some(name) => Err(exception::<PyValueError>(format!(
                "arrays must be 'numpy' or None, not {name:?}"
            ))),
        }
    }

    /// Whether arrays are made of the lists in `column`.
    #[inline]
    pub fn makes(&self, column: u32) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.contains_key(&column))
    }

    /// Whether an array is made of the value of type `ndarray` in `column`.
    pub fn makes_nd_array(&self, column: u32) -> bool {
        self.columns.is_none() || self.nd_columns.contains_key(&column)
    }

    /// Makes the array for a value of type `ndarray` in `column`.
    pub(super) fn make_nd_array(&self, array: &NdArray<'_>, column: u32) -> MakeResult {
        // SAFETY: every thread that makes objects holds the GIL.
        let py = unsafe { Python::assume_attached() };
        let wanted = self.nd_columns.get(&column).copied().flatten();
        match nd_arrays::make_of(py, array, wanted) {
            Ok(made) => Ok(made.into_ptr()),
            // An element that the type lacks, or more dimensions than this version of NumPy has.
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                let text = error.value(py).str().and_then(|text| made::lossy(&text));
                Err(Refusal::NoSuchValue(text.unwrap_or_default()))
            }
            Err(error) => {
                error.restore(py);
                Err(Refusal::Raised)
            }
        }
    }

    /// Whether the list in `column` must be an array, whatever it is made of.
    pub fn requires(&self, column: u32) -> bool {
        self.columns.is_some() && self.makes(column)
    }

    /// The type of the elements in `column`, which requires arrays.
    pub(super) fn type_in(&self, column: u32) -> NumberType {
        let item = self.columns.as_ref().and_then(|columns| columns.get(&column));
        item.map_or(NumberType::F64, |item| item.number_type())
    }

    /// Whether arrays are made of all such values and lists.
    pub fn makes_all(&self) -> bool {
        self.columns.is_none()
    }

    /// Makes the array of `len` elements for a list in `column`. `times` says what becomes of what its times lack.
    pub(super) fn make(
        &self,
        of: NumberType,
        column: u32,
        len: usize,
        times: Times,
    ) -> OpResult<NewArray> {
        let chosen = self.columns.as_ref().and_then(|columns| columns.get(&column).copied());
        let item = chosen.unwrap_or(match of {
            NumberType::Bool => Item::Bool,
            NumberType::I64 => Item::I64,
            NumberType::F64 => Item::F64,
            NumberType::Time(Logical::Date) => Item::Time(Unit::DATES),
            NumberType::Time(Logical::Timestamp) => Item::Time(Unit::TIMESTAMPS),
            NumberType::Time(_) => Item::Time(Unit::DURATIONS),
        });
        // SAFETY: every thread that makes objects holds the GIL.
        let py = unsafe { Python::assume_attached() };
        let make = || {
            let ty = self.types.iter().find(|(of, _)| *of == item).map(|(_, ty)| ty.bind(py));
            let array = self.empty.bind(py).call_with((len, ty))?;
            let (start, bytes) = match item {
                Item::Time(_) => Buffer::get(&counts(&array)?, true)?.raw(),
                _ => Buffer::get(&array, true)?.raw(),
            };
            Ok((array, start, bytes))
        };
        let (array, start, bytes) = make().map_err(|error: PyErr| {
            error.restore(py);
            Fault::Host
        })?;
        assert_eq!(bytes, len * item.size(), "numpy.empty made another array");
        Ok(NewArray { array: array.into_ptr(), rest: Rest { item, to: start, left: len, times } })
    }
}

/// An array whose elements are not set.
pub(super) struct NewArray {
    /// A new reference.
    pub array: Object,
    pub rest: Rest,
}

/// The elements of an array that are not set yet. Nobody but the unfinished row has the array.
pub(super) struct Rest {
    item: Item,
    to: *mut u8,
    left: usize,
    times: Times,
}

impl Rest {
    /// Whether all elements are set.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Sets the next elements.
    ///
    /// # Errors
    /// The first value that the array's type lacks. `refusal` then says what is wrong with it.
    pub fn set(&mut self, v: Numbers<'_>, refusal: &mut String) -> OpResult {
        assert!(v.len() <= self.left, "an array gets more elements than it has");
        match (self.item, v) {
            (Item::Bool, Numbers::Bool(v)) => self.copy(v),
            (Item::I64, Numbers::I64(v)) => self.copy(v),
            (Item::F64, Numbers::F64(v)) => self.copy(v),
            (Item::I8, Numbers::I64(v)) => self.narrow(v, refusal, |v| i8::try_from(v).ok()),
            (Item::I16, Numbers::I64(v)) => self.narrow(v, refusal, |v| i16::try_from(v).ok()),
            (Item::I32, Numbers::I64(v)) => self.narrow(v, refusal, |v| i32::try_from(v).ok()),
            (Item::U8, Numbers::I64(v)) => self.narrow(v, refusal, |v| u8::try_from(v).ok()),
            (Item::U16, Numbers::I64(v)) => self.narrow(v, refusal, |v| u16::try_from(v).ok()),
            (Item::U32, Numbers::I64(v)) => self.narrow(v, refusal, |v| u32::try_from(v).ok()),
            (Item::F32, Numbers::F64(v)) => self.narrow(v, refusal, |v| {
                let narrow = v as f32;
                (f64::from(narrow) == v || v.is_nan()).then_some(narrow)
            }),
            (Item::Time(_), Numbers::Times(ty, parts)) if are_counts(ty, parts) => {
                self.copy(parts[0])
            }
            (Item::Time(_), Numbers::Times(ty, [first, second])) => {
                for (at, &first) in first.iter().enumerate() {
                    let second = second.get(at).copied().unwrap_or_default();
                    self.copy(&[count(ty, [first, second], self.times, refusal)?])?;
                }
                Ok(())
            }
            _ => unreachable!("the elements are of the column's type"),
        }
    }

    fn copy<T: NoUninit>(&mut self, v: &[T]) -> OpResult {
        // SAFETY: the array is alive, because its row is, and it has so many elements of this type left.
        unsafe {
            self.to.copy_from_nonoverlapping(v.as_ptr().cast(), size_of_val(v));
            self.to = self.to.add(size_of_val(v));
        }
        self.left -= v.len();
        Ok(())
    }

    fn narrow<T: Copy + Display, N: NoUninit>(
        &mut self,
        v: &[T],
        refusal: &mut String,
        narrow: impl Fn(T) -> Option<N>,
    ) -> OpResult {
        for &v in v {
            match narrow(v) {
                Some(narrow) => self.copy(&[narrow])?,
                None => {
                    let name = NAMES.iter().find(|(item, _)| *item == self.item);
                    let name = name.map_or("", |(_, name)| name);
                    *refusal = format!("an element of an array is {v}, which is no {name}");
                    return Err(Fault::Unrepresentable);
                }
            }
        }
        Ok(())
    }
}
