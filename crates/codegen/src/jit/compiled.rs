//! Compiled code that can be called, and the index of the code of this process.

use std::collections::HashMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use serow_core::forked::PerProcess;
use serow_core::layout::Pair;
use serow_core::program;

use crate::error::CompileError;
use crate::jit::debug_info::{DebugInfo, Registration};
use crate::jit::key::Key;
use crate::jit::llvm_gate;
use crate::jit::log;
use crate::jit::orc::LinkedCode;

/// A plan that is compiled for a pair of layouts. Several threads may call it at once. Dropping it
/// frees its code.
pub struct Compiled {
    /// Always set, except in `drop`.
    code: Option<LinkedCode>,
    /// The registration with debuggers. Always kept until `drop`.
    known: Option<Registration>,
    address: *const (),
    key: Arc<Key>,
    kinds: Pair,
    bytes: usize,
    time: Duration,
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
        key: Arc<Key>,
        code: LinkedCode,
        names: Option<DebugInfo>,
        kinds: Pair,
        bytes: usize,
        time: Duration,
    ) -> Compiled {
        let address = code.address();
        let known = names.and_then(|names| names.publish(address));
        Compiled { code: Some(code), known, address, key, kinds, bytes, time }
    }

    /// Returns the kinds of its source and its sink.
    pub fn kinds(&self) -> Pair {
        self.kinds
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
            Index::get().forget(&self.key);
            log::line(format_args!("freed {}", self.key.symbol()));
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
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// The code of this process. A child made by `fork` has its own, because a thread that the child lacks
/// may be making some.
#[derive(Default)]
pub(crate) struct Index {
    /// The code that exists or is being made, by the hash of its key.
    codes: Mutex<HashMap<u128, Entry>>,
    /// Notified when an entry changes or is removed.
    changed: Condvar,
}

/// Code and its key. The symbol is unique in the process.
struct Entry {
    key: Arc<Key>,
    /// Dead while the code is being made and while it is being freed.
    code: Weak<Compiled>,
}

impl Index {
    /// Returns this process's index.
    pub(crate) fn get() -> &'static Index {
        static INDEX: PerProcess<Index> = PerProcess::new();
        INDEX.get()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u128, Entry>> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the code for `key`: the existing one, or else the result of `make`. If another
    /// thread makes it, this waits.
    pub(crate) fn code(
        &'static self,
        key: &Arc<Key>,
        make: impl FnOnce() -> Result<Arc<Compiled>, CompileError>,
    ) -> Result<Arc<Compiled>, CompileError> {
        let mut codes = self.lock();
        while let Some(entry) = codes.get(&key.hash()) {
            if entry.key != *key {
                return Err(CompileError::Link(format!(
                    "symbol hash collision at {}",
                    key.symbol()
                )));
            }
            if let Some(code) = entry.code.upgrade() {
                return Ok(code);
            }
            codes = self.changed.wait(codes).unwrap_or_else(PoisonError::into_inner);
        }
        codes.insert(key.hash(), Entry { key: key.clone(), code: Weak::new() });
        drop(codes);
        let reserved = Reserved { index: self, key };
        let code = make()?;
        mem::forget(reserved);
        if let Some(entry) = self.lock().get_mut(&key.hash()) {
            entry.code = Arc::downgrade(&code);
        }
        self.changed.notify_all();
        Ok(code)
    }

    /// Removes the entry of code that was freed or never made.
    pub(crate) fn forget(&self, key: &Key) {
        self.lock().remove(&key.hash());
        self.changed.notify_all();
    }
}

/// Removes its entry on drop. It is forgotten when the code was made.
struct Reserved<'a> {
    index: &'static Index,
    key: &'a Key,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.index.forget(self.key);
    }
}
