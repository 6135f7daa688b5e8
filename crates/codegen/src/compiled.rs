//! Code that can be called.

use std::fmt;
use std::time::Duration;

use crate::orc::Code;

/// A compiled plan. It may be called from many threads at once; its code is freed with it.
pub struct Compiled {
    code: Code,
    ir: String,
    time: Duration,
}

/// What [`crate::emit`] gives its function: from flat rows to one staged int column.
type Convert = unsafe extern "C" fn(slots: *const i64, rows: usize, column: *mut i64) -> usize;

impl Compiled {
    pub(crate) fn new(code: Code, ir: String, time: Duration) -> Compiled {
        Compiled { code, ir, time }
    }

    /// Reads the flat rows in `slots`, appends their values to `column`, and returns how many
    /// rows it has converted.
    pub fn run(&self, slots: &[i64], column: &mut Vec<i64>) -> usize {
        // A plan that compiles takes one slot a row.
        let rows = slots.len();
        column.reserve(rows);
        // SAFETY: the symbol was emitted with this signature, and its code lives as long as self.
        let convert: Convert = unsafe { std::mem::transmute(self.code.address()) };
        let room = column.spare_capacity_mut().as_mut_ptr().cast::<i64>();
        // SAFETY: the code reads `rows` slots and writes as many values, for which there is room;
        // the two cannot overlap, as one is borrowed mutably.
        let done = unsafe { convert(slots.as_ptr(), rows, room) }.min(rows);
        // SAFETY: the code has written as many values as it says, and there was room for them.
        unsafe { column.set_len(column.len() + done) };
        done
    }

    /// The LLVM IR that the code was made of.
    pub fn ir(&self) -> &str {
        &self.ir
    }

    /// How long it took from the plan to code that can be called. The first in a process takes
    /// longer, as it sets LLVM up.
    pub fn compile_time(&self) -> Duration {
        self.time
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("time", &self.time).finish_non_exhaustive()
    }
}
