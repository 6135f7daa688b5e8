//! The CPython layout: reads values from Python objects, and makes objects.
//!
//! There are two kinds of access. [`Direct`] loads and stores the fields of objects. Their offsets
//! are in a table per version of CPython ([`offsets`]), and are verified on real objects at import
//! ([`proof`]). [`Api`] uses the stable C API: it is slower, but correct in every version. Each
//! type has a file with its trait for both kinds. [`ObjectReader`] and [`ObjectWriter`] combine
//! them and are compiled once for each kind.

mod boolean;
pub mod buffers;
pub mod build;
pub mod container;
mod dict_template;
pub mod entries;
mod float;
pub mod foreign;
#[cfg(feature = "jit")]
pub mod functions;
mod hash_flood;
mod kept_views;
pub mod logical;
mod maker;
mod making;
pub mod message_bytes;
mod names;
mod none;
pub mod offsets;
pub mod proof;
pub mod py_long;
mod reader;
pub mod records;
mod restoration;
pub mod signals;
mod struct_objects;
pub mod text;
mod tuple_class;
pub mod view;
mod writer;

use pyo3::Python;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use serow_core::layout::objects::ExactType;

pub use foreign::array_maker::{ArrayColumn, ArrayMaker};
pub use foreign::{arrays, nd_arrays, scalars};
pub use kept_views::KeptViews;
pub use maker::Maker;
pub use making::ObjectChoices;
pub use names::{PyNames, StructKeys};
pub use offsets::Offsets;
pub use reader::{Leniency, ObjectReader};
pub use struct_objects::{Held, StructObjects};
pub use tuple_class::{Attributes, TupleClass};
pub use writer::ObjectWriter;

pub type Object = *mut PyObject;

// `ffi::PyObject` is larger in builds of Python without a GIL. There, a token would not keep other threads out.
const _: () = assert!(size_of::<PyObject>() == 16, "serow needs a build of Python with the GIL");

/// Direct loads and stores in objects, with the token of the GIL that they need.
#[derive(Clone, Copy)]
pub struct Direct<'py>(pub &'static Offsets, pub Python<'py>);

/// Access through the stable C API, with the token of the GIL that it needs.
#[derive(Clone, Copy)]
pub struct Api<'py>(pub Python<'py>);

/// Access to objects of every type.
pub trait Access:
    Copy
    + py_long::Int
    + float::Float
    + text::Str
    + boolean::Bool
    + none::None
    + container::Container
    + logical::Composite
{
    /// Whether compiled code can read and make the same objects.
    const IS_DIRECT: bool;

    /// The buffer for messages.
    type Bytes: message_bytes::Growing;

    /// The token of the GIL, which is held as long as the access exists.
    fn py(&self) -> Python<'_>;

    /// Takes a reference to `object`.
    ///
    /// # Safety
    /// `object` must be alive.
    unsafe fn incref(self, object: Object);
}

impl Access for Direct<'_> {
    const IS_DIRECT: bool = true;

    type Bytes = message_bytes::DirectBytes;

    #[inline(always)]
    fn py(&self) -> Python<'_> {
        self.1
    }

    #[inline(always)]
    unsafe fn incref(self, object: Object) {
        let count = object.cast::<u8>();
        // SAFETY: a live object starts with its reference count. From 3.12 on only the lower half
        // counts; if its sign bit is set, CPython treats the object as immortal.
        unsafe {
            if self.0.immortal {
                let count = count.cast::<i32>();
                if *count >= 0 {
                    *count = (*count).wrapping_add(1);
                }
            } else {
                *count.cast::<isize>() += 1;
            }
        }
    }
}

impl Access for Api<'_> {
    const IS_DIRECT: bool = false;

    type Bytes = Vec<u8>;

    #[inline(always)]
    fn py(&self) -> Python<'_> {
        self.0
    }

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
    // SAFETY: the object is alive. Its type is its second word; the stable ABI has fixed this since
    // 3.2.
    unsafe { *object.cast::<*mut PyTypeObject>().add(1) == ty }
}

/// The type object of the running interpreter.
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

/// Loads a field of an object.
///
/// # Safety
/// `object` must be alive and have a `T` at `offset`.
#[inline(always)]
unsafe fn load<T: Copy>(object: Object, offset: usize) -> T {
    // SAFETY: the caller guarantees the field; CPython aligns its fields.
    unsafe { *object.cast::<u8>().add(offset).cast::<T>() }
}

/// Stores a field of an object.
///
/// # Safety
/// Nobody else may have the object, and it must have a `T` at `offset`.
#[inline(always)]
unsafe fn store<T>(object: Object, offset: usize, v: T) {
    // SAFETY: as in `load`.
    unsafe { object.cast::<u8>().add(offset).cast::<T>().write(v) }
}

/// Memory for an object, with reference count one and its type set; null if there is no memory.
///
/// # Safety
/// The caller must set all other fields before anybody sees the object. `size` must be at least 16.
#[inline(always)]
unsafe fn allocate(size: usize, ty: *mut PyTypeObject) -> Object {
    // SAFETY: CPython allocates its own objects with PyObject_Malloc. So debug allocators and
    // tracemalloc see this memory, and PyObject_Free frees it.
    unsafe {
        let object = pyo3::ffi::PyObject_Malloc(size).cast::<PyObject>();
        if !object.is_null() {
            begin(object, ty);
        }
        object
    }
}

/// Sets the reference count and the type of a new object.
#[inline(always)]
unsafe fn begin(object: Object, ty: *mut PyTypeObject) {
    // SAFETY: the caller has just allocated at least 16 bytes for the object.
    unsafe {
        store(object, 0, 1isize);
        store(object, offsets::TYPE, ty);
    }
}
