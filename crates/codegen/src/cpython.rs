//! CPython's objects, as whoever knows them describes them: where their fields are, and where the
//! types and the objects of which there is one each are in this process.

use std::ffi::c_void;

use serow_core::layout::ComponentsContext;
use serow_core::schema::Class;
use serow_core::schema::{Container, Logical};

use crate::helper::{Symbol, provided_helpers};

/// Offsets are in bytes from the beginning of an object.
#[derive(Clone, Debug)]
pub struct CPython {
    /// Where every object's type is.
    pub ty: u64,
    /// A tuple's, a list's and a string's length; an integer's sign and size; a float's value.
    pub length: u64,
    /// A tuple's items.
    pub tuple_items: u64,
    /// A list's pointer to its items.
    pub list_items: u64,
    /// An integer's digits, of 30 bits each.
    pub int_digits: u64,
    /// Integers have a tag of sign and number of digits, and not a signed number of digits.
    pub tagged_ints: bool,
    /// A string's 32 bits of kind and flags.
    pub str_state: u64,
    /// The flags that a string has whose text is ASCII and stands in the object.
    pub ascii: u32,
    /// Where that text begins.
    pub ascii_text: u64,
    /// How objects are made.
    pub making: NewObjects,
    /// Where things are in this process.
    pub addresses: Addresses,
}

impl CPython {
    /// Everything that compiled code depends on: all but the addresses.
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

/// What new objects have, besides the above. An object begins with its reference count, and then its
/// type.
#[derive(Clone, Debug)]
pub struct NewObjects {
    /// Reference counts of all ones in the lower half are never changed.
    pub immortal: bool,
    /// What the garbage collector keeps before a container, as words of zero: their number.
    pub gc_words: u64,
    /// The ints that there is one object each of: the smallest, and how many there are.
    pub smallest_int: i64,
    /// See above.
    pub small_ints: u64,
    /// Where a string's hash is, which is -1 while it is not known.
    pub str_hash: u64,
    /// All flags of an ASCII string that nothing else is known of.
    pub ascii_state: u32,
    /// Strings have an address after their flags, which is null.
    pub wide_text: bool,
}

/// A type of CPython. The test for it is exact: an instance of a subclass fails it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum ExactType {
    Int,
    Float,
    Str,
    List,
    Tuple,
    Set,
    FrozenSet,
    Dict,
}

impl ExactType {
    /// All of them, in order.
    pub const ALL: [ExactType; 8] = [
        ExactType::Int,
        ExactType::Float,
        ExactType::Str,
        ExactType::List,
        ExactType::Tuple,
        ExactType::Set,
        ExactType::FrozenSet,
        ExactType::Dict,
    ];

    pub(crate) fn symbol(self) -> &'static str {
        match self {
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
}

/// How an object is seen to be of a class, and so of a union's arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassTest {
    /// It has this type.
    Type(ExactType),
    /// It is `True` or `False`.
    Bool,
    /// It is a tuple of this length.
    TupleOf(u32),
    /// It is of this logical type.
    Logical(Logical),
    /// It is a record with the names of this table.
    Record(u32),
    /// It is a member of the enum of this table.
    Member(u32),
}

impl ClassTest {
    /// The test for `class`.
    #[inline]
    pub fn of(class: Class) -> ClassTest {
        match class {
            Class::I64 | Class::Logical(Logical::Int) => ClassTest::Type(ExactType::Int),
            Class::F64 => ClassTest::Type(ExactType::Float),
            Class::Str => ClassTest::Type(ExactType::Str),
            Class::List => ClassTest::Type(ExactType::List),
            Class::Tuple(None) => ClassTest::Type(ExactType::Tuple),
            Class::Tuple(Some(len)) => ClassTest::TupleOf(len),
            Class::Set => ClassTest::Type(ExactType::Set),
            Class::FrozenSet => ClassTest::Type(ExactType::FrozenSet),
            Class::Dict => ClassTest::Type(ExactType::Dict),
            Class::Bool => ClassTest::Bool,
            Class::Logical(ty) => ClassTest::Logical(ty),
            Class::Record(table) => ClassTest::Record(table),
            Class::Enum(table) => ClassTest::Member(table),
        }
    }
}

/// Addresses of this process's types, objects and functions. Everything that differs between
/// processes must be here: the rest of [`CPython`] is part of the key of a cached object.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "they are what they are called")]
pub struct Addresses {
    /// In the order of [`ExactType::ALL`].
    pub types: [usize; ExactType::ALL.len()],
    pub none: usize,
    pub yes: usize,
    pub no: usize,
    pub functions: Functions,
    /// A table of the ints that there is one object each of, from the smallest on.
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
    /// don't unwind. Those that return an object return null if there is no memory, without setting
    /// an error.
    pub struct Functions, handles functions;

    /// Memory of CPython's allocator of objects.
    malloc, MALLOC = "serow_py_malloc": fn(size: usize) -> *mut c_void;
    /// A new reference to an int.
    make_int, MAKE_INT = "serow_py_make_int": fn(value: i64) -> *mut Object;
    /// A new reference to a string of generalised UTF-8.
    make_str, MAKE_STR = "serow_py_make_str": fn(bytes: *const u8, len: usize) -> *mut Object;
    /// A new list that the garbage collector does not know, whose items are null.
    make_list, MAKE_LIST = "serow_py_make_list": fn(len: usize) -> *mut Object;
    /// Such a tuple.
    make_tuple, MAKE_TUPLE = "serow_py_make_tuple": fn(len: usize) -> *mut Object;
    /// Such a tuple, with space for a word after its items.
    make_items, MAKE_ITEMS = "serow_py_make_items": fn(len: usize) -> *mut Object;
    /// Makes a container known to the garbage collector.
    track, TRACK = "serow_py_track": fn(container: *mut Object);
    /// Whether an object is of this logical type.
    is_logical, IS_LOGICAL = "serow_py_is_logical": fn(object: *mut Object, ty: usize) -> u8;
    /// Whether an object is of this logical type; if it is, its components are written into the
    /// context.
    read_logical, READ_LOGICAL = "serow_py_read_logical":
        fn(context: *mut ObjectReaderContext, object: *mut Object, ty: usize) -> u8;
    /// A new reference to an object of the components in the context, whose bytes are of this
    /// column. Also null if there is no such object.
    make_logical, MAKE_LOGICAL = "serow_py_make_logical":
        fn(context: *mut ObjectWriterContext, ty: usize, column: usize) -> *mut Object;
    /// The items of an object that is this container (see [`container`]), whose number is written
    /// into the context; null if the object is another. A map's items are its keys, each followed
    /// by its value. The items of a dict with fixed keys are in the plan's order, null where an
    /// optional one is missing. They stay in place until the row ends.
    view, VIEW = "serow_py_view":
        fn(context: *mut ObjectReaderContext, object: *mut Object, container: u32) -> *mut *mut Object;
    /// Whether an object is a record with the names of this table.
    is_record, IS_RECORD = "serow_py_is_record":
        fn(context: *mut ObjectReaderContext, object: *mut Object, table: u32) -> u8;
    /// The index of a member of this enum, or [`NO_MEMBER`].
    member_of, MEMBER_OF = "serow_py_member_of":
        fn(context: *mut ObjectReaderContext, object: *mut Object, table: u32) -> i64;
    /// A new reference to a container of the items of a tuple, as `view` has them. It takes the
    /// only reference to the tuple. A tuple of fields has space for a word after them. `acyclic`
    /// says that no item is a container. Also null if there is no such container.
    build, BUILD = "serow_py_build":
        fn(context: *mut ObjectWriterContext, tuple: *mut Object, container: u32, acyclic: u32)
        -> *mut Object;
    /// A new reference to this member of the enum. Also null if Python has no such enum.
    make_member, MAKE_MEMBER = "serow_py_make_member":
        fn(context: *mut ObjectWriterContext, index: i64, table: u32) -> *mut Object;
}

/// What [`Functions::member_of`] says of what is no member.
pub const NO_MEMBER: i64 = -1;

/// The containers that functions are told, but for structs: those are told as their table, after these.
const TOLD: [Container; 3] = [Container::Set, Container::FrozenSet, Container::Map];

/// The container that a function is told as `number`.
pub fn container(number: u32) -> Container {
    match TOLD.get(number as usize) {
        Some(&container) => container,
        None => Container::Struct(number - TOLD.len() as u32),
    }
}

/// How a function is told a container that is no list or tuple.
pub(crate) fn number(container: Container) -> u32 {
    match container {
        Container::Struct(table) => table + TOLD.len() as u32,
        other => TOLD.iter().position(|&told| told == other).unwrap_or_default() as u32,
    }
}

pub(crate) const NONE: &str = "serow_py_none";
pub(crate) const TRUE: &str = "serow_py_true";
pub(crate) const FALSE: &str = "serow_py_false";
pub(crate) const SMALL_INTS: &str = "serow_py_small_ints";
impl Addresses {
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = self.functions.symbols();
        symbols.extend(ExactType::ALL.map(|ty| (ty.symbol(), self.types[ty as usize])));
        symbols.extend([
            (NONE, self.none),
            (TRUE, self.yes),
            (FALSE, self.no),
            (SMALL_INTS, self.small_ints),
        ]);
        symbols
    }
}

/// What compiled code gets of the rows of a list or tuple.
#[derive(Debug)]
#[repr(C)]
pub struct ObjectReaderContext {
    /// The pointers to the rows, of which no row beyond those that are asked for is read, unless
    /// `ahead` says so.
    pub rows: *const *const (),
    /// The number of rows if they are to be fetched into the cache ahead, or else zero.
    pub ahead: usize,
    /// The parts of a value that was read.
    pub parts: ComponentsContext,
    /// What functions that read keep from value to value.
    pub reading: *mut (),
    /// The number of elements or fields of a container that was viewed.
    pub len: usize,
    /// Zero when a row begins, in which nothing was viewed yet.
    pub viewed: usize,
}

/// What compiled code gets to make rows of objects.
#[derive(Debug)]
#[repr(C)]
pub struct ObjectWriterContext {
    /// The places for a run's rows. The row that is being made, or was when the run ended before its
    /// last row, stands in its place half made, or null is there.
    pub rows: *mut *mut (),
    /// The number of rows made, which compiled code writes before it returns.
    pub done: usize,
    /// For each column of strings that has a dictionary, its entries.
    pub dictionaries: *const *const *mut (),
    /// The parts of a value that is to be made.
    pub parts: ComponentsContext,
    /// What functions that make objects keep from value to value.
    pub making: *mut (),
    /// Zero when a row begins, in which nothing was built yet.
    pub built: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_what_functions_are_told() {
        let structs = [Container::Struct(0), Container::Struct(7)];
        for told in TOLD.into_iter().chain(structs) {
            assert_eq!(container(number(told)), told);
        }
    }
}
