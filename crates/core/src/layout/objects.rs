//! What the layout of CPython's objects, which `crates/py` defines, and the code that is compiled for it
//! must agree about.

use super::{ComponentsContext, LayoutKind};
use crate::schema::{Class, Logical};

/// The kind of the layout of CPython's objects. A source has an [`ObjectReaderContext`], and a sink has
/// an [`ObjectWriterContext`].
pub static OBJECTS: LayoutKind = LayoutKind::new("objects");

/// A type of CPython. The test is exact: instances of subclasses fail it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
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
    /// All types, in order.
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
}

/// A test whether an object has a class, and so belongs to a union's arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassTest {
    /// It has exactly this type.
    Type(ExactType),
    /// It is `True` or `False`.
    Bool,
    /// It is a tuple with this length.
    TupleOf(u32),
    /// It has this logical type.
    Logical(Logical),
    /// It is a record with the names in this table.
    Record(u32),
    /// It is a member of the enum in this table.
    Member(u32),
}

impl ClassTest {
    /// Returns the test for `class`.
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

/// The context of compiled code that reads the rows of a list or tuple.
#[derive(Debug)]
#[repr(C)]
pub struct ObjectReaderContext {
    /// The pointers to the rows. Compiled code reads no row beyond those it was asked to convert,
    /// unless `ahead` is not zero.
    pub rows: *const *const (),
    /// The number of rows, if they should be prefetched into the cache; zero otherwise.
    pub ahead: usize,
    /// The components of a value that was read.
    pub components: ComponentsContext,
    /// State of the functions that read.
    pub reading: *mut (),
    /// The number of elements or fields of the container that was viewed last.
    pub len: usize,
    /// Zero at the start of a row, when nothing is viewed yet.
    pub viewed: usize,
}

/// The context of compiled code that makes rows of objects.
#[derive(Debug)]
#[repr(C)]
pub struct ObjectWriterContext {
    /// The array for a run's rows. An unfinished row, or null, is in its place when the run ends
    /// before its last row.
    pub rows: *mut *mut (),
    /// The number of finished rows. Compiled code writes it before it returns.
    pub done: usize,
    /// For each string column: the entries of its dictionary, if it has one.
    pub dictionaries: *const *const *mut (),
    /// The components of a value that will be made.
    pub components: ComponentsContext,
    /// State of the functions that make objects.
    pub making: *mut (),
}
