//! The classes that distinguish the arms of a union.

use super::logical::Logical;

/// The property of a value that selects the arm of a union, without looking inside the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A 64-bit integer.
    I64,
    /// A 64-bit float.
    F64,
    /// A string.
    Str,
    /// A boolean.
    Bool,
    /// A value of several components.
    Logical(Logical),
    /// Any list.
    List,
    /// A tuple with this many fields, or with any number.
    Tuple(Option<u32>),
    /// Any set.
    Set,
    /// Any frozenset.
    FrozenSet,
    /// Any dict.
    Dict,
    /// A record with the names at this index in [`Tables::structs`](crate::plan::Tables::structs).
    Record(u32),
    /// A member of the enum at this index in [`Tables::enums`](crate::plan::Tables::enums).
    Enum(u32),
}
