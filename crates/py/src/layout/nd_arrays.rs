//! Arrays of NumPy with any number of dimensions, as values of type `ndarray`, which keep the shape and the type of
//! the elements.
//!
//! Such an array is copied as memory. It comes back as an array, or as nested lists of plain values.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::limits::MAX_BYTES;
use serow_core::schema::nd_array::MAX_DIMENSIONS;
use serow_core::schema::{Element, ElementType, NdArray};

use super::arrays::{append_items, is_class_of_numpy};
use super::logical::{MakeResult, Quiet, Refusal};
use super::{Access, Object};
use crate::buffers::{Buffer, Items};
use crate::made::{self, Calls, name};

/// The type of elements of this format.
fn element_type(items: &Items) -> Option<ElementType> {
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

/// The items of an array that is a value of type `ndarray`, with the type of its elements; `None` for all other
/// objects.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
unsafe fn items(object: Object) -> Option<(Items, ElementType)> {
    // Collecting garbage could run any code. The class's own code is C.
    let _quiet = Quiet::new();
    // SAFETY: as above.
    let array = unsafe {
        if !is_class_of_numpy(object) {
            return None;
        }
        Bound::from_borrowed_ptr(Python::assume_attached(), object)
    };
    let items = Items::of_any(&array)?;
    let of = element_type(&items)?;
    (items.lengths().len() <= MAX_DIMENSIONS).then_some((items, of))
}

/// Whether `object` is an array that may be a value of type `ndarray`.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn is(object: Object) -> bool {
    // SAFETY: as above.
    unsafe { items(object) }.is_some()
}

/// Whether `object` is an array whose shape and elements a list of numbers would not keep.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn is_no_list(object: Object) -> bool {
    // SAFETY: as above.
    unsafe { items(object) }.is_some_and(|(items, of)| {
        let is_kept = matches!(of, ElementType::Bool | ElementType::I64 | ElementType::F64);
        !(is_kept && items.lengths().len() == 1 && !items.is_swapped)
    })
}

/// Replaces `bytes` by those of the array `object`, and returns its code.
///
/// # Errors
/// A type mismatch if it is no such array.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn read(object: Object, bytes: &mut Vec<u8>) -> OpResult<i64> {
    // SAFETY: as above.
    let (items, of) = unsafe { items(object) }.ok_or(Fault::TypeMismatch)?;
    bytes.clear();
    NdArray::write_shape(items.lengths(), bytes)?;
    let len = items.lengths().iter().try_fold(items.size, |all, &len| all.checked_mul(len));
    // One item again and again takes no memory, but its copy would.
    let len = len.filter(|&len| len <= MAX_BYTES).ok_or(TOO_LARGE)?;
    let head = bytes.len();
    // NumPy itself may copy without the GIL, and then other threads could change the rows.
    append_items(&items, len, bytes)?;
    let to = &mut bytes[head..];
    if items.is_swapped {
        swap(to, of);
    }
    if of == ElementType::Bool {
        // Memory that was something else before may hold any byte.
        to.iter_mut().for_each(|it| *it = u8::from(*it != 0));
    }
    Ok(NdArray::code(of, items.is_swapped == cfg!(target_endian = "little")))
}

const TOO_LARGE: Fault = Fault::Limit("an array has more than 4 GiB; split it");

/// Reverses the bytes of each word of elements of a type.
fn swap(bytes: &mut [u8], of: ElementType) {
    fn words<const N: usize>(bytes: &mut [u8]) {
        bytes.as_chunks_mut::<N>().0.iter_mut().for_each(|word| word.reverse());
    }
    match of.word() {
        2 => words::<2>(bytes),
        4 => words::<4>(bytes),
        8 => words::<8>(bytes),
        _ => {}
    }
}

/// What makes arrays: `numpy.empty`, and NumPy's types of elements, little-endian and big-endian.
struct Numpy {
    empty: Py<PyAny>,
    types: Vec<[Py<PyAny>; 2]>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

impl Numpy {
    fn get(py: Python<'_>) -> PyResult<&Numpy> {
        NUMPY.get_or_try_init(py, || {
            let numpy = py.import(name!("numpy"))?;
            let dtype = numpy.getattr(name!("dtype"))?;
            let types = ElementType::ALL.iter().map(|of| {
                let own = dtype.call_with((of.name(),))?;
                let of_order = |order: &str| {
                    own.method_with(name!("newbyteorder"), (order,)).map(Bound::unbind)
                };
                Ok([of_order("<")?, of_order(">")?])
            });
            let types = types.collect::<PyResult<_>>()?;
            Ok(Numpy { empty: numpy.getattr(name!("empty"))?.unbind(), types })
        })
    }
}

/// An array with the shape and the elements of `array`, and with elements of its type or of type `wanted`.
///
/// # Errors
/// What NumPy raises. A `ValueError` if an element is no value of the wanted type.
pub fn make_of<'py>(
    py: Python<'py>,
    array: &NdArray<'_>,
    wanted: Option<ElementType>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = make(py, array)?;
    match wanted.filter(|wanted| *wanted != array.element_type() || array.is_big_endian()) {
        Some(wanted) => {
            let module = py.import(name!("serow._arrays"))?;
            module.method_with(name!("as_type"), (made, wanted.name()))
        }
        None => Ok(made),
    }
}

fn make<'py>(py: Python<'py>, array: &NdArray<'_>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = Numpy::get(py)?;
    let lengths: Vec<_> = array.shape().lengths().collect();
    let shape = made::tuple(py, lengths)?;
    let ty = &numpy.types[array.element_type() as usize][usize::from(array.is_big_endian())];
    let made = numpy.empty.bind(py).call_with((shape, ty.bind(py)))?;
    let buffer = Buffer::get(&made, true)?;
    let (start, len) = buffer.raw();
    let elements = array.elements();
    assert_eq!(len, elements.len(), "numpy.empty made another array");
    // SAFETY: the buffer has as many bytes, and keeps them in place. No other thread runs meanwhile.
    unsafe {
        start.copy_from_nonoverlapping(elements.as_ptr(), len);
        if array.is_big_endian() {
            swap(std::slice::from_raw_parts_mut(start, len), array.element_type());
        }
    }
    drop(buffer);
    Ok(made)
}

/// A new reference to nested lists of the elements of `array`, or to its element if it has no dimension.
///
/// # Errors
/// A limit if there are too many lists.
///
/// # Safety
/// The GIL must be held.
pub unsafe fn make_lists<A: Access>(access: A, array: &NdArray<'_>) -> MakeResult {
    if array.check_lists().is_err() {
        return Err(Refusal::NoSuchValue(TOO_MANY.into()));
    }
    let lengths: Vec<_> = array.shape().lengths().collect();
    // SAFETY: as above.
    let made = unsafe { lists(access, array, &lengths, &mut 0) };
    if made.is_null() { Err(Refusal::Raised) } else { Ok(made) }
}

const TOO_MANY: &str = "an array would become more lists than its bytes allow; read it as an array, with \
                        arrays='numpy'";

/// A new reference to lists of these lengths, with the elements from `next` on; null if Python raised an exception.
unsafe fn lists<A: Access>(
    access: A,
    array: &NdArray<'_>,
    lengths: &[usize],
    next: &mut usize,
) -> Object {
    // SAFETY: the GIL is held, and nobody else has the list.
    unsafe {
        let [len, inner @ ..] = lengths else {
            *next += 1;
            return match array.element(*next - 1) {
                Element::Bool(v) => access.make_bool(v),
                Element::I64(v) => access.make_int(v),
                Element::U64(v) => ffi::PyLong_FromUnsignedLongLong(v),
                Element::F64(v) => access.make_float(v),
                Element::Complex(v) => access.make_complex(v).unwrap_or(null_mut()),
            };
        };
        let list = ffi::PyList_New(*len as isize);
        if list.is_null() {
            return list;
        }
        for at in 0..*len {
            let item = lists(access, array, inner, next);
            if item.is_null() {
                ffi::Py_DecRef(list);
                return item;
            }
            // It takes over the reference.
            ffi::PyList_SetItem(list, at as isize, item);
        }
        list
    }
}
