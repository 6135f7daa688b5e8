//! The CPython layout: how values are read from Python objects and how objects are made.
//!
//! There are two ways to do each. [`Direct`] loads and stores the fields of objects, at offsets
//! that are a table per version of CPython ([`offsets`]) and are proved at import on real objects
//! ([`proof`]). [`Api`] goes through the stable C API: slower, and right on every version. Each
//! type has its file, with its trait and both ways; [`ObjectReader`] and [`ObjectWriter`] put them together
//! and are compiled once for each way.

mod boolean;
pub mod build;
pub mod bytes;
pub mod container;
mod ctor_replay;
mod float;
pub mod functions;
pub mod int;
mod item_runs;
pub mod logical;
mod maker;
mod names;
mod none;
pub mod offsets;
pub mod proof;
mod reader;
pub mod records;
mod spark;
pub mod text;
mod tuple_class;
pub mod view;
mod writer;

use pyo3::ffi::{self, PyObject, PyTypeObject};
use serow_codegen::cpython::ExactType;

pub use maker::Maker;
pub use names::{PyNames, SparkRows};
pub use offsets::Offsets;
pub use reader::{ObjectReader, Reading};
pub use tuple_class::{Attributes, TupleClass};
pub use writer::{Making, ObjectWriter};

/// A pointer to a Python object, as CPython has it.
pub type Object = *mut PyObject;

/// Loads and stores in the objects themselves.
#[derive(Clone, Copy)]
pub struct Direct(pub &'static Offsets);

/// The stable C API.
#[derive(Clone, Copy)]
pub struct Api;

/// A way to read and make objects of every type.
pub trait Access:
    Copy
    + int::Int
    + float::Float
    + text::Str
    + boolean::Bool
    + none::None
    + container::Container
    + logical::Composite
{
    /// Whether compiled code reads and makes the same objects.
    const IS_DIRECT: bool;

    /// What a message is written into.
    type Bytes: bytes::Growing;

    /// Take a reference to `object`.
    ///
    /// # Safety
    /// It must be alive.
    unsafe fn incref(self, object: Object);
}

impl Access for Direct {
    const IS_DIRECT: bool = true;

    type Bytes = bytes::DirectBytes;

    #[inline(always)]
    unsafe fn incref(self, object: Object) {
        let count = object.cast::<u8>();
        // SAFETY: a live object begins with its reference count; from 3.12 on its lower half
        // counts, and stays as it is once it is all ones, which marks immortal objects.
        unsafe {
            if self.0.immortal {
                let count = count.cast::<u32>();
                let next = (*count).wrapping_add(1);
                if next != 0 {
                    *count = next;
                }
            } else {
                *count.cast::<isize>() += 1;
            }
        }
    }
}

impl Access for Api {
    const IS_DIRECT: bool = false;

    type Bytes = Vec<u8>;

    #[inline(always)]
    unsafe fn incref(self, object: Object) {
        // SAFETY: the object is alive.
        unsafe { pyo3::ffi::Py_IncRef(object) }
    }
}

/// Whether `object` is exactly of type `ty`; subclasses are other types.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn is_exactly(object: Object, ty: *mut PyTypeObject) -> bool {
    // SAFETY: the object is alive; the type is the second word of every object, which the
    // stable ABI has had fixed since 3.2.
    unsafe { *object.cast::<*mut PyTypeObject>().add(1) == ty }
}

/// The type object of this process.
#[inline(always)]
pub fn type_object(ty: ExactType) -> *mut PyTypeObject {
    match ty {
        ExactType::Int => &raw mut ffi::PyLong_Type,
        ExactType::Float => &raw mut ffi::PyFloat_Type,
        ExactType::Str => &raw mut ffi::PyUnicode_Type,
        ExactType::List => &raw mut ffi::PyList_Type,
        ExactType::Tuple => &raw mut ffi::PyTuple_Type,
        ExactType::Set => &raw mut ffi::PySet_Type,
        ExactType::FrozenSet => &raw mut ffi::PyFrozenSet_Type,
        ExactType::Dict => &raw mut ffi::PyDict_Type,
    }
}

/// Load a field of an object.
///
/// # Safety
/// `object` must be alive and have a `T` at `offset`.
#[inline(always)]
unsafe fn load<T: Copy>(object: Object, offset: usize) -> T {
    // SAFETY: the caller knows that the field is there; CPython aligns its fields.
    unsafe { *object.cast::<u8>().add(offset).cast::<T>() }
}

/// Store a field of an object.
///
/// # Safety
/// `object` must be ours alone and have a `T` at `offset`.
#[inline(always)]
unsafe fn store<T>(object: Object, offset: usize, v: T) {
    // SAFETY: as in `load`.
    unsafe { object.cast::<u8>().add(offset).cast::<T>().write(v) }
}

/// Memory for an object, with its count at one and its type set; null if there is none.
///
/// # Safety
/// The caller fills in the rest before anybody sees the object. `size` is at least 16.
#[inline(always)]
unsafe fn allocate(size: usize, ty: *mut PyTypeObject) -> Object {
    // SAFETY: PyObject_Malloc is what CPython allocates its own objects with, so that debug
    // allocators and tracemalloc see these too and PyObject_Free takes them back.
    unsafe {
        let object = pyo3::ffi::PyObject_Malloc(size).cast::<PyObject>();
        if !object.is_null() {
            begin(object, ty);
        }
        object
    }
}

/// Set the count and the type of a new object.
#[inline(always)]
unsafe fn begin(object: Object, ty: *mut PyTypeObject) {
    // SAFETY: the caller has just allocated the object, with 16 bytes at least.
    unsafe {
        store(object, 0, 1isize);
        store(object, offsets::TYPE, ty);
    }
}
