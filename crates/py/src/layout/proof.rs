//! Verifies, on real objects of the running CPython, that [`Direct`] access reads and makes the
//! same as the C API. This runs once, when the module is imported. If anything differs, or if this
//! is a debug build with larger objects, all access goes through the C API.

use std::ops::Range;
use std::ptr::null_mut;
use std::sync::OnceLock;

use pyo3::ffi::{self, PyObject_RichCompareBool};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use serow_core::bytes::out::GrowableBuffer;
use serow_core::layout::{OpResult, PlainText, Text};
use serow_core::schema::Container as Kind;

use super::container::len;
use super::entries::Entries;
use super::float::Float;
use super::message_bytes::{DirectBytes, Growing};
use super::offsets::{self, BYTES_TEXT, DICT_KEYS, INT_DIGITS, LENGTH, LIST_SIZE, Offsets};
use super::py_long::{Int, SMALLEST};
use super::text::Str;
use super::{Access, Api, Direct, Object, load};
use crate::made::{self, Made, name};

static PROVEN: OnceLock<&'static Offsets> = OnceLock::new();

/// The proven offsets, or `None`.
pub fn proven() -> Option<&'static Offsets> {
    PROVEN.get().copied()
}

/// Verifies the offsets of the running CPython. This happens at import and not at the first use: a
/// thread that waits there for another thread's proof would hold the GIL that the other needs.
pub fn prove(py: Python<'_>) -> PyResult<()> {
    let is_debug = py.import(name!("sys"))?.hasattr(name!("gettotalrefcount"))?;
    if let Some(offsets) = offsets::of_this_version()
        && !is_debug
        && sizes(py, offsets)?
        && dicts(py, offsets)?
        // SAFETY: the GIL is held; fields are read only within the size of objects.
        && unsafe { holds(Direct(offsets, py)) }
    {
        // A second import finds the result of the first.
        let _ = PROVEN.set(offsets);
    }
    Ok(())
}

/// Says why there are no proven offsets. Whole clauses, for the middle of a sentence.
pub fn why_not(py: Python<'_>) -> PyResult<Option<&'static str>> {
    let is_debug = py.import(name!("sys"))?.hasattr(name!("gettotalrefcount"))?;
    Ok(match offsets::of_this_version() {
        _ if proven().is_some() => None,
        _ if is_debug => Some("this is a debug build of Python"),
        None => Some("serow knows the objects of CPython 3.10 to 3.15 only"),
        Some(_) => Some("the objects of this Python are not as serow expects"),
    })
}

/// An owned reference.
pub(super) struct Owned(pub(super) Object);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the reference is ours, and the GIL is held.
        unsafe { ffi::Py_DecRef(self.0) };
    }
}

/// Whether objects have no other fields than those that direct access sets.
fn sizes(py: Python<'_>, offsets: &Offsets) -> PyResult<bool> {
    let has = |class: Bound<'_, PyType>, size: usize| {
        Ok::<bool, PyErr>(class.getattr(name!("__basicsize__"))?.extract::<usize>()? == size)
    };
    // A string that is not compact has one more pointer than other strings before their text.
    Ok(has(py.get_type::<PyInt>(), INT_DIGITS)?
        && has(py.get_type::<PyFloat>(), LENGTH + 8)?
        && has(py.get_type::<PyString>(), offsets.wide_text + 8)?
        && has(py.get_type::<PyList>(), LIST_SIZE)?
        && has(py.get_type::<PyTuple>(), offsets.tuple_items)?
        && has(py.get_type::<PyBytes>(), BYTES_TEXT + 1)?)
}

/// Whether the entries of dicts of each kind and of several sizes are where they are expected, also after some were
/// deleted.
fn dicts(py: Python<'_>, offsets: &Offsets) -> PyResult<bool> {
    for len in [1usize, 5, 6, 11, 200] {
        for are_strs in [true, false] {
            let dict = made::dict(py)?;
            for i in 0..len {
                match are_strs {
                    true => dict.set_item(Made(i.to_string()), Made(i))?,
                    false => dict.set_item(Made(i), Made(i))?,
                }
            }
            for i in (0..len).step_by(3) {
                match are_strs {
                    true => dict.del_item(Made(i.to_string()))?,
                    false => dict.del_item(Made(i))?,
                }
            }
            if !has_entries(&dict, offsets)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether direct access finds the entries of a dict that has its values beside its keys.
fn has_entries(dict: &Bound<'_, PyDict>, offsets: &Offsets) -> PyResult<bool> {
    let object = dict.as_ptr();
    // Size of the dict with its block of keys.
    let size = dict.call_method0(name!("__sizeof__"))?.extract::<usize>()?;
    // SAFETY: the GIL is held, and nothing changes the dict. The header of a block of keys and its index have at
    // least 40 bytes. Entries are read only if they are within the block.
    unsafe {
        let keys = load::<*const u8>(object, DICT_KEYS);
        let Some(mut direct) = Entries::direct(offsets, object) else { return Ok(false) };
        let Range { start, end } = direct.range();
        if start < keys || start > end || end as usize - keys as usize > size {
            return Ok(false);
        }
        let (mut at, mut key, mut value) = (0, null_mut(), null_mut());
        while ffi::PyDict_Next(object, &mut at, &mut key, &mut value) != 0 {
            if direct.next() != Some((key, value)) {
                return Ok(false);
            }
        }
        Ok(direct.next().is_none())
    }
}

unsafe fn holds(direct: Direct<'_>) -> bool {
    // SAFETY: as in `proven`.
    unsafe {
        ints(direct)
            && shared_ints(direct)
            && floats(direct)
            && strs(direct)
            && containers(direct)
            && bytes()
    }
}

/// Both kinds of access make equal objects, and each reads the other's object correctly. An object is
/// made directly only after one like it was read, because CPython may not even be able to free a
/// wrong object. The caller holds the GIL.
macro_rules! both_ways {
    ($direct:ident, $make:ident, $read:ident, $v:expr) => {{
        let a = Owned(Api($direct.1).$make($v));
        !a.0.is_null() && $direct.$read(a.0) == Ok($v) && {
            let b = Owned($direct.$make($v));
            !b.0.is_null() && Api($direct.1).$read(b.0) == Ok($v) && equal(a.0, b.0)
        }
    }};
}

unsafe fn ints(direct: Direct<'_>) -> bool {
    let around = |v: i64| [v.wrapping_sub(1), v, v.wrapping_add(1)];
    [0, -5, 256, 1 << 30, -1 << 30, 1 << 60, -1 << 60, i64::MAX, i64::MIN]
        .into_iter()
        .flat_map(around)
        // SAFETY: the GIL is held.
        .all(|v| unsafe { both_ways!(direct, make_int, read_int, v) })
}

/// Whether the ints that direct access shares are CPython's singletons, which are immortal if there
/// are immortal objects.
unsafe fn shared_ints(direct: Direct<'_>) -> bool {
    [SMALLEST, 0, direct.0.largest_int].into_iter().all(|v| {
        // SAFETY: the GIL is held.
        unsafe {
            let first = Owned(Api(direct.1).make_int(v));
            let before = ffi::Py_REFCNT(first.0);
            let (again, made) = (Owned(Api(direct.1).make_int(v)), Owned(direct.make_int(v)));
            let is_immortal = ffi::Py_REFCNT(first.0) == before;
            first.0 == again.0
                && first.0 == made.0
                && is_immortal == direct.0.immortal
                && counts(direct, first.0)
        }
    })
}

unsafe fn floats(direct: Direct<'_>) -> bool {
    [0.0, -1.5, 1e300, f64::INFINITY].into_iter().all(|v| {
        // SAFETY: the GIL is held.
        unsafe { both_ways!(direct, make_float, read_float, v) }
    })
}

unsafe fn strs(direct: Direct<'_>) -> bool {
    let texts =
        ["", "a", "serow", "a longer text, of more than one word", "é", "naïve", "€uro", "😀"];
    texts.into_iter().all(|text| {
        // SAFETY: the GIL is held.
        unsafe {
            let a = Owned(Api(direct.1).make_str(PlainText::checked(text.as_bytes())));
            !a.0.is_null() && reads(direct.read_str(a.0, &mut Vec::new()), text) && {
                let b = Owned(direct.make_str(PlainText::checked(text.as_bytes())));
                !b.0.is_null()
                    && reads(Api(direct.1).read_str(b.0, &mut Vec::new()), text)
                    && equal(a.0, b.0)
                    && same_hash(a.0, b.0)
            }
        }
    })
}

fn reads(read: OpResult<Text<'_>>, text: &str) -> bool {
    let Ok(Text::Plain(read)) = read else { return false };
    read.bytes() == text.as_bytes() && read.is_known_ascii() == text.is_ascii()
}

unsafe fn containers(direct: Direct<'_>) -> bool {
    [Kind::List, Kind::Tuple].into_iter().all(|kind| {
        [0usize, 1, 3, 30].into_iter().all(|n| {
            // SAFETY: the GIL is held, and cursors stay within the containers.
            unsafe {
                let a = Owned(filled(Api(direct.1), kind, n));
                has_items(direct, a.0, kind, n) && {
                    let b = Owned(filled(direct, kind, n));
                    has_items(Api(direct.1), b.0, kind, n)
                        && equal(a.0, b.0)
                        && (kind == Kind::List || same_hash(a.0, b.0))
                        && counts(direct, b.0)
                }
            }
        })
    })
}

/// Whether objects have the same hash, computed twice: the object may keep it.
unsafe fn same_hash(a: Object, b: Object) -> bool {
    // SAFETY: both are alive, and the GIL is held.
    unsafe {
        let hash = ffi::PyObject_Hash(a);
        hash != -1 && [b, a, b].into_iter().all(|object| ffi::PyObject_Hash(object) == hash)
    }
}

/// Whether a container is there and has the integers of [`filled`].
unsafe fn has_items<A: Access>(access: A, object: Object, kind: Kind, n: usize) -> bool {
    // SAFETY: the object is null or a container, whose length is checked before its items are read.
    unsafe {
        if object.is_null() || len(object, kind) != Ok(n) {
            return false;
        }
        let mut items = access.items_of(object, kind);
        (0..n as i64).all(|i| {
            let item = access.next(&mut items);
            !item.is_null() && access.read_int(item) == Ok(i * 1000)
        })
    }
}

/// A container of `n` integers.
unsafe fn filled<A: Access>(access: A, kind: Kind, n: usize) -> Object {
    // SAFETY: the container has `n` items.
    unsafe {
        let object = access.make(kind, n);
        if !object.is_null() {
            let mut items = access.items_of(object, kind);
            for i in 0..n {
                access.fill(&mut items, access.make_int(i as i64 * 1000));
            }
            super::container::track(object);
        }
        object
    }
}

/// Whether CPython counts a reference that was taken directly.
unsafe fn counts(direct: Direct<'_>, object: Object) -> bool {
    // SAFETY: the object is alive, and the reference is released.
    unsafe {
        let before = ffi::Py_REFCNT(object);
        direct.incref(object);
        let after = ffi::Py_REFCNT(object);
        ffi::Py_DecRef(object);
        let is_shared = ffi::Py_REFCNT(object) == after;
        after == before + 1 && !is_shared || after == before && is_shared
    }
}

/// Whether a bytes object made in place equals one from the C API.
unsafe fn bytes() -> bool {
    let text = [7u8; 1000];
    let mut growing = DirectBytes::default();
    // SAFETY: only reserved memory is written, and the GIL is held.
    unsafe {
        for len in [10, text.len()] {
            let Ok((to, _)) = growing.grow(10, len) else { return false };
            to.copy_from_nonoverlapping(text.as_ptr(), len);
        }
        growing.commit(text.len());
        let made = Owned(growing.into_bytes());
        let len = text.len() as ffi::Py_ssize_t;
        let api = Owned(ffi::PyBytes_FromStringAndSize(text.as_ptr().cast(), len));
        equal(made.0, api.0) && same_hash(made.0, api.0)
    }
}

pub(super) unsafe fn equal(a: Object, b: Object) -> bool {
    // SAFETY: both are alive.
    unsafe { PyObject_RichCompareBool(a, b, ffi::Py_EQ) == 1 }
}
