//! How one arm of a union is told from the others.

use super::logical::Logical;

/// What tells an arm of a union from the others, by one look at a value.
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
    /// A value that is made of parts.
    Logical(Logical),
    /// Any list.
    List,
    /// A tuple of this many fields, or of any number.
    Tuple(Option<u32>),
    /// Any set.
    Set,
    /// Any frozenset.
    FrozenSet,
    /// Any dict.
    Dict,
    /// A record with the names of this index in [`Tables::structs`](crate::plan::Tables::structs).
    Record(u32),
    /// A member of the enum of this index in [`Tables::enums`](crate::plan::Tables::enums).
    Enum(u32),
}
