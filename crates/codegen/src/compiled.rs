//! Code that can be called.

use std::fmt;
use std::time::Duration;

use serow_core::compiled::{self, Form};

use crate::orc::Code;

/// A plan, compiled for a pair of layouts. It may be called from many threads at once; its code is
/// freed with it.
pub struct Compiled {
    code: Code,
    forms: (Form, Form),
    time: Duration,
}

/// What [`crate::emit`] gives its function.
type Convert =
    unsafe extern "C" fn(source: *mut (), sink: *mut (), from: usize, to: usize) -> usize;

impl Compiled {
    pub(crate) fn new(code: Code, forms: (Form, Form), time: Duration) -> Compiled {
        Compiled { code, forms, time }
    }

    /// The source and the sink that it is for.
    pub fn forms(&self) -> (Form, Form) {
        self.forms
    }

    /// How long it took from the plan to code that can be called. The first in a process takes
    /// longer, as it sets LLVM up.
    pub fn compile_time(&self) -> Duration {
        self.time
    }
}

impl compiled::Code for Compiled {
    #[inline]
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
        // SAFETY: the symbol was emitted with this signature, and its code lives as long as self.
        let convert: Convert = unsafe { std::mem::transmute(self.code.address()) };
        // SAFETY: the caller lends what the code was emitted for.
        unsafe { convert(source, sink, from, to) }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("forms", &self.forms)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
