//! CPython's objects, as whoever knows them describes them: where their fields are, and where the
//! types and the objects of which there is one each are in this process.

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
    /// Where things are in this process.
    pub addresses: Addresses,
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
    pub none: usize,
    pub yes: usize,
    pub no: usize,
}

pub(crate) const INT: &str = "serow_py_int";
pub(crate) const FLOAT: &str = "serow_py_float";
pub(crate) const STR: &str = "serow_py_str";
pub(crate) const LIST: &str = "serow_py_list";
pub(crate) const TUPLE: &str = "serow_py_tuple";
pub(crate) const NONE: &str = "serow_py_none";
pub(crate) const TRUE: &str = "serow_py_true";
pub(crate) const FALSE: &str = "serow_py_false";

impl Addresses {
    pub(crate) fn symbols(&self) -> Vec<Symbol> {
        vec![
            (INT, self.int),
            (FLOAT, self.float),
            (STR, self.str),
            (LIST, self.list),
            (TUPLE, self.tuple),
            (NONE, self.none),
            (TRUE, self.yes),
            (FALSE, self.no),
        ]
    }
}

/// The rows of a list or tuple, as compiled code reads them.
#[derive(Debug)]
#[repr(C)]
pub struct RowPlace {
    /// The pointers to the rows, of which no row beyond those that are asked for is read, unless
    /// `ahead` says so.
    pub rows: *const *const (),
    /// The number of rows if they are to be fetched into the cache ahead, or else zero.
    pub ahead: usize,
}
