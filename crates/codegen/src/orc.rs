//! A safe face of the little of ORC that is used: objects in, addresses out, code freed on drop.
//!
//! inkwell has no module for ORC, so this calls LLVM's C interface, and it is the only file that
//! does. The JIT is an `LLLazyJIT`'s plain sibling, `LLJIT`, with its default linker (JITLink on
//! x86-64), which maps an object's pages writable, copies and relocates, and then makes the code
//! executable and no longer writable. It compiles nothing itself: objects come ready-made, so
//! that they can come out of a cache as well. It starts no threads and sets no signal handlers.

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

/// What LLVM said.
#[derive(Debug)]
pub(crate) struct OrcError(String);

impl OrcError {
    /// LLVM requires that every error be looked at and freed; this does both.
    fn check(error: LLVMErrorRef) -> Result<(), OrcError> {
        if error.is_null() {
            return Ok(());
        }
        // SAFETY: the error is not null and came straight from a call; this call frees it.
        let message = unsafe { LLVMGetErrorMessage(error) };
        // SAFETY: LLVM returns a terminated string, always.
        let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
        // SAFETY: the message is ours and is not used after this.
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

// SAFETY: LLJIT locks its session for every call that is made here.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// A JIT for this process. The target must have been initialised.
    pub(crate) fn new() -> Result<Jit, OrcError> {
        let mut raw = ptr::null_mut();
        // SAFETY: without a builder LLJIT takes its defaults, and it writes `raw` on success.
        OrcError::check(unsafe { LLVMOrcCreateLLJIT(&mut raw, ptr::null_mut()) })?;
        Ok(Jit { raw })
    }

    /// Defines names that objects may refer to. None of them may be defined already.
    pub(crate) fn define(&self, symbols: &[(&'static str, usize)]) -> Result<(), OrcError> {
        let mut pairs = Vec::new();
        for &(name, address) in symbols {
            let name = CString::new(name).map_err(|error| OrcError(error.to_string()))?;
            pairs.push(LLVMOrcCSymbolMapPair {
                // SAFETY: the name is terminated, and the JIT is alive. The reference that this
                // gives is taken over below.
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
        // SAFETY: the pairs are as many as is said, and the dylib lives as long as the JIT; it
        // takes the unit, unless a name was defined, which frees the unit.
        OrcError::check(unsafe {
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.raw), unit)
        })
    }

    /// Links `object` into the process and finds `symbol`, which no other linked object may have.
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
        // LLVM takes the buffer whether or not it succeeds.
        mem::forget(object);
        // SAFETY: tracker and buffer are alive, and the buffer is given away.
        OrcError::check(unsafe { LLVMOrcLLJITAddObjectFileWithRT(self.raw, tracker, buffer) })?;
        let mut address = 0;
        // SAFETY: the name is terminated, and the address is written on success.
        OrcError::check(unsafe { LLVMOrcLLJITLookup(self.raw, &mut address, name.as_ptr()) })?;
        code.address = ptr::with_exposed_provenance(address as usize);
        Ok(code)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: no `LinkedCode` of it is left, since one borrows it for good. An error here has
        // nobody to go to; checking frees it.
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

// SAFETY: the address is only read, and trackers are counted atomically and removed under the
// session's lock.
unsafe impl Send for LinkedCode {}
// SAFETY: as above.
unsafe impl Sync for LinkedCode {}

impl LinkedCode {
    /// Where the symbol is; not null.
    pub(crate) fn address(&self) -> *const () {
        self.address
    }

    /// Whether a parent process linked it. It may be called all the same, but not dropped.
    pub(crate) fn is_inherited(&self) -> bool {
        self.process != process::id()
    }
}

impl Drop for LinkedCode {
    fn drop(&mut self) {
        // SAFETY: the tracker is ours and is released once. That nobody runs the code any more is
        // held by `Compiled`, which is borrowed while it does.
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
