//! Compiled code that can be called.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serow_core::layout::LayoutKind;
use serow_core::program;

use crate::debug_info::{DebugInfo, Registration};
use crate::engine::Engine;
use crate::key::Key;
use crate::llvm_gate;
use crate::orc::LinkedCode;

/// A plan that is compiled for a pair of layouts. Several threads may call it at once. Dropping it
/// frees its code.
pub struct Compiled {
    /// Always set, except in `drop`.
    code: Option<LinkedCode>,
    /// The registration with debuggers. Always kept until `drop`.
    known: Option<Registration>,
    address: *const (),
    engine: &'static Engine,
    key: Arc<Key>,
    kinds: (LayoutKind, LayoutKind),
    bytes: usize,
    origin: CodeOrigin,
    time: Duration,
}

/// The origin of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOrigin {
    /// It was compiled by this process.
    Compiled,
    /// It was found in the object cache.
    Cache,
}

// SAFETY: the address is only read, and the code lives as long as this value.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

/// The type of the function that [`crate::emit`] emits.
type Convert =
    unsafe extern "C" fn(source: *mut (), sink: *mut (), from: usize, to: usize) -> usize;

impl Compiled {
    pub(crate) fn new(
        engine: &'static Engine,
        key: Arc<Key>,
        code: LinkedCode,
        names: Option<DebugInfo>,
        kinds: (LayoutKind, LayoutKind),
        bytes: usize,
        (origin, time): (CodeOrigin, Duration),
    ) -> Compiled {
        let address = code.address();
        let known = names.and_then(|names| names.publish(address));
        Compiled { code: Some(code), known, address, engine, key, kinds, bytes, origin, time }
    }

    /// Returns the kinds of its source and its sink.
    pub fn kinds(&self) -> (LayoutKind, LayoutKind) {
        self.kinds
    }

    /// Returns its origin.
    pub fn origin(&self) -> CodeOrigin {
        self.origin
    }

    /// Returns the time from the plan to callable code. The first time in a process is longer,
    /// because it includes setting up LLVM.
    pub fn compile_time(&self) -> Duration {
        self.time
    }

    /// Returns the name of its function, as debuggers show it.
    pub fn symbol(&self) -> &str {
        self.key.symbol()
    }
}

impl program::Code for Compiled {
    #[inline]
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
        // SAFETY: the symbol was emitted with this signature, and its code lives as long as `self`.
        let convert: Convert = unsafe { std::mem::transmute(self.address) };
        // SAFETY: the caller passes the contexts that the code was emitted for.
        unsafe { convert(source, sink, from, to) }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let Some(code) = self.code.take() else { return };
        let known = self.known.take();
        // A forked child does not own the engine, and a lost thread may hold its locks. At exit
        // LLVM may be gone. In both cases the code is leaked.
        let inside = (!code.is_inherited()).then(llvm_gate::enter);
        if let Some(Ok(_inside)) = inside {
            drop(known);
            drop(code);
            self.engine.forget(&self.key);
            crate::log::line(format_args!("freed {}", self.key.symbol()));
        } else {
            std::mem::forget((known, code));
        }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled")
            .field("symbol", &self.symbol())
            .field("bytes", &self.bytes)
            .field("origin", &self.origin)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
