//! Lists and tuples: Python's `list` and `tuple`.
//!
//! The garbage collector learns of a container only when it is complete, so that nobody can find it
//! half made. Acyclic tuples are never registered; CPython itself would unregister them at its next
//! collection. Lists are always registered, because they can change.

use std::ptr::null_mut;

use pyo3::ffi;
use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema;

use super::offsets::{GC_HEAD, LENGTH, LIST_ITEMS, LIST_ROOM, LIST_SIZE, TUPLE_HASH};
use super::{Api, Direct, Object, begin, is_exactly, load, store};

/// How lists and tuples are walked and filled.
pub trait Container {
    /// A position among items.
    type Cursor: Copy;

    /// The position of the first item of `object`.
    ///
    /// # Safety
    /// `object` must be a live list or tuple, as `container` says, and must not change while the
    /// cursor is used.
    unsafe fn items_of(self, object: Object, container: schema::Container) -> Self::Cursor;

    /// The position of the first of a run of items outside any container.
    ///
    /// # Safety
    /// The items must stay in place while the cursor is used.
    unsafe fn items_at(self, items: *mut Object) -> Self::Cursor;

    /// The address of the items, if the access knows it.
    fn lie_at(self, cursor: Self::Cursor) -> Option<*mut Object>;

    /// The position of item `index` in the same object.
    ///
    /// # Safety
    /// `index` must be at most the number of items.
    unsafe fn move_to(self, cursor: Self::Cursor, index: usize) -> Self::Cursor;

    /// Returns the next item as a borrowed reference, and advances.
    ///
    /// # Safety
    /// There must be a next item.
    unsafe fn next(self, cursor: &mut Self::Cursor) -> Object;

    /// A new container of `len` items that are not set yet; null if there is no memory.
    ///
    /// # Safety
    /// Nobody may see the container before its items are set.
    unsafe fn make(self, container: schema::Container, len: usize) -> Object;

    /// A new tuple for the items of a container that is built from them. If it is not empty, direct
    /// access adds space for one word after the items.
    ///
    /// # Safety
    /// As for [`Container::make`].
    unsafe fn make_items(self, len: usize) -> Object;

    /// Sets all items from `cursor` to the end of `object` to null, so that it can be freed.
    ///
    /// # Safety
    /// `cursor` must be a position in `object`, which must be an unfinished container.
    unsafe fn fill_with_nulls(
        self,
        cursor: Self::Cursor,
        object: Object,
        container: schema::Container,
    );

    /// Sets the next item to `item`, takes its reference, and advances.
    ///
    /// # Safety
    /// There must be a next item, in an unfinished container.
    unsafe fn fill(self, cursor: &mut Self::Cursor, item: Object);
}

/// Whether `object` is a list or a tuple; `None` for other types and for subclasses.
///
/// # Safety
/// `object` must be alive.
pub unsafe fn which(object: Object) -> Option<schema::Container> {
    [schema::Container::List, schema::Container::Tuple]
        .into_iter()
        // SAFETY: the object is alive.
        .find(|&container| unsafe { is_exactly(object, type_of(container)) })
}

/// The number of items of `object`, or a type mismatch if it is not exactly of the container's
/// type.
///
/// # Safety
/// `object` must be alive.
#[inline(always)]
pub unsafe fn len(object: Object, container: schema::Container) -> OpResult<usize> {
    // SAFETY: the object is alive; the stable ABI fixes `ob_size` at offset 16.
    unsafe {
        match is_exactly(object, type_of(container)) {
            true => Ok(load(object, LENGTH)),
            false => Err(Fault::TypeMismatch),
        }
    }
}

#[inline(always)]
fn type_of(container: schema::Container) -> *mut ffi::PyTypeObject {
    match container {
        schema::Container::Tuple => &raw mut ffi::PyTuple_Type,
        _ => &raw mut ffi::PyList_Type,
    }
}

/// Registers a container with the garbage collector.
///
/// # Safety
/// `object` must be complete and not registered yet.
pub unsafe fn track(object: Object) {
    // SAFETY: the caller's promise; the empty tuple is a singleton of CPython, which manages it.
    unsafe {
        if is_exactly(object, &raw mut ffi::PyTuple_Type) && load::<isize>(object, LENGTH) == 0 {
            return;
        }
        ffi::PyObject_GC_Track(object.cast());
    }
}

impl Container for Direct<'_> {
    type Cursor = *mut Object;

    #[inline(always)]
    unsafe fn items_of(self, object: Object, container: schema::Container) -> *mut Object {
        // SAFETY: the object is what the caller says.
        unsafe {
            match container {
                schema::Container::Tuple => object.cast::<u8>().add(self.0.tuple_items).cast(),
                _ => load(object, LIST_ITEMS),
            }
        }
    }

    #[inline(always)]
    unsafe fn items_at(self, items: *mut Object) -> *mut Object {
        items
    }

    #[inline(always)]
    fn lie_at(self, cursor: *mut Object) -> Option<*mut Object> {
        Some(cursor)
    }

    #[inline(always)]
    unsafe fn move_to(self, cursor: *mut Object, index: usize) -> *mut Object {
        // SAFETY: the caller guarantees the index.
        unsafe { cursor.add(index) }
    }

    #[inline(always)]
    unsafe fn next(self, cursor: &mut *mut Object) -> Object {
        // SAFETY: the caller guarantees that there is an item.
        unsafe {
            let item = **cursor;
            *cursor = cursor.add(1);
            item
        }
    }

    #[inline(always)]
    unsafe fn make(self, container: schema::Container, len: usize) -> Object {
        // SAFETY: the memory has the object's size, and nobody sees it yet.
        unsafe {
            match container {
                schema::Container::Tuple => self.make_tuple(len, 0),
                _ => {
                    let object = allocate_collected(LIST_SIZE, 0, type_of(container));
                    if object.is_null() {
                        return object;
                    }
                    store(object, LENGTH, 0isize);
                    store(object, LIST_ITEMS, null_mut::<Object>());
                    store(object, LIST_ROOM, 0isize);
                    if len > 0 {
                        let size = len.saturating_mul(8);
                        let items = ffi::PyMem_Malloc(size).cast::<Object>();
                        if items.is_null() {
                            ffi::Py_DecRef(object);
                            return ffi::PyErr_NoMemory();
                        }
                        store(object, LIST_ITEMS, items);
                        store(object, LENGTH, len);
                        store(object, LIST_ROOM, len);
                    }
                    object
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn make_items(self, len: usize) -> Object {
        // SAFETY: as for `make`.
        unsafe { self.make_tuple(len, size_of::<Object>()) }
    }

    unsafe fn fill_with_nulls(
        self,
        cursor: *mut Object,
        object: Object,
        container: schema::Container,
    ) {
        // SAFETY: the cursor is at most at the end of the items.
        unsafe {
            let end = self.items_of(object, container).add(load(object, LENGTH));
            cursor.write_bytes(0, end.offset_from_unsigned(cursor));
        }
    }

    #[inline(always)]
    unsafe fn fill(self, cursor: &mut *mut Object, item: Object) {
        // SAFETY: the caller guarantees that there is an item to set.
        unsafe {
            **cursor = item;
            *cursor = cursor.add(1);
        }
    }
}

impl Direct<'_> {
    /// A new tuple with `behind` bytes of space after its items. Empty tuples are CPython's
    /// singleton.
    #[inline(always)]
    unsafe fn make_tuple(self, len: usize, behind: usize) -> Object {
        // SAFETY: the memory is large enough for a tuple, and nobody sees it yet.
        unsafe {
            if len == 0 {
                return ffi::PyTuple_New(0);
            }
            let size = self.0.tuple_items + behind;
            let object = allocate_collected(size, len, &raw mut ffi::PyTuple_Type);
            if !object.is_null() {
                store(object, LENGTH, len);
                if self.0.tuple_hash() {
                    store(object, TUPLE_HASH, -1isize);
                }
            }
            object
        }
    }
}

/// Memory for an object of `size` bytes and `len` pointers, with a header for the garbage
/// collector. It neither registers the object nor triggers a collection.
#[inline(always)]
unsafe fn allocate_collected(size: usize, len: usize, ty: *mut ffi::PyTypeObject) -> Object {
    let size = len.checked_mul(8).and_then(|n| n.checked_add(size + GC_HEAD));
    // SAFETY: CPython allocates such objects with PyObject_Malloc, and PyObject_GC_Del frees them
    // from the start of the header.
    unsafe {
        let head = ffi::PyObject_Malloc(size.unwrap_or(usize::MAX)).cast::<u8>();
        if head.is_null() {
            return ffi::PyErr_NoMemory();
        }
        head.cast::<[usize; 2]>().write([0, 0]);
        let object = head.add(GC_HEAD).cast();
        begin(object, ty);
        object
    }
}

/// A position by index among the items of a container, or of a run outside any container.
#[derive(Clone, Copy)]
pub struct ApiCursor {
    items: Items,
    index: ffi::Py_ssize_t,
}

#[derive(Clone, Copy)]
enum Items {
    Of(Object),
    At(*mut Object),
}

impl Container for Api<'_> {
    type Cursor = ApiCursor;

    unsafe fn items_of(self, object: Object, _container: schema::Container) -> ApiCursor {
        ApiCursor { items: Items::Of(object), index: 0 }
    }

    unsafe fn items_at(self, items: *mut Object) -> ApiCursor {
        ApiCursor { items: Items::At(items), index: 0 }
    }

    fn lie_at(self, _cursor: ApiCursor) -> Option<*mut Object> {
        None
    }

    unsafe fn move_to(self, cursor: ApiCursor, index: usize) -> ApiCursor {
        ApiCursor { index: index as ffi::Py_ssize_t, ..cursor }
    }

    unsafe fn next(self, cursor: &mut ApiCursor) -> Object {
        let ApiCursor { items, index } = *cursor;
        cursor.index += 1;
        // SAFETY: the caller guarantees that there is an item.
        unsafe {
            match items {
                Items::At(items) => *items.offset(index),
                Items::Of(object) if is_exactly(object, &raw mut ffi::PyList_Type) => {
                    ffi::PyList_GetItem(object, index)
                }
                // A tuple or an instance of a subclass, such as PySpark's `Row`.
                Items::Of(object) => ffi::PyTuple_GetItem(object, index),
            }
        }
    }

    unsafe fn make(self, container: schema::Container, len: usize) -> Object {
        let len = len as ffi::Py_ssize_t;
        // SAFETY: the GIL is held.
        unsafe {
            let object = match container {
                schema::Container::Tuple => ffi::PyTuple_New(len),
                _ => ffi::PyList_New(len),
            };
            if !object.is_null() && (len > 0 || container == schema::Container::List) {
                ffi::PyObject_GC_UnTrack(object.cast());
            }
            object
        }
    }

    unsafe fn make_items(self, len: usize) -> Object {
        // SAFETY: the caller's promise.
        unsafe { self.make(schema::Container::Tuple, len) }
    }

    unsafe fn fill_with_nulls(self, _: ApiCursor, _: Object, _: schema::Container) {
        // The C API has made the container with null items.
    }

    unsafe fn fill(self, cursor: &mut ApiCursor, item: Object) {
        let ApiCursor { items: Items::Of(object), index } = *cursor else {
            unreachable!("only containers are filled")
        };
        cursor.index += 1;
        // SAFETY: the caller guarantees an item to set, in a container that nobody else has.
        unsafe {
            if is_exactly(object, &raw mut ffi::PyTuple_Type) {
                ffi::PyTuple_SetItem(object, index, item);
            } else {
                ffi::PyList_SetItem(object, index, item);
            }
        }
    }
}
