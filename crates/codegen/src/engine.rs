//! This machine, and the one JIT of this process.

use std::collections::HashSet;
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::target_machine::LLVMSetTargetMachineFastISel;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, FileType, RelocMode, Target, TargetMachine, TargetMachineOptions,
};

use crate::error::CompileError;
use crate::orc::{Code, Jit};
use crate::symbols::Symbol;

/// A machine that generates code for this processor, all of its features included.
///
/// The level is O1 with the fast instruction selector: O0 leaves code that is slower than the
/// interpreter, and the selector of O1 takes half as long again for nothing. The rest is what
/// the JIT's linker expects: position-independent, with calls through stubs.
pub(crate) fn target_machine() -> Result<TargetMachine, CompileError> {
    initialize_target();
    let triple = TargetMachine::get_default_triple();
    let target =
        Target::from_triple(&triple).map_err(|why| CompileError::Target(why.to_string()))?;
    let cpu = TargetMachine::get_host_cpu_name().to_string();
    let features = TargetMachine::get_host_cpu_features().to_string();
    let options = TargetMachineOptions::new()
        .set_cpu(&cpu)
        .set_features(&features)
        .set_level(OptimizationLevel::Less)
        .set_reloc_mode(RelocMode::PIC)
        .set_code_model(CodeModel::Small);
    let machine = target
        .create_target_machine_from_options(&triple, options)
        .ok_or_else(|| CompileError::Target(format!("no code generation for {triple} {cpu}")))?;
    // SAFETY: the machine is alive, and nobody else uses it yet.
    unsafe { LLVMSetTargetMachineFastISel(machine.as_mut_ptr(), 1) };
    Ok(machine)
}

/// Tells LLVM of the one target linked in. inkwell's function for it would link the target's
/// assembly parser and disassembler too.
fn initialize_target() {
    use inkwell::llvm_sys::target::{
        LLVMInitializeX86AsmPrinter, LLVMInitializeX86Target, LLVMInitializeX86TargetInfo,
        LLVMInitializeX86TargetMC,
    };
    static ONCE: Once = Once::new();
    // SAFETY: they only write to LLVM's table of targets, and `Once` keeps other threads out.
    ONCE.call_once(|| unsafe {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
    });
}

/// The object file of `module`, which must be verified.
pub(crate) fn object(
    machine: &TargetMachine,
    module: &Module<'_>,
) -> Result<MemoryBuffer<'static>, CompileError> {
    machine
        .write_to_memory_buffer(module, FileType::Object)
        .map_err(|why| CompileError::Object(why.to_string()))
}

/// The assembly of `module`, which must be verified, as text.
pub(crate) fn assembly(
    machine: &TargetMachine,
    module: &Module<'_>,
) -> Result<String, CompileError> {
    let text = machine
        .write_to_memory_buffer(module, FileType::Assembly)
        .map_err(|why| CompileError::Object(why.to_string()))?;
    Ok(String::from_utf8_lossy(text.as_slice()).trim_end_matches('\0').to_owned())
}

/// The JIT that all code of this process is linked into.
pub(crate) struct Engine {
    jit: Jit,
    process: u32,
    /// The names that are defined to the linker.
    defined: Mutex<HashSet<&'static str>>,
}

impl Engine {
    /// This process's engine, made at the first call.
    ///
    /// It is never disposed of: at exit other threads may still run its code. A child made by
    /// `fork` gets an engine of its own, since in the inherited one any lock may be held by a
    /// thread that the child does not have. So that the way to it has no lock either, two threads
    /// may each make an engine at first; the one that comes second is dropped.
    pub(crate) fn get() -> Result<&'static Engine, CompileError> {
        static CURRENT: AtomicPtr<Engine> = AtomicPtr::new(ptr::null_mut());
        let process = process::id();
        let current = CURRENT.load(Ordering::Acquire);
        // SAFETY: what is stored there was leaked below.
        if let Some(engine) = unsafe { current.as_ref() }
            && engine.process == process
        {
            return Ok(engine);
        }
        initialize_target();
        let jit = Jit::new().map_err(|why| CompileError::Link(why.to_string()))?;
        let made = Box::into_raw(Box::new(Engine { jit, process, defined: Mutex::default() }));
        match CURRENT.compare_exchange(current, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it came from a box and is given to nobody who could free it.
            Ok(_) => Ok(unsafe { &*made }),
            Err(first) => {
                // SAFETY: it came from a box, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: another thread of this process has leaked it.
                Ok(unsafe { &*first })
            }
        }
    }

    /// Defines those of `symbols` that are not defined yet.
    pub(crate) fn define(&self, symbols: &[Symbol]) -> Result<(), CompileError> {
        let mut defined = self.defined.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<Symbol> =
            symbols.iter().copied().filter(|(name, _)| !defined.contains(name)).collect();
        if !new.is_empty() {
            self.jit.define(&new).map_err(|why| CompileError::Link(why.to_string()))?;
            defined.extend(new.iter().map(|(name, _)| name));
        }
        Ok(())
    }

    /// Links an object and finds `symbol` in it.
    pub(crate) fn link(
        &'static self,
        object: MemoryBuffer<'static>,
        symbol: &str,
    ) -> Result<Code, CompileError> {
        self.jit.link(object, symbol).map_err(|why| CompileError::Link(why.to_string()))
    }
}
