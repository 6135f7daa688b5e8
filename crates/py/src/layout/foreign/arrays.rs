//! Arrays of numbers and times in rows that are lists. They are of NumPy or of Python's module `array`.
//!
//! An array of one dimension whose type a list keeps is encoded as a list of numbers. So is any array of numbers where
//! a schema declares lists, or lists of lists. serow copies its elements as memory, so no element becomes an object.
//! Times are counts of a unit, and so numbers too. Arrays that a list would not keep are in [`nd_arrays`], arrays of
//! texts in [`text_arrays`]. serow treats arrays of other elements as foreign values.

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use bytemuck::{AnyBitPattern, cast_slice, cast_slice_mut};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serow_core::bytes::shared::{append_items_shared, copy_items_shared};
use serow_core::layout::{NumberType, Numbers, OpResult, TOO_MANY_ELEMENTS};
use serow_core::limits::MAX_ROW_ELEMENTS;
use serow_core::memory;
use serow_core::plan::StrEncoding;
use serow_core::schema::{ElementType, Scalar};

use super::super::logical::{Quiet, of_module};
use super::super::{Object, is_exactly};
use super::text_arrays;
use super::time_units::{NOT_A_TIME, Unit};
use crate::errors::exception;
use crate::layout::buffers::BufferItems;
use crate::made::{Calls, name};

/// A class of arrays that is looked up among the loaded modules.
struct ArrayClass {
    module: &'static CStr,
    name: &'static CStr,
    known: AtomicPtr<ffi::PyTypeObject>,
}

static CLASSES: [ArrayClass; 2] =
    [ArrayClass::new(c"numpy", c"ndarray"), ArrayClass::new(c"array", c"array")];

/// Set on classes made in C; Python code can't set it.
const IMMUTABLE: std::ffi::c_ulong = 1 << 8;

/// Whether `object` is a class that only C code can have made.
///
/// # Safety
/// `object` must be null or alive.
pub unsafe fn is_class_of_c(object: Object) -> bool {
    // SAFETY: the caller's promise; the object is a class before its flags are read.
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
    /// `object` must be alive.
    unsafe fn is_of(&self, py: Python<'_>, object: Object) -> bool {
        // SAFETY: the caller's promise; null is no class.
        unsafe { is_exactly(object, self.get(py)) }
    }

    /// The class, which lives as long as the interpreter; null as long as its module is not loaded.
    fn get(&self, py: Python<'_>) -> *mut ffi::PyTypeObject {
        let known = self.known.load(Ordering::Relaxed);
        if !known.is_null() {
            return known;
        }
        let class = of_module(py, self.module, self.name);
        // SAFETY: the module has the class. The extra reference is never released.
        unsafe {
            if !is_class_of_c(class) {
                return null_mut();
            }
            ffi::Py_IncRef(class);
        }
        self.known.store(class.cast(), Ordering::Relaxed);
        class.cast()
    }
}

/// What the elements of an array are that a list keeps: numbers, or times, which are counts of a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::layout) struct ArrayType {
    pub of: ElementType,
    pub unit: Option<Unit>,
}

impl ArrayType {
    pub const fn numbers(of: ElementType) -> ArrayType {
        ArrayType { of, unit: None }
    }

    pub const fn times(unit: Unit) -> ArrayType {
        ArrayType { of: ElementType::I64, unit: Some(unit) }
    }

    /// The type of the elements of a list that keeps them. `None` if there is none.
    pub fn number_type(self) -> Option<NumberType> {
        use ElementType::{
            Bool, Complex64, Complex128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64,
        };
        Some(match (self.unit, self.of) {
            (Some(unit), _) => NumberType::Logical(unit.ty),
            (None, Bool) => NumberType::Bool,
            (None, F32 | F64) => NumberType::F64,
            (None, I8 | I16 | I32 | I64 | U8 | U16 | U32) => NumberType::I64,
            (None, U64 | F16 | Complex64 | Complex128) => return None,
        })
    }
}

/// The type of elements with the format of these items: a character of Python's `struct`. C's `long`, whose character is
/// `l`, has 4 or 8 bytes, so the size decides.
pub(in crate::layout) fn element_type(items: &BufferItems) -> Option<ElementType> {
    Some(match (items.is_complex, items.format, items.size) {
        (true, b'f', 8) => ElementType::Complex64,
        (true, b'd', 16) => ElementType::Complex128,
        (false, b'?', 1) => ElementType::Bool,
        (false, b'b', 1) => ElementType::I8,
        (false, b'B', 1) => ElementType::U8,
        (false, b'h', 2) => ElementType::I16,
        (false, b'H', 2) => ElementType::U16,
        (false, b'i' | b'l', 4) => ElementType::I32,
        (false, b'I' | b'L', 4) => ElementType::U32,
        (false, b'l' | b'q', 8) => ElementType::I64,
        (false, b'L' | b'Q', 8) => ElementType::U64,
        (false, b'e', 2) => ElementType::F16,
        (false, b'f', 4) => ElementType::F32,
        (false, b'd', 8) => ElementType::F64,
        _ => return None,
    })
}

/// NumPy's class of arrays.
///
/// # Errors
/// What importing NumPy raises. A `TypeError` if its class was replaced.
pub(in crate::layout) fn class_of_numpy(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import(name!("numpy"))?;
    let class = CLASSES[0].get(py).cast();
    // SAFETY: the class is null or lives as long as the interpreter.
    let class = unsafe { Bound::from_borrowed_ptr_or_opt(py, class) };
    class.ok_or_else(|| exception::<PyTypeError>("numpy.ndarray is not NumPy's class"))
}

/// Whether `object` is of a class of arrays that was met before, without looking any class up.
pub fn is_known(object: Object) -> bool {
    // SAFETY: only the class is compared, which every live object has.
    CLASSES.iter().any(|class| unsafe { is_exactly(object, class.known.load(Ordering::Relaxed)) })
}

/// Whether `object` is of NumPy's class of arrays.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is_class_of_numpy(py: Python<'_>, object: Object) -> bool {
    // SAFETY: the caller's promise.
    unsafe { CLASSES[0].is_of(py, object) }
}

/// Whether `object` is of a class of arrays.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is_array(py: Python<'_>, object: Object) -> bool {
    // SAFETY: the caller's promise.
    CLASSES.iter().any(|class| unsafe { class.is_of(py, object) })
}

/// What the items of an array are.
pub(in crate::layout) enum Elements {
    Numbers(ArrayType),
    /// Texts of NumPy, all of one size.
    Texts(StrEncoding),
}

/// The items of an array of numbers, times or texts; `None` for all other objects, and for arrays without a
/// dimension.
///
/// # Safety
/// `object` must be alive.
pub(in crate::layout) unsafe fn items(
    py: Python<'_>,
    object: Object,
    last: &mut LastUnit,
) -> Option<(BufferItems, Elements)> {
    // Collecting garbage could run any code. The classes' own code is C.
    let _quiet = Quiet::new(py);
    // SAFETY: the caller's promise.
    let (array, is_numpy) = unsafe {
        if !is_array(py, object) {
            return None;
        }
        (Bound::from_borrowed_ptr(py, object), CLASSES[0].is_of(py, object))
    };
    let Some(items) = BufferItems::of(&array) else {
        // NumPy gives no buffer of times.
        let (items, unit) = last.items(&array).ok()??;
        return Some((items, Elements::Numbers(ArrayType::times(unit))));
    };
    let elements = match items.format {
        b'w' if is_numpy => Elements::Texts(StrEncoding::Text),
        b's' if is_numpy => Elements::Texts(StrEncoding::Bytes),
        _ => Elements::Numbers(ArrayType::numbers(element_type(&items)?)),
    };
    Some((items, elements))
}

/// The unit of the last array of times, by its `dtype`. It is kept because asking NumPy takes long, and arrays
/// that are parts of one have one `dtype`.
#[derive(Default)]
pub(in crate::layout) struct LastUnit(Option<(Py<PyAny>, Option<Unit>)>);

impl LastUnit {
    /// The items of an array of times: their counts, and the unit of these.
    fn items(&mut self, array: &Bound<'_, PyAny>) -> PyResult<Option<(BufferItems, Unit)>> {
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
        Ok(BufferItems::of(&counts(array)?).map(|items| (items, unit)))
    }
}

/// The array of the counts of an array of times, in the same memory.
pub(in crate::layout) fn counts<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    array.method_with(name!("view"), (name!("int64"),))
}

/// The type of the elements of an array of numbers, times or texts, and the lengths of its dimensions; `None` for
/// all other objects, and for elements that are no plain values of this type.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn type_of(py: Python<'_>, object: Object) -> Option<(Scalar, Vec<usize>)> {
    // SAFETY: the caller's promise.
    let (items, elements) = unsafe { items(py, object, &mut LastUnit::default()) }?;
    let lengths = items.lengths().to_vec();
    let scalar = match elements {
        Elements::Texts(encoding) => text_arrays::type_of(&items, encoding)?,
        Elements::Numbers(ty) => match ty.number_type()? {
            NumberType::I64 => Scalar::I64,
            NumberType::F64 => Scalar::F64,
            NumberType::Bool => Scalar::Bool,
            of @ NumberType::Logical(ty) => {
                // SAFETY: the caller's promise.
                let read = unsafe { ArrayElements::default().read(py, object, of, lengths.len()) };
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
pub unsafe fn is_of_plain_values(py: Python<'_>, object: Object) -> bool {
    // SAFETY: the caller's promise.
    let found = unsafe { items(py, object, &mut LastUnit::default()) };
    found.is_some_and(|(items, elements)| {
        items.lengths().len() == 1
            && !matches!(elements, Elements::Numbers(ArrayType { unit: Some(_), .. }))
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
    /// `object` must be alive.
    pub unsafe fn read(
        &mut self,
        py: Python<'_>,
        object: Object,
        expected: NumberType,
        depth: usize,
    ) -> OpResult<Option<usize>> {
        // SAFETY: the caller's promise.
        let Some((items, Elements::Numbers(ty))) = (unsafe { items(py, object, &mut self.unit) })
        else {
            return Ok(None);
        };
        if ty.number_type() != Some(expected) || items.lengths().len() != depth {
            return Ok(None);
        }
        let len = items.lengths().iter().fold(1usize, |all, &len| all.saturating_mul(len));
        // An array whose items are one item again and again takes no memory, but its copy would.
        if len > MAX_ROW_ELEMENTS {
            return Err(TOO_MANY_ELEMENTS);
        }
        let bytes = match ty.of.size() == size_of::<u64>() {
            true => cast_slice_mut(room(&mut self.words, len)?),
            false => room(&mut self.bytes, len * items.size)?,
        };
        copy_items(&items, bytes);
        let to = if ty.of == ElementType::Bool { &mut [] } else { room(&mut self.words, len)? };
        let from = &mut self.bytes;
        if let Some(unit) = ty.unit
            && !split(unit, to, room(&mut self.rests, len)?)
        {
            return Ok(None);
        }
        match ty.of {
            // Memory that was something else before may hold any byte.
            ElementType::Bool => from[..len].iter_mut().for_each(|it| *it = u8::from(*it != 0)),
            ElementType::I8 => widen(from, to, |v: i8| i64::from(v) as u64),
            ElementType::I16 => widen(from, to, |v: i16| i64::from(v) as u64),
            ElementType::I32 => widen(from, to, |v: i32| i64::from(v) as u64),
            ElementType::U8 => widen(from, to, |v: u8| u64::from(v)),
            ElementType::U16 => widen(from, to, |v: u16| u64::from(v)),
            ElementType::U32 => widen(from, to, |v: u32| u64::from(v)),
            ElementType::F32 => widen(from, to, |v: f32| f64::from(v).to_bits()),
            // They are words already. A list keeps no others.
            _ => {}
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
            Some(NumberType::Logical(ty)) => {
                let first = cast_slice(&self.words[..self.len]);
                Numbers::Ints(ty, [first, &self.rests[..self.len]])
            }
            Some(NumberType::I64) | None => Numbers::I64(cast_slice(&self.words[..self.len])),
        }
    }
}

/// Appends the items in order.
pub fn append_items(items: &BufferItems, to: &mut Vec<u8>) -> OpResult {
    // A thread of NumPy that does not hold the GIL may write to the items during the copy.
    // SAFETY: the buffer has as many items, at these distances from each other.
    unsafe { append_items_shared(items.start, items.size, items.lengths(), items.strides(), to) }
}

/// Copies the items in order to `to`, which has room for exactly these.
fn copy_items(items: &BufferItems, to: &mut [u8]) {
    // SAFETY: the buffer has as many items at these distances, and is held during the copy.
    unsafe { copy_items_shared(items.start, items.size, items.lengths(), items.strides(), to) };
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
