//! The helpers that compiled code calls, implemented for the test's objects.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

use serow_codegen::cpython::{self, Functions, NO_MEMBER, Object, container};
use serow_core::layout::objects::{ObjectReaderContext, ObjectWriterContext};
use serow_core::layout::value::{ValueReader, ValueWriter};
use serow_core::layout::{Sink, Source, Text};
use serow_core::plan::{ComponentColumns, Tables};
use serow_core::schema::{Container, Logical, Scalar};
use serow_core::value::Value;

use super::{held, holder, int, items, list, str, tuple, value};

/// Returns all helpers.
pub(super) fn functions() -> Functions {
    Functions {
        malloc,
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

/// The state of helpers that make objects.
#[repr(C)]
pub(super) struct MakingState {
    pub(super) tables: Arc<Tables>,
    /// The entries of dictionaries of byte strings, by column.
    pub(super) bytes: Vec<Vec<Vec<u8>>>,
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    Vec::leak(vec![0u64; size / 8 + 4]).as_mut_ptr().cast()
}

unsafe extern "C" fn make_int(v: i64) -> *mut Object {
    int(v).cast()
}

unsafe extern "C" fn make_str(bytes: *const u8, len: usize) -> *mut Object {
    // SAFETY: compiled code passes bytes that a source has checked.
    let text = unsafe { std::slice::from_raw_parts(bytes, len) };
    str(std::str::from_utf8(text).expect("the rows have no lone surrogates")).cast()
}

unsafe extern "C" fn make_list(len: usize) -> *mut Object {
    list(&vec![null_mut(); len]).cast()
}

unsafe extern "C" fn make_tuple(len: usize) -> *mut Object {
    tuple(&vec![null_mut(); len], 0).cast()
}

unsafe extern "C" fn make_items(len: usize) -> *mut Object {
    tuple(&vec![null_mut(); len], 1).cast()
}

unsafe extern "C" fn track(_container: *mut Object) {}

unsafe extern "C" fn is_logical(object: *mut Object, ty: usize) -> u8 {
    // SAFETY: compiled code passes one of the test's objects.
    let held = unsafe { held(object.cast()) };
    held.is_some_and(|v| matches!(v, Value::Logical(made) if made.ty() == Logical::ALL[ty])).into()
}

/// Returns the tables of the plan whose code has this context.
/// # Safety
/// [`Objects`] or [`MadeObjects`] must have made it.
unsafe fn tables<'a>(state: *mut ()) -> &'a Tables {
    // SAFETY: the caller's promise.
    unsafe { &*state.cast::<Arc<Tables>>() }
}

unsafe extern "C" fn read_logical(
    context: *mut ObjectReaderContext,
    object: *mut Object,
    ty: usize,
) -> u8 {
    // SAFETY: compiled code passes one of the test's objects, and its context.
    unsafe {
        let Some(value) = held(object.cast()) else { return 0 };
        let rows = std::slice::from_ref(value);
        let mut reader = ValueReader::new(rows);
        let at = ComponentColumns { int: 0, float: 0, str: 0 };
        let components = reader.row(0).and_then(|()| reader.logical(Logical::ALL[ty], at));
        components.is_ok_and(|components| (*context).components.set(components)).into()
    }
}

/// The test has no objects of other libraries.
unsafe extern "C" fn read_scalar(
    context: *mut ObjectReaderContext,
    object: *mut Object,
    ty: usize,
) -> u8 {
    match cpython::scalar(ty) {
        // SAFETY: as above.
        Some(Scalar::Logical(ty)) => unsafe { read_logical(context, object, ty as usize) },
        _ => 0,
    }
}

unsafe extern "C" fn view(
    context: *mut ObjectReaderContext,
    object: *mut Object,
    number: u32,
) -> *mut *mut Object {
    // SAFETY: compiled code passes one of the test's objects, and its context.
    let (value, tables) = unsafe { (held(object.cast()), tables((*context).reading)) };
    let items: Vec<*mut u64> = match (value, container(number)) {
        (Some(Value::Set(items)), Container::Set)
        | (Some(Value::FrozenSet(items)), Container::FrozenSet) => {
            items.iter().map(super::object).collect()
        }
        (Some(Value::Map(entries)), Container::Map) => {
            entries.as_flattened().iter().map(super::object).collect()
        }
        (Some(Value::Struct(own, fields)), Container::Struct(table)) => {
            let names = &tables.structs[table as usize];
            let is_named = |name| names.fields.contains(name);
            if own.name != names.name || !own.fields.iter().all(is_named) {
                return null_mut();
            }
            let field = |name| own.fields.iter().position(|own| own == name);
            let item = |name| field(name).map_or(null_mut(), |at| super::object(&fields[at]));
            names.fields.iter().map(item).collect()
        }
        _ => return null_mut(),
    };
    // SAFETY: as above.
    unsafe { (*context).len = items.len() / if number == 2 { 2 } else { 1 } };
    // Empty items must not be null either.
    Vec::leak([items, vec![null_mut()]].concat()).as_mut_ptr().cast()
}

unsafe extern "C" fn is_record(
    context: *mut ObjectReaderContext,
    object: *mut Object,
    table: u32,
) -> u8 {
    // SAFETY: as in `view`.
    let (value, tables) = unsafe { (held(object.cast()), tables((*context).reading)) };
    let wanted = &tables.structs[table as usize];
    value.is_some_and(|v| matches!(v, Value::Struct(names, _) if names == wanted)).into()
}

unsafe extern "C" fn member_of(
    context: *mut ObjectReaderContext,
    object: *mut Object,
    table: u32,
) -> i64 {
    // SAFETY: as in `view`.
    let (value, tables) = unsafe { (held(object.cast()), tables((*context).reading)) };
    match value {
        Some(Value::Enum(of, index)) if *of == tables.enums[table as usize] => i64::from(*index),
        _ => NO_MEMBER,
    }
}

unsafe extern "C" fn build(
    context: *mut ObjectWriterContext,
    tuple: *mut Object,
    number: u32,
    _acyclic: u32,
) -> *mut Object {
    // SAFETY: compiled code passes its context, and a tuple whose items are complete.
    let (items, tables) = unsafe { (items(tuple.cast()), tables((*context).making)) };
    // SAFETY: as above.
    let values = || items.iter().map(|&item| unsafe { value(item) });
    let made = match container(number) {
        Container::Set => Value::Set(values().collect()),
        Container::FrozenSet => Value::FrozenSet(values().collect()),
        Container::Struct(table) => {
            let mut names = (*tables.structs[table as usize]).clone();
            let mut there = items.iter().map(|item| !item.is_null());
            names.fields.retain(|_| there.next().expect("there is an item for each name"));
            let fields = items.iter().filter(|item| !item.is_null());
            // SAFETY: as above.
            Value::Struct(names.into(), fields.map(|&item| unsafe { value(item) }).collect())
        }
        _ => {
            let values: Vec<Value> = values().collect();
            Value::Map(values.chunks(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect())
        }
    };
    holder(&made).cast()
}

unsafe extern "C" fn make_member(
    context: *mut ObjectWriterContext,
    index: i64,
    table: u32,
) -> *mut Object {
    // SAFETY: compiled code passes its context.
    let tables = unsafe { tables((*context).making) };
    holder(&Value::Enum(tables.enums[table as usize].clone(), index as u32)).cast()
}

unsafe extern "C" fn make_logical(
    context: *mut ObjectWriterContext,
    ty: usize,
    column: usize,
) -> *mut Object {
    // SAFETY: compiled code passes its context with the components of a value. If it passes an
    // entry, the dictionary has it.
    let made = unsafe {
        let ty = Logical::ALL[ty];
        let state = &*(*context).making.cast::<MakingState>();
        let mut components = (*context).components.get(ty);
        if let Text::Entry(code) = components.bytes {
            let bytes = &state.bytes[column][code as usize];
            components.bytes = Text::plain(bytes);
        }
        let mut writer = ValueWriter::new();
        let at = ComponentColumns { int: 0, float: 0, str: 0 };
        writer.row().and_then(|()| writer.logical(ty, at, components)).expect("it is a value");
        writer.into_rows().remove(0)
    };
    holder(&made).cast()
}
