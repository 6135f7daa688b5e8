//! Makes NumPy's arrays of values of type `ndarray`, and of lists of numbers and times.
//!
//! Only NumPy's C code runs while an array is made, and nobody has it before its row is complete. So nobody changes or
//! frees its memory before all elements are set.

use std::collections::HashMap;
use std::fmt::Display;

use bytemuck::NoUninit;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serow_core::error::Fault;
use serow_core::layout::{NumberType, Numbers, OpResult};
use serow_core::plan::Parts;
use serow_core::schema::{ElementType, Logical, NdArray};

use super::super::Object;
use super::super::build::raised;
use super::super::logical::{MakeResult, Refusal, Times, are_counts, count};
use super::arrays::{ArrayType, class_of_numpy, counts, element_type};
use super::nd_arrays::swap;
use super::time_units::Unit;
use crate::errors::exception;
use crate::layout::buffers::{Buffer, BufferItems};
use crate::made::{self, Calls, Make, name};

/// Knows which lists, and which values of type `ndarray`, become arrays, and which types the arrays have.
pub struct ArrayMaker {
    /// The columns of the lists that are arrays, with the types of their elements. `None` means all, with
    /// elements of 64 bits.
    columns: Option<HashMap<u32, ArrayType>>,
    /// The first columns of the values of type `ndarray` that are arrays, with the types of their elements if these
    /// are given.
    nd_columns: HashMap<u32, Option<ElementType>>,
}

/// What an annotation says of an array.
pub struct ArrayColumn<'a> {
    /// The first int column of the list or of the value of type `ndarray`.
    pub column: u32,
    pub is_nd_array: bool,
    /// NumPy's name for the type of its elements, or `any`.
    pub name: &'a str,
}

/// The units of the arrays of times that are made, with NumPy's names for the types of their elements.
const TIMES: [(Unit, &str); 3] = [
    (Unit::DATES, "datetime64[D]"),
    (Unit::TIMESTAMPS, "datetime64[us]"),
    (Unit::DURATIONS, "timedelta64[us]"),
];

/// NumPy's class of arrays, and its types of elements.
struct Numpy {
    class: Py<PyAny>,
    /// Little-endian and big-endian.
    numbers: Vec<[Py<PyAny>; 2]>,
    times: Vec<Py<PyAny>>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

impl Numpy {
    fn get(py: Python<'_>) -> PyResult<&Numpy> {
        NUMPY.get_or_try_init(py, || {
            let class = class_of_numpy(py)?;
            let dtype = py.import(name!("numpy"))?.getattr(name!("dtype"))?;
            let numbers = ElementType::ALL.iter().map(|&of| {
                let own = dtype.call_with((of.name(),))?;
                let of_order = |order: &str, is_big: bool| {
                    let given = own.method_with(name!("newbyteorder"), (order,))?;
                    proven(&class, given, ArrayType::numbers(of), is_big)
                };
                Ok([of_order("<", false)?, of_order(">", true)?])
            });
            let times = TIMES.iter().map(|(unit, name)| {
                let given = dtype.call_with((*name,))?;
                proven(&class, given, ArrayType::times(*unit), cfg!(target_endian = "big"))
            });
            Ok(Numpy {
                numbers: numbers.collect::<PyResult<_>>()?,
                times: times.collect::<PyResult<_>>()?,
                class: class.unbind(),
            })
        })
    }
}

/// The type of NumPy that is `given`, which has elements of type `ty`.
///
/// # Errors
/// A `TypeError` if it has others: the program may have another class in the place of `numpy.dtype`.
fn proven(
    class: &Bound<'_, PyAny>,
    given: Bound<'_, PyAny>,
    ty: ArrayType,
    is_big: bool,
) -> PyResult<Py<PyAny>> {
    let array = class.call_with((1, given))?;
    let buffered = if ty.unit.is_some() { counts(&array)? } else { array.clone() };
    let is_swapped = is_big == cfg!(target_endian = "little") && ty.of.word() > 1;
    let is_right =
        |items: BufferItems| element_type(&items) == Some(ty.of) && items.is_swapped == is_swapped;
    match BufferItems::request(&buffered)?.is_some_and(is_right) {
        // What was given may be any object that NumPy takes for a type.
        true => Ok(array.getattr(name!("dtype"))?.unbind()),
        false => Err(exception::<PyTypeError>(format!("numpy.dtype has no type {}", ty.name()))),
    }
}

impl ArrayType {
    fn name(self) -> &'static str {
        let of_times = TIMES.iter().find(|(unit, _)| Some(*unit) == self.unit);
        of_times.map_or(self.of.name(), |(_, name)| name)
    }

    /// The type with this name of NumPy, if a list keeps such elements.
    fn named(name: &str) -> Option<ArrayType> {
        let numbers = ElementType::ALL.into_iter().map(ArrayType::numbers);
        let times = TIMES.iter().map(|(unit, _)| ArrayType::times(*unit));
        numbers.chain(times).find(|ty| ty.name() == name && ty.number_type().is_some())
    }
}

/// A new array with elements of this type, and its memory, which is not set. `is_big` is the order of their bytes.
///
/// # Errors
/// What NumPy raises.
fn unset<'py>(
    py: Python<'py>,
    shape: impl Make<'py>,
    ty: ArrayType,
    is_big: bool,
) -> PyResult<(Bound<'py, PyAny>, Buffer)> {
    let numpy = Numpy::get(py)?;
    let at = TIMES.iter().position(|(unit, _)| Some(*unit) == ty.unit);
    let dtype = match at {
        Some(at) => &numpy.times[at],
        None => &numpy.numbers[ty.of as usize][usize::from(is_big)],
    };
    // Not `numpy.empty`, in whose place the program may have a function that keeps the array.
    let array = numpy.class.bind(py).call_with((shape, dtype.bind(py)))?;
    let buffer = match at {
        // NumPy gives no buffer of times.
        Some(_) => Buffer::get(&counts(&array)?, true)?,
        None => Buffer::get(&array, true)?,
    };
    Ok((array, buffer))
}

/// An array with the shape and the elements of `array`, and with elements of its type or of type `wanted`.
///
/// # Errors
/// What NumPy raises. A `ValueError` if an element is no value of the wanted type.
fn nd_array<'py>(
    py: Python<'py>,
    array: &NdArray<'_>,
    wanted: Option<ElementType>,
) -> PyResult<Bound<'py, PyAny>> {
    let lengths: Vec<_> = array.shape().lengths().collect();
    let (of, is_big) = (array.element_type(), array.is_big_endian());
    let (made, buffer) = unset(py, made::tuple(py, lengths)?, ArrayType::numbers(of), is_big)?;
    let elements = array.elements();
    let (to, len) = buffer.raw();
    assert_eq!(len, elements.len(), "an array has as many elements as its shape says");
    // SAFETY: the buffer has as many bytes, one after another in a new array, and keeps them in place. Nobody else has
    // the array.
    unsafe {
        to.copy_from_nonoverlapping(elements.as_ptr(), len);
        if is_big {
            swap(std::slice::from_raw_parts_mut(to, len), of);
        }
    }
    drop(buffer);
    match wanted.filter(|wanted| *wanted != of || is_big) {
        Some(wanted) => {
            let module = py.import(name!("serow._arrays"))?;
            module.method_with(name!("as_type"), (made, wanted.name()))
        }
        None => Ok(made),
    }
}

impl ArrayMaker {
    /// Makes arrays of all such values and lists. Imports NumPy.
    ///
    /// # Errors
    /// What the import raises.
    pub fn of_all(py: Python<'_>) -> PyResult<ArrayMaker> {
        Numpy::get(py)?;
        Ok(ArrayMaker { columns: None, nd_columns: HashMap::new() })
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
            } else if let Some(ty) = ArrayType::named(name) {
                columns.insert(column, ty);
            }
        }
        Numpy::get(py)?;
        Ok(ArrayMaker { columns: Some(columns), nd_columns })
    }

    /// The maker for a type to which the type of this one was closed.
    pub fn of_parts(&self, parts: &Parts) -> ArrayMaker {
        let columns = self.columns.as_ref().map(|columns| {
            let of = |(&closed, open): (&u32, &u32)| Some((closed, *columns.get(open)?));
            parts.sequences.iter().filter_map(of).collect()
        });
        let nd_of = |(&closed, open): (&u32, &u32)| Some((closed, *self.nd_columns.get(open)?));
        let nd_columns = parts.sequences.iter().filter_map(nd_of).collect();
        ArrayMaker { columns, nd_columns }
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
    pub(in crate::layout) fn make_nd_array(
        &self,
        py: Python<'_>,
        array: &NdArray<'_>,
        column: u32,
    ) -> MakeResult {
        let wanted = self.nd_columns.get(&column).copied().flatten();
        match nd_array(py, array, wanted) {
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
    pub(in crate::layout) fn type_in(&self, column: u32) -> NumberType {
        let ty = self.columns.as_ref().and_then(|columns| columns.get(&column));
        ty.and_then(|ty| ty.number_type()).unwrap_or(NumberType::F64)
    }

    /// Whether arrays are made of all such values and lists.
    pub fn makes_all(&self) -> bool {
        self.columns.is_none()
    }

    /// Makes the array of `len` elements for a list in `column`. `times` says what becomes of what its times lack.
    pub(in crate::layout) fn make(
        &self,
        py: Python<'_>,
        of: NumberType,
        column: u32,
        len: usize,
        times: Times,
    ) -> OpResult<NewArray> {
        let chosen = self.columns.as_ref().and_then(|columns| columns.get(&column).copied());
        let ty = chosen.unwrap_or(match of {
            NumberType::Bool => ArrayType::numbers(ElementType::Bool),
            NumberType::I64 => ArrayType::numbers(ElementType::I64),
            NumberType::F64 => ArrayType::numbers(ElementType::F64),
            NumberType::Logical(Logical::Date) => ArrayType::times(Unit::DATES),
            NumberType::Logical(Logical::Timestamp) => ArrayType::times(Unit::TIMESTAMPS),
            NumberType::Logical(_) => ArrayType::times(Unit::DURATIONS),
        });
        let made = unset(py, len, ty, cfg!(target_endian = "big"));
        let (array, buffer) = made.map_err(|error| raised(py, error))?;
        assert_eq!(
            buffer.raw().1,
            len * ty.of.size(),
            "an array has as many elements as its length"
        );
        Ok(NewArray { array: array.into_ptr(), fill: ArrayFill { ty, buffer, done: 0, times } })
    }
}

/// An array whose elements are not set.
pub(in crate::layout) struct NewArray {
    /// A new reference.
    pub array: Object,
    pub fill: ArrayFill,
}

/// The elements of an array that are not set yet. Nobody but the unfinished row has the array.
pub(in crate::layout) struct ArrayFill {
    ty: ArrayType,
    /// Keeps the memory of the array in place.
    buffer: Buffer,
    /// Bytes that are set.
    done: usize,
    times: Times,
}

impl ArrayFill {
    /// Whether all elements are set.
    pub fn is_full(&self) -> bool {
        self.done == self.buffer.raw().1
    }

    /// Sets the next elements.
    ///
    /// # Errors
    /// The first value that the array's type lacks. `refusal` then says what is wrong with it.
    pub fn set(&mut self, v: Numbers<'_>, refusal: &mut String) -> OpResult {
        match (self.ty.of, v) {
            (ElementType::Bool, Numbers::Bool(v)) => self.copy(v),
            (ElementType::I64, Numbers::I64(v)) => self.copy(v),
            (ElementType::F64, Numbers::F64(v)) => self.copy(v),
            (ElementType::I8, Numbers::I64(v)) => self.narrow(v, refusal, |v| i8::try_from(v).ok()),
            (ElementType::I16, Numbers::I64(v)) => {
                self.narrow(v, refusal, |v| i16::try_from(v).ok())
            }
            (ElementType::I32, Numbers::I64(v)) => {
                self.narrow(v, refusal, |v| i32::try_from(v).ok())
            }
            (ElementType::U8, Numbers::I64(v)) => self.narrow(v, refusal, |v| u8::try_from(v).ok()),
            (ElementType::U16, Numbers::I64(v)) => {
                self.narrow(v, refusal, |v| u16::try_from(v).ok())
            }
            (ElementType::U32, Numbers::I64(v)) => {
                self.narrow(v, refusal, |v| u32::try_from(v).ok())
            }
            (ElementType::F32, Numbers::F64(v)) => self.narrow(v, refusal, |v| {
                let narrow = v as f32;
                (f64::from(narrow) == v || v.is_nan()).then_some(narrow)
            }),
            (ElementType::I64, Numbers::Ints(ty, parts)) if are_counts(ty, parts) => {
                self.copy(parts[0])
            }
            (ElementType::I64, Numbers::Ints(ty, [first, second])) => {
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
        let (start, len) = self.buffer.raw();
        assert!(size_of_val(v) <= len - self.done, "an array gets more elements than it has");
        // SAFETY: the buffer keeps the array's memory in place. Its elements lie one after another. As many bytes
        // as are copied are left in it.
        unsafe {
            start.add(self.done).copy_from_nonoverlapping(v.as_ptr().cast(), size_of_val(v));
        }
        self.done += size_of_val(v);
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
                    let name = self.ty.name();
                    *refusal = format!("an element of an array is {v}, which does not fit {name}");
                    return Err(Fault::Unrepresentable);
                }
            }
        }
        Ok(())
    }
}
