//! The helpers that compiled code calls where it does not make or read an object itself.
//!
//! A helper that can't make an object sets no error: compiled code bails out of the row, and the
//! interpreter tries again and reports the error. So no helper calls the caller's classes: they would be called again.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::ffi;
use pyo3::prelude::*;
use serow_codegen::cpython::{self, Functions, NO_MEMBER, Object as Raw};
use serow_core::layout::objects::{ObjectReaderContext, ObjectWriterContext};
use serow_core::layout::{Components, PlainText, Text};
use serow_core::schema::{Container as Kind, Logical, Scalar};

use super::build::{Building, MayCall};
use super::container::{self, Container};
use super::foreign::scalars::{self, ScalarValue};
use super::making::Making;
use super::py_long::Int;
use super::reader::Reading;
use super::text::Str;
use super::view::Views;
use super::{Direct, Object, logical, proof};

/// The helpers for compiled code.
pub fn functions() -> Functions {
    Functions {
        malloc: ffi::PyObject_Malloc,
        make_int,
        make_str,
        make_list,
        make_tuple,
        make_items,
        track,
        is_logical,
        read_logical,
        read_scalar,
        make_logical,
        view,
        is_record,
        member_of,
        build,
        make_member,
    }
}

/// The access of compiled code to objects; `None` where nothing can be compiled.
///
/// # Safety
/// Compiled code must be the caller, which runs with the GIL held, and the access must not outlive the call.
#[inline(always)]
unsafe fn direct<'py>() -> Option<Direct<'py>> {
    // SAFETY: the caller's promise. The source or sink whose context compiled code got has a token of the GIL.
    Some(Direct(proof::proven()?, unsafe { Python::assume_attached() }))
}

/// Calls `make`; on failure returns null and clears the exception.
///
/// # Safety
/// As for [`direct`].
unsafe fn or_null(make: impl FnOnce(Direct<'_>) -> Object) -> *mut Raw {
    // SAFETY: the caller's promise.
    let object = unsafe { direct() }.map_or(std::ptr::null_mut(), make);
    if object.is_null() {
        // SAFETY: as for `direct`.
        unsafe { ffi::PyErr_Clear() };
    }
    object.cast()
}

unsafe extern "C" fn make_int(v: i64) -> *mut Raw {
    // SAFETY: compiled code runs with the GIL held.
    unsafe { or_null(|direct| direct.make_int(v)) }
}

unsafe extern "C" fn make_str(bytes: *const u8, len: usize) -> *mut Raw {
    // SAFETY: a source gives valid bytes; the GIL is held.
    unsafe {
        let bytes = std::slice::from_raw_parts(bytes, len);
        or_null(|direct| direct.make_str(PlainText::checked(bytes)))
    }
}

unsafe extern "C" fn make_list(len: usize) -> *mut Raw {
    // SAFETY: the GIL is held.
    unsafe { or_null(|direct| with_nulls(direct, Kind::List, direct.make(Kind::List, len))) }
}

unsafe extern "C" fn make_tuple(len: usize) -> *mut Raw {
    // SAFETY: the GIL is held.
    unsafe { or_null(|direct| with_nulls(direct, Kind::Tuple, direct.make(Kind::Tuple, len))) }
}

unsafe extern "C" fn make_items(len: usize) -> *mut Raw {
    // SAFETY: the GIL is held.
    unsafe { or_null(|direct| with_nulls(direct, Kind::Tuple, direct.make_items(len))) }
}

/// Sets the items of a new container to null.
unsafe fn with_nulls(direct: Direct<'_>, kind: Kind, object: Object) -> Object {
    // SAFETY: nobody else has the container; an empty one may be shared but has no items.
    unsafe {
        if !object.is_null() {
            direct.fill_with_nulls(direct.items_of(object, kind), object, kind);
        }
        object
    }
}

unsafe extern "C" fn track(object: *mut Raw) {
    // SAFETY: compiled code has just completed the container.
    unsafe { container::track(object.cast()) };
}

/// The answer of `says`, without a Python exception if it is false.
unsafe fn ask(ty: usize, says: impl FnOnce(Direct<'_>, Logical) -> bool) -> u8 {
    // SAFETY: compiled code is the caller.
    let (Some(direct), Some(&ty)) = (unsafe { direct() }, Logical::ALL.get(ty)) else { return 0 };
    let is = says(direct, ty);
    if !is {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
    }
    is.into()
}

unsafe extern "C" fn is_logical(object: *mut Raw, ty: usize) -> u8 {
    // SAFETY: an object in the rows is alive, and the GIL is held.
    unsafe { ask(ty, |direct, ty| logical::is(direct, object.cast(), ty)) }
}

unsafe extern "C" fn read_logical(
    context: *mut ObjectReaderContext,
    object: *mut Raw,
    ty: usize,
) -> u8 {
    // SAFETY: a reader made the context and its pointer `reading`; an object in its rows is alive.
    unsafe {
        let ObjectReaderContext { components, reading, .. } = &mut *context;
        let reading = (*reading.cast::<Reading<'_>>()).components();
        ask(ty, |direct, ty| logical::read_into(direct, ty, object.cast(), reading, components))
    }
}

unsafe extern "C" fn read_scalar(
    context: *mut ObjectReaderContext,
    object: *mut Raw,
    ty: usize,
) -> u8 {
    // SAFETY: as in `read_logical`.
    unsafe {
        let (Some(ty), Some(direct)) = (cpython::scalar(ty), direct()) else { return 0 };
        if let Scalar::Logical(ty) = ty
            && logical::is_of_class(direct.1, object.cast(), ty)
        {
            return read_logical(context, object, ty as usize);
        }
        let ObjectReaderContext { components, reading, .. } = &mut *context;
        let reading = &mut *reading.cast::<Reading<'_>>();
        if !reading.takes_others() {
            return 0;
        }
        let object: Object = object.cast();
        let Some(plain) = scalars::read(direct.1, object) else { return 0 };
        let is = match (ty, plain) {
            (Scalar::Bool, ScalarValue::Bool(v)) => components.set_int(v.into()),
            (Scalar::I64, ScalarValue::Int(v)) => components.set_int(v),
            (Scalar::F64, ScalarValue::Float(v)) => components.set_int(v.to_bits() as i64),
            (Scalar::Str, ScalarValue::Str) => {
                match scalars::text(direct.1, object, &mut Vec::new()) {
                    // Other text is not in the object.
                    Ok(Text::Plain(text)) if text.is_known_ascii() => components
                        .set(Components { bytes: Text::Plain(text), ..Components::default() }),
                    _ => false,
                }
            }
            (Scalar::Logical(ty), plain) => {
                let of = (ty, plain);
                logical::scalar_into(direct, of, object, reading.components(), components)
            }
            _ => false,
        };
        if !is {
            ffi::PyErr_Clear();
        }
        is.into()
    }
}

unsafe extern "C" fn make_logical(
    context: *mut ObjectWriterContext,
    ty: usize,
    column: usize,
) -> *mut Raw {
    let Some(&ty) = Logical::ALL.get(ty) else { return std::ptr::null_mut() };
    // SAFETY: a writer made the context and its pointer `making`; compiled code has just stored the
    // components.
    unsafe {
        let ObjectWriterContext { components, making, .. } = &mut *context;
        let making = (*making.cast::<Making>()).components();
        let components = components.get(ty);
        // The interpreter handles signals, and compiled code can't.
        if making.takes_long(ty, column as u32, &components) {
            return std::ptr::null_mut();
        }
        or_null(|direct| {
            let made = making.make(direct, ty, column as u32, components);
            made.unwrap_or(std::ptr::null_mut())
        })
    }
}

/// The views of the reader that made `context`.
unsafe fn views<'a>(context: *mut ObjectReaderContext) -> &'a mut Views {
    // SAFETY: the pointer is to the reader's `reading`, which nobody else uses while compiled code
    // runs.
    unsafe { (*(*context).reading.cast::<Reading<'a>>()).views() }
}

unsafe extern "C" fn view(
    context: *mut ObjectReaderContext,
    object: *mut Raw,
    container: u32,
) -> *mut *mut Raw {
    // SAFETY: a reader made the context, and an object in its rows is alive.
    unsafe {
        let views = views(context);
        if (*context).viewed == 0 {
            (*context).viewed = 1;
            views.release();
        }
        let viewed =
            direct().map(|direct| views.view(direct, object.cast(), cpython::container(container)));
        match viewed {
            Some(Ok(run)) => {
                (*context).len = run.len;
                run.items.cast()
            }
            _ => {
                ffi::PyErr_Clear();
                std::ptr::null_mut()
            }
        }
    }
}

unsafe extern "C" fn is_record(
    context: *mut ObjectReaderContext,
    object: *mut Raw,
    table: u32,
) -> u8 {
    // SAFETY: as in `view`.
    unsafe { direct().is_some_and(|it| views(context).is_record(it.1, object.cast(), table)) }
        .into()
}

unsafe extern "C" fn member_of(
    context: *mut ObjectReaderContext,
    object: *mut Raw,
    table: u32,
) -> i64 {
    // SAFETY: as in `view`.
    let index =
        unsafe { direct().and_then(|it| views(context).member(it.1, object.cast(), table)) };
    index.map_or(NO_MEMBER, i64::from)
}

/// The builder of the writer that made `context`.
unsafe fn building<'a>(context: *mut ObjectWriterContext) -> &'a mut Building {
    // SAFETY: the pointer is to the writer's `making`, which nobody else uses while compiled code
    // runs.
    unsafe { (*(*context).making.cast::<Making>()).building() }
}

unsafe extern "C" fn build(
    context: *mut ObjectWriterContext,
    tuple: *mut Raw,
    container: u32,
    acyclic: u32,
) -> *mut Raw {
    // SAFETY: a writer made the context, and nobody else has the complete tuple.
    unsafe {
        let building = building(context);
        // The caller's code may call serow, and a panic there must not unwind through compiled
        // code.
        let built = catch_unwind(AssertUnwindSafe(|| {
            or_null(|direct| {
                let container = cpython::container(container);
                let acyclic = acyclic != 0;
                let built = building.build(direct, container, tuple.cast(), acyclic, MayCall::No);
                built.unwrap_or_else(|_| {
                    building.keep_interrupt(direct.1);
                    std::ptr::null_mut()
                })
            })
        }));
        built.unwrap_or(std::ptr::null_mut())
    }
}

unsafe extern "C" fn make_member(
    context: *mut ObjectWriterContext,
    index: i64,
    table: u32,
) -> *mut Raw {
    // SAFETY: a writer made the context.
    unsafe {
        let building = building(context);
        or_null(|direct| building.member(direct, table, index).unwrap_or(std::ptr::null_mut()))
    }
}
