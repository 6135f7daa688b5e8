//! The place of the value that an instruction is for, for error messages.

use super::{Plan, lower};
use crate::path::Path;
use crate::schema::Type;

/// A place in a plan's type: its path and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypePath {
    /// The path of the place.
    pub path: Path,
    /// The expected type.
    pub expected: Type,
}

impl Plan {
    /// Returns the place of instruction `at`, and of its field `nth` if it is a run of fields.
    /// `elements` are the indices of the current elements in the sequences around it, outermost
    /// first.
    ///
    /// This lowers the schema again. That is slow, but plans need no memory for places.
    pub fn place(&self, at: usize, nth: usize, elements: &[usize]) -> TypePath {
        lower::place(self, at, nth, elements)
    }

    /// Describes the value that instruction `at` refuses and says how to read it, if that instruction is an
    /// [`Op::OtherArm`](super::Op::OtherArm). Like [`Plan::place`], this is slow.
    pub fn refused_arm(&self, at: usize) -> Option<String> {
        lower::refused_arm(self, at)
    }
}
