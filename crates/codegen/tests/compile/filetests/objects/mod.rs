//! Objects in CPython 3.11's memory layout, without CPython. They contain only what compiled code
//! reads and writes.
//!
//! Sets, dicts, records, members and logical values are objects that contain a [`Value`]. Compiled
//! code calls helpers for their items. Objects are never freed.

mod helpers;
mod layouts;

use std::sync::LazyLock;

use serow_codegen::cpython::{Addresses, CPython, NewObjects};
use serow_core::layout::objects::ExactType;
use serow_core::value::Value;

pub use layouts::{MadeObjects, Objects};

/// Offsets in words. [`CPYTHON`] has them in bytes.
const TYPE: usize = 1;
const LENGTH: usize = 2;
const ITEMS: usize = 3;
const STATE: usize = 4;
const TEXT: usize = 6;
const ASCII: u64 = 0x60;
const DIGIT: u32 = 30;
const SMALLEST_INT: i64 = -5;
const SMALL_INTS: usize = 262;

/// The types of objects. Only the addresses matter. The last is the type of all other objects.
static TYPES: [u64; 8] = [1; 8];
static OTHER: u64 = 0;

/// Addresses of the singletons.
struct Shared {
    none: usize,
    yes: usize,
    no: usize,
    small_ints: usize,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let [none, yes, no] = [(); 3].map(|()| allocate(2, &raw const OTHER).addr());
    let ints = (0..SMALL_INTS as i64).map(|n| int(n + SMALLEST_INT).addr());
    let small_ints = Vec::leak(ints.collect::<Vec<usize>>()).as_ptr().addr();
    Shared { none, yes, no, small_ints }
});

pub static CPYTHON: LazyLock<CPython> = LazyLock::new(|| CPython {
    ty: 8,
    length: 16,
    tuple_items: 24,
    list_items: 24,
    int_digits: 24,
    tagged_ints: false,
    str_state: 32,
    ascii: ASCII as u32,
    ascii_text: 48,
    making: NewObjects {
        immortal: false,
        gc_words: 2,
        smallest_int: SMALLEST_INT,
        small_ints: SMALL_INTS as u64,
        tuple_hash: None,
        str_hash: 24,
        ascii_state: 0xE4,
        wide_text: true,
    },
    addresses: Addresses {
        types: ExactType::ALL.map(|ty| type_of(ty).addr()),
        none: SHARED.none,
        yes: SHARED.yes,
        no: SHARED.no,
        functions: helpers::functions(),
        small_ints: SHARED.small_ints,
    },
});

fn type_of(ty: ExactType) -> *const u64 {
    &raw const TYPES[ty as usize]
}

/// Allocates an object of `words` words with one reference.
fn allocate(words: usize, ty: *const u64) -> *mut u64 {
    let object = Vec::leak(vec![0u64; words + 1]).as_mut_ptr();
    // SAFETY: the object has these words.
    unsafe {
        object.write(1);
        object.add(TYPE).write(ty.expose_provenance() as u64);
    }
    object
}

fn int(v: i64) -> *mut u64 {
    let digits: Vec<u64> =
        (0..3).map(|n| (v.unsigned_abs() >> (DIGIT * n)) & ((1 << DIGIT) - 1)).collect();
    let count = 3 - digits.iter().rev().take_while(|&&digit| digit == 0).count() as i64;
    let object = allocate(6, type_of(ExactType::Int));
    // SAFETY: the object has these words.
    unsafe {
        object.add(LENGTH).write((count * v.signum()) as u64);
        let to = object.add(ITEMS).cast::<u32>();
        digits.iter().enumerate().for_each(|(n, &digit)| to.add(n).write(digit as u32));
    }
    object
}

fn str(text: &str) -> *mut u64 {
    let object = allocate(TEXT + text.len() / 8 + 9, type_of(ExactType::Str));
    // SAFETY: the object has these words and bytes.
    unsafe {
        object.add(LENGTH).write(text.len() as u64);
        object.add(STATE).write(if text.is_ascii() { ASCII } else { 0 });
        object.add(TEXT).cast::<u8>().copy_from(text.as_ptr(), text.len());
    }
    object
}

/// Makes a tuple of these items, with `behind` extra words.
fn tuple(items: &[*mut u64], behind: usize) -> *mut u64 {
    let object = allocate(ITEMS + items.len() + behind, type_of(ExactType::Tuple));
    // SAFETY: the object has these words.
    unsafe {
        object.add(LENGTH).write(items.len() as u64);
        object.add(ITEMS).cast::<*mut u64>().copy_from(items.as_ptr(), items.len());
    }
    object
}

fn list(items: &[*mut u64]) -> *mut u64 {
    let object = allocate(ITEMS + 1, type_of(ExactType::List));
    // SAFETY: the object has these words.
    unsafe {
        object.add(LENGTH).write(items.len() as u64);
        let items = Vec::leak(items.to_vec()).as_mut_ptr();
        object.add(ITEMS).cast::<*mut *mut u64>().write(items);
    }
    object
}

/// Makes an object that contains a value.
fn holder(value: &Value) -> *mut u64 {
    let ty = match value {
        Value::Set(_) => type_of(ExactType::Set),
        Value::FrozenSet(_) => type_of(ExactType::FrozenSet),
        Value::Map(_) => type_of(ExactType::Dict),
        Value::Struct(names, _) if names.name.is_none() => type_of(ExactType::Dict),
        _ => &raw const OTHER,
    };
    let object = allocate(3, ty);
    // SAFETY: the object has these words.
    unsafe { object.add(LENGTH).cast::<*mut Value>().write(Box::leak(Box::new(value.clone()))) };
    object
}

/// Makes the object of a value.
fn object(value: &Value) -> *mut u64 {
    let objects = |values: &[Value]| values.iter().map(object).collect::<Vec<_>>();
    match value {
        Value::Null => SHARED.none as *mut u64,
        Value::Bool(true) => SHARED.yes as *mut u64,
        Value::Bool(false) => SHARED.no as *mut u64,
        Value::I64(v) => int(*v),
        Value::F64(v) => {
            let object = allocate(3, type_of(ExactType::Float));
            // SAFETY: the object has these words.
            unsafe { object.add(LENGTH).write(v.to_bits()) };
            object
        }
        Value::Str(text) => str(text),
        Value::List(items) => list(&objects(items)),
        Value::Tuple(items) => tuple(&objects(items), 0),
        other => holder(other),
    }
}

/// Returns the value in an object; `None` if its type is one that compiled code reads directly.
///
/// # Safety
/// It must be one of these objects.
unsafe fn held<'a>(object: *const u64) -> Option<&'a Value> {
    // SAFETY: every object has a type, and objects of the other types contain a value.
    unsafe {
        let ty = object.add(TYPE).read() as usize;
        let is = |other: ExactType| ty == type_of(other).addr();
        let plain = [ExactType::Int, ExactType::Float, ExactType::Str, ExactType::List];
        let is_shared = [SHARED.none, SHARED.yes, SHARED.no].contains(&object.addr());
        let holds = !is_shared && !plain.into_iter().any(is) && !is(ExactType::Tuple);
        holds.then(|| &*object.add(LENGTH).cast::<*const Value>().read())
    }
}

/// Returns the items of a list or tuple.
///
/// # Safety
/// It must be one.
unsafe fn items<'a>(object: *const u64) -> &'a [*mut u64] {
    // SAFETY: the caller's promise.
    unsafe {
        let items = object.add(ITEMS).cast::<*mut u64>();
        let is_list = object.add(TYPE).read() as usize == type_of(ExactType::List).addr();
        let items = if is_list { items.cast::<*const *mut u64>().read() } else { items };
        match object.add(LENGTH).read() as usize {
            0 => &[],
            len => std::slice::from_raw_parts(items, len),
        }
    }
}

/// Returns the value of an object.
///
/// # Safety
/// It must be one of these objects, and complete.
unsafe fn value(object: *const u64) -> Value {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(value) = held(object) {
            return value.clone();
        }
        let ty = object.add(TYPE).read() as usize;
        let values = || items(object).iter().map(|&item| value(item)).collect();
        match ExactType::ALL.into_iter().find(|&exact| ty == type_of(exact).addr()) {
            None if object.addr() == SHARED.none => Value::Null,
            None => Value::Bool(object.addr() == SHARED.yes),
            Some(ExactType::Int) => {
                let size = object.add(LENGTH).read() as i64;
                let digits = object.add(ITEMS).cast::<u32>();
                let digit = |n: u64| u64::from(*digits.add(n as usize)) << (u64::from(DIGIT) * n);
                let magnitude: u64 = (0..size.unsigned_abs()).map(digit).sum();
                Value::I64((magnitude as i64).wrapping_mul(size.signum()))
            }
            Some(ExactType::Float) => Value::F64(f64::from_bits(object.add(LENGTH).read())),
            Some(ExactType::Str) => {
                let len = object.add(LENGTH).read() as usize;
                let text = std::slice::from_raw_parts(object.add(TEXT).cast::<u8>(), len);
                Value::from(std::str::from_utf8(text).expect("strings are UTF-8 here"))
            }
            Some(ExactType::List) => Value::List(values()),
            _ => Value::Tuple(values()),
        }
    }
}
