//! CPython's objects, as whoever knows them describes them: where their fields are, and where the
//! types and the objects of which there is one each are in this process.

use serow_core::layout::ComponentsContext;
use serow_core::schema::Container;

use crate::symbols::Symbol;

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
    pub making: Making,
    /// Where things are in this process.
    pub addresses: Addresses,
}

/// What new objects have, besides the above. An object begins with its reference count, and then its
/// type.
#[derive(Clone, Debug)]
pub struct Making {
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

/// Addresses of this process's types and objects. Nothing else that differs between processes may
/// stand elsewhere in [`CPython`]: the rest of it is part of what an object is cached by.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "they are what they are called")]
pub struct Addresses {
    pub int: usize,
    pub float: usize,
    pub str: usize,
    pub list: usize,
    pub tuple: usize,
    pub set: usize,
    pub frozenset: usize,
    pub dict: usize,
    pub none: usize,
    pub yes: usize,
    pub no: usize,
    pub functions: Functions,
    /// A table of the ints that there is one object each of, from the smallest on.
    pub small_ints: usize,
}

/// Addresses of functions. They are called with the GIL held, give null where there is no memory,
/// without an error that is set, and don't unwind.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    /// `ptr(i64 size)`: memory of CPython's allocator of objects.
    pub malloc: usize,
    /// `ptr(i64 value)`: a new reference to an int.
    pub make_int: usize,
    /// `ptr(ptr bytes, i64 len)`: a new reference to a string of generalised UTF-8.
    pub make_str: usize,
    /// `ptr(i64 len)`: a new list that the garbage collector does not know, whose items are null.
    pub make_list: usize,
    /// `ptr(i64 len)`: such a tuple.
    pub make_tuple: usize,
    /// `ptr(i64 len)`: such a tuple, with room for a word behind the items.
    pub make_items: usize,
    /// `void(ptr container)`: make it known to the garbage collector.
    pub track: usize,
    /// `i8(ptr object, i64 type)`: whether an object is of a type that is made of parts.
    pub is_logical: usize,
    /// `i8(ptr reader_context, ptr object, i64 type)`: whether it is, and then its parts are put into the
    /// [`ObjectReaderContext`].
    pub read_logical: usize,
    /// `ptr(ptr writer_context, i64 type, i64 column)`: a new reference to an object of the parts in the
    /// [`ObjectWriterContext`], of which the bytes are in this column; also null where they are those of no
    /// object.
    pub make_logical: usize,
    /// `ptr(ptr reader_context, ptr object, i32 container)`: the items of an object that is this container, as
    /// [`container`] tells it, of which the number is put into the [`ObjectReaderContext`]; null if it is none. Those
    /// of a map are its keys, each with its value after it. Those of a dict with fixed keys are in the
    /// plan's order, null where one is missing that may be. They stay there until the row ends.
    pub view: usize,
    /// `i8(ptr reader_context, ptr object, i32 table)`: whether an object is a record of these names.
    pub is_record: usize,
    /// `i64(ptr reader_context, ptr object, i32 table)`: the index of a member of this enum, or [`NO_MEMBER`].
    pub member_of: usize,
    /// `ptr(ptr writer_context, ptr tuple, i32 container, i32 acyclic)`: a new reference to a container of the
    /// items of a tuple, as `view` has them, whose only reference is taken; also null where there is no such
    /// container. A tuple of fields has room for a word behind them. The last says whether no item is a
    /// container itself.
    pub build: usize,
    /// `ptr(ptr writer_context, i64 index, i32 table)`: a new reference to this member of the enum; also
    /// null where Python has no such enum.
    pub make_member: usize,
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

pub(crate) const INT: &str = "serow_py_int";
pub(crate) const FLOAT: &str = "serow_py_float";
pub(crate) const STR: &str = "serow_py_str";
pub(crate) const LIST: &str = "serow_py_list";
pub(crate) const TUPLE: &str = "serow_py_tuple";
pub(crate) const SET: &str = "serow_py_set";
pub(crate) const FROZENSET: &str = "serow_py_frozenset";
pub(crate) const DICT: &str = "serow_py_dict";
pub(crate) const NONE: &str = "serow_py_none";
pub(crate) const TRUE: &str = "serow_py_true";
pub(crate) const FALSE: &str = "serow_py_false";
pub(crate) const SMALL_INTS: &str = "serow_py_small_ints";
pub(crate) const MALLOC: &str = "serow_py_malloc";
pub(crate) const MAKE_INT: &str = "serow_py_make_int";
pub(crate) const MAKE_STR: &str = "serow_py_make_str";
pub(crate) const MAKE_LIST: &str = "serow_py_make_list";
pub(crate) const MAKE_TUPLE: &str = "serow_py_make_tuple";
pub(crate) const MAKE_ITEMS: &str = "serow_py_make_items";
pub(crate) const TRACK: &str = "serow_py_track";
pub(crate) const IS_LOGICAL: &str = "serow_py_is_logical";
pub(crate) const READ_LOGICAL: &str = "serow_py_read_logical";
pub(crate) const MAKE_LOGICAL: &str = "serow_py_make_logical";
pub(crate) const VIEW: &str = "serow_py_view";
pub(crate) const IS_RECORD: &str = "serow_py_is_record";
pub(crate) const MEMBER_OF: &str = "serow_py_member_of";
pub(crate) const BUILD: &str = "serow_py_build";
pub(crate) const MAKE_MEMBER: &str = "serow_py_make_member";

impl Addresses {
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        vec![
            (INT, self.int),
            (FLOAT, self.float),
            (STR, self.str),
            (LIST, self.list),
            (TUPLE, self.tuple),
            (SET, self.set),
            (FROZENSET, self.frozenset),
            (DICT, self.dict),
            (NONE, self.none),
            (TRUE, self.yes),
            (FALSE, self.no),
            (SMALL_INTS, self.small_ints),
            (MALLOC, self.functions.malloc),
            (MAKE_INT, self.functions.make_int),
            (MAKE_STR, self.functions.make_str),
            (MAKE_LIST, self.functions.make_list),
            (MAKE_TUPLE, self.functions.make_tuple),
            (MAKE_ITEMS, self.functions.make_items),
            (TRACK, self.functions.track),
            (IS_LOGICAL, self.functions.is_logical),
            (READ_LOGICAL, self.functions.read_logical),
            (MAKE_LOGICAL, self.functions.make_logical),
            (VIEW, self.functions.view),
            (IS_RECORD, self.functions.is_record),
            (MEMBER_OF, self.functions.member_of),
            (BUILD, self.functions.build),
            (MAKE_MEMBER, self.functions.make_member),
        ]
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
