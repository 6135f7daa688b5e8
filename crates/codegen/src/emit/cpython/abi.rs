//! The description of CPython's objects: the offsets of their fields, and the addresses of types
//! and singletons in this process. `crates/py` provides it.

use std::ffi::c_void;

use serow_core::layout::objects::{ExactType, ObjectReaderContext, ObjectWriterContext};
use serow_core::schema::{Container, Logical, Scalar};

use crate::ir::{Symbol, provided_helpers};

/// Offsets are in bytes from the start of an object.
#[derive(Clone, Debug)]
pub struct CPython {
    /// The type of every object.
    pub ty: u64,
    /// The length of a tuple, list or string; the sign and size of an integer; the value of a
    /// float.
    pub length: u64,
    /// The items of a tuple.
    pub tuple_items: u64,
    /// The pointer of a list to its items.
    pub list_items: u64,
    /// The digits of an integer, 30 bits each.
    pub int_digits: u64,
    /// Whether integers have a tag with the sign and the number of digits, instead of a signed
    /// number of digits.
    pub tagged_ints: bool,
    /// The 32 bits of kind and flags of a string.
    pub str_state: u64,
    /// The flags of a string whose text is ASCII and inside the object.
    pub ascii: u32,
    /// The start of that text.
    pub ascii_text: u64,
    /// The layout of new objects.
    pub making: NewObjects,
    /// The addresses in this process.
    pub addresses: Addresses,
}

impl CPython {
    /// Returns everything that compiled code depends on: all but the addresses.
    pub(crate) fn key(&self) -> String {
        let CPython {
            ty,
            length,
            tuple_items,
            list_items,
            int_digits,
            tagged_ints,
            str_state,
            ascii,
            ascii_text,
            making,
            addresses: _,
        } = self;
        let offsets = [ty, length, tuple_items, list_items, int_digits, str_state, ascii_text];
        format!("CPython {offsets:?} {tagged_ints} {ascii} {making:?}")
    }
}

/// The properties of new objects beyond those above. An object begins with its reference count,
/// followed by its type.
#[derive(Clone, Debug)]
pub struct NewObjects {
    /// Whether reference counts whose lower half has the sign bit never change.
    pub immortal: bool,
    /// The number of zero words before a container, for the garbage collector.
    pub gc_words: u64,
    /// The smallest int that is a singleton.
    pub smallest_int: i64,
    /// The number of ints that are singletons.
    pub small_ints: u64,
    /// The hash of a tuple, if tuples have one. It is -1 until it is computed.
    pub tuple_hash: Option<u64>,
    /// The hash of a string. It is -1 until it is computed.
    pub str_hash: u64,
    /// All flags of a new ASCII string.
    pub ascii_state: u32,
    /// Whether strings have a pointer after their flags, which is null for ASCII.
    pub wide_text: bool,
}

/// Addresses of this process's types, objects and functions. Everything that differs between
/// processes must be here, because the rest of [`CPython`] is part of the key of a cached object.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Addresses {
    /// In the order of [`ExactType::ALL`].
    pub types: [usize; ExactType::ALL.len()],
    pub none: usize,
    pub yes: usize,
    pub no: usize,
    pub functions: Functions,
    /// A table of the ints that are singletons, from the smallest.
    pub small_ints: usize,
}

/// An object of CPython.
#[repr(C)]
#[derive(Debug)]
pub struct Object {
    _opaque: [u8; 0],
}

provided_helpers! {
    /// Functions that make and inspect objects. Compiled code calls them with the GIL held. They
    /// don't unwind. Functions that return an object return null if there is no memory, without
    /// setting an error.
    pub struct Functions, handles functions;

    /// Memory from CPython's object allocator.
    malloc, MALLOC = "serow_py_malloc": fn(size: usize) -> *mut c_void;
    /// Returns a new reference to an int.
    make_int, MAKE_INT = "serow_py_make_int": fn(value: i64) -> *mut Object;
    /// Returns a new reference to a string of generalised UTF-8.
    make_str, MAKE_STR = "serow_py_make_str": fn(bytes: *const u8, len: usize) -> *mut Object;
    /// Returns a new list that the garbage collector does not know yet. Its items are null.
    make_list, MAKE_LIST = "serow_py_make_list": fn(len: usize) -> *mut Object;
    /// Returns a new tuple that the garbage collector does not know yet. Its items are null.
    make_tuple, MAKE_TUPLE = "serow_py_make_tuple": fn(len: usize) -> *mut Object;
    /// Like `make_tuple`, with space for a word after the items.
    make_items, MAKE_ITEMS = "serow_py_make_items": fn(len: usize) -> *mut Object;
    /// Registers a container with the garbage collector.
    track, TRACK = "serow_py_track": fn(container: *mut Object);
    /// Returns whether an object has this logical type.
    is_logical, IS_LOGICAL = "serow_py_is_logical": fn(object: *mut Object, ty: usize) -> u8;
    /// Returns whether an object has this logical type. If so, writes its components into the
    /// context.
    read_logical, READ_LOGICAL = "serow_py_read_logical":
        fn(context: *mut ObjectReaderContext, object: *mut Object, ty: usize) -> u8;
    /// Returns whether an object of another library's class, such as a number of NumPy, stands for a value of
    /// this type (see [`scalar`]), or an object of Python's class is of this logical type. If so, writes the
    /// value into the context: the components of a logical type, the text of a string, or else the first int,
    /// which holds a boolean or the bits of a float too.
    read_scalar, READ_SCALAR = "serow_py_read_scalar":
        fn(context: *mut ObjectReaderContext, object: *mut Object, ty: usize) -> u8;
    /// Returns a new reference to an object made of the components in the context. Their bytes
    /// belong to this column. Also null if there is no such object.
    make_logical, MAKE_LOGICAL = "serow_py_make_logical":
        fn(context: *mut ObjectWriterContext, ty: usize, column: usize) -> *mut Object;
    /// Returns the items of an object that is this container (see [`container`]) and writes their
    /// number into the context. Returns null for other objects. A map's items are its keys, each
    /// followed by its value. The items of a dict with fixed keys are in the plan's order, with
    /// null for a missing field. They are valid until the row ends.
    view, VIEW = "serow_py_view":
        fn(context: *mut ObjectReaderContext, object: *mut Object, container: u32) -> *mut *mut Object;
    /// Returns whether an object is a record with the names in this table.
    is_record, IS_RECORD = "serow_py_is_record":
        fn(context: *mut ObjectReaderContext, object: *mut Object, table: u32) -> u8;
    /// Returns the index of a member of this enum, or [`NO_MEMBER`].
    member_of, MEMBER_OF = "serow_py_member_of":
        fn(context: *mut ObjectReaderContext, object: *mut Object, table: u32) -> i64;
    /// Returns a new reference to a container made of the items of a tuple, which are in the form
    /// that `view` returns. Takes over the only reference to the tuple. A tuple of fields has space
    /// for a word after them. `acyclic` says that no item is a container. Also null if there is no
    /// such container.
    build, BUILD = "serow_py_build":
        fn(context: *mut ObjectWriterContext, tuple: *mut Object, container: u32, acyclic: u32)
        -> *mut Object;
    /// Returns a new reference to this member of the enum. Also null if Python has no such enum.
    make_member, MAKE_MEMBER = "serow_py_make_member":
        fn(context: *mut ObjectWriterContext, index: i64, table: u32) -> *mut Object;
}

/// The result of [`Functions::member_of`] for an object that is not a member.
pub const NO_MEMBER: i64 = -1;

/// The containers that have fixed numbers in calls of these functions. Structs have the numbers
/// after them, by table.
const TOLD: [Container; 3] = [Container::Set, Container::FrozenSet, Container::Map];

/// Returns the container with this number.
pub fn container(number: u32) -> Container {
    match TOLD.get(number as usize) {
        Some(&container) => container,
        None => Container::Struct(number - TOLD.len() as u32),
    }
}

/// Returns the number of a container that is not a list or tuple.
pub(crate) fn number(container: Container) -> u32 {
    match container {
        Container::Struct(table) => table + TOLD.len() as u32,
        other => TOLD.iter().position(|&told| told == other).unwrap_or_default() as u32,
    }
}

/// The scalar types that have fixed numbers in calls of [`Functions::read_scalar`]. Logical types have the numbers
/// after them.
const SCALARS: [Scalar; 4] = [Scalar::Bool, Scalar::I64, Scalar::F64, Scalar::Str];

/// Returns the scalar type with this number.
pub fn scalar(number: usize) -> Option<Scalar> {
    let logical = |number| Some(Scalar::Logical(*Logical::ALL.get(number)?));
    match SCALARS.get(number) {
        Some(&scalar) => Some(scalar),
        None => logical(number - SCALARS.len()),
    }
}

/// Returns the number of a scalar type other than null.
pub(crate) fn scalar_number(ty: Scalar) -> usize {
    match ty {
        Scalar::Logical(ty) => SCALARS.len() + ty as usize,
        other => SCALARS.iter().position(|&told| told == other).unwrap_or_default(),
    }
}

pub(crate) const NONE: &str = "serow_py_none";
pub(crate) const TRUE: &str = "serow_py_true";
pub(crate) const FALSE: &str = "serow_py_false";
pub(crate) const SMALL_INTS: &str = "serow_py_small_ints";

/// Returns the name of a type in emitted code.
pub(crate) fn symbol(ty: ExactType) -> &'static str {
    match ty {
        ExactType::Int => "serow_py_int",
        ExactType::Float => "serow_py_float",
        ExactType::Str => "serow_py_str",
        ExactType::List => "serow_py_list",
        ExactType::Tuple => "serow_py_tuple",
        ExactType::Set => "serow_py_set",
        ExactType::FrozenSet => "serow_py_frozenset",
        ExactType::Dict => "serow_py_dict",
    }
}

impl Addresses {
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = self.functions.symbols();
        symbols.extend(ExactType::ALL.map(|ty| (symbol(ty), self.types[ty as usize])));
        symbols.extend([
            (NONE, self.none),
            (TRUE, self.yes),
            (FALSE, self.no),
            (SMALL_INTS, self.small_ints),
        ]);
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_container_has_its_own_number() {
        let structs = [Container::Struct(0), Container::Struct(7)];
        for told in TOLD.into_iter().chain(structs) {
            assert_eq!(container(number(told)), told);
        }
    }

    #[test]
    fn every_scalar_has_its_own_number() {
        let logical = Logical::ALL.map(Scalar::Logical);
        for told in SCALARS.into_iter().chain(logical) {
            assert_eq!(scalar(scalar_number(told)), Some(told));
        }
        assert_eq!(scalar(SCALARS.len() + Logical::ALL.len()), None);
    }
}
