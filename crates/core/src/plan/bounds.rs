//! The most bytes that a scalar takes in the row wire, without the bytes of a string. Lowering sums
//! these to the bound of a row, which a writer reserves; after that it writes scalars without a
//! check.

use crate::bytes::varint;

/// An integer, the length of a sequence, the tag of a union: a varint.
pub(crate) const INT: usize = varint::MAX_LEN;
/// A float.
pub(crate) const FLOAT: usize = 8;
/// The length of a string: a varint.
pub(crate) const STR: usize = varint::MAX_LEN;
/// A boolean, or whether a value is present.
pub(crate) const BIT: usize = 1;
