//! This machine, and the one JIT of this process.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::mem;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError, Weak};

use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target_machine::LLVMSetTargetMachineFastISel;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, FileType, RelocMode, Target, TargetMachine, TargetMachineOptions,
};
use serow_core::forked::PerProcess;

use crate::compiled::Compiled;
use crate::compiler::Compiler;
use crate::error::CompileError;
use crate::helper::Symbol;
use crate::key::Key;
use crate::llvm_gate::Inside;
use crate::orc::{Jit, LinkedCode, OrcError};

/// How machines are set up, for those who keep objects: it changes with what is below.
pub(crate) const SETTINGS: &str = "O1, fast selector, position-independent, small";

/// Steps that code generation leaves out. They take 40 % of its time, and what comes of them ran no
/// faster on any rows that were tried (`docs/design.md`): the IR has no memory to clean up, loops
/// that step through pointers already, and little to hoist or to schedule. The basic
/// register allocator does as well as the greedy one for a third of its time; the fast one does
/// not. What is not here was tried too, and gains nothing or costs: the layout of blocks, the
/// folding of branches, and sinking addresses to where they are used.
pub(crate) const OPTIONS: [&CStr; 16] = [
    c"-disable-lsr",
    c"-enable-misched=false",
    c"-regalloc=basic",
    c"-disable-copyprop",
    c"-disable-machine-cse",
    c"-disable-machine-sink",
    c"-disable-postra-machine-sink",
    c"-disable-postra-machine-licm",
    c"-disable-peephole",
    c"-disable-constant-hoisting",
    c"-disable-ssc",
    c"-enable-shrink-wrap=false",
    c"-disable-tail-duplicate",
    c"-disable-early-taildup",
    c"-disable-early-ifcvt",
    c"-disable-mergeicmps",
];

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

/// Tells LLVM of the one target linked in, and of [`OPTIONS`]. inkwell's function for the target
/// would link its assembly parser and disassembler too.
fn initialize_target() {
    use inkwell::llvm_sys::target::{
        LLVMInitializeX86AsmPrinter, LLVMInitializeX86Target, LLVMInitializeX86TargetInfo,
        LLVMInitializeX86TargetMC,
    };
    static ONCE: Once = Once::new();
    let mut arguments = vec![c"serow".as_ptr()];
    arguments.extend(OPTIONS.iter().map(|option| option.as_ptr()));
    // SAFETY: they only write to LLVM's tables of targets and of options, and `Once` keeps other
    // threads out. LLVM is linked statically, so the tables are nobody else's, and the options
    // are of its version: one that it did not know would end the process.
    ONCE.call_once(|| unsafe {
        LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), ptr::null());
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

/// The JIT that all code of this process is linked into, and the code itself.
///
/// It is never freed: at exit other threads may still run its code. A child by `fork` gets an
/// engine of its own, since a thread that the child does not have may hold a lock of the inherited
/// one.
pub(crate) struct Engine {
    jit: Jit,
    /// The symbols defined to the linker.
    defined: Mutex<HashSet<&'static str>>,
    /// Compilers that are not in use.
    idle: Mutex<Vec<Compiler>>,
    /// The code that exists or is being made, by the hash of its key.
    codes: Mutex<HashMap<u128, Entry>>,
    /// Notified when an entry changes or goes.
    changed: Condvar,
}

/// Code by its key. No other code of the process has the same symbol.
struct Entry {
    key: Arc<Key>,
    /// Dead while the code is being made, and while it is being freed.
    code: Weak<Compiled>,
}

/// Compilers that are kept for the next compile.
const IDLE: usize = 2;

impl Engine {
    /// This process's engine, made at the first call. Whoever calls is inside LLVM, and goes on to
    /// be while it uses it.
    pub(crate) fn get(_inside: &Inside) -> Result<&'static Engine, CompileError> {
        static ENGINE: PerProcess<Engine> = PerProcess::new();
        ENGINE.get_or_try_make(|| {
            initialize_target();
            Ok(Engine {
                jit: Jit::new().map_err(|why| CompileError::Link(why.to_string()))?,
                defined: Mutex::default(),
                idle: Mutex::default(),
                codes: Mutex::default(),
                changed: Condvar::new(),
            })
        })
    }

    /// The code for `key`: the existing one, or else the result of `make`. Waits while another
    /// thread makes it.
    pub(crate) fn code(
        &'static self,
        key: &Arc<Key>,
        make: impl FnOnce() -> Result<Arc<Compiled>, CompileError>,
    ) -> Result<Arc<Compiled>, CompileError> {
        let mut codes = lock(&self.codes);
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
        let reserved = Reserved { engine: self, key };
        let code = make()?;
        mem::forget(reserved);
        if let Some(entry) = lock(&self.codes).get_mut(&key.hash()) {
            entry.code = Arc::downgrade(&code);
        }
        self.changed.notify_all();
        Ok(code)
    }

    /// Remove the entry of code that was freed or never made.
    pub(crate) fn forget(&self, key: &Key) {
        lock(&self.codes).remove(&key.hash());
        self.changed.notify_all();
    }

    /// Call `with` with a compiler that no other thread uses meanwhile.
    pub(crate) fn with_compiler<T>(
        &self,
        with: impl FnOnce(&Compiler) -> Result<T, CompileError>,
    ) -> Result<T, CompileError> {
        let idle = lock(&self.idle).pop();
        let compiler = idle.map_or_else(Compiler::new, Ok)?;
        let result = with(&compiler);
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE {
            idle.push(compiler);
        }
        result
    }

    /// Links an object that may refer to `symbols`, and finds the function named `symbol` in it.
    pub(crate) fn link(
        &'static self,
        object: MemoryBuffer<'static>,
        symbol: &str,
        symbols: &[Symbol],
    ) -> Result<LinkedCode, CompileError> {
        self.define(symbols)
            .and_then(|()| self.jit.link(object, symbol))
            .map_err(|why| CompileError::Link(why.to_string()))
    }

    /// Defines those of `symbols` that are not defined yet.
    fn define(&self, symbols: &[Symbol]) -> Result<(), OrcError> {
        let mut defined = lock(&self.defined);
        let new: Vec<Symbol> =
            symbols.iter().copied().filter(|(name, _)| !defined.contains(name)).collect();
        if !new.is_empty() {
            self.jit.define(&new)?;
            defined.extend(new.iter().map(|(name, _)| name));
        }
        Ok(())
    }
}

/// Removes the entry on drop, unless its code was made.
struct Reserved<'a> {
    engine: &'static Engine,
    key: &'a Key,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.engine.forget(self.key);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
