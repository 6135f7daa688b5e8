//! Verifies, on real objects of the running CPython, that [`Direct`] access reads and makes the
//! same as the C API. This runs once, when the module is imported. If anything differs, or if this
//! is a debug build with larger objects, all access goes through the C API.

use std::sync::OnceLock;

use pyo3::ffi::{self, PyObject_RichCompareBool};
use pyo3::prelude::*;
use serow_core::bytes::out::GrowableBuffer;
use serow_core::layout::{OpResult, PlainText, Text};
use serow_core::schema::Container as Kind;

use super::container::{Container, len};
use super::float::Float;
use super::message_bytes::{DirectBytes, Growing};
use super::offsets::{self, Offsets};
use super::py_long::Int;
use super::text::Str;
use super::{Access, Api, Direct, Object};

static PROVEN: OnceLock<&'static Offsets> = OnceLock::new();

/// The proven offsets, or `None`.
pub fn proven() -> Option<&'static Offsets> {
    PROVEN.get().copied()
}

/// Verifies the offsets of the running CPython. This happens at import and not at the first use: a
/// thread that waits there for another thread's proof would hold the GIL that the other needs.
pub fn prove(py: Python<'_>) -> PyResult<()> {
    let is_debug = py.import("sys")?.hasattr("gettotalrefcount")?;
    if let Some(offsets) = offsets::of_this_version()
        && !is_debug
        // SAFETY: the GIL is held; fields are read only within the size of objects.
        && unsafe { holds(Direct(offsets)) }
    {
        // A second import finds the result of the first.
        let _ = PROVEN.set(offsets);
    }
    Ok(())
}

/// Says why there are no proven offsets.
pub fn why_not(py: Python<'_>) -> PyResult<Option<&'static str>> {
    let is_debug = py.import("sys")?.hasattr("gettotalrefcount")?;
    Ok(match offsets::of_this_version() {
        _ if proven().is_some() => None,
        _ if is_debug => Some("this is a debug build of Python"),
        None => Some("serow knows the objects of CPython 3.10 to 3.13 only"),
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

unsafe fn holds(direct: Direct) -> bool {
    // SAFETY: as in `proven`.
    unsafe { ints(direct) && floats(direct) && strs(direct) && containers(direct) && bytes() }
}

/// Both kinds of access make equal objects, and each reads the other's object correctly.
macro_rules! both_ways {
    ($direct:ident, $make:ident, $read:ident, $v:expr) => {{
        let (a, b) = (Owned(Api.$make($v)), Owned($direct.$make($v)));
        !a.0.is_null()
            && !b.0.is_null()
            && $direct.$read(a.0) == Ok($v)
            && Api.$read(b.0) == Ok($v)
            && equal(a.0, b.0)
    }};
}

unsafe fn ints(direct: Direct) -> bool {
    let around = |v: i64| [v.wrapping_sub(1), v, v.wrapping_add(1)];
    [0, -5, 256, 1 << 30, -1 << 30, 1 << 60, -1 << 60, i64::MAX, i64::MIN]
        .into_iter()
        .flat_map(around)
        // SAFETY: the GIL is held.
        .all(|v| unsafe { both_ways!(direct, make_int, read_int, v) })
}

unsafe fn floats(direct: Direct) -> bool {
    [0.0, -1.5, 1e300, f64::INFINITY].into_iter().all(|v| {
        // SAFETY: the GIL is held.
        unsafe { both_ways!(direct, make_float, read_float, v) }
    })
}

unsafe fn strs(direct: Direct) -> bool {
    let texts =
        ["", "a", "serow", "a longer text, of more than one word", "é", "naïve", "€uro", "😀"];
    texts.into_iter().all(|text| {
        // SAFETY: the GIL is held.
        unsafe {
            let a = Owned(Api.make_str(PlainText::checked(text.as_bytes())));
            let b = Owned(direct.make_str(PlainText::checked(text.as_bytes())));
            !a.0.is_null()
                && !b.0.is_null()
                && reads(direct.read_str(a.0, &mut Vec::new()), text)
                && reads(Api.read_str(b.0, &mut Vec::new()), text)
                && equal(a.0, b.0)
                && ffi::PyObject_Hash(a.0) == ffi::PyObject_Hash(b.0)
        }
    })
}

fn reads(read: OpResult<Text<'_>>, text: &str) -> bool {
    let Ok(Text::Plain(read)) = read else { return false };
    read.bytes() == text.as_bytes() && read.is_known_ascii() == text.is_ascii()
}

unsafe fn containers(direct: Direct) -> bool {
    [Kind::List, Kind::Tuple].into_iter().all(|kind| {
        [0usize, 1, 3, 30].into_iter().all(|n| {
            // SAFETY: the GIL is held, and cursors stay within the containers.
            unsafe {
                let (a, b) = (Owned(filled(Api, kind, n)), Owned(filled(direct, kind, n)));
                if a.0.is_null()
                    || b.0.is_null()
                    || len(a.0, kind) != Ok(n)
                    || len(b.0, kind) != Ok(n)
                {
                    return false;
                }
                let (mut x, mut y) = (direct.items_of(a.0, kind), Api.items_of(b.0, kind));
                (0..n).all(|i| {
                    direct.read_int(direct.next(&mut x)) == Ok(i as i64 * 1000)
                        && Api.read_int(Api.next(&mut y)) == Ok(i as i64 * 1000)
                }) && equal(a.0, b.0)
                    && counts(direct, b.0)
            }
        })
    })
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
unsafe fn counts(direct: Direct, object: Object) -> bool {
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
        let made = Owned(growing.into_bytes(text.len()));
        let len = text.len() as ffi::Py_ssize_t;
        let api = Owned(ffi::PyBytes_FromStringAndSize(text.as_ptr().cast(), len));
        equal(made.0, api.0) && ffi::PyObject_Hash(made.0) == ffi::PyObject_Hash(api.0)
    }
}

pub(super) unsafe fn equal(a: Object, b: Object) -> bool {
    // SAFETY: both are alive.
    unsafe { PyObject_RichCompareBool(a, b, ffi::Py_EQ) == 1 }
}
