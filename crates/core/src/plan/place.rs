//! Which value an instruction is for, for error messages.

use super::{Plan, lower};
use crate::path::Path;
use crate::schema::Type;

/// A place in a plan's type: how to get there, and the type that stands there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The steps that lead there.
    pub path: Path,
    /// The type that is expected there.
    pub expected: Type,
}

impl Plan {
    /// The place of instruction `at` (of its `nth` field, where it is a run), when the sequences
    /// around it stand at `elements`, from outside in.
    ///
    /// The schema is lowered again, which is slow and needs no memory in plans.
    pub fn place(&self, at: usize, nth: usize, elements: &[usize]) -> Place {
        lower::place(self, at, nth, elements)
    }
}
