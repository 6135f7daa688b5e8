//! The largest size of each scalar in the row wire, without the bytes of a string. Lowering sums
//! these to the bound of a row. A writer reserves the bound and then writes scalars without checks.

use crate::bytes::varint;

/// An integer, the length of a sequence, the tag of a union: a varint.
pub(crate) const INT: usize = varint::MAX_LEN;
/// A float.
pub(crate) const FLOAT: usize = 8;
/// The length of a string: a varint.
pub(crate) const STR: usize = varint::MAX_LEN;
/// A boolean, or the presence of a value.
pub(crate) const BIT: usize = 1;
