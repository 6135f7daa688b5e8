//! Code that can be called.

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

/// A plan, compiled for a pair of layouts. It may be called from many threads at once; its code is
/// freed with it.
pub struct Compiled {
    /// Only `drop` takes it.
    code: Option<LinkedCode>,
    /// Keeps debuggers told of it. Only `drop` takes it.
    known: Option<Registration>,
    address: *const (),
    engine: &'static Engine,
    key: Arc<Key>,
    kinds: (LayoutKind, LayoutKind),
    bytes: usize,
    origin: CodeOrigin,
    time: Duration,
}

/// Where code came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOrigin {
    /// It was compiled.
    Compiled,
    /// It was found in the object cache.
    Cache,
}

// SAFETY: the address is only read, and the code lives as long as this.
unsafe impl Send for Compiled {}
// SAFETY: as above.
unsafe impl Sync for Compiled {}

/// What [`crate::emit`] gives its function.
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

    /// The source and the sink that it is for.
    pub fn kinds(&self) -> (LayoutKind, LayoutKind) {
        self.kinds
    }

    /// Whether it was compiled or found.
    pub fn origin(&self) -> CodeOrigin {
        self.origin
    }

    /// How long it took from the plan to code that can be called. The first in a process takes
    /// longer, as it sets LLVM up.
    pub fn compile_time(&self) -> Duration {
        self.time
    }

    /// The name of its function, by which debuggers know it.
    pub fn symbol(&self) -> &str {
        self.key.symbol()
    }
}

impl program::Code for Compiled {
    #[inline]
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
        // SAFETY: the symbol was emitted with this signature, and its code lives as long as self.
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
        // In a child by fork the engine is the parent's, and its locks may be held by nobody. At exit
        // LLVM may be gone. Either way the code is left where it is.
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
