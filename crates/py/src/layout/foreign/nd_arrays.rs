//! Arrays of NumPy with any number of dimensions, as values of type `ndarray`, which keep the shape and the type of
//! the elements.
//!
//! Such an array is copied as memory. It comes back as an array, or as nested lists of plain values.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::limits::MAX_BYTES;
use serow_core::schema::nd_array::MAX_DIMENSIONS;
use serow_core::schema::{Element, ElementType, NdArray};

use super::super::logical::{MakeResult, Quiet, Refusal};
use super::super::{Access, Object};
use super::arrays::{append_items, element_type, is_class_of_numpy};
use crate::layout::buffers::BufferItems;

/// The items of an array that is a value of type `ndarray`, with the type of its elements; `None` for all other
/// objects.
///
/// # Safety
/// `object` must be alive.
unsafe fn items(py: Python<'_>, object: Object) -> Option<(BufferItems, ElementType)> {
    // Collecting garbage could run any code. The class's own code is C.
    let _quiet = Quiet::new(py);
    // SAFETY: the caller's promise.
    let array = unsafe {
        if !is_class_of_numpy(py, object) {
            return None;
        }
        Bound::from_borrowed_ptr(py, object)
    };
    let items = BufferItems::of_any(&array)?;
    let of = element_type(&items)?;
    (items.lengths().len() <= MAX_DIMENSIONS).then_some((items, of))
}

/// Whether `object` is an array that may be a value of type `ndarray`.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is(py: Python<'_>, object: Object) -> bool {
    // SAFETY: the caller's promise.
    unsafe { items(py, object) }.is_some()
}

/// Whether `object` is an array whose shape and elements a list of numbers would not keep.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn is_no_list(py: Python<'_>, object: Object) -> bool {
    // SAFETY: the caller's promise.
    unsafe { items(py, object) }.is_some_and(|(items, of)| {
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
/// `object` must be alive.
pub unsafe fn read(py: Python<'_>, object: Object, bytes: &mut Vec<u8>) -> OpResult<i64> {
    // SAFETY: the caller's promise.
    let (items, of) = unsafe { items(py, object) }.ok_or(Fault::TypeMismatch)?;
    bytes.clear();
    NdArray::write_shape(items.lengths(), bytes)?;
    let len = items.lengths().iter().try_fold(items.size, |all, &len| all.checked_mul(len));
    // One item again and again takes no memory, but its copy would.
    if len.is_none_or(|len| len > MAX_BYTES) {
        return Err(TOO_LARGE);
    }
    let head = bytes.len();
    // NumPy itself may copy without the GIL, and then other threads could change the rows.
    append_items(&items, bytes)?;
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
pub(in crate::layout) fn swap(bytes: &mut [u8], of: ElementType) {
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

/// A new reference to nested lists of the elements of `array`, or to its element if it has no dimension.
///
/// # Errors
/// A limit if there are too many lists.
pub fn make_lists<A: Access>(access: A, array: &NdArray<'_>) -> MakeResult {
    if array.check_lists().is_err() {
        return Err(Refusal::NoSuchValue(TOO_MANY.into()));
    }
    let lengths: Vec<_> = array.shape().lengths().collect();
    let made = lists(access, array, &lengths, &mut 0);
    if made.is_null() { Err(Refusal::Raised) } else { Ok(made) }
}

const TOO_MANY: &str = "an array would become more lists than its bytes allow; read it as an array, with \
                        arrays='numpy'";

/// A new reference to lists of these lengths, with the elements from `next` on; null if Python raised an exception.
fn lists<A: Access>(access: A, array: &NdArray<'_>, lengths: &[usize], next: &mut usize) -> Object {
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
