//! A safe interface to the used part of ORC: it takes objects, returns addresses, and frees code on
//! drop.
//!
//! inkwell has no module for ORC, so this file calls LLVM's C interface; it is the only file that
//! does. The JIT is `LLJIT` with its default linker (JITLink on x86-64). The linker maps an
//! object's pages writable, copies and relocates the code, and then makes the pages executable and
//! read-only. The JIT compiles nothing itself: its input is objects, which may come from the cache.
//! It starts no threads and sets no signal handlers.

use std::ffi::{CStr, CString};
use std::fmt;
use std::mem;
use std::process;
use std::ptr;

use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFileWithRT,
    LLVMOrcLLJITGetExecutionSession, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
    LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use inkwell::llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCSymbolMapPair, LLVMOrcExecutionSessionGetSymbolStringPool,
    LLVMOrcJITDylibCreateResourceTracker, LLVMOrcJITDylibDefine, LLVMOrcReleaseResourceTracker,
    LLVMOrcResourceTrackerRef, LLVMOrcResourceTrackerRemove,
    LLVMOrcSymbolStringPoolClearDeadEntries,
};
use inkwell::memory_buffer::MemoryBuffer;

/// LLVM's error message.
#[derive(Debug)]
pub(crate) struct OrcError(String);

impl OrcError {
    /// Checks and frees an error. LLVM requires both for every error.
    fn check(error: LLVMErrorRef) -> Result<(), OrcError> {
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is not null and comes directly from a call. This call frees it.
        let message = unsafe { LLVMGetErrorMessage(error) };
        // SAFETY: LLVM always returns a terminated string.
        let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
        // SAFETY: this function owns the message, which is not used afterwards.
        unsafe { LLVMDisposeErrorMessage(message) };
        Err(OrcError(text))
    }
}

impl fmt::Display for OrcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An `LLJIT`.
pub(crate) struct Jit {
    raw: LLVMOrcLLJITRef,
}

// SAFETY: LLJIT locks its session in every call made here.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Creates a JIT for this process. The target must be initialised.
    pub(crate) fn new() -> Result<Jit, OrcError> {
        let mut raw = ptr::null_mut();
        // SAFETY: a null builder selects LLJIT's defaults. The call writes `raw` on success.
        OrcError::check(unsafe { LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()) })?;
        Ok(Jit { raw })
    }

    /// Defines names that objects may refer to. None may be defined already.
    pub(crate) fn define(&self, symbols: &[(&'static str, usize)]) -> Result<(), OrcError> {
        let mut pairs = Vec::new();
        for &(name, address) in symbols {
            let name = CString::new(name).map_err(|error| OrcError(error.to_string()))?;
            pairs.push(LLVMOrcCSymbolMapPair {
                // SAFETY: the name is terminated, and the JIT is alive. `LLVMOrcAbsoluteSymbols`
                // below takes over the returned reference.
                Name: unsafe { LLVMOrcLLJITMangleAndIntern(self.raw, name.as_ptr()) },
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags {
                        GenericFlags: LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported
                            as u8,
                        TargetFlags: 0,
                    },
                },
            });
        }
        // SAFETY: `pairs` has the given length, and the dylib lives as long as the JIT. It takes
        // over the unit. If a name is already defined, the call frees the unit.
        OrcError::check(unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.raw), unit)
        })
    }

    /// Links `object` into the process and looks up `symbol`, which must be unique among linked
    /// objects.
    pub(crate) fn link(
        &'static self,
        object: MemoryBuffer<'static>,
        symbol: &str,
    ) -> Result<LinkedCode, OrcError> {
        let name = CString::new(symbol).map_err(|error| OrcError(error.to_string()))?;
        // SAFETY: the main dylib lives as long as the JIT.
        let tracker =
            unsafe { LLVMOrcJITDylibCreateResourceTracker(LLVMOrcLLJITGetMainJITDylib(self.raw)) };
        // From here on, dropping `code` frees whatever was linked.
        let mut code =
            LinkedCode { jit: self, tracker, address: ptr::null(), process: process::id() };
        let buffer = object.as_mut_ptr();
        // LLVM takes over the buffer even if it fails.
        mem::forget(object);
        // SAFETY: tracker and buffer are alive, and the buffer is given away.
        OrcError::check(unsafe { LLVMOrcLLJITAddObjectFileWithRT(self.raw, tracker, buffer) })?;
        let mut address = 0;
        // SAFETY: the name is terminated. The call writes the address on success.
        OrcError::check(unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) })?;
        code.address = ptr::with_exposed_provenance(address as usize);
        Ok(code)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: no `LinkedCode` of this JIT exists, because each borrows it for `'static`. There
        // is nowhere to report an error; `check` frees it.
        let _ = OrcError::check(unsafe { LLVMOrcDisposeLLJIT(self.raw) });
    }
}

/// A linked object. Dropping it unmaps its pages.
pub(crate) struct LinkedCode {
    jit: &'static Jit,
    tracker: LLVMOrcResourceTrackerRef,
    address: *const (),
    process: u32,
}

// SAFETY: the address is only read. Trackers are counted atomically and removed under the session's
// lock.
unsafe impl Send for LinkedCode {}
// SAFETY: as above.
unsafe impl Sync for LinkedCode {}

impl LinkedCode {
    /// Returns the address of the symbol. It is not null.
    pub(crate) fn address(&self) -> *const () {
        self.address
    }

    /// Returns whether a parent process linked the code. Then it may be called but not dropped.
    pub(crate) fn is_inherited(&self) -> bool {
        self.process != process::id()
    }
}

impl Drop for LinkedCode {
    fn drop(&mut self) {
        // SAFETY: this value owns the tracker, which is released once. Nothing runs the code now,
        // because a running conversion borrows its `Compiled`.
        unsafe {
            let _ = OrcError::check(LLVMOrcResourceTrackerRemove(self.tracker));
            LLVMOrcReleaseResourceTracker(self.tracker);
            let session = LLVMOrcLLJITGetExecutionSession(self.jit.raw);
            LLVMOrcSymbolStringPoolClearDeadEntries(LLVMOrcExecutionSessionGetSymbolStringPool(
                session,
            ));
        }
    }
}
